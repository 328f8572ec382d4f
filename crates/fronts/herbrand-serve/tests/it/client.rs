//! An HTTP client that can send arbitrary bytes.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A response.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    /// Parses the body as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// Opens a connection with timeouts of a minute.
pub fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("the server listens");
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .expect("a limit");
    stream
        .set_write_timeout(Some(Duration::from_secs(60)))
        .expect("a limit");
    stream
}

/// Reads to the end of the connection.
pub fn read(mut stream: TcpStream) -> Option<Answer> {
    let mut bytes = Vec::new();
    // A server may close the connection before it has read all input; its response counts anyway.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let mut rest = text.as_str();
    while let Some(after) = rest.strip_prefix("HTTP/1.1 100 Continue\r\n\r\n") {
        rest = after;
    }
    let (head, body) = rest.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Answer {
        status,
        head: head.to_owned(),
        body: body.to_owned(),
    })
}

/// Sends raw bytes and reads the response.
pub fn send(address: SocketAddr, bytes: &[u8]) -> Option<Answer> {
    let mut stream = connect(address);
    let _ = stream.write_all(bytes);
    read(stream)
}

/// Returns the head of a request to the engine, with further header lines.
pub fn head(address: SocketAddr, length: usize, more: &str) -> String {
    format!(
        "POST /api HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {length}\r\n{more}\r\n"
    )
}

/// Sends a request to the engine.
pub fn ask(address: SocketAddr, body: &str) -> Option<Answer> {
    let request = head(address, body.len(), "") + body;
    send(address, request.as_bytes())
}

/// Requests a page.
pub fn get(address: SocketAddr, path: &str) -> Option<Answer> {
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    send(address, request.as_bytes())
}
