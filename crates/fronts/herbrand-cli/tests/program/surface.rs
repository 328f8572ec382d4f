//! Help of all commands, closed pipes, completions and manual pages. The page `commands.md` has the rest.

use std::process::{Command, Stdio};

use crate::run::{Scratch, herbrand, listed};

const COMMANDS: &str = "rollout check fmt explain explore fetch ground space translate datalog show plan learn play \
    generate validate record render replay domains bench serve lsp mcp rddl rddl-server edit exam completions man";

#[test]
fn every_command_has_help_with_examples() {
    let top = herbrand(&["--help"]);
    assert_eq!(top.status, 0);
    for command in COMMANDS.split(' ') {
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
    let scratch = Scratch::new("closed-pipe");
    scratch.write("faulty.pddl", "(define (domain f) (:action a :effect (p)))");
    scratch.write("untidy.pddl", "(DEFINE (domain f))");
    scratch.write("sound.pddl", "(define (domain f))");
    scratch.write("no.plan", "(turn-on nowhere)\n");
    scratch.write(
        "stuck.pddl",
        "(define (domain s) (:predicates (p))) (define (problem t) (:domain s) (:init) (:goal (p)))",
    );
    for (line, status) in [
        ("check faulty.pddl", 2),
        ("check faulty.pddl --format json", 2),
        ("check sound.pddl", 0),
        ("fmt --check untidy.pddl", 1),
        ("validate blocks test/01 no.plan", 1),
        ("plan stuck.pddl", 1),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_herbrand"))
            .args(line.split(' '))
            .current_dir(scratch.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop((child.stdout.take(), child.stderr.take()));
        let ended = child.wait().expect("it ends");
        assert_eq!(
            scratch.shell(&format!("herbrand {line}")).status,
            status,
            "{line}"
        );
        assert_eq!(ended.code(), Some(status), "{line}");
    }
}

#[test]
fn the_bundled_domains_are_listed() {
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
fn input_that_is_no_text_is_not_blamed_on_the_output() {
    let scratch = Scratch::new("bytes");
    let run = scratch.feed(&["play", "blocks"], b"undo\n\xff\xfe\n");
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("cannot read the input"), "{}", run.stderr);
}

/// No two languages share a code, and without words all are listed.
#[test]
fn all_codes_are_explained() {
    let all = herbrand(&["explain", "--all", "--format", "json"]).json();
    let rows = all.as_array().expect("a list").iter();
    let mut codes: Vec<_> = rows.map(|row| row["code"].as_str().expect("a code")).collect();
    let text = herbrand(&["explain", "--all"]).stdout;
    assert!(codes.iter().all(|code| text.contains(code)), "{text}");
    assert_eq!(herbrand(&["explain"]).stdout, text);
    let count = codes.len();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), count);
    for code in ["E0101", "E0102", "W0602", "W1103"] {
        assert!(codes.contains(&code), "{code}");
    }
}

#[test]
fn completions_name_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = herbrand(&["completions", shell]);
        assert_eq!(run.status, 0);
        for command in COMMANDS.split(' ') {
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
    for command in COMMANDS.split(' ') {
        let page = scratch.read(&format!("pages/man1/herbrand-{command}.1"));
        assert!(
            page.contains(".SH SYNOPSIS") && page.contains("Examples"),
            "{command}"
        );
    }
}
