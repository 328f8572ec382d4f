//! `check` and `fmt` of odd texts. The page `check.md` has the rest.

use crate::run::{LAMPS, Scratch, lamps};

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
fn formatting_keeps_the_ends_of_lines_and_drops_the_byte_order_mark() {
    let scratch = lamps("line-ends");
    let expected = format!(
        "; für 漢字\n\n{}; the end\n",
        scratch.feed(&["fmt", "-"], LAMPS.as_bytes()).stdout
    )
    .replace('\n', "\r\n");
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
