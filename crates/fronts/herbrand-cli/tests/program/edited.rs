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
    let drawn = herbrand_in(folder, &["render", "walk.jsonl", "--out", "walk.svg"]);
    assert!(
        drawn.stderr.contains("is of a domain under edit"),
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
            "--observe takes `bits` or `integers`",
        ),
        (
            &["rollout", "pddlworld", "--observe", "pixels"],
            "--observe pixels supports only",
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
