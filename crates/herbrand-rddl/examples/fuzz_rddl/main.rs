//! Reads random texts for a while: `cargo run --release -p herbrand-rddl --example fuzz_rddl -- --seconds 60 [--seed N]
//! [FOLDER…]`. The files under the folders, by default the bundled domains, are what is mutated.
//!
//! Prints a text that breaks something, with its seed, and ends with status 1.

mod read;
mod words;

use std::process::ExitCode;

fn main() -> ExitCode {
    herbrand_text::fuzz::run(&words::language(), read::exercise)
}
