//! The protocol, over streams and over HTTP.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;

use herbrand_mcp::{McpOptions, McpServer};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

fn request(id: u64, method: &str, params: &Value) -> String {
    format!(
        "{}\n",
        json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
    )
}

fn hello() -> Value {
    json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}})
}

#[test]
fn streams_carry_calls_and_survive_nonsense() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("threads");
    runtime.block_on(async {
        let server = McpServer::new(McpOptions::default());
        let (client, service) = tokio::io::duplex(1 << 16);
        let (read, write) = tokio::io::split(service);
        let serving = tokio::spawn({
            let server = server.clone();
            async move { server.serve_streams(read, write).await }
        });
        let (read, mut write) = tokio::io::split(client);
        let mut lines = BufReader::new(read).lines();
        write
            .write_all(request(1, "initialize", &hello()).as_bytes())
            .await
            .expect("sent");
        let line = lines.next_line().await.expect("read").expect("a line");
        let reply: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(reply["result"]["serverInfo"]["name"], "herbrand", "{line}");
        let notified = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        write
            .write_all(format!("{notified}\n").as_bytes())
            .await
            .expect("sent");
        for nonsense in ["{\n", "\n", "[]\n", "{\"jsonrpc\":\"2.0\"}\n", "null\n"] {
            write.write_all(nonsense.as_bytes()).await.expect("sent");
        }
        write
            .write_all(request(2, "tools/list", &json!({})).as_bytes())
            .await
            .expect("sent");
        let call = json!({"name": "open", "arguments": {"domain": "blocks"}});
        write
            .write_all(request(3, "tools/call", &call).as_bytes())
            .await
            .expect("sent");
        let call = json!({"name": "no-such-tool", "arguments": {}});
        write
            .write_all(request(4, "tools/call", &call).as_bytes())
            .await
            .expect("sent");
        let (mut listed, mut opened, mut unknown, mut codes) = (0, false, false, Vec::new());
        while !(listed > 0 && opened && unknown && codes.len() == 4) {
            let line = lines.next_line().await.expect("read").expect("a line");
            let reply: Value = serde_json::from_str(&line).expect("JSON");
            match reply["id"].as_u64() {
                Some(2) => listed = reply["result"]["tools"].as_array().map_or(0, Vec::len),
                Some(3) => opened = reply["result"]["structuredContent"]["session"].is_string(),
                Some(4) => unknown = reply["error"]["message"] == "there is no tool `no-such-tool`",
                _ => codes.extend(reply["error"]["code"].as_i64()),
            }
        }
        codes.sort_unstable();
        assert_eq!((listed, codes), (17, vec![-32700, -32600, -32600, -32600]));
        // The client leaves in the middle of a message.
        write.write_all(b"{\"jsonrpc\"").await.expect("sent");
        drop((write, lines));
        serving.await.expect("the service ends");
        assert_eq!(server.tools().sessions().len(), 1);
    });
}

/// Sends a request and returns the status line and the body.
fn post(address: SocketAddr, host: &str, more: &str, body: &str) -> (String, String) {
    let mut stream = TcpStream::connect(address).expect("connected");
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {host}\r\n{more}Content-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).expect("sent");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("read");
    let (head, body) = reply.split_once("\r\n\r\n").expect("a reply");
    (
        head.lines().next().unwrap_or_default().to_owned(),
        body.to_owned(),
    )
}

#[test]
fn http_carries_calls_of_local_clients_only() {
    let server = McpServer::new(McpOptions::default());
    let listener = McpServer::bind("127.0.0.1:0".parse().expect("an address")).expect("bound");
    let address = listener.local_addr().expect("an address");
    let stop = server.stopper();
    let serving = thread::spawn(move || server.serve_http(listener));
    let host = address.to_string();
    let (status, body) = post(address, &host, "", request(1, "initialize", &hello()).trim());
    assert!(
        status.contains("200") && body.contains("herbrand"),
        "{status} {body}"
    );
    let call = json!({"name": "open", "arguments": {"domain": "blocks"}});
    let version = "MCP-Protocol-Version: 2025-06-18\r\n";
    let (status, body) = post(address, &host, version, request(2, "tools/call", &call).trim());
    assert!(status.contains("200"), "{status} {body}");
    let reply: Value = serde_json::from_str(&body).expect("JSON");
    let session = reply["result"]["structuredContent"]["session"].clone();
    assert!(session.is_string(), "{body}");
    // Another connection may use the session whose name it knows.
    let call = json!({"name": "state", "arguments": {"session": session}});
    let (_, body) = post(address, &host, version, request(3, "tools/call", &call).trim());
    assert!(body.contains("State after 0 steps"), "{body}");

    let (status, _) = post(
        address,
        "example.com",
        version,
        request(4, "tools/call", &call).trim(),
    );
    assert!(status.contains("403"), "{status}");
    let origin = "Origin: https://example.com\r\n";
    let (status, _) = post(address, &host, origin, request(5, "tools/call", &call).trim());
    assert!(status.contains("403"), "{status}");
    let (status, _) = post(address, &host, version, "{");
    assert!(status.contains("4"), "{status}");
    drop(TcpStream::connect(address).expect("connected"));
    stop();
    serving.join().expect("it ends").expect("it served");
    assert!(McpServer::bind("0.0.0.0:0".parse().expect("an address")).is_err());
}
