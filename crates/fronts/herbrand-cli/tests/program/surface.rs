//! Help, versions, exit statuses, bad requests.

use std::process::{Command, Stdio};

use crate::run::{Scratch, herbrand, lamps, listed};

const COMMANDS: &[&str] = &[
    "rollout",
    "check",
    "fmt",
    "explain",
    "explore",
    "fetch",
    "ground",
    "space",
    "translate",
    "datalog",
    "show",
    "plan",
    "learn",
    "play",
    "generate",
    "validate",
    "record",
    "render",
    "replay",
    "domains",
    "bench",
    "serve",
    "lsp",
    "mcp",
    "rddl",
    "rddl-server",
    "edit",
    "exam",
    "completions",
    "man",
];

#[test]
fn every_command_has_help_with_examples() {
    let top = herbrand(&["--help"]);
    assert_eq!(top.status, 0);
    for command in COMMANDS {
        assert!(top.stdout.contains(command), "{command} is listed");
        let help = herbrand(&[command, "--help"]);
        assert_eq!(help.status, 0);
        assert!(help.stdout.contains("Examples:"), "{command}");
        assert!(
            help.stdout.contains(&format!("  herbrand {command}")),
            "{command}"
        );
    }
    assert!(herbrand(&["--version"]).stdout.starts_with("herbrand "));
}

