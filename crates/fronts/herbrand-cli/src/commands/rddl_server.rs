//! `herbrand rddl-server`: serves RDDL problems to planners in other programs.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use bytesize::ByteSize;
use clap::Args;
use herbrand::rddl::server::{self, Server, ServerOptions, SessionEnd, SessionEvent, SessionSummary};
use herbrand::rddl::suite::RddlSuite;
use serde::Serialize;

use crate::failure::{Failure, refuse};
use crate::input::{self, FileKind};
use crate::interrupt::Interrupt;
use crate::limits::{MemoryArgs, duration};
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};
use crate::preconditions::PreconditionArgs;
use herbrand::env::ActionMode;
use herbrand::tasks::AnyProblems;
use herbrand::tasks::open::is_domain;

/// Serve RDDL problems over TCP, with the RDDLSim protocol
///
/// A client requests an instance by the name of its file, by its declared name or by its number; the names `instance` and
/// that of the domain mean the first instance. A round has as many steps as the instance's horizon.
/// The server answers malformed messages with an error. It prints a line for each client that connects, for each round and for
/// each session that ends (with --format json only the last); Ctrl-C stops it after the running sessions end.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand rddl-server rddl/wildfire-mdp
  herbrand rddl-server domain.rddl instance.rddl --port 2323 --rounds 10
  herbrand rddl-server rddl/elevators --sessions 1 --format json")]
pub struct RddlServer {
    /// A bundled environment, a folder, or files that define one domain and its instances
    #[arg(required = true, value_name = "NAME|PATH")]
    problems: Vec<String>,

    #[command(flatten)]
    preconditions: PreconditionArgs,

    /// The address to listen on
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    host: String,

    /// The port to listen on; 0 chooses a free port
    #[arg(long, default_value_t = 2323, value_name = "PORT")]
    port: u16,

    /// The number of rounds per session
    #[arg(long, default_value_t = 30, value_name = "N")]
    rounds: u32,

    /// Time limit per session
    #[arg(long, default_value = "1h", value_name = "SECONDS", value_parser = duration)]
    time: Duration,

    #[command(flatten)]
    memory: MemoryArgs,

    /// How long a client may take for a message
    #[arg(long, default_value = "1m", value_name = "SECONDS", value_parser = duration)]
    patience: Duration,

    /// Maximum size of a message
    #[arg(long, default_value = "1MiB", value_name = "SIZE")]
    message: ByteSize,

    /// Stop after this number of sessions
    #[arg(long, value_name = "N")]
    sessions: Option<usize>,

    /// The random seed of the first session; each further session adds 1
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,
}

/// A summary of a session.
#[derive(Serialize)]
struct Session {
    client: String,
    instance: String,
    rounds: u32,
    reward: f64,
    faults: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<String>,
}

