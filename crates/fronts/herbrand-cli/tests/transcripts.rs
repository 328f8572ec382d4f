//! Commands with their expected output: `tests/first-hour` has scenarios of new users' first hours, and `tests/pages` beside
//! this file a page for each command, whose files are in `tests/pages/files`.
//!
//! `TRYCMD=overwrite cargo test -p herbrand-cli --test transcripts` writes the outputs again. Read them as a stranger would.

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
        .register_bin("herbrand", std::path::Path::new(PROGRAM))
        .case("../../../tests/first-hour/*.md");
}

/// The commands are run by a shell, for the signs `<`, `>` and `|`.
#[cfg(unix)]
#[test]
fn pages_tell_what_commands_print() {
    let cases = cases();
    cases.env("HERBRAND", PROGRAM);
    for entry in std::fs::read_dir("tests/pages/shell").expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        let script = std::fs::canonicalize("tests/pages/shell")
            .expect("a folder")
            .join(&*name);
        cases.register_bin(&*name, script.as_path());
    }
    cases.case("tests/pages/*.md");
}
