//! `rollout`.

use serde_json::Value;

use crate::run::{Scratch, herbrand, lamps, listed};

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
    for key in ["seconds", "steps_per_s", "mean_valid_actions", "mean_return"] {
        assert!(row[key].is_f64(), "{key}");
    }
    assert_eq!(row["digest"].as_str().map(str::len), Some(16));
    let ends = row["ends"].as_object().expect("the ends of episodes");
    let total: u64 = ends.values().filter_map(serde_json::Value::as_u64).sum();
    assert_eq!(
        (total, &row["counted"], &row["uniform"]),
        (100, &100.into(), &true.into())
    );
    assert_eq!(row.as_object().map(serde_json::Map::len), Some(20));
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
        // The name of a single problem follows that of its domain.
        let numbers = row.iter().position(|word| word.parse::<u64>().is_ok());
        let numbers = &row[numbers.expect("the number of problems")..];
        assert_eq!(numbers[1], "100");
        // On average two lamps are set after two or so turns, so many episodes reach the goal.
        assert!(numbers[5].parse::<u64>().is_ok_and(|goals| goals > 50), "{row:?}");
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
        row["episodes"].as_u64().map(|episodes| 400 * episodes)
    );
    assert!(row["seconds"].as_f64() >= Some(0.05));
}

#[test]
fn bundled_plans_are_followed_to_the_goal() {
    let run = herbrand(&[
        "rollout", "blocks", "hanoi", "--policy", "plan", "--format", "json",
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let report = run.json();
    assert_eq!(report["policy"], "plan");
    for row in report["rows"].as_array().expect("rows") {
        assert_eq!(row["episodes"], row["problems"], "{row}");
        assert_eq!(row["goals"], row["problems"], "{row}");
    }
}

#[test]
fn a_plan_stops_where_it_is_not_valid() {
    let scratch = lamps("policy");
    let files = [
        "--domain",
        "domain.pddl",
        "--problem",
        "p.pddl",
        "--format",
        "json",
    ];
    for (plan, steps, goals) in [
        ("(turn-on a)", 1, 1),
        ("(turn-off b)\n(turn-on b)\n(turn-on a)", 3, 1),
        ("(turn-off b)\n(turn-off b)\n(turn-on a)", 1, 0),
    ] {
        scratch.write("plan", plan);
        let run = scratch.run(&[&["rollout", "--plan", "plan"], &files[..]].concat());
        let row = &run.json()["rows"][0];
        assert_eq!(
            (&row["steps"], &row["goals"]),
            (&steps.into(), &goals.into()),
            "{plan}"
        );
    }
    let why = "the plan stops before step 2: (turn-off b) is not valid: (on b) does not hold";
    let run = scratch.run(&[&["rollout", "--plan", "plan"], &files[..]].concat());
    assert_eq!(run.json()["rows"][0]["plan_stops"], why);
    let run = scratch.run(&[&["rollout", "--plan", "plan"], &files[..4]].concat());
    assert!(run.stdout.ends_with(&format!(": {why}\n")), "{}", run.stdout);
    let lifted = [&["rollout", "--plan", "plan", "--engine", "lifted"], &files[..4]].concat();
    let run = scratch.run(&lifted);
    let why = "the plan stops after 1 of 3 steps: the next is not valid";
    assert!(run.stdout.ends_with(&format!(": {why}\n")), "{}", run.stdout);
    scratch.write("plan", "(turn-on a)\n(turn-on z)");
    let run = scratch.run(&[&["rollout", "--plan", "plan"], &files[..]].concat());
    assert_eq!(run.status, 2);
    assert!(
        run.stderr
            .contains("line 2 of the plan: (turn-on z) is not an action"),
        "{}",
        run.stderr
    );
    // The first action in order of declaration goes to and fro between two lamps.
    let first = scratch.run(&[&["rollout", "--policy", "first", "--steps", "3"], &files[..]].concat());
    let row = &first.json()["rows"][0];
    assert_eq!((&row["steps"], &row["goals"]), (&100.into(), &100.into()));
}

#[test]
fn episodes_are_recorded_and_replay() {
    let scratch = lamps("recorded");
    let files = ["--domain", "domain.pddl", "--problem", "p.pddl"];
    let options = ["--record", "walks.jsonl", "--episodes", "7", "--seed", "2"];
    let recorded = scratch.run(&[&["rollout"], &options[..], &files].concat());
    assert_eq!(recorded.status, 0, "{}", recorded.stderr);
    let trace = scratch.read("walks.jsonl");
    let ends = trace.lines().filter(|line| line.contains("\"chosen\":null"));
    assert_eq!(ends.count(), 7);
    let replayed = scratch.run(&[&["replay", "walks.jsonl"], &files[..]].concat());
    assert_eq!(replayed.status, 0, "{}{}", replayed.stdout, replayed.stderr);
    let digest = |options: &[&str]| {
        let common = ["rollout", "--episodes", "7", "--seed", "2", "--format", "json"];
        scratch.run(&[&common, options, &files[..]].concat()).json()["rows"][0]["digest"].clone()
    };
    assert_eq!(digest(&["--record", "again.jsonl"]), digest(&[]));
    assert_eq!(scratch.read("again.jsonl"), trace);
    let several = herbrand(&["rollout", "blocks", "--record", "walks.jsonl"]);
    assert_eq!(several.status, 2);
    assert!(
        several.stderr.contains("--record needs a single problem"),
        "{}",
        several.stderr
    );
}

#[test]
fn digests_stand_alone() {
    let run = |threads| {
        let arguments = [
            "rollout",
            "sokoban",
            "hanoi",
            "--problem",
            "01",
            "--digests",
            "--threads",
        ];
        herbrand(&[&arguments[..], &[threads]].concat()).stdout
    };
    let lines = run("1");
    let names = lines.lines().map(|line| line.split_at(17).1).collect::<Vec<_>>();
    assert_eq!(names, ["sokoban", "hanoi"]);
    assert_eq!(run("2"), lines);
}

#[test]
fn all_engines_count_the_same() {
    let counts = |engine: &str| {
        let arguments = [
            "rollout",
            "sokoban",
            "--problem",
            "01",
            "--engine",
            engine,
            "--format",
            "json",
        ];
        let run = herbrand(&arguments);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let row = run.json()["rows"][0].clone();
        ["steps", "goals", "dead_ends", "mean_valid_actions"].map(|key| row[key].clone())
    };
    let grounded = counts("grounded");
    assert_eq!(counts("lifted"), grounded);
    assert_eq!(counts("automatic"), grounded);
}

#[test]
fn every_engine_follows_a_plan_alike() {
    let row = |engine: &str| {
        let arguments = [
            "rollout",
            "blocks",
            "--problem",
            "01",
            "--policy",
            "plan",
            "--engine",
            engine,
            "--format",
            "json",
        ];
        let run = herbrand(&arguments);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let row = run.json()["rows"][0].clone();
        ["steps", "goals", "digest"].map(|key| row[key].clone())
    };
    let grounded = row("grounded");
    assert_eq!(grounded[1], 1);
    assert_eq!(row("lifted"), grounded);
}

#[test]
fn the_columns_of_the_table_are_explained() {
    let run = herbrand(&["rollout", "blocks", "--problem", "01", "--episodes", "2"]);
    assert!(
        run.stdout
            .contains("\nvalid actions: mean number per state; goals: "),
        "{}",
        run.stdout
    );
    assert!(
        !run.stdout.contains("return"),
        "blocks pays nothing: {}",
        run.stdout
    );
    let scratch = Scratch::new("returns");
    scratch.write(
        "domain.pddl",
        "(define (domain mine) (:requirements :rewards) (:predicates (rich)) (:action dig :effect (increase (reward) 2.5)))",
    );
    scratch.write("p.pddl", "(define (problem p) (:domain mine) (:goal (rich)))");
    let rollout = [
        "rollout",
        "--domain",
        "domain.pddl",
        "--problem",
        "p.pddl",
        "--steps",
        "4",
    ];
    let run = scratch.run(&rollout);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stdout.contains("  return      ±  discounted\n")
            && run.stdout.contains("  10.000  0.000      10.000\n"),
        "{}",
        run.stdout
    );
    let report = scratch
        .run(&[&rollout[..], &["--format", "json"]].concat())
        .json();
    assert_eq!(report["rows"][0]["mean_return"], 10.0);
}

#[test]
fn problems_are_counted_from_one() {
    let digest = |problem: &str| {
        let run = herbrand(&["rollout", "blocks", "--digests", "--problem", problem]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        run.stdout
    };
    assert_eq!(digest("1"), digest("01"));
    assert_eq!(digest("02"), digest("2"));
    assert_ne!(digest("1"), digest("2"));
    let run = herbrand(&["rollout", "blocks", "--problem", "0"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains(": train/01 to test/"), "{}", run.stderr);
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

#[test]
fn observations_are_measured_beside_the_plain_rollout() {
    let plain = herbrand(&["rollout", "blocks", "--problem", "train/03", "--format", "json"]).json();
    for mode in ["bits", "bits-and-goal", "atoms-one-hot-by-object"] {
        let arguments = ["rollout", "blocks", "--problem", "train/03", "--observe", mode];
        let run = herbrand(&[&arguments[..], &["--format", "json"]].concat());
        assert_eq!(run.status, 0, "{}", run.stderr);
        let (row, before) = (&run.json()["rows"][0], &plain["rows"][0]);
        let observed = &row["observed"];
        assert_eq!(observed["mode"], mode);
        assert!(observed["elements"].as_u64() > Some(0), "{row}");
        assert!(observed["steps_per_s"].as_f64() > Some(0.0), "{row}");
        assert!(observed["nanoseconds"].as_f64() >= Some(0.0), "{row}");
        assert_eq!(row["digest"], before["digest"], "{mode}");
        assert!(before.get("observed").is_none());
        let text = herbrand(&arguments).stdout;
        assert!(
            text.contains("observed steps/s") && text.contains("ns/observation"),
            "{text}"
        );
    }
    let run = herbrand(&["rollout", "blocks", "--observe", "bitts"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("choose one of bits, bits-and-goal"),
        "{}",
        run.stderr
    );
    let run = herbrand(&["rollout", "blocks", "--observe", "bits", "--engine", "lifted"]);
    assert_eq!(run.status, 2);
}

/// In both languages, whether the picture is of bools or of numbers.
#[test]
fn pixels_are_observed() {
    for (domain, mode, elements) in [
        ("sokoban", "pixels", 64 * 64 * 3),
        ("blocks", "pixels-20x30", 20 * 30 * 3),
        ("rddl/wildfire-mdp", "pixels-32x32", 32 * 32 * 3),
        ("rddl/cartpole-discrete", "pixels-32x32", 32 * 32 * 3),
    ] {
        let episodes = ["--episodes", "2", "--steps", "5", "--format", "json"];
        let run = herbrand(&[&["rollout", domain, "--observe", mode][..], &episodes].concat());
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert_eq!(
            run.json()["rows"][0]["observed"]["elements"],
            elements,
            "{domain}"
        );
    }
    for (mode, message) in [
        ("pixels-0x9", "9 × 0 pixels cannot be drawn"),
        ("pixels-9", "HEIGHTxWIDTH"),
        ("pixelss", "unknown observation `pixelss`"),
    ] {
        let run = herbrand(&["rollout", "rddl/wildfire-mdp", "--observe", mode]);
        assert_eq!(run.status, 2, "{mode}");
        assert!(run.stderr.contains(message), "{mode}: {}", run.stderr);
    }
}
