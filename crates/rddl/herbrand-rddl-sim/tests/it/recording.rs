//! Recorded walks can be replayed, and every change of a trace is detected.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use herbrand_core::trace::{FileError, Seeded, Warning};
use herbrand_core::{RolloutOptions, RolloutPolicy, watch_roll_out};
use herbrand_rddl::Source;
use herbrand_rddl_sim::simulate::CompiledInstance;
use herbrand_rddl_sim::suite::RddlSuite;
use herbrand_rddl_sim::trace::{
    DrawRule, RddlHeader, RddlRecorder, RecordOptions, Replay, Replayer, TraceError, record,
};
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
    assert!(steps.steps > 0, "{}", suite.name());
    trace
}

fn replay(compiled: &Arc<CompiledInstance>, trace: &[u8]) -> Result<Replay, TraceError> {
    let mut lines = trace;
    let header = Replayer::read_header(&mut lines)?;
    Replayer::new(compiled, header)?.replay(lines)
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
            let replay = replay(suite.compiled(0).unwrap(), &trace).unwrap();
            assert_eq!(
                (replay.first, replay.warnings),
                (None, Vec::new()),
                "{name} {draws:?}"
            );
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
    replay(suite.compiled(0).unwrap(), text.as_bytes())
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
    assert_eq!((lines.len(), follow(&suite, &lines).unwrap().states), (15, 12));
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
        replay(suite.compiled(0).unwrap(), b""),
        Err(TraceError::File(FileError::Empty))
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
    let replay = replay(suite.compiled(0).unwrap(), &trace).unwrap();
    assert_eq!((replay.states, replay.first), (6, None));
}

#[test]
fn recorded_rollouts_replay() {
    let suite = RddlSuite::bundled("rddl/uav-mixed").unwrap().only(0).unwrap();
    let compiled = suite.compiled(0).unwrap();
    let header = RddlHeader {
        seed: Some(0),
        seeded: Some(Seeded::Walks),
        ..RddlHeader::of(compiled, (suite.name(), "1"))
    };
    let mut recorder = RddlRecorder::new(header, Vec::new()).unwrap();
    let options = RolloutOptions {
        episodes: 3,
        steps: 15,
        ..RolloutOptions::default()
    };
    let stop = AtomicBool::new(false);
    let rollout = watch_roll_out(
        &suite,
        &RolloutPolicy::Random,
        &options,
        &stop,
        |walk, system, _, joint| {
            recorder.visit(walk, system, joint).unwrap();
        },
    );
    assert_eq!((rollout.unwrap().steps, recorder.recorded().steps), (45, 45));
    let replay = replay(compiled, &recorder.finish().unwrap()).unwrap();
    assert_eq!(
        (replay.states, replay.first, replay.warnings),
        (45, None, Vec::new())
    );
}

/// The warnings of a replay without a mismatch.
fn warnings(suite: &RddlSuite, lines: &[Value]) -> Vec<String> {
    let replay = follow(suite, lines).unwrap();
    assert_eq!(replay.first, None);
    replay.warnings.iter().map(Warning::to_string).collect()
}

