//! `validate`.

use crate::run::{LAMPS, Scratch, coffee, herbrand, lamps};

const PAIR: [&str; 4] = ["--domain", "domain.pddl", "--problem", "p.pddl"];

fn validate(scratch: &Scratch, plan: &str) -> crate::run::Run {
    scratch.write("plan", plan);
    scratch.run(&[&["validate", "plan"][..], &PAIR].concat())
}

/// Under chance, the row of a plan has the same words as the report of a single plan.
#[test]
fn several_plans_under_chance_say_for_which_outcomes() {
    let scratch = Scratch::new("chance-class");
    scratch.write(
        "domain.pddl",
        "(define (domain toss) (:requirements :probabilistic-effects) (:predicates (up) (won))
           (:action toss :effect (probabilistic 7/10 (up))) (:action bet :precondition (up) :effect (won)))",
    );
    scratch.write(
        "p.pddl",
        "(define (problem p) (:domain toss) (:init) (:goal (up)))",
    );
    scratch.write("a.plan", "(toss)\n");
    scratch.write("b.plan", "(toss)\n(bet)\n");
    scratch.write("c.plan", "(bet)\n");
    let run = scratch.run(&["validate", "domain.pddl", "p.pddl", "a.plan", "b.plan", "c.plan"]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    for part in [
        "reaches the goal with probability 0.700000; missing in the most probable end without the goal: (up)\n",
        "; step 2 (line 2), for some outcomes: (bet) is not valid",
        "  step 1 (line 1): (bet) is not valid",
        "\n0 of 3 plans reach the goal with certainty, and 2 with a lower probability\n",
    ] {
        assert!(run.stdout.contains(part), "{part} in {}", run.stdout);
    }
}

/// The plans of a class.
#[test]
fn several_plans_are_validated_in_one_table() {
    let scratch = lamps("class");
    scratch.write("ann.plan", "(turn-on a)\n");
    scratch.write("bob.plan", "(turn-off b)\n");
    scratch.write("cem.plan", "(turn-on a)\n(turn-on b)\n");
    scratch.write("dora.plan", "turn-on(a)\n");
    let validate = |more: &[&str]| {
        scratch.run(
            &[
                &["validate", "domain.pddl", "p.pddl", "ann.plan", "bob.plan"],
                more,
            ]
            .concat(),
        )
    };
    let run = validate(&["cem.plan"]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    let lines: Vec<_> = run.stdout.lines().collect();
    for (line, parts) in [
        (1, ["ann.plan", "1", "reaches the goal"]),
        (2, ["bob.plan", "1", "missing: (on a), (on b)"]),
        (3, ["cem.plan", "2", "step 2 (line 2): "]),
    ] {
        assert!(
            parts.iter().all(|part| lines[line].contains(part)),
            "{}",
            run.stdout
        );
    }
    assert_eq!(lines.last(), Some(&"1 of 3 plans reach the goal"));
    let right = scratch.run(&["validate", "domain.pddl", "p.pddl", "ann.plan", "ann.plan"]);
    assert_eq!(right.status, 0, "{}", right.stderr);
    let faulty = validate(&["dora.plan", "--format", "json"]);
    assert_eq!(faulty.status, 2);
    assert!(
        faulty.stderr.contains("dora.plan:1: ") && faulty.stderr.contains("write (turn-on a)"),
        "{}",
        faulty.stderr
    );
    let verdicts = faulty.json();
    assert_eq!(
        (&verdicts[0]["valid"], &verdicts[0]["plan"]),
        (&true.into(), &"ann.plan".into())
    );
    assert_eq!(verdicts[1]["missing"].as_array().map(Vec::len), Some(2));
    assert!(verdicts[2]["error"].is_string());
}

#[test]
fn a_plan_that_reaches_the_goal_is_valid() {
    let scratch = lamps("valid");
    let run = validate(&scratch, "(turn-on a)\n; cost = 1 (unit cost)\n");
    assert_eq!(
        (run.status, run.stdout.as_str()),
        (0, "the plan reaches the goal\nsteps: 1\n")
    );
    let run = validate(
        &scratch,
        "0: (turn-off b) [1]\n1: (TURN-ON B) [1]\n2: (turn-on a) [1]\n",
    );
    assert_eq!(run.status, 0, "{}", run.stdout);
}

#[test]
fn files_of_word_processors_are_read() {
    let scratch = lamps("encodings");
    let plan = "\u{feff}(turn-on a)\n";
    std::fs::write(scratch.path().join("utf-8"), plan).expect("a file");
    let utf_16 = |text: &str| {
        text.encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<u8>>()
    };
    std::fs::write(scratch.path().join("utf-16"), utf_16(plan)).expect("a file");
    let domain = utf_16(&format!("\u{feff}{LAMPS}"));
    std::fs::write(scratch.path().join("wide.pddl"), domain).expect("a file");
    for (domain, plan) in [
        ("domain.pddl", "utf-8"),
        ("domain.pddl", "utf-16"),
        ("wide.pddl", "utf-8"),
    ] {
        let run = scratch.run(&["validate", domain, "p.pddl", plan]);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{domain} {plan}");
    }
}

#[test]
fn a_plan_that_fails_says_where_and_why() {
    let scratch = lamps("failing");
    for (plan, expected) in [
        (
            "",
            "the goal does not hold at the end\n  missing: (on a)\nsteps: 0\n",
        ),
        (
            "(turn-on a)\n\n(turn-on b)",
            "step 2 (line 3): (turn-on b) is not valid: (not (on b)) does not hold\nthe plan does not reach the goal\nsteps: 2\n",
        ),
        (
            "(turn-on c)",
            "step 1 (line 1): there is no object `c`\nthe plan does not reach the goal\nsteps: 1\n",
        ),
    ] {
        let run = validate(&scratch, plan);
        assert_eq!((run.status, run.stdout.as_str()), (1, expected));
    }
    let never = coffee("never-valid", "(handempty)", "(:goal (full mug))");
    let run = validate(&never, "(move kitchen office)");
    let reason =
        "(move kitchen office) is never valid: (door kitchen office) does not hold, and no action changes it";
    assert!(
        run.stdout.starts_with(&format!("step 1 (line 1): {reason}\n")),
        "{}",
        run.stdout
    );
    let shown = never.run(&[
        "show",
        "domain.pddl",
        "p.pddl",
        "--actions",
        "(move kitchen office)",
    ]);
    assert_eq!(
        (shown.status, shown.stderr.trim_end()),
        (2, format!("error: {reason}").as_str())
    );
    let run = validate(&scratch, "turn everything on");
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("plan:1: `turn everything on`"),
        "{}",
        run.stderr
    );
}

