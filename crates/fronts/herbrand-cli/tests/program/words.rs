//! One way to name a problem: `herbrand COMMAND DOMAIN [PROBLEM] [FILE]`.

use crate::run::{Scratch, herbrand, lamps};

/// A folder with a domain, two problems, a plan, and a file that holds a domain and its problem.
fn files(name: &str) -> Scratch {
    let scratch = lamps(name);
    scratch.write(
        "dark.pddl",
        "(define (problem dark) (:domain lamps) (:objects a b) (:init (lamp a)) (:goal (on a)))",
    );
    scratch.write("plan.txt", "(turn-on a)\n");
    scratch.write(
        "all.pddl",
        "; a comment before (define (problem\n(define (domain one) (:predicates (done)) (:action finish :effect (done)))\n(define (problem now) (:domain one) (:goal (done)))",
    );
    scratch.write(
        "all.rddl",
        "// domain and instance\ndomain counter { pvariables { n : { state-fluent, int, default = 0 }; up : { action-fluent, bool, default = false }; };
            cpfs { n' = n + up; }; reward = n; }
         instance short { domain = counter; horizon = 5; discount = 1.0; }
         instance long { domain = counter; horizon = 50; discount = 1.0; }",
    );
    scratch
}

#[test]
fn every_command_takes_a_domain_file_and_a_problem_file() {
    let scratch = files("words");
    for arguments in [
        &["show", "domain.pddl", "p.pddl"][..],
        &["show", "p.pddl", "domain.pddl"],
        &["show", "p.pddl"],
        &["show", "--domain", "domain.pddl", "p.pddl"],
        &["show", "domain.pddl", "--problem", "p.pddl"],
        &["show", "all.pddl"],
        &["show", "all.rddl"],
        &["show", "all.rddl", "long"],
        &["show", "blocks", "03"],
        &["show", "blocks", "test/03"],
        &["show", "blocks", "3"],
        &["ground", "domain.pddl", "p.pddl"],
        &["ground", "all.rddl", "2"],
        &[
            "plan",
            "domain.pddl",
            "p.pddl",
            "--time",
            "10",
            "-o",
            "found.plan",
        ],
        &["plan", "p.pddl"],
        &["plan", "domain.pddl", "p.pddl", "--planner", "lama-first"],
        &["plan", "domain.pddl", "p.pddl", "--planner", "astar(lmcut())"],
        &["validate", "domain.pddl", "dark.pddl", "plan.txt"],
        &["validate", "domain.pddl", "plan.txt", "--problem", "dark.pddl"],
        &[
            "validate",
            "--domain",
            "domain.pddl",
            "--problem",
            "dark.pddl",
            "plan.txt",
        ],
        &["validate", "blocks", "test/03"],
        &["rollout", "domain.pddl", "p.pddl", "dark.pddl", "--time", "10"],
        &["rollout", "all.rddl"],
        &["rollout", "blocks", "01", "gripper", "02"],
        &["rollout", "p.pddl"],
        &["record", "domain.pddl", "p.pddl", "-o", "walk.jsonl"],
        &["replay", "domain.pddl", "p.pddl", "walk.jsonl"],
        &["render", "domain.pddl", "p.pddl", "-o", "state.png"],
        &[
            "render",
            "domain.pddl",
            "p.pddl",
            "dark.pddl",
            "--sheet",
            "-o",
            "sheet.svg",
        ],
        &["render", "domain.pddl", "p.pddl", "walk.jsonl", "-o", "walk.html"],
        &[
            "render",
            "domain.pddl",
            "dark.pddl",
            "--plan",
            "plan.txt",
            "-o",
            "plan.gif",
        ],
        &["datalog", "domain.pddl", "p.pddl"],
        &["datalog", "domain.pddl"],
        &["edit", "domain.pddl", "p.pddl", "--schema"],
        &["check", "domain.pddl", "p.pddl"],
    ] {
        let run = scratch.run(arguments);
        assert_eq!(run.status, 0, "{arguments:?}: {}{}", run.stdout, run.stderr);
    }
}

#[test]
fn the_order_of_words_makes_no_difference() {
    let scratch = files("words-order");
    let named = scratch.run(&["show", "--domain", "domain.pddl", "--problem", "p.pddl"]);
    for arguments in [
        &["show", "domain.pddl", "p.pddl"][..],
        &["show", "p.pddl", "domain.pddl"],
        &["show", "p.pddl"],
    ] {
        assert_eq!(scratch.run(arguments).stdout, named.stdout, "{arguments:?}");
    }
    let by_name = scratch
        .run(&["rollout", "all.rddl", "long", "--format", "json"])
        .json();
    let steps = by_name["rows"][0]["steps"].as_u64();
    assert_eq!(steps, Some(5000), "a hundred episodes of the longer instance");
}

#[test]
fn a_written_file_is_reported() {
    let scratch = files("words-written");
    for (arguments, report) in [
        (
            &["render", "domain.pddl", "p.pddl", "-o", "s.png"][..],
            "wrote s.png, ",
        ),
        (
            &[
                "render",
                "domain.pddl",
                "dark.pddl",
                "--plan",
                "plan.txt",
                "-o",
                "w.html",
            ],
            "wrote w.html, 2 states",
        ),
        (
            &["plan", "domain.pddl", "dark.pddl", "-o", "p.txt"],
            "wrote p.txt, 1 step\n",
        ),
        (
            &["record", "domain.pddl", "p.pddl", "--walks", "3", "-o", "w.jsonl"],
            "wrote w.jsonl, 3 walks\n",
        ),
        (
            &["ground", "domain.pddl", "p.pddl", "-o", "t.json"],
            "B of JSON\n",
        ),
        (
            &["ground", "domain.pddl", "p.pddl", "-o", "t.task"],
            "B of postcard\n",
        ),
    ] {
        let run = scratch.run(arguments);
        assert_eq!(run.status, 0, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(report), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn options_of_other_tools_are_answered() {
    for (arguments, answer) in [
        (
            &["plan", "blocks", "--search", "astar(lmcut())"][..],
            "--planner NAME`",
        ),
        (&["plan", "blocks", "--alias", "lama"], "--planner NAME`"),
        (&["plan", "blocks", "--plan-file", "x"], "`--out FILE`"),
        (&["plan", "blocks", "--overall-time-limit=5m"], "`--time SECONDS`"),
        (&["rollout", "--num-episodes", "7"], "`--episodes N`"),
        (&["plan", "blocks", "--random-seed", "4"], "`--seed N`"),
        (&["plan", "blocks", "--max-time=5"], "`--time SECONDS`"),
        (&["plan", "blocks", "-t", "5"], "`--time SECONDS`"),
        (&["plan", "blocks", "--cost-type", "one"], "by the metric"),
        (&["plan", "blocks", "--num-plans", "4"], "one plan is found"),
        (&["validate", "-v", "blocks"], "reports are always complete"),
        (
            &["validate", "blocks", "--verbose"],
            "reports are always complete",
        ),
        (&["validate", "-t", "0.1", "blocks"], "no tolerance"),
        (
            &["plan", "blocks", "--planner", "astar(ipdb())"],
            "astar-lmcut is the strongest",
        ),
        (
            &["plan", "blocks", "--planner", "merge-and-shrink"],
            "astar-lmcut is the strongest",
        ),
        (
            &["--search", "astar(blind())", "d.pddl"],
            "`herbrand plan --planner NAME`",
        ),
        (
            &["preprocess", "d.pddl", "p.pddl"],
            "`herbrand translate DOMAIN PROBLEM",
        ),
        (&["solve", "d.pddl", "p.pddl"], "`herbrand plan DOMAIN PROBLEM`"),
        (&["d.pddl", "p.pddl"], "`herbrand plan d.pddl`"),
        (
            &["plan", "gripper", "--planner", "astar(ff())"],
            "A* takes heuristics that prove the optimum",
        ),
        (&["sokoban"], "`herbrand show sokoban`"),
    ] {
        let run = herbrand(arguments);
        assert_eq!(run.status, 2, "{arguments:?}");
        assert!(run.stderr.contains(answer), "{arguments:?}: {}", run.stderr);
    }
    for planner in ["optimal", "lmcut", "astar(blind())", "hmax", "LAMA"] {
        let run = herbrand(&["plan", "gripper", "--planner", planner]);
        assert_eq!(run.status, 0, "{planner}: {}", run.stderr);
        assert!(
            planner == "LAMA" || run.stdout.contains("proven optimal"),
            "{planner}"
        );
    }
}

#[test]
fn words_that_cannot_be_understood_are_named() {
    let scratch = files("words-faults");
    scratch.write(
        "alone/p.pddl",
        "(define (problem p) (:domain lamps) (:goal (on a)))",
    );
    scratch.write("empty.pddl", "");
    scratch.write("comment.pddl", "; (define (problem p)\n");
    for (arguments, message) in [
        (
            &["show", "domain.pddl"][..],
            "domain.pddl defines no problem: add a problem file",
        ),
        (
            &["show", "domain.pddl", "alone"],
            "domain.pddl defines no problem, and `alone` is a folder: add a problem file",
        ),
        (
            &["show", "domain.pddl", "morning"],
            "domain.pddl defines no problem, and `morning` is not a file",
        ),
        (&["show", "alon"], "did you mean `alone`?"),
        (
            &["validate", "domain.pddl", "p.pddl", "alone"],
            "unexpected argument `alone`, which is a folder",
        ),
        (&["plan", "empty.pddl", "p.pddl"], "the text defines nothing"),
        (&["plan", "comment.pddl", "p.pddl"], "the text defines nothing"),
        (&["show", "domain.pddl", "empty.pddl"], "the text defines nothing"),
        (
            &["validate", "plan.txt"],
            "plan.txt is a plan: name its domain and problem first",
        ),
        (
            &[
                "render",
                "domain.pddl",
                "p.pddl",
                "--policy",
                "plan",
                "-o",
                "x.svg",
            ],
            "give a plan file with --plan FILE, which `herbrand plan … --out FILE` writes",
        ),
        (
            &["render", "domain.pddl", "p.pddl", "-o", "nowhere/x.svg"],
            "nowhere/x.svg: the folder nowhere does not exist",
        ),
        (&["show", "all.rddl", "longer"], "counter has no problem `longer`"),
        (
            &["show", "domain.pddl", "p.pddl", "dark.pddl"],
            "unexpected argument 'dark.pddl'",
        ),
        (
            &["show", "domain.pddl", "plan.txt"],
            "unexpected argument `plan.txt`",
        ),
        (&["show", "nowhere.pddl", "p.pddl"], "nowhere.pddl: No such file"),
        (&["validate", "domain.pddl", "p.pddl"], "has no stored plan"),
        (
            &["ground", "domain.pddl", "p.pddl", "-o", "out.sas"],
            "`herbrand translate` writes SAS+",
        ),
        (
            &["generate", "grid", "--size", "4"],
            "there is no generator `grid`; there is one for each of these bundled domains: ",
        ),
        (&["plan"], "name a domain: a file, a folder,"),
        (&["render", "-o", "x.svg"], "name a domain: a file, a folder,"),
        (
            &["plan", "domain.pddl", "p.pddl", "--time", "soon"],
            "write seconds, such as 10 or 0.5",
        ),
    ] {
        let run = scratch.run(arguments);
        assert_eq!(run.status, 2, "{arguments:?}: {}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains(message), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn generated_plans_are_found() {
    let scratch = Scratch::new("words-generated");
    for arguments in [
        &[
            "generate", "blocks", "--size", "3", "--count", "2", "--plans", "-o", "mine",
        ][..],
        &["validate", "mine", "2"],
        &["rollout", "mine", "--policy", "plan"],
        &["render", "mine", "1", "--policy", "plan", "-o", "plan.html"],
        &["check", "mine"],
    ] {
        let run = scratch.run(arguments);
        assert_eq!(run.status, 0, "{arguments:?}: {}{}", run.stdout, run.stderr);
    }
}

#[test]
fn a_folder_is_checked_with_its_settings() {
    let scratch = lamps("words-check");
    assert_eq!(scratch.run(&["check", "."]).status, 0);
    scratch.write("env.toml", "horizon = 0\n");
    for path in [".", "env.toml"] {
        let run = scratch.run(&["check", path]);
        assert_eq!(run.status, 2, "{path}");
        assert!(
            run.stderr.contains("env.toml") && run.stderr.contains("horizon"),
            "{}",
            run.stderr
        );
    }
    let run = Scratch::new("words-empty").run(&["check", "."]);
    assert!(run.stderr.contains("no PDDL or RDDL file"), "{}", run.stderr);
}

/// Settings in `env.toml` apply to a domain file as they do to its folder. They belong to `domain.pddl` if there is one.
#[test]
fn the_settings_beside_a_domain_file_apply() {
    let scratch = lamps("beside");
    for name in ["domain.pddl", "p.pddl"] {
        scratch.write(&format!("lamps/{name}"), &scratch.read(name));
    }
    let settings = "horizon = 7
        [actions.press]
        parameters = [\"lamp\"]
        operators = { turn-on = [\"?l\"], turn-off = [\"?l\"] }
        [render]
        list = [{ title = \"bright\", facts = [\"on\"] }]";
    scratch.write("lamps/env.toml", settings);
    let output = |words: &[&str]| {
        let run = scratch.run(words);
        assert_eq!(run.status, 0, "{words:?}: {}", run.stderr);
        run.stdout
    };
    let files = ["lamps/domain.pddl", "lamps/p.pddl"];
    for command in [&["show"][..], &["rollout", "--digests"]] {
        let of_files = output(&[command, &files].concat());
        assert_eq!(of_files, output(&[command, &["lamps"]].concat()));
        assert_ne!(of_files, output(&[command, &["domain.pddl", "p.pddl"]].concat()));
    }
    output(&[&["render", "-o", "files.svg"][..], &files].concat());
    output(&["render", "lamps", "-o", "folder.svg"]);
    assert_eq!(scratch.read("files.svg"), scratch.read("folder.svg"));
    scratch.write("lamps/other.pddl", &scratch.read("domain.pddl"));
    let other = output(&["show", "lamps/other.pddl", "lamps/p.pddl"]);
    assert!(
        other.contains("(turn-on a)") && !other.contains("press"),
        "{other}"
    );
}
