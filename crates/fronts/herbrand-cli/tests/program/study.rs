//! `study`.

use crate::run::{Scratch, herbrand};

#[test]
fn planning_is_measured_with_means_and_spread() {
    let scratch = Scratch::new("study");
    let arguments = ["study", "planning", "lamps-unknown"];
    assert_eq!(herbrand(&arguments).status, 2);
    let planning = [
        "study",
        "planning",
        "gripper",
        "--planner",
        "landmarks",
        "--seeds",
        "2",
    ];
    let files = ["--csv", "runs.csv", "--svg", "bars.svg"];
    let run = scratch.run(&[&planning[..], &files].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("gripper"), "{}", run.stdout);
    let data = scratch
        .run(&[&planning[..], &["--format", "json"]].concat())
        .json();
    let row = &data["domains"][0];
    let runs = data["runs"].as_array().expect("runs");
    assert_eq!(row["runs"], runs.len());
    assert_eq!(
        row["runs"].as_u64(),
        row["problems"].as_u64().map(|problems| 2 * problems)
    );
    assert_eq!(row["solved"], row["runs"], "{row}");
    assert!(
        runs.iter()
            .all(|run| run["outcome"] == "plan" && run["seconds"].as_f64() > Some(0.0))
    );
    assert!(row["seconds"]["least"].as_f64() <= row["seconds"]["mean"].as_f64());
    let csv = scratch.read("runs.csv");
    assert_eq!(csv.lines().count(), runs.len() + 1);
    assert!(
        csv.starts_with("domain,problem,seed,outcome,steps,cost,expanded,seconds\ngripper,"),
        "{csv}"
    );
    let svg = scratch.read("bars.svg");
    assert!(svg.starts_with("<svg") && svg.contains("gripper"), "{svg}");
}

#[test]
fn domains_with_chance_are_refused() {
    let run = herbrand(&["study", "planning", "casino"]);
    assert_eq!(run.status, 2, "{}", run.stdout);
    assert!(run.stderr.contains("probabilistic"), "{}", run.stderr);
}

#[test]
fn learning_is_measured_for_both_learners() {
    let scratch = Scratch::new("study-learning");
    let study = [
        "study",
        "learning",
        "gripper",
        "hanoi",
        "--points",
        "2,30",
        "--seeds",
        "2",
        "--plan-time",
        "60s",
    ];
    let files = ["--csv", "models.csv", "--svg", "curves.svg"];
    let data = scratch
        .run(&[&study[..], &files, &["--format", "json"]].concat())
        .json();
    let summaries = data["summaries"].as_array().expect("summaries");
    let key = |row: &serde_json::Value| {
        let text = |name: &str| row[name].as_str().expect("text").to_owned();
        (text("domain"), text("learner"), row["episodes"].as_u64())
    };
    let keys: Vec<_> = summaries.iter().map(key).collect();
    let mut expected = Vec::new();
    for domain in ["gripper", "hanoi"] {
        for learner in ["foldt", "safe"] {
            expected.extend([2, 30].map(|episodes| (domain.to_owned(), learner.to_owned(), Some(episodes))));
        }
    }
    assert_eq!(keys, expected);
    for row in summaries {
        assert_eq!(row["models"], 2, "{row}");
        let solved = &row["solved"];
        let ordered = solved["least"].as_f64() <= solved["mean"].as_f64();
        assert!(
            ordered && solved["mean"].as_f64() <= solved["most"].as_f64(),
            "{row}"
        );
        if row["episodes"] == 30 && row["learner"] == "foldt" {
            assert_eq!(
                (solved["least"].as_f64(), row["error"]["most"].as_f64()),
                (Some(1.0), Some(0.0))
            );
        }
    }
    assert_eq!(data["models"].as_array().map(Vec::len), Some(16));
    assert_eq!(scratch.read("models.csv").lines().count(), 17);
    let svg = scratch.read("curves.svg");
    for text in ["gripper", "hanoi", "foldt", "safe", "test problems solved"] {
        assert!(svg.contains(text), "{text}");
    }
    let text = scratch.run(&[
        "study",
        "learning",
        "ferry",
        "--learners",
        "safe",
        "--points",
        "3",
        "--seeds",
        "1",
    ]);
    assert_eq!(text.status, 0, "{}", text.stderr);
    assert!(text.stdout.contains("gave up"), "{}", text.stdout);
}

#[test]
fn what_cannot_be_studied_is_refused() {
    for (arguments, told) in [
        (&["study", "learning", "casino"][..], "herbrand learn casino"),
        (&["study", "learning", "gripprr"], "gripper"),
        (&["study", "learning", "gripper", "--seeds", "0"], "--seeds"),
        (&["study", "learning", "gripper", "--learners", "oracle"], "foldt"),
    ] {
        let run = herbrand(arguments);
        assert_eq!(run.status, 2, "{arguments:?}: {}", run.stdout);
        assert!(run.stderr.contains(told), "{arguments:?}: {}", run.stderr);
    }
}
