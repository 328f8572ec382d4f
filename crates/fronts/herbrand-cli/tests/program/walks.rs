//! Walks: the same for all engines, seeds and numbers of threads, and ended by signals.

use serde_json::Value;

use crate::run::{Scratch, herbrand, lamps, listed};

/// A report without what may differ between two runs of one seed.
fn without_time(mut report: Value) -> Value {
    report["threads"].take();
    for row in report["rows"].as_array_mut().into_iter().flatten() {
        row["seconds"].take();
        row["steps_per_s"].take();
    }
    report
}

#[test]
fn one_seed_gives_one_result_on_any_number_of_threads() {
    let report = |threads: &str, seed: &str| {
        let line =
            format!("rollout tireworld hanoi --split train --episodes 60 --threads {threads} --seed {seed}");
        without_time(herbrand(&format!("{line} --format json")).json())
    };
    let first = report("1", "7");
    assert_eq!(first, report("2", "7"));
    assert_ne!(first["rows"][0]["digest"], report("1", "8")["rows"][0]["digest"]);
    let record = |seed: &str| herbrand(&format!("record tireworld --seed {seed}")).stdout;
    assert_eq!(record("4"), record("4"));
    assert_ne!(record("4"), record("5"));
}

#[test]
fn without_a_domain_all_bundled_ones_are_rolled_out() {
    let report =
        |all: &str| herbrand(&format!("rollout {all} --episodes 2 --problem 01 --format json")).json();
    let all = without_time(report(""));
    assert_eq!(all["rows"].as_array().map(Vec::len), Some(listed("pddl").len()));
    assert_eq!(without_time(report("--all")), all);
}

#[test]
fn all_engines_do_the_same() {
    for line in [
        "show exploding-blocks --static --explain --actions '(pick-up a) (put-down a)'",
        "show blocks-derived --static",
        "show sokoban --static --actions '(move right) (move left)'",
        "show sokoban test/10 --all --format json",
        "show elevator-adl --static",
        "show tireworld --actions '(fly) (move-car)'",
        "show blocks --actions '(unstack b b)'",
        "rollout sokoban 01 --format json",
        "rollout blocks 01 --policy plan --format json",
        "rollout blocks --seed 7 --format json",
        "rollout blocks 01 --record walk.jsonl --format json",
        "record blocks-derived --seed 3 --out walk.jsonl",
        "render sokoban 03 --steps 5 --out picture.svg",
    ] {
        let [grounded, lifted, automatic] = ["grounded", "lifted", "automatic"].map(|engine| {
            let scratch = Scratch::new();
            let run = scratch.run(&format!("{line} --engine {engine}"));
            let report = serde_json::from_str(&run.stdout).map_or(run.stdout.into(), without_time);
            let file =
                ["walk.jsonl", "picture.svg"].map(|file| std::fs::read(scratch.path().join(file)).ok());
            (run.status, report, run.stderr, file)
        });
        assert_eq!(lifted, grounded, "{line}");
        assert_eq!(automatic, grounded, "{line}");
    }
}

/// Starts the program, waits until it watches for a signal, sends it, and returns the status and standard output.
#[cfg(target_os = "linux")]
fn ended_by(signal: &str, number: u32, scratch: &Scratch, line: &str) -> (Option<i32>, String) {
    use std::process::{Command, Stdio};
    use std::time::Duration;

    let child = Command::new(crate::run::PROGRAM)
        .args(line.split(' '))
        .current_dir(scratch.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let watches = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_some_and(|mask| mask >> (number - 1) & 1 == 1)
    };
    while !watches() {
        std::thread::sleep(Duration::from_millis(5));
    }
    // Some steps should be done by then; if none are, the table is empty, which is fine too.
    std::thread::sleep(Duration::from_millis(300));
    let process = child.id().to_string();
    let kill = Command::new("kill").args([signal, &process]).status();
    assert!(kill.expect("`kill` is there").success());
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    (output.status.code(), text)
}

/// `kill` and `timeout` end a measurement and a search like Ctrl-C: what is known so far is printed.
#[cfg(target_os = "linux")]
#[test]
fn signals_print_what_was_measured() {
    let scratch = lamps();
    let each = |part: &dyn Fn(usize) -> String| (0..50).map(part).collect::<String>();
    let objects = each(&|lamp| format!(" l{lamp}"));
    let (facts, goal) = (
        each(&|lamp| format!("(lamp l{lamp})")),
        each(&|lamp| format!("(on l{lamp})")),
    );
    scratch.write(
        "endless.pddl",
        format!("(define (problem endless) (:domain lamps) (:objects{objects}) (:init {facts}) (:goal (and {goal})))"),
    );
    let rolled = "rollout blocks 01 --seconds 100000 --format json";
    let measured = "bench blocks --seconds 100000";
    let planned = "plan domain.pddl p.pddl endless.pddl --planner astar-blind --format json";
    for (signal, number, line, status) in [
        ("-INT", 2, "rollout blocks 01 --episodes 1000000000000", 130),
        ("-INT", 2, rolled, 130),
        ("-INT", 2, measured, 130),
        ("-TERM", 15, rolled, 143),
        ("-TERM", 15, measured, 143),
        ("-TERM", 15, planned, 143),
    ] {
        let (ended, text) = ended_by(signal, number, &scratch, line);
        assert_eq!(ended, Some(status), "{line}: {text}");
        if !line.ends_with("json") {
            assert!(text.starts_with("domain "), "{text}");
            continue;
        }
        let report: Value = serde_json::from_str(&text).expect("JSON");
        if line == planned {
            assert_eq!(report[0]["plan"], serde_json::json!(["(turn-on a)"]), "{report}");
            assert_eq!(report[1]["outcome"], "cancelled", "{report}");
        } else {
            assert_eq!(report["interrupted"], true, "{report}");
        }
    }
}
