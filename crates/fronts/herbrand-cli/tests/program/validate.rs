//! `validate`: files in other encodings. The page `validate.md` has the rest.

use crate::run::{LAMPS, lamps};

#[test]
fn files_of_word_processors_are_read() {
    let scratch = lamps("encodings");
    let plan = "\u{feff}(turn-on a)\n";
    std::fs::write(scratch.path().join("utf-8"), plan).expect("a file");
    let utf_16 = |text: &str| {
        text.encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<u8>>()
    };
    std::fs::write(scratch.path().join("utf-16"), utf_16(plan)).expect("a file");
    let domain = utf_16(&format!("\u{feff}{LAMPS}"));
    std::fs::write(scratch.path().join("wide.pddl"), domain).expect("a file");
    for (domain, plan) in [
        ("domain.pddl", "utf-8"),
        ("domain.pddl", "utf-16"),
        ("wide.pddl", "utf-8"),
    ] {
        let run = scratch.run(&["validate", domain, "p.pddl", plan]);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{domain} {plan}");
    }
}
