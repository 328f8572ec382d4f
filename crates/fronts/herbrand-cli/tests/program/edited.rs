//! A domain under edit as a name of problems.

use std::fs;

use crate::run::{Scratch, herbrand, herbrand_in};

const DOMAIN: &str = "(define (domain lamps) (:predicates (on ?x) (ready))
  (:action prepare :effect (ready))
  (:action light :parameters (?x) :precondition (ready) :effect (on ?x)))";
const PROBLEM: &str = "(define (problem p) (:domain lamps) (:objects a) (:init) (:goal (on a)))";

#[test]
fn commands_take_a_domain_under_edit_by_name() {
    let scratch = Scratch::new("edited");
    let folder = scratch.path();
    fs::create_dir_all(folder.join("mine")).expect("a folder");
    for (path, text) in [
        ("mine/domain.pddl", DOMAIN),
        ("mine/p1.pddl", PROBLEM),
        ("mine/p2.pddl", PROBLEM),
    ] {
        fs::write(folder.join(path), text).expect("it is written");
    }
    for (name, problems) in [
        ("pddlworld", &[][..]),
        ("pddlworld/light-switch", &[]),
        ("pddlworld/blocks", &["02"]),
        ("pddlworld/mine", &["p2"]),
        ("pddlworld/mine", &["p1", "p2"]),
        ("pddlworld/mine/domain.pddl", &["mine/p2.pddl"]),
    ] {
        let with = |command: &[&'static str]| {
            let mut arguments = vec![command[0], name];
            arguments.extend(problems.iter().take(if command[0] == "rollout" { 2 } else { 1 }));
            arguments.extend(&command[1..]);
            let run = herbrand_in(folder, &arguments);
            assert_eq!(run.status, 0, "{arguments:?}: {}", run.stderr);
            run
        };
        let rows = with(&["rollout", "--episodes", "3", "--format", "json"]).json();
        assert_eq!(rows["rows"][0]["problems"], problems.len().max(1), "{name}");
        let observed = with(&["rollout", "--episodes", "2", "--observe", "bits"]);
        assert!(observed.stdout.contains("ns/observation"), "{}", observed.stdout);
        let report = with(&["show", "--format", "json"]).json();
        assert_eq!(report["goal"], false, "{name}");
        assert_eq!(
            report["goal_parts"][0]["formula"],
            "the model behaves like the target in every state"
        );
        with(&["record", "--out", "walk.jsonl", "--steps", "10", "--force"]);
        let replayed = herbrand_in(folder, &["replay", "walk.jsonl"]);
        assert_eq!(replayed.status, 0, "{}", replayed.stderr);
        assert!(
            replayed.stdout.contains("22 states, 0 mismatches"),
            "{name}: {}",
            replayed.stdout
        );
        with(&["render", "--out", "model.svg", "--steps", "5", "--force"]);
        let drawn = fs::read_to_string(folder.join("model.svg")).expect("it is drawn");
        assert!(drawn.contains("·"), "{name}: {drawn}");
    }
    let trace = fs::read_to_string(folder.join("walk.jsonl")).expect("it is recorded");
    let changed = trace.replacen("positive", "negative", 1);
    fs::write(folder.join("walk.jsonl"), changed).expect("it is written");
    assert_ne!(herbrand_in(folder, &["replay", "walk.jsonl"]).status, 0);
    let drawn = herbrand_in(folder, &["render", "walk.jsonl", "--out", "walk.html"]);
    assert!(
        drawn.status == 2 && drawn.stderr.contains("in the trace"),
        "{}",
        drawn.stderr
    );
    let one = herbrand_in(
        folder,
        &[
            "rollout",
            "pddlworld/mine",
            "p1",
            "--episodes",
            "2",
            "--record",
            "rolled.jsonl",
        ],
    );
    assert_eq!(one.status, 0, "{}", one.stderr);
    let replayed = herbrand_in(folder, &["replay", "rolled.jsonl"]);
    assert!(
        replayed.stdout.contains(", 0 mismatches"),
        "{}{}",
        replayed.stdout,
        replayed.stderr
    );
}

