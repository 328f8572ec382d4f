//! `bench`, and the files that `domains` writes.

use crate::run::{Scratch, herbrand};

#[test]
fn domains_are_measured() {
    let arguments = ["bench", "hanoi", "tireworld", "--seconds", "0.01"];
    let run = herbrand(&[&arguments[..], &["--format", "json"]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let report = run.json();
    for (row, name) in report
        .as_array()
        .expect("rows")
        .iter()
        .zip(["hanoi", "tireworld"])
    {
        assert_eq!(row["domain"], name);
        assert!(
            row["steps_per_s"].as_f64() > Some(0.0) && row["problems"].as_u64() >= Some(20),
            "{row}"
        );
        assert!(row["peer"].is_null());
    }
    let markdown = herbrand(&[&arguments[..], &["--markdown"]].concat()).stdout;
    let rows = markdown.lines().filter(|line| line.starts_with("| "));
    let rows = rows.map(|line| line.split(" | ").count()).collect::<Vec<_>>();
    assert_eq!(rows, [7, 7, 7], "{markdown}");
    assert!(
        markdown.contains("| tireworld | ") && markdown.contains("probabilistic-effects"),
        "{markdown}"
    );
}

/// A Python that only says what it was asked, as PDDLGym's walks would be reported.
const PYTHON: &str = "#!/bin/sh
cat > script
echo \"$@\" > arguments
echo '{\"error\": null, \"steps\": 1000, \"seconds\": 2.0, \"steps_per_s\": 500.0}'
";

#[cfg(unix)]
#[test]
fn a_peer_is_set_beside_on_its_own_files() {
    use std::os::unix::fs::PermissionsExt;

    let scratch = Scratch::new("bench");
    assert_eq!(scratch.run(&["domains", "--write", "files"]).status, 0);
    let domain = scratch.read("files/hanoi/domain.pddl");
    scratch.write("corpus/hanoi/domain.pddl", &domain);
    scratch.write(
        "corpus/hanoi/problems/01.pddl",
        &scratch.read("files/hanoi/train/01.pddl"),
    );
    scratch.write("python", PYTHON);
    let python = scratch.path().join("python");
    std::fs::set_permissions(&python, PermissionsExt::from_mode(0o755)).expect("a program");
    let options = [
        "--seconds",
        "0.01",
        "--peer",
        "--corpus",
        "corpus",
        "--format",
        "json",
    ];
    let python = ["--python", python.to_str().expect("text")];
    let run = scratch.run(&[&["bench", "hanoi", "doors"], &options[..], &python].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let report = run.json();
    let beside = &report[0]["peer"];
    let [rate, ratio] = ["steps_per_s", "ratio"].map(|key| beside[key].as_f64().expect("a number"));
    assert!((rate / 500.0 / ratio - 1.0).abs() < 1e-9, "{beside}");
    assert!(report[1]["peer"].is_null());
    let arguments = scratch.read("arguments");
    assert!(
        arguments.starts_with("- corpus/hanoi/domain.pddl corpus/hanoi/problems --steps 10"),
        "{arguments}"
    );
    assert!(scratch.read("script").contains("Random walks by PDDLGym"));
}

#[test]
fn a_peer_that_is_not_there_is_told() {
    let scratch = Scratch::new("no-peer");
    scratch.write("corpus/hanoi/domain.pddl", "");
    scratch.write("corpus/hanoi/problems/01.pddl", "");
    for (arguments, message) in [
        (&["--corpus", "nowhere"][..], "nowhere is no folder"),
        (
            &["--corpus", "corpus", "--python", "no-such-python"],
            "no-such-python: ",
        ),
    ] {
        let run = scratch.run(&[&["bench", "hanoi", "--seconds", "0.01", "--peer"], arguments].concat());
        assert_eq!(run.status, 2, "{}", run.stdout);
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}
