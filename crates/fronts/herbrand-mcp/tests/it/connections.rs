//! Hostile connections: lost, garbled, endless and giant requests leave the server usable and its memory bounded.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

use herbrand_mcp::{McpOptions, McpServer};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::json;

use super::hostile;

/// Returns a request with a body, which says that it has `length` bytes.
fn post(host: &str, length: usize, body: &str) -> String {
    format!(
        "POST /mcp HTTP/1.1\r\nHost: {host}\r\nMCP-Protocol-Version: 2025-06-18\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

/// Sends bytes and returns what the server answers until it closes the connection.
fn answer(address: SocketAddr, text: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("connected");
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .expect("a time limit");
    // The server may close before it has read everything.
    let _ = stream.write_all(text.as_bytes());
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn lost_and_garbled_connections_leave_the_server_usable() {
    let count = std::env::var("HOSTILE_CONNECTIONS")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(240);
    let server = McpServer::new(McpOptions {
        limits: hostile::limits(),
        ..McpOptions::default()
    });
    let listener = McpServer::bind("127.0.0.1:0".parse().expect("an address")).expect("bound");
    let address = listener.local_addr().expect("an address");
    let stop = server.stopper();
    let serving = thread::spawn(move || server.serve_http(listener));
    let host = address.to_string();
    let calling = |name: &str, arguments: &serde_json::Value| {
        let params = json!({"name": name, "arguments": arguments});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
        post(&host, body.len(), &body)
    };
    let open = calling("open", &json!({"domain": "blocks"}));
    let opened = answer(address, &open);
    let (_, own) = opened.split_once("Session ").expect("a session");
    let state = calling("state", &json!({"session": own[..32]}));
    let memory = || memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem);

    let seeded = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), seeded);
    let drawn = (0..7usize, "\\PC{0,200}", hostile::call());
    let mut first = 0;
    for number in 0..count {
        let (kind, text, (name, arguments)) = drawn.new_tree(&mut runner).expect("a request").current();
        let lost = |bytes: &[u8]| {
            let mut stream = TcpStream::connect(address).expect("connected");
            let _ = stream.write_all(bytes);
        };
        let call = calling(&name, &serde_json::Value::Object(arguments));
        match kind {
            0 => lost(b""),
            1 => lost(text.as_bytes()),
            2 => lost(&call.as_bytes()[..call.len() / 2]),
            3 => lost(post(&host, usize::MAX / 2, &text).as_bytes()),
            4 => lost(call.as_bytes()),
            5 => drop(answer(address, &call)),
            _ => {
                let giant = "x".repeat(if number % 5 == 0 { 20 << 20 } else { text.len() });
                let said = answer(address, &post(&host, giant.len(), &giant));
                assert!(!said.starts_with("HTTP/1.1 200"), "{said}");
            }
        }
        if number == count / 10 {
            first = memory();
        }
    }
    assert!(answer(address, &state).contains("State after 0 steps"));
    assert!(
        memory() < first + (256 << 20),
        "memory grew from {first} to {} bytes",
        memory()
    );
    stop();
    serving.join().expect("it ends").expect("it served");
}
