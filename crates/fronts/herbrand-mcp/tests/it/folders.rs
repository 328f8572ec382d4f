//! Files are read and written inside the folders of the server only.

use std::fs;

use herbrand_mcp::{Folders, Tools};
use herbrand_play::SessionLimits;
use serde_json::json;

use super::{call, done, open};

#[test]
fn files_outside_are_neither_read_nor_written() {
    let all = tempfile::tempdir().expect("a folder");
    let (inside, outside) = (all.path().join("inside"), all.path().join("inside-not"));
    fs::create_dir_all(inside.join("sub")).expect("a folder");
    fs::create_dir_all(&outside).expect("a folder");
    let secret = outside.join("domain.pddl");
    fs::write(&secret, "(define (domain secret))").expect("a file");
    let domain = "(define (domain d) (:predicates (on)) (:action a :effect (on)))";
    let problem = "(define (problem p) (:domain d) (:init) (:goal (on)))";
    fs::write(inside.join("domain.pddl"), domain).expect("a file");
    fs::write(inside.join("p.pddl"), problem).expect("a file");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&secret, inside.join("link.pddl")).expect("a link");
        std::os::unix::fs::symlink(&outside, inside.join("out")).expect("a link");
        std::os::unix::fs::symlink(outside.join("new.pddl"), inside.join("dangling.pddl")).expect("a link");
    }
    let folders = Folders::new([&inside]).expect("it is a folder");
    let tools = Tools::new(SessionLimits::default(), folders);

    let opened = done(
        &tools,
        "open",
        json!({"domain_file": "domain.pddl", "problem_file": "sub/../p.pddl"}),
    );
    let session = opened.data["session"].as_str().expect("a name").to_owned();
    let absolute = secret.to_string_lossy().into_owned();
    let hostile = [
        "../inside-not/domain.pddl",
        "sub/../../inside-not/domain.pddl",
        &absolute,
        "link.pddl",
        "out/domain.pddl",
        "/etc/passwd",
        "/proc/self/environ",
        "/dev/zero",
        "",
        ".",
        "..",
        "\0",
        "sub",
        "missing.pddl",
        "~/domain.pddl",
    ];
    for path in hostile {
        let read = call(
            &tools,
            "open",
            json!({"domain_file": path, "problem_file": "p.pddl"}),
        );
        assert!(
            read.is_refused && !read.text.contains("secret)"),
            "{path}: {}",
            read.text
        );
    }
    let hostile = [
        "../new.pddl",
        "out/new.pddl",
        "dangling.pddl",
        "link.pddl",
        "domain.pddl",
        "/tmp",
        "",
        "..",
        "sub/..",
        "missing/new.pddl",
    ];
    for path in hostile {
        for (name, arguments) in [
            ("save", json!({"session": session, "domain_file": path})),
            ("draw", json!({"session": session, "file": path})),
        ] {
            assert!(call(&tools, name, arguments).is_refused, "{name} {path}");
        }
    }
    assert_eq!(fs::read_dir(&outside).expect("a folder").count(), 1);
    assert_eq!(
        fs::read_to_string(inside.join("domain.pddl")).expect("a file"),
        domain
    );
    done(
        &tools,
        "save",
        json!({"session": session, "domain_file": "sub/new.pddl"}),
    );
    assert!(
        fs::read_to_string(inside.join("sub/new.pddl"))
            .expect("a file")
            .contains("domain d")
    );
    // Of two files, both are written or none.
    for (one, other, reason) in [
        ("one.pddl", "p.pddl", "\"p.pddl\" exists"),
        ("p.pddl", "one.pddl", "\"p.pddl\" exists"),
        ("one.pddl", "sub/../one.pddl", "is given twice"),
        ("one.pddl", "missing/one.pddl", "relative to the first folder"),
    ] {
        let both = json!({"session": session, "domain_file": one, "problem_file": other});
        let refused = call(&tools, "save", both);
        assert!(
            refused.is_refused && refused.text.contains(reason),
            "{}",
            refused.text
        );
        assert!(!inside.join("one.pddl").exists(), "{one} {other}");
    }
    let both = json!({"session": session, "domain_file": "one.pddl", "problem_file": "two.pddl"});
    done(&tools, "save", both);
    assert_eq!(
        fs::read_to_string(inside.join("two.pddl")).expect("a file"),
        problem
    );

    for (file, begin) in [("a.svg", &b"<svg"[..]), ("a.PNG", b"\x89PNG")] {
        done(&tools, "draw", json!({"session": session, "file": file}));
        assert!(
            fs::read(inside.join(file)).expect("a file").starts_with(begin),
            "{file}"
        );
    }
    for file in ["a.gif", "a"] {
        let refused = call(&tools, "draw", json!({"session": session, "file": file}));
        assert!(
            refused.is_refused && refused.text.contains(".svg or .png"),
            "{}",
            refused.text
        );
    }

    let none = super::tools();
    let session = open(&none, "blocks");
    let refused = call(
        &none,
        "save",
        json!({"session": session, "domain_file": "x.pddl"}),
    );
    assert!(
        refused.is_refused && refused.text.contains("--folder"),
        "{}",
        refused.text
    );
}
