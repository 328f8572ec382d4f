//! Notifications: texts that are opened, edited and closed, files that change, and what is checked after that.

use std::sync::Arc;

use gen_lsp_types::{
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, InitializeParams, PublishDiagnosticsParams, Uri,
};
use herbrand_assist::{TextFile, uri};
use lsp_server::{Notification, Request, RequestId};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::Server;

impl Server<'_> {
    pub(super) fn read_folders(&mut self, params: &InitializeParams) {
        let given = serde_json::to_value(params).unwrap_or_default();
        let folders = given["workspaceFolders"].as_array().cloned().unwrap_or_default();
        let mut uris: Vec<String> = folders
            .iter()
            .filter_map(|folder| Some(folder["uri"].as_str()?.to_owned()))
            .collect();
        if uris.is_empty() {
            uris.extend(given["rootUri"].as_str().map(str::to_owned));
        }
        for path in uris.iter().filter_map(|uri| uri::path(uri)) {
            self.workspace.read_tree(&path);
        }
    }

    /// Asks the client to report changes of files that are not open, if it can.
    fn watch(&self) {
        if self.can_watch {
            let watchers = json!([{ "globPattern": "**/*.{pddl,ppddl,rddl}" }]);
            let registration = json!({
                "id": "files",
                "method": "workspace/didChangeWatchedFiles",
                "registerOptions": { "watchers": watchers },
            });
            let id = RequestId::from("herbrand-watch".to_owned());
            let params = json!({ "registrations": [registration] });
            self.send(Request::new(id, "client/registerCapability".to_owned(), params));
        }
    }

    // Notifications.

    pub(super) fn notified(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        // A notification has no answer, so a malformed one is ignored.
        match method.as_str() {
            "initialized" => self.watch(),
            "textDocument/didOpen" => read(params, |params| self.opened(params)),
            "textDocument/didChange" => read(params, |params| self.changed(params)),
            "textDocument/didClose" => read(params, |params| self.closed(&params)),
            "workspace/didChangeWatchedFiles" => read(params, |params| self.files_changed(&params)),
            "workspace/didChangeWorkspaceFolders" => {
                read(params, |params: DidChangeWorkspaceFoldersParams| {
                    for path in params
                        .event
                        .added
                        .iter()
                        .filter_map(|folder| uri::path(&folder.uri.0))
                    {
                        self.workspace.read_tree(&path);
                    }
                    self.check_all();
                });
            }
            "$/cancelRequest" => {
                if let Some(id) = params
                    .get("id")
                    .and_then(|id| serde_json::from_value(id.clone()).ok())
                    && let Some(response) = self.engine.cancel(&id)
                {
                    self.send(response);
                }
            }
            _ => {}
        }
    }

    fn opened(&mut self, params: DidOpenTextDocumentParams) {
        let document = params.text_document;
        let uri = uri::normal(&document.uri.0);
        let file = self
            .workspace
            .set(TextFile::new(&uri, &document.text, Some(document.version)));
        if let Some(path) = &file.path {
            self.workspace.read_beside(path);
        }
        self.check_from(&file, None);
    }

    fn changed(&mut self, params: DidChangeTextDocumentParams) {
        let document = params.text_document;
        let uri = uri::normal(&document.text_document_identifier.uri.0);
        let Some(old) = self.workspace.file(&uri).cloned() else {
            return;
        };
        let file = self
            .workspace
            .set(old.changed(params.content_changes, document.version));
        self.check_from(&file, Some(&old));
    }

    fn closed(&mut self, params: &DidCloseTextDocumentParams) {
        let uri = uri::normal(&params.text_document.uri.0);
        let old = self.workspace.file(&uri).cloned();
        self.workspace.reload(&uri);
        self.checker.forget(&uri);
        let params = PublishDiagnosticsParams {
            uri: Uri(uri),
            version: None,
            diagnostics: Vec::new(),
        };
        self.send(Notification::new(
            "textDocument/publishDiagnostics".to_owned(),
            params,
        ));
        if old.is_some_and(|file| !file.domains().is_empty()) {
            self.check_all();
        } else {
            self.reach.request(&self.workspace);
        }
    }

    fn files_changed(&mut self, params: &DidChangeWatchedFilesParams) {
        for change in &params.changes {
            let uri = uri::normal(&change.uri.0);
            let is_open = self
                .workspace
                .file(&uri)
                .is_some_and(|file| file.version.is_some());
            // The editor's text counts while a file is open.
            if !is_open {
                self.workspace.reload(&uri);
            }
        }
        self.check_all();
    }

    fn check_all(&self) {
        let open = self.workspace.open().map(|file| file.uri().to_owned());
        self.checker.request(&self.workspace, open);
        self.reach.request(&self.workspace);
    }

    /// Checks a file that changed and the open files that depend on it: all of its language if it defines a domain or other
    /// blocks, or did so before; the domain of a problem otherwise, for names that nothing reads.
    fn check_from(&self, file: &Arc<TextFile>, old: Option<&Arc<TextFile>>) {
        let shared = |file: &TextFile| !file.domains().is_empty() || !file.blocks().is_empty();
        let is_shared = shared(file) || old.is_some_and(|old| shared(old));
        let domain = self.workspace.domain_of(file);
        let depends = |other: &&Arc<TextFile>| {
            Arc::ptr_eq(other, file)
                || (is_shared && other.is_settings())
                || (is_shared && other.language == file.language)
                || domain.as_ref().is_some_and(|domain| Arc::ptr_eq(domain, other))
        };
        let uris = self
            .workspace
            .open()
            .filter(depends)
            .map(|file| file.uri().to_owned());
        self.checker.request(&self.workspace, uris);
        self.reach.request(&self.workspace);
    }
}

fn read<P: DeserializeOwned>(params: Value, act: impl FnOnce(P)) {
    if let Ok(params) = serde_json::from_value(params) {
        act(params);
    }
}
