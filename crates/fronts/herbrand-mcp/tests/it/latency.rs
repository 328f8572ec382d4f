//! The time of calls inside the server: from a line of JSON to the line of the answer, through memory.

use std::collections::BTreeMap;
use std::time::Instant;

use herbrand_mcp::{McpOptions, McpServer};
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, Lines, ReadHalf, WriteHalf,
};

/// The number of calls of each tool.
const CALLS: usize = 1_000;

struct Client<S> {
    lines: Lines<BufReader<ReadHalf<S>>>,
    write: WriteHalf<S>,
    times: BTreeMap<&'static str, Vec<f64>>,
}

impl<S: AsyncRead + AsyncWrite> Client<S> {
    async fn send(&mut self, message: &Value) {
        let line = format!("{message}\n");
        self.write.write_all(line.as_bytes()).await.expect("sent");
    }

    async fn reply(&mut self) -> String {
        self.lines.next_line().await.expect("read").expect("a line")
    }

    /// Calls a tool, and returns the data of its answer.
    async fn call(&mut self, tool: &'static str, arguments: Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let start = Instant::now();
        self.send(&message).await;
        let line = self.reply().await;
        let time = start.elapsed().as_secs_f64() * 1e3;
        self.times.entry(tool).or_default().push(time);
        let reply: Value = serde_json::from_str(&line).expect("JSON");
        assert_ne!(reply["result"]["isError"], true, "{line}");
        reply["result"]["structuredContent"].clone()
    }
}

/// Prints the median and the 99th percentile of the time of each tool, for a mid-sized problem.
#[test]
#[ignore = "a measurement"]
fn latency_inside_the_server() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("threads");
    runtime.block_on(async {
        let server = McpServer::new(McpOptions::default());
        let (client, service) = tokio::io::duplex(1 << 20);
        let (read, write) = tokio::io::split(service);
        tokio::spawn(async move { server.serve_streams(read, write).await });
        let (read, write) = tokio::io::split(client);
        let mut client = Client {
            lines: BufReader::new(read).lines(),
            write,
            times: BTreeMap::new(),
        };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello});
        client.send(&hello).await;
        client.reply().await;
        let notified = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        client.send(&notified).await;
        let opened = client.call("open", json!({"domain": "depot", "problem": "test/10"})).await;
        let own = opened["session"].clone();
        let plan = client.call("plan", json!({"session": own})).await;
        let sentences = plan["sentences"].as_array().expect("sentences").iter();
        let plan: Vec<&str> = sentences.filter_map(Value::as_str).collect();
        let plan = plan.join("\n");
        client.times.clear();
        for _ in 0..CALLS {
            let actions = client.call("actions", json!({"session": own, "most": 20})).await;
            let action = actions["actions"][0]["text"].clone();
            client.call("step", json!({"session": own, "action": action})).await;
            client.call("state", json!({"session": own})).await;
            client.call("why_not", json!({"session": own, "action": action})).await;
            for tool in ["undo", "draw", "ground", "texts"] {
                client.call(tool, json!({"session": own})).await;
            }
            client.call("domains", json!({})).await;
            let other = client.call("fork", json!({"session": own, "seed": 1})).await["session"].clone();
            client.call("validate", json!({"session": other, "plan": plan})).await;
            client.call("close", json!({"session": other})).await;
        }
        for (tool, times) in &mut client.times {
            times.sort_by(f64::total_cmp);
            let [median, late] = [times[CALLS / 2], times[CALLS * 99 / 100]];
            println!("{tool}: median {median:.3} ms, 99th percentile {late:.3} ms");
        }
    });
}
