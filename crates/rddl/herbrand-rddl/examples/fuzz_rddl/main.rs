//! Fuzzes the parser with random texts: `cargo run --release -p herbrand-rddl --example fuzz_rddl -- --seconds 60 [--seed N]
//! [FOLDER…]`. Mutates the files in the folders, by default the bundled domains.
//!
//! Prints a text that violates a property, with its seed, and exits with status 1.

mod read;
mod words;

use std::process::ExitCode;

fn main() -> ExitCode {
    herbrand_text::fuzz::run(&words::language(), read::exercise)
}
