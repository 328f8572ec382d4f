//! `herbrand plan` for policies in PPDDL.

use std::process::Command;

use crate::plan::plan;
use crate::run::{Scratch, herbrand};

/// One try in four wins, and a try that does not win is lost one time in three.
pub fn gamble(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write(
        "domain.pddl",
        "(define (domain gamble) (:requirements :probabilistic-effects :negative-preconditions)
           (:predicates (won) (lost))
           (:action try :precondition (not (lost)) :effect (probabilistic 1/4 (won) 1/4 (lost))))",
    );
    scratch.write(
        "p.pddl",
        "(define (problem p) (:domain gamble) (:init) (:goal (won)))",
    );
    scratch
}

/// Waiting keeps the chances, and giving up loses them. A table with the values of actions has a row for each.
#[test]
fn a_table_can_have_the_value_of_each_action() {
    let scratch = gamble("action-values");
    let domain = scratch.read("domain.pddl");
    let more = "(:action give-up :effect (lost)) (:action wait :effect (and))";
    scratch.write(
        "domain.pddl",
        &domain.replace("(:action try", &format!("{more} (:action try")),
    );
    let run = plan(&scratch, &["--table", "--values"]);
    let table = "\
state  P(goal)    cost  action (* by the policy)  facts that hold
    0   0.5000  2.0000  (try) *                   –
        0.5000  3.0000  (wait)
        0.0000       –  (give-up)
    1   0.0000       –  (give-up)                 (lost)
        0.0000       –  (wait)
    2   1.0000  0.0000  goal                      (won)
; 3 states";
    assert!(run.stdout.starts_with(table), "{}{}", run.stdout, run.stderr);
    for (file, more) in [
        ("policy.csv", &["--values"][..]),
        ("all.csv", &[]),
        ("policy.json", &["--values"]),
    ] {
        let run = plan(&scratch, &[&["--table=1", "--out", file], more].concat());
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(
            run.stderr.contains(&format!("wrote {file}, 3 states")),
            "{}",
            run.stderr
        );
    }
    let text = scratch.read("policy.csv");
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(
        lines[0],
        "state,start_probability,goal,action,chosen,goal_probability,expected_cost,facts"
    );
    assert!(lines.contains(&"0,1,false,(try),true,0.5,2,"), "{text}");
    assert!(lines.contains(&"2,0,true,,false,1,0,(won)"), "{text}");
    // The table of all actions, and of all states.
    assert_eq!(lines.len(), 1 + 3 + 1 + 2, "{text}");
    assert_eq!(scratch.read("all.csv").lines().count(), 4);
    let json: serde_json::Value = serde_json::from_str(&scratch.read("policy.json")).expect("JSON");
    assert_eq!(
        (&json["domain"], &json["planner"]),
        (&"gamble".into(), &"value-iteration".into())
    );
    assert_eq!(json["rows"][0]["values"].as_array().map(Vec::len), Some(3));
    // Without --table, the policy is written too, and a run is printed.
    let run = plan(&scratch, &["--planner", "lao", "--out", "lao.json"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("; a run of the policy"), "{}", run.stdout);
    for (arguments, reason) in [
        (&["--values"][..], "--table"),
        (
            &["--table", "--out", "policy.plan"],
            "end the file of --out in .csv or .json",
        ),
    ] {
        let run = plan(&scratch, arguments);
        assert!(run.status == 2 && run.stderr.contains(reason), "{}", run.stderr);
    }
}

/// Tossing wins with a quarter and loses with a quarter: one half in the end, after two tosses on average.
#[test]
fn a_table_has_the_action_and_the_value_of_each_state() {
    let scratch = gamble("state-table");
    let run = plan(&scratch, &["--table"]);
    let table = "\
state  P(goal)    cost  action    facts that hold
    0   0.5000  2.0000  (try)     –
    1   1.0000  0.0000  goal      (won)
    2   0.0000       –  dead end  (lost)
; 3 states: all that can be reached
; the start is state 0
; the policy reaches the goal with probability 0.500000000
; with a mean cost of 2.000000 when it does
; no policy has a higher probability, or a lower cost at this probability
";
    assert!(run.stdout.starts_with(table), "{}{}", run.stdout, run.stderr);
    assert!(
        run.stdout.contains("; policy by value-iteration: computed in "),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains(" sweeps over 3 states with a residual of "),
        "{}",
        run.stdout
    );
    let data = plan(
        &scratch,
        &["--table=2", "--planner", "policy-iteration", "--format", "json"],
    )
    .json();
    let table = &data["table"];
    assert_eq!(
        (table["states"].as_u64(), table["all"].as_bool()),
        (Some(3), Some(true))
    );
    assert_eq!(table["rows"].as_array().map(Vec::len), Some(2));
    assert_eq!(table["rows"][0]["action"], "(try)");
    assert_eq!(table["rows"][0]["start_probability"], 1.0);
    assert_eq!(table["rows"][1]["facts"][0], "(won)");
    assert_eq!(table["rows"][1]["goal"], true);
    // Facts of all listed states are stated once, and a policy that plans while it acts has the states that it reaches.
    let run = herbrand(&["plan", "blocks", "--planner", "replan", "--table=2"]);
    assert!(
        run.stdout.contains("; in each of these states:\n;   (on-table a)\n; the first 2 of 5 states that the policy reaches: --table=5 prints all\n"),
        "{}",
        run.stdout
    );
    let narrow = Command::new(env!("CARGO_BIN_EXE_herbrand"))
        .args(["plan", "river", "--table=1"])
        .env("COLUMNS", "50")
        .output()
        .expect("the program starts");
    let narrow = String::from_utf8_lossy(&narrow.stdout).into_owned();
    assert!(
        narrow
            .lines()
            .take_while(|line| !line.starts_with(';'))
            .all(|line| line.chars().count() <= 50),
        "{narrow}"
    );
    for (arguments, reason) in [
        (
            &["blocks", "--table", "--planner", "lazy"][..],
            "--table needs a planner that finds policies: policy-iteration,",
        ),
        (
            &["blocks", "--table", "--optimal"],
            "--table needs a planner that finds policies",
        ),
        (&["blocks", "1", "2", "--table"], "--table"),
        (&["rddl/elevators", "--table"], "--table supports only PDDL"),
    ] {
        let run = herbrand(&[&["plan"], arguments].concat());
        assert!(
            run.status == 2 && run.stderr.contains(reason),
            "{arguments:?}: {}",
            run.stderr
        );
    }
}

#[test]
fn planners_that_decide_while_they_act_report_the_time_of_their_runs() {
    let scratch = gamble("policy-time");
    for (planner, own, part) in [
        (
            "uct",
            &["--iterations", "40"][..],
            "s, each decided by at most 40 walks, after ",
        ),
        ("replan", &[], " s, after "),
        ("lao", &[], "; policy by lao: computed in "),
    ] {
        let run = plan(&scratch, &[&["--planner", planner, "--runs", "7"], own].concat());
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(run.stdout.contains(part), "{}", run.stdout);
        assert_eq!(
            run.stdout.contains(": 7 runs of "),
            planner != "lao",
            "{}",
            run.stdout
        );
    }
}

#[test]
fn policies_are_made_for_chance() {
    let scratch = gamble("policies");
    let relaxed =
        ["policy-iteration", "value-iteration", "lao", "uct", "replan"].map(|planner| (planner, &[][..]));
    let sampled = ("uct", &["--rollouts", "70"][..]);
    for (planner, options) in relaxed.into_iter().chain([sampled]) {
        let arguments = [
            "--planner",
            planner,
            "--runs",
            "200",
            "--exact",
            "--format",
            "json",
        ];
        let arguments = [&arguments[..], options].concat();
        let run = plan(&scratch, &arguments);
        assert_eq!(run.status, 0, "{planner}: {}", run.stderr);
        let data = run.json();
        assert_eq!(
            (
                data["outcome"].as_str(),
                data["planner"].as_str(),
                data["exact"].as_bool()
            ),
            (Some("policy"), Some(planner), Some(true))
        );
        // There is one thing to do, so all policies are one.
        let number = |name: &str| data[name].as_f64().expect(name);
        assert!((number("goal_probability") - 0.5).abs() < 1e-9, "{planner}");
        assert!((number("expected_cost") - 2.0).abs() < 1e-9, "{planner}");
        assert_eq!(
            data["optimal"],
            matches!(planner, "policy-iteration" | "value-iteration" | "lao"),
            "{planner}"
        );
        let sampled = data["runs"]["goal_probability"].as_f64().expect("a share");
        assert!((sampled - 0.5).abs() < 0.2, "{planner}: {sampled}");
        let first = data["runs"]["first"]["steps"].as_array().expect("steps");
        assert!(first.iter().all(|step| step == "(try)") && !first.is_empty());
        assert_eq!(
            plan(&scratch, &arguments).json()["runs"],
            data["runs"],
            "{planner}"
        );
    }
    let run = plan(&scratch, &["--planner", "lao"]);
    assert!(
        run.stdout
            .contains("; the policy reaches the goal with probability 0.500000000\n"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("no policy has a higher probability"),
        "{}",
        run.stdout
    );
}

#[test]
fn policies_are_refused_or_limited_as_plans_are() {
    let scratch = gamble("limits");
    let run = plan(&scratch, &["--planner", "uct", "--out", "file"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr
            .contains("a policy is a table of states, not a sequence of steps"),
        "{}",
        run.stderr
    );
    let run = plan(&scratch, &["--planner", "lao", "--rollouts", "64"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("--rollouts needs --planner uct"),
        "{}",
        run.stderr
    );
    scratch.write(
        "p.pddl",
        "(define (problem p) (:domain gamble) (:init (lost)) (:goal (won)))",
    );
    for planner in ["policy-iteration", "value-iteration", "lao", "uct", "replan"] {
        let run = plan(&scratch, &["--planner", planner, "--format", "json"]);
        assert_eq!(run.status, 1, "{planner}: {}", run.stderr);
        assert_eq!(run.json()["goal_probability"], 0.0, "{planner}");
    }
    let problem = [
        "plan",
        "exploding-blocks",
        "--problem",
        "test/10",
        "--planner",
        "policy-iteration",
    ];
    let run = herbrand(&[&problem[..], &["--memory", "3MB"]].concat());
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(run.stdout.contains("within the memory limit"), "{}", run.stdout);
}