#[test]
fn chance_gives_a_probability_and_costs_a_mean() {
    let scratch = Scratch::new("chance");
    scratch.write(
        "domain.pddl",
        "(define (domain coin) (:requirements :probabilistic-effects :action-costs :negative-preconditions)
           (:predicates (heads) (done)) (:functions (total-cost) - number)
           (:action toss :precondition (not (done)) :effect (and (increase (total-cost) 2)
             (probabilistic 1/4 (and (heads) (increase (total-cost) 4)))))
           (:action stop :precondition (heads) :effect (done)))",
    );
    scratch.write(
        "p.pddl",
        "(define (problem p) (:domain coin) (:init (= (total-cost) 0)) (:goal (heads)) (:metric minimize (total-cost)))",
    );
    scratch.write("plan", "(toss)\n(toss)");
    let report = scratch.run(&[&["validate", "plan", "--format", "json"][..], &PAIR].concat());
    assert_eq!(report.status, 1);
    let report = report.json();
    assert_eq!(report["goal_probability"], 0.4375);
    assert_eq!(report["executable_probability"], 1.0);
    assert_eq!(report["metric"], 6.0);
    assert_eq!(report["failure"], serde_json::Value::Null);
    assert_eq!(report["missing"], serde_json::json!(["(heads)"]));
    let run = validate(&scratch, "(toss)\n(stop)");
    let expected = "step 2 (line 2), for some outcomes: (stop) is not valid: (heads) does not hold
the plan reaches the goal with probability 0.250000
steps: 2
value of the metric: 6 (minimize (total-cost))\n";
    assert_eq!(run.stdout, expected);
}

#[test]
fn a_bundled_problem_comes_with_a_plan() {
    let run = herbrand(&["validate", "gripper", "--problem", "test/02"]);
    assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
    assert!(
        run.stdout.starts_with("the plan reaches the goal\nsteps: "),
        "{}",
        run.stdout
    );
    assert_eq!(herbrand(&["validate", "gripper", "nowhere"]).status, 2);
    assert_eq!(
        herbrand(&["validate", "gripper", "plan", "--domain", "d", "--problem", "p"]).status,
        2
    );
}

/// A plan that follows the domain and the problem as `-` is read from standard input, like a file that is a pipe.
#[test]
fn a_plan_is_read_from_standard_input() {
    let scratch = lamps("piped-plan");
    let valid = "the plan reaches the goal\nsteps: 1\n";
    for words in [
        &["validate", "domain.pddl", "p.pddl", "-"][..],
        &["validate", "--domain", "domain.pddl", "--problem", "p.pddl", "-"],
        &["validate", "--domain", "domain.pddl", "p.pddl", "-"],
        // The domain is the one beside the problem.
        &["validate", "p.pddl", "-"],
        #[cfg(unix)]
        &["validate", "domain.pddl", "p.pddl", "/dev/stdin"],
    ] {
        let run = scratch.feed(words, b"(turn-on a)\n");
        assert_eq!(
            (run.status, run.stdout.as_str()),
            (0, valid),
            "{words:?} {}",
            run.stderr
        );
    }
    let run = scratch.feed(&["validate", "domain.pddl", "p.pddl", "-"], b"turn on a");
    assert!(
        run.stderr.contains("standard input:1: `turn on a`"),
        "{}",
        run.stderr
    );
    let words = [
        "rollout",
        "domain.pddl",
        "p.pddl",
        "--plan",
        "-",
        "--format",
        "json",
    ];
    let run = scratch.feed(&words, b"(turn-on a)\n");
    assert_eq!(run.json()["rows"][0]["goals"], 1, "{}", run.stderr);
    let words = [
        "render",
        "domain.pddl",
        "p.pddl",
        "--plan",
        "-",
        "--out",
        "a.html",
    ];
    let run = scratch.feed(&words, b"(turn-on a)\n");
    let output = run.stdout + &run.stderr;
    assert!(output.contains("2 states"), "{output}");
}
