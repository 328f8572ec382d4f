//! The exit status of every kind of end, and errors as JSON.

use serde_json::Value;

use crate::run::{Run, Scratch, lamps};

/// The lamps, with a problem without a plan and a faulty one.
fn folder(name: &str) -> Scratch {
    let scratch = lamps(name);
    let problem = |goal: &str| {
        format!(
            "(define (problem p) (:domain lamps) (:objects a b c) (:init (lamp a) (lamp b)) (:goal {goal}))"
        )
    };
    scratch.write("never.pddl", &problem("(on c)"));
    scratch.write("broken.pddl", &problem("(and (on a) (of b))"));
    scratch.write("short.plan", "(turn-off b)\n");
    scratch.write("unknown.plan", "(turn-of b)\n");
    scratch
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// Each command with the words for a problem in `PROBLEM`.
const ON_A_PROBLEM: [&str; 11] = [
    "bench domain.pddl PROBLEM",
    "ground domain.pddl PROBLEM",
    "plan domain.pddl PROBLEM",
    "plan domain.pddl PROBLEM --planner uct",
    "record domain.pddl PROBLEM",
    "render domain.pddl PROBLEM --out picture.svg",
    "rollout domain.pddl PROBLEM",
    "show domain.pddl PROBLEM",
    "space domain.pddl PROBLEM",
    "translate domain.pddl PROBLEM",
    "validate domain.pddl PROBLEM short.plan",
];

#[test]
fn the_status_follows_from_the_kind_of_the_end() {
    let scratch = folder("statuses");
    let long = "plan logistics test/10 --planner astar-blind";
    for (status, line) in [
        (0, "plan domain.pddl p.pddl"),
        (0, "plan blocks 01 --planner all --time 20"),
        // The answer is no.
        (1, "plan domain.pddl never.pddl"),
        (1, "plan domain.pddl never.pddl --planner value-iteration"),
        (1, "plan domain.pddl never.pddl --planner all"),
        (1, "plan domain.pddl p.pddl never.pddl"),
        (1, "validate domain.pddl p.pddl short.plan"),
        // The texts or the request are faulty.
        (2, "plan domain.pddl broken.pddl"),
        (2, "plan domain.pddl nowhere.pddl"),
        (2, "plan domain.pddl p.pddl broken.pddl"),
        (2, "plan domain.pddl p.pddl --replan"),
        (2, "plan domain.pddl p.pddl --nonsense"),
        (2, "check broken.pddl"),
        (
            2,
            "validate domain.pddl p.pddl short.plan unknown.plan short.plan nowhere.plan",
        ),
        (2, "explain E9999"),
        (2, "generate nowhere"),
        // No answer within the limits, or none from this planner.
        (3, &format!("{long} --time 0.3")),
        (3, &format!("{long} --memory 10MB")),
        (3, &format!("{long} --time 0")),
        (3, "plan domain.pddl never.pddl --planner uct"),
        (3, "plan logistics test/10 --planner value-iteration --time 0.3"),
        (3, "plan logistics test/04 test/10 --planner astar-blind --time 2"),
        (3, "check domain.pddl p.pddl --time 0"),
        (3, "generate sokoban --size 30 --time 0"),
    ] {
        let run = scratch.run(&words(line));
        assert_eq!(run.status, status, "{line}\n{}{}", run.stdout, run.stderr);
    }
}

/// The only value of standard output: the error of a run.
fn error(run: &Run) -> Value {
    assert_eq!(run.stderr, "", "{}", run.stdout);
    let error = run.json()["error"].clone();
    assert_eq!(error["status"], run.status, "{error}");
    assert!(
        error["message"]
            .as_str()
            .is_some_and(|message| !message.is_empty()),
        "{error}"
    );
    error
}

#[test]
fn every_error_is_json_if_json_is_asked_for() {
    let scratch = folder("json-errors");
    let run = |line: &str| scratch.run(&[words(line), vec!["--format", "json"]].concat());
    for line in ON_A_PROBLEM {
        let faulty = error(&run(&line.replace("PROBLEM", "broken.pddl")));
        assert_eq!(faulty["kind"], "input", "{line}");
        let fault = &faulty["faults"][0];
        let told = [&fault["code"], &fault["severity"], &fault["file"]];
        assert_eq!(
            told,
            ["E0101", "error", "broken.pddl"].map(Value::from).each_ref(),
            "{line}"
        );
        let missing = error(&run(&line.replace("PROBLEM", "nowhere.pddl")));
        assert_eq!(
            (&missing["kind"], missing["faults"].as_array()),
            (&"input".into(), Some(&vec![])),
            "{line}"
        );
        let sound = line.replace("PROBLEM", "p.pddl");
        let unknown = error(&run(&format!("{sound} --nonsense")));
        assert!(
            unknown["message"]
                .as_str()
                .unwrap_or_default()
                .contains("--nonsense"),
            "{line}"
        );
        let limited = error(&run(&format!("{sound} --memory 1kB")));
        assert_eq!(
            (&limited["kind"], &limited["status"]),
            (&"limit".into(), &3.into()),
            "{line}"
        );
    }
}

#[test]
fn other_commands_have_errors_in_json_too() {
    let scratch = folder("other-json-errors");
    for (kind, line) in [
        ("input", "--nonsense --format=json"),
        ("input", "check nowhere.pddl --format json"),
        ("input", "datalog domain.pddl broken.pddl --format json"),
        ("input", "domains nowhere: --format json"),
        ("input", "exam make broken.pddl --format json"),
        ("input", "explain E9999 --format json"),
        ("input", "fmt nowhere.pddl --format json"),
        ("input", "learn nowhere --format json"),
        ("input", "play domain.pddl p.pddl --format json"),
        ("input", "rddl bounds rddl/elevators 99 --format json"),
        ("limit", "generate sokoban --size 30 --time 0 --format json"),
    ] {
        assert_eq!(error(&scratch.run(&words(line)))["kind"], kind, "{line}");
    }
    scratch.write("walk.jsonl", "{\"domain\": \"nowhere\", \"problem\": \"01\"}\n");
    let replayed = scratch.run(&["replay", "walk.jsonl", "--format", "json"]);
    let errors = &replayed.json()["errors"];
    assert_eq!(
        (replayed.status, &errors[0]["error"]["kind"]),
        (2, &"input".into()),
        "{errors}"
    );
    assert_eq!(replayed.stderr, "");
    #[cfg(unix)]
    {
        let ground = "herbrand ground domain.pddl p.pddl --out task.json --format json";
        let full = scratch.shell(&format!("trap '' XFSZ; ulimit -f 0; {ground}"));
        assert_eq!(error(&full)["kind"], "system");
    }
}

#[test]
fn cpu_time_is_a_limit_of_its_own() {
    let scratch = folder("cpu-time");
    let (astar, lao) = (
        "plan logistics test/10 --planner astar-blind",
        "plan logistics test/10 --planner lao",
    );
    for (line, told) in [
        (
            format!("{astar} --cpu-time 1"),
            "no plan was found within the time limit (--cpu-time)",
        ),
        (
            format!("{astar} --cpu-time 1 --time 100"),
            "within the time limit (--cpu-time)",
        ),
        (
            format!("{astar} --cpu-time 100 --time 1"),
            "within the time limit (--time)",
        ),
        (
            format!("{lao} --cpu-time 1"),
            "no policy was found within the time limit (--cpu-time)",
        ),
        (
            "ground logistics test/10 --cpu-time 0".to_owned(),
            "the CPU time limit of",
        ),
    ] {
        let run = scratch.run(&words(&line));
        let output = run.stdout + &run.stderr;
        assert!(run.status == 3 && output.contains(told), "{line}: {output}");
    }
    // Each of several problems has its own.
    let several = "plan logistics test/10 test/01 --planner astar-blind --cpu-time 1 --format json";
    let several = scratch.run(&words(several)).json();
    let outcomes = [&several[0]["outcome"], &several[1]["outcome"]];
    assert_eq!(outcomes, ["out-of-time", "plan"], "{several}");
    // A plan that was found is executed and printed although the time is over.
    let anytime = scratch.run(&words("plan logistics test/10 --planner anytime --cpu-time 2"));
    assert!(
        anytime.status == 0 && anytime.stdout.contains("; cost = "),
        "{}",
        anytime.stderr
    );
}
