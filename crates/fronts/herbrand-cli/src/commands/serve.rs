//! `herbrand serve`: a page on which problems are played, edited and looked into.

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use bytesize::ByteSize;
use clap::Args;
use herbrand::limits::Limits;
use herbrand::play::RequestLimits;
use herbrand_serve::{Bounds, PlayServer, StaticFile, static_files};
use serde::Serialize;

use crate::failure::Failure;
use crate::files::write_files;
use crate::interrupt::Interrupt;
use crate::limits::duration;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};

/// Serve a page to play, edit and inspect problems in a browser
///
/// The page offers all bundled domains. It draws the state; a click on an object takes the action on it. It also undoes
/// steps, gives hints, finds and shows plans, explains why an action is not valid, marks errors while you edit, shows the
/// ground task and the Datalog program, and saves walks as traces. The server reads and writes no files, and only this
/// machine can reach it unless you change --host.
///
/// With --static, writes the page and the engine as WebAssembly to a folder, for any file server; docs/how-to/serve.md explains
/// how to build it.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand serve
  herbrand serve --port 0 --time 5s --memory 512MiB
  herbrand serve --static site --wasm target/wasm32-unknown-unknown/release/herbrand_wasm.wasm")]
pub struct Serve {
    /// A file or folder, which the page opens itself
    #[arg(hide = true, value_name = "PATH")]
    path: Option<String>,

    /// The address to listen on; with any other than 127.0.0.1 and ::1, other machines can connect
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS", value_parser = host)]
    host: IpAddr,

    /// The port to listen on; 0 chooses a free port
    #[arg(long, default_value_t = 8040, value_name = "PORT")]
    port: u16,

    /// Memory limit per request, for compiling a problem or planning
    #[arg(long, default_value = "256MiB", value_name = "SIZE")]
    memory: ByteSize,

    /// Time limit per request
    #[arg(long, default_value = "10s", value_name = "SECONDS", value_parser = duration)]
    time: Duration,

    /// The number of long computations at once [default: the number of cores, at most 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    workers: Option<u16>,

    /// Write the page to this folder, and do not serve it
    #[arg(long = "static", value_name = "FOLDER", requires = "wasm")]
    folder: Option<PathBuf>,

    /// The WebAssembly file of the engine, for --static
    #[arg(long, value_name = "FILE", requires = "folder")]
    wasm: Option<PathBuf>,
}

/// Parses the address to listen on.
fn host(text: &str) -> Result<IpAddr, String> {
    if text.eq_ignore_ascii_case("localhost") {
        return Ok(IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
    text.parse().map_err(|_| {
        "an address is written in numbers, such as 127.0.0.1, or 0.0.0.0 for all addresses".to_owned()
    })
}

#[derive(Serialize)]
struct Listening {
    address: SocketAddr,
    url: String,
}

#[derive(Serialize)]
struct Written {
    folder: String,
    bytes: u64,
}

impl Serve {
    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        if let Some(path) = &self.path {
            return Err(Failure::Request(format!(
                "the server reads no files: run `herbrand serve`, and open the files of {path} with *Open files…* on the page"
            )));
        }
        if let (Some(folder), Some(wasm)) = (&self.folder, &self.wasm) {
            let files = static_files(wasm).map_err(|error| Failure::Request(error.to_string()))?;
            let bytes = files.iter().map(|file| file.content.len() as u64).sum();
            write_page(folder, &files)?;
            let folder = folder.display().to_string();
            match format {
                Format::Json => output::json(&Written { folder, bytes })?,
                Format::Text => writeln!(output::out(), "{folder}: {bytes} bytes")?,
            }
            return Ok(CommandOutcome::Yes);
        }
        let address = SocketAddr::new(self.host, self.port);
        let unable = |error: io::Error| {
            let reason = match error.kind() {
                io::ErrorKind::AddrInUse => {
                    "the port is in use: choose another one, or --port 0 for a free one".to_owned()
                }
                io::ErrorKind::PermissionDenied => {
                    "ports below 1024 may be reserved for the system: choose another --port".to_owned()
                }
                io::ErrorKind::AddrNotAvailable => "this machine does not have this address".to_owned(),
                _ => error.to_string(),
            };
            Failure::Request(format!("cannot listen on {address}: {reason}"))
        };
        let server = PlayServer::bind(address, self.bounds()).map_err(unable)?;
        let interrupt = Interrupt::watch_termination()?;
        let address = server.address()?;
        let url = format!("http://{address}/");
        let mut out = output::out();
        match format {
            Format::Json => output::json(&Listening { address, url })?,
            Format::Text => writeln!(out, "listening on {url}")?,
        }
        out.flush()?;
        if !self.host.is_loopback() {
            anstream::eprintln!("warning: other machines can connect to this server, without a password");
        }
        let stop = server.stopper();
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !interrupt.is_pressed() && !done.load(Ordering::Relaxed) {
                    thread::sleep(Duration::from_millis(50));
                }
                stop();
            });
            let served = server.run();
            done.store(true, Ordering::Relaxed);
            served
        })?;
        Ok(interrupt.answer())
    }

    fn bounds(&self) -> Bounds {
        let defaults = Bounds::default();
        Bounds {
            allowance: RequestLimits {
                limits: Limits {
                    bytes: Some(self.memory.as_u64()),
                    time: Some(self.time),
                },
                ..defaults.allowance
            },
            workers: self.workers.map_or(defaults.workers, usize::from),
            ..defaults
        }
    }
}

/// Writes the files of a page into a folder.
fn write_page(folder: &Path, files: &[StaticFile]) -> Result<(), Failure> {
    let files = files.iter().map(|file| (folder.join(file.name), &file.content));
    write_files(&files.collect::<Vec<_>>())
}
