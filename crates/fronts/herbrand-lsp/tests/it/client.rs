//! An editor for tests. It keeps its own copy of each text and applies edits to it, as editors do.

use std::collections::BTreeMap;
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;

use herbrand_lsp::{ServeError, ServerLimits, serve};
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};

/// The time after which a silent server has failed.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Client {
    connection: Connection,
    server: Option<JoinHandle<Result<(), ServeError>>>,
    next: i32,
    pub(crate) texts: BTreeMap<String, (i32, String)>,
    /// The newest diagnostics of each file, with their version.
    found: BTreeMap<String, (Option<i64>, Vec<Value>)>,
    pub(crate) messages: Vec<String>,
}

impl Client {
    pub(crate) fn start(folder: Option<&Path>) -> Self {
        Self::start_within(ServerLimits::default(), folder)
    }

    pub(crate) fn start_within(limits: ServerLimits, folder: Option<&Path>) -> Self {
        let (server, connection) = Connection::memory();
        let server = std::thread::spawn(move || serve(&server, limits));
        let mut client = Self {
            connection,
            server: Some(server),
            next: 0,
            texts: BTreeMap::new(),
            found: BTreeMap::new(),
            messages: Vec::new(),
        };
        let folders = folder.map(|folder| json!([{ "uri": uri(folder), "name": "folder" }]));
        let answer = client.ask(
            "initialize",
            json!({ "capabilities": {}, "workspaceFolders": folders }),
        );
        assert_eq!(answer["serverInfo"]["name"], "herbrand");
        client.tell("initialized", json!({}));
        client
    }

    pub(crate) fn tell(&self, method: &str, params: Value) {
        let message = Notification::new(method.to_owned(), params);
        self.connection
            .sender
            .send(message.into())
            .expect("the server listens");
    }

    fn receive(&mut self) -> Message {
        let message = self
            .connection
            .receiver
            .recv_timeout(PATIENCE)
            .expect("the server answers in time");
        if let Message::Notification(notification) = &message {
            let params = &notification.params;
            match notification.method.as_str() {
                "textDocument/publishDiagnostics" => {
                    let uri = params["uri"].as_str().expect("a file").to_owned();
                    let found = params["diagnostics"].as_array().expect("a list").clone();
                    self.found.insert(uri, (params["version"].as_i64(), found));
                }
                "window/showMessage" => self
                    .messages
                    .push(params["message"].as_str().unwrap_or_default().to_owned()),
                _ => {}
            }
        }
        message
    }

    /// Sends a request without waiting for its answer.
    pub(crate) fn send(&mut self, method: &str, params: Value) -> RequestId {
        self.next += 1;
        let id = RequestId::from(self.next);
        let request = Request::new(id.clone(), method.to_owned(), params);
        self.connection
            .sender
            .send(request.into())
            .expect("the server listens");
        id
    }

    pub(crate) fn answer_to(&mut self, id: &RequestId) -> Result<Value, String> {
        loop {
            if let Message::Response(response) = self.receive()
                && response.id == *id
            {
                return response.response_result.map_err(|error| error.message);
            }
        }
    }

