//! `plan`.

use crate::run::{Scratch, coffee, herbrand, lamps};

const PAIR: [&str; 4] = ["--domain", "domain.pddl", "--problem", "p.pddl"];

pub fn plan(scratch: &Scratch, arguments: &[&str]) -> crate::run::Run {
    scratch.run(&[&["plan"][..], &PAIR, arguments].concat())
}

#[test]
fn a_plan_is_printed_and_written_so_that_validate_reads_it() {
    let scratch = lamps("planned");
    let run = plan(&scratch, &["--out", "found.plan"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stdout
            .starts_with("(turn-on a)\n; cost = 1 (number of steps)\n; 1 step\n; planner landmarks: "),
        "{}",
        run.stdout
    );
    assert_eq!(
        scratch.read("found.plan"),
        "(turn-on a)\n; cost = 1 (number of steps)\n"
    );
    scratch.write("printed.plan", &run.stdout);
    for file in ["found.plan", "printed.plan"] {
        let validated = scratch.run(&[&["validate", file][..], &PAIR].concat());
        assert_eq!(validated.status, 0, "{}", validated.stdout);
    }
}

#[test]
fn operators_in_no_plan_are_left_out_on_request() {
    let planned = |arguments: &[&str]| {
        let run = herbrand(
            &[
                &["plan", "sokoban", "5", "--optimal", "--format", "json"],
                arguments,
            ]
            .concat(),
        );
        assert_eq!(run.status, 0, "{}", run.stderr);
        run.json()
    };
    let (whole, pruned) = (planned(&[]), planned(&["--h2"]));
    assert_eq!(
        (&whole["cost"], &whole["metric"]),
        (&pruned["cost"], &pruned["metric"])
    );
    let generated = |data: &serde_json::Value| data["generated"].as_u64().expect("a number");
    assert!(generated(&pruned) < generated(&whole), "{pruned}");
    for (arguments, answer) in [
        (&["plan", "river", "--h2"][..], "a finite-domain task cannot have"),
        (
            &["plan", "river", "--h2", "--planner", "lao"],
            "--h2 needs a planner that finds plans",
        ),
        (&["plan", "rddl/elevators", "--h2"], "--h2 supports only PDDL"),
    ] {
        let run = herbrand(arguments);
        assert_eq!(run.status, 2, "{arguments:?}");
        assert!(run.stderr.contains(answer), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn every_planner_plans_and_optimal_plans_are_cheapest() {
    for planner in [
        "landmarks",
        "lazy",
        "eager",
        "additive",
        "anytime",
        "hill-climbing",
        "width",
        "portfolio",
        "astar-blind",
        "astar-max",
        "astar-lmcut",
    ] {
        let problem = ["plan", "ferry", "--problem", "train/01", "--planner", planner];
        let run = herbrand(&[&problem[..], &["--format", "json"]].concat());
        assert_eq!(run.status, 0, "{planner}: {}", run.stderr);
        let data = run.json();
        assert_eq!(
            (data["outcome"].as_str(), data["planner"].as_str()),
            (Some("plan"), Some(planner))
        );
        assert_eq!(data["goal_probability"], 1.0);
        let [prepared, search, cpu] = ["preparation_seconds", "search_seconds", "search_cpu_seconds"]
            .map(|name| data[name].as_f64().expect("seconds"));
        assert!(0.0 < prepared && prepared <= search && 0.0 < cpu, "{data}");
        let steps = data["plan"].as_array().expect("a plan").len();
        assert_eq!(data["cost"].as_f64(), Some(steps as f64));
        let best = herbrand(&[
            "plan",
            "ferry",
            "--problem",
            "train/01",
            "--optimal",
            "--format",
            "json",
        ])
        .json();
        assert_eq!(best["proven_optimal"], true);
        assert!(best["cost"].as_f64() <= data["cost"].as_f64(), "{planner}");
        if planner.starts_with("astar") || planner == "anytime" {
            assert_eq!(
                (&data["cost"], &data["proven_optimal"]),
                (&best["cost"], &best["proven_optimal"]),
                "{planner}"
            );
        }
    }
}

#[test]
fn the_goal_that_cannot_be_reached_is_named() {
    for (facts, goal, told) in [
        (
            "",
            "(:goal (and (full mug) (at office)))",
            "; there is no plan\n; the goal cannot be reached: (full mug) holds in no reachable state\n; planner ",
        ),
        (
            "(handempty)",
            "(:goal (and (full mug) (door kitchen office)))",
            "; there is no plan\n; the goal cannot be reached: (door kitchen office) does not hold, and no action changes it\n",
        ),
        (
            "(handempty)",
            "",
            "; the problem has no goal, so there is no plan\n",
        ),
    ] {
        let scratch = coffee("unreachable", facts, goal);
        let run = plan(&scratch, &[]);
        assert_eq!(run.status, 1, "{}", run.stderr);
        assert!(run.stdout.starts_with(told), "{}", run.stdout);
    }
}

#[test]
fn what_cannot_be_is_told_with_status_1() {
    let scratch = lamps("hopeless");
    scratch.write(
        "p.pddl",
        "(define (problem dark) (:domain lamps) (:objects a) (:init (on a)) (:goal (not (on a))))",
    );
    let run = plan(&scratch, &[]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(
        run.stdout
            .starts_with("; there is no plan\n; planner landmarks: 0 states"),
        "{}",
        run.stdout
    );
    scratch.write(
        "p.pddl",
        "(define (problem lit) (:domain lamps) (:objects a) (:init (on a)) (:goal (on a)))",
    );
    let run = plan(&scratch, &[]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stdout
            .starts_with("; cost = 0 (number of steps)\n; the goal already holds\n"),
        "{}",
        run.stdout
    );
}

/// The arguments of a search that finds several plans, each cheaper than the one before.
const ANYTIME: [&str; 7] = [
    "plan",
    "depot",
    "test/05",
    "--planner",
    "anytime",
    "--out",
    "depot.plan",
];

/// The planner that looks for cheaper plans writes each plan when it is found, so that a killed search leaves one behind.
#[test]
fn each_cheaper_plan_is_written() {
    let scratch = Scratch::new("anytime");
    let run = scratch.run(&ANYTIME);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let written: Vec<_> = run.stderr.lines().collect();
    let steps: Vec<u32> = (written.iter().map(|line| line.split([' ', ',']).nth(3)))
        .map(|steps| steps.and_then(|steps| steps.parse().ok()).expect(&run.stderr))
        .collect();
    let [plans @ .., last] = &steps[..] else {
        panic!("{}", run.stderr)
    };
    assert!(
        plans.len() > 1 && plans.is_sorted_by(|one, next| one > next),
        "{}",
        run.stderr
    );
    assert_eq!(plans.last(), Some(last), "{}", run.stderr);
    assert!(written[0].contains(&format!(
        "wrote depot.plan, {} steps, cost {} after ",
        plans[0], plans[0]
    )));
    assert_eq!(scratch.read("depot.plan").lines().count(), *last as usize + 1);
}

#[test]
fn a_file_that_is_no_plan_is_kept() {
    let scratch = Scratch::new("anytime-kept");
    scratch.write("depot.plan", "a note of mine\n");
    let run = scratch.run(&ANYTIME);
    assert_eq!(run.status, 2, "{}", run.stdout);
    assert_eq!(scratch.read("depot.plan"), "a note of mine\n");
}

#[test]
fn limits_and_unknown_planners_are_told() {
    let run = herbrand(&[
        "plan",
        "sokoban",
        "--problem",
        "test/10",
        "--planner",
        "astar-blind",
        "--memory",
        "5MB",
    ]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(run.stdout.contains("within the memory limit"), "{}", run.stdout);
    let bound = run.stdout.split("; every plan costs at least ").nth(1);
    let bound = bound.and_then(|text| text.lines().next()?.parse::<u32>().ok());
    // The planner with a better heuristic shows that a cheapest plan has more steps.
    assert!(bound.is_some_and(|bound| bound > 1), "{}", run.stdout);
    let run = herbrand(&["plan", "sokoban", "--planner", "magic"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("astar-lmcut"), "{}", run.stderr);
    let run = herbrand(&["plan", "rddl/elevators", "--optimal"]);
    assert_eq!(run.status, 2, "{}", run.stdout);
    assert!(
        run.stderr.contains("--optimal supports only PDDL"),
        "{}",
        run.stderr
    );
}

#[test]
fn chance_gives_the_probability_of_the_goal() {
    let scratch = Scratch::new("luck");
    scratch.write(
        "domain.pddl",
        "(define (domain coin) (:requirements :probabilistic-effects) (:predicates (heads))
           (:action toss :effect (probabilistic 1/4 (heads))))",
    );
    scratch.write(
        "p.pddl",
        "(define (problem p) (:domain coin) (:init) (:goal (heads)))",
    );
    let run = plan(&scratch, &[]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stdout.contains("(toss)\n") && run.stdout.contains("probability 0.250000"),
        "{}",
        run.stdout
    );
    let run = plan(&scratch, &["--determinize", "most-likely"]);
    assert_eq!(run.status, 1);
    assert!(
        run.stdout.contains("another planner may find one"),
        "{}",
        run.stdout
    );
}

/// A planner that is a script of a shell: `$1` is the domain, `$2` the problem, `$3` the plan.
#[cfg(unix)]
fn script(text: &str) -> String {
    format!("sh -c '{text}' fake {{domain}} {{problem}} {{plan}}")
}

#[test]
#[cfg(unix)]
fn another_program_finds_the_plan_and_it_is_executed() {
    let scratch = lamps("external");
    // This program is one, too.
    let own = format!(
        "'{}' plan --domain {{domain}} --problem {{problem}}",
        env!("CARGO_BIN_EXE_herbrand")
    );
    let run = plan(&scratch, &["--external", &own, "--out", "found.plan"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stdout.starts_with(
            "(turn-on a)\n; cost = 1 (number of steps)\n; 1 step\n; planner herbrand: ended in "
        ),
        "{}",
        run.stdout
    );
    assert_eq!(
        scratch.read("found.plan"),
        "(turn-on a)\n; cost = 1 (number of steps)\n"
    );
    let run = plan(
        &scratch,
        &[
            "--external",
            &script("echo \"(turn-on a)\" > $3"),
            "--format",
            "json",
        ],
    );
    let data = run.json();
    assert_eq!(
        (data["planner"].as_str(), data["outcome"].as_str()),
        (Some("sh"), Some("plan"))
    );
    assert_eq!(data["proven_optimal"], false);
}

#[test]
#[cfg(unix)]
fn another_program_that_finds_no_plan_is_refused() {
    let scratch = lamps("refused");
    for (command, told) in [
        (script(": > $3"), "does not reach the goal"),
        (
            script("echo \"(fly a)\" > $3"),
            "step 1 of the plan from sh, (fly a), is rejected",
        ),
        (
            script("echo done >&2; exit 12"),
            "sh returned no plan (exit status: 12): done",
        ),
        (
            "no-such-planner {domain} {problem}".to_owned(),
            "no-such-planner cannot be started",
        ),
        ("sh {problem}".to_owned(), "the command lacks {domain}"),
        (
            "sh '{domain} {problem}".to_owned(),
            "a quotation mark is not closed",
        ),
    ] {
        let run = plan(&scratch, &["--external", &command, "--out", "none.plan"]);
        assert_eq!(run.status, 2, "{command}: {}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains(told), "{command}: {}", run.stderr);
        assert!(!scratch.path().join("none.plan").exists(), "{command}");
    }
    let run = plan(&scratch, &["--external", &script("sleep 300"), "--time", "300ms"]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(run.stdout.contains("within the time limit"), "{}", run.stdout);
}

/// Two places, and a way back whose length is undefined.
const PATHS: &str = "(define (domain paths)
  (:requirements :strips :action-costs)
  (:predicates (at ?p) (road ?a ?b))
  (:functions (total-cost) (length ?a ?b))
  (:action move :parameters (?a ?b)
    :precondition (and (at ?a) (road ?a ?b))
    :effect (and (not (at ?a)) (at ?b) (increase (total-cost) (length ?a ?b)))))";

#[test]
fn a_missing_value_is_named_where_there_is_no_plan() {
    let scratch = Scratch::new("missing-value");
    scratch.write("domain.pddl", PATHS);
    scratch.write(
        "p.pddl",
        "(define (problem hill) (:domain paths) (:objects k m)
           (:init (at m) (road k m) (road m k) (= (length k m) 3)) (:goal (at k)))",
    );
    let missing = "`(length m k)` has no value, so `(move m k)` is never valid";
    let run = plan(&scratch, &[]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(
        run.stdout
            .starts_with(&format!("; there is no plan\n; {missing}\n; planner ")),
        "{}",
        run.stdout
    );
    let data = plan(&scratch, &["--format", "json"]).json();
    assert_eq!(data["undefined_values"], serde_json::json!([missing]));

    for command in [
        vec!["check", "domain.pddl", "p.pddl"],
        [&["ground"][..], &PAIR].concat(),
    ] {
        let run = scratch.run(&command);
        assert_eq!(run.status, 0);
        assert!(
            run.stderr.contains(&format!("warning[W0403]: {missing}")),
            "{}",
            run.stderr
        );
    }
    let render = scratch.run(&[&["render", "--out", "p.svg"][..], &PAIR].concat());
    assert_eq!(render.status, 0, "{}", render.stderr);
    let picture = scratch.read("p.svg");
    assert!(picture.contains(">3<") && !picture.contains(">0<"), "{picture}");
    let strict = scratch.run(&["check", "--strict", "domain.pddl", "p.pddl"]);
    assert_eq!(strict.status, 2);
    let rollout = scratch.run(&[&["rollout"][..], &PAIR, &["--episodes", "20"]].concat());
    assert_eq!(rollout.status, 0, "{}", rollout.stderr);
}

#[test]
fn a_value_that_is_assigned_too_late_is_named_where_there_is_no_plan() {
    let scratch = Scratch::new("awaited-value");
    scratch.write(
        "domain.pddl",
        "(define (domain tank) (:requirements :numeric-fluents) (:predicates (open) (done)) (:functions (level))
           (:action fill :precondition (open) :effect (assign (level) 3))
           (:action pour :effect (and (decrease (level) 1) (done))))",
    );
    let problem = |init: &str| format!("(define (problem p) (:domain tank) (:init {init}) (:goal (done)))");
    scratch.write("p.pddl", &problem(""));
    let run = plan(&scratch, &[]);
    let line = "; `(level)` has no initial value, and `(pour)` is not valid until it has one\n";
    assert_eq!(run.status, 1);
    assert!(run.stdout.contains(line), "{}", run.stdout);
    scratch.write("p.pddl", &problem("(open)"));
    let run = plan(&scratch, &[]);
    assert!(run.stdout.starts_with("(fill)\n(pour)\n"), "{}", run.stdout);
}

#[test]
fn a_problem_that_was_not_named_is_named() {
    let scratch = lamps("unnamed");
    assert!(scratch.run(&["plan", "."]).stdout.contains("\n; problem p\n"));
    assert!(
        !scratch
            .run(&["plan", "domain.pddl", "p.pddl"])
            .stdout
            .contains("; problem")
    );
}

#[test]
fn a_metric_that_is_not_followed_says_why() {
    let scratch = Scratch::new("reward-metric");
    scratch.write(
        "domain.pddl",
        "(define (domain shop) (:requirements :rewards :negative-preconditions) (:predicates (sold))
           (:action sell :precondition (not (sold)) :effect (and (sold) (increase (reward) 5))))",
    );
    scratch.write(
        "p.pddl",
        "(define (problem p) (:domain shop) (:init) (:goal (sold)) (:goal-reward 100) (:metric maximize (reward)))",
    );
    let why = "the metric does not count, because it is maximised, and `(sell)` adds 5 to it:";
    let run = plan(&scratch, &[]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stdout.contains(&format!(
            "; {why} the search minimises the number of steps instead\n"
        )),
        "{}",
        run.stdout
    );
    let value = "without the goal reward of 100\n";
    assert!(
        run.stdout
            .contains(&format!("; value of the metric = 5, {value}")),
        "{}",
        run.stdout
    );
    let run = plan(&scratch, &["--planner", "lao"]);
    assert!(
        run.stdout.contains(&format!(
            "; {why} the policy minimises the number of steps instead\n"
        )),
        "{}",
        run.stdout
    );
    let run = plan(&scratch, &["--optimal"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr
            .contains("cannot prove an optimum by this metric: it is maximised, and `(sell)` adds 5 to it"),
        "{}",
        run.stderr
    );
    scratch.write("plan", "(sell)");
    let run = scratch.run(&["validate", "domain.pddl", "p.pddl", "plan"]);
    assert!(
        run.stdout
            .ends_with(&format!("value of the metric: 5 (maximize (reward)), {value}")),
        "{}",
        run.stdout
    );
}

/// A cost that depends on numbers counts with its decimals, and is called the metric only where it is.
#[test]
fn a_cost_that_is_not_the_metric_is_not_called_so() {
    let scratch = Scratch::new("cost-meaning");
    scratch.write(
        "domain.pddl",
        "(define (domain ways) (:requirements :numeric-fluents) (:predicates (here) (mid) (there))
           (:functions (used) (load))
           (:action short :precondition (here) :effect (and (there) (increase (used) (* 1.1 (load)))))
           (:action first :precondition (here) :effect (and (mid) (increase (used) (* 0.4 (load)))))
           (:action second :precondition (mid) :effect (and (there) (increase (used) (* 0.4 (load)))))
           (:action fill :precondition (< (load) 3) :effect (increase (load) 1)))",
    );
    for (used, metric, lines) in [
        (
            0,
            "minimize (used)",
            "; cost = 0.8 (value of the metric)\n; 2 steps\n; costs of steps",
        ),
        (
            2,
            "minimize (used)",
            "; cost = 0.8 (added to the metric)\n; 2 steps\n; value of the metric = 2.8\n",
        ),
    ] {
        scratch.write(
            "p.pddl",
            &format!(
                "(define (problem p) (:domain ways) (:init (here) (= (used) {used}) (= (load) 1)) (:goal (there))
                   (:metric {metric}))"
            ),
        );
        let run = plan(&scratch, &["--planner", "astar-lmcut"]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(run.stdout.contains(lines), "{}", run.stdout);
        let because =
            "negative ones to 0, because what `(short)` adds to it depends on numbers that change\n";
        assert!(run.stdout.contains(because), "{}", run.stdout);
    }
    let run = plan(&scratch, &["--optimal"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("--planner astar-lmcut plans without a proof"),
        "{}",
        run.stderr
    );
}