impl RddlServer {
    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let suite = self.suite()?.with_preconditions(self.preconditions.effect());
        server::check(&suite)?;
        let options = ServerOptions {
            rounds: self.rounds,
            time: self.time,
            patience: self.patience.max(Duration::from_millis(1)),
            message_bytes: usize::try_from(self.message.as_u64()).unwrap_or(usize::MAX),
            seed: self.seed,
            ..ServerOptions::default()
        };
        let unable = |error: std::io::Error| {
            Failure::told(format!("cannot listen on {}:{}", self.host, self.port), error)
        };
        let server = Server::bind(suite, (self.host.as_str(), self.port), options).map_err(unable)?;
        let interrupt = Interrupt::watch_termination()?;
        let address = server.address()?;
        if format == Format::Text {
            writeln!(output::out(), "listening on {address}")?;
        }
        let failed = std::sync::Mutex::new(None);
        server.run_until(self.sessions, interrupt.flag(), &|event| {
            let told = match (format, event) {
                (_, SessionEvent::Ended(summary)) => tell(summary, format),
                (Format::Text, event) => self.log(event),
                (Format::Json, _) => Ok(()),
            };
            if let Err(error) = told
                && let Ok(mut failed) = failed.lock()
            {
                *failed = Some(error);
            }
        })?;
        match failed.into_inner() {
            Ok(Some(error)) => Err(error.into()),
            _ => Ok(interrupt.answer()),
        }
    }

    /// Prints a line about a running session.
    fn log(&self, event: &SessionEvent<'_>) -> std::io::Result<()> {
        let mut out = output::out();
        match event {
            SessionEvent::Connected(client) => writeln!(out, "{client}: connected")?,
            SessionEvent::Began(session) => {
                let address = session
                    .client
                    .map_or_else(String::new, |client| format!(" from {client}"));
                writeln!(
                    out,
                    "{:?}{address}: instance {}, {}",
                    session.name,
                    session.instance,
                    output::counted(self.rounds.into(), "round")
                )?;
            }
            SessionEvent::Round {
                session,
                reward,
                steps,
            } => writeln!(
                out,
                "{:?}: round {} of {}: {}, reward {}",
                session.name,
                session.rounds,
                self.rounds,
                output::counted((*steps).into(), "step"),
                output::reward(*reward)
            )?,
            SessionEvent::Ended(_) => {}
        }
        out.flush()
    }

    fn suite(&self) -> Result<RddlSuite, Failure> {
        let limits = self.memory.limits();
        if let [name] = &self.problems[..]
            && !PathBuf::from(name).is_file()
        {
            let mut named = input::opener(ActionMode::Operators, limits).named(name)?;
            return match (named.pop(), named.is_empty()) {
                (Some(AnyProblems::Rddl(suite)), true) => Ok(suite),
                _ => refuse(format!("`{name}` is not a single RDDL environment")),
            };
        }
        let is_set = |word: &&String| {
            let path = PathBuf::from(word.as_str());
            path.is_dir() || !FileKind::is_file(word) && is_domain(word)
        };
        if let Some(set) = self.problems.iter().find(is_set) {
            return refuse(format!(
                "`{set}` is a folder or a bundled environment: name it alone, or name only files"
            ));
        }
        let sources = self
            .problems
            .iter()
            .map(|path| input::read_within(path.as_ref(), limits));
        let sources = sources.collect::<Result<Vec<_>, _>>()?;
        Ok(RddlSuite::from_sources_within(&sources, limits)?)
    }
}

/// Prints the summary of a session.
fn tell(summary: &SessionSummary, format: Format) -> std::io::Result<()> {
    let address = summary
        .client
        .map_or_else(String::new, |client| client.to_string());
    let broken = match &summary.end {
        SessionEnd::Finished => None,
        SessionEnd::Broken(reason) => Some(reason.clone()),
    };
    let session = Session {
        client: if summary.name.is_empty() {
            address
        } else {
            summary.name.clone()
        },
        instance: summary.instance.clone(),
        rounds: summary.rounds,
        reward: summary.reward,
        faults: summary.faults,
        broken,
    };
    let mut out = output::out();
    match format {
        Format::Json => {
            serde_json::to_writer(&mut out, &session)?;
            writeln!(out)?;
        }
        Format::Text => {
            let Session {
                client,
                instance,
                rounds,
                reward,
                ..
            } = &session;
            // The client chooses its own name, so it is printed escaped.
            write!(out, "{client:?}: ")?;
            if !instance.is_empty() {
                write!(out, "instance {instance}, ")?;
            }
            write!(
                out,
                "{}, total reward {}",
                output::counted((*rounds).into(), "round"),
                output::reward(*reward)
            )?;
            if *rounds > 1 {
                write!(
                    out,
                    ", mean {} per round",
                    output::fixed(*reward / f64::from(*rounds), 3)
                )?;
            }
            match &session.broken {
                None => writeln!(out)?,
                Some(reason) => writeln!(out, "; {reason}")?,
            }
        }
    }
    out.flush()
}