    pub(crate) fn try_ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        let id = self.send(method, params);
        self.answer_to(&id)
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.try_ask(method, params)
            .unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    pub(crate) fn open(&mut self, uri: &str, text: &str) {
        self.texts.insert(uri.to_owned(), (1, text.to_owned()));
        let document = json!({ "uri": uri, "languageId": "pddl", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replaces the bytes in `range` of a text. The ends must not cut a character of the client's text.
    pub(crate) fn edit(&mut self, uri: &str, range: std::ops::Range<usize>, new: &str) {
        let text = self.text(uri);
        let ends = [position(text, range.start), position(text, range.end)];
        self.edit_at(uri, range, ends, new);
    }

    /// Replaces the bytes in `range` of a text, and tells the server that the part between two positions was replaced.
    pub(crate) fn edit_at(
        &mut self,
        uri: &str,
        range: std::ops::Range<usize>,
        [start, end]: [Value; 2],
        new: &str,
    ) {
        let (version, text) = self.texts.get_mut(uri).expect("the file is open");
        text.replace_range(range, new);
        *version += 1;
        let change = json!({ "range": { "start": start, "end": end }, "text": new });
        let params =
            json!({ "textDocument": { "uri": uri, "version": *version }, "contentChanges": [change] });
        self.tell("textDocument/didChange", params);
    }

    /// Waits for the diagnostics of the newest version of a file.
    pub(crate) fn diagnostics(&mut self, uri: &str) -> Vec<Value> {
        let version = i64::from(self.texts[uri].0);
        loop {
            if let Some((Some(of), found)) = self.found.get(uri)
                && *of == version
            {
                return found.clone();
            }
            self.receive();
        }
    }

    /// Waits until the newest diagnostics of a file are as wanted.
    pub(crate) fn until(&mut self, uri: &str, wanted: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let version = i64::from(self.texts[uri].0);
        loop {
            if let Some((Some(of), found)) = self.found.get(uri)
                && *of == version
                && wanted(found)
            {
                return found.clone();
            }
            self.receive();
        }
    }

    /// Forgets the diagnostics of a file, so that [`diagnostics`](Self::diagnostics) waits for new ones.
    pub(crate) fn forget(&mut self, uri: &str) {
        self.found.remove(uri);
    }

    /// Returns the parameters of a request about a place: the `nth` occurrence of `word`, `inside` bytes behind its start.
    pub(crate) fn at(&self, uri: &str, word: &str, nth: usize, inside: usize) -> Value {
        let text = &self.texts[uri].1;
        let (start, _) = text
            .match_indices(word)
            .nth(nth)
            .unwrap_or_else(|| panic!("{word} is in {uri}"));
        json!({ "textDocument": { "uri": uri }, "position": position(text, start + inside) })
    }

    /// Returns the part of a text that a range covers.
    pub(crate) fn text_at(&self, uri: &str, range: &Value) -> String {
        let text = &self.texts[uri].1;
        text[offset(text, &range["start"])..offset(text, &range["end"])].to_owned()
    }

    /// Applies the edits of an action, of a formatter or of a rename to the client's texts and tells the server.
    pub(crate) fn apply(&mut self, edit: &Value) {
        for (uri, edits) in edit["changes"].as_object().expect("changes") {
            self.apply_edits(uri, edits);
        }
    }

    pub(crate) fn apply_edits(&mut self, uri: &str, edits: &Value) {
        let text = self.texts[uri].1.clone();
        let mut edits: Vec<_> = edits
            .as_array()
            .expect("edits")
            .iter()
            .map(|edit| {
                let range = offset(&text, &edit["range"]["start"])..offset(&text, &edit["range"]["end"]);
                (range, edit["newText"].as_str().expect("text").to_owned())
            })
            .collect();
        // Of several insertions at one place, the first in the list comes first in the text.
        edits.sort_by_key(|(range, _)| (range.start, range.end));
        for (range, new) in edits.into_iter().rev() {
            self.edit(uri, range, &new);
        }
    }

    pub(crate) fn text(&self, uri: &str) -> &str {
        &self.texts[uri].1
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let id = self.send("shutdown", Value::Null);
        self.answer_to(&id).expect("the server shuts down");
        self.tell("exit", Value::Null);
        let server = self.server.take().expect("the server runs");
        server
            .join()
            .expect("the server did not panic")
            .expect("the server ended well");
    }
}

pub(crate) fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// The position of a byte in the way of the protocol, counted character by character.
pub(crate) fn position(text: &str, offset: usize) -> Value {
    let (mut line, mut character) = (0, 0);
    let mut chars = text[..offset].chars().peekable();
    while let Some(c) = chars.next() {
        // A `\r` at the end of the part may be one half of a line end.
        let is_half = c == '\r' && chars.peek().copied().or(text[offset..].chars().next()) == Some('\n');
        if c == '\n' || (c == '\r' && !is_half) {
            (line, character) = (line + 1, 0);
        } else if !is_half {
            character += c.len_utf16();
        }
    }
    json!({ "line": line, "character": character })
}

pub(crate) fn offset(text: &str, position_of: &Value) -> usize {
    let boundaries = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    let mut boundaries = boundaries.filter(|&at| position(text, at) == *position_of);
    boundaries
        .next()
        .unwrap_or_else(|| panic!("{position_of} is a position"))
}
