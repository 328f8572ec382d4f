//! The limits of a server.

use std::thread;
use std::time::Duration;

use herbrand_play::RequestLimits;

/// The limits of a server, over all of its requests together. Pass them to
/// [`PlayServer::bind`](crate::PlayServer::bind). Requests beyond them are refused, with HTTP status 503 if there are
/// too many, when a client may try again, 413 if too large and 408 if too slow. The default has one worker per core up
/// to four, turns of 100 milliseconds, 64 waiting requests, 256 connections of ten minutes, and bodies of 20 MiB. Other
/// limits are on waiting, reading and memory; with 0 workers there is still one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The limits of a single request.
    pub allowance: RequestLimits,
    /// The maximum number of simultaneous computations that take longer than a [`turn`](Self::turn); 0 counts as 1.
    pub workers: usize,
    /// The computation time after which a request counts as long. A long request needs one of the `workers`.
    pub turn: Duration,
    /// The maximum number of requests that wait for a computation.
    pub waiting: usize,
    /// The maximum time that a request waits for a computation; after that it is refused.
    pub patience: Duration,
    /// The maximum number of open connections; further ones are rejected.
    pub connections: usize,
    /// The maximum time that a connection stays open.
    pub connection_time: Duration,
    /// The time limit for receiving the head of a request, for an idle connection, and for a client that reads nothing of a
    /// reply.
    pub head_time: Duration,
    /// The time limit for receiving the body of a request.
    pub body_time: Duration,
    /// The maximum size of a request body in bytes.
    pub body_bytes: usize,
    /// The maximum memory for bodies and replies of more than 64 KiB in transit, in bytes; at least `body_bytes`, which
    /// counts if this is less.
    pub room: usize,
}

impl Default for Bounds {
    /// Returns one worker per core up to four, turns of a tenth of a second, and 64 waiting requests for up to half a
    /// minute. Allows 256 connections of ten minutes, 15 seconds for a head or a body, bodies of 20 MiB (traces may be
    /// long), and 64 MiB for all bodies and replies in transit.
    fn default() -> Self {
        Self {
            allowance: RequestLimits::default(),
            workers: thread::available_parallelism().map_or(2, |cores| cores.get().min(4)),
            turn: Duration::from_millis(100),
            waiting: 64,
            patience: Duration::from_secs(30),
            connections: 256,
            connection_time: Duration::from_secs(600),
            head_time: Duration::from_secs(15),
            body_time: Duration::from_secs(15),
            body_bytes: 20 << 20,
            room: 64 << 20,
        }
    }
}
