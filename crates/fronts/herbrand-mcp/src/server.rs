//! The tools as a server of the protocol.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use herbrand_limits::deep;
use herbrand_play::SessionLimits;
use herbrand_text::{did_you_mean, nearest};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult,
    ErrorCode, ErrorData, Implementation, ListToolsResult, PaginatedRequestParams, ServerCapabilities,
    ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, serve_server};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{Notify, Semaphore};

use crate::folders::Folders;
use crate::http;
use crate::lines::Lines;
use crate::listing::Listing;
use crate::tools::{ToolAnswer, Tools};
use crate::turns::Turn;

/// The options of an [`McpServer`]. By default the limits of [`SessionLimits::default`], no folders, and as many
/// workers as there are cores, at most 4.
#[derive(Clone, Debug)]
pub struct McpOptions {
    /// The limits of sessions and of each call.
    pub limits: SessionLimits,
    /// The folders in which tools may read and write files.
    pub folders: Folders,
    /// The number of calls that are computed at once; 0 counts as 1. Further calls wait.
    pub workers: usize,
}

impl Default for McpOptions {
    /// Returns the default limits, no folders, and as many workers as there are cores, at most 4.
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            limits: SessionLimits::default(),
            folders: Folders::default(),
            workers: cores.min(4),
        }
    }
}

/// A server of the Model Context Protocol with the [`Tools`]. [`serve_stdio`](Self::serve_stdio) serves standard input and
/// output, and [`serve_http`](Self::serve_http) a local address. Clones share the sessions.
#[derive(Clone)]
pub struct McpServer {
    tools: Arc<Tools>,
    places: Arc<Semaphore>,
    stop: Arc<Notify>,
}

impl McpServer {
    /// Creates a server without sessions. Call [`serve_stdio`](Self::serve_stdio) or [`serve_http`](Self::serve_http)
    /// next.
    #[must_use]
    pub fn new(options: McpOptions) -> Self {
        Self {
            tools: Arc::new(Tools::new(options.limits, options.folders)),
            places: Arc::new(Semaphore::new(options.workers.max(1))),
            stop: Arc::default(),
        }
    }

    /// Returns the tools with their sessions.
    #[must_use]
    pub fn tools(&self) -> &Tools {
        &self.tools
    }

    /// Returns a function that makes the server return. It may be called from any thread, and before the server runs.
    pub fn stopper(&self) -> impl Fn() + Send + Sync + use<> {
        let stop = Arc::clone(&self.stop);
        move || stop.notify_one()
    }

    /// Serves standard input and output until the input ends or the server is stopped. Blocks meanwhile.
    ///
    /// # Errors
    /// Fails if threads cannot be started.
    pub fn serve_stdio(&self) -> io::Result<()> {
        let runtime = runtime()?;
        runtime.block_on(async {
            let (read, write) = rmcp::transport::stdio();
            tokio::select! {
                () = self.serve_streams(read, write) => {}
                () = self.stop.notified() => {}
            }
        });
        // A pending read of standard input cannot be cancelled.
        runtime.shutdown_background();
        Ok(())
    }

    /// Serves one client until its input ends. Messages are lines of JSON. A line that cannot be read is answered with an
    /// error, and so is a request before `initialize`. Calls of the same session are carried out in the order of their lines.
    pub async fn serve_streams<R, W>(&self, read: R, write: W)
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        // Clients that do not speak the protocol, or leave, end their own service only.
        if let Ok(running) = serve_server(self.clone(), Lines::new(read, write)).await {
            let _ = running.waiting().await;
        }
    }

    /// Binds a local address for [`serve_http`](Self::serve_http); port 0 selects a free port, which the listener's
    /// `local_addr` returns.
    ///
    /// # Errors
    /// Fails if the address cannot be bound, or if other machines can reach it.
    pub fn bind(address: SocketAddr) -> io::Result<TcpListener> {
        if !address.ip().is_loopback() {
            let message = "the server has no passwords: use 127.0.0.1 or ::1";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        Ok(listener)
    }

    /// Serves streamable HTTP at `/mcp` of an address from [`bind`](Self::bind), until the server is stopped. Blocks
    /// meanwhile. A client keeps its sessions by their names, not by its connection.
    ///
    /// # Errors
    /// Fails if threads cannot be started, or if the listener cannot be used.
    pub fn serve_http(&self, listener: TcpListener) -> io::Result<()> {
        let runtime = runtime()?;
        let served = runtime.block_on(async {
            tokio::select! {
                served = http::serve(self.clone(), listener) => served,
                () = self.stop.notified() => Ok(()),
            }
        });
        runtime.shutdown_background();
        served
    }

    async fn answered(
        &self,
        request: CallToolRequestParams,
        mut turn: Option<Turn>,
    ) -> Result<CallToolResponse, ErrorData> {
        let internal = || ErrorData::internal_error("the call failed", None);
        // Before the place: a call that waits for another one must not take its place.
        if let Some(turn) = &mut turn {
            turn.come().await;
        }
        let place = Arc::clone(&self.places)
            .acquire_owned()
            .await
            .map_err(|_| internal())?;
        let tools = Arc::clone(&self.tools);
        let (name, arguments) = (request.name, request.arguments.unwrap_or_default());
        let called = tokio::task::spawn_blocking(move || {
            let answer = deep(|| tools.call(&name, arguments));
            drop((place, turn));
            answer.ok_or_else(|| {
                let shown: String = name.chars().take(80).collect();
                let meant = did_you_mean(nearest(&shown, Listing::all().map(|tool| tool.name)));
                ErrorData::invalid_params(format!("there is no tool `{shown}`{meant}"), None)
            })
        });
        Ok(result(called.await.map_err(|_| internal())??).into())
    }
}

fn result(answer: ToolAnswer) -> CallToolResult {
    let content = vec![ContentBlock::text(answer.text)];
    let mut result = if answer.is_refused {
        CallToolResult::error(content)
    } else {
        CallToolResult::success(content)
    };
    result.structured_content = Some(answer.data);
    result
}

fn runtime() -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("herbrand-mcp")
        .enable_all()
        .build()
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        let tools = ServerCapabilities::builder().enable_tools().build();
        let server = Implementation::new("herbrand", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(tools).with_server_info(server).with_instructions(
            "Planning problems in PDDL and RDDL. Call `domains` to see bundled ones, `open` to open one as a session, then \
             `actions` and `step` with the session's name. Actions are written as sentences, in PDDL, or by number.",
        )
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = Listing::all().map(|listing| {
            let annotations = ToolAnnotations::new()
                .read_only(listing.is_read_only)
                .destructive(false)
                .open_world(false);
            Tool::new(listing.name, listing.description, Arc::new(listing.schema()))
                .with_annotations(annotations)
        });
        Ok(ListToolsResult {
            tools: tools.collect(),
            ..ListToolsResult::default()
        })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        mut context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.answered(request, context.extensions.remove()).await
    }

    /// Answers requests whose method or parameters are not those of the protocol.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = &request.method;
        Err(match method.as_str() {
            "tools/call" => {
                let message = "`tools/call` needs `name`, the name of a tool, and `arguments`, an object such as \
                               {\"domain\": \"blocks\"}";
                ErrorData::invalid_params(message, None)
            }
            "initialize" | "ping" | "tools/list" => {
                ErrorData::invalid_params(format!("`{method}` has wrong parameters"), None)
            }
            _ => {
                let shown: String = method.chars().take(80).collect();
                let message = format!("there is no method `{shown}`: use `tools/list` and `tools/call`");
                ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None)
            }
        })
    }
}
