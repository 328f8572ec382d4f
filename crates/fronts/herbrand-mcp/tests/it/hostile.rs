//! Hostile calls: none panics, none reaches another session or a file outside the folders, and memory stays bounded.

use std::time::Duration;

use herbrand_limits::Limits;
use herbrand_mcp::{Folders, ToolAnswer, Tools};
use herbrand_play::{RequestLimits, SessionLimits};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use super::open;

const PROBLEM: &[&str] = &[
    "domain",
    "problem",
    "domain_text",
    "problem_text",
    "settings_text",
    "sentences_text",
    "domain_file",
    "problem_file",
    "seed",
];
/// The tools with their arguments.
const TOOLS: &[(&str, &[&str])] = &[
    ("domains", &["domain"]),
    ("check", PROBLEM),
    ("open", PROBLEM),
    ("open", &["domain", "problem"]),
    ("state", &["session"]),
    ("actions", &["session", "most"]),
    ("step", &["session", "action"]),
    ("undo", &["session", "steps"]),
    ("why_not", &["session", "action"]),
    ("plan", &["session"]),
    ("validate", &["session", "plan"]),
    ("plan", &["domain", "problem", "planner", "runs", "table"]),
    ("validate", &["domain", "problem", "plan", "episodes"]),
    (
        "rollout",
        &["domain", "problem", "policy", "episodes", "steps", "seed"],
    ),
    ("ground", &["session", "most"]),
    ("edit", &["session", "edits", "seed"]),
    ("fork", &["session", "seed"]),
    ("draw", &["session", "file"]),
    ("texts", &["session"]),
    ("save", &["session", "domain_file", "problem_file"]),
    ("close", &["session"]),
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
    "gripper",
    "3",
    "../../etc/passwd",
    "../secret.pddl",
    "new.pddl",
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

/// The value of an argument: mostly of its type.
fn value_of(key: &'static str) -> BoxedStrategy<Value> {
    let fact = || text().prop_map(|fact| json!({"edit": "add-fact", "fact": fact}));
    match key {
        "session" => prop_oneof![12 => Just(json!("OWN")), 1 => value()].boxed(),
        "seed" | "most" | "steps" => prop_oneof![4 => (0..50u32).prop_map(Value::from), 1 => value()].boxed(),
        "edits" => prop_oneof![2 => vec(fact(), 0..3).prop_map(Value::Array), 1 => value()].boxed(),
        _ => prop_oneof![5 => text().prop_map(Value::String), 1 => value()].boxed(),
    }
}

/// A call: of a tool with its arguments and hostile values, or of any name with any arguments.
fn call() -> impl Strategy<Value = (String, Map<String, Value>)> {
    let object = |pairs: Vec<(&str, Value)>| -> Map<String, Value> {
        pairs
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect()
    };
    let name =
        prop_oneof![8 => prop::sample::select(TOOLS).prop_map(|(name, _)| name.to_owned()), 1 => text()];
    let any = (name, vec((prop::sample::select(KEYS), value()), 0..5))
        .prop_map(move |(name, pairs)| (name, object(pairs)));
    let fitting = prop::sample::select(TOOLS).prop_flat_map(move |(name, keys)| {
        let pairs: Vec<_> = keys
            .iter()
            .map(|&key| (Just(key), value_of(key), prop::bool::weighted(0.8)))
            .collect();
        pairs.prop_map(move |pairs| {
            let given = pairs
                .into_iter()
                .filter(|(key, _, given)| *given || *key == "session");
            (
                name.to_owned(),
                object(given.map(|(key, value, _)| (key, value)).collect()),
            )
        })
    });
    prop_oneof![1 => any, 3 => fitting]
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
        bytes: 128 << 20,
        ..SessionLimits::default()
    }
}

/// Returns the number in an environment variable, or another one.
pub(super) fn count(variable: &str, default: usize) -> usize {
    let given = std::env::var(variable).ok();
    given.and_then(|count| count.parse().ok()).unwrap_or(default)
}

/// Returns the physical memory of this process.
pub(super) fn memory() -> usize {
    memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem)
}

/// The text of a file beside the folder of the server.
const SECRET: &str = "(define (domain secret-7f3a))";

/// Returns a folder with a secret file and the server's folder.
pub(super) fn folders() -> (TempDir, Folders) {
    let all = tempfile::tempdir().expect("a folder");
    let inside = all.path().join("inside");
    std::fs::create_dir(&inside).expect("a folder");
    std::fs::write(all.path().join("secret.pddl"), SECRET).expect("a file");
    let folders = Folders::new([inside]).expect("it is a folder");
    (all, folders)
}

/// Draws calls, and knows the sessions that they opened.
pub(super) struct Attacker {
    runner: TestRunner,
    calls: BoxedStrategy<(String, Map<String, Value>)>,
    own: Vec<String>,
}

