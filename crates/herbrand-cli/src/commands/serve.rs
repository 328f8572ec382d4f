//! `herbrand serve`: a page on which problems are played, edited and looked into.

use std::ffi::OsStr;
use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use bytesize::ByteSize;
use clap::Args;
use herbrand::limits::Limits;
use herbrand::play::Allowance;
use herbrand_serve::{Bounds, Server, StaticFile, static_files};
use serde::Serialize;

use crate::Answer;
use crate::failure::Failure;
use crate::files::{Mark, write_file_in_folder};
use crate::interrupt::Interrupt;
use crate::limits::duration;
use crate::output::{self, Format};

/// Serve a page to play, edit and look inside problems in a browser
///
/// The page has all bundled domains. It draws the state, takes the action that you click (or that belongs to the object that you
/// click), undoes steps, gives hints, finds and plays plans, explains why an action cannot be taken, marks faults while you edit
/// the texts, shows the ground task and the Datalog program, and saves walks as traces. The server reads and writes no files. Only
/// this machine can reach it, unless --host names another address. With --static the page is written into a folder instead, with
/// the engine as WebAssembly, for any file server; docs/serve.md describes the build.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand serve
  herbrand serve --port 0 --time 5s --memory 512MiB
  herbrand serve --static site --wasm target/wasm32-unknown-unknown/release/herbrand_wasm.wasm")]
pub struct Serve {
    /// The address to listen at; others than 127.0.0.1 and ::1 let other machines in
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    host: IpAddr,

    /// The port to listen at; 0 is any that is free
    #[arg(long, default_value_t = 8040, value_name = "PORT")]
    port: u16,

    /// The memory that compiling a problem, or planning, may take for one request
    #[arg(long, default_value = "256MiB", value_name = "SIZE")]
    memory: ByteSize,

    /// The time that a request may take
    #[arg(long, default_value = "10s", value_name = "SECONDS", value_parser = duration)]
    time: Duration,

    /// How many long computations run at once [default: the number of cores, but at most 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    workers: Option<u16>,

    /// Write the page into this folder, and serve nothing
    #[arg(long = "static", value_name = "FOLDER", requires = "wasm")]
    folder: Option<PathBuf>,

    /// The engine for --static, as WebAssembly
    #[arg(long, value_name = "FILE", requires = "folder")]
    wasm: Option<PathBuf>,
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
    pub fn run(self, format: Format) -> Result<Answer, Failure> {
        if let (Some(folder), Some(wasm)) = (&self.folder, &self.wasm) {
            let files = static_files(wasm).map_err(|error| Failure::Request(error.to_string()))?;
            let bytes = files.iter().map(|file| file.content.len() as u64).sum();
            write_page(folder, &files)?;
            let folder = folder.display().to_string();
            match format {
                Format::Json => output::json(&Written { folder, bytes })?,
                Format::Text => writeln!(output::out(), "{folder}: {bytes} bytes")?,
            }
            return Ok(Answer::Yes);
        }
        let address = SocketAddr::new(self.host, self.port);
        let unable = |error: std::io::Error| Failure::Request(format!("cannot listen at {address}: {error}"));
        let server = Server::bind(address, self.bounds()).map_err(unable)?;
        let interrupt = Interrupt::watch()?;
        let address = server.address()?;
        let url = format!("http://{address}/");
        let mut out = output::out();
        match format {
            Format::Json => output::json(&Listening { address, url })?,
            Format::Text => writeln!(out, "listening at {url}")?,
        }
        out.flush()?;
        if !self.host.is_loopback() {
            anstream::eprintln!(
                "warning: other machines can reach this server, and nothing asks who they are"
            );
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
            allowance: Allowance {
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
    for file in files {
        let mark = match Path::new(file.name).extension().and_then(OsStr::to_str) {
            Some("wasm") => Mark::Wasm,
            Some("html") => Mark::Markup,
            _ => Mark::Code,
        };
        write_file_in_folder(&folder.join(file.name), &file.content, mark)?;
    }
    Ok(())
}
