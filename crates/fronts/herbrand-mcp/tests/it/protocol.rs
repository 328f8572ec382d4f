//! The protocol, over streams and over HTTP.

use std::collections::HashSet;
use std::io::{Read, Write};
use std::mem::discriminant;
use std::net::{SocketAddr, TcpStream};
use std::thread;

use herbrand_edit::Edit;
use herbrand_mcp::{McpOptions, McpServer};
use herbrand_tasks::TASKS;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::task::JoinHandle;

fn request(id: u64, method: &str, params: &Value) -> String {
    format!(
        "{}\n",
        json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
    )
}

fn hello() -> Value {
    json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}})
}

/// A client of a server on streams.
struct Client {
    write: WriteHalf<DuplexStream>,
    lines: tokio::io::Lines<BufReader<ReadHalf<DuplexStream>>>,
    serving: JoinHandle<()>,
}

impl Client {
    fn of(server: &McpServer) -> Self {
        let (client, service) = tokio::io::duplex(1 << 16);
        let (read, write) = tokio::io::split(service);
        let server = server.clone();
        let serving = tokio::spawn(async move { server.serve_streams(read, write).await });
        let (read, write) = tokio::io::split(client);
        let lines = BufReader::new(read).lines();
        Self {
            write,
            lines,
            serving,
        }
    }

    async fn send(&mut self, text: &str) {
        self.write.write_all(text.as_bytes()).await.expect("sent");
    }

    async fn reply(&mut self) -> Value {
        let line = self.lines.next_line().await.expect("read").expect("a line");
        serde_json::from_str(&line).expect("JSON")
    }
}

/// Runs a client with threads of its own.
fn running(client: impl Future<Output = ()>) {
    let threads = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    threads.expect("threads").block_on(client);
}

#[test]
fn calls_of_a_session_are_carried_out_in_the_order_of_their_lines() {
    let server = McpServer::new(McpOptions {
        workers: 4,
        ..McpOptions::default()
    });
    let open = || super::open(server.tools(), "rddl/sysadmin-mdp");
    let sessions = [open(), open(), open(), open()];
    running(async {
        let mut client = Client::of(&server);
        client.send(&request(1000, "initialize", &hello())).await;
        client.reply().await;
        let mut all = String::new();
        for number in 0..160 {
            let arguments = json!({"session": sessions[number % 4], "action": "do nothing"});
            all += &request(
                number as u64,
                "tools/call",
                &json!({"name": "step", "arguments": arguments}),
            );
        }
        client.send(&all).await;
        for _ in 0..160 {
            let reply = client.reply().await;
            let step = &reply["result"]["structuredContent"]["step"];
            assert_eq!(
                step.as_u64(),
                Some(reply["id"].as_u64().expect("an id") / 4 + 1),
                "{reply}"
            );
        }
    });
}

/// Checks that a description has, after its first line, an edit of each kind.
fn shows_all_edits(description: &str) {
    let read = |line: &str| serde_json::from_str::<Edit>(line);
    let shown = description.lines().skip(1).map(|line| {
        let edit = read(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        discriminant(&edit)
    });
    let shown: HashSet<_> = shown.collect();
    let error = read(r#"{"edit": ""}"#).expect_err("no kind").to_string();
    let (_, kinds) = error.split_once("one of").expect("a list of kinds");
    assert_eq!(shown.len(), kinds.split(',').count(), "{description}");
}

#[test]
fn streams_carry_calls_and_survive_nonsense() {
    let server = McpServer::new(McpOptions::default());
    running(async {
        let mut client = Client::of(&server);
        let notified = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        client.send(&format!("{notified}\n")).await;
        client.send(&request(1, "tools/list", &json!({}))).await;
        let early = client.reply().await;
        assert!(
            early["error"]["message"]
                .to_string()
                .contains("send `initialize` first"),
            "{early}"
        );
        client.send(&request(1, "initialize", &hello())).await;
        let reply = client.reply().await;
        assert_eq!(reply["result"]["serverInfo"]["name"], "herbrand", "{reply}");
        client.send(&format!("{notified}\n")).await;
        for nonsense in ["{\n", "\n", "[]\n", "{\"jsonrpc\":\"2.0\"}\n", "null\n"] {
            client.send(nonsense).await;
        }
        client.send(&request(2, "tools/list", &json!({}))).await;
        for (id, call) in [
            (3, json!({"name": "open", "arguments": {"domain": "blocks"}})),
            (4, json!({"name": "no-such-tool", "arguments": {}})),
            (5, json!({"name": "state", "arguments": "x"})),
            (6, json!({})),
        ] {
            client.send(&request(id, "tools/call", &call)).await;
        }
        let (mut listed, mut opened, mut wrong, mut codes) = (false, false, 0, Vec::new());
        while !(listed && opened && wrong == 3 && codes.len() == 4) {
            let reply = client.reply().await;
            let error = &reply["error"];
            match reply["id"].as_u64() {
                Some(2) => {
                    let tools = reply["result"]["tools"].as_array().expect("a list");
                    listed = true;
                    let arguments = |name: &str| {
                        let tool = tools.iter().find(|tool| tool["name"] == name);
                        &tool.expect("it is listed")["inputSchema"]["properties"]
                    };
                    let shown = &arguments("edit")["edits"]["description"];
                    shows_all_edits(shown.as_str().expect("a text"));
                    assert!(
                        TASKS
                            .iter()
                            .all(|task| arguments(task.name)["domain"].is_object())
                    );
                    let plan = arguments("plan");
                    assert_eq!(plan["runs"]["minimum"], 1);
                    assert!(plan["t_norm"].is_object() && plan["session"].is_object());
                    assert!(plan["external"].is_null(), "a client starts no program");
                }
                Some(3) => opened = reply["result"]["structuredContent"]["session"].is_string(),
                Some(id @ 4..=6) => {
                    let expected =
                        ["there is no tool `no-such-tool`", "`tools/call` needs"][usize::from(id > 4)];
                    assert!(
                        error["code"] == -32602 && error["message"].to_string().contains(expected),
                        "{reply}"
                    );
                    wrong += 1;
                }
                _ => codes.extend(error["code"].as_i64()),
            }
        }
        codes.sort_unstable();
        assert_eq!(codes, [-32700, -32600, -32600, -32600]);
        // The client leaves in the middle of a message.
        client.send("{\"jsonrpc\"").await;
        let Client {
            write,
            lines,
            serving,
        } = client;
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
