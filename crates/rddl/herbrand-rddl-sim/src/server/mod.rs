//! A server for the protocol of RDDLSim (Sanner 2010) over TCP, with which planners in other programs step the problems
//! of a suite.
//!
//! Messages are short XML texts. Each ends with three line feeds, as in pyRDDLGym, or with a zero byte, as in RDDLSim. A
//! session answers with the terminator of the latest message that it received.
//!
//! ```text
//!   client                                   server
//!   session-request  ──────────────────────▶
//!                    ◀──────────────────────  session-init: the problem, rounds, time
//!   round-request    ──────────────────────▶
//!                    ◀──────────────────────  round-init, and turn: observation
//!   actions          ──────────────────────▶
//!                    ◀──────────────────────  turn: observation and reward; or round-end
//!        …                                        …
//!                    ◀──────────────────────  session-end, after the last round
//! ```
//!
//! A round has as many steps as the horizon, unless a termination condition ends it.
//!
//! Clients are not trusted. A message that violates the protocol is answered with an `error` that states the reason, and
//! changes nothing. Too many such messages, a message that is too long, or a message that takes too long to arrive end the
//! session. A message with a document type, namespaces, deep nesting or many attributes is rejected before it is parsed. A
//! step that takes too long is an error. Sessions do not affect each other. A server without free descriptors or threads
//! waits for some.

mod message;
mod session;
mod xml;

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

pub use session::{SessionEnd, SessionEvent, SessionSummary};

use crate::suite::{RddlError, RddlSuite};
use session::Session;

/// The options and limits of a server, which [`Server::bind`] takes. By default, a session has 30 rounds and an hour; a
/// message has a minute, ten seconds of computing and a mebibyte. A session tolerates 16 invalid messages, 16 sessions
/// run at once, and the seed is 0.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// The number of rounds per session. With 0, a session ends right after it began.
    pub rounds: u32,
    /// The time limit of a session, counted from the connection of the client.
    pub time: Duration,
    /// The time limit for a client to send one message, or to read one. A session that exceeds it ends.
    pub patience: Duration,
    /// The time limit for the server to compute the answer to one message. A message that exceeds it is answered with an
    /// error and counts as invalid.
    pub computing: Duration,
    /// The maximum number of bytes per message. A longer message ends the session.
    pub message_bytes: usize,
    /// The number of invalid messages that a session tolerates. The next one ends it.
    pub faults: u32,
    /// The maximum number of concurrent sessions. A client that waits longer than a second for a free session gets an
    /// error.
    pub sessions: usize,
    /// The base seed. Session `n`, from 0, uses this seed plus `n`. Clients that were turned away are counted too.
    pub seed: u64,
}

impl Default for ServerOptions {
    /// 30 rounds within an hour, a minute and a mebibyte per message, ten seconds to compute, 16 faults, 16 sessions.
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

/// A TCP server that speaks the protocol of RDDLSim for the problems of a suite. [`bind`](Self::bind) creates one, and
/// [`run`](Self::run) serves clients.
///
/// ```no_run
/// use herbrand_rddl_sim::server::{Server, ServerOptions};
/// use herbrand_rddl_sim::suite::RddlSuite;
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

/// The interval at which a waiting server checks whether it should stop.
const GLANCE: Duration = Duration::from_millis(20);

/// The maximum number of clients that wait for a session. Further clients wait to be accepted.
const WAITING: usize = 16;

/// The time that a client waits for a session before it gets an error.
const QUEUE: Duration = Duration::from_secs(1);

impl Server {
    /// Creates a server that listens at an address. Port 0 means any free port; [`address`](Self::address) returns it.
    /// [`run`](Self::run) serves clients.
    ///
    /// # Errors
    /// Fails if listening at the address fails, for example because another program listens there.
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

    /// Returns the address at which the server listens.
    ///
    /// # Errors
    /// Fails if the operating system cannot report it.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Returns a flag that stops the server: set it to `true`, from any thread. Then [`run`](Self::run) accepts no more
    /// clients and returns when all sessions have ended. A session ends before its next round. The flag stays set, so a
    /// later `run` returns at once.
    #[must_use]
    pub fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Serves clients, each on its own thread, until the flag of [`stop`](Self::stop) is set or `sessions` sessions
    /// have begun. `None` means no limit on sessions. Calls `ended` for each session that ends. A client that is turned
    /// away because too many play counts as a session too. `ended` is called on the threads of the sessions.
    ///
    /// # Errors
    /// Fails if the listener is shut down.
    pub fn run(&self, sessions: Option<usize>, ended: &(impl Fn(&SessionSummary) + Sync)) -> io::Result<()> {
        self.run_until(sessions, &self.stop, &|event| {
            if let SessionEvent::Ended(summary) = event {
                ended(summary);
            }
        })
    }

    /// Like [`run`](Self::run), but stops when `stop` is set, not when the flag of [`stop`](Self::stop) is, and calls
    /// `told` for everything that happens in the sessions, on their threads.
    ///
    /// # Errors
    /// Fails like [`run`](Self::run).
    pub fn run_until(
        &self,
        sessions: Option<usize>,
        stop: &AtomicBool,
        told: &(impl Fn(&SessionEvent<'_>) + Sync),
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
                    // No client is waiting, or it has disconnected, or there is no free descriptor. Try again shortly.
                    Err(_) => {
                        thread::sleep(GLANCE);
                        continue;
                    }
                };
                connected.fetch_add(1, Ordering::Relaxed);
                let (leave, places, number) = (ConnectedClient(&connected), &places, begun);
                let session = move || {
                    let _leave = leave;
                    told(&SessionEvent::Connected(client));
                    let mut summary = match places.take(QUEUE) {
                        Some(_place) => self.serve((&stream, client), number, stop, told),
                        None => session::turn_away(&stream, &self.options),
                    };
                    summary.client = Some(client);
                    told(&SessionEvent::Ended(&summary));
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

    fn serve(
        &self,
        (stream, client): (&TcpStream, SocketAddr),
        number: usize,
        stop: &AtomicBool,
        told: &dyn Fn(&SessionEvent<'_>),
    ) -> SessionSummary {
        // On some systems a connection inherits the listener's non-blocking mode.
        if let Err(error) = stream.set_nonblocking(false) {
            return SessionSummary::lost(&error);
        }
        let _ = stream.set_nodelay(true);
        let seed = self.options.seed.wrapping_add(number as u64);
        let mut session = Session::new(stream, &self.suite, &self.options, number, seed, told);
        session.summary.client = Some(client);
        session.run(stop)
    }
}

/// A counting semaphore for concurrent sessions.
struct Places {
    free: Mutex<usize>,
    freed: Condvar,
}

/// A permit, returned when dropped.
struct Place<'p>(&'p Places);

impl Places {
    const fn new(count: usize) -> Self {
        Self {
            free: Mutex::new(count),
            freed: Condvar::new(),
        }
    }

    /// Waits for a permit.
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

/// Decrements the number of connected clients when dropped.
struct ConnectedClient<'c>(&'c AtomicUsize);

impl Drop for ConnectedClient<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Checks that every problem of a suite compiles, so that no session fails for that reason. Call it before
/// [`Server::run`].
///
/// # Errors
/// Fails with the first error of a problem that does not compile.
pub fn check(suite: &RddlSuite) -> Result<(), RddlError> {
    (0..suite.len()).try_for_each(|index| suite.compiled(index).map(|_| ()))
}
