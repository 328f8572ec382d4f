//! Tests of the server: its tools, its folders, the protocol, and hostile calls.

mod connections;
mod folders;
mod hostile;
mod latency;
mod playthrough;
mod protocol;
mod streams;
mod tools;

use herbrand_mcp::{Folders, ToolAnswer, Tools};
use herbrand_play::SessionLimits;
use serde_json::{Value, json};

fn tools() -> Tools {
    Tools::new(SessionLimits::default(), Folders::default())
}

/// Calls a tool that exists.
fn call(tools: &Tools, name: &str, arguments: Value) -> ToolAnswer {
    let Value::Object(arguments) = arguments else {
        panic!("arguments are an object");
    };
    tools.call(name, arguments).expect("there is such a tool")
}

/// Calls a tool and expects success.
fn done(tools: &Tools, name: &str, arguments: Value) -> ToolAnswer {
    let answer = call(tools, name, arguments);
    assert!(!answer.is_refused, "{name}: {}", answer.text);
    answer
}

/// Opens a bundled problem and returns the name of the session.
fn open(tools: &Tools, domain: &str) -> String {
    let answer = done(tools, "open", json!({"domain": domain}));
    answer.data["session"].as_str().expect("a name").to_owned()
}
