//! `space`.

use std::fs;

use serde_json::json;

use crate::run::{Scratch, herbrand, lamps};

const PAIR: [&str; 4] = ["--domain", "domain.pddl", "--problem", "p.pddl"];

#[test]
fn noisy_observations_are_no_part_of_a_space() {
    let scratch = Scratch::new("space-noise");
    scratch.write(
        "d.rddl",
        "domain noise {
  pvariables {
    on : { state-fluent, bool, default = false };
    seen : { observ-fluent, real };
    press : { action-fluent, bool, default = false };
  };
  cpfs { on' = on ^ ~press; seen = Normal(0.0, 1.0); };
  reward = on;
}
instance one { domain = noise; max-nondef-actions = 1; horizon = 5; discount = 1.0; init-state { on; }; }
",
    );
    let run = scratch.run(&["space", "d.rddl", "--format", "json"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(run.json()["states"], 2);
}

#[test]
fn the_figures_of_a_space_are_shown() {
    let scratch = lamps("space");
    let report = scratch
        .run(&[&["space", "--format", "json"][..], &PAIR].concat())
        .json();
    for (key, value) in [
        ("states", json!(4)),
        ("complete", json!(true)),
        ("choices", json!(8)),
        ("transitions", json!(8)),
        ("goal_states", json!(1)),
        ("dead_ends", json!(0)),
        ("depth", json!(2)),
        ("goal_steps", json!(1)),
        ("components", json!(1)),
        ("largest_component", json!(4)),
    ] {
        assert_eq!(report[key], value, "{key}");
    }
    let row = json!({"steps": 1, "from_start": 2, "to_goal": 2, "nearer": 2, "level": 0, "farther": 2});
    assert_eq!(report["distances"][1], row);
    let part = scratch.run(&[&["space", "--states", "1"][..], &PAIR].concat());
    assert_eq!(part.status, 0, "{}", part.stderr);
    for line in [
        "a part of the space: the limit of 1 states is reached",
        "expanded                     1",
    ] {
        assert!(part.stdout.contains(line), "{line}\n{}", part.stdout);
    }
}

#[test]
fn a_space_is_written_in_four_forms() {
    let scratch = lamps("space-files");
    let write = |name: &str| {
        let run = scratch.run(&[&["space", "--out", name, "--force"][..], &PAIR].concat());
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(run.stderr.contains(name), "{}", run.stderr);
        fs::read(scratch.path().join(name)).expect("the file is there")
    };
    let file: serde_json::Value = serde_json::from_slice(&write("space.json")).expect("JSON");
    assert_eq!(file["bit_names"], json!(["(on a)", "(on b)"]));
    assert_eq!(file["states"], json!([[1], [0, 1], [], [0]]));
    assert_eq!(file["first_choices"], json!([0, 2, 4, 6, 8]));
    assert_eq!(file["targets"], json!([1, 2, 0, 3, 3, 0, 1, 2]));
    assert_eq!(file["goal_steps"], json!([1, 0, 2, 1]));
    let dot = String::from_utf8(write("space.dot")).expect("UTF-8");
    assert!(
        dot.contains("  1 [tooltip=\"(on a), (on b)\" shape=doublecircle]\n")
            && dot.contains("  0 -> 1 [label=\"(turn-on a)\"]\n"),
        "{dot}"
    );
    let svg = String::from_utf8(write("space.svg")).expect("UTF-8");
    assert!(svg.contains("(turn-on a)") && svg.contains("<svg"), "{svg}");
    for state in ["0: (on b)", "1: (on a), (on b)", "2: nothing", "3: (on a)"] {
        assert!(svg.contains(&format!(">{state}<")), "{state} in {svg}");
    }
    let npz = write("space.npz");
    assert!(npz.starts_with(b"PK\x03\x04") && npz.windows(11).any(|part| part == b"targets.npy"));
    // The arrays end where the directory says: each is found at its offset.
    let end = npz.len() - 22;
    let number = |at: usize| u32::from_le_bytes(npz[at..at + 4].try_into().expect("four bytes")) as usize;
    let (size, offset) = (number(end + 12), number(end + 16));
    assert_eq!(offset + size, end);
    // A file that the program wrote is replaced, any other is not.
    write("space.npz");
    scratch.write("space.json", "{}");
    let run = scratch.run(&[&["space", "--out", "space.json"][..], &PAIR].concat());
    assert_eq!(run.status, 2, "{}", run.stderr);
    let run = scratch.run(&[&["space", "--out", "space.txt"][..], &PAIR].concat());
    assert!(
        run.status == 2 && run.stderr.contains(".npz, .json, .dot or .svg"),
        "{}",
        run.stderr
    );
}

/// The note on a number that is not left out gives the reason.
#[test]
fn a_number_that_stays_in_the_states_is_explained() {
    let scratch = Scratch::new("space-counters");
    let domain = "(define (domain d) (:requirements :adl :numeric-fluents) (:predicates (p)) (:functions (fuel) (load))
  (:action a :effect EFFECT) (:action b :effect (increase (load) 1)))";
    scratch.write(
        "p.pddl",
        "(define (problem p) (:domain d) (:init (= (fuel) 0) (= (load) 1)) (:goal (p)) (:metric minimize (fuel)))",
    );
    for (effect, reason) in [
        (
            "(and (p) (when (p) (increase (fuel) 1)))",
            "the cost of an action depends on conditions",
        ),
        (
            "(and (p) (increase (fuel) (load)))",
            "by an amount that is not constant",
        ),
    ] {
        scratch.write("domain.pddl", &domain.replace("EFFECT", effect));
        let run = scratch.run(&[&["space", "--states", "20"][..], &PAIR].concat());
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(run.stderr.contains("states differ in (fuel)"), "{}", run.stderr);
        assert!(run.stderr.contains(reason), "{}", run.stderr);
    }
}

/// Costs are those of the texts, and the number that adds them up is no part of the states, whatever its name.
#[test]
fn costs_are_exact_and_their_sum_is_no_part_of_a_state() {
    let scratch = Scratch::new("space-costs");
    let domain =
        "(define (domain d) (:requirements :numeric-fluents) (:predicates (p) (q)) (:functions (fuel-used))
  (:action a :effect (and (p) (increase (fuel-used) COST)))
  (:action b :precondition (p) :effect (and (q) (not (p)) (increase (fuel-used) 2.123456789))))";
    scratch.write(
        "p.pddl",
        "(define (problem p) (:domain d) (:init (= (fuel-used) 5)) (:goal (q)) (:metric minimize (fuel-used)))",
    );
    for (cost, goal_costs) in [("1.2345e-7", true), ("-1", false)] {
        scratch.write("domain.pddl", &domain.replace("COST", cost));
        let run = scratch.run(
            &[
                &["space", "--out", "s.json", "--format", "json", "--force"][..],
                &PAIR,
            ]
            .concat(),
        );
        assert_eq!(run.status, 0, "{}", run.stderr);
        let report = run.json();
        let found = (&report["states"], &report["complete"], &report["left_out"]);
        assert_eq!(found, (&json!(4), &json!(true), &json!(["(fuel-used)"])));
        let file: serde_json::Value = serde_json::from_str(&scratch.read("s.json")).expect("JSON");
        let cost: f64 = cost.parse().expect("a number");
        assert_eq!(file["numbers"], json!([[5.0], [5.0], [5.0], [5.0]]));
        // From the start, only `a` is applicable; then both are.
        let costs = json!([cost, cost, 2.123456789, cost, cost, 2.123456789]);
        assert_eq!(file["costs"], costs);
        assert_eq!(report["goal_cost"].is_number(), goal_costs);
        let least = file["goal_costs"].as_array().expect("a list");
        assert_eq!(
            least.first() == Some(&json!(cost + 2.123456789)),
            goal_costs,
            "{least:?}"
        );
        assert_eq!(least.len(), if goal_costs { 4 } else { 0 });
    }
    let run = scratch.run(&[&["space"][..], &PAIR].concat());
    let line = "left out of the states, as only the metric may read it: (fuel-used)";
    assert!(run.stdout.contains(line), "{}", run.stdout);
    // A number that grows by an amount that depends on the state stays.
    scratch.write(
        "domain.pddl",
        &domain.replace("COST", "(* 2 (p-count))").replace(
            "(fuel-used))\n",
            "(fuel-used) (p-count))\n (:action c :effect (increase (p-count) 1))\n",
        ),
    );
    scratch.write(
        "p.pddl",
        "(define (problem p) (:domain d) (:init (= (fuel-used) 5) (= (p-count) 0)) (:goal (q)) (:metric minimize (fuel-used)))",
    );
    let run = scratch.run(&[&["space", "--states", "50"][..], &PAIR].concat());
    assert!(
        run.stderr.contains("note: states differ in (fuel-used), which"),
        "{}",
        run.stderr
    );
}

