//! Commands with their expected output: `tests/first-hour` has scenarios of new users' first hours, and `tests/pages` beside
//! this file a page for each command. All pages share the files in `tests/pages/files`.
//!
//! `TRYCMD=overwrite cargo test -p herbrand-cli --test transcripts` writes the outputs again. Read them as a stranger would;
//! `-- trycmd=NAME` after it runs only the pages whose names contain a word. No output may begin with `> `, which would be a
//! part of the command.

use std::path::Path;

use trycmd::TestCases;

const PROGRAM: &str = env!("CARGO_BIN_EXE_herbrand");

fn cases() -> TestCases {
    let cases = TestCases::new();
    cases.env("COLUMNS", "100");
    cases
}

#[test]
fn first_hours_go_well() {
    cases()
        .register_bin("herbrand", Path::new(PROGRAM))
        .case("../../../tests/first-hour/*.md");
}

/// The commands are run by a script of the name of each, for the signs `<`, `>` and `|`.
#[cfg(unix)]
#[test]
fn pages_tell_what_commands_print() {
    let cases = cases();
    cases.env("HERBRAND", PROGRAM);
    let script = std::fs::canonicalize("tests/pages/shell.sh").expect("the script");
    for name in [
        "herbrand", "cat", "cp", "grep", "head", "mkdir", "printf", "sed", "tail",
    ] {
        let link = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        // An earlier run may have made the link.
        let _ = std::os::unix::fs::symlink(&script, &link);
        cases.register_bin(name, link.as_path());
    }
    cases.case("tests/pages/*.md");
}
