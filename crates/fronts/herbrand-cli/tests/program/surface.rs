//! Help of all commands, closed pipes, completions and manual pages. The page `commands.md` has the rest.

use std::process::{Command, Stdio};

use crate::run::{PROGRAM, Scratch, herbrand, listed};

const COMMANDS: &str = "rollout check fmt explain explore fetch ground space translate datalog show plan learn play \
    generate validate record render replay domains bench serve lsp mcp rddl rddl-server edit exam completions man";

/// Help, completions and manual pages have every command.
#[test]
fn every_command_is_described() {
    let scratch = Scratch::new();
    let top = scratch.done("--help").stdout;
    let shells = ["bash", "zsh", "fish", "powershell", "elvish"];
    let scripts = shells.map(|shell| scratch.done(&format!("completions {shell}")).stdout);
    scratch.done("man --out pages/man1");
    for command in COMMANDS.split(' ') {
        assert!(top.contains(command), "{command} is listed");
        let help = scratch.done(&format!("{command} --help")).stdout;
        assert!(help.contains("Examples:"), "{command}");
        assert!(help.contains(&format!("  herbrand {command}")), "{command}");
        let has = |script: &String| script.contains(command) && script.contains("episodes");
        assert!(scripts.iter().all(has), "{command}");
        let page = scratch.read(&format!("pages/man1/herbrand-{command}.1"));
        assert!(page.contains(".SH SYNOPSIS") && page.contains("Examples"));
    }
    assert!(scratch.done("man").stdout.starts_with(".ie"));
    assert!(scratch.done("--version").stdout.starts_with("herbrand "));
}

/// The shell itself reads the script, and completes by it; skipped where there is no bash.
#[test]
fn bash_completes_commands() {
    let script = herbrand("completions bash").stdout;
    let ask =
        "COMP_WORDS=(herbrand roll) COMP_CWORD=1; _herbrand herbrand roll herbrand; echo \"${COMPREPLY[*]}\"";
    let Ok(output) = Command::new("bash")
        .args(["-c", &format!("{script}\n{ask}")])
        .output()
    else {
        return println!("skipped: there is no bash");
    };
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "rollout");
}

/// The status of a command that gives an answer does not depend on how much of its output is read.
#[test]
fn a_closed_pipe_changes_no_answer() {
    let scratch = Scratch::new();
    scratch.write("faulty.pddl", "(define (domain f) (:action a :effect (p)))");
    scratch.write("untidy.pddl", "(DEFINE (domain f))");
    scratch.write("sound.pddl", "(define (domain f))");
    scratch.write("no.plan", "(turn-on nowhere)\n");
    scratch.write(
        "stuck.pddl",
        "(define (domain s) (:predicates (p))) (define (problem t) (:domain s) (:init) (:goal (p)))",
    );
    for (status, line) in [
        (0, "record blocks --walks 2000"),
        (2, "check faulty.pddl"),
        (2, "check faulty.pddl --format json"),
        (0, "check sound.pddl"),
        (1, "fmt --check untidy.pddl"),
        (1, "validate blocks test/01 no.plan"),
        (1, "plan stuck.pddl"),
    ] {
        let mut child = Command::new(PROGRAM)
            .args(line.split(' '))
            .current_dir(scratch.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let ended = child.wait_with_output().expect("it ends");
        assert_eq!(ended.status.code(), Some(status), "{line}");
        assert!(status > 0 || ended.stderr.is_empty(), "{line}");
        assert_eq!(scratch.run(line).status, status, "{line}");
    }
}

#[test]
fn the_bundled_domains_are_listed() {
    let (pddl, rddl) = (listed("pddl"), listed("rddl"));
    assert!(pddl.len() >= 6 && rddl.len() == 37);
    for row in pddl.iter().chain(&rddl) {
        let text = |key: &str| row[key].as_str().unwrap_or_default();
        assert!(!text("description").is_empty(), "{row}");
        let has_problems = match text("language") {
            "rddl" => text("domain").starts_with("rddl/") && row["problems"] == 5,
            _ => row["train"].as_u64() >= Some(5) && row["test"].as_u64() >= Some(5),
        };
        assert!(has_problems, "{row}");
        let [least, greatest] = ["least", "greatest"].map(|end| row["actions"][end].as_u64());
        assert!(Some(0) < least && least <= greatest, "{row}");
    }
}
