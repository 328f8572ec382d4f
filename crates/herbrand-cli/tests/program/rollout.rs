//! `rollout`.

use serde_json::Value;

use crate::run::{herbrand, lamps};

/// A report without what may differ between two runs of one seed.
fn without_time(mut report: Value) -> Value {
    report["threads"].take();
    for row in report["rows"].as_array_mut().expect("rows") {
        row["seconds"].take();
        row["steps_per_s"].take();
    }
    report
}

#[test]
fn the_report_has_all_fields() {
    let run = herbrand(&[
        "rollout",
        "blocks",
        "--problem",
        "01",
        "--format",
        "json",
        "--seed",
        "5",
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let report = run.json();
    assert_eq!((&report["seed"], &report["threads"]), (&5.into(), &1.into()));
    let row = &report["rows"][0];
    assert_eq!(
        (&row["domain"], &row["problems"], &row["episodes"]),
        (&"blocks".into(), &1.into(), &100.into())
    );
    for key in ["steps", "goals", "dead_ends"] {
        assert!(row[key].is_u64(), "{key}");
    }
    for key in ["seconds", "steps_per_s", "mean_valid_actions"] {
        assert!(row[key].is_f64(), "{key}");
    }
    assert_eq!(row["digest"].as_str().map(str::len), Some(16));
    assert_eq!(row.as_object().map(serde_json::Map::len), Some(10));
}

#[test]
fn one_seed_gives_one_result_on_any_number_of_threads() {
    let report = |threads: &str, seed: &str| {
        let arguments = [
            "rollout",
            "tireworld",
            "hanoi",
            "--split",
            "train",
            "--episodes",
            "60",
        ];
        let more = ["--format", "json", "--threads", threads, "--seed", seed];
        without_time(herbrand(&[&arguments[..], &more].concat()).json())
    };
    assert_eq!(report("1", "7"), report("1", "7"));
    assert_eq!(report("1", "7"), report("2", "7"));
    assert_ne!(
        report("1", "7")["rows"][0]["digest"],
        report("1", "8")["rows"][0]["digest"]
    );
}

#[test]
fn without_a_domain_all_bundled_ones_are_rolled_out() {
    let arguments = ["--episodes", "2", "--problem", "01", "--format", "json"];
    let all = herbrand(&[&["rollout"][..], &arguments].concat());
    assert_eq!(all.status, 0, "{}", all.stderr);
    let rows = all.json()["rows"].as_array().map(Vec::len);
    let listed = herbrand(&["domains", "--format", "json"]).json();
    assert_eq!(rows, listed.as_array().map(Vec::len));
    let again = herbrand(&[&["rollout", "--all"][..], &arguments].concat());
    assert_eq!(without_time(again.json()), without_time(all.json()));
}

#[test]
fn a_folder_or_files_can_be_rolled_out() {
    let scratch = lamps("rollout");
    for arguments in [
        &["rollout", "."][..],
        &[
            "rollout",
            "--domain",
            "domain.pddl",
            "--problem",
            "p.pddl",
            "p.pddl",
        ],
    ] {
        let run = scratch.run(arguments);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let mut lines = run.stdout.lines();
        assert!(
            lines
                .next()
                .is_some_and(|line| line.starts_with("domain") && line.ends_with("dead ends"))
        );
        let row = lines
            .next()
            .expect("a row")
            .split_whitespace()
            .collect::<Vec<_>>();
        assert_eq!(row[2], "100");
        // On average two lamps are set after two or so turns, so many episodes reach the goal.
        assert!(row[6].parse::<u64>().is_ok_and(|goals| goals > 50), "{row:?}");
    }
}

#[test]
fn walks_can_go_past_goals_and_take_a_time() {
    let run = herbrand(&[
        "rollout",
        "hanoi",
        "--problem",
        "01",
        "--through-goals",
        "--seconds",
        "0.05",
        "--format",
        "json",
    ]);
    let row = &run.json()["rows"][0];
    assert_eq!(
        row["steps"].as_u64(),
        row["episodes"].as_u64().map(|episodes| 10 * episodes)
    );
    assert!(row["seconds"].as_f64() >= Some(0.05));
}