#[test]
fn header_values_that_differ_from_the_problem_are_reported() {
    let (suite, lines) = lines();
    assert_eq!(warnings(&suite, &lines), [""; 0]);
    let changed = |key: &str, value: Value| {
        let mut lines = lines.clone();
        lines[0][key] = value;
        warnings(&suite, &lines)
    };
    for (key, value, message) in [
        (
            "discount",
            json!(0.5),
            "`discount`: 0.5 in the trace, 0.9 in the problem",
        ),
        (
            "max_nondef_actions",
            json!(3),
            "`max_nondef_actions`: 3 in the trace, 2 in the problem",
        ),
        (
            "preconditions",
            json!(4),
            "`preconditions`: 4 in the trace, 1 in the problem",
        ),
        (
            "state_ranges",
            json!({"x": "int"}),
            "`state_ranges`: `x` is int in the trace, real in the problem",
        ),
        (
            "state_ranges",
            json!({"x": "int", "y": "int"}),
            "`state_ranges`: `x` is int in the trace, real in the problem, and 1 more",
        ),
        (
            "interm_ranges",
            json!({"half": "bool"}),
            "`interm_ranges`: `half` is bool in the trace, real in the problem",
        ),
        (
            "observ_ranges",
            json!({"on": "bool"}),
            "`observ_ranges`: `on` is bool in the trace, unknown in the problem",
        ),
        ("u", json!("chosen by hand"), ""),
        ("colour", json!("red"), "`colour`: the format has no such key"),
    ] {
        let expected = format!("line 1, {message}");
        let expected = if message.is_empty() {
            vec![]
        } else {
            vec![expected]
        };
        assert_eq!(changed(key, value), expected, "{key}");
    }
    let seed = changed("seed", json!(1));
    assert!(
        matches!(&seed[..], [one] if one.starts_with("line 1, `seed`: 1 gives another action than line ")),
        "{seed:?}"
    );
    // Steps of an episode that the trace ends by another horizon.
    let mut longer = lines.clone();
    longer[0]["horizon"] = json!(null);
    for line in &mut longer[1..] {
        if line["truncated"] == json!(true) {
            line["truncated"] = json!(false);
        }
    }
    assert_eq!(
        warnings(&suite, &longer),
        ["line 1, `horizon`: none in the trace, 6 in the problem"]
    );
    // Some fluents are missing, and one occurs twice.
    let mut fewer = lines.clone();
    fewer[0]["observ_names"] = json!(["seen___a"]);
    for line in &mut fewer[1..] {
        if line.get("observ").is_some() {
            line["observ"].as_array_mut().unwrap().pop();
        }
    }
    assert_eq!(
        warnings(&suite, &fewer),
        ["line 1, `observ_names`: the trace lacks `seen___b`"]
    );
    fewer[0]["observ_names"] = json!(["seen___a", "seen___a"]);
    for line in &mut fewer[1..] {
        if let Some(value) = line.pointer("/observ/0").cloned() {
            line["observ"].as_array_mut().unwrap().push(value);
        }
    }
    assert_eq!(
        warnings(&suite, &fewer),
        ["line 1, `observ_names`: `seen___a` is listed twice"]
    );
}

#[test]
fn draws_that_are_not_those_of_the_header_are_reported() {
    let (suite, _) = lines();
    let options = RecordOptions {
        draws: DrawRule::Generator,
        ..RecordOptions::default()
    };
    let trace = String::from_utf8(recorded(&suite, &options)).unwrap();
    let keys: Vec<Value> = trace
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(warnings(&suite, &keys), [""; 0]);
    // The actions are somebody else's, and the outcomes are the seed's.
    let mut outcomes = keys;
    outcomes[0]["seeded"] = json!("outcomes");
    assert_eq!(warnings(&suite, &outcomes), [""; 0]);
    outcomes[0]["seed"] = json!(1);
    assert_eq!(
        warnings(&suite, &outcomes),
        ["line 1, `seed`: 1 gives another `key` than line 2 has"]
    );
    // A number that the rule does not give. The last step of a walk that a termination ends may have any.
    let (suite, mut lines) = lines();
    let words = lines[0]["u"].clone();
    lines[0]["u"] = json!("other words");
    assert_eq!(warnings(&suite, &lines), [""; 0]);
    lines[0]["u"] = words;
    let u = lines[1]["u"].as_f64().unwrap();
    lines[1]["u"] = json!(f64::from_bits(u.to_bits() + 1));
    let replay = follow(&suite, &lines).unwrap();
    assert_eq!(
        replay.warnings,
        [Warning::of_header(
            "u",
            "line 2 has another number than this rule gives"
        )]
    );
}

#[test]
fn traces_of_other_versions() {
    let (suite, mut lines) = lines();
    lines[2]["mood"] = json!("bright");
    assert_eq!(
        warnings(&suite, &lines),
        ["line 3, `mood`: the format has no such key"]
    );
    lines[0].as_object_mut().unwrap().remove("version");
    assert_eq!(warnings(&suite, &lines), [""; 0]);
    // Other engines may report fewer preconditions, and not more.
    lines[0]["preconditions"] = json!(0);
    for line in &mut lines[1..] {
        if line.get("precondition_violated").is_some() {
            line["precondition_violated"] = json!([]);
        }
    }
    assert_eq!(warnings(&suite, &lines), [""; 0]);
    lines[0]["preconditions"] = json!(2);
    assert_eq!(follow(&suite, &lines).unwrap().warnings.len(), 1);
    lines[0]["version"] = json!(2);
    let error = follow(&suite, &lines).unwrap_err();
    assert!(
        matches!(error, TraceError::File(FileError::Version(2))),
        "{error}"
    );
}
