//! A local HTTP server with fixed answers.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;

/// How a path is answered.
#[derive(Clone)]
pub enum Reply {
    /// With this content.
    Content(Vec<u8>),
    /// With a redirect to this address.
    Redirect(String),
    /// With this status.
    Status(u16),
    /// With content that never ends.
    Endless,
    /// Not at all, while the client waits.
    Silence,
    /// With fewer bytes than announced.
    Broken,
}

/// A server on this machine; it ends with the test.
pub struct Server {
    address: String,
}

impl Server {
    /// Starts a server with the replies that `replies` gives for its address.
    pub fn start(replies: impl FnOnce(&str) -> Vec<(String, Reply)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let replies: Arc<BTreeMap<String, Reply>> = Arc::new(replies(&address).into_iter().collect());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let replies = Arc::clone(&replies);
                thread::spawn(move || answer(stream, &replies));
            }
        });
        Self { address }
    }

    /// Returns the URL of a path.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }
}

fn answer(mut stream: std::net::TcpStream, replies: &BTreeMap<String, Reply>) -> Option<()> {
    let mut lines = BufReader::new(stream.try_clone().ok()?).lines();
    let first = lines.next()?.ok()?;
    let path = first.split(' ').nth(1)?.to_owned();
    while !lines.next()?.ok()?.is_empty() {}
    let head = |status: &str, length: usize| {
        format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n")
    };
    match replies.get(&path).cloned().unwrap_or(Reply::Status(404)) {
        Reply::Content(bytes) => {
            write!(stream, "{}\r\n", head("200 OK", bytes.len())).ok()?;
            stream.write_all(&bytes).ok()
        }
        Reply::Redirect(target) => write!(stream, "{}Location: {target}\r\n\r\n", head("302 Found", 0)).ok(),
        Reply::Status(status) => write!(stream, "{}\r\n", head(&format!("{status} No"), 0)).ok(),
        Reply::Endless => {
            write!(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n").ok()?;
            loop {
                stream.write_all(&[b';'; 1 << 16]).ok()?;
            }
        }
        Reply::Silence => {
            thread::sleep(std::time::Duration::from_secs(20));
            None
        }
        Reply::Broken => write!(stream, "{}\r\n(define", head("200 OK", 5000)).ok(),
    }
}