#[test]
fn a_domain_under_edit_starts_where_the_user_says() {
    let scratch = Scratch::new("started");
    let folder = scratch.path();
    fs::create_dir_all(folder.join("mine")).expect("a folder");
    let half = DOMAIN.replace(":effect (on ?x)", ":effect (and)");
    for (path, text) in [
        ("mine/domain.pddl", DOMAIN),
        ("mine/p1.pddl", PROBLEM),
        ("half.pddl", &half),
    ] {
        fs::write(folder.join(path), text).expect("it is written");
    }
    let run = |arguments: &[&str]| {
        let run = herbrand_in(folder, arguments);
        assert_eq!(run.status, 0, "{arguments:?}: {}", run.stderr);
        run
    };
    let goal = |arguments: &[&str]| run(&[arguments, &["--format", "json"]].concat()).json()["goal"].clone();
    assert_eq!(goal(&["show", "pddlworld/blocks", "--start", "target"]), true);
    assert_eq!(goal(&["show", "pddlworld@target"]), true);
    assert_eq!(goal(&["show", "pddlworld/blocks@2", "--seed", "4"]), false);
    let last = ["show", "pddlworld/mine", "--start", "half.pddl", "--actions"];
    assert_eq!(
        goal(&[&last[..], &["(effect light (on ?x) positive)"]].concat()),
        true
    );
    for start in ["random", "3", "half.pddl"] {
        let name = ["pddlworld/mine", "--start", start];
        run(&[
            &["record"],
            &name[..],
            &["--steps", "8", "--walks", "2", "--out", "walk.jsonl", "--force"],
        ]
        .concat());
        let replayed = run(&["replay", "walk.jsonl"]);
        assert!(
            replayed.stdout.contains("18 states, 0 mismatches"),
            "{start}: {}",
            replayed.stdout
        );
        let drawn = run(&[
            "render",
            "walk.jsonl",
            "--walk",
            "1",
            "--out",
            "walk.html",
            "--force",
        ]);
        assert!(drawn.stderr.contains("9 states"), "{start}: {}", drawn.stderr);
        run(&[
            &["rollout"],
            &name[..],
            &["--episodes", "3", "--observe", "pixels-32x32"],
        ]
        .concat());
        run(&[
            &["render"],
            &name[..],
            &["--steps", "2", "--out", "model.svg", "--force"],
        ]
        .concat());
    }
    let sheet = [
        "render",
        "pddlworld/blocks@2",
        "01",
        "--sheet",
        "--out",
        "sheet.svg",
    ];
    run(&sheet);
}

#[test]
fn what_a_domain_under_edit_cannot_do_is_said() {
    for (arguments, expected) in [
        (&["rollout", "pddlworld/casino"][..], "can be edited here"),
        (&["rollout", "pddlworld/blockz"], "did you mean `blocks`?"),
        (&["show", "pddlworld", "03"], "has no problem `03`"),
        (&["show", "pddlworld/blocks", "99"], "has no problem `99`"),
        (
            &["rollout", "pddlworld", "--policy", "plan"],
            "is a domain under edit, but --policy plan supports only",
        ),
        (&["rollout", "pddlworld", "--engine", "lifted"], "only one engine"),
        (
            &["rollout", "pddlworld", "--observe", "fluents"],
            "--observe takes `bits`, `integers` or `pixels`",
        ),
        (&["show", "pddlworld", "--start", "most"], "`most` is no start"),
        (&["show", "pddlworld@-1"], "`-1` is no start"),
        (
            &["show", "blocks", "--start", "random"],
            "is in PDDL, but --start supports only domains under edit",
        ),
        (&["rollout", "pddlworld", "--split", "test"], "leave --split out"),
        (&["plan", "pddlworld"], "is a domain under edit, but"),
        (
            &["ground", "pddlworld"],
            "is a domain under edit, but ground supports only",
        ),
        (
            &["bench", "pddlworld"],
            "is a domain under edit, but bench supports only",
        ),
        (
            &[
                "show",
                "pddlworld",
                "--actions",
                "(effect turn-on (lamp) positive)",
            ],
            "has no literal `(lamp)`",
        ),
    ] {
        let run = herbrand(arguments);
        assert_eq!(run.status, 2, "{arguments:?}: {}", run.stdout);
        assert!(run.stderr.contains(expected), "{arguments:?}: {}", run.stderr);
    }
}
