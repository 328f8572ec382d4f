//! The language in `check`, `fmt` and `explain`, and how domains and instances are found.

use serde_json::Value;

use super::{DOMAIN, EVENING, FULL, SHOP, lights, shop, tank};
use crate::run::{Scratch, herbrand, listed};

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
    ] {
        assert!(run.stderr.contains(part), "{part} in\n{}", run.stderr);
    }
    // Faults in formulas do not keep instances from being checked, but faults in declarations do.
    assert!(!run.stderr.contains("was not checked"), "{}", run.stderr);
    scratch.write("night.txt", &EVENING.replace("on(hall)", "on(hal)"));
    let run = scratch.run(&["check", "domain.txt", "night.txt"]);
    for part in ["error[E1101]", "night.txt:2", "did you mean `hall`?"] {
        assert!(run.stderr.contains(part), "{part} in\n{}", run.stderr);
    }
    let wrong = DOMAIN.replace("press(lamp)", "press(lmp)");
    scratch.write("wrong.txt", &wrong);
    let run = scratch.run(&["check", "wrong.txt", "evening.txt"]);
    let part = "evening.txt: problem `evening` was not checked: its domain has errors";
    assert!(run.stderr.contains(part), "{}", run.stderr);
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
fn what_is_for_pddl_alone_is_refused() {
    for (arguments, message) in [
        (
            &["rollout", "rddl/elevators", "--policy", "plan"][..],
            "in RDDL, --policy plan needs --plan FILE",
        ),
        (
            &["rollout", "rddl/elevators", "--engine", "lifted"],
            "there is only one engine except for PDDL",
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
            "has no problem `9`",
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
fn a_server_says_why_it_cannot_serve() {
    for (arguments, message) in [
        (
            &["rddl-server", "blocks"][..],
            "`blocks` is not a single RDDL environment",
        ),
        (
            &["rddl-server", "domain.txt", "rddl/elevators"],
            "`rddl/elevators` is a folder or a bundled environment: name it alone",
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
fn an_initial_state_that_allows_no_step_is_warned_about() {
    let scratch = shop("rddl-initial");
    let run = scratch.run(&["check", "shop.rddl"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let text = SHOP
        .replace("default = 5 }", "default = -5 }")
        .replace("open => ([sum", "([sum");
    scratch.write("shop.rddl", &text);
    let run = scratch.run(&["check", "shop.rddl"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let place = "warning: shop.rddl: in the initial state of `corner`, ";
    for what in ["state invariant 1 is broken: forall_", "no joint action is valid"] {
        let part = format!("{place}{what}");
        assert!(run.stderr.contains(&part), "{part} in\n{}", run.stderr);
    }
    assert!(run.stdout.contains("2 warnings"), "{}", run.stdout);
}
