//! Hostile clients on streams, as on standard input: garbled, giant and lost messages leave the server usable.

use std::sync::mpsc;
use std::time::Duration;

use herbrand_mcp::{McpOptions, McpServer};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

use super::hostile::{Attacker, Bystanders, count, folders, limits, memory};

/// Returns a line with a request.
fn request(id: usize, method: &str, params: &Value) -> String {
    format!(
        "{}\n",
        json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
    )
}

/// Returns the messages with which a client begins.
fn hello() -> String {
    let client = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let initialize = request(0, "initialize", &client);
    format!(
        "{initialize}{}\n",
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"})
    )
}

/// Draws a line that a hostile client sends: mostly a call.
fn line(attacker: &mut Attacker, server: &McpServer, number: usize) -> Vec<u8> {
    let (kind, text) = attacker.draw(&(0..24usize, "\\PC{0,200}"));
    let (name, arguments) = attacker.call(server.tools());
    let call = request(
        number,
        "tools/call",
        &json!({"name": name, "arguments": arguments}),
    );
    match kind {
        0 => format!("{text}\n").into_bytes(),
        1 => [&call.as_bytes()[..call.len() / 2], b"\n"].concat(),
        2 => [b"\xff\xfe\0", call.as_bytes()].concat(),
        3 => request(number, "tools/list", &json!({"cursor": text})).into_bytes(),
        4 => request(number, "ping", &json!({})).into_bytes(),
        5 => request(number, &text, &json!([text])).into_bytes(),
        6 => {
            let cancelled = json!({"requestId": number - 1, "reason": text});
            let note = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled});
            format!("{note}\n").into_bytes()
        }
        7 => format!(
            "{}\n",
            json!({"jsonrpc": "2.0", "id": number, "result": {"text": text}})
        )
        .into_bytes(),
        8 => {
            let giant = "x".repeat(if number.is_multiple_of(40) {
                5 << 20
            } else {
                100 << 10
            });
            request(
                number,
                "tools/call",
                &json!({"name": name, "arguments": {"action": giant}}),
            )
            .into_bytes()
        }
        _ => call.into_bytes(),
    }
}

/// Counts of lines, clients and fulfilled calls.
#[derive(Default)]
struct Tally {
    sent: usize,
    clients: usize,
    fulfilled: usize,
}

/// Plays hostile clients of one server, one after another, until they have sent `lines`.
fn attack(
    server: &McpServer,
    attacker: &mut Attacker,
    bystanders: &Bystanders,
    lines: usize,
    tally: &mut Tally,
) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("threads");
    let last = tally.sent + lines;
    while tally.sent < last {
        let (length, is_lost) = attacker.draw(&(1..60usize, proptest::bool::weighted(0.2)));
        let (told, heard) = mpsc::channel::<String>();
        let mut listen = |attacker: &mut Attacker| {
            for reply in heard.try_iter() {
                bystanders.check(&reply);
                let reply: Value = serde_json::from_str(&reply).expect("replies are JSON");
                attacker.heard(server.tools(), &reply["result"]["structuredContent"]);
                tally.fulfilled += usize::from(reply["result"]["isError"] == false);
            }
        };
        runtime.block_on(async {
            let (client, service) = tokio::io::duplex(1 << 16);
            let (read, write) = tokio::io::split(service);
            let serving = tokio::spawn({
                let server = server.clone();
                async move { server.serve_streams(read, write).await }
            });
            let (read, mut write) = tokio::io::split(client);
            let reading = tokio::spawn(async move {
                let mut replies = BufReader::new(read).lines();
                while let Ok(Some(reply)) = replies.next_line().await {
                    told.send(reply).expect("somebody listens");
                }
            });
            let mut is_open = write.write_all(hello().as_bytes()).await.is_ok();
            for _ in 0..length {
                tally.sent += 1;
                let message = line(attacker, server, tally.sent);
                is_open = is_open && write.write_all(&message).await.is_ok();
                // Sometimes the client waits for a reply, and may use the session that it opened.
                if tally.sent.is_multiple_of(3) {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
                listen(attacker);
            }
            if is_lost {
                // The client leaves in the middle of a message, and reads no more replies.
                let _ = write.write_all(b"{\"jsonrpc\"").await;
                reading.abort();
            }
            let _ = write.shutdown().await;
            drop(write);
            serving.await.expect("the service ends");
            let _ = reading.await;
        });
        listen(attacker);
        bystanders.step(server.tools());
        tally.clients += 1;
    }
}

#[test]
fn hostile_clients_on_streams_leave_the_server_usable() {
    let lines = count("HOSTILE_LINES", 400);
    let (all, folders) = folders();
    let (mut attacker, mut tally) = (Attacker::new(), Tally::default());
    let (mut first, mut most) = (0, 0);
    while tally.sent < lines {
        // Lost clients leave sessions that nobody can close: another server begins before there are too many.
        let server = McpServer::new(McpOptions {
            limits: limits(),
            folders: folders.clone(),
            ..McpOptions::default()
        });
        let bystanders = Bystanders::open(server.tools());
        let part = (lines - tally.sent).min(2_000);
        attack(&server, &mut attacker, &bystanders, part, &mut tally);
        first = if first == 0 { memory() } else { first };
        most = most.max(memory());
    }
    let Tally {
        sent,
        clients,
        fulfilled,
    } = tally;
    println!(
        "{sent} lines of {clients} clients, {fulfilled} calls fulfilled; {first} bytes at first, {most} at most"
    );
    assert!(
        fulfilled > lines / 20,
        "{fulfilled} of {lines} lines are fulfilled"
    );
    assert!(
        most < first + (256 << 20),
        "memory grew from {first} to {most} bytes"
    );
    let outside = std::fs::read_dir(all.path()).expect("a folder").count();
    assert_eq!(outside, 2, "a file was written outside the folder");
}
