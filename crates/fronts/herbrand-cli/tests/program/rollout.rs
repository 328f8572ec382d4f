//! `rollout`: properties of many episodes, threads, engines and signals. The page `rollout.md` has the rest.

use serde_json::Value;

use crate::run::{Scratch, herbrand, listed};

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
    assert_eq!(rows, Some(listed("pddl").len()));
    let again = herbrand(&[&["rollout", "--all"][..], &arguments].concat());
    assert_eq!(without_time(again.json()), without_time(all.json()));
}

/// Observations change no episode, and their time is measured separately.
#[test]
fn observations_are_measured_beside_the_plain_rollout() {
    let scratch = Scratch::new("observe");
    let row = |more: &str| {
        let words = "herbrand rollout blocks --problem train/03 --format json --seconds 0.05 --through-goals";
        scratch.shell(&format!("{words} {more}")).json()["rows"][0].clone()
    };
    let digest = |more: &str| {
        let run = scratch.shell(&format!("herbrand rollout blocks 3 --format json {more}"));
        run.json()["rows"][0]["digest"].clone()
    };
    let plain = row("");
    assert!(plain["seconds"].as_f64() >= Some(0.05) && plain["steps_per_s"].as_f64() > Some(0.0));
    assert!(plain.get("observed").is_none());
    for mode in ["bits", "bits-and-goal", "atoms-one-hot-by-object"] {
        let observed = &row(&format!("--observe {mode}"))["observed"];
        assert_eq!(observed["mode"], mode);
        for key in ["elements", "steps_per_s"] {
            assert!(observed[key].as_f64() > Some(0.0), "{observed}");
        }
        assert!(observed["nanoseconds"].as_f64() >= Some(0.0), "{observed}");
        assert_eq!(digest(&format!("--observe {mode}")), digest(""), "{mode}");
    }
}

#[test]
fn all_engines_walk_the_same() {
    let scratch = Scratch::new("engines-walk");
    for words in [
        "sokoban 01",
        "blocks 01 --policy plan",
        "blocks --seed 7",
        "blocks 01 --record r.jsonl --force",
    ] {
        let [grounded, lifted, automatic] = ["grounded", "lifted", "automatic"].map(|engine| {
            let report = scratch
                .shell(&format!(
                    "herbrand rollout {words} --engine {engine} --format json"
                ))
                .json();
            let trace = words.contains("record").then(|| scratch.read("r.jsonl"));
            (without_time(report), trace)
        });
        assert_eq!(lifted, grounded, "{words}");
        assert_eq!(automatic, grounded, "{words}");
    }
}

/// Starts the program, waits until it watches for Ctrl-C, presses it, and returns the status and standard output.
#[cfg(target_os = "linux")]
fn interrupted(arguments: &[&str]) -> (Option<i32>, String) {
    ended_by("-INT", 2, arguments)
}

/// Starts the program, waits until it watches for a signal, sends it, and returns the status and standard output.
#[cfg(target_os = "linux")]
pub fn ended_by(signal: &str, number: u32, arguments: &[&str]) -> (Option<i32>, String) {
    use std::process::{Command, Stdio};
    use std::time::Duration;

    let child = Command::new(env!("CARGO_BIN_EXE_herbrand"))
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let watches = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
            .is_some_and(|mask: u64| mask >> (number - 1) & 1 == 1)
    };
    while !watches() {
        std::thread::sleep(Duration::from_millis(5));
    }
    // Some steps should be done by then; if none are, the table is empty, which is fine too.
    std::thread::sleep(Duration::from_millis(300));
    let kill = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(kill.expect("`kill` is there").success());
    let output = child.wait_with_output().expect("it ends");
    (
        output.status.code(),
        String::from_utf8(output.stdout).expect("UTF-8"),
    )
}

#[cfg(target_os = "linux")]
#[test]
fn sigterm_prints_what_was_measured() {
    for command in ["rollout", "bench"] {
        let words = [command, "blocks", "--seconds", "100000", "--format", "json"];
        let (status, text) = ended_by("-TERM", 15, &words);
        assert_eq!(status, Some(143), "{command}: {text}");
        assert!(
            serde_json::from_str::<serde_json::Value>(&text).is_ok(),
            "{command}: {text}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_prints_what_was_measured() {
    let (status, text) = interrupted(&[
        "rollout",
        "blocks",
        "--problem",
        "01",
        "--episodes",
        "1000000000000",
    ]);
    assert_eq!(status, Some(130));
    assert!(text.starts_with("domain "), "{text}");
    let (status, text) = interrupted(&[
        "rollout",
        "blocks",
        "--problem",
        "01",
        "--seconds",
        "100000",
        "--format",
        "json",
    ]);
    assert_eq!(status, Some(130));
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(report["interrupted"], true);
    let (status, text) = interrupted(&["bench", "blocks", "--seconds", "100000"]);
    assert_eq!(status, Some(130));
    assert!(text.starts_with("domain "), "{text}");
}
