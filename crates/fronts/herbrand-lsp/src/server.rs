//! The loop of the server: messages in, answers out.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use gen_lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionParams, CodeLensOptions, CodeLensParams, CompletionOptions,
    CompletionParams, DefinitionParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DocumentFormattingParams, DocumentHighlightParams, DocumentRangeFormattingParams, DocumentSymbolParams,
    ExecuteCommandOptions, ExecuteCommandParams, FoldingRangeParams, HoverParams, InitializeParams,
    InlayHintParams, MessageType, PrepareRenameParams, PublishDiagnosticsParams, ReferenceParams,
    RenameOptions, RenameParams, SemanticTokensOptions, SemanticTokensParams, SemanticTokensRangeParams,
    ServerCapabilities, ShowMessageParams, SignatureHelpOptions, SignatureHelpParams,
    TextDocumentContentParams, TextDocumentPositionParams, TextDocumentSyncKind, TextDocumentSyncOptions,
    Uri, WorkspaceSymbolParams,
};
use herbrand_limits::{Budget, Limits};
use lsp_server::{Connection, ErrorCode, Message, Notification, ProtocolError, Request, RequestId, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::checker::Checker;
use crate::engine::{COMMANDS, Engine, Task};
use crate::reach::Reach;
use herbrand_assist::feature::{
    actions, completion, folding, formatting, hints, hover, navigation, rename, signature, symbols, tokens,
};
use herbrand_assist::{SCHEME, TextFile, Workspace, check, explanation, uri};

/// The limits of a server, so that no text can take the editor's machine. By default, a check takes at most ten seconds, and
/// each request to the engine at most ten seconds, each in at most 512 MiB. The pause is 0.4 seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ServerLimits {
    /// The limits of the check of a file.
    pub check: Limits,
    /// The limits of grounding for the remarks above a text, and of a plan, a rollout or a picture.
    pub engine: Limits,
    /// The time without an edit after which the open problems are grounded for warnings, each within the limits of the engine.
    pub pause: Duration,
}

impl Default for ServerLimits {
    fn default() -> Self {
        let limits = Limits {
            bytes: Some(512 << 20),
            time: Some(Duration::from_secs(10)),
        };
        Self {
            check: limits,
            engine: limits,
            pause: Duration::from_millis(400),
        }
    }
}

/// The error that the client broke the protocol, or left without shutting the server down. Its text says which.
/// [`serve`] and [`serve_stdio`](crate::serve_stdio) return it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ServeError(String);

impl From<std::io::Error> for ServeError {
    fn from(error: std::io::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<ProtocolError> for ServeError {
    fn from(error: ProtocolError) -> Self {
        Self(error.to_string())
    }
}

/// Answers the messages of one client until it shuts the server down. [`Connection::stdio`] makes the connection of a
/// program, and [`Connection::memory`] one for tests.
///
/// Blocks meanwhile. A request that cannot be answered gets an error as its answer and does not end the server.
///
/// # Errors
/// Fails if the client breaks the protocol: it does not initialise the server first, or does not shut it down properly.
pub fn serve(connection: &Connection, limits: ServerLimits) -> Result<(), ServeError> {
    let (id, params) = connection.initialize_start()?;
    let params: InitializeParams = serde_json::from_value(params)
        .map_err(|error| ServeError(format!("the parameters of `initialize` are not valid: {error}")))?;
    let info = json!({ "name": "herbrand", "version": env!("CARGO_PKG_VERSION") });
    connection.initialize_finish(id, json!({ "capabilities": capabilities(), "serverInfo": info }))?;
    let mut server = Server::new(connection, limits);
    server.read_folders(&params);
    server.watch(&params);
    for message in &connection.receiver {
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request)? {
                    return Ok(());
                }
                server.request(request);
            }
            Message::Notification(notification) => {
                if notification.method == "exit" {
                    return Err(ServeError("the client left without `shutdown`".to_owned()));
                }
                server.notified(notification);
            }
            Message::Response(_) => {}
        }
    }
    Err(ServeError("the client left without `shutdown`".to_owned()))
}

