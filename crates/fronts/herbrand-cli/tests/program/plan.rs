//! `plan`: properties of planners, limits, and other programs. The pages `plan.md` and `rddl-plan.md` have the rest.

use crate::run::{Scratch, herbrand, lamps};
use crate::words::refused;

fn plan(scratch: &Scratch, arguments: &[&str]) -> crate::run::Run {
    scratch.run(&[&["plan", "domain.pddl", "p.pddl"], arguments].concat())
}

#[test]
fn operators_in_no_plan_are_left_out_on_request() {
    let scratch = Scratch::new("plan-h2");
    let planned = |more: &str| {
        let run = scratch.shell(&format!("herbrand plan sokoban 5 --optimal --format json {more}"));
        assert_eq!(run.status, 0, "{}", run.stderr);
        run.json()
    };
    let (whole, pruned) = (planned(""), planned("--h2"));
    assert_eq!(
        (&whole["cost"], &whole["metric"]),
        (&pruned["cost"], &pruned["metric"])
    );
    let generated = |data: &serde_json::Value| data["generated"].as_u64().expect("a number");
    assert!(generated(&pruned) < generated(&whole), "{pruned}");
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let rows = [
        "plan river --h2 => a finite-domain task cannot have",
        "plan river --h2 --planner lao => --h2 needs a planner that finds plans",
        "plan rddl/elevators --h2 => --h2 supports only PDDL",
        "plan rddl/elevators --optimal => --optimal supports only PDDL",
        "plan sokoban --planner magic => astar-lmcut",
        "plan blocks --planner all --out file => ",
        "plan blocks --planner all --optimal => ",
        "plan blocks --planner all --all => ",
        "plan river 1 2 --planner lao --out x => ",
        "plan blocks 1 2 --out x.plan => needs a single problem",
        "plan blocks 1 2 --planner all => needs a single problem",
        "plan river 1 2 --planner lao --table => needs a single problem",
        "plan blocks --values => --table",
        "plan river --table --out policy.plan => end the file of --out in .csv or .json",
        "plan blocks --table --planner lazy => --table needs a planner that finds policies: policy-iteration,",
        "plan blocks --table --optimal => --table needs a planner that finds policies",
        "plan blocks 1 2 --table => --table",
        "plan rddl/elevators --table => --table supports only PDDL",
        "plan river --planner uct --out file => a policy is a table of states, not a sequence of steps",
        "plan river --planner lao --rollouts 64 => --rollouts needs --planner uct",
        "plan rddl/elevators --planner uct --out p => --out needs a planner that finds plans, or reactive or exact: uct computes each action when it is due",
        "plan rddl/elevators --planner lao => --planner lao supports only PDDL: for RDDL, use cross-entropy",
        "plan blocks --planner gradient => --planner gradient supports only RDDL",
        "plan rddl/cartpole-continuous --planner uct => takes infinitely many values, so joint actions cannot be numbered; use --planner cross-entropy",
        "plan rddl/mountain-car --planner exact => joint actions cannot be numbered: use --planner replan",
        "plan rddl/sysadmin-mdp --optimal => --planner exact finds an optimal policy of a small problem",
        "plan blocks --planner exact => --planner exact supports only RDDL",
        "plan rddl/elevators --risk median => `median` is not an objective: write mean, entropic:B",
        "plan rddl/elevators --t-norm nilpotent => choose one of product, godel, lukasiewicz",
        "plan rddl/elevators --rate 0 => expected a number greater than 0",
        "plan rddl/elevators --planner uct --replan => --replan needs another planner: cross-entropy, random-shooting, gradient, auto",
        "plan blocks --replan => --replan supports only RDDL",
        "plan rddl/elevators --horizon 3 => --horizon needs a planner that acts in every state: replan, uct",
        "plan rddl/elevators --iterations 3 => --iterations needs --planner uct",
        "plan rddl/elevators --hidden 8 => --hidden needs --planner reactive",
        "plan blocks --runs 3 => --runs needs a planner that finds policies: policy-iteration,",
        "plan blocks --optimal --planner lazy => --optimal does not go with --planner",
        "plan rddl/elevators --lookahead 999 => --lookahead 999 goes beyond the horizon: use at most ",
    ];
    refused(&Scratch::new("plan-refused"), &rows);
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
        let run = herbrand(&[
            "plan",
            "ferry",
            "train/01",
            "--planner",
            planner,
            "--format",
            "json",
        ]);
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
        let best = herbrand(&["plan", "ferry", "train/01", "--optimal", "--format", "json"]).json();
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

/// The planner that looks for cheaper plans writes each plan when it is found, so that a killed search leaves one behind.
#[test]
fn each_cheaper_plan_is_written() {
    let scratch = Scratch::new("anytime");
    let run = scratch.shell("herbrand plan depot test/05 --planner anytime --out depot.plan");
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
fn limits_are_told() {
    let scratch = Scratch::new("plan-limits");
    let run = scratch.shell("herbrand plan sokoban test/10 --planner astar-blind --memory 5MB");
    assert_eq!(run.status, 3, "{}", run.stderr);
    assert!(run.stdout.contains("within the memory limit"), "{}", run.stdout);
    let bound = run.stdout.split("; every plan costs at least ").nth(1);
    let bound = bound.and_then(|text| text.lines().next()?.parse::<u32>().ok());
    // The planner with a better heuristic shows that a cheapest plan has more steps.
    assert!(bound.is_some_and(|bound| bound > 1), "{}", run.stdout);
    let run = scratch.shell("herbrand plan exploding-blocks test/10 --planner policy-iteration --memory 3MB");
    assert_eq!(run.status, 3, "{}", run.stderr);
    assert!(run.stdout.contains("within the memory limit"), "{}", run.stdout);
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
    assert_eq!(run.status, 3, "{}", run.stderr);
    assert!(run.stdout.contains("within the time limit"), "{}", run.stdout);
}

/// `kill` and `timeout` end a search like Ctrl-C: the rows so far are printed.
#[cfg(target_os = "linux")]
#[test]
fn a_terminated_search_prints_the_rows_so_far() {
    use crate::rollout::ended_by;

    let scratch = lamps("terminated");
    let each = |part: &dyn Fn(usize) -> String| (0..50).map(part).collect::<String>();
    let (objects, facts) = (
        each(&|lamp| format!(" l{lamp}")),
        each(&|lamp| format!(" (lamp l{lamp})")),
    );
    let goal = each(&|lamp| format!(" (on l{lamp})"));
    scratch.write(
        "endless.pddl",
        &format!("(define (problem endless) (:domain lamps) (:objects{objects}) (:init{facts}) (:goal (and{goal})))"),
    );
    let path = |name: &str| scratch.path().join(name).display().to_string();
    let files = ["domain.pddl", "p.pddl", "endless.pddl"].map(path);
    let files = files.each_ref().map(String::as_str);
    let options = ["--planner", "astar-blind", "--format", "json"];
    let (status, text) = ended_by("-TERM", 15, &[&["plan"][..], &files, &options].concat());
    assert_eq!(status, Some(143), "{text}");
    let rows: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(rows[0]["plan"], serde_json::json!(["(turn-on a)"]), "{rows}");
    assert_eq!(rows[1]["outcome"], "cancelled", "{rows}");
}

/// There is one thing to do, so all policies are one.
#[test]
fn policies_are_made_for_chance() {
    let scratch = Scratch::new("policies");
    let gamble = include_str!("../pages/files/small/gamble.pddl");
    scratch.write("gamble.pddl", gamble);
    scratch.write("lost.pddl", &gamble.replace("(:init)", "(:init (lost))"));
    for planner in [
        "policy-iteration",
        "value-iteration",
        "lao",
        "uct",
        "replan",
        "uct --rollouts 70",
    ] {
        let options = format!("--planner {planner} --format json");
        let plan = || scratch.shell(&format!("herbrand plan gamble.pddl {options} --runs 200 --exact"));
        let run = plan();
        assert_eq!(run.status, 0, "{planner}: {}", run.stderr);
        let data = run.json();
        assert_eq!(
            (data["outcome"].as_str(), data["exact"].as_bool()),
            (Some("policy"), Some(true))
        );
        assert_eq!(data["planner"].as_str(), planner.split(' ').next());
        let number = |name: &str| data[name].as_f64().expect(name);
        assert!((number("goal_probability") - 0.5).abs() < 1e-9, "{planner}");
        assert!((number("expected_cost") - 2.0).abs() < 1e-9, "{planner}");
        let finds_the_best = matches!(planner, "policy-iteration" | "value-iteration" | "lao");
        assert_eq!(data["optimal"], finds_the_best, "{planner}");
        let sampled = data["runs"]["goal_probability"].as_f64().expect("a share");
        assert!((sampled - 0.5).abs() < 0.2, "{planner}: {sampled}");
        let first = data["runs"]["first"]["steps"].as_array().expect("steps");
        assert!(first.iter().all(|step| step == "(try)") && !first.is_empty());
        assert_eq!(plan().json()["runs"], data["runs"], "{planner}");
        let lost = scratch.shell(&format!("herbrand plan lost.pddl {options}"));
        // A value from runs shows nothing about other policies.
        let status = if finds_the_best { 1 } else { 3 };
        assert_eq!(lost.status, status, "{planner}: {}", lost.stderr);
        assert_eq!(lost.json()["goal_probability"], 0.0, "{planner}");
    }
}
