//! `herbrand mcp`: problems for language models, over the Model Context Protocol.

use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use bytesize::ByteSize;
use clap::Args;
use herbrand::limits::Limits;
use herbrand::play::{RequestLimits, SessionLimits};
use herbrand_mcp::{Folders, McpOptions, McpServer};

use crate::failure::{Failure, refuse};
use crate::interrupt::Interrupt;
use crate::limits::duration;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};

/// Serve problems to language models over the Model Context Protocol
///
/// A client starts this command and talks to it on standard input and output, or, with --http, connects to a local address.
/// Its tools open problems, show states as sentences, take steps written as text, explain, plan, check plans, edit and draw.
/// docs/how-to/agents-that-talk.md describes them.
///
/// No tool reads or writes files outside the folders named by --folder, and no file is overwritten.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand mcp
  herbrand mcp --folder problems --sessions 10 --time 5s
  herbrand mcp --http --port 8041")]
pub struct Mcp {
    /// Serve streamable HTTP on 127.0.0.1, and not standard input and output
    #[arg(long)]
    http: bool,

    /// The port for --http; 0 chooses a free port
    #[arg(long, default_value_t = 8041, value_name = "PORT", requires = "http")]
    port: u16,

    /// A folder in which tools may read files and write new ones; may be given several times
    #[arg(long = "folder", value_name = "FOLDER")]
    folders: Vec<PathBuf>,

    /// The maximum number of sessions
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    sessions: u32,

    /// Memory limit of all sessions together
    #[arg(long, default_value = "1GiB", value_name = "SIZE")]
    memory: ByteSize,

    /// Time limit per call
    #[arg(long, default_value = "10s", value_name = "SECONDS", value_parser = duration)]
    time: Duration,
}

impl Mcp {
    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let limits = SessionLimits {
            allowance: RequestLimits {
                limits: Limits {
                    time: Some(self.time),
                    ..RequestLimits::default().limits
                },
                ..RequestLimits::default()
            },
            sessions: self.sessions as usize,
            bytes: self.memory.as_u64(),
            ..SessionLimits::default()
        };
        for folder in &self.folders {
            if !folder.is_dir() {
                return refuse(format!("--folder {}: there is no such folder", folder.display()));
            }
        }
        let server = McpServer::new(McpOptions {
            limits,
            folders: Folders::new(&self.folders)?,
            ..McpOptions::default()
        });
        let listener = if self.http {
            let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
            let unable = |error| Failure::told(format!("cannot listen on {address}"), error);
            let listener = McpServer::bind(address).map_err(unable)?;
            let url = format!("http://{}/mcp", listener.local_addr()?);
            let mut out = output::out();
            match format {
                Format::Json => output::json(&serde_json::json!({"url": url}))?,
                Format::Text => writeln!(out, "listening on {url}")?,
            }
            out.flush()?;
            Some(listener)
        } else {
            None
        };
        let interrupt = Interrupt::watch()?;
        interrupt.serving(server.stopper(), || match listener {
            Some(listener) => server.serve_http(listener),
            None => server.serve_stdio(),
        })?;
        Ok(interrupt.answer())
    }
}
