//! `herbrand edit`.

use std::fs;

use crate::run::{Scratch, herbrand, herbrand_in};

#[test]
fn a_batch_is_carried_out_or_refused_as_one() {
    let folder = Scratch::new("edit");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write(
        "rename.json",
        r#"[{"edit": "rename-object", "object": "a", "to": "base"}, {"edit": "add-object", "object": "z", "type": "block"}]"#,
    );
    let run = herbrand_in(
        folder.path(),
        &["edit", "blocks", "--edits", "rename.json", "--out", "new.pddl"],
    );
    assert_eq!(run.status, 0, "{}", run.stderr);
    let text = fs::read_to_string(folder.path().join("new.pddl")).expect("the edited problem");
    assert!(text.contains("base") && text.contains(" z"), "{text}");

    write(
        "faulty.json",
        r#"[{"edit": "add-fact", "fact": "(clear q)"}, {"edit": "add-fact", "fact": "(cler a)"}]"#,
    );
    let run = herbrand_in(
        folder.path(),
        &["edit", "blocks", "--edits", "faulty.json", "--out", "none.pddl"],
    );
    assert_eq!(run.status, 2);
    assert!(
        run.stderr
            .contains("edit 1: undeclared-object: there is no object `q`"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("did you mean `clear`?"), "{}", run.stderr);
    assert!(!folder.path().join("none.pddl").exists());

    write("broken.json", r#"[{"edit": "add-fakt", "fact": "(clear a)"}]"#);
    let run = herbrand_in(folder.path(), &["edit", "blocks", "--edits", "broken.json"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("broken.json: unknown variant `add-fakt`"),
        "{}",
        run.stderr
    );
}

#[test]
fn the_difference_of_two_problems_leads_from_one_to_the_other() {
    let folder = Scratch::new("edit-difference");
    let path = folder.path();
    assert_eq!(herbrand_in(path, &["domains", "--write", "all"]).status, 0);
    let of_files = [
        "edit",
        "--domain",
        "all/blocks/domain.pddl",
        "--problem",
        "all/blocks/train/01.pddl",
    ];
    let edits = r#"[{"edit": "rename-object", "object": "a", "to": "base"}]"#;
    fs::write(path.join("edits.json"), edits).expect("a file");
    let run = |more: &[&str]| herbrand_in(path, &[&of_files[..], more].concat());
    assert_eq!(run(&["--edits", "edits.json", "--out", "new.pddl"]).status, 0);
    let difference = run(&["--difference", "new.pddl"]);
    fs::write(path.join("there.json"), &difference.stdout).expect("a file");
    let there = run(&["--edits", "there.json"]);
    assert_eq!(there.status, 0, "{}", there.stderr);
    // The same atoms in any order.
    let words = |text: &str| {
        let words = text.split(|c: char| c.is_whitespace() || "()".contains(c));
        let mut words: Vec<_> = words.map(str::to_owned).collect();
        words.sort();
        words
    };
    let new = folder.read("new.pddl");
    assert_eq!(words(&there.stdout), words(&new));
}

#[test]
fn what_to_do_is_asked_for() {
    assert_eq!(herbrand(&["edit", "blocks"]).status, 2);
    let form = herbrand(&["edit", "blocks", "--schema"]).json();
    assert_eq!(form["type"], "array");
}
