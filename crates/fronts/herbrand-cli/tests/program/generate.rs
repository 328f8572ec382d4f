//! `herbrand generate`.

use std::fs;

use crate::run::{Scratch, herbrand, herbrand_in, listed};

#[test]
fn a_missing_size_is_explained_for_the_domain() {
    let run = crate::run::herbrand(&["generate", "blocks"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("--size is missing: for blocks, it is the "),
        "{}",
        run.stderr
    );
}

#[test]
fn one_problem_goes_to_standard_output() {
    let run = herbrand(&[
        "generate", "ferry", "--size", "3", "--seed", "7", "--plans", "--check",
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stdout.contains("(define (problem ferry-3-7-0)"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("; A plan:\n; ("), "{}", run.stdout);
    let json = herbrand(&[
        "generate", "ferry", "--size", "3", "--seed", "7", "--format", "json",
    ])
    .json();
    let problem = json["problem"].as_str().expect("a text");
    assert!(run.stdout.starts_with(problem));
    let steps = json["plan"].as_array().expect("steps").len();
    assert_eq!(
        run.stdout.lines().filter(|line| line.starts_with("; (")).count(),
        steps
    );
}

#[test]
fn a_folder_becomes_a_suite_and_a_problem_does_not_depend_on_the_others() {
    let folder = Scratch::new("generate");
    let arguments = [
        "generate", "sokoban", "--size", "5", "--count", "3", "--plans", "--check", "--out", "many",
    ];
    let run = herbrand_in(folder.path(), &arguments);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(
        run.stdout,
        "3 problems of sokoban, size 5, plans executed: many\n"
    );
    let alone = [
        "generate", "sokoban", "--size", "5", "--first", "2", "--out", "one",
    ];
    assert_eq!(herbrand_in(folder.path(), &alone).status, 0);
    let text = |path: &str| fs::read_to_string(folder.path().join(path)).expect(path);
    assert_eq!(
        text("many/problems/sokoban-5-0-2.pddl"),
        text("one/problems/sokoban-5-0-2.pddl")
    );

    let rollout = herbrand_in(
        folder.path(),
        &["rollout", "many", "--episodes", "3", "--format", "json"],
    );
    assert_eq!(rollout.status, 0, "{}", rollout.stderr);
    assert_eq!(rollout.json()["rows"][0]["problems"], 3);
    let plan = [
        "validate",
        "many",
        "many/plans/sokoban-5-0-1.plan",
        "--problem",
        "sokoban-5-0-1",
    ];
    let validation = herbrand_in(folder.path(), &plan);
    assert_eq!(validation.status, 0, "{}{}", validation.stdout, validation.stderr);
}

#[test]
fn parts_of_a_suite_and_levels_have_their_places() {
    let folder = Scratch::new("generate-parts");
    for (split, seed) in [("train", "1"), ("test", "2")] {
        let arguments = [
            "generate",
            "search-and-rescue-5",
            "--size",
            "6",
            "--seed",
            seed,
            "--count",
            "2",
            "--out",
            "city",
            "--split",
            split,
            "--plans",
        ];
        let run = herbrand_in(folder.path(), &arguments);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let name = format!("search-and-rescue-5-6-{seed}-1");
        for path in [
            format!("{split}/{name}.pddl"),
            format!("plans/{split}/{name}.plan"),
        ] {
            assert!(folder.path().join("city").join(&path).is_file(), "{path}");
        }
    }
    let rollout = [
        "rollout",
        "city",
        "--split",
        "test",
        "--episodes",
        "2",
        "--format",
        "json",
    ];
    assert_eq!(
        herbrand_in(folder.path(), &rollout).json()["rows"][0]["problems"],
        2
    );
}

#[test]
fn a_folder_of_another_domain_is_left_alone() {
    let folder = Scratch::new("generate-other");
    let into = |domain| {
        herbrand_in(
            folder.path(),
            &["generate", domain, "--size", "4", "--out", "here"],
        )
    };
    assert_eq!(into("ferry").status, 0);
    assert_eq!(into("ferry").status, 0);
    let before = fs::read_dir(folder.path().join("here/problems"))
        .expect("a folder")
        .count();
    let run = into("gripper");
    assert_eq!(run.status, 2);
    assert!(
        run.stderr
            .contains("nothing was written: choose another folder, or add --force"),
        "{}",
        run.stderr
    );
    let after = fs::read_dir(folder.path().join("here/problems"))
        .expect("a folder")
        .count();
    assert_eq!((before, after), (1, 1));
}

#[test]
fn a_file_is_no_folder_to_write_into() {
    let folder = Scratch::new("generate-file");
    let run = herbrand_in(
        folder.path(),
        &["generate", "ferry", "--size", "4", "--out", "p01.pddl"],
    );
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("write `… > p01.pddl`"), "{}", run.stderr);
    assert!(!folder.path().join("p01.pddl").exists());
}

#[test]
fn the_help_lists_every_domain_with_its_sizes() {
    let help = herbrand(&["generate", "--help"]).stdout;
    for row in listed("pddl") {
        let name = row["domain"].as_str().expect("a name");
        assert!(help.contains(&format!("\n  {name} ")), "{name}");
    }
    assert!(!herbrand(&["generate", "-h"]).stdout.contains("slide-tile"));
}
