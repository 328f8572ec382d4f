//! Files in the format of Fast Downward's translator, written and planned for.

use crate::run::{Scratch, lamps};

/// A task whose operators have names that PDDL does not allow, as another translator may write it: a lift goes up twice, or
/// takes one dear step.
const LIFT: &str = "begin_version
3
end_version
begin_metric
1
end_metric
1
begin_variable
floor
-1
3
Atom at(0)
Atom at(1)
Atom at(2)
end_variable
0
begin_state
0
end_state
begin_goal
1
0 2
end_goal
3
begin_operator
Up! 0 1
0
1
0 0 0 1
2
end_operator
begin_operator
Up! 1 2
0
1
0 0 1 2
3
end_operator
begin_operator
Leap! 0 2
0
1
0 0 0 2
9
end_operator
0
";

fn lift(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write("lift.sas", LIFT);
    scratch
}

#[test]
fn a_translated_problem_is_planned_for_like_its_text() {
    let scratch = lamps("translated");
    let run = scratch.run(&["translate", "domain.pddl", "p.pddl", "--out", "p.sas"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let run = scratch.run(&["plan", "p.sas", "--out", "found.plan"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stdout
            .starts_with("(turn-on a)\n; cost = 1 (number of steps)\n; 1 step\n; planner landmarks: "),
        "{}",
        run.stdout
    );
    let run = scratch.run(&["validate", "domain.pddl", "p.pddl", "found.plan"]);
    assert_eq!(run.status, 0, "{}", run.stdout);
}

#[test]
fn a_plan_has_the_names_of_the_operators_and_their_costs() {
    let scratch = lift("lift");
    let run = scratch.run(&["plan", "lift.sas", "--optimal", "--format", "json"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let data = run.json();
    assert_eq!(data["plan"], serde_json::json!(["(Up! 0 1)", "(Up! 1 2)"]));
    assert_eq!((&data["cost"], &data["metric"]), (&5.0.into(), &5.0.into()));
    assert_eq!(data["proven_optimal"], true);
    let run = scratch.run(&["plan", "lift.sas", "--optimal"]);
    let found = "(Up! 0 1)\n(Up! 1 2)\n; cost = 5 (value of the metric)\n; 2 steps, proven optimal\n";
    assert!(run.stdout.starts_with(found), "{}", run.stdout);
    scratch.write(
        "stuck.sas",
        &LIFT
            .replace("0 0 1 2\n", "0 0 1 0\n")
            .replace("0 0 0 2\n", "0 0 0 1\n"),
    );
    let run = scratch.run(&["plan", "stuck.sas"]);
    assert_eq!(run.status, 1);
    assert!(run.stdout.starts_with("; there is no plan\n"), "{}", run.stdout);
}

#[test]
fn faults_of_a_task_file_have_their_lines() {
    let scratch = Scratch::new("faulty-task");
    scratch.write(
        "bad.sas",
        &LIFT
            .replace("0 0 1 2\n", "0 0 1 7\n")
            .replace("begin_goal\n1\n0 2", "begin_goal\n1\n4 2"),
    );
    let run = scratch.run(&["plan", "bad.sas"]);
    assert_eq!(run.status, 2);
    for part in ["S0004", "S0005", "bad.sas:22", "bad.sas:36"] {
        assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
    }
    let check = scratch.run(&["check", "bad.sas"]);
    assert_eq!((check.status, &check.stderr), (2, &run.stderr));
    scratch.write("good.sas", LIFT);
    assert_eq!(scratch.run(&["check", "good.sas"]).status, 0);
}

#[test]
fn what_needs_a_domain_is_refused_for_a_task_file() {
    let scratch = lift("whole");
    for (arguments, answer) in [
        (&["plan", "lift.sas", "other"][..], "remove `other`"),
        (&["plan", "lift.sas", "--h2"], "--h2 needs a domain"),
        (
            &["plan", "lift.sas", "--planner", "lao"],
            "--planner lao needs a domain",
        ),
        (
            &["plan", "lift.sas", "--external", "fd {domain} {problem}"],
            "--external needs a domain",
        ),
    ] {
        let run = scratch.run(arguments);
        assert_eq!(run.status, 2, "{arguments:?}");
        assert!(run.stderr.contains(answer), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn a_plan_is_validated_by_the_names_of_the_file() {
    let scratch = lift("validated");
    scratch.write("up.plan", "(Up! 0 1)\n(up! 1 2)\n; cost = 5 (general cost)\n");
    let run = scratch.run(&["validate", "lift.sas", "up.plan"]);
    assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
    assert_eq!(
        run.stdout,
        "the plan reaches the goal\nsteps: 2\nvalue of the metric: 5 (minimize (total-cost))\n"
    );
    let run = scratch.run(&["rollout", "lift.sas", "--plan", "up.plan", "--format", "json"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(run.json()["rows"][0]["goals"], 1);
    scratch.write("short.plan", "(Up! 1 2)\n");
    let run = scratch.run(&["validate", "lift.sas", "short.plan"]);
    assert_eq!(run.status, 1);
    assert!(run.stdout.starts_with("step 1 (line 1): "), "{}", run.stdout);
    scratch.write("unknown.plan", "(down 1 0)\n");
    let run = scratch.run(&["validate", "lift.sas", "unknown.plan"]);
    assert_eq!(run.status, 1);
    assert!(run.stdout.contains("down"), "{}", run.stdout);
}

/// Two operators have one name, as a translator writes them for a precondition with two cases.
#[test]
fn of_operators_with_one_name_a_plan_means_the_applicable_one() {
    let scratch = Scratch::new("one-name");
    scratch.write("lift.sas", &LIFT.replace("Leap! 0 2", "Up! 1 2"));
    scratch.write("up.plan", "(Up! 0 1)\n(Up! 1 2)\n");
    scratch.write("leap.plan", "(Up! 1 2)\n");
    for plan in ["up.plan", "leap.plan"] {
        let run = scratch.run(&["validate", "lift.sas", plan]);
        assert_eq!(run.status, 0, "{plan}: {}", run.stdout);
    }
}

/// A disjunction in a precondition becomes operators of one name.
#[test]
fn operators_with_one_name_are_numbered_and_found_by_that_name() {
    let scratch = Scratch::new("numbered");
    scratch.write(
        "domain.pddl",
        "(define (domain d) (:requirements :adl) (:predicates (in ?r) (has) (lit ?r) (dark ?r))
  (:action switch :parameters (?r) :precondition (lit ?r) :effect (and (dark ?r) (not (lit ?r))))
  (:action take :parameters (?r) :precondition (and (in ?r) (or (lit ?r) (dark ?r))) :effect (has)))",
    );
    scratch.write(
        "p.pddl",
        "(define (problem p) (:domain d) (:objects hall) (:init (in hall) (lit hall)) (:goal (and (has) (dark hall))))",
    );
    let run = scratch.run(&["translate", "domain.pddl", "p.pddl", "--out", "p.sas"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(scratch.read("p.sas").matches("\ntake hall\n").count(), 2);
    let shown = |actions: &str| {
        let run = scratch.run(&["show", "p.sas", "--actions", actions, "--format", "json"]);
        assert_eq!(run.status, 0, "{actions}: {}", run.stderr);
        let shown = run.json();
        (shown["actions"].clone(), shown["goal"].clone())
    };
    // One of the two is applicable before, the other one after the switch.
    let (before, after) = (shown("").0, shown("(switch hall)").0);
    let both = [before, after].map(|actions| {
        let actions = actions.as_array().expect("a list").iter();
        let takes = actions.filter_map(|action| action.as_str().filter(|name| name.starts_with("(take")));
        takes.map(str::to_owned).collect::<Vec<_>>()
    });
    let mut names = both.concat();
    names.sort();
    assert_eq!(names, ["(take hall)", "(take#2 hall)"], "{both:?}");
    assert_eq!(shown("(TAKE hall) (switch hall)").1, true);
    assert_eq!(shown("(switch hall) (take hall)").1, true);
    assert_eq!(shown(&format!("(switch hall) {}", both[1][0])).1, true);
}

#[test]
fn a_task_file_is_walked_drawn_and_explored() {
    let scratch = lamps("walked");
    let run = scratch.run(&[
        "translate",
        "domain.pddl",
        "p.pddl",
        "--keep-irrelevant",
        "--out",
        "p.sas",
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let show = ["show", "p.sas", "--actions", "(turn-on a)", "--format", "json"];
    let of_text = [
        "show",
        "domain.pddl",
        "p.pddl",
        "--actions",
        "(turn-on a)",
        "--format",
        "json",
    ];
    let (file, text) = (scratch.run(&show), scratch.run(&of_text));
    assert_eq!(file.status, 0, "{}", file.stderr);
    let (file, text) = (file.json(), text.json());
    assert_eq!(file["goal"], text["goal"]);
    // The objects are in another order.
    let sorted = |data: &serde_json::Value, key: &str| {
        let items = data[key].as_array().into_iter().flatten();
        let mut items: Vec<_> = items.map(ToString::to_string).collect();
        items.sort();
        items
    };
    for key in ["actions", "goal_parts"] {
        assert_eq!(sorted(&file, key), sorted(&text, key), "{key}");
    }
    let run = scratch.run(&["record", "p.sas", "--walks", "3", "--out", "p.jsonl"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let run = scratch.run(&["replay", "p.jsonl", "--format", "json"]);
    assert_eq!(
        (run.status, &run.json()["mismatches"]),
        (0, &0.into()),
        "{}",
        run.stderr
    );
    let run = scratch.run(&["render", "p.sas", "--out", "p.svg"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let spaces = [
        &["space", "p.sas", "--format", "json"][..],
        &["space", "domain.pddl", "p.pddl", "--format", "json"],
    ];
    let [file, text] = spaces.map(|arguments| scratch.run(arguments).json());
    assert_eq!(
        (&file["states"], &file["goal_steps"]),
        (&text["states"], &text["goal_steps"])
    );
    for arguments in [
        &["ground", "p.sas"][..],
        &["translate", "p.sas"],
        &["datalog", "p.sas"],
        &["show", "p.sas", "--engine", "lifted"],
        &["show", "p.sas", "domain.pddl"],
    ] {
        let run = scratch.run(arguments);
        assert_eq!(run.status, 2, "{arguments:?}: {}", run.stdout);
        assert!(
            run.stderr.contains("finite-domain task") || run.stderr.contains("ground task"),
            "{arguments:?}: {}",
            run.stderr
        );
    }
}

/// With irrelevant atoms, the written task has the reachable states of the ground task, also of atoms that nothing reads.
#[test]
fn irrelevant_atoms_are_kept_on_request() {
    let scratch = Scratch::new("irrelevant");
    let rows = [
        (
            "(define (domain d) (:predicates (p) (q) (r))
  (:action a :effect (and (p) (q))) (:action b :precondition (q) :effect (r)))",
            "(define (problem p) (:domain d) (:init) (:goal (p)))",
        ),
        (
            "(define (domain d) (:predicates (clear ?x) (on ?x ?y) (wide ?x))
  (:action move :parameters (?b ?from ?to) :precondition (and (clear ?b) (on ?b ?from) (clear ?to) (not (wide ?b)))
    :effect (and (on ?b ?to) (clear ?from) (not (on ?b ?from)) (not (clear ?to)))))",
            "(define (problem p) (:domain d) (:objects a b c table) (:init (on a table) (on b table) (on c a) (clear c) (clear b)
  (clear table) (wide table)) (:goal (on a b)))",
        ),
    ];
    let mut fewer = 0;
    for (domain, problem) in rows {
        scratch.write("domain.pddl", domain);
        scratch.write("p.pddl", problem);
        let states = |arguments: &[&str]| {
            let run = scratch.run(&[&["space", "--format", "json"], arguments].concat());
            assert_eq!(run.status, 0, "{}", run.stderr);
            run.json()["states"].as_u64().expect("a number")
        };
        let of_text = states(&["domain.pddl", "p.pddl"]);
        for keep in [true, false] {
            let mut translate = vec!["translate", "domain.pddl", "p.pddl", "--out", "p.sas", "--force"];
            translate.extend(keep.then_some("--keep-irrelevant"));
            let run = scratch.run(&translate);
            assert_eq!(run.status, 0, "{}", run.stderr);
            let of_file = states(&["p.sas"]);
            assert!(of_file == of_text || !keep, "{of_file} {of_text}\n{domain}");
            fewer += u32::from(of_file < of_text);
        }
    }
    assert!(fewer > 0, "some atom is irrelevant");
}

/// Only a random initial state is the reason, if random effects are translated.
#[test]
fn a_random_start_is_refused_for_its_own_reason() {
    let scratch = Scratch::new("random-start");
    scratch.write(
        "domain.pddl",
        "(define (domain d) (:requirements :probabilistic-effects) (:predicates (p) (q))
  (:action a :effect (probabilistic 0.5 (p))))",
    );
    scratch.write(
        "p.pddl",
        "(define (problem p) (:domain d) (:init (probabilistic 0.5 (q))) (:goal (and (p) (q))))",
    );
    for how in ["all-outcomes", "most-likely"] {
        let run = scratch.run(&["translate", "domain.pddl", "p.pddl", "--determinize", how]);
        assert_eq!(run.status, 2, "{}", run.stdout);
        assert!(
            run.stderr.contains("the initial state of `p` is random"),
            "{}",
            run.stderr
        );
        assert!(!run.stderr.contains("the effect of"), "{}", run.stderr);
    }
    let run = scratch.run(&["translate", "domain.pddl", "p.pddl"]);
    assert!(
        run.stderr.contains("--determinize") && run.stderr.contains("initial state"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_translation_tells_what_it_found_out() {
    let scratch = Scratch::new("translated-facts");
    scratch.write(
        "domain.pddl",
        "(define (domain d) (:predicates (at ?p) (road ?p ?q) (odd))
  (:action drive :parameters (?p ?q) :precondition (and (at ?p) (road ?p ?q)) :effect (and (at ?q) (not (at ?p))))
  (:action both :parameters (?p ?q) :precondition (and (at ?p) (at ?q) (road ?p ?q)) :effect (and (odd) (not (at ?p)))))",
    );
    for (goal, unsolvable) in [("(at b)", false), ("(odd)", true)] {
        let problem = "(define (problem p) (:domain d) (:objects a b) (:init (at a) (road a b) (road b a)) (:goal GOAL))";
        scratch.write("p.pddl", &problem.replace("GOAL", goal));
        let translate = [
            "translate",
            "domain.pddl",
            "p.pddl",
            "--no-mutexes",
            "--out",
            "p.sas",
            "--force",
            "--format",
            "json",
        ];
        let plain = scratch.run(&translate);
        assert_eq!(plain.status, 0, "{}", plain.stderr);
        assert_eq!(plain.json()["removed_actions"], serde_json::Value::Null);
        let mut translate = translate.to_vec();
        // Without groups, only pairs of facts show that one is at one place at a time.
        translate.splice(3..4, ["--h2", "--invariants", "0", "--fam=0"]);
        let run = scratch.run(&translate);
        let report = run.json();
        let removed = report["removed_actions"].as_u64().expect("a number");
        assert!(removed == 2 || (unsolvable && removed > 2), "{goal}: {removed}");
        assert_eq!(report["unsolvable"], unsolvable, "{goal}");
        assert_eq!(
            run.stderr.contains("the problem has no plan"),
            unsolvable,
            "{}",
            run.stderr
        );
    }
}

#[test]
fn limits_hold_for_a_task_file() {
    let scratch = lift("small-task");
    let run = scratch.run(&["plan", "lift.sas", "--memory", "1KiB"]);
    assert_eq!(run.status, 1, "{}", run.stdout);
    assert!(run.stdout.contains("memory"), "{}", run.stdout);
}
