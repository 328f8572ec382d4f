//! Measures the time from a key stroke to the diagnostics and to a completion, on texts of 2,000 and 10,000 lines.
//!
//! ```sh
//! cargo run --release -p herbrand-lsp --example latency
//! ```
//!
//! With a number of minutes, it edits a problem of 10,000 lines and its domain for so long, and reports the memory of the process:
//!
//! ```sh
//! cargo run --release -p herbrand-lsp --example latency -- 60
//! ```

use std::time::{Duration, Instant};

use herbrand_lsp::{ServerLimits, serve};
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};

/// The number of key strokes per text.
const STROKES: usize = 200;

const DOMAIN: &str = "\
(define (domain roads)
  (:requirements :strips :typing)
  (:types truck place)
  (:predicates (at ?t - truck ?p - place) (road ?from ?to - place))
  (:action drive
    :parameters (?t - truck ?from ?to - place)
    :precondition (and (at ?t ?from) (road ?from ?to))
    :effect (and (not (at ?t ?from)) (at ?t ?to))))
";

/// Returns a problem with this number of lines, most of them facts.
fn problem(lines: usize) -> String {
    let places = lines / 2 - 4;
    let mut text = "(define (problem many)\n  (:domain roads)\n  (:objects lorry - truck\n".to_owned();
    for place in 0..places {
        text.push_str(&format!("    place-{place} - place\n"));
    }
    text.push_str("  )\n  (:init (at lorry place-0)\n");
    for place in 1..places {
        text.push_str(&format!("    (road place-{} place-{place})\n", place - 1));
    }
    text.push_str(&format!("  )\n  (:goal (at lorry place-{})))\n", places - 1));
    text
}

/// Returns a domain with this number of lines, most of them in actions.
fn domain(lines: usize) -> String {
    let mut text = "(define (domain roads)\n  (:requirements :strips :typing)\n  (:types truck place)\n  \
                    (:predicates (at ?t - truck ?p - place) (road ?from ?to - place))\n"
        .to_owned();
    for action in 0..lines.saturating_sub(5) / 4 {
        text.push_str(&format!(
            "  (:action drive-{action}\n    :parameters (?t - truck ?from ?to - place)\n    \
             :precondition (and (at ?t ?from) (road ?from ?to))\n    :effect (and (not (at ?t ?from)) (at ?t ?to)))\n"
        ));
    }
    text.push_str(")\n");
    text
}

struct Editor {
    connection: Connection,
    version: i32,
    next: i32,
}

impl Editor {
    fn tell(&self, method: &str, params: Value) {
        let message = Notification::new(method.to_owned(), params);
        let _ = self.connection.sender.send(message.into());
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = RequestId::from(self.next);
        let request = Request::new(id.clone(), method.to_owned(), params);
        let _ = self.connection.sender.send(request.into());
        loop {
            if let Ok(Message::Response(response)) = self.connection.receiver.recv()
                && response.id == id
            {
                return response.response_result.unwrap_or_default();
            }
        }
    }

    fn open(&self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "pddl", "version": 0, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Types or deletes a character, and waits for the diagnostics of the new version.
    fn stroke(&mut self, uri: &str, line: usize, column: usize, delete: bool) -> Duration {
        self.version += 1;
        let end = if delete { column + 1 } else { column };
        let change = json!({
            "range": {
                "start": { "line": line, "character": column },
                "end": { "line": line, "character": end },
            },
            "text": if delete { "" } else { "x" },
        });
        let document = json!({ "uri": uri, "version": self.version });
        let start = Instant::now();
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [change] }),
        );
        loop {
            if let Ok(Message::Notification(notification)) = self.connection.receiver.recv()
                && notification.params["uri"] == uri
                && notification.params["version"] == self.version
            {
                return start.elapsed();
            }
        }
    }
}

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1000.0;
    println!(
        "{what}: median {:.1} ms, 99th percentile {:.1} ms",
        at(50),
        at(99)
    );
}

/// Edits a problem and its domain, asks for hover and completion after each edit, and reports the memory twenty times.
fn soak(editor: &mut Editor, minutes: f64) {
    let (domain_uri, uri) = ("file:///soak/domain.pddl", "file:///soak/p.pddl");
    let text = problem(10_000);
    editor.open(domain_uri, DOMAIN);
    editor.open(uri, &text);
    let begin = Instant::now();
    let part = Duration::from_secs_f64(minutes * 60.0 / 20.0);
    let (mut edits, mut reports) = (0_usize, 0);
    while reports <= 20 {
        // Each edit is undone by the next one, so the texts stay as long as they are.
        let line = 5_100 + 2 * (edits / 2 % 1_000);
        editor.stroke(uri, line, 8, edits % 2 == 1);
        if edits % 10 < 2 {
            editor.stroke(domain_uri, 3, 12, edits % 2 == 1);
        }
        let document = json!({ "uri": uri });
        let position = json!({ "line": line, "character": 9 });
        let place = json!({ "textDocument": document, "position": position });
        editor.ask("textDocument/completion", place.clone());
        editor.ask("textDocument/hover", place);
        edits += 1;
        if begin.elapsed() >= part * reports {
            let memory = memory_stats::memory_stats().map_or(0, |memory| memory.physical_mem);
            let minutes = begin.elapsed().as_secs_f64() / 60.0;
            println!(
                "{minutes:.1} min, {edits} edits: {:.1} MiB",
                memory as f64 / 1_048_576.0
            );
            reports += 1;
        }
    }
}

fn main() {
    let (server, connection) = Connection::memory();
    let thread = std::thread::spawn(move || serve(&server, ServerLimits::default()));
    let mut editor = Editor {
        connection,
        version: 0,
        next: 0,
    };
    editor.ask("initialize", json!({ "capabilities": {} }));
    editor.tell("initialized", json!({}));
    let minutes = std::env::args().nth(1).and_then(|minutes| minutes.parse().ok());
    if let Some(minutes) = minutes {
        soak(&mut editor, minutes);
    }
    for lines in [2_000, 10_000].into_iter().filter(|_| minutes.is_none()) {
        for (what, uri, text, column) in [
            ("problem", format!("file:///{lines}/p.pddl"), problem(lines), 8),
            (
                "domain",
                format!("file:///{lines}/domain.pddl"),
                domain(lines),
                12,
            ),
        ] {
            if what == "problem" {
                editor.open(&format!("file:///{lines}/domain.pddl"), DOMAIN);
            }
            editor.open(&uri, &text);
            // A line in the middle: a fact, or the head of an action.
            let line = text
                .lines()
                .enumerate()
                .skip(lines * 3 / 4)
                .find(|(_, line)| line.contains("(road place") || line.contains("(:action"))
                .map_or(0, |(line, _)| line);
            let times = (0..STROKES).map(|stroke| editor.stroke(&uri, line, column, stroke % 2 == 1));
            report(
                &format!("{lines} lines, {what}, key stroke to diagnostics"),
                times.collect(),
            );
            let position = json!({ "line": line, "character": column });
            let mut completions = Vec::new();
            for stroke in 0..20 {
                editor.stroke(&uri, line, column, stroke % 2 == 1);
                let start = Instant::now();
                let params = json!({ "textDocument": { "uri": uri }, "position": position });
                editor.ask("textDocument/completion", params);
                completions.push(start.elapsed());
            }
            report(&format!("{lines} lines, {what}, completion"), completions);
        }
    }
    editor.ask("shutdown", Value::Null);
    editor.tell("exit", Value::Null);
    if let Ok(Err(error)) = thread.join() {
        eprintln!("{error}");
    }
}
