//! `record` and `replay`: properties of many traces. The page `traces.md` has the rest.

use crate::run::{herbrand, lamps};

#[test]
fn all_engines_record_and_replay_the_same() {
    let scratch = lamps("engines");
    let [grounded, lifted, automatic] = ["grounded", "lifted", "automatic"].map(|engine| {
        let walk = "walk.jsonl --force --seed 3 && herbrand replay walk.jsonl";
        let run = scratch.shell(&format!(
            "herbrand record p.pddl --engine {engine} -o {walk} --engine {engine}"
        ));
        assert_eq!(
            (run.status, run.stdout.contains(" 0 mismatches")),
            (0, true),
            "{engine}"
        );
        let trace = scratch.read("walk.jsonl");
        scratch.write(
            "tampered.jsonl",
            &trace.replacen("\"goal\":false", "\"goal\":true", 1),
        );
        let run = scratch.shell(&format!("herbrand replay tampered.jsonl --engine {engine}"));
        assert_eq!(
            (run.status, run.stdout.contains(" 1 mismatch\n")),
            (1, true),
            "{engine}"
        );
        trace
    });
    assert_eq!((&lifted, &automatic), (&grounded, &grounded));
}

#[test]
fn recording_the_same_seed_gives_the_same_bytes() {
    let record = |seed: &str| herbrand(&["record", "tireworld", "--seed", seed]).stdout;
    assert_eq!(record("4"), record("4"));
    assert_ne!(record("4"), record("5"));
}

/// The page of traces has each key of a recorded line.
#[test]
fn the_page_of_traces_has_the_keys_of_lines() {
    let page = crate::pages::read("reference/traces.md");
    for (domain, heading) in [("blocks-derived", "PDDL"), ("rddl/recon-pomdp", "RDDL")] {
        let trace = herbrand(&["record", domain]).stdout;
        let table = page
            .split_once(&format!("| key of a line in {heading} |"))
            .expect("a table");
        let table = table.1.split("\n\n").next().expect("a table");
        for line in trace.lines().skip(1) {
            let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
            for key in line.as_object().expect("an object").keys() {
                assert!(table.contains(&format!("`{key}`")), "{key} in {table}");
            }
        }
    }
}
