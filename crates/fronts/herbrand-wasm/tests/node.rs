//! Runs the WebAssembly engine in Node and compares its replies with the native engine's, byte for byte.
//!
//! The tests are skipped if there is no Node, or if `HERBRAND_WASM` is not the path of an engine built by `cargo build
//! --target wasm32-unknown-unknown -p herbrand-wasm`. Rebuild the engine first: an old build has other domains.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use herbrand_play::{Playground, RequestLimits};
use serde_json::{Value, json};

/// The maximal size of any other build, in bytes.
const DEBUG_BYTES: u64 = 21_000_000;

/// The maximal size of the build that is published, in bytes.
const PUBLISHED_BYTES: u64 = 13_500_000;

/// Returns the replies of the engine in Node, or `None` if there is no engine or no Node.
fn in_node(requests: &[String]) -> Option<Vec<String>> {
    let Some(engine) = std::env::var_os("HERBRAND_WASM") else {
        eprintln!("skipped: HERBRAND_WASM names no engine");
        return None;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ask.mjs");
    let node = Command::new("node")
        .arg(script)
        .arg(engine)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut node) = node else {
        eprintln!("skipped: there is no node on this machine");
        return None;
    };
    let mut input = node.stdin.take().expect("its input is piped");
    let text = requests.join("\n") + "\n";
    let writing = thread::spawn(move || input.write_all(text.as_bytes()));
    let output = node.wait_with_output().expect("it ends");
    writing.join().expect("it writes").expect("it reads");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    Some(text.lines().map(str::to_owned).collect())
}

/// Returns requests along a walk of `steps` steps, which takes one of the offered actions at each step.
fn walk(playground: &mut Playground, problem: &Value, steps: usize) -> Vec<String> {
    let mut requests = Vec::new();
    let mut walk: Vec<Value> = Vec::new();
    for step in 0..steps {
        let position =
            |ask: &str| json!({"ask": ask, "problem": problem, "seed": 7, "walk": walk}).to_string();
        requests.push(position("look"));
        let view: Value = serde_json::from_str(&playground.answer(&position("look"))).expect("JSON");
        let actions = view["actions"].as_array().cloned().unwrap_or_default();
        if step % 10 == 9 {
            requests.extend(["hint", "trace"].map(position));
        }
        match actions.get((5 * step + 2) % actions.len().max(1)) {
            Some(action) => walk.push(json!([action["text"]])),
            None => walk.push(json!([])),
        }
    }
    // Return to an earlier position.
    requests
        .push(json!({"ask": "look", "problem": problem, "seed": 7, "walk": &walk[..steps / 2]}).to_string());
    requests
}

#[test]
fn answers_are_those_of_the_native_engine() {
    let mut native = Playground::new(RequestLimits::default());
    let mut requests = vec![json!({"ask": "catalogue"}).to_string(), "nonsense".to_owned()];
    let problems = [
        ("sokoban", "train/03", 40),
        ("blocks", "train/04", 20),
        ("hanoi", "train/02", 20),
        // Probabilistic effects, axioms and numbers.
        ("river", "train/01", 20),
        ("blocks-derived", "train/02", 12),
        ("supply", "train/01", 12),
        ("logistics", "train/02", 12),
        ("rddl/elevators", "2", 20),
        ("rddl/cartpole-discrete", "1", 20),
        ("rddl/wildfire-mdp", "1", 12),
    ];
    for (domain, problem, steps) in problems {
        let name = json!({"domain": domain, "problem": problem});
        requests.extend(walk(&mut native, &name, steps));
        for ask in ["texts", "ground", "datalog"] {
            requests.push(json!({"ask": ask, "problem": name}).to_string());
        }
        let texts: Value =
            serde_json::from_str(&native.answer(&json!({"ask": "texts", "problem": name}).to_string()))
                .expect("JSON");
        let mut texts = texts["texts"].clone();
        requests.push(json!({"ask": "check", "texts": texts}).to_string());
        for want in ["hover", "completion", "format"] {
            let assist = json!({"ask": "assist", "texts": texts, "text": "domain", "want": want, "line": 12, "character": 12});
            requests.push(assist.to_string());
        }
        let broken = texts["domain"].as_str().expect("a text").replacen("a", "", 9);
        texts["domain"] = json!(broken);
        requests.push(json!({"ask": "check", "texts": texts}).to_string());
        requests
            .push(json!({"ask": "assist", "texts": texts, "text": "domain", "want": "fixes"}).to_string());
    }
    requests.push(json!({"ask": "explanation", "code": "E0101"}).to_string());
    let Some(answers) = in_node(&requests) else { return };
    assert_eq!(answers.len(), requests.len());
    // A new playground, to check that earlier requests do not change the replies.
    let mut native = Playground::new(RequestLimits::default());
    for (request, answer) in requests.iter().zip(answers) {
        assert_eq!(answer, native.answer(request), "{request}");
    }
}

/// A page must load the engine before a game can start, so its size is limited. The continuous integration builds without
/// optimization; pages use the profile `dist`, which has its own limit.
#[test]
fn the_engine_keeps_to_its_budget() {
    let Some(engine) = std::env::var_os("HERBRAND_WASM") else {
        eprintln!("skipped: HERBRAND_WASM names no engine");
        return;
    };
    let engine = Path::new(&engine);
    let bytes = std::fs::metadata(engine).expect("the engine").len();
    let is_published = engine.components().any(|part| part.as_os_str() == "dist");
    let most = if is_published {
        PUBLISHED_BYTES
    } else {
        DEBUG_BYTES
    };
    assert!(
        bytes <= most,
        "{} has {bytes} bytes, its budget is {most}",
        engine.display()
    );
}

#[test]
fn limits_hold_there_too() {
    let objects: Vec<_> = (0..1000).map(|number| format!("o{number}")).collect();
    let domain = "(define (domain d) (:predicates (q ?a ?b ?c)) (:action a :parameters (?a ?b ?c) :effect (q ?a ?b ?c)))";
    let problem = format!(
        "(define (problem p) (:domain d) (:objects {}) (:init) (:goal (q o0 o1 o2)))",
        objects.join(" ")
    );
    let hostile = json!({"ask": "look", "problem": {"texts": {"domain": domain, "problem": problem}}});
    let long = json!({"ask": "look", "problem": {"texts": {"domain": "(".repeat(300 << 10), "problem": ""}}});
    let fine = json!({"ask": "look", "problem": {"domain": "blocks", "problem": "train/01"}});
    let requests = [hostile, long, fine].map(|request| request.to_string());
    let Some(answers) = in_node(&requests) else { return };
    let kinds = answers.iter().map(|answer| {
        let answer: Value = serde_json::from_str(answer).expect("JSON");
        (answer["is"].clone(), answer["kind"].clone())
    });
    let refused = (json!("refused"), json!("limit"));
    assert_eq!(
        kinds.collect::<Vec<_>>(),
        [refused.clone(), refused, (json!("view"), Value::Null)]
    );
}
