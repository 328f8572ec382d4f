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
//! nothing; too many of them, one that is too long, and one that takes too long to arrive end the session. A message with a document
//! type, namespaces, deep nesting or many attributes is refused before it is parsed, and a step that takes too long is an error.
//! No session disturbs another, and a server that has no descriptors or threads left waits until it has some.

mod message;
mod session;
mod xml;

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
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
    /// How long the server may compute for one message.
    pub computing: Duration,
    /// The most bytes of a message.
    pub message_bytes: usize,
    /// How many messages of a session may be at fault before it ends.
    pub faults: u32,
    /// How many sessions there are at once; a client that finds no place within a second gets an error.
    pub sessions: usize,
    /// Session `n`, from 0, makes its draws with this seed plus `n`.
    pub seed: u64,
}

impl Default for ServerOptions {
    /// 30 rounds within an hour, a minute and a mebibyte for a message, ten seconds to compute, 16 faults, 16 sessions.
    fn default() -> Self {
        Self {
            rounds: 30,
            time: Duration::from_secs(3600),
            patience: Duration::from_secs(60),
            computing: Duration::from_secs(10),
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

/// How many clients wait at once for the place of a session; others wait to be accepted.
const WAITING: usize = 16;

/// How long a client waits for the place of a session before it gets an error.
const QUEUE: Duration = Duration::from_secs(1);

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
    /// When the listener is shut down.
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
        let connected = AtomicUsize::new(0);
        let most = self.options.sessions.saturating_add(WAITING);
        let places = Places::new(self.options.sessions);
        let mut begun = 0;
        thread::scope(|scope| {
            while !stop.load(Ordering::Relaxed) && sessions.is_none_or(|most| begun < most) {
                if connected.load(Ordering::Relaxed) >= most {
                    thread::sleep(GLANCE);
                    continue;
                }
                let (stream, client) = match self.listener.accept() {
                    Ok(accepted) => accepted,
                    Err(error) if error.kind() == io::ErrorKind::InvalidInput => return Err(error),
                    // There is no client, or it has gone again, or there is no descriptor for it: a moment later there may be.
                    Err(_) => {
                        thread::sleep(GLANCE);
                        continue;
                    }
                };
                connected.fetch_add(1, Ordering::Relaxed);
                let (leave, places, number) = (Leave(&connected), &places, begun);
                let session = move || {
                    let _leave = leave;
                    let summary = match places.take(QUEUE) {
                        Some(_place) => self.serve(&stream, number, stop),
                        None => session::turn_away(&stream, &self.options),
                    };
                    ended(&SessionSummary {
                        client: Some(client),
                        ..summary
                    });
                };
                match thread::Builder::new().spawn_scoped(scope, session) {
                    Ok(_) => begun += 1,
                    // The client is disconnected.
                    Err(_) => thread::sleep(GLANCE),
                }
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

/// The places of sessions that run at once.
struct Places {
    free: Mutex<usize>,
    freed: Condvar,
}

/// A place, given back when it is dropped.
struct Place<'p>(&'p Places);

impl Places {
    const fn new(count: usize) -> Self {
        Self {
            free: Mutex::new(count),
            freed: Condvar::new(),
        }
    }

    /// Waits for a free place.
    fn take(&self, patience: Duration) -> Option<Place<'_>> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.freed.wait_timeout_while(free, patience, |free| *free == 0);
        let (mut free, _) = waited.unwrap_or_else(PoisonError::into_inner);
        *free = free.checked_sub(1)?;
        Some(Place(self))
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.freed.notify_one();
    }
}

/// Counts a client down when it is served.
struct Leave<'c>(&'c AtomicUsize);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Checks that every problem of a suite compiles, so that no session is the first to find out.
///
/// # Errors
/// The first that does not.
pub fn check(suite: &RddlSuite) -> Result<(), RddlError> {
    (0..suite.len()).try_for_each(|index| suite.process(index).map(|_| ()))
}
