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
    assert!(run.stderr.contains("chance"), "{}", run.stderr);
}
