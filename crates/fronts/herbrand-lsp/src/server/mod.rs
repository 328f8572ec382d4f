//! The loop of the server: messages in, answers out.

mod capabilities;
mod changes;
mod requests;

use std::time::Duration;

use gen_lsp_types::{InitializeParams, MessageType, PublishDiagnosticsParams, ShowMessageParams};
use herbrand_assist::Workspace;
use herbrand_limits::Limits;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use serde_json::json;

use crate::checker::Checker;
use crate::engine::Engine;
use crate::reach::Reach;
use capabilities::capabilities;

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

/// The error that the client left without shutting the server down. [`serve`] and [`serve_stdio`](crate::serve_stdio)
/// return it.
#[derive(Debug, thiserror::Error)]
#[error("the client left without `shutdown`")]
pub struct ServeError(());

/// Answers the messages of one client until it shuts the server down. [`Connection::memory`] makes a connection for tests.
///
/// Blocks meanwhile. A request that cannot be answered gets an error as its answer and does not end the server.
///
/// # Errors
/// Fails if the client leaves without shutting the server down.
pub fn serve(connection: &Connection, limits: ServerLimits) -> Result<(), ServeError> {
    let mut server: Option<Server<'_>> = None;
    let mut is_shut = false;
    for message in &connection.receiver {
        match (message, &mut server) {
            (Message::Notification(notification), _) if notification.method == "exit" => break,
            (Message::Request(request), _) if is_shut => {
                refuse(
                    connection,
                    request,
                    ErrorCode::InvalidRequest,
                    "the server is shut down",
                );
            }
            (Message::Request(request), Some(_)) if request.method == "initialize" => {
                refuse(
                    connection,
                    request,
                    ErrorCode::InvalidRequest,
                    "the server is initialised already",
                );
            }
            (Message::Request(request), Some(_)) if request.method == "shutdown" => {
                let _ = connection.sender.send(Response::new_ok(request.id, ()).into());
                is_shut = true;
            }
            (Message::Request(request), Some(server)) => server.request(request),
            (Message::Request(request), None) if request.method == "initialize" => {
                server = initialised(connection, limits, request);
            }
            (Message::Request(request), None) => {
                refuse(
                    connection,
                    request,
                    ErrorCode::ServerNotInitialized,
                    "send `initialize` first",
                );
            }
            (Message::Notification(notification), Some(server)) if !is_shut => server.notified(notification),
            (Message::Notification(_) | Message::Response(_), _) => {}
        }
    }
    if is_shut { Ok(()) } else { Err(ServeError(())) }
}

/// Starts the server that a client asks for; `None` if the parameters are malformed.
fn initialised(connection: &Connection, limits: ServerLimits, request: Request) -> Option<Server<'_>> {
    let params: InitializeParams = match serde_json::from_value(request.params.clone()) {
        Ok(params) => params,
        Err(error) => {
            refuse(connection, request, ErrorCode::InvalidParams, &error.to_string());
            return None;
        }
    };
    let info = json!({ "name": "herbrand", "version": env!("CARGO_PKG_VERSION") });
    let result = json!({ "capabilities": capabilities(), "serverInfo": info });
    let mut server = Server::new(connection, limits, &params);
    server.send(Response::new_ok(request.id, result));
    server.read_folders(&params);
    Some(server)
}

fn refuse(connection: &Connection, request: Request, code: ErrorCode, reason: &str) {
    // A client that has gone needs no answers.
    let _ = connection
        .sender
        .send(Response::new_err(request.id, code as i32, reason.to_owned()).into());
}

struct Server<'c> {
    connection: &'c Connection,
    workspace: Workspace,
    limits: ServerLimits,
    checker: Checker,
    reach: Reach,
    engine: Engine,
    /// Whether the client reports changes of files if it is asked to.
    can_watch: bool,
    /// Whether the client fills in the places of snippets.
    can_fill: bool,
}

impl<'c> Server<'c> {
    fn new(connection: &'c Connection, limits: ServerLimits, params: &InitializeParams) -> Self {
        let given = serde_json::to_value(&params.capabilities).unwrap_or_default();
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
            can_fill: given["textDocument"]["completion"]["completionItem"]["snippetSupport"] == json!(true),
            can_watch: given["workspace"]["didChangeWatchedFiles"]["dynamicRegistration"] == json!(true),
        }
    }

    fn send(&self, message: impl Into<Message>) {
        // A client that has gone needs no answers.
        let _ = self.connection.sender.send(message.into());
    }
}
