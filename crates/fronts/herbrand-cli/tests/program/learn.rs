//! `learn`.

use crate::run::{Scratch, herbrand};

/// Rows of the report.
fn rows(report: &serde_json::Value) -> &[serde_json::Value] {
    report["rows"].as_array().expect("rows")
}

#[test]
fn a_learned_model_is_written_checked_and_judged() {
    let scratch = Scratch::new("learn");
    let run = scratch.shell(
        "herbrand learn hanoi --points 1,20 --seeds 2 --plan-time 60s \
         --out model.pddl --csv rows.csv --svg curve.svg --format json",
    );
    assert_eq!(run.status, 0, "{}", run.stderr);
    let report = run.json();
    let found = rows(&report);
    assert_eq!(found.len(), 4);
    for row in &found[2..] {
        assert_eq!(
            (row["episodes"].as_u64(), row["outcome"].as_str()),
            (Some(20), Some("learned"))
        );
        assert_eq!(
            row["solved"], row["problems"],
            "hanoi is learned in 20 episodes: {row}"
        );
    }
    assert!(
        found[0]["error"].as_f64() >= found[2]["error"].as_f64(),
        "experience helps: {report}"
    );
    assert_eq!(scratch.read("rows.csv").lines().count(), 5);
    assert!(scratch.read("curve.svg").contains("test problems solved"));
    let model = report["model"].as_str().expect("a model");
    assert_eq!(scratch.read("model.pddl"), model);
    assert_eq!(scratch.run(&["check", "model.pddl"]).status, 0);
}

#[test]
fn the_safe_learner_takes_operators_and_says_what_it_cannot_learn() {
    let run = herbrand(&["learn", "gripper", "--learner", "safe", "--episodes", "5"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stdout.contains("gripper") && run.stdout.contains("safe"),
        "{}",
        run.stdout
    );
    let hidden = herbrand(&["learn", "elevator-adl", "--learner", "safe", "--episodes", "5"]);
    assert_eq!(hidden.status, 0, "{}", hidden.stderr);
    let told = "the safe learner needs operators whose parameters name everything they change";
    assert!(hidden.stdout.contains(told), "{}", hidden.stdout);
}

#[test]
fn what_cannot_be_learned_from_is_refused() {
    for (line, told) in [
        ("gripprr", "gripper"),
        ("rddl/elevators", "RDDL"),
        ("gripper --seeds 0", "--seeds"),
        ("gripper --episodes 5 --points 5", "--points"),
    ] {
        let run = Scratch::new("learn-refused").shell(&format!("herbrand learn {line}"));
        assert_eq!(run.status, 2, "{line}");
        assert!(run.stderr.contains(told), "{line}: {}", run.stderr);
    }
}

#[test]
fn probabilities_are_compared() {
    let run = herbrand(&["learn", "tireworld", "--episodes", "60", "--format", "json"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let report = run.json();
    let distance = rows(&report)[0]["distance"].as_f64();
    assert!(distance < Some(0.1) && distance >= Some(0.0), "{report}");
    assert!(
        report["model"]
            .as_str()
            .expect("a model")
            .contains("probabilistic")
    );
    let certain = herbrand(&["learn", "hanoi", "--episodes", "5", "--format", "json"]);
    assert!(rows(&certain.json())[0]["distance"].is_null());
}
