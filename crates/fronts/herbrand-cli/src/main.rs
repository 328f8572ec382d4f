//! The `herbrand` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(herbrand_cli::run_last(std::env::args_os()))
}