/// Returns what the server can do.
fn capabilities() -> ServerCapabilities {
    let words = |words: &[&str]| Some(words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>());
    ServerCapabilities {
        text_document_sync: Some(
            TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::Incremental),
                ..TextDocumentSyncOptions::default()
            }
            .into(),
        ),
        completion_provider: Some(CompletionOptions {
            trigger_characters: words(&["(", "?", ":", "@", "-", "{", "="]),
            ..CompletionOptions::default()
        }),
        hover_provider: Some(true.into()),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: words(&["(", " ", ","]),
            ..SignatureHelpOptions::default()
        }),
        definition_provider: Some(true.into()),
        references_provider: Some(true.into()),
        document_highlight_provider: Some(true.into()),
        document_symbol_provider: Some(true.into()),
        workspace_symbol_provider: Some(true.into()),
        code_action_provider: Some(
            CodeActionOptions {
                code_action_kinds: Some(vec![CodeActionKind::QuickFix]),
                ..CodeActionOptions::default()
            }
            .into(),
        ),
        code_lens_provider: Some(CodeLensOptions::default()),
        document_formatting_provider: Some(true.into()),
        document_range_formatting_provider: Some(true.into()),
        rename_provider: Some(
            RenameOptions {
                prepare_provider: Some(true),
                ..RenameOptions::default()
            }
            .into(),
        ),
        folding_range_provider: Some(true.into()),
        semantic_tokens_provider: Some(
            SemanticTokensOptions {
                legend: tokens::legend(),
                range: Some(true.into()),
                full: Some(true.into()),
                ..SemanticTokensOptions::default()
            }
            .into(),
        ),
        inlay_hint_provider: Some(true.into()),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: COMMANDS.iter().map(|&command| command.to_owned()).collect(),
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

struct Server<'c> {
    connection: &'c Connection,
    workspace: Workspace,
    limits: ServerLimits,
    checker: Checker,
    reach: Reach,
    engine: Engine,
}

/// The reason why a request has no answer.
struct Refused(ErrorCode, String);

impl From<String> for Refused {
    fn from(reason: String) -> Self {
        Self(ErrorCode::RequestFailed, reason)
    }
}

type Answered = Result<Value, Refused>;

impl<'c> Server<'c> {
    fn new(connection: &'c Connection, limits: ServerLimits) -> Self {
        // A client that has gone needs no answers.
        let sender = connection.sender.clone();
        let publish = move |params: PublishDiagnosticsParams| {
            let method = "textDocument/publishDiagnostics".to_owned();
            let _ = sender.send(Notification::new(method, params).into());
        };
        let sender = connection.sender.clone();
        let answer = move |answer: crate::engine::Answer| {
            if let Some(message) = answer.message {
                let params = ShowMessageParams {
                    kind: MessageType::Info,
                    message,
                };
                let _ = sender.send(Notification::new("window/showMessage".to_owned(), params).into());
            }
            let _ = sender.send(answer.response.into());
        };
        let checker = Checker::start(limits.check, publish);
        let reach = Reach::start(limits.engine, limits.pause, checker.add_reached());
        Self {
            connection,
            workspace: Workspace::default(),
            limits,
            checker,
            reach,
            engine: Engine::start(limits.engine, answer),
        }
    }

    fn send(&self, message: impl Into<Message>) {
        // A client that has gone needs no answers.
        let _ = self.connection.sender.send(message.into());
    }