impl Attacker {
    pub(super) fn new() -> Self {
        let seeded = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        Self {
            runner: TestRunner::new_with_rng(Config::default(), seeded),
            calls: call().boxed(),
            own: Vec::new(),
        }
    }

    pub(super) fn draw<S: Strategy>(&mut self, strategy: &S) -> S::Value {
        strategy.new_tree(&mut self.runner).expect("a value").current()
    }

    /// Draws a call, mostly of the last session that was opened.
    pub(super) fn call(&mut self, tools: &Tools) -> (String, Map<String, Value>) {
        let calls = self.calls.clone();
        let (name, mut arguments) = self.draw(&calls);
        let is_open = |name: &String| {
            tools
                .sessions()
                .with(name.parse().expect("a name"), |_| Ok(()))
                .is_ok()
        };
        self.own.retain(is_open);
        if self.own.is_empty() {
            let opened = super::call(tools, "open", json!({"domain": "gripper"}));
            self.heard(tools, &opened.data);
        }
        if arguments.get("session") == Some(&json!("OWN")) {
            arguments.insert("session".to_owned(), json!(self.own.last()));
        }
        (name, arguments)
    }

    /// Keeps the name of a session that a call has opened. Closes old ones, so that there is room.
    pub(super) fn heard(&mut self, tools: &Tools, data: &Value) {
        if let Some(name) = data["session"].as_str() {
            self.own.push(name.to_owned());
        }
        while self.own.len() > 8 {
            tools
                .sessions()
                .close(self.own.remove(0).parse().expect("a name"));
        }
    }
}

/// Sessions that take steps meanwhile, each with a twin that no hostile call can reach.
pub(super) struct Bystanders {
    alone: Tools,
    pairs: Vec<(String, String)>,
}

impl Bystanders {
    pub(super) fn open(tools: &Tools) -> Self {
        // The first call of the process reads all bundled domains, which may take longer than these limits.
        open(&super::tools(), "blocks");
        let alone = Tools::new(limits(), Folders::default());
        let domains = ["blocks", "tireworld", "rddl/sysadmin-mdp"];
        let pairs = domains.map(|domain| (open(tools, domain), open(&alone, domain)));
        Self {
            alone,
            pairs: pairs.into(),
        }
    }

    /// Calls a tool of a session. A call that took too long on a busy machine is repeated.
    fn ask(tools: &Tools, session: &str, tool: &str) -> ToolAnswer {
        let arguments = json!({"session": session, "action": "1"});
        let given = match tool {
            "step" => arguments,
            _ => json!({"session": session}),
        };
        for _ in 0..50 {
            let mut answer = super::call(tools, tool, given.clone());
            if answer.data["kind"] != "limit" {
                answer.text = answer.text.replace(session, "NAME");
                answer.data["session"] = json!("NAME");
                return answer;
            }
        }
        panic!("{tool} reaches a limit");
    }

    /// Takes a step in each session and its twin, or one back. Both answer alike.
    pub(super) fn step(&self, tools: &Tools) {
        for (own, twin) in &self.pairs {
            let both = |tool: &str| {
                let answer = Self::ask(tools, own, tool);
                assert_eq!(answer, Self::ask(&self.alone, twin, tool));
                answer
            };
            if both("step").is_refused {
                both("undo");
            }
            both("state");
        }
    }

    /// Checks that an answer has neither the names of these sessions nor the content of other files, and that no call has
    /// panicked.
    pub(super) fn check(&self, answer: &str) {
        for hidden in
            self.pairs
                .iter()
                .map(|(own, _)| own.as_str())
                .chain(["root:x:", SECRET, "the call failed"])
        {
            assert!(!answer.contains(hidden), "{answer}");
        }
    }
}

#[test]
fn hostile_calls_are_answered() {
    let calls = count("HOSTILE_CALLS", 400);
    let (all, folders) = folders();
    let tools = Tools::new(limits(), folders);
    let (mut attacker, bystanders) = (Attacker::new(), Bystanders::open(&tools));
    let (mut first, mut most, mut refused) = (0, 0, 0);
    for number in 0..calls {
        let (name, arguments) = attacker.call(&tools);
        if let Some(answer) = tools.call(&name, arguments) {
            refused += usize::from(answer.is_refused);
            bystanders.check(&answer.text);
            bystanders.check(&answer.data.to_string());
            attacker.heard(&tools, &answer.data);
        }
        if number % 40 == 0 {
            bystanders.step(&tools);
        }
        if number == calls / 10 {
            first = memory();
        }
        most = most.max(memory());
    }
    println!("{calls} calls, {refused} refused; {first} bytes after a tenth, {most} at most");
    assert!(
        (calls / 4..calls * 9 / 10).contains(&refused),
        "{refused} of {calls} calls were refused"
    );
    assert!(
        most < first + (256 << 20),
        "memory grew from {first} to {most} bytes"
    );
    bystanders.step(&tools);
    let outside = std::fs::read_dir(all.path()).expect("a folder").count();
    assert_eq!(outside, 2, "a file was written outside the folder");
}
