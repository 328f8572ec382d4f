//! `check` and `fmt`.

use crate::run::{LAMPS, Scratch, TWO_LAMPS, coffee, lamps};

#[test]
fn sound_files_pass() {
    let scratch = lamps("sound");
    let run = scratch.run(&["check", "p.pddl", "domain.pddl"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert_eq!(run.stdout, "2 files: 1 domain, 1 problem; 0 errors, 0 warnings\n");
}

/// Names that nothing reads are notes, also with --strict, and only if a problem could read them.
#[test]
fn names_that_nothing_reads_are_noted() {
    let scratch = lamps("unread");
    let domain = LAMPS.replace(
        "(:predicates (lamp ?l)",
        "(:types room) (:constants hall - room) (:predicates (broken ?l) (lamp ?l)",
    );
    scratch.write("domain.pddl", &domain.replace(":strips", ":strips :typing"));
    let run = scratch.run(&["check", "--strict", "domain.pddl", "p.pddl"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(
        run.stderr,
        "note: domain.pddl:3:56: no condition, rule or goal reads the predicate `broken`\n\
         note: domain.pddl:3:29: no action, rule or problem names the constant `hall`\n\n"
    );
    let json = scratch
        .run(&["check", "--format", "json", "domain.pddl", "p.pddl"])
        .json();
    assert_eq!(json["notes"].as_array().map(Vec::len), Some(2));
    assert_eq!(json["warnings"], 0);
    assert_eq!(scratch.run(&["check", "domain.pddl"]).stderr, "");
    // A picture reads a predicate, too.
    scratch.write(
        "env.toml",
        "[render]\nbadge = [{ fact = \"broken\", fill = \"red\" }]\n",
    );
    let run = scratch.run(&["check", "."]);
    assert!(
        !run.stderr.contains("`broken`") && run.stderr.contains("`hall`"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_comment_of_another_language_does_not_make_a_text_rddl() {
    let scratch = lamps("slashes");
    scratch.write("domain.pddl", &format!("// lamps\n{LAMPS}"));
    let run = scratch.run(&["check", "domain.pddl"]);
    assert_eq!(run.status, 2);
    assert_eq!(run.stderr.matches("error").count(), 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("error[E0002]: `//` does not begin a comment"),
        "{}",
        run.stderr
    );
    // The file is a domain all the same.
    let run = scratch.run(&["show", "p.pddl", "domain.pddl"]);
    assert!(run.stderr.contains("error[E0002]"), "{}", run.stderr);
}

#[test]
fn every_fault_is_told_with_its_place() {
    let scratch = lamps("faults");
    scratch.write(
        "p.pddl",
        &TWO_LAMPS
            .replace("(lamp a)", "(lmap a)")
            .replace("(on a)", "(on c)"),
    );
    let run = scratch.run(&["check", "domain.pddl", "p.pddl"]);
    assert_eq!(run.status, 2);
    for part in [
        "error[E0101]",
        "p.pddl:3",
        "^",
        "did you mean",
        "error[E0102]",
        "p.pddl:4",
    ] {
        assert!(run.stderr.contains(part), "{part} in\n{}", run.stderr);
    }
    let report = scratch
        .run(&["check", "domain.pddl", "p.pddl", "--format", "json"])
        .json();
    assert_eq!((&report["errors"], &report["files"]), (&2.into(), &2.into()));
    let first = &report["diagnostics"][0];
    for (key, value) in [("code", "E0101"), ("severity", "error"), ("file", "p.pddl")] {
        assert_eq!(first[key], value, "{key}");
    }
    for (key, value) in [("line", 3), ("column", 11), ("end_line", 3), ("end_column", 15)] {
        assert_eq!(first[key], value, "{key} in {first}");
    }
    assert!(
        first["labels"][0]["primary"]
            .as_bool()
            .is_some_and(|primary| primary)
    );
}

#[test]
fn what_can_never_hold_is_a_warning() {
    for (facts, goal, told) in [
        ("(handempty)", "", "warning[W0303]: the problem has no `:goal`"),
        (
            "",
            "(:goal (full mug))",
            "warning[W0304]: the goal `(full mug)` can never hold",
        ),
        (
            "(handempty)",
            "(:goal (machine hall))",
            "warning[W0304]: the goal `(machine hall)` can never hold",
        ),
        ("(handempty)", "(:goal (full mug))", ""),
    ] {
        let scratch = coffee("doubts", facts, goal);
        let run = scratch.run(&["check", "domain.pddl", "p.pddl"]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(run.stderr.starts_with(told), "{told} in {}", run.stderr);
        let count = usize::from(!told.is_empty());
        assert_eq!(run.stderr.matches("warning[").count(), count, "{}", run.stderr);
    }
}

#[test]
fn a_problem_is_checked_against_the_declarations_of_a_faulty_domain() {
    let scratch = lamps("half");
    scratch.write("p.pddl", &TWO_LAMPS.replace("(lamp a)", "(lmap a)"));
    // The fault is in an action: the predicates are known.
    scratch.write(
        "domain.pddl",
        &LAMPS.replace(":effect (on ?l)", ":effect (an ?l)"),
    );
    let run = scratch.run(&["check", "domain.pddl", "p.pddl"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("`an`") && run.stderr.contains("`lmap`"),
        "{}",
        run.stderr
    );
    assert!(run.stdout.contains("2 errors"), "{}", run.stdout);
    // The fault is in the declarations: nothing is known about the problem.
    scratch.write("domain.pddl", &LAMPS.replace("(on ?l))\n", "(on (?l)))\n"));
    let run = scratch.run(&["check", "domain.pddl", "p.pddl"]);
    assert!(
        run.stderr.contains("was not checked: its domain has errors") && !run.stderr.contains("`lmap`"),
        "{}",
        run.stderr
    );
}

#[test]
fn warnings_alone_pass_unless_strict() {
    let scratch = lamps("warnings");
    scratch.write("domain.pddl", &LAMPS.replace(" :negative-preconditions", ""));
    let run = scratch.run(&["check", "domain.pddl"]);
    assert_eq!(run.status, 0);
    assert!(run.stderr.contains("warning[W0602]"), "{}", run.stderr);
    assert_eq!(scratch.run(&["check", "--strict", "domain.pddl"]).status, 2);
}

#[test]
fn unreadable_texts_are_faults_not_panics() {
    let scratch = Scratch::new("unreadable");
    let deep = "(".repeat(100_000);
    for (name, text) in [
        ("empty.pddl", ""),
        ("open.pddl", "(define (domain d)"),
        ("deep.pddl", &deep),
        ("noise.pddl", "\u{0}\u{7f}%%% ))) ((("),
    ] {
        scratch.write(name, text);
        let run = scratch.run(&["check", name]);
        assert_eq!(run.status, 2, "{name}: {}{}", run.stdout, run.stderr);
        assert!(
            run.stderr.contains("error[E00") && run.stderr.contains(name),
            "{name}: {}",
            run.stderr
        );
    }
}

#[test]
fn a_problem_goes_with_the_domain_of_its_name() {
    let scratch = lamps("pairs");
    scratch.write(
        "other.pddl",
        "(define (domain other) (:predicates (p)) (:action a :effect (p)))",
    );
    let both = scratch.run(&["check", "other.pddl", "domain.pddl", "p.pddl"]);
    assert_eq!(both.status, 0, "{}", both.stderr);
    // The only domain there is has another name and other predicates: one error.
    let wrong = scratch.run(&["check", "other.pddl", "p.pddl"]);
    assert_eq!(wrong.status, 2);
    assert!(
        wrong.stderr.contains("E0109") && wrong.stdout.contains("; 1 error, 0 warnings\n"),
        "{}{}",
        wrong.stdout,
        wrong.stderr
    );
    // Two domains of this name in other folders: no one can tell which is meant.
    for folder in ["one", "two"] {
        scratch.write(&format!("{folder}/lamps.pddl"), &scratch.read("domain.pddl"));
    }
    let either = scratch.run(&["check", "one/lamps.pddl", "two/lamps.pddl", "p.pddl"]);
    assert_eq!(either.status, 2);
    assert!(
        either.stdout.ends_with("0 errors, 0 warnings, 1 not checked\n"),
        "{}{}",
        either.stdout,
        either.stderr
    );
    scratch.write("far/away/p.pddl", &scratch.read("p.pddl"));
    let alone = scratch.run(&["check", "far/away/p.pddl"]);
    assert_eq!(alone.status, 2);
    assert!(
        alone
            .stderr
            .contains("problem `two` was not checked: there is no domain"),
        "{}",
        alone.stderr
    );
    // Two domains have one name, and the problem is for neither.
    scratch.write("again.pddl", LAMPS);
    scratch.write(
        "stray.pddl",
        "(define (problem stray) (:domain lights) (:goal (and)))",
    );
    let none = scratch.run(&["check", "domain.pddl", "again.pddl", "stray.pddl"]);
    assert!(
        none.stderr.contains("no domain has the name `lights`"),
        "{}",
        none.stderr
    );
}

#[test]
fn formatting_is_canonical_and_keeps_the_head() {
    let scratch = lamps("fmt");
    let untidy = format!(
        "; Lamps, to be lit.\n\n{}",
        LAMPS.replace("turn-on", "TURN-ON").replace("  ", " ")
    );
    scratch.write("domain.pddl", &untidy);
    assert_eq!(scratch.run(&["fmt", "--check", "domain.pddl"]).status, 1);
    let printed = scratch.run(&["fmt", "domain.pddl"]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    assert!(
        printed
            .stdout
            .starts_with("; Lamps, to be lit.\n\n(define (domain lamps)"),
        "{}",
        printed.stdout
    );
    assert_eq!(scratch.read("domain.pddl"), untidy);

    assert_eq!(
        scratch.run(&["fmt", "--write", "domain.pddl", "p.pddl"]).status,
        0
    );
    assert_eq!(scratch.read("domain.pddl"), printed.stdout);
    let check = scratch.run(&["fmt", "--check", "p.pddl", "domain.pddl"]);
    assert_eq!((check.status, check.stdout.as_str()), (0, ""));
    scratch.write("broken.pddl", "(define (domain d)");
    let run = scratch.run(&["fmt", "broken.pddl"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
}

#[test]
fn formatting_keeps_comments_in_place() {
    let scratch = lamps("comments");
    let text = LAMPS.replace("(lamp ?l)", "(lamp ?l) ; a lamp\n");
    scratch.write("domain.pddl", &text);
    assert_eq!(scratch.run(&["fmt", "--write", "domain.pddl"]).status, 0);
    let written = scratch.read("domain.pddl");
    let count = |text: &str| text.matches("(lamp ?l) ; a lamp\n").count();
    assert_eq!(count(&written), count(&text), "{written}");
    assert_eq!(scratch.run(&["fmt", "--check", "domain.pddl"]).status, 0);
}

#[test]
fn formatting_keeps_the_ends_of_lines_and_drops_the_byte_order_mark() {
    let scratch = lamps("line-ends");
    let expected = format!("; für 漢字\n\n{}; the end\n", formatted(&scratch, LAMPS)).replace('\n', "\r\n");
    let untidy = format!("; für 漢字 \n\n\n\n{}\n; the end", LAMPS.trim_end()).replace('\n', "\r\n");
    scratch.write("domain.pddl", &format!("\u{feff}{untidy}"));
    assert_eq!(scratch.run(&["fmt", "--check", "domain.pddl"]).status, 1);
    assert_eq!(scratch.run(&["fmt", "--write", "domain.pddl"]).status, 0);
    assert_eq!(scratch.read("domain.pddl"), expected);
    let marked = format!("\u{feff}{expected}");
    scratch.write("domain.pddl", &marked);
    let run = scratch.run(&["fmt", "--write", "domain.pddl"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""));
    assert_eq!(scratch.read("domain.pddl"), marked);
}

/// Returns a text as `herbrand fmt` prints it.
fn formatted(scratch: &Scratch, text: &str) -> String {
    let run = scratch.feed(&["fmt", "-"], text.as_bytes());
    assert_eq!(run.status, 0, "{}", run.stderr);
    run.stdout
}

#[test]
fn formatting_changes_no_file_if_one_has_faults() {
    let scratch = lamps("untouched");
    let untidy = LAMPS.replace("turn-on", "TURN-ON");
    let faulty = "(define (domain d) ; half\n (:action a";
    let rddl = "domain d { cpfs { a' = ; } // half\n";
    scratch.write("domain.pddl", &untidy);
    scratch.write("faulty.pddl", faulty);
    scratch.write("faulty.rddl", rddl);
    let run = scratch.run(&["fmt", "--write", "domain.pddl", "faulty.pddl", "faulty.rddl"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(
        run.stderr.contains("faulty.pddl:2") && run.stderr.contains("faulty.rddl:1"),
        "{}",
        run.stderr
    );
    let texts = ["domain.pddl", "faulty.pddl", "faulty.rddl"].map(|file| scratch.read(file));
    assert_eq!(texts, [untidy.as_str(), faulty, rddl]);
}

#[test]
fn formatting_repairs_the_end_of_a_file_on_request() {
    let scratch = lamps("repaired");
    scratch.write(
        "domain.pddl",
        LAMPS.trim_end().strip_suffix(')').expect("a parenthesis"),
    );
    assert_eq!(scratch.run(&["fmt", "domain.pddl"]).status, 2);
    let run = scratch.run(&["fmt", "--lenient", "--write", "domain.pddl"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stderr.contains("warning[E0003]") && run.stderr.contains("one `)` stood at the end"),
        "{}",
        run.stderr
    );
    let run = scratch.run(&["fmt", "--check", "domain.pddl"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
}

/// Traps in problems: repeated facts, goals that hold already or exclude each other, and negative costs.
#[test]
fn traps_in_a_problem_are_warnings() {
    let scratch = Scratch::new("traps");
    scratch.write(
        "domain.pddl",
        "(define (domain trips) (:requirements :action-costs) (:predicates (at ?p)) (:functions (total-cost) (toll ?p))
  (:action drive :parameters (?p ?q) :precondition (at ?p)
    :effect (and (at ?q) (not (at ?p)) (increase (total-cost) (toll ?q)))))",
    );
    let problem = |init: &str, goal: &str| {
        format!(
            "(define (problem p) (:domain trips) (:objects a b) (:init (at a) (= (total-cost) 0) (= (toll a) 1) {init})
  (:goal {goal}) (:metric minimize (total-cost)))"
        )
    };
    for (init, goal, expected) in [
        ("(= (toll b) 1)", "(at b)", &[][..]),
        ("(= (toll b) 1) (at a)", "(at b)", &["W0310"]),
        ("(= (toll b) 1)", "(at a)", &["W0311"]),
        ("(= (toll b) 1)", "(and)", &["W0311"]),
        ("(= (toll b) -1)", "(at b)", &["W0405"]),
        ("(= (toll b) 1)", "(and (at b) (at a))", &["W0304"]),
    ] {
        scratch.write("p.pddl", &problem(init, goal));
        let run = scratch.run(&["check", "--ground", "domain.pddl", "p.pddl", "--format", "json"]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let report = run.json();
        let found = report["diagnostics"].as_array().expect("a list").iter();
        let codes: Vec<_> = found
            .map(|one| one["code"].as_str().unwrap_or_default())
            .collect();
        assert_eq!(codes, expected, "{init} {goal}");
    }
    let run = scratch.run(&["check", "--ground", "domain.pddl", "p.pddl"]);
    let message = "the goals `(at b)` and `(at a)` exclude each other";
    assert!(run.stderr.contains(message), "{}", run.stderr);
}

#[test]
fn standard_input_can_be_checked() {
    let scratch = lamps("stdin");
    let run = scratch.feed(&["check", "domain.pddl", "-"], TWO_LAMPS.as_bytes());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let run = scratch.feed(
        &["check", "-", "--format", "json"],
        b"(define (domain d) (:predicates (on)) (:foo))",
    );
    assert_eq!(run.status, 2, "{}", run.stdout);
    assert_eq!(run.json()["diagnostics"][0]["file"], "standard input");
    let run = scratch.feed(&["fmt", "-"], b"(DEFINE (domain d) (:predicates (on)))");
    assert_eq!(run.stdout, "(define (domain d)\n  (:predicates (on)))\n");
}

#[test]
fn a_problem_alone_is_checked_against_the_domain_beside_it() {
    let scratch = crate::run::lamps("check-alone");
    scratch.write(
        "train/p.pddl",
        &scratch.read("p.pddl").replace("(on b)", "(on c)"),
    );
    for (words, files, errors) in [
        (&["p.pddl"][..], 2, 0),
        (&["train/p.pddl"], 2, 2),
        (&["train/p.pddl", "p.pddl"], 3, 2),
        (&["train", "domain.pddl"], 2, 2),
    ] {
        let report = scratch
            .run(&[&["check", "--format", "json"][..], words].concat())
            .json();
        assert_eq!(report["unchecked"], serde_json::json!([]), "{words:?}");
        assert_eq!(
            (&report["files"], &report["domains"]),
            (&files.into(), &1.into()),
            "{words:?}"
        );
        assert_eq!(report["errors"], errors, "{words:?} {report}");
    }
}

/// All faults of settings are counted, have the nearest name, and name the file once. The folder may be called like a bundled
/// domain.
#[test]
fn all_faults_of_settings_are_reported() {
    let scratch = crate::run::lamps("check-settings");
    for name in ["domain.pddl", "p.pddl"] {
        scratch.write(&format!("blocks/{name}"), &scratch.read(name));
    }
    let form = "horizn = 3\n[render]\ntable = [{ rows = \"lamp\", colum = [] }]\nhide = 3\n";
    let names = "[actions.press]
        parameters = [\"lamp\"]
        operators = { turn-om = [\"?l\"], turn-off = [\"?k\"] }
        [observe.visible]
        lmap = \"(on ?l)\"
        [render]
        hide = [\"om\"]";
    let both = format!("horizn = 3\n{names}");
    for (settings, errors, nearest) in [
        (form, 4, &["horizon", "column"][..]),
        (names, 4, &["turn-on", "lamp"]),
        (both.as_str(), 4, &["horizon", "turn-on", "lamp"]),
    ] {
        scratch.write("blocks/env.toml", settings);
        for path in ["blocks", "blocks/env.toml"] {
            let run = scratch.run(&["check", path]);
            assert_eq!(run.status, 2, "{path}: {}", run.stderr);
            let count = format!("{errors} errors, 0 warnings\n");
            assert!(
                run.stdout.ends_with(&count),
                "{path}: {}{}",
                run.stdout,
                run.stderr
            );
            for name in nearest {
                let text = format!("did you mean `{name}`?");
                assert!(run.stderr.contains(&text), "{name} in {}", run.stderr);
            }
            assert!(!run.stderr.contains("env.toml: blocks"), "{}", run.stderr);
            assert_eq!(run.stderr.matches("env.toml:").count(), errors, "{}", run.stderr);
        }
    }
    let report = scratch.run(&["check", "--format", "json", "blocks"]).json();
    assert_eq!(
        report["diagnostics"].as_array().map(Vec::len),
        Some(4),
        "{report}"
    );
    scratch.write("alone/env.toml", "");
    let run = scratch.run(&["check", "alone/env.toml"]);
    assert_eq!(
        run.stderr,
        "alone/env.toml was not checked: there is no domain beside it\n\n"
    );
}

/// All faults of a table of sentences are reported, whether the table, its folder or the domain's file is named.
#[test]
fn all_faults_of_sentences_are_reported() {
    let scratch = crate::run::lamps("check-sentences");
    for name in ["domain.pddl", "p.pddl"] {
        scratch.write(&format!("blocks/{name}"), &scratch.read(name));
    }
    scratch.write("blocks/domain.text.toml", "[facts]\nlmap = \"{1} is one\"\n");
    for path in ["blocks", "blocks/domain.text.toml"] {
        let run = scratch.run(&["check", path]);
        assert_eq!(run.status, 2, "{path}: {}", run.stderr);
        for part in ["error[T0002]", "domain.text.toml:2:1", "did you mean `lamp`?"] {
            assert!(run.stderr.contains(part), "{part} in {}", run.stderr);
        }
    }
    // The actions are those that the settings declare.
    let table = "[actions]\npress = \"press {lamp}\"\nturn-on = \"turn on {1}\"\n";
    scratch.write("blocks/domain.text.toml", table);
    scratch.write(
        "blocks/env.toml",
        "[actions.press]\nparameters = [\"lamp\"]\noperators = { turn-on = [\"?l\"], turn-off = [\"?l\"] }\n",
    );
    let run = scratch.run(&["check", "blocks"]);
    assert_eq!(
        (run.status, run.stderr.matches("T0002").count()),
        (2, 1),
        "{}",
        run.stderr
    );
    let explained = crate::run::herbrand(&["explain", "T0002"]);
    assert_eq!(explained.status, 0, "{}", explained.stderr);

    let domain = "domain d { pvariables { p : { state-fluent, bool, default = false }; a : { action-fluent, bool, default = false }; };
        cpfs { p' = a; }; reward = 0; }";
    scratch.write("lights/domain.rddl", domain);
    scratch.write(
        "lights/domain.text.toml",
        "[facts]\nq = \"it shines\"\n[actions]\na = \"wait (\"\n",
    );
    let run = scratch.run(&["check", "lights"]);
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(
        run.stderr.contains("error[T0002]") && run.stderr.contains("error[T0003]"),
        "{}",
        run.stderr
    );
}

#[test]
fn what_can_never_happen_is_told_with_the_proof() {
    let scratch = Scratch::new("never");
    let domain = "(define (domain trips) (:requirements :existential-preconditions :derived-predicates)
  (:predicates (at ?p) (road ?p ?q) (reachable ?p))
  (:derived (reachable ?q) (exists (?p) (and (at ?p) (road ?p ?q))))
  (:action drive :parameters (?p ?q) :precondition (and (at ?p) (road ?p ?q))
    :effect (and (at ?q) (not (at ?p)))))";
    let home =
        "(define (problem home) (:domain trips) (:objects a b c) (:init (at a) (road b c)) (:goal (at c)))";
    scratch.write("domain.pddl", domain);
    scratch.write("home.pddl", home);
    let codes = |arguments: &[&str]| {
        let report = scratch.run(&[arguments, &["--format", "json"]].concat()).json();
        let found = report["diagnostics"].as_array().expect("a list");
        let code = |one: &serde_json::Value| one["code"].as_str().unwrap_or_default().to_owned();
        found.iter().map(code).collect::<Vec<_>>()
    };
    // Without problems, a goal may read the derived predicate.
    assert_eq!(codes(&["check", "domain.pddl"]), [] as [&str; 0]);
    assert_eq!(codes(&["check", "domain.pddl", "home.pddl"]), ["W0308"]);
    let both = ["check", "--ground", "domain.pddl", "home.pddl"];
    assert_eq!(codes(&both), ["W0304", "W0306", "W0307", "W0308"]);
    let run = scratch.run(&both);
    assert_eq!(run.status, 0);
    for part in [
        "the goal `(at c)` can never hold",
        "`drive` would add it, but can never be applied",
        "no objects satisfy `(at ?p)` and `(road ?p ?q)` together",
        "`drive` can never be applied in `home`",
        "domain.pddl:4:12",
        "no atom of `reachable` can ever be true in `home`",
    ] {
        assert!(run.stderr.contains(part), "{part} in\n{}", run.stderr);
    }
    assert_eq!(
        scratch
            .run(&["check", "--ground", "--strict", "domain.pddl", "home.pddl"])
            .status,
        2
    );
    // An action that another problem allows is not reported.
    scratch.write("b.pddl", &home.replace("home)", "b)").replace("(at a)", "(at b)"));
    assert_eq!(
        codes(&["check", "--ground", "domain.pddl", "home.pddl", "b.pddl"]),
        ["W0304", "W0308"]
    );
    let run = scratch.run(&[
        "check",
        "--ground",
        "--memory",
        "8KiB",
        "domain.pddl",
        "home.pddl",
    ]);
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(run.stderr.contains("memory limit"), "{}", run.stderr);
}
