//! Traces: recording, replaying, and traces of other engines.

use std::fs;
use std::io::{BufReader, Cursor};
use std::path::{Path, PathBuf};

use herbrand_core::trace::{FileError, VERSION, Warning};
use herbrand_env::trace::{Difference, Mismatch, Replay, Replayer, TraceError};
use herbrand_env::{
    ActionMode, EngineKind, ProblemFile, Registry, RolloutOptions, RolloutPolicy, Source, Suite, SuiteFiles,
    rollout_recorded,
};
use serde_json::Value;

/// The file names for headers.
const FILES: (&str, &str) = ("domain.pddl", "problem.pddl");

/// Records random walks through the first problem of a suite.
fn recorded_on(suite: &Suite, engine: EngineKind) -> String {
    let suite = suite.only(0).expect("a problem");
    let options = RolloutOptions {
        episodes: 3,
        steps: 12,
        seed: 5,
        through_goals: true,
        ..RolloutOptions::default()
    };
    let mut trace = Vec::new();
    let report = rollout_recorded(
        &RolloutPolicy::Random,
        &suite,
        engine,
        &options,
        FILES,
        &mut trace,
    );
    let steps = report.expect("a trace").steps;
    let text = String::from_utf8(trace).expect("UTF-8");
    assert_eq!(text.lines().count() as u64, 1 + steps + options.episodes);
    text
}

fn recorded(suite: &Suite) -> String {
    recorded_on(suite, EngineKind::Grounded)
}

fn bundled(name: &str) -> Suite {
    Registry::get(name).expect("a bundled domain")
}

fn replay(suite: &Suite, trace: &str) -> Result<Replay, TraceError> {
    let mut lines = Cursor::new(trace);
    let header = Replayer::read_header(&mut lines)?;
    Replayer::with_engine(suite, 0, EngineKind::Grounded, header)?.replay(lines)
}

#[test]
fn what_is_recorded_replays() {
    for name in ["sokoban", "tireworld", "blocks-derived", "gripper"] {
        let trace = recorded(&bundled(name));
        assert_eq!(trace, recorded(&bundled(name)));
        let replay = replay(&bundled(name), &trace).expect("a trace");
        assert_eq!(replay.first, None, "{name}");
        assert_eq!(replay.states as usize + 1, trace.lines().count());
        assert_eq!(replay.warnings, [], "{name}");
    }
}

/// Replays a trace of the first problem of a bundled domain on all engines and checks that the results are equal.
fn replay_by_all(name: &str, trace: &str) -> Replay {
    let suite = Registry::get(name).expect("a bundled domain");
    let kinds = [EngineKind::Grounded, EngineKind::Automatic, EngineKind::Lifted];
    let replays = kinds.map(|engine| {
        let mut lines = Cursor::new(trace);
        let header = Replayer::read_header(&mut lines).expect("a header");
        let replayer = Replayer::with_engine(&suite, 0, engine, header).expect("a sound problem");
        replayer.replay(lines).expect("a trace")
    });
    for (replay, kind) in replays.iter().zip(kinds) {
        assert_eq!(replay, &replays[0], "{kind:?}");
    }
    let [first, ..] = replays;
    first
}

#[test]
fn a_lifted_walk_is_recorded_as_a_grounded_one() {
    for name in [
        "sokoban",
        "tireworld",
        "blocks-derived",
        "gripper",
        "exploding-blocks",
    ] {
        let suite = Registry::get(name).expect("a bundled domain");
        let by_grounding = recorded(&suite);
        assert_eq!(recorded_on(&suite, EngineKind::Lifted), by_grounding, "{name}");
        assert_eq!(replay_by_all(name, &by_grounding).first, None, "{name}");
    }
}

