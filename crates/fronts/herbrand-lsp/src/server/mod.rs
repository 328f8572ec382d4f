//! The loop of the server: messages in, answers out.

mod capabilities;
mod changes;
mod requests;

use std::time::Duration;

use gen_lsp_types::{InitializeParams, MessageType, PublishDiagnosticsParams, ShowMessageParams};
use herbrand_assist::Workspace;
use herbrand_limits::Limits;
use lsp_server::{Connection, Message, Notification, ProtocolError};
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

struct Server<'c> {
    connection: &'c Connection,
    workspace: Workspace,
    limits: ServerLimits,
    checker: Checker,
    reach: Reach,
    engine: Engine,
}

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
}
