//! A fuzzer for the parser: `cargo run --release -p herbrand-pddl --example fuzz -- --seconds 60 [--seed N] [FOLDER…]`. It
//! mutates the files under the folders, by default the bundled domains.
//!
//! If a text breaks an invariant, the fuzzer prints the text and its seed, and exits with status 1.

mod read;
mod words;

use std::process::ExitCode;

fn main() -> ExitCode {
    herbrand_text::fuzz::run(&words::language(), read::exercise)
}
