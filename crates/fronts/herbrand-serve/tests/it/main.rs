//! Tests of the server by well-behaved and malicious clients.

mod attackers;
mod browser;
mod client;
mod deadlines;
mod devtools;
mod editor;
mod files;
mod hostile;
mod page;

use std::net::SocketAddr;
use std::thread::{self, JoinHandle};

use herbrand_serve::{Bounds, PlayServer};

/// A server on a free local port. It stops when dropped.
struct Served {
    address: SocketAddr,
    stop: Box<dyn Fn() + Send + Sync>,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    fn new(bounds: Bounds) -> Self {
        let server = PlayServer::bind(([127, 0, 0, 1], 0).into(), bounds).expect("a free port");
        let address = server.address().expect("it is bound");
        let stop = Box::new(server.stopper());
        let thread = thread::spawn(move || server.run().expect("it serves"));
        Self {
            address,
            stop,
            thread: Some(thread),
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        (self.stop)();
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the server ends");
        }
    }
}
