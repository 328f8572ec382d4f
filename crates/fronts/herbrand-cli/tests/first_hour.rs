//! Scenarios of new users' first hours, in `tests/first-hour`: commands with their expected output.
//!
//! `TRYCMD=overwrite cargo test -p herbrand-cli --test first_hour` writes the outputs again. Read them as a stranger would.

use std::path::Path;

#[test]
fn first_hours_go_well() {
    let program = Path::new(env!("CARGO_BIN_EXE_herbrand"));
    trycmd::TestCases::new()
        .register_bin("herbrand", program)
        .env("COLUMNS", "100")
        .case("../../../tests/first-hour/*.md");
}
