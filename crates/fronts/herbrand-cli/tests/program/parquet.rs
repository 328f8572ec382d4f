//! Data sets in Parquet, which the Python package writes: here a Python that only notes what it is asked.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::run::Scratch;

/// Has the package, unless there is a file `missing`; ends as the file `status` says.
const PYTHON: &str = "#!/bin/sh
if [ \"$1\" = -c ]; then
    if [ -e missing ]; then echo \"ModuleNotFoundError: No module named 'herbrand'\" >&2; exit 1; fi
    exit 0
fi
echo \"$@\" > arguments
exit $(cat status)
";

fn scratch(name: &str) -> (Scratch, String) {
    let scratch = Scratch::new(name);
    scratch.write("python", PYTHON);
    scratch.write("status", "0");
    let python = scratch.path().join("python");
    std::fs::set_permissions(&python, PermissionsExt::from_mode(0o755)).expect("a program");
    let python = python.to_str().expect("text").to_owned();
    (scratch, python)
}

#[test]
fn a_data_set_is_recorded_by_the_python_package() {
    let (scratch, python) = scratch("parquet");
    let record = |words: &str| {
        scratch.shell(&format!(
            "herbrand record {words} --parquet set --python {python}"
        ))
    };
    for row in [
        "sokoban --problem 03 --envs 8 --steps 40 --seed 7 --workers 2 => \
         record sokoban 03 --out set --envs 8 --seed 7 --workers 2 --steps 40",
        "blocks --split test --horizon 9 => \
         record blocks --out set --envs 256 --seed 0 --workers 1 --horizon 9 --split test",
        "--domain a.pddl --problem b.pddl => record a.pddl b.pddl --out set --envs 256 --seed 0 --workers 1",
    ] {
        let (words, asked) = row.split_once(" => ").expect("an arrow");
        let run = record(words);
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert_eq!(
            scratch.read("arguments").trim_end(),
            format!("-m herbrand.data {asked}")
        );
    }
    for status in [1, 2, 130] {
        scratch.write("status", &status.to_string());
        assert_eq!(record("blocks").status, status);
    }
    scratch.write("status", "77");
    let run = record("blocks");
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("77"), "{}", run.stderr);
}

#[test]
fn a_python_without_the_package_is_told() {
    let (scratch, python) = scratch("no-package");
    scratch.write("missing", "");
    for (python, message) in [
        (python.as_str(), "No module named 'herbrand'"),
        ("no-such-python", "no-such-python: "),
    ] {
        let run = scratch.run(&["record", "blocks", "--parquet", "set", "--python", python]);
        assert_eq!(run.status, 2, "{}", run.stdout);
        assert!(run.stderr.contains(message), "{}", run.stderr);
        assert!(
            run.stderr.contains("pip install 'herbrand[data]'"),
            "{}",
            run.stderr
        );
    }
    assert!(!scratch.path().join("arguments").exists());
}

#[test]
fn a_data_set_is_replayed_by_the_python_that_the_environment_names() {
    let (scratch, python) = scratch("replayed");
    scratch.write("set/card.json", "{}");
    scratch.write("status", "1");
    let output = Command::new(env!("CARGO_BIN_EXE_herbrand"))
        .args(["replay", "set"])
        .env("HERBRAND_PYTHON", python)
        .current_dir(scratch.path())
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        scratch.read("arguments").trim_end(),
        "-m herbrand.data replay set"
    );
}

#[test]
fn a_trace_and_a_data_set_are_not_mixed() {
    let (scratch, _) = scratch("mixed");
    for words in [
        "--parquet set --out trace.jsonl",
        "--parquet set --walks 3",
        "--envs 3",
        "--workers 2",
        "--parquet set --envs 0",
    ] {
        let run = scratch.shell(&format!("herbrand record blocks {words}"));
        assert_eq!(run.status, 2, "{words}: {}", run.stdout);
    }
}
