//! `record` and `replay`.

use crate::run::{Scratch, herbrand, lamps};

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
        "--out",
        "walk.jsonl",
    ];
    let run = scratch.run(&[&record[..], &PAIR].concat());
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    let trace = scratch.read("walk.jsonl");
    assert!(trace.starts_with(r#"{"oracle":"herbrand "#));
    assert!(trace.contains(
        r#","version":1,"domain":"domain.pddl","problem":"p.pddl","seed":9,"seeded":"walks","static":["(lamp a)","(lamp b)"]"#
    ));

    let run = scratch.run(&["replay", "walk.jsonl"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(run.stdout, "1 trace, 15 states, 0 mismatches\n");
    // A trace in another folder names the files from there.
    scratch.write("deep/er/keep", "");
    let deeper = ["record", "--out", "deep/er/walk.jsonl"];
    scratch.run(&[&deeper[..], &PAIR].concat());
    assert!(
        scratch
            .read("deep/er/walk.jsonl")
            .contains(r#""domain":"../../domain.pddl""#)
    );
    assert_eq!(scratch.run(&["replay", "deep/er/walk.jsonl"]).status, 0);
    // A trace that was moved names files that are not there.
    scratch.write("moved/walk.jsonl", &trace);
    let run = scratch.run(&["replay", "moved/walk.jsonl"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("name another with --domain"),
        "{}",
        run.stderr
    );
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
    for engine in ["automatic", "grounded", "lifted"] {
        let record = [
            "record",
            "--engine",
            engine,
            "--seed",
            "3",
            "--out",
            "walk.jsonl",
            "--force",
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
            (run.status, run.stdout.contains(" 1 mismatch\n")),
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
    scratch.run(&[&["record", "--out", "walk.jsonl"][..], &PAIR].concat());
    let trace = scratch.read("walk.jsonl");
    let planted = trace.lines().enumerate().map(|(index, line)| match index {
        3 => line.replacen("\"actions\":[", "\"actions\":[\"(fly)\",", 1),
        _ => line.to_owned(),
    });
    scratch.write("planted.jsonl", &planted.collect::<Vec<_>>().join("\n"));
    let run = scratch.run(&["replay", "walk.jsonl", "planted.jsonl"]);
    assert_eq!(run.status, 1);
    assert!(run.stdout.starts_with("2 traces, 104 states, 1 mismatch\nfirst difference: planted.jsonl:4 (walk 0, step 2): the valid actions differ"), "{}", run.stdout);
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
        if !text.ends_with("{}") {
            assert_eq!(
                run.stdout,
                "0 traces, 0 states: nothing was compared\n1 trace could not be followed\n"
            );
        }
        assert!(!run.stdout.contains("mismatch"), "{text}: {}", run.stdout);
    }
    let run = scratch.run(&["replay", "walk.jsonl", "--format", "json"]);
    assert_eq!(
        (run.status, &run.json()["mismatches"]),
        (2, &serde_json::Value::Null)
    );
}

#[test]
fn a_trace_of_a_bundled_domain_replays_from_any_folder() {
    let scratch = Scratch::new("bundled");
    scratch.write("deep/er/keep", "");
    for (domain, more) in [
        ("blocks", &[][..]),
        ("sokoban", &["--problem", "test/02", "--operators"]),
        ("search-and-rescue-1", &["--engine", "lifted"]),
    ] {
        let record = [&["record", domain, "-o", "deep/er/b.jsonl", "--force"][..], more].concat();
        let run = scratch.run(&record);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let run = scratch.run(&["replay", "deep/er/b.jsonl"]);
        assert_eq!(run.status, 0, "{domain}: {}", run.stderr);
        assert!(
            run.stdout.starts_with("1 trace, ") && run.stdout.ends_with(" 0 mismatches\n"),
            "{}",
            run.stdout
        );
    }
    let run = scratch.run(&["rollout", "blocks", "--problem", "01", "--record", "walk.jsonl"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(scratch.run(&["replay", "walk.jsonl"]).status, 0);
    // Folders are looked through.
    let run = scratch.run(&["replay", "."]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.starts_with("2 traces, "), "{}", run.stdout);
    let run = scratch.run(&["replay", "deep/er", "--format", "json"]).json();
    assert_eq!((&run["traces"], &run["mismatches"]), (&1.into(), &0.into()));
    scratch.write("empty/keep", "");
    let run = scratch.run(&["replay", "empty"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("empty: this folder has no trace"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_trace_of_a_folder_s_domain_names_its_files() {
    let scratch = lamps("folder");
    for name in ["domain.pddl", "p.pddl"] {
        let text = scratch.read(name);
        scratch.write(&format!("mine/{name}"), &text);
    }
    let run = scratch.run(&["record", "mine", "-o", "walk.jsonl"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        scratch
            .read("walk.jsonl")
            .contains(r#""domain":"mine/domain.pddl","problem":"mine/p.pddl""#)
    );
    assert_eq!(scratch.run(&["replay", "walk.jsonl"]).status, 0);
}

/// A folder or a bundled domain in place of the files that the header names; the problem is found by its name.
#[test]
fn a_trace_is_followed_in_a_folder_or_a_bundled_domain() {
    let scratch = lamps("moved");
    for name in ["domain.pddl", "p.pddl"] {
        scratch.write(&format!("mine/{name}"), &scratch.read(name));
    }
    for record in [
        ["record", "mine", "-o", "walk.jsonl"],
        ["record", "blocks", "-o", "blocks.jsonl"],
    ] {
        let run = scratch.run(&record);
        assert_eq!(run.status, 0, "{}", run.stderr);
    }
    std::fs::rename(scratch.path().join("mine"), scratch.path().join("yours")).expect("a folder");
    assert_eq!(scratch.run(&["replay", "walk.jsonl"]).status, 2);
    for words in [
        &["replay", "walk.jsonl", "--domain", "yours"][..],
        &["replay", "walk.jsonl", "--domain", "yours", "--problem", "p"],
        &[
            "replay",
            "walk.jsonl",
            "--domain",
            "yours/domain.pddl",
            "--problem",
            "p.pddl",
        ],
        &["replay", "blocks.jsonl", "--domain", "blocks"],
        &["render", "yours", "walk.jsonl", "-o", "walk.svg", "--force"],
        &[
            "render",
            "walk.jsonl",
            "--domain",
            "yours",
            "-o",
            "walk.svg",
            "--force",
        ],
        &["render", "blocks", "blocks.jsonl", "-o", "walk.svg", "--force"],
        &["show", "--domain", "yours"],
        &["rollout", "--domain", "yours", "--episodes", "1"],
    ] {
        let run = scratch.run(words);
        assert_eq!(run.status, 0, "{words:?}: {}{}", run.stdout, run.stderr);
    }
}

#[test]
fn the_agent_s_actions_are_those_of_the_settings_beside_the_domain() {
    let scratch = lamps("agent");
    scratch.write(
        "env.toml",
        "[actions.press]\nparameters = [\"lamp\"]\noperators = { turn-on = [\"?l\"], turn-off = [\"?l\"] }\n",
    );
    scratch.write("train/p.pddl", &scratch.read("p.pddl"));
    let run = scratch.run(&["record", ".", "-o", "walk.jsonl"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        scratch
            .read("walk.jsonl")
            .contains(r#""agent_actions":["press"]"#)
    );
    let named = [&["replay", "walk.jsonl"][..], &PAIR].concat();
    for arguments in [&["replay", "walk.jsonl"][..], &named] {
        let run = scratch.run(arguments);
        assert_eq!(run.status, 0, "{arguments:?}: {}{}", run.stdout, run.stderr);
    }
    scratch.write("env.toml", "");
    let run = scratch.run(&named);
    assert_eq!(run.status, 2, "{}", run.stdout);
    assert!(
        run.stderr.contains("press") && run.stderr.contains("env.toml"),
        "{}",
        run.stderr
    );
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

#[test]
fn a_trace_that_fails_leaves_no_file() {
    let scratch = Scratch::new("left");
    scratch.write(
        "domain.pddl",
        "(define (domain share) (:requirements :numeric-fluents) (:functions (left) (total))
           (:action divide :effect (assign (total) (/ 1 (left)))))",
    );
    scratch.write(
        "p.pddl",
        "(define (problem none) (:domain share) (:init (= (left) 0) (= (total) 0)) (:goal (> (total) 1)))",
    );
    let rollout = [&["rollout", "--record", "walk.jsonl"][..], &PAIR].concat();
    for command in [&rollout, &[&["record", "-o", "walk.jsonl"][..], &PAIR].concat()] {
        let run = scratch.run(command);
        assert_eq!(run.status, 2, "{command:?}: {}", run.stdout);
        assert!(run.stderr.contains("zero"), "{}", run.stderr);
        assert!(!scratch.path().join("walk.jsonl").exists(), "{command:?}");
    }
}

#[test]
fn rollouts_are_recorded_alike_by_every_engine() {
    let scratch = Scratch::new("recorded");
    let traces = ["grounded", "lifted"].map(|engine| {
        let rollout = [
            "rollout",
            "blocks",
            "--problem",
            "01",
            "--episodes",
            "3",
            "--record",
            "walk.jsonl",
            "--force",
        ];
        let run = scratch.run(&[&rollout[..], &["--engine", engine]].concat());
        assert_eq!(run.status, 0, "{engine}: {}", run.stderr);
        scratch.read("walk.jsonl")
    });
    assert!(traces.iter().all(|trace| *trace == traces[0]));
    let digests = ["grounded", "lifted"].map(|engine| {
        herbrand(&[
            "rollout",
            "blocks",
            "--seed",
            "7",
            "--engine",
            engine,
            "--digests",
        ])
        .stdout
    });
    assert!(digests[0].ends_with(" blocks\n") && digests.iter().all(|digest| *digest == digests[0]));
}

#[test]
fn a_trace_of_another_domain_is_told_as_such() {
    let scratch = lamps("traces-other");
    let files = ["--domain", "domain.pddl", "--problem", "p.pddl"];
    let record = [&["record"][..], &files, &["-o", "walk.jsonl", "--steps", "9"]].concat();
    assert_eq!(scratch.run(&record).status, 0);
    let text = scratch.read("domain.pddl");
    scratch.write("other.pddl", &text.replace("turn-o", "switch-o"));
    let other = [
        "replay",
        "walk.jsonl",
        "--domain",
        "other.pddl",
        "--problem",
        "p.pddl",
    ];
    let run = scratch.run(&other);
    assert_eq!(run.status, 1, "{}", run.stderr);
    for part in [
        "18 states not compared: the preceding action is unknown or not valid\n",
        "the trace is probably of another domain or problem: name its files with --domain and --problem\n",
    ] {
        assert!(run.stdout.contains(part), "{part} in {}", run.stdout);
    }
    assert!(!run.stdout.contains("too many outcomes"), "{}", run.stdout);
    let report = scratch.run(&[&other[..], &["--format", "json"]].concat()).json();
    assert_eq!(
        (&report["unverified"], &report["not_understood"]),
        (&18.into(), &18.into())
    );
    // With the right domain nothing of that is said.
    let run = scratch.run(&["replay", "walk.jsonl"]);
    assert_eq!(run.status, 0);
    assert!(
        !run.stdout.contains("not compared") && !run.stdout.contains("another domain"),
        "{}",
        run.stdout
    );
}

#[test]
fn headers_that_differ_and_unknown_keys_are_warnings() {
    let scratch = lamps("warnings");
    scratch.run(&[&["record", "--seed", "9", "-o", "walk.jsonl"][..], &PAIR].concat());
    let record = ["record", "rddl/elevators", "1", "-o", "lift.jsonl", "--seed", "4"];
    assert_eq!(scratch.run(&record).status, 0);
    for trace in ["walk.jsonl", "lift.jsonl"] {
        let run = scratch.run(&["replay", trace]);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    }
    let change = |trace: &str, changes: &[(&str, &str)]| {
        let mut text = scratch.read(trace);
        for (from, to) in changes {
            assert!(text.contains(from), "{from} in {text}");
            text = text.replacen(from, to, 1);
        }
        scratch.write("changed.jsonl", &text);
        scratch.run(&["replay", "changed.jsonl"])
    };
    let run = change(
        "walk.jsonl",
        &[
            ("\"seed\":9", "\"seed\":10,\"colour\":1"),
            ("\"walk\":0", "\"mood\":1,\"walk\":0"),
        ],
    );
    assert_eq!(run.status, 0, "{}", run.stdout);
    let lines: Vec<_> = run.stderr.lines().collect();
    assert!(
        lines.len() == 3
            && lines.contains(&"warning: changed.jsonl:1: `colour`: the format has no such key")
            && lines.contains(&"warning: changed.jsonl:2: `mood`: the format has no such key")
            && lines.iter().any(|line| line
                .starts_with("warning: changed.jsonl:1: `seed`: 10 gives another action than line ")),
        "{}",
        run.stderr
    );
    let run = change(
        "lift.jsonl",
        &[
            ("\"discount\":1.0", "\"discount\":0.5"),
            ("\"max_nondef_actions\":4", "\"max_nondef_actions\":7"),
            ("\"seed\":4", "\"seed\":5"),
        ],
    );
    assert_eq!(run.status, 0, "{}", run.stdout);
    assert!(run.stdout.ends_with(" 0 mismatches\n"), "{}", run.stdout);
    let report = scratch.run(&["replay", "changed.jsonl", "--format", "json"]);
    assert_eq!(report.stderr, "");
    let report = report.json();
    let warnings = report["warnings"].as_array().expect("a list");
    let keys: Vec<_> = warnings.iter().map(|warning| warning["key"].as_str()).collect();
    assert_eq!(
        keys,
        [Some("max_nondef_actions"), Some("discount"), Some("seed")],
        "{report}"
    );
    assert_eq!(warnings[1]["message"], "0.5 in the trace, 1 in the problem");
    assert_eq!(
        (&warnings[1]["line"], &warnings[1]["trace"]),
        (&1.into(), &"changed.jsonl".into())
    );
    // The meaning of another version is unknown.
    for trace in ["walk.jsonl", "lift.jsonl"] {
        let run = change(trace, &[("\"version\":1", "\"version\":2")]);
        assert_eq!(run.status, 2, "{}", run.stdout);
        assert!(
            run.stderr
                .contains("the trace has version 2 of the format, and this program reads version 1"),
            "{}",
            run.stderr
        );
    }
}
