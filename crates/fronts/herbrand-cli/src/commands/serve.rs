//! `herbrand serve`: a page on which problems are played, edited and looked into.

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytesize::ByteSize;
use clap::Args;
use herbrand::env::{ActionMode, Suite};
use herbrand::limits::Limits;
use herbrand::play::{DomainEntry, Language, Library, RequestLimits, Texts};
use herbrand::rddl::suite::RddlSuite;
use herbrand::tasks::AnyProblems;
use herbrand::tasks::open::Opener;
use herbrand_serve::{Bounds, PlayServer, StaticFile, static_files};
use serde::Serialize;

use crate::failure::{Failure, refuse};
use crate::files::write_files;
use crate::input;
use crate::interrupt::Interrupt;
use crate::limits::duration;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};

/// Serve a page to play, edit and inspect problems in a browser
///
/// The page offers all bundled domains. It draws the state; a click on an object takes the action on it. It also undoes
/// steps, gives hints, finds and shows plans, explains why an action is not valid, marks errors while you edit, shows the
/// ground task and the Datalog program, and saves walks as traces. Domains in folders that you name are in its menu too. They
/// are read once; the server then reads and writes no files. Only this machine can reach it unless you change --host.
///
/// With --static, writes the page and the engine as WebAssembly to a folder, for any file server; docs/how-to/serve.md explains
/// how to build it.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand serve
  herbrand serve lessons/robots lessons/ferry
  herbrand serve --port 0 --time 5s --memory 512MiB
  herbrand serve --static site --wasm target/wasm32-unknown-unknown/dist/herbrand_wasm.wasm")]
pub struct Serve {
    /// Folders with domains of your own, in PDDL or RDDL, for the menu of the page
    #[arg(value_name = "FOLDER", conflicts_with = "folder")]
    folders: Vec<PathBuf>,

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
fn host(text: &str) -> Result<IpAddr, &'static str> {
    if text.eq_ignore_ascii_case("localhost") {
        return Ok(IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
    text.parse()
        .map_err(|_| "an address is written in numbers, such as 127.0.0.1, or 0.0.0.0 for all addresses")
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
        if let (Some(folder), Some(wasm)) = (&self.folder, &self.wasm) {
            let files = static_files(wasm).map_err(Failure::of)?;
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
        let bounds = self.bounds();
        let library = library(&self.folders, bounds.allowance.limits)?;
        let server = PlayServer::bind(address, bounds)
            .map_err(unable)?
            .with_library(library);
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
        interrupt.serving(server.stopper(), || server.run())?;
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

/// Reads the domains in folders.
///
/// # Errors
/// Fails if one of them is not a folder, or has no domain with a problem, or a text is faulty.
fn library(folders: &[PathBuf], limits: Limits) -> Result<Library, Failure> {
    let opener = input::opener(ActionMode::Declared, limits);
    let mut domains = Vec::new();
    for folder in folders {
        if !folder.is_dir() {
            let name = folder.display();
            return refuse(format!("{name} is not a folder: name the folder of a domain"));
        }
        for problems in opener.named(&folder.to_string_lossy())? {
            domains.push(match problems {
                AnyProblems::Pddl(suite) => pddl(&suite, folder, &opener)?,
                AnyProblems::Rddl(suite) => rddl(&suite, folder, &opener)?,
                other @ AnyProblems::World(_) => {
                    return Err(other.unsupported("serve", "PDDL and RDDL").into());
                }
            });
        }
    }
    Ok(Library::new(domains))
}

fn pddl(suite: &Suite, folder: &Path, opener: &Opener<'_>) -> Result<(DomainEntry, Vec<Texts>), Failure> {
    let domain = suite
        .domain_source()
        .map_or_else(|| folder.join("domain.pddl"), |source| source.name().into());
    let settings = settings(&domain, opener)?;
    let texts = (0..suite.len()).map(|index| {
        Ok(Texts {
            domain: suite.domain_text(),
            problem: suite.problem_text(index)?,
            settings: settings.clone(),
        })
    });
    let entry = DomainEntry {
        name: suite.name().to_owned(),
        language: Some(Language::Pddl),
        description: suite.config().description.clone(),
        problems: (0..suite.len())
            .filter_map(|index| suite.full_problem_name(index))
            .collect(),
        is_own: true,
    };
    Ok((entry, texts.collect::<Result<_, Failure>>()?))
}

fn rddl(suite: &RddlSuite, folder: &Path, opener: &Opener<'_>) -> Result<(DomainEntry, Vec<Texts>), Failure> {
    let settings = settings(&folder.join("domain.rddl"), opener)?;
    let texts = (0..suite.len()).map(|index| {
        let instance = suite.instance(index)?;
        let domain = suite.domain();
        let is_alone = domain.origin.source() != instance.origin.source();
        Ok(Texts {
            // A file may also have the instances. The page plays one of them.
            domain: match domain.origin.source() {
                Some(source) if is_alone => source.text().to_owned(),
                _ => domain.to_rddl(),
            },
            problem: instance.to_rddl(),
            settings: settings.clone(),
        })
    });
    let entry = DomainEntry {
        name: suite.name().to_owned(),
        language: Some(Language::Rddl),
        description: suite.settings().description.clone(),
        problems: (0..suite.len())
            .filter_map(|index| suite.problem_name(index))
            .map(str::to_owned)
            .collect(),
        is_own: true,
    };
    Ok((entry, texts.collect::<Result<_, Failure>>()?))
}

/// Returns the text of the settings of a domain file; empty if it has none.
fn settings(domain: &Path, opener: &Opener<'_>) -> Result<String, Failure> {
    let settings = opener.settings(domain)?;
    Ok(settings.map_or_else(String::new, |settings| settings.text().to_owned()))
}

/// Writes the files of a page into a folder.
fn write_page(folder: &Path, files: &[StaticFile]) -> Result<(), Failure> {
    let files = files.iter().map(|file| (folder.join(file.name), &file.content));
    write_files(&files.collect::<Vec<_>>())
}
