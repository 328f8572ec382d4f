//! `ground` and `show`: properties of several problems and engines. The pages `ground.md` and `show.md` have the rest.

use herbrand::{ActionId, GroundTask};

use crate::run::{Scratch, herbrand, lamps};

#[test]
fn a_ground_task_is_written_into_a_file() {
    let scratch = lamps("written");
    for file in ["lamps.json", "lamps.task"] {
        let report = scratch
            .shell(&format!("herbrand ground p.pddl --format json --out {file}"))
            .json();
        let bytes = std::fs::read(scratch.path().join(file)).expect("a file");
        assert_eq!(report["file_bytes"], bytes.len(), "{file}");
        let task: GroundTask = if file == "lamps.json" {
            serde_json::from_slice(&bytes).expect("a task")
        } else {
            postcard::from_bytes(&bytes).expect("a task")
        };
        assert_eq!(task.display_action(ActionId::new(3)).to_string(), "(turn-off b)");
    }
}

#[test]
fn all_engines_show_the_same() {
    let scratch = Scratch::new("engines-show");
    for shown in [
        "exploding-blocks --explain --actions '(pick-up a) (put-down a)'",
        "blocks-derived",
        "sokoban --actions '(move right) (move left)'",
        "sokoban test/10 --all",
        "elevator-adl",
        "tireworld --actions '(fly) (move-car)'",
        "blocks --actions '(unstack b b)'",
    ] {
        for format in ["text", "json"] {
            let [grounded, lifted, automatic] = ["grounded", "lifted", "automatic"].map(|engine| {
                let run = scratch.shell(&format!(
                    "herbrand show {shown} --static --engine {engine} --format {format}"
                ));
                (run.status, run.stdout, run.stderr)
            });
            assert_eq!(lifted, grounded, "{shown}");
            assert_eq!(automatic, grounded, "{shown}");
        }
    }
}

/// The drawing before the atoms is the drawing of `play`.
#[test]
fn drawings_are_those_of_play() {
    for words in [
        ["sokoban", "test/10"],
        ["blocks", "test/10"],
        ["rddl/navigation-mdp", "1"],
    ] {
        let text = herbrand(&[&["show"][..], &words].concat()).stdout;
        let drawing = text.split("\n\n").nth(1).unwrap_or_default();
        let shown = herbrand(&[&["play"][..], &words].concat()).stdout;
        assert!(drawing.lines().count() > 3, "{text}");
        for line in drawing.lines() {
            assert!(
                shown.contains(line),
                "{line:?} is not in what play shows:\n{shown}"
            );
        }
    }
}

/// The admissible heuristics are at most the cost of an optimal plan, and LM-cut is at least h^max.
#[test]
fn heuristics_bound_the_cost() {
    let scratch = Scratch::new("estimates");
    for problem in ["train/01", "test/01"] {
        let shown = scratch.shell(&format!(
            "herbrand show blocks {problem} --estimates --format json"
        ));
        let rows = shown.json()["estimates"]["heuristics"].clone();
        let value = |name: &str| {
            let mut rows = rows.as_array().expect("a list").iter();
            let row = rows.find(|row| row["name"] == name).expect(name);
            row["value"].as_f64().expect(name)
        };
        let plan = format!("herbrand plan blocks {problem} --planner astar-blind --format json");
        let cost = scratch.shell(&plan).json()["cost"].as_f64().expect("a cost");
        assert!(
            value("blind") <= value("max") && value("max") <= value("lmcut"),
            "{rows}"
        );
        assert!(
            value("lmcut") <= cost && value("ff") <= value("additive"),
            "{rows} {cost}"
        );
    }
}

#[test]
fn a_task_takes_no_more_memory_than_the_program() {
    let report = herbrand(&["ground", "blocks", "--format", "json"]).json();
    if let Some(peak) = report["peak_bytes"].as_u64() {
        assert!(report["bytes"].as_u64() < Some(peak), "{report}");
    }
}
