//! RDDL in all commands.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::run::{Scratch, herbrand, listed};

const DOMAIN: &str = "\
// lights that can be pressed
domain lights {
  types { lamp : object; };
  pvariables {
    on(lamp) : { state-fluent, bool, default = false };
    press(lamp) : { action-fluent, bool, default = false };
  };
  cpfs { on'(?l) = on(?l) | press(?l); };
  reward = sum_{?l : lamp} on(?l);
}
";

const EVENING: &str = "\
non-fluents flat { domain = lights; objects { lamp : { hall, attic }; }; }
instance evening { domain = lights; non-fluents = flat; init-state { on(hall); }; horizon = 9; discount = 1.0; }
instance night { domain = lights; non-fluents = flat; horizon = 5; discount = 1.0; }
";

/// A folder with a domain and two instances; the names of the files do not tell the language.
fn lights(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write("domain.txt", DOMAIN);
    scratch.write("evening.txt", EVENING);
    scratch
}

#[test]
fn the_language_is_told_by_content() {
    let scratch = lights("rddl-sound");
    let run = scratch.run(&["check", "evening.txt", "domain.txt"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert_eq!(
        run.stdout,
        "2 files: 1 domain, 2 problems; 0 errors, 0 warnings\n"
    );
    scratch.write("d.pddl", "(define (domain d))");
    let run = scratch.run(&["check", "evening.txt", "d.pddl", "domain.txt"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert_eq!(
        run.stdout,
        "3 files: 2 domains, 2 problems; 0 errors, 0 warnings\n"
    );
}

#[test]
fn every_fault_is_told_with_its_place() {
    let scratch = lights("rddl-faults");
    scratch.write(
        "domain.txt",
        &DOMAIN
            .replace("press(?l);", "pres(?l);")
            .replace("reward = sum", "reward = som"),
    );
    let run = scratch.run(&["check", "domain.txt", "evening.txt"]);
    assert_eq!(run.status, 2);
    for part in [
        "error[E1101]",
        "domain.txt:8",
        "did you mean `press`?",
        "error[E1105]",
        "domain.txt:9",
        "did you mean `sum`?",
        "evening.txt: problem `evening` was not checked: its domain has errors",
    ] {
        assert!(run.stderr.contains(part), "{part} in\n{}", run.stderr);
    }
    let run = scratch.run(&["check", "domain.txt", "--format", "json"]);
    let report = run.json();
    assert_eq!(report["errors"], 2);
    let mut found = report["diagnostics"].as_array().into_iter().flatten();
    let unknown = found.find(|one| one["code"] == "E1101");
    assert_eq!(unknown.map(|one| &one["line"]), Some(&8.into()), "{report}");
}

#[test]
fn warnings_alone_pass_unless_strict() {
    let scratch = lights("rddl-warnings");
    scratch.write("domain.txt", &DOMAIN.replace("on(?l);\n", "on(?l) * 1e1;\n"));
    let run = scratch.run(&["check", "domain.txt"]);
    assert_eq!(run.status, 0);
    assert!(run.stderr.contains("warning[W1102]"), "{}", run.stderr);
    assert_eq!(scratch.run(&["check", "--strict", "domain.txt"]).status, 2);
}

#[test]
fn the_canonical_form_keeps_comments_and_needs_no_domain() {
    let scratch = lights("rddl-fmt");
    assert_eq!(scratch.run(&["fmt", "--check", "domain.txt"]).status, 1);
    assert_eq!(scratch.run(&["fmt", "--write", "domain.txt"]).status, 0);
    assert_eq!(
        scratch
            .run(&["fmt", "--check", "domain.txt", "evening.txt"])
            .status,
        0
    );
    let text = scratch.read("domain.txt");
    let head = "// lights that can be pressed\ndomain lights {\n    types { lamp : object; };\n    pvariables {\n        on(lamp)";
    assert!(text.starts_with(head), "{text}");
    let run = scratch.feed(&["fmt", "-"], b"domain d { cpfs { a' = ; }");
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("standard input:1"), "{}", run.stderr);
}

#[test]
fn codes_of_both_languages_are_explained() {
    let scratch = Scratch::new("rddl-explain");
    let run = scratch.run(&["explain", "e1305"]);
    assert_eq!(run.status, 0);
    assert!(
        run.stdout.contains("fluents depend on each other in a cycle"),
        "{}",
        run.stdout
    );
    let all = scratch.run(&["explain", "--all", "--format", "json"]).json();
    let codes: Vec<&str> = all
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default()
        .iter()
        .filter_map(|one| one["code"].as_str())
        .collect();
    let mut distinct = codes.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), codes.len(), "no two languages share a code");
    assert!(codes.contains(&"E0101") && codes.contains(&"W1103"));
}

#[test]
fn rollouts_report_returns_and_have_the_same_keys() {
    let scratch = lights("rddl-rollout");
    let files = ["--domain", "domain.txt", "--problem", "evening.txt"];
    let run = |more: &[&str]| {
        let run = scratch.run(&[&["rollout"][..], &files, more].concat());
        assert_eq!(run.status, 0, "{}", run.stderr);
        run
    };
    let report = run(&["--format", "json", "--seed", "3"]).json();
    let row = &report["rows"][0];
    let pddl = herbrand(&["rollout", "blocks", "--problem", "01", "--format", "json"]).json();
    let keys = |row: &Value| row.as_object().map(|row| row.keys().cloned().collect::<Vec<_>>());
    assert_eq!(keys(row), keys(&pddl["rows"][0]));
    assert_eq!((&row["domain"], &row["problems"]), (&"lights".into(), &2.into()));
    // The two instances in turn, each until its own horizon.
    assert_eq!(
        (&row["episodes"], &row["steps"]),
        (&100.into(), &(50 * 9 + 50 * 5).into())
    );
    assert_eq!(row["goals"], Value::Null);
    // One lamp is on from the start in one instance, so 50 episodes return 9 at least.
    assert!(row["mean_return"].as_f64() >= Some(4.5), "{row}");
    assert!(row["return_deviation"].as_f64() > Some(0.0), "{row}");
    assert_eq!(
        row["mean_return"], row["mean_discounted_return"],
        "the discount is 1"
    );
    let again = run(&["--format", "json", "--seed", "3", "--threads", "2"]).json();
    assert_eq!(row["digest"], again["rows"][0]["digest"]);
    let other = run(&["--format", "json", "--seed", "4"]).json();
    assert_ne!(row["digest"], other["rows"][0]["digest"]);
    let text = run(&["--seconds", "0.05"]).stdout;
    for part in [
        "lights",
        "return",
        "discounted",
        "±: standard deviation of the returns",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(!text.contains("goals"), "{text}");
    let observed = run(&["--observe", "fluents", "--format", "json"]).json();
    assert_eq!(observed["rows"][0]["observed"]["elements"], 2);
}

#[test]
fn what_is_for_pddl_alone_is_refused() {
    for (arguments, message) in [
        (
            &["rollout", "rddl/elevators", "--policy", "plan"][..],
            "in RDDL, --policy plan needs --plan FILE",
        ),
        (
            &["rollout", "rddl/elevators", "--engine", "lifted"],
            "has only one engine",
        ),
        (
            &["rollout", "rddl/elevators", "--split", "test"],
            "leave --split out",
        ),
        (
            &["rollout", "rddl/elevators", "--observe", "graph"],
            "--observe takes `fluents`, `bits` or `pixels`",
        ),
        (
            &["rollout", "rddl/uav-mixed", "--observe", "bits"],
            "rddl/uav-mixed has fluents that are not Boolean",
        ),
        (&["rollout", "rddl/elevator"], "did you mean `rddl/elevators`?"),
        (
            &["rollout", "elevators-mdpp"],
            "did you mean `rddl/elevators-mdp`?",
        ),
        (
            &["validate", "rddl/elevators"],
            "RDDL problems have no stored plans: give a plan file",
        ),
        (
            &["ground", "rddl/elevators", "--list", "--explain"],
            "--list and --explain are for PDDL only",
        ),
        (
            &["show", "rddl"],
            "`rddl` names several environments: choose one of rddl/",
        ),
        (
            &["show", "rddl/elevators", "--problem", "9"],
            "has no instance `9`",
        ),
    ] {
        let run = herbrand(arguments);
        assert_eq!(run.status, 2, "{arguments:?}");
        assert!(run.stderr.contains(message), "{message} in {}", run.stderr);
    }
}

#[test]
fn bundled_environments_are_listed_and_measured() {
    let rows = listed("rddl");
    assert_eq!(rows.len(), 37);
    for row in &rows {
        assert!(
            row["domain"]
                .as_str()
                .is_some_and(|name| name.starts_with("rddl/")),
            "{row}"
        );
        assert!(
            row["description"].as_str().is_some_and(|text| !text.is_empty()),
            "{row}"
        );
        assert_eq!(row["problems"], 5, "{row}");
        assert!(row["actions"]["least"].as_u64() > Some(0), "{row}");
    }
    let text = herbrand(&["domains"]).stdout;
    assert!(
        text.contains("\nrddl/cartpole-continuous ") && text.contains("partially-observed"),
        "{text}"
    );
    let bench = herbrand(&[
        "bench",
        "rddl/navigation-mdp",
        "--seconds",
        "0.05",
        "--format",
        "json",
    ]);
    assert_eq!(bench.status, 0, "{}", bench.stderr);
    assert!(bench.json()[0]["steps_per_s"].as_f64() > Some(0.0));
    let scratch = Scratch::new("rddl-write");
    assert_eq!(scratch.run(&["domains", "--write", "here"]).status, 0);
    let run = scratch.run(&[
        "rollout",
        "here/rddl/sysadmin-mdp",
        "--episodes",
        "5",
        "--format",
        "json",
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let bundled = herbrand(&[
        "rollout",
        "rddl/sysadmin-mdp",
        "--episodes",
        "5",
        "--format",
        "json",
    ]);
    let digest = |report: Value| report["rows"][0]["digest"].clone();
    assert_eq!(digest(run.json()), digest(bundled.json()));
}

#[test]
fn walks_are_recorded_and_replayed_from_any_folder() {
    let scratch = lights("rddl-traces");
    let files = ["--domain", "domain.txt", "--problem", "evening.txt"];
    let record = |command: &[&str]| {
        let run = scratch.run(command);
        assert_eq!(run.status, 0, "{}", run.stderr);
    };
    fs::create_dir_all(scratch.path().join("traces")).expect("a folder");
    record(&[&["record"][..], &files, &["-o", "traces/a.trace.jsonl"]].concat());
    record(&[
        "record",
        "rddl/sysadmin-pomdp",
        "--problem",
        "2",
        "-o",
        "traces/b.trace.jsonl",
    ]);
    record(&[
        "rollout",
        "rddl/elevators",
        "--problem",
        "1",
        "--episodes",
        "2",
        "--record",
        "traces/c.trace.jsonl",
    ]);
    record(&["record", "blocks", "-o", "traces/pddl.jsonl"]);
    let run = scratch.run(&["replay", "traces", "--format", "json"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let report = run.json();
    assert_eq!((&report["traces"], &report["mismatches"]), (&4.into(), &0.into()));
    assert!(report["states"].as_u64() > Some(100), "{report}");
    // A reward that is not so is found, and shown with its place.
    let text = scratch.read("traces/a.trace.jsonl");
    let line = text.lines().nth(2).expect("a step");
    let step: Value = serde_json::from_str(line).expect("JSON");
    let mut wrong = step.clone();
    wrong["reward"] = (step["reward"].as_f64().expect("a number") + 1.0).into();
    scratch.write("traces/a.trace.jsonl", &text.replace(line, &wrong.to_string()));
    let run = scratch.run(&["replay", "traces/a.trace.jsonl"]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(
        run.stdout.contains("1 mismatch") && run.stdout.contains(":3 (walk 0, step 1): reward"),
        "{}",
        run.stdout
    );
    // The files can be named too.
    let run = scratch.run(&[
        "replay",
        "traces/b.trace.jsonl",
        "--domain",
        "domain.txt",
        "--problem",
        "evening.txt",
    ]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("has a ground fluent"), "{}", run.stderr);
}

#[test]
fn traces_of_the_reference_corpus_replay() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/corpus/rddl");
    if !corpus.is_dir() {
        return eprintln!("skipped: the corpus is not at ../shared/corpus");
    }
    for name in ["SysAdmin_POMDP_ippc2011", "UAV_Mixed", "Own_Objects"] {
        let files = fs::read_dir(corpus.join(name)).expect("a folder").flatten();
        let paths = files.map(|file| file.path().to_string_lossy().into_owned());
        let traces: Vec<_> = paths.filter(|path| path.ends_with(".trace.jsonl")).collect();
        let traces: Vec<&str> = traces.iter().map(String::as_str).collect();
        let run = herbrand(&[&["replay", "--format", "json"][..], &traces].concat());
        assert_eq!(run.status, 0, "{name}: {}", run.stderr);
        let report = run.json();
        assert_eq!(report["traces"], traces.len(), "{name}");
        assert_eq!(report["mismatches"], 0, "{name}: {report}");
    }
}

#[test]
fn a_state_is_shown_after_joint_actions() {
    let scratch = lights("rddl-show");
    let files = ["--domain", "domain.txt", "--problem", "evening.txt"];
    let show = |more: &[&str]| scratch.run(&[&["show"][..], &files, more].concat());
    let run = show(&["--actions", "(press___attic) ()", "--format", "json"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let report = run.json();
    assert_eq!(report["fluents"], serde_json::json!(["(on hall)", "(on attic)"]));
    assert_eq!((&report["reward"], &report["goal"]), (&3.0.into(), &Value::Null));
    assert_eq!(
        report["actions"],
        serde_json::json!(["press___hall", "press___attic"])
    );
    let text = show(&[]).stdout;
    assert!(
        text.contains("evening (lights)") && text.contains("state\n  (on hall)\n"),
        "{text}"
    );
    assert!(!text.contains("goal"), "{text}");
    let run = show(&["--actions", "(press___atic)"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr
            .contains("`press___atic` is not an action of this problem"),
        "{}",
        run.stderr
    );
    // Observations are shown after a step.
    let observed = herbrand(&[
        "show",
        "rddl/sysadmin-pomdp",
        "--actions",
        "()",
        "--format",
        "json",
    ])
    .json();
    assert!(observed["observed"].is_array(), "{observed}");
}

#[test]
fn problems_are_played_by_joint_actions() {
    let scratch = lights("rddl-play");
    let lines = b"?\npress___attic, press___hall\nfly\nundo\nundo\nnothing\nsample\nstate\nreset\nquit\n";
    let arguments = ["play", "--domain", "domain.txt", "--problem", "evening.txt"];
    let run = scratch.feed(&arguments, lines);
    assert_eq!(run.status, 0, "{}", run.stderr);
    for part in [
        "Type `?` for help.\n\nlights evening, step 0 of 9, return 0\n  on  hall\nvalid actions (4): any of these, or none\n  press___hall\n  press___attic\n",
        "  undo          undo the last step\n",
        "> press___attic, press___hall\npress___attic press___hall: reward 1\n\nlights evening, step 1 of 9, return 1\n  on  hall, attic\n",
        "> fly\n`fly` is not an action of this problem\n",
        "> undo\nnothing to undo\n",
        "> nothing\nnothing: reward 1\n",
    ] {
        assert!(run.stdout.contains(part), "{part} in\n{}", run.stdout);
    }
    // Preconditions are enforced, and episodes end.
    let over = scratch.feed(&arguments, &b"nothing\n".repeat(10));
    assert!(
        over.stdout
            .contains("the horizon is reached after 9 steps, return 9\n"),
        "{}",
        over.stdout
    );
    assert!(
        over.stdout
            .ends_with("the episode is over: undo, reset or quit\n"),
        "{}",
        over.stdout
    );
    let sitting = scratch.feed(&["play", "rddl/elevators"], b"actions\nsample\nsample\n");
    assert_eq!(sitting.status, 0, "{}", sitting.stderr);
}

#[test]
fn compiled_problems_and_their_guards_are_shown() {
    let run = herbrand(&[
        "ground",
        "rddl/elevators",
        "--problem",
        "2",
        "--first-step",
        "--format",
        "json",
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let report = run.json();
    for key in ["state_fluents", "action_fluents", "instructions", "preconditions"] {
        assert!(report[key].as_u64() > Some(0), "{key}");
    }
    assert!(report["first_step_seconds"].as_f64() >= report["seconds"].as_f64());
    let run = herbrand(&["datalog", "rddl/sysadmin-mdp", "--problem", "3"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains(":-"), "{}{}", run.stdout, run.stderr);
    let scratch = lights("rddl-datalog");
    let run = scratch.run(&["datalog", "--domain", "domain.txt"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("domain.txt defines no instance"),
        "{}",
        run.stderr
    );
    let files = ["--domain", "domain.txt", "--problem", "evening.txt"];
    let run = scratch.run(&[&["datalog"][..], &files].concat());
    assert_eq!((run.status, run.stdout.as_str()), (0, ""));
    assert!(
        run.stderr.contains("has a guard of non-fluents"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_plan_is_found_by_roll_outs() {
    let scratch = lights("rddl-plan");
    let plan = |more: &[&str]| {
        let arguments = [
            "plan",
            "--domain",
            "domain.txt",
            "--problem",
            "evening.txt",
            "--lookahead",
            "3",
        ];
        scratch.run(&[&arguments, more].concat())
    };
    let run = plan(&["--out", "lights.plan"]);
    assert_eq!(
        (run.status, run.stderr.as_str()),
        (0, "wrote lights.plan, 3 steps\n")
    );
    assert!(run.stdout.starts_with("1: "), "{}", run.stdout);
    // The hall is lit, and the attic from the second step on: pressing it first is all that there is to do.
    assert!(
        run.stdout.contains("press___attic") && run.stdout.contains("mean return 5.0000"),
        "{}",
        run.stdout
    );
    assert!(scratch.read("lights.plan").starts_with("1: "));
    let found = plan(&["--planner", "random-shooting", "--format", "json"]).json();
    assert_eq!(found["mean_return"], 5.0);
    assert_eq!(found["plan"].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_server_says_why_it_cannot_serve() {
    for (arguments, message) in [
        (
            &["rddl-server", "blocks"][..],
            "`blocks` is not a single RDDL environment",
        ),
        (
            &["rddl-server", "rddl"],
            "`rddl` is not a single RDDL environment",
        ),
        (
            &["rddl-server", "rddl/elevators", "--host", "256.0.0.1"],
            "cannot listen on 256.0.0.1:2323",
        ),
    ] {
        let run = herbrand(arguments);
        assert_eq!(run.status, 2, "{arguments:?}");
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}

#[test]
fn bounds_are_told_for_all_values() {
    let scratch = lights("rddl-bounds");
    let files = ["--domain", "domain.txt", "--problem", "evening.txt"];
    let one = EVENING.replace(
        "instance night { domain = lights; non-fluents = flat; horizon = 5; discount = 1.0; }",
        "",
    );
    scratch.write("evening.txt", &one);
    let run = scratch.run(&[&["rddl", "bounds"][..], &files, &["--steps", "3"]].concat());
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    for row in ["press___attic", "on___hall'", "return over 3 steps"] {
        assert!(run.stdout.contains(row), "{row} in\n{}", run.stdout);
    }
    let run = scratch.run(
        &[
            &["rddl", "bounds"][..],
            &files,
            &["--steps", "3", "--format", "json"],
        ]
        .concat(),
    );
    let data = run.json();
    // The hall is lit; the attic may be, after the first step.
    assert_eq!(data["total"], serde_json::json!([3.0, 5.0]));
    assert_eq!(
        data["steps"][2]["state"][0],
        serde_json::json!(["on___hall", [1.0, 1.0]])
    );
    assert_eq!(
        data["steps"][2]["state"][1],
        serde_json::json!(["on___attic", [0.0, 1.0]])
    );
    let run = scratch.run(&[&["rddl", "bounds"][..], &files, &["--between", "0.9", "0.1"]].concat());
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("LOW at most HIGH, not 0.9 and 0.1"),
        "{}",
        run.stderr
    );
}

#[test]
fn dependencies_are_listed_and_drawn() {
    let run = herbrand(&["rddl", "graph", "rddl/elevators", "--format", "json"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.json()["nodes"]
            .as_array()
            .is_some_and(|nodes| nodes.len() > 5)
    );
    let scratch = lights("rddl-graph");
    let files = ["rddl", "graph", "rddl/elevators"];
    let run = scratch.run(&[&files[..], &["--out", "net.svg"]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(scratch.read("net.svg").starts_with("<svg"));
    let run = scratch.run(&[&files[..], &["--out", "net.png"]].concat());
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("needs the ending .svg"), "{}", run.stderr);
    let run = scratch.run(&[&files[..], &["--of", "nowhere"]].concat());
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("no node of the network is named `nowhere`"),
        "{}",
        run.stderr
    );
    let run = herbrand(&["rddl", "graph", "blocks"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("supports only RDDL"), "{}", run.stderr);
}

#[test]
fn diagrams_are_listed_printed_and_drawn() {
    let one = ["rddl", "diagram", "rddl/mountain-car", "--problem", "1"];
    let run = herbrand(&one);
    assert_eq!(run.status, 0, "{}", run.stderr);
    // The slope is a cosine.
    assert!(
        run.stdout.contains("not a piecewise polynomial: cos"),
        "{}",
        run.stdout
    );
    let run = herbrand(&[&one[..], &["--of", "precondition 1"]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stdout.starts_with("precondition 1 =\n  if "),
        "{}",
        run.stdout
    );
    let run = herbrand(&[&one[..], &["--of", "reward"]].concat());
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("not a piecewise polynomial: cos"),
        "{}",
        run.stderr
    );
    let run = herbrand(&[&one[..], &["--of", "reword"]].concat());
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("did you mean `reward`?"), "{}", run.stderr);
    let run = herbrand(&[
        "rddl",
        "diagram",
        "rddl/elevators",
        "--problem",
        "1",
        "--of",
        "reward",
        "--limit",
        "5",
    ]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("more than 5 nodes"), "{}", run.stderr);
}

#[test]
fn plans_are_found_by_gradient() {
    let run = herbrand(&[
        "plan",
        "rddl/mountain-car",
        "--problem",
        "1",
        "--planner",
        "gradient",
        "--lookahead",
        "5",
        "--rounds",
        "5",
        "--format",
        "json",
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(run.json()["plan"].as_array().map(Vec::len), Some(5));
}

#[test]
fn uct_tells_what_acting_pays() {
    let scratch = lights("rddl-uct");
    let plan = |more: &[&str]| {
        let arguments = [
            "plan",
            "--domain",
            "domain.txt",
            "--problem",
            "evening.txt",
            "--planner",
            "uct",
            "--horizon",
            "3",
            "--lookahead",
            "3",
            "--iterations",
            "300",
            "--runs",
            "4",
        ];
        scratch.run(&[&arguments, more].concat())
    };
    let run = plan(&[]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(
        run.stdout.starts_with("1: press___attic\n")
            && run.stdout.contains(
                "\n; mean return 5.0000, standard error 0.0000: 4 episodes of 3 steps, horizon 9\n"
            ),
        "{}",
        run.stdout
    );
    let data = plan(&["--format", "json"]).json();
    assert_eq!(
        (data["mean_return"].as_f64(), data["runs"].as_u64()),
        (Some(5.0), Some(4))
    );
    assert_eq!(data["first"].as_array().map(Vec::len), Some(3));
    let run = plan(&["--out", "plan.txt"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("--out needs a planner that finds plans"),
        "{}",
        run.stderr
    );
    for (arguments, message) in [
        (
            &["plan", "rddl/elevators", "--planner", "lao"][..],
            "--planner lao supports only PDDL: for RDDL, use cross-entropy",
        ),
        (
            &["plan", "blocks", "--planner", "gradient"],
            "--planner gradient supports only RDDL",
        ),
        (
            &["plan", "rddl/cartpole-continuous", "--planner", "uct"],
            "is a number, so joint actions cannot be numbered",
        ),
    ] {
        let run = herbrand(arguments);
        assert_eq!(run.status, 2, "{arguments:?}");
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}

const SHOP: &str = "\
domain shop {
  types { product : object; };
  pvariables {
    PRICE(product) : { non-fluent, int, default = 2 };
    stock(product) : { state-fluent, int, default = 5 };
    sold(product) : { interm-fluent, int };
    order(product) : { action-fluent, int, default = 0 };
    open : { action-fluent, bool, default = false };
  };
  cpfs {
    sold(?p) = if (open) then min[stock(?p), Poisson(1.5)] else 0;
    stock'(?p) = min[50, stock(?p) - sold(?p) + order(?p)];
  };
  reward = sum_{?p : product} [PRICE(?p) * sold(?p) - order(?p)];
  action-preconditions {
    forall_{?p : product} [order(?p) >= 0 ^ order(?p) <= 10];
    open => ([sum_{?p : product} stock(?p)] >= 2);
  };
  state-invariants { forall_{?p : product} [stock(?p) >= 0]; };
}
instance corner { domain = shop; objects { product : { apple, pear }; }; horizon = 4; discount = 1.0; }
";

fn shop(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write("shop.rddl", SHOP);
    scratch
}

#[test]
fn actions_with_numbers_are_written_in_several_ways() {
    let scratch = shop("rddl-orders");
    let numbers = |actions: &str| {
        let run = scratch.run(&["show", "shop.rddl", "--actions", actions, "--format", "json"]);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{actions}");
        let report = run.json();
        let stock = |at: usize| report["numbers"][at]["value"].clone();
        (stock(0), stock(1))
    };
    for actions in [
        "order___apple=3, order___pear=4",
        "(order___apple=3 order___pear=4)",
        "(order___apple 3, order___pear 4)",
        "(order___apple=3) (order___pear=4)",
        "(order apple 3) (order pear 4)",
        "(order apple)=3 (order pear) = 4",
        "((order apple)=3, (order pear 4))",
        "order(apple)=3 order(pear) = 4",
        "ORDER(Apple) = 3, order pear 4",
    ] {
        assert_eq!(numbers(actions), (8.into(), 9.into()), "{actions}");
    }
    for (actions, message) in [
        (
            "(order apple)",
            "`order___apple` takes an int: write `order___apple=VALUE`",
        ),
        ("(order apple much)", "`order___apple` takes an int, not `much`"),
        ("order(apple, pear)=3", "`order` takes 1 object, not 2"),
        (
            "order___aple=3",
            "`order___aple` is not an action of this problem; did you mean `order___apple`?",
        ),
        ("(order aple 3)", "did you mean `order___apple`?"),
        ("(order apple 3", "a `)` is missing"),
        ("(open order apple 3)=4", "`= 4` does not follow one action"),
        ("order___apple=", "a value is missing after `=`"),
        ("order___apple=3)", "`)` is not expected here"),
        ("open=maybe", "`open` takes true or false, not `maybe`"),
    ] {
        let run = scratch.run(&["show", "shop.rddl", "--actions", actions]);
        assert_eq!(run.status, 2, "{actions}");
        assert!(run.stderr.contains(message), "{actions}: {}", run.stderr);
    }
    let lines = b"order apple 3, (order pear)=4\norder___apple=99\nquit\n";
    let run = scratch.feed(&["play", "shop.rddl"], lines);
    for part in [
        "order___apple=3 order___pear=4: reward -7\n",
        "action precondition 1 does not hold for this action in this state: forall_{?p : product} [order(?p) >= 0",
    ] {
        assert!(run.stdout.contains(part), "{part} in\n{}", run.stdout);
    }
}

#[test]
fn violated_preconditions_are_shown() {
    let scratch = shop("rddl-violated");
    let run = scratch.run(&["show", "shop.rddl", "--actions", "() (order apple 99)"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(
        run.stdout
            .contains("violated preconditions\n  step 2, action precondition 1: forall_{?p : product} "),
        "{}",
        run.stdout
    );
    let run = scratch.run(&["show", "shop.rddl", "--actions", "(order apple 9)"]);
    assert!(!run.stdout.contains("violated"), "{}", run.stdout);
    let report = scratch.run(&[
        "show",
        "shop.rddl",
        "--actions",
        "(order apple -1)",
        "--format",
        "json",
    ]);
    let violated = &report.json()["violated"][0];
    assert_eq!(
        (&violated["step"], &violated["precondition"]),
        (&1.into(), &1.into())
    );
}

#[test]
fn a_plan_is_rolled_out_drawn_and_evaluated() {
    let scratch = shop("rddl-replan");
    let run = scratch.run(&[
        "plan",
        "shop.rddl",
        "--lookahead",
        "3",
        "--format",
        "json",
        "--out",
        "plan.txt",
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let planned = run.json()["mean_return"].as_f64().unwrap_or(f64::NAN);
    let run = scratch.run(&[
        "validate",
        "shop.rddl",
        "plan.txt",
        "--episodes",
        "4000",
        "--format",
        "json",
    ]);
    // The planner takes the risk that little is left in the third step.
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    let paid = run.json();
    let violated = &paid["violated"];
    assert_eq!(
        (&paid["steps"], &violated["precondition"]),
        (&3.into(), &2.into())
    );
    assert!(
        violated["episodes"]
            .as_u64()
            .is_some_and(|count| (1..2000).contains(&count)),
        "{paid}"
    );
    let found = paid["mean_return"].as_f64().unwrap_or(f64::NAN);
    // Their standard errors are about 0.1 and 0.05.
    assert!((found - planned).abs() < 0.6, "{found}, planned {planned}");
    let rollout = |more: &[&str]| {
        let run = scratch.run(
            &[
                &["rollout", "shop.rddl", "--plan", "plan.txt", "--format", "json"],
                more,
            ]
            .concat(),
        );
        assert_eq!(run.status, 0, "{}", run.stderr);
        run.json()["rows"][0].clone()
    };
    let row = rollout(&[]);
    assert_eq!(
        (&row["episodes"], &row["steps"]),
        (&100.into(), &300.into()),
        "{row}"
    );
    let row = rollout(&["--episodes", "4000"]);
    let mean = row["mean_return"].as_f64().unwrap_or(f64::NAN);
    assert!((found - mean).abs() < 0.4, "{found}, rolled out {mean} in {row}");
    let run = scratch.run(&["render", "shop.rddl", "--plan", "plan.txt", "--out", "walk.html"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(scratch.read("walk.html").contains("step 3, return"));
    // A plan by hand, with a comment, without numbers.
    scratch.write("hand.txt", "; twice\n(order apple 2), open\n\n() ; nothing\n");
    let run = scratch.run(&["validate", "shop.rddl", "hand.txt"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(
        run.stdout.contains(", over 1,000 episodes\nsteps: 2\n"),
        "{}",
        run.stdout
    );
    scratch.write("bad.txt", "1: order___apple=11\n");
    let run = scratch.run(&["validate", "shop.rddl", "bad.txt"]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(
        run.stdout.starts_with(
            "an action precondition is violated in 1,000 steps of 1,000 episodes: first at step 1, precondition 1: forall_"
        ),
        "{}",
        run.stdout
    );
    for (text, message) in [
        (
            "1: open\n3: ()\n",
            "bad.txt: line 2: step 2 is missing: this is step 3",
        ),
        (
            "1: opn\n",
            "bad.txt: line 1: `opn` is not an action of this problem; did you mean `open`?",
        ),
        ("open, open\n", "bad.txt: line 1: `open` is set twice"),
    ] {
        scratch.write("bad.txt", text);
        for command in [
            &["validate", "shop.rddl", "bad.txt"][..],
            &["rollout", "shop.rddl", "--plan", "bad.txt"],
        ] {
            let run = scratch.run(command);
            assert_eq!(run.status, 2, "{command:?}");
            assert!(run.stderr.contains(message), "{}", run.stderr);
        }
    }
}

#[test]
fn bounds_are_in_one_style_and_fluents_in_several_spellings() {
    let scratch = shop("rddl-spelling");
    let run = scratch.run(&["rddl", "bounds", "shop.rddl", "--steps", "4"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    for part in [
        "order___apple",
        "-300          380",
        "State invariants are not used",
    ] {
        assert!(run.stdout.contains(part), "{part} in\n{}", run.stdout);
    }
    let without = SHOP.replace(
        "  state-invariants { forall_{?p : product} [stock(?p) >= 0]; };\n",
        "",
    );
    let without = without.replace("min[stock(?p), Poisson(1.5)]", "Poisson(1.5)");
    scratch.write("free.rddl", &without);
    let run = scratch.run(&["rddl", "bounds", "free.rddl", "--steps", "4"]);
    assert!(run.stdout.contains("∞"), "{}", run.stdout);
    assert!(!run.stdout.contains("9223372"), "{}", run.stdout);
    assert!(!run.stdout.contains("invariants"), "{}", run.stdout);
    let diagram = |words: &[&str]| {
        let run = scratch.run(&[&["rddl", "diagram", "shop.rddl"], words].concat());
        assert_eq!(run.status, 0, "{words:?}: {}", run.stderr);
        run.stdout
    };
    let expected = diagram(&["--of", "stock___apple'"]);
    assert!(expected.starts_with("stock___apple' ="), "{expected}");
    for words in [
        &["--of", "stock'(apple)"][..],
        &["--of", "stock(apple)'"],
        &["stock'(apple)"],
        &["corner", "stock'(apple)"],
        &["--problem", "corner", "stock'(apple)"],
    ] {
        assert_eq!(diagram(words), expected, "{words:?}");
    }
    let run = scratch.run(&["rddl", "diagram", "shop.rddl", "stock'(aple)"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("did you mean `stock___apple"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_hint_is_the_first_step_of_a_plan() {
    let scratch = lights("rddl-hint");
    let files = ["play", "--domain", "domain.txt", "--problem", "evening.txt"];
    let run = scratch.feed(
        &files,
        &[&b"hint\npress___attic\n"[..], &b"nothing\n".repeat(8), b"hint\n"].concat(),
    );
    assert_eq!(run.status, 0, "{}", run.stderr);
    // The attic is dark in the first of nine steps only.
    let said = run
        .stdout
        .split("> hint\n")
        .nth(1)
        .and_then(|rest| rest.lines().next());
    let said = said.unwrap_or_default();
    assert!(
        said.starts_with("a plan of 9 steps starts with "),
        "{}",
        run.stdout
    );
    assert!(
        said.contains("press___attic") && said.ends_with("; its mean return is 17.0000"),
        "{said}"
    );
    assert!(
        run.stdout.contains("> hint\nthe episode is over\n"),
        "{}",
        run.stdout
    );
}

/// One real fluent that this formula changes when `go` is set, and pays.
fn growth(name: &str, formula: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write(
        "growth.rddl",
        &format!(
            "domain growth {{
               pvariables {{
                 s : {{ state-fluent, real, default = 1.0 }};
                 go : {{ action-fluent, bool, default = false }};
               }};
               cpfs {{ s' = if (go) then {formula} else s; }};
               reward = s;
             }}
             instance g {{ domain = growth; max-nondef-actions = 1; horizon = 4; discount = 1.0; }}"
        ),
    );
    scratch
}

#[test]
fn returns_that_are_not_finite_are_told_with_their_origin() {
    for (name, formula, text, json) in [
        ("nan", "sqrt[-1.0]", "NaN", "nan"),
        ("inf", "s / 0.0", "∞", "inf"),
        ("exp", "exp[exp[s + 9.0]]", "∞", "inf"),
    ] {
        let scratch = growth(&format!("not-finite-{name}"), formula);
        let words = ["rollout", "growth.rddl", "--episodes", "50"];
        let run = scratch.run(&words);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""));
        let row = run.stdout.lines().nth(1).unwrap();
        assert!(
            row.ends_with(&format!("  {text}  NaN  {text:>10}")),
            "{}",
            run.stdout
        );
        let report = scratch.run(&[&words[..], &["--format", "json"]].concat()).json();
        let row = &report["rows"][0];
        assert_eq!(
            (
                &row["mean_return"],
                &row["return_deviation"],
                &row["mean_discounted_return"]
            ),
            (&json.into(), &"nan".into(), &json.into())
        );
        let told = &row["non_finite"];
        let (episodes, first, step) = (&told["episodes"], &told["first_episode"], &told["step"]);
        assert!((20..50).contains(&episodes.as_u64().unwrap()), "{report}");
        assert_eq!(
            (&told["problem"], &told["fluent"], &told["value"]),
            (&"g".into(), &"s".into(), &json.into())
        );
        let origin = format!("step {step} of episode {first} makes `s` {text}");
        let line = format!(
            "growth: the return of {episodes} of 50 episodes is infinite or NaN: {origin} (problem g)"
        );
        assert_eq!(run.stdout.lines().last(), Some(line.as_str()));
        for threads in ["1", "2"] {
            let run = scratch.run(&[&words[..], &["--finite", "--threads", threads]].concat());
            assert_eq!(run.status, 2);
            assert!(run.stderr.contains(&origin), "{}", run.stderr);
        }
    }
    let scratch = growth("finite", "s + 1.0");
    let report = scratch
        .run(&["rollout", "growth.rddl", "--finite", "--format", "json"])
        .json();
    assert_eq!(report["rows"][0]["non_finite"], Value::Null);
    assert!(report["rows"][0]["mean_return"].is_f64());
}

/// Four lamps to press, and orders of two things; `limit` is a part of the instance.
fn counted(name: &str, limit: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write(
        "press.rddl",
        &format!(
            "domain press {{
               types {{ lamp : object; }};
               pvariables {{
                 on(lamp) : {{ state-fluent, bool, default = false }};
                 press(lamp) : {{ action-fluent, bool, default = false }};
               }};
               cpfs {{ on'(?l) = on(?l) | press(?l); }};
               reward = sum_{{?l : lamp}} on(?l);
               action-preconditions {{ forall_{{?l : lamp}} [press(?l) => ~on(?l)]; }};
             }}
             non-fluents four {{ domain = press; objects {{ lamp : {{ a, b, c, e }}; }}; }}
             instance i {{ domain = press; non-fluents = four; {limit} horizon = 1; discount = 1.0; }}"
        ),
    );
    scratch.write(
        "order.rddl",
        "domain shop {
           types { fruit : object; };
           pvariables {
             stock(fruit) : { state-fluent, int, default = 2 };
             order(fruit) : { action-fluent, int, default = 0 };
           };
           cpfs { stock'(?f) = stock(?f) + order(?f); };
           reward = 0;
           action-preconditions { forall_{?f : fruit} [order(?f) >= 0 ^ order(?f) <= 10]; };
         }
         non-fluents two { domain = shop; objects { fruit : { apple, pear }; }; }
         instance bounded { domain = shop; non-fluents = two; horizon = 3; discount = 1.0; }",
    );
    let text = scratch.read("order.rddl");
    let (bounds, free) = ("order(?f) >= 0 ^ order(?f) <= 10", "order(?f) >= 0");
    scratch.write("free.rddl", &text.replace(bounds, free));
    scratch.write(
        "linked.rddl",
        &text.replace(bounds, "order(?f) >= 0 ^ order(?f) <= stock(?f)"),
    );
    scratch
}

#[test]
fn valid_actions_are_joint_actions_everywhere() {
    let scratch = counted("rddl-counted", "max-nondef-actions = 1;");
    let run = scratch.run(&["rollout", "press.rddl", "--episodes", "3", "--format", "json"]);
    assert_eq!(run.json()["rows"][0]["mean_valid_actions"], 5.0, "{}", run.stderr);
    let run = scratch.run(&["rollout", "press.rddl", "--episodes", "3"]);
    let row = run.stdout.lines().nth(1).unwrap();
    assert!(
        row.split_whitespace().any(|cell| cell == "5.00"),
        "{}",
        run.stdout
    );
    let run = scratch.run(&["show", "press.rddl"]);
    let list =
        "valid actions (5): one of these, or none\n  press___a\n  press___b\n  press___c\n  press___e\n";
    assert!(run.stdout.contains(list), "{}", run.stdout);
    let run = scratch.feed(&["play", "press.rddl"], b"quit\n");
    assert!(run.stdout.contains(list), "{}", run.stdout);
    // A lamp that is lit cannot be pressed again.
    let run = scratch.run(&["show", "press.rddl", "--actions", "(press___b)"]);
    let list = "valid actions (4): one of these, or none\n  press___a\n  press___c\n  press___e\n";
    assert!(run.stdout.contains(list), "{}", run.stdout);
    let report = scratch.run(&["show", "press.rddl", "--format", "json"]).json();
    assert_eq!(
        (
            &report["valid_actions"],
            report["actions"].as_array().map(Vec::len)
        ),
        (&5.0.into(), Some(4))
    );
    for (limit, summary) in [
        ("max-nondef-actions = 2;", "(11): up to 2 of these, or none"),
        ("", "(16): any of these, or none"),
    ] {
        let run = counted("rddl-counted-more", limit).run(&["show", "press.rddl"]);
        assert!(
            run.stdout.contains(&format!("valid actions {summary}\n")),
            "{}",
            run.stdout
        );
    }
}

#[test]
fn numbers_are_listed_with_their_bounds_and_counted_if_possible() {
    let scratch = counted("rddl-ranges", "");
    for (file, mean, count, json, bounds, meaning) in [
        (
            "order.rddl",
            "121.00",
            "121",
            Value::from(121.0),
            "0…10",
            "valid actions: ",
        ),
        (
            "free.rddl",
            "∞",
            "∞",
            Value::Null,
            "0 or more",
            "∞: infinitely many",
        ),
        (
            "linked.rddl",
            "–",
            "–",
            Value::Null,
            "0 or more",
            "–: too many to count",
        ),
    ] {
        let list = format!(
            "valid actions ({count}): any of these, or none\n  order___apple={bounds}\n  order___pear={bounds}\n"
        );
        let run = scratch.run(&["show", file]);
        assert!(run.stdout.contains(&list), "{}", run.stdout);
        assert_eq!(
            scratch.run(&["show", file, "--format", "json"]).json()["valid_actions"],
            json
        );
        let run = scratch.feed(&["play", file], b"quit\n");
        assert!(run.stdout.contains(&list), "{}", run.stdout);
        let run = scratch.run(&["rollout", file, "--episodes", "2"]);
        let row = run.stdout.lines().nth(1).unwrap();
        assert!(row.split_whitespace().nth(5) == Some(mean), "{}", run.stdout);
        assert!(run.stdout.contains(meaning), "{}", run.stdout);
        let run = scratch.run(&["rollout", file, "--episodes", "2", "--format", "json"]);
        assert_eq!(run.json()["rows"][0]["mean_valid_actions"], json);
        let run = scratch.run(&["render", file, "--steps", "2", "--out", "walk.html"]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let page = scratch.read("walk.html");
        assert!(
            page.contains(&format!("\"summary\":\"({count}): any of these, or none\"")),
            "{file}"
        );
    }
}

#[test]
fn plans_end_with_what_nothing_and_random_actions_return() {
    let scratch = lights("rddl-compared");
    let words = ["plan", "--domain", "domain.txt", "--problem", "evening.txt"];
    let words = [&words[..], &["--lookahead", "3"]].concat();
    let run = scratch.run(&[&words[..], &["--out", "lights.plan"]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    // The hall is lit: one per step. The attic is lit after the first step.
    for line in [
        "; mean return 5.0000, standard error 0.0000: 256 episodes of 3 steps, horizon 9\n",
        "; doing nothing: mean return 3.0000, standard error 0.0000: 2.0000 less, standard error of the difference 0.0000\n",
        "; random actions: mean return ",
    ] {
        assert!(run.stdout.contains(line), "{}", run.stdout);
    }
    let written = format!("{}; written by Herbrand\n", run.stdout);
    assert_eq!(scratch.read("lights.plan"), written);
    let found = scratch.run(&[&words[..], &["--format", "json"]].concat()).json();
    assert_eq!(
        (
            &found["steps"],
            &found["horizon"],
            &found["episodes"],
            &found["discount"]
        ),
        (&3.into(), &9.into(), &256.into(), &1.0.into())
    );
    assert_eq!(
        (&found["mean_return"], &found["non_finite"]),
        (&5.0.into(), &Value::Null)
    );
    assert_eq!(
        (&found["nothing"]["mean_return"], &found["nothing"]["gain"]),
        (&3.0.into(), &2.0.into())
    );
    let random = &found["random"];
    let (mean, gain) = (
        random["mean_return"].as_f64().unwrap(),
        random["gain"].as_f64().unwrap(),
    );
    assert!(
        (3.5..4.9).contains(&mean) && (mean + gain - 5.0).abs() < 1e-9,
        "{found}"
    );
    assert!(random["gain_error"].as_f64() > Some(0.0), "{found}");
    // The same of a planner that decides in every step.
    let acted = ["--planner", "uct", "--runs", "4", "--iterations", "64"];
    let run = scratch.run(&[&words[..], &acted].concat());
    assert!(
        run.stdout.contains("; the first of 4 runs; ")
            && run.stdout.contains("; doing nothing: mean return "),
        "{}{}",
        run.stdout,
        run.stderr
    );
    // A return that is not finite is reported, and not as null in JSON.
    let scratch = growth("rddl-compared-nan", "s + 1.0");
    let text = scratch.read("growth.rddl");
    scratch.write(
        "growth.rddl",
        &text.replace("if (go) then s + 1.0 else s", "sqrt[-1.0]"),
    );
    let words = ["plan", "growth.rddl", "--candidates", "4", "--rounds", "1"];
    let run = scratch.run(&words);
    assert!(
        run.stdout.contains("; mean return NaN, "),
        "{}{}",
        run.stdout,
        run.stderr
    );
    let line = "; the return of 256 of 256 episodes is infinite or NaN: step 1 of episode 0 makes `s` NaN (problem g)\n";
    assert!(run.stdout.contains(line), "{}", run.stdout);
    let found = scratch.run(&[&words[..], &["--format", "json"]].concat()).json();
    assert_eq!(
        (&found["mean_return"], &found["non_finite"]["step"]),
        (&"nan".into(), &1.into())
    );
}

/// Burning is allowed in the first two steps. The fifth step breaks the invariant.
const TANK: &str = "\
domain tank {
  pvariables {
    fuel : { state-fluent, int, default = 3 };
    burn : { action-fluent, bool, default = false };
  };
  cpfs { fuel' = fuel - 1; };
  reward = if (burn) then 0.1 else 0.0;
  action-preconditions { burn => (fuel >= 2); };
  state-invariants { fuel >= -1; };
}
";

const FULL: &str = "instance full { domain = tank; horizon = 6; discount = 0.9; }\n";

fn tank(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write("domain.rddl", TANK);
    scratch.write("first.rddl", FULL);
    scratch
}

#[test]
fn plans_keep_preconditions_and_report_what_they_break() {
    let scratch = tank("rddl-broken-plan");
    for (planner, episodes) in [("cross-entropy", 256), ("random-shooting", 256), ("uct", 4)] {
        let run = scratch.run(&["plan", ".", "full", "--planner", planner, "--runs", "4"]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let broken = format!(
            "a state invariant is broken in {episodes} episodes: first after step 5, invariant 1: fuel >= -1"
        );
        assert_eq!(run.stderr, format!("warning: {broken}\n"), "{planner}");
        for part in [
            "1: burn\n2: burn\n3: ()\n",
            "; mean discounted return 0.1900,",
            &format!("; {broken}\n"),
        ] {
            assert!(run.stdout.contains(part), "{planner}: {part} in {}", run.stdout);
        }
        assert!(!run.stdout.contains("action precondition"), "{}", run.stdout);
    }
    let found = scratch
        .run(&["plan", ".", "--out", "tank.plan", "--format", "json"])
        .json();
    assert_eq!(
        (
            &found["violated"],
            &found["broken"]["episodes"],
            &found["broken"]["invariant"]
        ),
        (&Value::Null, &256.into(), &1.into()),
        "{found}"
    );
    let run = scratch.run(&["validate", ".", "full", "tank.plan", "--episodes", "10"]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    let head = "a state invariant is broken in 10 episodes: first after step 5, invariant 1: fuel >= -1\n\
                mean discounted return 0.1900, standard error 0.0000, over 10 episodes\n";
    assert!(run.stdout.starts_with(head), "{}", run.stdout);
    scratch.write("long.txt", &"burn\n".repeat(7));
    let run = scratch.run(&[
        "validate",
        ".",
        "full",
        "long.txt",
        "--episodes",
        "10",
        "--format",
        "json",
    ]);
    assert_eq!(run.status, 1);
    assert!(
        run.stderr
            .contains("the plan has 7 steps, but an episode ends at the horizon of 6 steps"),
        "{}",
        run.stderr
    );
    let violated = &run.json()["violated"];
    assert_eq!(
        (
            &violated["episodes"],
            &violated["steps"],
            &violated["step"],
            &violated["precondition"]
        ),
        (&10.into(), &30.into(), &3.into(), &1.into())
    );
    // A precondition that no joint action keeps.
    scratch.write("domain.rddl", &TANK.replace("burn => (fuel >= 2)", "fuel >= 2"));
    let run = scratch.run(&["plan", ".", "--lookahead", "4"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(
        run.stderr,
        "warning: an action precondition is violated in 512 steps of 256 episodes: first at step 3, precondition 1: fuel >= 2\n"
    );
}

#[test]
fn options_of_plans_without_an_effect_are_refused() {
    let scratch = tank("rddl-refused");
    for (arguments, message) in [
        (["--horizon", "3"], "--horizon limits the runs of a policy"),
        (
            ["--lookahead", "7"],
            "--lookahead 7 goes beyond the horizon: use at most 6",
        ),
    ] {
        let run = scratch.run(&[&["plan", "."][..], &arguments].concat());
        assert_eq!(run.status, 2, "{}", run.stdout);
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
    let run = scratch.run(&["replay", "domain.rddl"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(
        run.stderr.contains("domain.rddl is not a trace"),
        "{}",
        run.stderr
    );
    let run = scratch.run(&["serve", "."]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("open the files of . with *Open files…*"),
        "{}",
        run.stderr
    );
    scratch.write("alone/first.rddl", FULL);
    let run = scratch.run(&["show", "alone/first.rddl"]);
    assert!(
        run.status == 0 || run.stderr.contains("its folder has no domain.rddl"),
        "{}",
        run.stderr
    );
}

#[test]
fn walks_count_violated_preconditions_and_broken_invariants() {
    let scratch = tank("rddl-broken-walks");
    let run = scratch.run(&["rollout", ".", "full"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    for part in [
        "of 500 steps violate an action precondition, and",
        "a broken state invariant ends 100 of 100 episodes\n",
    ] {
        assert!(run.stdout.contains(part), "{}", run.stdout);
    }
    let row = scratch.run(&["rollout", ".", "--format", "json"]).json()["rows"][0].clone();
    assert_eq!(row["broken_episodes"], 100);
    assert!(
        row["violating_steps"]
            .as_u64()
            .is_some_and(|steps| (100..250).contains(&steps)),
        "{row}"
    );
    scratch.write("burn.plan", &"burn\n".repeat(4));
    let plan = [
        "rollout",
        ".",
        "full",
        "--plan",
        "burn.plan",
        "--episodes",
        "10",
        "--format",
        "json",
    ];
    let row = scratch.run(&plan).json()["rows"][0].clone();
    assert_eq!(
        (&row["violating_steps"], &row["broken_episodes"]),
        (&20.into(), &0.into())
    );
    let run = scratch.run(&["record", ".", "full", "--out", "tank.trace.jsonl"]);
    assert!(
        run.stderr.contains("of 10 steps ")
            && run.stderr.contains("a broken state invariant ends 2 of 2 walks"),
        "{}",
        run.stderr
    );
    let run = scratch.run(&["render", ".", "full", "--plan", "burn.plan", "--out", "walk.html"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stderr
            .contains("warning: 2 of 4 steps violate an action precondition\n"),
        "{}",
        run.stderr
    );
    // Four times 0.1, without the rounding error of the sum.
    assert!(scratch.read("walk.html").contains("step 3, return 0.3"));
}

#[test]
fn broken_invariants_are_named_where_an_episode_ends() {
    let scratch = tank("rddl-broken-state");
    let run = scratch.feed(&["play", ".", "full"], b"burn\nburn\nnothing\nnothing\nnothing\n");
    for part in [
        "burn: reward 0.1\n",
        "state invariant 1 is broken: fuel >= -1\n",
        "a broken state invariant ends the episode after 5 steps, return 0.2\n",
    ] {
        assert!(run.stdout.contains(part), "{}", run.stdout);
    }
    let run = scratch.run(&["show", ".", "full", "--actions", "(burn) () () () ()"]);
    for part in [
        "\nreward of the last step 0, return 0.1\n",
        "\nstate invariant 1 is broken: fuel >= -1\n",
    ] {
        assert!(run.stdout.contains(part), "{}", run.stdout);
    }
    let data = scratch
        .run(&["show", ".", "--actions", "()", "--format", "json"])
        .json();
    assert_eq!(
        (&data["broken"], &data["last_reward"]),
        (&Value::Null, &0.0.into())
    );
    scratch.write("domain.rddl", &TANK.replace("burn => (fuel >= 2)", "fuel >= 9"));
    let run = scratch.run(&["show", "."]);
    assert!(
        run.stdout
            .contains("valid actions (0): no joint action is valid\n"),
        "{}",
        run.stdout
    );
}

#[test]
fn an_instance_is_found_by_its_file_and_its_declared_name() {
    let scratch = tank("rddl-declared");
    scratch.write("second.rddl", &FULL.replace("full", "other").replace("6", "7"));
    for (name, steps) in [("first", 6), ("full", 6), ("second", 7), ("other", 7), ("2", 7)] {
        let run = scratch.run(&["plan", ".", name, "--rounds", "1", "--format", "json"]);
        assert_eq!(run.json()["horizon"], steps, "{name}: {}", run.stderr);
    }
    let run = scratch.run(&["show", ".", "othr"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("did you mean `other`?"), "{}", run.stderr);
}

#[test]
fn diagrams_and_graphs_take_the_same_names_of_fluents() {
    let scratch = shop("rddl-names");
    for name in ["reward", "stock'(apple)", "stock___apple'", "stock___apple"] {
        for (command, out) in [("diagram", "diagram.svg"), ("graph", "graph.svg")] {
            for of in [&[name][..], &["--of", name]] {
                let run = scratch.run(&[&["rddl", command, "shop.rddl"][..], of, &["--out", out]].concat());
                let is_drawn = run.status == 0 || run.stderr.contains("not a piecewise polynomial");
                assert!(is_drawn, "{command} {of:?}: {}", run.stderr);
            }
        }
    }
    for command in ["diagram", "graph"] {
        let run = scratch.run(&["rddl", command, "shop.rddl", "--of", "stock(aple)"]);
        assert_eq!(run.status, 2);
        assert!(
            run.stderr.contains("did you mean `stock___apple"),
            "{}",
            run.stderr
        );
        let run = scratch.run(&["rddl", command, "shop.rddl", "rewrd"]);
        assert_eq!(run.status, 2);
        assert!(
            run.stderr.contains("to name a fluent, use --of"),
            "{}",
            run.stderr
        );
    }
}