#[test]
fn spaces_of_rddl_are_explored_if_they_are_finite() {
    let report = herbrand(&["space", "rddl/navigation-mdp", "1", "--format", "json"]).json();
    assert_eq!(
        (&report["complete"], &report["goal_states"]),
        (&json!(true), &json!(null))
    );
    assert!(report["states"].as_u64() > Some(5), "{report}");
    let run = herbrand(&["space", "rddl/mountain-car", "1"]);
    assert_eq!(run.status, 2, "{}", run.stdout);
    assert!(run.stderr.contains("no finite state space"), "{}", run.stderr);
}

/// The robot is in one of two rooms, and the ball in a room or in one of two grippers.
#[test]
fn states_are_counted_up_to_symmetry_on_request() {
    let whole = herbrand(&["space", "gripper", "01", "--format", "json"]).json();
    let report = herbrand(&["space", "gripper", "01", "--symmetry", "--format", "json"]).json();
    assert_eq!((&whole["states"], &report["states"]), (&json!(8), &json!(6)));
    assert_eq!(
        (&report["interchangeable"], &report["apart"]),
        (&json!([["left", "right"]]), &json!(0))
    );
    assert_eq!(report["goal_steps"], whole["goal_steps"]);
    let run = herbrand(&["space", "gripper", "01", "--symmetry"]);
    assert!(
        run.stdout.contains("interchangeable objects: left right\n"),
        "{}",
        run.stdout
    );
    let run = herbrand(&["space", "blocks", "01", "--symmetry"]);
    assert!(
        run.stdout.contains("interchangeable objects: none\n"),
        "{}",
        run.stdout
    );
    let run = herbrand(&["space", "rddl/navigation-mdp", "1", "--symmetry"]);
    assert_eq!(
        (run.status, run.stderr.as_str()),
        (2, "error: --symmetry supports only PDDL\n")
    );
}

#[test]
fn faults_that_other_systems_accept_are_repaired_on_request() {
    let scratch = lamps("lenient");
    scratch.write("p.pddl", &format!("{}))", crate::run::TWO_LAMPS));
    let strict = scratch.run(&[&["space"][..], &PAIR].concat());
    assert!(
        strict.status == 2 && strict.stderr.contains("E0004"),
        "{}",
        strict.stderr
    );
    let run = scratch.run(&[&["space", "--lenient", "--format", "json"][..], &PAIR].concat());
    assert_eq!(
        (run.status, &run.json()["states"]),
        (0, &json!(4)),
        "{}",
        run.stderr
    );
    for part in ["warning[E0004]", "p.pddl:5", "read as if it were not there"] {
        assert!(run.stderr.contains(part), "{part}\n{}", run.stderr);
    }
    let check = scratch.run(&["check", "--lenient", "domain.pddl", "p.pddl"]);
    assert_eq!(check.status, 0, "{}{}", check.stdout, check.stderr);
}