/// Replays a trace whose line at `index` was changed by `change`.
fn tampered(index: usize, change: impl Fn(&str) -> String) -> Replay {
    let trace = recorded(&bundled("blocks-derived"));
    let lines = trace.lines().enumerate();
    let lines = lines.map(|(at, line)| {
        if at == index {
            change(line)
        } else {
            line.to_owned()
        }
    });
    replay_by_all("blocks-derived", &lines.collect::<Vec<_>>().join("\n"))
}

/// Removes the first element of the list `key` of a line.
fn without_first(line: &str, key: &str) -> String {
    let mut value: serde_json::Value = serde_json::from_str(line).expect("JSON");
    value[key].as_array_mut().expect("a list").remove(0);
    value.to_string()
}

#[test]
fn every_kind_of_difference_is_found() {
    let first = |replay: Replay| replay.first.expect("a difference");

    let actions = tampered(4, |line| without_first(line, "actions"));
    assert_eq!(actions.mismatches, 1);
    let actions = first(actions);
    assert_eq!((actions.line, actions.walk, actions.step), (5, 0, 3));
    assert!(matches!(&actions.difference, Difference::Actions(sets) if sets.only_here.len() == 1));
    assert!(
        actions
            .to_string()
            .starts_with("line 5 (walk 0, step 3): the valid actions differ\n  only here: (")
    );

    for key in ["fluents", "derived"] {
        let atoms = tampered(4, |line| without_first(line, key));
        assert!(
            matches!(first(atoms).difference, Difference::Atoms { possible: 1, .. }),
            "{key}"
        );
    }

    let goal = tampered(4, |line| line.replace("\"goal\":false", "\"goal\":true"));
    assert_eq!(first(goal).difference, Difference::Goal { recorded: true });

    let chosen = tampered(4, |line| {
        let mut value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        value["chosen"] = "(fly home)".into();
        value.to_string()
    });
    assert!(matches!(first(chosen).difference, Difference::Chosen { .. }));
}

#[test]
fn a_broken_trace_is_an_error_with_its_line() {
    let suite = bundled("gripper");
    let trace = recorded(&suite);
    assert!(matches!(
        replay(&suite, ""),
        Err(TraceError::File(FileError::Empty))
    ));
    assert!(matches!(
        replay(&suite, "{"),
        Err(TraceError::File(FileError::Format { line: 1, .. }))
    ));
    let without_a_line = trace.lines().enumerate().filter(|&(index, _)| index != 2);
    let text = without_a_line
        .map(|(_, line)| line)
        .collect::<Vec<_>>()
        .join("\n");
    assert!(matches!(
        replay(&suite, &text),
        Err(TraceError::File(FileError::Format { line: 3, .. }))
    ));
}

