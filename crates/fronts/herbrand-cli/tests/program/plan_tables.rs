//! `herbrand plan` for several planners or problems, in a table.

use crate::plan::plan;
use crate::policies::gamble;
use crate::run::{herbrand, lamps};

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
    assert!(
        row("uct").iter().any(|cell| cell.starts_with("("))
            && row("replan").iter().any(|cell| cell.starts_with("("))
    );
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
            ["problem outcome cost steps", "p plan 1 1", "dark none exists –"],
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
