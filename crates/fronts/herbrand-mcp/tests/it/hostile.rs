//! Hostile calls: none panics, none reaches another session, and memory stays bounded.

use std::time::Duration;

use herbrand_limits::Limits;
use herbrand_mcp::{Folders, Tools};
use herbrand_play::{RequestLimits, SessionLimits};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRng, TestRunner};
use serde_json::{Map, Value, json};

use super::{done, open};

const NAMES: &[&str] = &[
    "domains", "check", "open", "state", "actions", "step", "undo", "why_not", "plan", "validate", "ground",
    "edit", "fork", "draw", "texts", "save", "close",
];
const KEYS: &[&str] = &[
    "session",
    "action",
    "domain",
    "problem",
    "domain_text",
    "problem_text",
    "settings_text",
    "sentences_text",
    "domain_file",
    "problem_file",
    "seed",
    "most",
    "steps",
    "plan",
    "edits",
    "file",
    "edit",
    "fact",
    "zzz",
];
const TEXTS: &[&str] = &[
    "",
    "blocks",
    "train/01",
    "rddl/sysadmin-mdp",
    "1",
    "../../etc/passwd",
    "/etc/passwd",
    "/dev/zero",
    "\0",
    "(",
    "((((((((((",
    "(stack a b)",
    "put block a on block b",
    "99999999999999999999",
    "-1",
    "{}",
    "[facts]\non = \"{0}\"",
    "\u{202e}\u{1f600}",
    "(define (domain d) (:predicates (p ?x)) (:action a :parameters (?x) :effect (p ?x)))",
    "(define (problem q) (:domain d) (:objects o) (:goal (p o)))",
    "00000000000000000000000000000000",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => prop::sample::select(TEXTS).prop_map(str::to_owned),
        2 => "\\PC{0,60}",
        1 => (prop::sample::select(TEXTS), 0..2000usize).prop_map(|(text, count)| text.repeat(count)),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        6 => text().prop_map(Value::String),
        2 => any::<i64>().prop_map(|number| json!(number)),
        1 => any::<u64>().prop_map(|number| json!(number)),
        1 => any::<f64>().prop_map(|number| json!(number)),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::Bool),
        2 => Just(json!("OWN")),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::Array),
            vec((prop::sample::select(KEYS), inner), 0..4).prop_map(|pairs| pairs
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect()),
        ]
    })
}

pub(super) fn call() -> impl Strategy<Value = (String, Map<String, Value>)> {
    let name = prop_oneof![8 => prop::sample::select(NAMES).prop_map(str::to_owned), 1 => text()];
    (
        name,
        any::<bool>(),
        vec((prop::sample::select(KEYS), value()), 0..5),
    )
        .prop_map(|(name, own, pairs)| {
            let mut arguments: Map<_, _> = pairs
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect();
            if own {
                arguments.insert("session".to_owned(), json!("OWN"));
            }
            (name, arguments)
        })
}

/// Narrow limits, which hostile calls reach soon.
pub(super) fn limits() -> SessionLimits {
    SessionLimits {
        allowance: RequestLimits {
            limits: Limits {
                bytes: Some(32 << 20),
                time: Some(Duration::from_millis(300)),
            },
            text: 16 << 10,
            ..RequestLimits::default()
        },
        sessions: 20,
        bytes: 64 << 20,
        ..SessionLimits::default()
    }
}

#[test]
fn hostile_calls_are_answered() {
    let calls = std::env::var("HOSTILE_CALLS")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(400);
    let tools = Tools::new(limits(), Folders::default());
    let victim = open(&tools, "blocks");
    done(&tools, "step", json!({"session": victim, "action": "1"}));
    let before = done(&tools, "state", json!({"session": victim}));
    let mut own = open(&tools, "gripper");

    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let strategy = call();
    let memory = || memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem);
    let (mut first, mut refused) = (0, 0);
    for number in 0..calls {
        let (name, mut arguments) = strategy.new_tree(&mut runner).expect("a call").current();
        if arguments.get("session") == Some(&json!("OWN")) {
            arguments.insert("session".to_owned(), json!(own));
        }
        if let Some(answer) = tools.call(&name, arguments) {
            refused += usize::from(answer.is_refused);
            assert!(
                !answer.text.contains(&victim) && !answer.data.to_string().contains(&victim),
                "{name}"
            );
            assert!(!answer.text.contains("root:x:"), "{name}");
        }
        if tools
            .sessions()
            .with(own.parse().expect("a name"), |_| Ok(()))
            .is_err()
            || tools.sessions().len() >= 19
        {
            // The hostile client's sessions are closed, and it opens another.
            tools.sessions().close(own.parse().expect("a name"));
            let answer = super::call(&tools, "open", json!({"domain": "gripper"}));
            if let Some(name) = answer.data["session"].as_str() {
                own = name.to_owned();
            }
        }
        if number == calls / 10 {
            first = memory();
        }
    }
    assert!(refused > calls / 4, "{refused} of {calls} calls were refused");
    assert!(
        memory() < first + (256 << 20),
        "memory grew from {first} to {} bytes",
        memory()
    );
    let after = done(&tools, "state", json!({"session": victim}));
    assert_eq!(after, before);
}
