//! A static file server, as used for a page with its own engine.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::thread;

/// Serves the files of a folder on a free port until the process ends.
pub fn serve(folder: PathBuf) -> SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let folder = folder.clone();
            thread::spawn(move || {
                let mut lines = BufReader::new(&stream).lines();
                let Some(Ok(first)) = lines.next() else { return };
                // Reads the rest of the head, so that the browser has sent all of it.
                lines
                    .by_ref()
                    .flatten()
                    .take_while(|line| !line.is_empty())
                    .for_each(drop);
                let name = first.split(' ').nth(1).unwrap_or("/").trim_start_matches('/');
                let name = if name.is_empty() { "index.html" } else { name };
                let content = std::fs::read(folder.join(name));
                let status = if content.is_ok() {
                    "200 OK"
                } else {
                    "404 Not Found"
                };
                let content = content.unwrap_or_default();
                let kind = kind(Path::new(name));
                let head = format!(
                    "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                    content.len()
                );
                let _ = (&stream).write_all(head.as_bytes());
                let _ = (&stream).write_all(&content);
            });
        }
    });
    address
}

fn kind(name: &Path) -> &'static str {
    match name.extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html",
        Some("css") => "text/css",
        Some("js") => "text/javascript",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}
