//! `plan`.

use std::process::Command;

use crate::run::{Scratch, coffee, herbrand, lamps};

const PAIR: [&str; 4] = ["--domain", "domain.pddl", "--problem", "p.pddl"];

fn plan(scratch: &Scratch, arguments: &[&str]) -> crate::run::Run {
    scratch.run(&[&["plan"][..], &PAIR, arguments].concat())
}

#[test]
fn a_plan_is_printed_and_written_so_that_validate_reads_it() {
    let scratch = lamps("planned");
    let run = plan(&scratch, &["--out", "found.plan"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stdout
            .starts_with("(turn-on a)\n; cost = 1 (number of steps)\n; 1 step\n; plan by landmarks: "),
        "{}",
        run.stdout
    );
    assert_eq!(
        scratch.read_marked("found.plan"),
        "(turn-on a)\n; cost = 1 (number of steps)\n"
    );
    scratch.write("printed.plan", &run.stdout);
    for file in ["found.plan", "printed.plan"] {
        let validated = scratch.run(&[&["validate", file][..], &PAIR].concat());
        assert_eq!(validated.status, 0, "{}", validated.stdout);
    }
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
    assert_eq!(status, Some(130), "{text}");
    let rows: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(rows[0]["plan"], serde_json::json!(["(turn-on a)"]), "{rows}");
    assert_eq!(rows[1]["outcome"], "cancelled", "{rows}");
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
            "; there is no plan\n; the goal cannot be reached: (full mug) holds in no reachable state\n; proven-unsolvable",
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
            .starts_with("; there is no plan\n; proven-unsolvable by landmarks: 0 states"),
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

/// One try in four wins, and a try that does not win is lost one time in three.
fn gamble(name: &str) -> Scratch {
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

#[test]
fn all_planners_are_compared_in_one_table() {
    let scratch = lamps("all-planners");
    let run = plan(&scratch, &["--planner", "all", "--time", "20"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let mut lines = run.stdout.lines();
    assert_eq!(
        lines
            .next()
            .map(|line| line.split_whitespace().collect::<Vec<_>>()),
        Some(vec!["planner", "outcome", "cost", "steps", "expanded", "seconds"])
    );
    let rows: Vec<_> = lines.collect();
    for (planner, outcome) in [
        ("landmarks", "plan"),
        ("astar-lmcut", "plan, optimal"),
        ("astar-blind", "plan, optimal"),
    ] {
        let row = rows.iter().find(|row| row.starts_with(planner)).expect(planner);
        assert!(row.contains(outcome), "{row}");
    }
    let data = plan(
        &scratch,
        &["--planner", "all", "--time", "20", "--format", "json"],
    )
    .json();
    let planners: Vec<_> = data
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one["planner"].as_str())
        .collect();
    assert_eq!(planners.len(), rows.len());
    assert!(
        data.as_array()
            .expect("a list")
            .iter()
            .all(|one| one["cost"] == 1.0),
        "{data}"
    );
    for unfit in [&["--out", "file"][..], &["--optimal"], &["--all"]] {
        assert_eq!(
            plan(&scratch, &[&["--planner", "all"], unfit].concat()).status,
            2,
            "{unfit:?}"
        );
    }
}

/// In a domain with chance, the policies follow the plans, each with its probability of reaching the goal.
#[test]
fn plans_and_policies_are_compared_under_chance() {
    let scratch = gamble("all-policies");
    let compare = ["--planner", "all", "--time", "20", "--iterations", "40"];
    let run = plan(&scratch, &compare);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let mut lines = run
        .stdout
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>());
    assert_eq!(
        lines.next().expect("the titles"),
        [
            "planner", "outcome", "P(goal)", "cost", "steps", "expanded", "seconds"
        ]
    );
    let rows: Vec<_> = lines.collect();
    let row = |name: &str| {
        rows.iter()
            .find(|row| row[0] == name)
            .unwrap_or_else(|| panic!("{rows:?}"))
    };
    assert_eq!(row("landmarks")[..3], ["landmarks", "plan", "0.2500"]);
    for planner in ["policy-iteration", "value-iteration", "lao"] {
        assert_eq!(
            row(planner)[1..7],
            ["policy,", "optimal", "0.5000", "2", "–", "3"],
            "{planner}"
        );
    }
    assert!(row("uct").contains(&"±") && row("replan").contains(&"±"));
    let data = plan(&scratch, &[&compare[..], &["--format", "json"]].concat()).json();
    assert_eq!(data.as_array().map(Vec::len), Some(rows.len()));
    let last = data.as_array().and_then(|all| all.last()).expect("a result");
    assert_eq!(
        (last["problem"].as_str(), last["planner"].as_str()),
        (Some("p"), Some("replan"))
    );
    // Several problems have a row each.
    let run = herbrand(&["plan", "river", "1", "2", "--planner", "lao"]);
    let table: Vec<_> = run
        .stdout
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .collect();
    assert_eq!(
        table[0],
        ["problem", "outcome", "P(goal)", "cost", "states", "seconds"]
    );
    assert_eq!(
        table[1][..5],
        ["train/01", "policy,", "optimal", "1.0000", "2.25"],
        "{}",
        run.stdout
    );
    assert_eq!((table.len(), run.status), (3, 0));
    let data = herbrand(&["plan", "river", "1", "2", "--planner", "lao", "--format", "json"]).json();
    assert_eq!(
        (data[1]["domain"].as_str(), data[1]["problem"].as_str()),
        (Some("river"), Some("train/02"))
    );
    assert_eq!(
        herbrand(&["plan", "river", "1", "2", "--planner", "lao", "--out", "x"]).status,
        2
    );
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
    for (planner, part) in [
        ("uct", "s, each decided by at most 40 walks, after "),
        ("replan", " s, after "),
        ("lao", "; policy by lao: computed in "),
    ] {
        let run = plan(
            &scratch,
            &["--planner", planner, "--iterations", "40", "--runs", "7"],
        );
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
            "(turn-on a)\n; cost = 1 (number of steps)\n; 1 step\n; plan by herbrand: ended in "
        ),
        "{}",
        run.stdout
    );
    assert_eq!(
        scratch.read_marked("found.plan"),
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
            .starts_with(&format!("; there is no plan\n; {missing}\n; proven-unsolvable")),
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
fn several_problems_are_planned_for_in_a_table() {
    let scratch = lamps("several-problems");
    let dark = "(define (problem dark) (:domain lamps) (:objects a) (:init (on a)) (:goal (not (on a))))";
    scratch.write("dark.pddl", dark);
    let lines = |run: &crate::run::Run| -> Vec<String> {
        run.stdout
            .lines()
            .map(|line| line.split_whitespace().take(4).collect::<Vec<_>>().join(" "))
            .collect()
    };
    for words in [
        &["plan", "domain.pddl", "p.pddl", "dark.pddl"][..],
        &["plan", "p.pddl", "dark.pddl", "--time", "20"],
    ] {
        let run = scratch.run(words);
        assert_eq!(run.status, 1, "{words:?} {}", run.stderr);
        assert_eq!(
            lines(&run),
            [
                "problem outcome cost steps",
                "p plan 1 1",
                "dark proven-unsolvable – –"
            ],
            "{words:?}"
        );
    }
    let run = scratch.run(&["plan", ".", "--all", "--optimal"]);
    assert!(
        run.stdout.contains("plan, optimal"),
        "{}{}",
        run.stdout,
        run.stderr
    );
    let data = scratch.run(&["plan", ".", "--all", "--format", "json"]).json();
    assert_eq!(
        (&data[0]["problem"], &data[1]["problem"], &data[1]["plan"][0]),
        (&"dark".into(), &"p".into(), &"(turn-on a)".into())
    );
    // A fault of one problem does not hide the results of the others.
    scratch.write("dark.pddl", &dark.replace("(on a)) (:goal", "(off a)) (:goal"));
    let run = scratch.run(&["plan", "domain.pddl", "dark.pddl", "p.pddl"]);
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(
        run.stderr.contains("dark was not planned for") && run.stderr.contains("`off`"),
        "{}",
        run.stderr
    );
    assert_eq!(lines(&run)[1..3], ["dark failed – –", "p plan 1 1"]);
    let data = scratch.run(&["plan", ".", "--all", "--format", "json"]).json();
    assert_eq!(
        (&data[0]["outcome"], &data[1]["outcome"]),
        (&"failed".into(), &"plan".into())
    );
    assert!(
        data[0]["error"].as_str().is_some_and(|text| !text.is_empty()),
        "{data}"
    );
    for option in [
        &["--out", "x.plan"][..],
        &["--planner", "all"],
        &["--planner", "lao", "--table"],
    ] {
        let run = scratch.run(&[&["plan", "domain.pddl", "dark.pddl", "p.pddl"], option].concat());
        assert_eq!(run.status, 2);
        assert!(run.stderr.contains("needs a single problem"), "{}", run.stderr);
    }
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
