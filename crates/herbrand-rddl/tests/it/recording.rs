//! Recorded walks can be replayed, and every change of a trace is detected.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use herbrand_core::{Policy, RolloutOptions, watch_roll_out};
use herbrand_rddl::Source;
use herbrand_rddl::simulate::Process;
use herbrand_rddl::suite::RddlSuite;
use herbrand_rddl::trace::{DrawRule, Header, RecordOptions, Recorder, Replay, Replayer, TraceError, record};
use serde_json::{Value, json};

/// Returns a trace of the first problem of a bundled environment.
fn recorded(suite: &RddlSuite, options: &RecordOptions) -> Vec<u8> {
    let mut trace = Vec::new();
    let steps = record(
        suite.simulator(0).unwrap(),
        (suite.name(), "1"),
        options,
        &mut trace,
    )
    .unwrap();
    assert!(steps > 0, "{}", suite.name());
    trace
}

fn replay(process: &Arc<Process>, trace: &[u8]) -> Result<Replay, TraceError> {
    let mut lines = trace;
    let header = Replayer::read_header(&mut lines)?;
    Replayer::new(process, header)?.replay(lines)
}

#[test]
fn recorded_walks_of_all_environments_replay() {
    for name in RddlSuite::bundled_names() {
        let suite = RddlSuite::bundled(&name).unwrap();
        for draws in [DrawRule::Quantiles, DrawRule::Generator] {
            let options = RecordOptions {
                draws,
                steps: 12,
                ..RecordOptions::default()
            };
            let trace = recorded(&suite, &options);
            let replay = replay(suite.process(0).unwrap(), &trace).unwrap();
            assert_eq!(replay.first, None, "{name} {draws:?}");
            assert_eq!(
                trace,
                recorded(&suite, &options),
                "{name} is recorded twice alike"
            );
        }
    }
}

/// Returns the lines of a trace of a POMDP with intermediate fluents, preconditions, reals, ints and items.
fn lines() -> (RddlSuite, Vec<Value>) {
    let text = "
        domain d {
            types { o : object; mood : { @dim, @bright }; };
            pvariables {
                on(o)   : { state-fluent, bool, default = false };
                n       : { state-fluent, int, default = 3 };
                x       : { state-fluent, real, default = 0.5 };
                mood    : { state-fluent, mood, default = @dim };
                half    : { interm-fluent, real };
                seen(o) : { observ-fluent, bool };
                press(o): { action-fluent, bool, default = false };
                push    : { action-fluent, real, default = 0.0 };
            };
            cpfs {
                half = x / 2;
                on'(?o) = press(?o) | Bernoulli(0.5);
                n' = n + Poisson(2.0);
                x' = Normal(half, 1.0) + push;
                mood' = Discrete(mood, @dim : 0.5, @bright : 0.5);
                seen(?o) = on'(?o) ^ Bernoulli(0.9);
            };
            reward = x' + n;
            action-preconditions { push <= 0.1; };
        }
        instance i {
            domain = d;
            objects { o : { a, b }; };
            max-nondef-actions = 2;
            horizon = 6;
            discount = 0.9;
        }";
    let suite = RddlSuite::from_sources(&[Source::new("text", text)]).unwrap();
    let trace = recorded(&suite, &RecordOptions::default());
    let text = String::from_utf8(trace).unwrap();
    let lines = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    (suite, lines)
}

fn follow(suite: &RddlSuite, lines: &[Value]) -> Result<Replay, TraceError> {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    replay(suite.process(0).unwrap(), text.as_bytes())
}

#[test]
fn lines_are_those_of_the_reference_data() {
    let (suite, lines) = lines();
    let header = &lines[0];
    assert_eq!(
        header["state_names"],
        json!(["on___a", "on___b", "n", "x", "mood"])
    );
    assert_eq!(header["state_ranges"]["mood"], "mood");
    assert_eq!(header["interm_names"], json!(["half"]));
    assert_eq!(
        (&header["horizon"], &header["max_nondef_actions"]),
        (&json!(6), &json!(2))
    );
    assert_eq!(lines[1]["state"], json!([false, false, 3, 0.5, "dim"]));
    assert_eq!(lines[1]["u"], json!(0.618_033_988_749_894_9));
    assert_eq!(lines[1]["interm"], json!([0.25]));
    assert_eq!(lines[1]["observ"].as_array().unwrap().len(), 2);
    assert_eq!(lines[7]["end"], "horizon");
    assert_eq!((lines.len(), follow(&suite, &lines).unwrap().steps), (15, 12));
}

