//! Hostile connections: lost, garbled, endless and giant requests leave the server usable and its memory bounded.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

use herbrand_mcp::{McpOptions, McpServer};
use serde_json::{Value, json};

use super::hostile::{Attacker, Bystanders, count, folders, limits, memory};

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
    let requests = count("HOSTILE_CONNECTIONS", 240);
    let (all, folders) = folders();
    let server = McpServer::new(McpOptions {
        limits: limits(),
        folders,
        ..McpOptions::default()
    });
    let listener = McpServer::bind("127.0.0.1:0".parse().expect("an address")).expect("bound");
    let address = listener.local_addr().expect("an address");
    let stop = server.stopper();
    let serving = thread::spawn({
        let server = server.clone();
        move || server.serve_http(listener)
    });
    let host = address.to_string();
    let calling = |name: &str, arguments: &Value| {
        let params = json!({"name": name, "arguments": arguments});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
        post(&host, body.len(), &body)
    };
    let tools = server.tools();
    let (mut attacker, bystanders) = (Attacker::new(), Bystanders::open(tools));
    let (mut first, mut most, mut answered) = (0, 0, 0);
    for number in 0..requests {
        let (mut kind, text) = attacker.draw(&(0..9usize, "\\PC{0,200}"));
        let (name, arguments) = attacker.call(tools);
        if kind == 4 && tools.sessions().len() > 14 {
            // Nobody would learn the name of the session that this call opens.
            kind = 5;
        }
        let lost = |bytes: &[u8]| {
            let mut stream = TcpStream::connect(address).expect("connected");
            let _ = stream.write_all(bytes);
        };
        let call = calling(&name, &Value::Object(arguments));
        match kind {
            0 => lost(b""),
            1 => lost(text.as_bytes()),
            2 => lost(&call.as_bytes()[..call.len() / 2]),
            3 => lost(post(&host, usize::MAX / 2, &text).as_bytes()),
            4 => lost(call.as_bytes()),
            5..8 => {
                let said = answer(address, &call);
                bystanders.check(&said);
                let (_, body) = said.split_once("\r\n\r\n").unwrap_or_default();
                let reply: Value = serde_json::from_str(body).unwrap_or_default();
                answered += usize::from(reply["result"]["isError"] == false);
                attacker.heard(tools, &reply["result"]["structuredContent"]);
            }
            _ => {
                let giant = "x".repeat(if number % 5 == 0 { 20 << 20 } else { text.len() });
                let said = answer(address, &post(&host, giant.len(), &giant));
                assert!(!said.starts_with("HTTP/1.1 200"), "{said}");
            }
        }
        if number % 40 == 0 {
            bystanders.step(tools);
        }
        if number == requests / 10 {
            first = memory();
        }
        most = most.max(memory());
    }
    println!("{requests} requests, {answered} fulfilled; {first} bytes after a tenth, {most} at most");
    assert!(answered > requests / 20, "{answered} of {requests} are fulfilled");
    assert!(
        most < first + (256 << 20),
        "memory grew from {first} to {most} bytes"
    );
    bystanders.step(tools);
    let outside = std::fs::read_dir(all.path()).expect("a folder").count();
    assert_eq!(outside, 2, "a file was written outside the folder");
    stop();
    serving.join().expect("it ends").expect("it served");
}
