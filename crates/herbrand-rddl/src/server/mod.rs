//! The protocol of RDDLSim (Sanner 2010) over TCP: planners in other programs step the problems of a suite.
//!
//! Messages are short XML texts, each ended by three line feeds, as pyRDDLGym has it, or by a zero byte, as RDDLSim has it; a
//! session answers in the way of its first message.
//!
//! ```text
//!   client                                   server
//!   session-request  ──────────────────────▶
//!                    ◀──────────────────────  session-init: the problem, rounds, time
//!   round-request    ──────────────────────▶
//!                    ◀──────────────────────  round-init, and turn: what is observed
//!   actions          ──────────────────────▶
//!                    ◀──────────────────────  turn: observation and reward; or round-end
//!        …                                        …
//!                    ◀──────────────────────  session-end, after the last round
//! ```
//!
//! A round has as many steps as the horizon says, unless a termination condition ends it. What a client sends is not
//! trusted: a message that is not what the protocol asks for is answered with an `error`, which says why, and changes
//! nothing; too many of them, one that is too long, and one that takes too long end the session. No session disturbs
//! another.

mod message;
mod session;
mod xml;

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

pub use session::{SessionEnd, SessionSummary};

use crate::suite::{RddlError, RddlSuite};
use session::Session;

/// What a server allows, and how it runs.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// How many rounds a session has.
    pub rounds: u32,
    /// How long a session may take.
    pub time: Duration,
    /// How long a client may take for one message.
    pub patience: Duration,
    /// The most bytes of a message.
    pub message_bytes: usize,
    /// How many messages of a session may be at fault before it ends.
    pub faults: u32,
    /// How many sessions there are at once; who comes in addition is told so.
    pub sessions: usize,
    /// Session `n`, from 0, makes its draws with this seed plus `n`.
    pub seed: u64,
}

impl Default for ServerOptions {
    /// 30 rounds within an hour, a minute and a mebibyte for a message, 16 faults, 16 sessions.
    fn default() -> Self {
        Self {
            rounds: 30,
            time: Duration::from_secs(3600),
            patience: Duration::from_secs(60),
            message_bytes: 1 << 20,
            faults: 16,
            sessions: 16,
            seed: 0,
        }
    }
}

/// A server of the problems of a suite.
///
/// ```no_run
/// use herbrand_rddl::server::{Server, ServerOptions};
/// use herbrand_rddl::suite::RddlSuite;
///
/// let suite = RddlSuite::bundled("rddl/wildfire-mdp")?;
/// let server = Server::bind(suite, "127.0.0.1:2323", ServerOptions::default())?;
/// server.run(None, &|end| println!("{end:?}"))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Server {
    suite: RddlSuite,
    listener: TcpListener,
    options: ServerOptions,
    stop: Arc<AtomicBool>,
}

/// How often a server that waits for clients looks whether it is to stop.
const GLANCE: Duration = Duration::from_millis(20);

impl Server {
    /// Listens at an address; port 0 is any that is free.
    ///
    /// # Errors
    /// When it cannot listen there.
    pub fn bind(suite: RddlSuite, address: impl ToSocketAddrs, options: ServerOptions) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        Ok(Self {
            suite,
            listener,
            options,
            stop: Arc::default(),
        })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// When the system does not know.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Once this is set, [`run`](Self::run) takes no more clients, and returns when the sessions have ended.
    #[must_use]
    pub fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Serves clients, each on a thread of its own, until [`stop`](Self::stop) is called, or this many sessions have begun.
    /// `ended` is told of each session that ends.
    ///
    /// # Errors
    /// When the system takes no more connections.
    pub fn run(&self, sessions: Option<usize>, ended: &(impl Fn(&SessionSummary) + Sync)) -> io::Result<()> {
        self.run_until(sessions, &self.stop, ended)
    }

    /// As [`run`](Self::run), until another flag is set.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_until(
        &self,
        sessions: Option<usize>,
        stop: &AtomicBool,
        ended: &(impl Fn(&SessionSummary) + Sync),
    ) -> io::Result<()> {
        let busy = AtomicUsize::new(0);
        let mut begun = 0;
        thread::scope(|scope| {
            while !stop.load(Ordering::Relaxed) && sessions.is_none_or(|most| begun < most) {
                let (stream, client) = match self.listener.accept() {
                    Ok(accepted) => accepted,
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                        thread::sleep(GLANCE);
                        continue;
                    }
                    // A client that has gone again, or a signal.
                    Err(error) if is_passing(&error) => continue,
                    Err(error) => return Err(error),
                };
                let number = begun;
                begun += 1;
                let is_full = busy.fetch_add(1, Ordering::Relaxed) >= self.options.sessions;
                let busy = &busy;
                scope.spawn(move || {
                    let summary = if is_full {
                        session::turn_away(&stream, &self.options)
                    } else {
                        self.serve(&stream, number, stop)
                    };
                    busy.fetch_sub(1, Ordering::Relaxed);
                    ended(&SessionSummary {
                        client: Some(client),
                        ..summary
                    });
                });
            }
            Ok(())
        })
    }

    fn serve(&self, stream: &TcpStream, number: usize, stop: &AtomicBool) -> SessionSummary {
        // On some systems a connection is as its listener.
        if let Err(error) = stream.set_nonblocking(false) {
            return SessionSummary::lost(&error);
        }
        let _ = stream.set_nodelay(true);
        let seed = self.options.seed.wrapping_add(number as u64);
        Session::new(stream, &self.suite, &self.options, number, seed).run(stop)
    }
}

fn is_passing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::Interrupted | io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset
    )
}

/// Checks that every problem of a suite compiles, so that no session is the first to find out.
///
/// # Errors
/// The first that does not.
pub fn check(suite: &RddlSuite) -> Result<(), RddlError> {
    (0..suite.len()).try_for_each(|index| suite.process(index).map(|_| ()))
}