#[test]
fn whatever_is_changed_is_found() {
    let (suite, lines) = lines();
    assert_eq!(follow(&suite, &lines).unwrap().first, None);
    let found = |line: usize, path: &str, value: Value| {
        let mut lines = lines.clone();
        *lines[line].pointer_mut(path).unwrap() = value;
        let replay = follow(&suite, &lines).unwrap();
        let first = replay.first.unwrap_or_else(|| panic!("line {line}, {path}"));
        (first.line, first.to_string())
    };
    let other = |value: &Value| !value.as_bool().unwrap();
    let (at, text) = found(2, "/reward", json!(100.0));
    assert_eq!(at, 3);
    assert!(
        text.contains("reward is ") && text.contains("100.0 in the trace"),
        "{text}"
    );
    for (line, path) in [
        (2, "/observ/0"),
        (2, "/terminated"),
        (2, "/truncated"),
        (3, "/state/0"),
    ] {
        let changed = json!(other(lines[line].pointer(path).unwrap()));
        assert_eq!(found(line, path, changed).0, 3, "{path}");
    }
    let changes = [
        (2, "/interm/0", json!(9.5)),
        (3, "/state/2", json!(77)),
        (3, "/state/3", json!("inf")),
        (2, "/precondition_violated", json!([5])),
        (2, "/u", json!(0.999)),
        (
            2,
            "/action",
            json!({"press___a": true, "press___b": true, "push": 1.0}),
        ),
        (2, "/action", json!({"pull": 1.0})),
        (2, "/observ", json!([true])),
    ];
    for (line, path, value) in changes {
        assert_eq!(found(line, path, value).0, 3, "{path}");
    }
    let (at, text) = found(1, "/state/2", json!(4));
    assert_eq!(at, 2);
    assert!(text.contains("n is 3 initially, and 4 in the trace"), "{text}");
}

#[test]
fn what_is_no_trace_is_told_by_line() {
    let (suite, lines) = lines();
    let fault = |change: &dyn Fn(&mut Vec<Value>)| {
        let mut lines = lines.clone();
        change(&mut lines);
        follow(&suite, &lines).unwrap_err().to_string()
    };
    assert_eq!(
        fault(&|lines| lines[0]["state_names"][0] = json!("off___a")),
        "the trace has a ground fluent `off___a`, but the problem does not"
    );
    assert_eq!(
        fault(&|lines| drop(lines.remove(3))),
        "line 4: step 3 of walk 0 does not follow the line before"
    );
    assert_eq!(
        fault(&|lines| drop(lines.remove(1))),
        "line 2: walk 0 does not begin with step 0"
    );
    assert_eq!(
        fault(&|lines| drop(lines.pop())),
        "line 14: the file ends in the midst of a walk"
    );
    assert_eq!(
        fault(&|lines| lines[2]["state"][4] = json!("grey")),
        "line 3: `mood` cannot be grey"
    );
    assert_eq!(
        fault(&|lines| lines[2]["state"] = json!([])),
        "line 3: the state has 0 values, not 5"
    );
    assert!(fault(&|lines| lines[2]["walk"] = json!("x")).starts_with("line 3: "));
    assert!(matches!(
        replay(suite.process(0).unwrap(), b""),
        Err(TraceError::Empty)
    ));
}

#[test]
fn refused_steps_are_recorded_and_replayed() {
    let text = "
        domain d {
            pvariables { p : { state-fluent, real, default = 0.6 }; b : { state-fluent, bool, default = false }; };
            cpfs { p' = p + 0.25; b' = Bernoulli(p); };
            reward = p;
        }
        instance i { domain = d; horizon = 9; discount = 1.0; }";
    let suite = RddlSuite::from_sources(&[Source::new("text", text)]).unwrap();
    let trace = recorded(&suite, &RecordOptions::default());
    let text = String::from_utf8(trace.clone()).unwrap();
    let line = text.lines().nth(3).unwrap();
    assert!(line.contains("\"error\":\"b: "), "{line}");
    assert!(text.lines().nth(4).unwrap().contains("\"end\":\"error\""));
    let replay = replay(suite.process(0).unwrap(), &trace).unwrap();
    assert_eq!((replay.steps, replay.first), (6, None));
}

#[test]
fn recorded_rollouts_replay() {
    let suite = RddlSuite::bundled("rddl/uav-mixed").unwrap().only(0).unwrap();
    let process = suite.process(0).unwrap();
    let mut recorder = Recorder::new(Header::of(process, (suite.name(), "1")), Vec::new()).unwrap();
    let options = RolloutOptions {
        episodes: 3,
        steps: 15,
        ..RolloutOptions::default()
    };
    let stop = AtomicBool::new(false);
    let rollout = watch_roll_out(&suite, &Policy::Random, &options, &stop, |walk, system, joint| {
        recorder.visit(walk, system, joint).unwrap();
    });
    assert_eq!((rollout.unwrap().steps, recorder.steps()), (45, 45));
    let replay = replay(process, &recorder.finish().unwrap()).unwrap();
    assert_eq!((replay.steps, replay.first), (45, None));
}