#[test]
fn a_chance_successor_must_be_possible() {
    let text = "(define (domain coin) (:predicates (heads) (edge) (tossed))
      (:action toss :effect (and (tossed) (probabilistic 1/2 (heads)))))";
    let files = SuiteFiles {
        name: "coin".to_owned(),
        domain: Source::new("domain", text),
        config: None,
        problems: vec![ProblemFile {
            split: None,
            name: "p".to_owned(),
            source: Source::new("problem", "(define (problem p) (:domain coin))"),
        }],
    };
    let suite = Suite::new(files, ActionMode::Declared).expect("a suite");
    let trace = |second: &str| {
        format!(
            r#"{{"oracle": "hand", "domain": "d", "problem": "p"}}
{{"walk": 0, "step": 0, "atoms": [], "actions": ["(toss)"], "goal": false, "chosen": "(toss)"}}
{{"walk": 0, "step": 1, "atoms": [{second}], "actions": ["(toss)"], "goal": false, "chosen": null}}"#
        )
    };
    let mismatches = |second: &str| replay(&suite, &trace(second)).expect("a trace").mismatches;
    assert_eq!(mismatches(r#""(tossed)""#), 0);
    assert_eq!(mismatches(r#""(heads)", "(tossed)""#), 0);
    assert_eq!(mismatches(r#""(heads)""#), 1);
    assert_eq!(mismatches(r#""(heads)", "(tossed)", "(undeclared x)""#), 1);
}

/// Replays a trace after adding an element to the list `key` of the line at `index`.
fn with_added(index: usize, key: &str, element: &str) -> Replay {
    tampered(index, |line| {
        let mut value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        value[key].as_array_mut().expect("a list").push(element.into());
        value.to_string()
    })
}

#[test]
fn what_a_tampered_list_adds_is_found() {
    for atom in [
        "(flying a)",
        "(on a nowhere)",
        "(on a a)",
        "(on)",
        "(block nowhere)",
    ] {
        let replay = with_added(4, "fluents", atom);
        assert!(
            matches!(
                replay.first,
                Some(Mismatch {
                    line: 5,
                    difference: Difference::Atoms { .. },
                    ..
                })
            ),
            "{atom}: {replay:?}"
        );
        let statics = with_added(0, "static", atom);
        assert!(statics.mismatches >= 1, "{atom} as static");
        let first = statics.first.expect("a difference");
        assert!(matches!(first.difference, Difference::Statics(_)), "{first}");
    }
    // Derived predicates that the domain does not declare belong to the other engine, and types are not atoms here.
    assert_eq!(with_added(4, "derived", "(axiom_7 a)").first, None);
    assert_eq!(with_added(0, "static", "(block a)").first, None);
}

/// Returns all changes of a value, each with a description; `None` removes the value.
fn changes(value: &Value, foreign: Option<&Value>) -> Vec<(String, Option<Value>)> {
    let mut changes = vec![("taken away".to_owned(), None)];
    let mut put = |what: &str, value: Value| changes.push((what.to_owned(), Some(value)));
    match value {
        Value::Null => put("replaced", "(nonsense)".into()),
        Value::Bool(value) => put("flipped", (!value).into()),
        Value::Number(number) => {
            put("one more", (number.as_u64().expect("a count") + 1).into());
            put("negative", (-1).into());
        }
        Value::String(_) => put("replaced", "(nonsense)".into()),
        Value::Array(list) => {
            if !list.is_empty() {
                put("emptied", Value::Array(Vec::new()));
                put(
                    "with its first element again",
                    [&list[..], &list[..1]].concat().into(),
                );
            }
            for index in 0..list.len().min(4) {
                let (mut without, mut changed) = (list.clone(), list.clone());
                without.remove(index);
                put(&format!("without element {index}"), without.into());
                changed[index] = "(nonsense)".into();
                put(&format!("with another element {index}"), changed.into());
            }
            for (what, added) in [
                ("an unknown", Some("(nonsense)".into())),
                ("a wrong", foreign.cloned()),
            ] {
                if let Some(added) = added {
                    put(
                        &format!("with {what} element"),
                        [&list[..], &[added]].concat().into(),
                    );
                }
            }
        }
        Value::Object(_) => {}
    }
    let other_kind = if value.is_number() { "1".into() } else { 1.into() };
    changes.push(("of another kind".to_owned(), Some(other_kind)));
    if !value.is_null() {
        changes.push(("null".to_owned(), Some(Value::Null)));
    }
    changes
}

/// Returns the reason why a change is indistinguishable from a trace that another engine may write.
fn allowed(name: &str, key: &str, before: &Value, what: &str, after: Option<&Value>) -> Option<&'static str> {
    let is_empty = |value: &Value| value.as_array().is_some_and(Vec::is_empty);
    match (key, what) {
        (_, "of another kind") => None,
        ("fluents", _) if name == "tireworld" && what.starts_with("without element") => {
            Some("the tire may have been flat")
        }
        ("version" | "seeded", "taken away" | "null") => Some("not every engine writes them"),
        ("oracle" | "domain" | "problem", _) if !after.is_some_and(Value::is_null) => {
            (what != "negative").then_some("says where the trace comes from; it is followed whatever that is")
        }
        ("static" | "agent_actions", "taken away" | "null") if key == "static" => {
            Some("not every engine lists static atoms")
        }
        ("derived", "taken away" | "null") if is_empty(before) => Some("no derived atoms, or none listed"),
        ("derived", "with an unknown element") => Some("engines have derived predicates of their own"),
        ("actions" | "agent_actions", "with its first element again") => Some("a set"),
        ("chosen", "taken away") if before.is_null() => Some("no action"),
        _ => None,
    }
}

/// Whether each engine refuses a trace of the first problem of a domain, or warns about it.
fn refused(suite: &Suite, lines: &[String]) -> [bool; 2] {
    let text = lines.join("\n");
    [EngineKind::Grounded, EngineKind::Lifted].map(|engine| {
        let mut rest = Cursor::new(&text);
        let replay = Replayer::read_header(&mut rest)
            .and_then(|header| Replayer::with_engine(suite, 0, engine, header))
            .and_then(|replayer| replayer.replay(rest));
        replay.map_or(true, |replay| {
            replay.mismatches > 0 || !replay.warnings.is_empty()
        })
    })
}

/// Changes every field of every kind of line in every way. A trace that then describes another walk, or is malformed, must
/// be refused.
#[test]
fn a_trace_with_any_field_tampered_with_is_refused() {
    let mut overlooked = String::new();
    let mut tried = 0;
    // Domains with derived atoms, agent actions, probabilistic effects, and plain operators.
    for name in ["blocks-derived", "sokoban", "tireworld", "gripper"] {
        let suite = Registry::get(name).expect("a bundled domain");
        let suite = suite.only(0).expect("a problem");
        let trace = recorded(&suite);
        let lines: Vec<String> = trace.lines().map(str::to_owned).collect();
        assert_eq!(refused(&suite, &lines), [false, false], "{name}");
        let values: Vec<Value> = lines
            .iter()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        for at in [0, 1, 2, 5, lines.len() - 1] {
            for (key, before) in values[at].as_object().expect("an object") {
                // An element of this list from another line, which is wrong here.
                let others = values.iter().filter_map(|value| value[key].as_array()).flatten();
                let here = before.as_array().map_or(&[][..], Vec::as_slice);
                let foreign = others.into_iter().find(|other| !here.contains(other));
                for (what, after) in changes(before, foreign) {
                    if allowed(name, key, before, &what, after.as_ref()).is_some() {
                        continue;
                    }
                    let mut value = values[at].clone();
                    let object = value.as_object_mut().expect("an object");
                    match after {
                        Some(after) => object.insert(key.clone(), after),
                        None => object.remove(key),
                    };
                    let mut lines = lines.clone();
                    lines[at] = value.to_string();
                    tried += 1;
                    if refused(&suite, &lines) != [true, true] {
                        overlooked += &format!("{name}, line {}: `{key}` {what}\n", at + 1);
                    }
                }
            }
            // Changes of whole lines. An empty walk at the end cannot be detected as missing.
            let (mut without, mut twice) = (lines.clone(), lines.clone());
            without.remove(at);
            twice.insert(at, lines[at].clone());
            let cut = lines[..=at].to_vec();
            for (what, changed) in [("taken away", without), ("twice", twice), ("the last", cut)] {
                tried += 1;
                let whole = values.get(at).is_some_and(|value| value["chosen"].is_null());
                if refused(&suite, &changed) != [true, true] && !(what == "the last" && whole) {
                    overlooked += &format!("{name}, line {} {what}\n", at + 1);
                }
            }
        }
    }
    assert!(overlooked.is_empty(), "\n{overlooked}");
    assert!(tried > 500, "{tried}");
}

#[test]
fn a_trace_of_agent_actions_is_not_read_as_one_of_operators() {
    let suite = Registry::get("sokoban").expect("a bundled domain");
    let trace = recorded(&suite);
    let files = SuiteFiles {
        config: None,
        ..Registry::files("sokoban").expect("a bundled domain").remove(0)
    };
    let without = Suite::new(files, ActionMode::Declared).expect("a suite");
    for engine in [EngineKind::Grounded, EngineKind::Lifted] {
        let mut lines = Cursor::new(&trace);
        let header = Replayer::read_header(&mut lines).expect("a header");
        let error = Replayer::with_engine(&without, 0, engine, header)
            .err()
            .expect("other actions");
        assert!(matches!(error, TraceError::AgentActions { .. }), "{error}");
        assert!(error.to_string().contains("move"), "{error}");
    }
}

/// The warnings of a replay of a trace of the first problem of a bundled domain, by all engines.
fn warnings(name: &str, trace: &str) -> Vec<String> {
    let replay = replay_by_all(name, trace);
    assert_eq!(replay.first, None, "{name}");
    replay.warnings.iter().map(Warning::to_string).collect()
}

/// `line` with a key set to a value.
fn with_key(line: &str, key: &str, value: impl Into<Value>) -> String {
    let mut json: Value = serde_json::from_str(line).expect("JSON");
    json[key] = value.into();
    json.to_string()
}

#[test]
fn unknown_keys_and_another_seed_are_reported() {
    // Agent actions, chance in actions, several initial states, derived atoms.
    for name in ["sokoban", "tireworld", "exploding-blocks", "blocks-derived"] {
        let trace = recorded(&bundled(name));
        let (header, rest) = trace.split_once('\n').expect("a header");
        assert!(header.contains(&format!("\"version\":{VERSION},")), "{header}");
        assert_eq!(warnings(name, &trace), [""; 0], "{name}");
        let colour = with_key(header, "colour", "red");
        let second = rest.lines().nth(1).expect("a second state");
        let rest_with_mood = rest.replace(second, &with_key(second, "mood", 7));
        assert_eq!(
            warnings(name, &format!("{colour}\n{rest_with_mood}")),
            [
                "line 1, `colour`: the format has no such key",
                "line 3, `mood`: the format has no such key"
            ],
            "{name}"
        );
        // Other engines write no version.
        for key in ["colour", "mood"] {
            let old = header.replace(&format!("\"version\":{VERSION},"), "");
            let old = with_key(&old, key, 1);
            assert_eq!(
                warnings(name, &format!("{old}\n{rest_with_mood}")),
                [""; 0],
                "{name}"
            );
        }
        let other = warnings(name, &format!("{}\n{rest}", with_key(header, "seed", 6)));
        assert!(
            matches!(&other[..], [one] if one.starts_with("line 1, `seed`: 6 gives another ")),
            "{name}: {other:?}"
        );
    }
}

#[test]
fn a_seed_of_outcomes_alone_is_compared_with_outcomes() {
    let trace = recorded(&bundled("tireworld"));
    let (header, rest) = trace.split_once('\n').expect("a header");
    let header = with_key(header, "seeded", "outcomes");
    assert_eq!(warnings("tireworld", &format!("{header}\n{rest}")), [""; 0]);
    let reported = (6..20).filter(|&seed| {
        let warnings = warnings(
            "tireworld",
            &format!("{}\n{rest}", with_key(&header, "seed", seed)),
        );
        assert!(
            warnings
                .iter()
                .all(|one| one.contains("gives another outcome than line"))
        );
        !warnings.is_empty()
    });
    assert!(reported.count() > 10);
    // Without chance every seed gives the same outcomes.
    let trace = recorded(&bundled("gripper"));
    let (header, rest) = trace.split_once('\n').expect("a header");
    let header = with_key(&with_key(header, "seeded", "outcomes"), "seed", 77);
    assert_eq!(warnings("gripper", &format!("{header}\n{rest}")), [""; 0]);
    // A trace that does not say what its seed means is not compared with it.
    let mut silent: Value = serde_json::from_str(&header).expect("JSON");
    silent.as_object_mut().expect("an object").remove("seeded");
    assert_eq!(warnings("gripper", &format!("{silent}\n{rest}")), [""; 0]);
}

#[test]
fn the_seed_tells_apart_states_that_differ_in_numbers_alone() {
    let text = "(define (domain well) (:requirements :typing :numeric-fluents :probabilistic-effects)
      (:predicates (idle)) (:functions (water))
      (:action dip :effect (probabilistic 1/2 (increase (water) 1)))
      (:action pour :precondition (> (water) 0) :effect (decrease (water) 1)))";
    let domain = herbrand_env::Domain::from_text(text).expect("a domain");
    let problem = "(define (problem p) (:domain well) (:init (idle) (= (water) 0)) (:goal (> (water) 3)))";
    let problem = herbrand_env::Problem::from_text(problem, &domain).expect("a problem");
    let suite = Suite::from_problems(domain, [problem], ActionMode::Declared).expect("a suite");
    for engine in [EngineKind::Grounded, EngineKind::Lifted] {
        let trace = recorded_on(&suite, engine);
        let mut lines = Cursor::new(&trace);
        let header = Replayer::read_header(&mut lines).expect("a header");
        let replayer = Replayer::with_engine(&suite, 0, engine, header).expect("a sound problem");
        let replay = replayer.replay(lines).expect("a trace");
        assert_eq!((replay.first, replay.warnings), (None, Vec::new()), "{engine:?}");
    }
}

#[test]
fn a_newer_version_is_refused() {
    let trace = recorded(&bundled("gripper"));
    let newer = trace.replacen(&format!("\"version\":{VERSION},"), "\"version\":9,", 1);
    let error = replay(&bundled("gripper"), &newer).expect_err("a newer version");
    assert!(
        matches!(error, TraceError::File(FileError::Version(9))),
        "{error}"
    );
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/corpus")
}

/// Replays a trace of the corpus with the files that its header names.
fn replay_file(path: &Path, engine: EngineKind) -> Result<Replay, Box<dyn std::error::Error>> {
    let read =
        |path: &Path| Ok::<_, std::io::Error>(Source::from_bytes(&path.to_string_lossy(), fs::read(path)?));
    let mut lines = BufReader::new(fs::File::open(path)?);
    let header = Replayer::read_header(&mut lines)?;
    let folder = path.parent().ok_or("a file has a folder")?;
    let files = SuiteFiles {
        name: header.domain.clone(),
        domain: read(&folder.join(&header.domain))?,
        config: None,
        problems: vec![ProblemFile {
            split: None,
            name: header.problem.clone(),
            source: read(&folder.join(&header.problem))?,
        }],
    };
    let suite = Suite::new(files, ActionMode::Declared)?;
    Ok(Replayer::with_engine(&suite, 0, engine, header)?.replay(lines)?)
}

/// Returns the traces below `folder` in order.
fn traces(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).map(|entries| entries.flatten().collect::<Vec<_>>());
    for entry in entries.unwrap_or_default() {
        let path = entry.path();
        // Traces of other planning languages are tested elsewhere.
        if path.ends_with("rddl") {
            continue;
        }
        if path.is_dir() {
            found.extend(traces(&path));
        } else if path.to_string_lossy().ends_with(".trace.jsonl") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn the_traces_of_other_engines_replay() {
    let traces = traces(&corpus());
    if traces.is_empty() {
        eprintln!("skipped: there is no corpus beside the repository");
        return;
    }
    let mut failures = Vec::new();
    for engine in [EngineKind::Grounded, EngineKind::Lifted] {
        let mut states = 0;
        for path in &traces {
            match replay_file(path, engine) {
                Ok(Replay {
                    first: None,
                    states: count,
                    unverified: 0,
                    not_understood: 0,
                    warnings,
                    ..
                }) if warnings.is_empty() => states += count,
                Ok(replay) => failures.push(format!("{engine:?}, {}: {replay:?}", path.display())),
                Err(error) => failures.push(format!("{engine:?}, {}: {error}", path.display())),
            }
        }
        eprintln!("{engine:?}: {} traces, {states} states", traces.len());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