#[test]
fn bad_requests_end_with_status_2_and_a_message() {
    for (arguments, message) in [
        (&["fly"][..], "unrecognized subcommand"),
        (&["rollout", "--episodes", "0"], "invalid value"),
        (&["rollout", "--threads", "0"], "not a number from 1 to 1024"),
        (&["rollout", "--seconds", "-1"], "unexpected argument"),
        (&["rollout", "--seconds=-1"], "not a positive number of seconds"),
        (
            &["rollout", "sokobann"],
            "is not a bundled domain, folder or file; did you mean `sokoban`?",
        ),
        (
            &["rollout", "sokoban", "--problem", "999"],
            "sokoban has no problem `999`",
        ),
        (
            &["rollout", "--domain", "nowhere.pddl"],
            "nowhere.pddl: No such file",
        ),
        (
            &["ground", "--domain", "nowhere.pddl", "--problem", "p.pddl"],
            "nowhere.pddl: No such file",
        ),
        (&["ground", "search-and-rescue"], "search-and-rescue-1"),
        (&["show"], "name a domain: a file, a folder,"),
        (&["check", "nowhere.pddl"], "nowhere.pddl: No such file"),
        (&["explain", "E9999"], "the code `E9999`"),
        (&["generate", "blocks"], "--size"),
        (
            &["generate", "blocks", "--size", "1"],
            "blocks has problems of size 2 to 2000 (blocks), not 1",
        ),
        (
            &["generate", "blok", "--size", "3"],
            "no generator `blok`; did you mean `blocks`?",
        ),
        (&["generate", "blocks", "--size", "3", "--count", "2"], "--out"),
        (
            &["generate", "blocks", "--size", "3", "--count", "0"],
            "invalid value",
        ),
        (&["replay", "nowhere.jsonl"], "nowhere.jsonl: No such file"),
    ] {
        let run = herbrand(arguments);
        assert_eq!(run.status, 2, "{arguments:?}: {}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains(message), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn a_faulty_domain_is_shown_with_its_place() {
    let scratch = lamps("faulty");
    scratch.write(
        "p.pddl",
        "(define (problem two) (:domain lamps) (:init (lmap a)))",
    );
    for command in ["ground", "show", "record"] {
        let run = scratch.run(&[command, "--domain", "domain.pddl", "--problem", "p.pddl"]);
        assert_eq!(run.status, 2);
        assert!(
            run.stderr.contains("error[E0101]") && run.stderr.contains("p.pddl:1"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_herbrand"))
        .args(["record", "blocks", "--walks", "2000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// The status of a command that gives an answer does not depend on how much of its output is read.
#[test]
fn a_closed_pipe_does_not_change_an_answer() {
    let scratch = lamps("closed-pipe");
    scratch.write("faulty.pddl", "(define (domain f) (:action a :effect (p)))");
    scratch.write("untidy.pddl", "(DEFINE (domain f))");
    scratch.write("no.plan", "(turn-on nowhere)\n");
    scratch.write(
        "stuck.pddl",
        "(define (domain s) (:predicates (p))) (define (problem t) (:domain s) (:init) (:goal (p)))",
    );
    for (arguments, status) in [
        (&["check", "faulty.pddl"][..], 2),
        (&["check", "faulty.pddl", "--format", "json"], 2),
        (&["check", "domain.pddl"], 0),
        (&["fmt", "--check", "untidy.pddl"], 1),
        (&["validate", "blocks", "test/01", "no.plan"], 1),
        (&["plan", "stuck.pddl"], 1),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_herbrand"))
            .args(arguments)
            .current_dir(scratch.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop((child.stdout.take(), child.stderr.take()));
        let ended = child.wait().expect("it ends");
        assert_eq!(scratch.run(arguments).status, status, "{arguments:?}");
        assert_eq!(ended.code(), Some(status), "{arguments:?}");
    }
}

#[test]
fn the_bundled_domains_are_listed() {
    let text = herbrand(&["domains"]);
    assert!(text.stdout.contains("sokoban") && text.stdout.contains("tireworld"));
    assert!(
        text.stdout.contains("\n    Push every stone onto a goal cell. ("),
        "{}",
        text.stdout
    );
    let rows = listed("pddl");
    assert!(rows.len() >= 6);
    for row in &rows {
        assert!(
            row["train"].as_u64() >= Some(5) && row["test"].as_u64() >= Some(5),
            "{row}"
        );
        assert!(
            row["description"].as_str().is_some_and(|text| !text.is_empty()),
            "{row}"
        );
        for size in ["objects", "atoms", "actions"] {
            let [least, greatest] = ["least", "greatest"].map(|end| row[size][end].as_u64());
            assert!(Some(0) < least && least <= greatest, "{size} of {row}");
        }
    }
}

#[test]
fn bundled_files_are_not_written_over_edited_ones() {
    let scratch = Scratch::new("write");
    let write = ["domains", "--write", "here"];
    assert_eq!(scratch.run(&write).status, 0);
    assert_eq!(scratch.run(&write).status, 0, "what is the same is no fault");
    let path = "here/blocks/domain.pddl";
    let (bundled, edited) = (scratch.read(path), "; mine\n");
    scratch.write(path, edited);
    let run = scratch.run(&write);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr
            .contains("blocks/domain.pddl exists: choose another name, or add --force"),
        "{}",
        run.stderr
    );
    assert_eq!(scratch.read(path), edited);
    assert_eq!(scratch.run(&[&write[..], &["--force"]].concat()).status, 0);
    assert_eq!(scratch.read(path), bundled);
}

#[test]
fn a_folder_is_named_as_it_was_asked_for() {
    let scratch = Scratch::new("deep");
    scratch.write("one/two/notes.txt", "");
    let run = scratch.run(&["show", "one/two"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("one/two: there is no `domain.pddl`"),
        "{}",
        run.stderr
    );
}

#[test]
fn input_that_is_no_text_is_not_blamed_on_the_output() {
    let scratch = Scratch::new("bytes");
    let run = scratch.feed(&["play", "blocks"], b"undo\n\xff\xfe\n");
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("cannot read the input"), "{}", run.stderr);
}

#[test]
fn a_plan_that_fails_reaches_the_goal_with_probability_0() {
    let scratch = lamps("never");
    scratch.write("plan", "(turn-on b)\n");
    let validate = [
        "validate",
        "--domain",
        "domain.pddl",
        "--problem",
        "p.pddl",
        "plan",
        "--format",
        "json",
    ];
    let run = scratch.run(&validate);
    assert!(
        run.stdout.contains("\"goal_probability\": 0.0"),
        "{}{}",
        run.stdout,
        run.stderr
    );
}

#[test]
fn a_code_is_explained() {
    let run = herbrand(&["explain", "e0102"]);
    assert_eq!(run.status, 0);
    assert!(
        run.stdout.starts_with("E0102 (error)") && run.stdout.contains("Wrong"),
        "{}",
        run.stdout
    );
    let json = herbrand(&["explain", "E0102", "--format", "json"]).json();
    for key in ["code", "severity", "summary", "explanation", "wrong", "right"] {
        assert!(json[key].is_string(), "{key}");
    }
    let each = ["E0102", "W0602"].map(|code| herbrand(&["explain", code]).stdout);
    let both = herbrand(&["explain", "E0102", "w0602"]);
    assert_eq!(both.stdout, each.join("\n"));
    let both = herbrand(&["explain", "E0102,W0602", "--format", "json"]).json();
    assert_eq!(both[1]["code"], "W0602");
    let all = herbrand(&["explain", "--all"]);
    assert!(all.stdout.contains("E0102") && all.stdout.contains("W0602"));
    assert_eq!(herbrand(&["explain"]).stdout, all.stdout);
}

#[test]
fn codes_are_found_by_words() {
    let codes = |words: &[&str]| {
        let run = herbrand(&[&["explain", "--format", "json"][..], words].concat());
        assert_eq!(run.status, 0, "{words:?}: {}", run.stderr);
        let found = run.json();
        let found = found.as_array().expect("a list").iter();
        found
            .map(|one| one["code"].as_str().expect("a code").to_owned())
            .collect::<Vec<_>>()
    };
    // By the name of the code, the summary, and the explanation; the explanation comes last.
    assert_eq!(codes(&["arity"]), ["E0203", "E1202"]);
    assert_eq!(codes(&["not", "Closed"])[0], "E0003");
    let types = codes(&["type"]);
    let summary = types
        .iter()
        .position(|code| code == "E0104")
        .expect("in a summary");
    let text = types
        .iter()
        .position(|code| code == "E0305")
        .unwrap_or(types.len());
    assert!(summary < text, "{types:?}");
    let list = herbrand(&["explain", "arity"]).stdout;
    assert!(list.contains("E0203") && list.contains("E1202"), "{list}");
    // One code is explained at once.
    let one = herbrand(&["explain", "durative"]).stdout;
    assert!(one.starts_with("E0601 (error)"), "{one}");
    for (words, message) in [
        (
            &["E0130"][..],
            "there is no diagnostic with the code `E0130`; did you mean `E0103`?",
        ),
        (&["0102"], "did you mean `E0102`?"),
        (
            &["W0602", "E9999"],
            "there is no diagnostic with the code `E9999`",
        ),
        (&["zebra", "stripes"], "no explanation contains `zebra stripes`"),
    ] {
        let run = herbrand(&[&["explain"][..], words].concat());
        assert_eq!(run.status, 2);
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}

#[test]
fn completions_name_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = herbrand(&["completions", shell]);
        assert_eq!(run.status, 0);
        for command in COMMANDS {
            assert!(run.stdout.contains(command), "{command} in {shell}");
        }
        assert!(run.stdout.contains("episodes"), "options in {shell}");
    }
    let unknown = herbrand(&["completions", "bsh"]);
    assert_eq!(unknown.status, 2);
    assert!(unknown.stderr.contains("bash"), "{}", unknown.stderr);
}

/// The shell itself reads the script, and completes by it; skipped where there is no bash.
#[test]
fn bash_completes_commands() {
    let script = herbrand(&["completions", "bash"]).stdout;
    let ask = format!(
        "{script}\nCOMP_WORDS=(herbrand roll) COMP_CWORD=1; _herbrand herbrand roll herbrand; echo \"${{COMPREPLY[*]}}\""
    );
    let Ok(output) = Command::new("bash").args(["-c", &ask]).output() else {
        println!("skipped: there is no bash");
        return;
    };
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "rollout");
}

#[test]
fn manual_pages_are_written_for_every_command() {
    let top = herbrand(&["man"]);
    assert_eq!(top.status, 0);
    assert!(
        top.stdout.starts_with(".ie"),
        "a page of man: {}",
        &top.stdout[..40]
    );
    let scratch = Scratch::new("man");
    let run = scratch.run(&["man", "--out", "pages/man1"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    for command in COMMANDS {
        let page = scratch.read(&format!("pages/man1/herbrand-{command}.1"));
        assert!(
            page.contains(".SH SYNOPSIS") && page.contains("Examples"),
            "{command}"
        );
    }
}
