//! `record` and `replay`.

use crate::run::{herbrand, lamps};

const PAIR: [&str; 4] = ["--domain", "domain.pddl", "--problem", "p.pddl"];

#[test]
fn a_recorded_trace_replays_through_its_header() {
    let scratch = lamps("record");
    let record = [
        "record",
        "--walks",
        "3",
        "--steps",
        "4",
        "--seed",
        "9",
        "--output",
        "walk.jsonl",
    ];
    let run = scratch.run(&[&record[..], &PAIR].concat());
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    let trace = scratch.read("walk.jsonl");
    assert!(trace.starts_with(r#"{"oracle":"herbrand "#));
    assert!(
        trace.contains(
            r#""domain":"domain.pddl","problem":"p.pddl","seed":9,"static":["(lamp a)","(lamp b)"]"#
        )
    );

    let run = scratch.run(&["replay", "walk.jsonl"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(run.stdout, "1 traces, 15 states, 0 mismatches\n");
    // A trace in another folder names the files from there.
    scratch.write("deep/er/keep", "");
    let deeper = ["record", "--output", "deep/er/walk.jsonl"];
    scratch.run(&[&deeper[..], &PAIR].concat());
    assert!(
        scratch
            .read("deep/er/walk.jsonl")
            .contains(r#""domain":"../../domain.pddl""#)
    );
    assert_eq!(scratch.run(&["replay", "deep/er/walk.jsonl"]).status, 0);
    // From another folder, and with the files named.
    let path = scratch.path().join("walk.jsonl");
    assert_eq!(herbrand(&["replay", &path.to_string_lossy()]).status, 0);
    let named = scratch.run(
        &[
            &["replay", "walk.jsonl", "walk.jsonl", "--format", "json"][..],
            &PAIR,
        ]
        .concat(),
    );
    assert_eq!(
        (&named.json()["traces"], &named.json()["states"]),
        (&2.into(), &30.into())
    );
}

#[test]
fn all_engines_record_and_replay_the_same() {
    let scratch = lamps("engines");
    let mut traces = Vec::new();
    for engine in ["automatic", "grounded", "lifted", "datalog"] {
        let record = [
            "record",
            "--engine",
            engine,
            "--seed",
            "3",
            "--output",
            "walk.jsonl",
        ];
        let run = scratch.run(&[&record[..], &PAIR].concat());
        assert_eq!(run.status, 0, "{}", run.stderr);
        traces.push(scratch.read("walk.jsonl"));
        let run = scratch.run(&["replay", "walk.jsonl", "--engine", engine]);
        assert_eq!(
            (run.status, run.stdout.contains(" 0 mismatches")),
            (0, true),
            "{engine}"
        );
        let tampered = traces[0].replacen("\"goal\":false", "\"goal\":true", 1);
        assert_ne!(tampered, traces[0]);
        scratch.write("tampered.jsonl", &tampered);
        let run = scratch.run(&["replay", "tampered.jsonl", "--engine", engine]);
        assert_eq!(
            (run.status, run.stdout.contains(" 1 mismatches")),
            (1, true),
            "{engine}"
        );
    }
    assert!(traces.iter().all(|trace| *trace == traces[0]));
}

#[test]
fn recording_the_same_seed_gives_the_same_bytes() {
    let record = |seed: &str| herbrand(&["record", "tireworld", "--seed", seed]).stdout;
    assert_eq!(record("4"), record("4"));
    assert_ne!(record("4"), record("5"));
}

#[test]
fn a_planted_mismatch_is_found_and_shown() {
    let scratch = lamps("mismatch");
    scratch.run(&[&["record", "--output", "walk.jsonl"][..], &PAIR].concat());
    let trace = scratch.read("walk.jsonl");
    let planted = trace.lines().enumerate().map(|(index, line)| match index {
        3 => line.replacen("\"actions\":[", "\"actions\":[\"(fly)\",", 1),
        _ => line.to_owned(),
    });
    scratch.write("planted.jsonl", &planted.collect::<Vec<_>>().join("\n"));
    let run = scratch.run(&["replay", "walk.jsonl", "planted.jsonl"]);
    assert_eq!(run.status, 1);
    assert!(run.stdout.starts_with("2 traces, 104 states, 1 mismatches\nfirst: planted.jsonl:4 (walk 0, step 2): the valid actions differ"), "{}", run.stdout);
    assert!(run.stdout.contains("only in the trace: (fly)"), "{}", run.stdout);
    let report = scratch
        .run(&["replay", "planted.jsonl", "--format", "json"])
        .json();
    assert_eq!(
        (&report["mismatches"], &report["first"]["line"]),
        (&1.into(), &4.into())
    );
}

#[test]
fn a_trace_that_cannot_be_followed_is_bad_input() {
    let scratch = lamps("broken");
    for (text, message) in [
        ("", "the file is empty"),
        ("nonsense", "line 1"),
        ("{\"domain\": \"domain.pddl\"}", "names no problem"),
        (
            "{\"domain\": \"gone.pddl\", \"problem\": \"p.pddl\"}",
            "gone.pddl",
        ),
        (
            "{\"domain\": \"domain.pddl\", \"problem\": \"p.pddl\"}\n{}",
            "line 2",
        ),
    ] {
        scratch.write("walk.jsonl", text);
        let run = scratch.run(&["replay", "walk.jsonl"]);
        assert_eq!(run.status, 2, "{text}");
        assert!(run.stderr.contains(message), "{text}: {}", run.stderr);
    }
}