    fn read_folders(&mut self, params: &InitializeParams) {
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

    /// Asks the client to report changes of files that are not open.
    fn watch(&self, params: &InitializeParams) {
        let given = serde_json::to_value(&params.capabilities).unwrap_or_default();
        if given["workspace"]["didChangeWatchedFiles"]["dynamicRegistration"] == json!(true) {
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

    fn notified(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        // A notification has no answer, so a malformed one is ignored.
        match method.as_str() {
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

    // Requests.

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let task = match self.task(&method, &params) {
            Ok(None) => None,
            Ok(Some(task)) => Some(task),
            Err(Refused(code, reason)) => {
                return self.send(Response::new_err(id, code as i32, reason));
            }
        };
        if let Some(task) = task {
            return self.engine.request(id, &self.workspace, task);
        }
        // A bug of a feature must not end the server.
        let answer = catch_unwind(AssertUnwindSafe(|| self.answer(&method, params)));
        let response = match answer {
            Ok(Ok(value)) => Response::new_ok(id, value),
            Ok(Err(Refused(code, reason))) => Response::new_err(id, code as i32, reason),
            Err(_) => {
                let reason = format!("the server failed on `{method}`");
                Response::new_err(id, ErrorCode::InternalError as i32, reason)
            }
        };
        self.send(response);
    }

    /// Returns the task of a request that takes time; `None` for other requests.
    fn task(&self, method: &str, params: &Value) -> Result<Option<Task>, Refused> {
        Ok(match method {
            "textDocument/codeLens" => {
                let params: CodeLensParams = parsed(params.clone())?;
                Some(Task::Lenses(Arc::clone(self.file(&params.text_document.uri)?)))
            }
            "workspace/executeCommand" => {
                let params: ExecuteCommandParams = parsed(params.clone())?;
                Some(Task::Command(
                    params.command,
                    params.arguments.unwrap_or_default(),
                ))
            }
            "herbrand/ask" => {
                let uri = params["uri"].as_str().unwrap_or_default();
                Some(Task::Ask(
                    Arc::clone(self.file(&Uri(uri.to_owned()))?),
                    params.clone(),
                ))
            }
            _ => None,
        })
    }

    fn file(&self, uri: &Uri) -> Result<&Arc<TextFile>, Refused> {
        let file = self.workspace.file(&uri::normal(&uri.0));
        file.ok_or_else(|| Refused(ErrorCode::InvalidParams, format!("{} is not open", uri.0)))
    }

    /// Returns the file and the byte of a position.
    fn place(&self, params: &TextDocumentPositionParams) -> Result<(&Arc<TextFile>, u32), Refused> {
        let file = self.file(&params.text_document.uri)?;
        Ok((file, file.offset(params.position)))
    }

    fn answer(&self, method: &str, params: Value) -> Answered {
        let workspace = &self.workspace;
        match method {
            "textDocument/hover" => {
                let params: HoverParams = parsed(params)?;
                let (file, offset) = self.place(&params.text_document_position_params)?;
                value(hover::hover(workspace, file, offset))
            }
            "textDocument/definition" => {
                let params: DefinitionParams = parsed(params)?;
                let (file, offset) = self.place(&params.text_document_position_params)?;
                value(navigation::definition(workspace, file, offset))
            }
            "textDocument/references" => {
                let params: ReferenceParams = parsed(params)?;
                let (file, offset) = self.place(&params.text_document_position_params)?;
                let with_declarations = params.context.include_declaration;
                value(navigation::references(workspace, file, offset, with_declarations))
            }
            "textDocument/documentHighlight" => {
                let params: DocumentHighlightParams = parsed(params)?;
                let (file, offset) = self.place(&params.text_document_position_params)?;
                value(navigation::highlights(workspace, file, offset))
            }
            "textDocument/prepareRename" => {
                let params: PrepareRenameParams = parsed(params)?;
                let (file, offset) = self.place(&params.text_document_position_params)?;
                let (range, placeholder) = rename::prepare(workspace, file, offset)?;
                value(json!({ "range": range, "placeholder": placeholder }))
            }
            "textDocument/rename" => {
                let params: RenameParams = parsed(params)?;
                let (file, offset) = self.place(&params.text_document_position_params)?;
                value(rename::rename(workspace, file, offset, &params.new_name)?)
            }
            "textDocument/completion" => {
                let params: CompletionParams = parsed(params)?;
                let (file, offset) = self.place(&params.text_document_position_params)?;
                value(completion::completion(workspace, file, offset))
            }
            "textDocument/signatureHelp" => {
                let params: SignatureHelpParams = parsed(params)?;
                let (file, offset) = self.place(&params.text_document_position_params)?;
                value(signature::signature(workspace, file, offset))
            }
            "textDocument/documentSymbol" => {
                let params: DocumentSymbolParams = parsed(params)?;
                value(symbols::outline(self.file(&params.text_document.uri)?))
            }
            "workspace/symbol" => {
                let params: WorkspaceSymbolParams = parsed(params)?;
                value(symbols::search(workspace, &params.query))
            }
            "textDocument/foldingRange" => {
                let params: FoldingRangeParams = parsed(params)?;
                value(folding::folding(self.file(&params.text_document.uri)?))
            }
            "textDocument/semanticTokens/full" => {
                let params: SemanticTokensParams = parsed(params)?;
                value(tokens::tokens(self.file(&params.text_document.uri)?, None))
            }
            "textDocument/semanticTokens/range" => {
                let params: SemanticTokensRangeParams = parsed(params)?;
                let file = self.file(&params.text_document.uri)?;
                value(tokens::tokens(file, Some(file.span(params.range))))
            }
            "textDocument/inlayHint" => {
                let params: InlayHintParams = parsed(params)?;
                let file = self.file(&params.text_document.uri)?;
                value(hints::hints(workspace, file, file.span(params.range)))
            }
            "textDocument/formatting" => {
                let params: DocumentFormattingParams = parsed(params)?;
                value(formatting::format(self.file(&params.text_document.uri)?, None)?)
            }
            "textDocument/rangeFormatting" => {
                let params: DocumentRangeFormattingParams = parsed(params)?;
                let file = self.file(&params.text_document.uri)?;
                let within = file.span(params.range);
                value(formatting::format(file, Some(within))?)
            }
            "textDocument/codeAction" => {
                let params: CodeActionParams = parsed(params)?;
                self.actions(&params)
            }
            "workspace/textDocumentContent" => {
                let params: TextDocumentContentParams = parsed(params)?;
                let code = params.uri.0.strip_prefix(SCHEME).unwrap_or_default();
                let text = explanation(code).ok_or_else(|| format!("there is no code `{code}`"))?;
                value(json!({ "text": text }))
            }
            _ => Err(Refused(
                ErrorCode::MethodNotFound,
                format!("there is no request `{method}`"),
            )),
        }
    }

    /// Returns the edits that mend the faults in a range. The findings of an older version do not fit the text, so the file is
    /// checked here if the other thread has not done so.
    fn actions(&self, params: &CodeActionParams) -> Answered {
        let file = self.file(&params.text_document.uri)?;
        let found = match self.checker.findings(file) {
            Some(found) => found,
            // Faults of settings have no edits.
            None if file.is_settings() => Arc::default(),
            None => {
                let budget = Budget::new(self.limits.check);
                let found = budget.enclose(|| check(&self.workspace, file, &budget));
                Arc::new(found.map_err(|exhausted| exhausted.to_string())?)
            }
        };
        let wanted = |kind: &CodeActionKind| {
            params
                .context
                .only
                .as_ref()
                .is_none_or(|only| only.iter().any(|one| one == kind || one.as_str().is_empty()))
        };
        if wanted(&CodeActionKind::QuickFix) {
            value(actions::actions(&found, params.range))
        } else {
            Ok(json!([]))
        }
    }
}

fn read<P: DeserializeOwned>(params: Value, act: impl FnOnce(P)) {
    if let Ok(params) = serde_json::from_value(params) {
        act(params);
    }
}

fn parsed<P: DeserializeOwned>(params: Value) -> Result<P, Refused> {
    serde_json::from_value(params).map_err(|error| Refused(ErrorCode::InvalidParams, error.to_string()))
}

fn value(answer: impl Serialize) -> Answered {
    serde_json::to_value(answer).map_err(|error| Refused(ErrorCode::InternalError, error.to_string()))
}
