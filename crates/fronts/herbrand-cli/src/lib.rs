//! The `herbrand` program as a function of its arguments, so that other packages can include it.
//!
//! Each command is a file in `commands`.

mod cli;
mod commands;
mod drawing;
mod engine;
mod failure;
mod files;
mod guard;
mod habits;
mod input;
mod interrupt;
mod limits;
mod memory;
mod options;
mod outcome;
mod output;
mod policy;
mod preconditions;
mod problem;
mod progress;
mod python;
mod start;

use std::ffi::OsString;

use cli::Cli;
use herbrand::limits::deep;
use interrupt::Interrupt;
use output::Format;

pub use failure::Failure;

/// Runs the program and returns its exit status: 0 if the command succeeded, 1 if its answer is no, 2 for bad input or
/// arguments, 3 if there is no answer within the limits, 130 if it was interrupted, and 143 if it was ended by SIGTERM. The first argument is the program's name.
///
/// It reads standard input, writes to standard output and standard error, and does not end the process.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    memory::set_last(false);
    run_command(arguments)
}

/// Runs the program like [`run`], in a process that ends afterwards: the system frees the memory of large structures, which
/// is faster.
pub fn run_last(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    memory::set_last(true);
    memory::keep_freed();
    run_command(arguments)
}

fn run_command(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<_> = arguments.into_iter().collect();
    let is_json = asks_for_json(&arguments);
    let cli = match Cli::of_arguments(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let error = habits::answered(error);
            if is_json && error.use_stderr() {
                let message = error.render().to_string();
                let message = message.strip_prefix("error: ").unwrap_or(&message);
                output::begin(false);
                return Failure::Request(message.trim_end().to_owned()).report(Format::Json);
            }
            // The reader closed the output and has seen enough.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    files::begin(cli.force);
    Interrupt::forget();
    input::set_lenient(cli.lenient);
    output::begin(cli.command.gives_an_answer());
    let limits = cli.command.limits();
    let run = || deep(|| cli.command.run(cli.format));
    let answer = match limits {
        Some(limits) => limits.within(cli.format, run),
        None => run(),
    };
    let status = match answer {
        Ok(outcome) => outcome.status(),
        // The reader closed the output and has seen enough.
        Err(Failure::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => 0,
        Err(failure) => failure.report(cli.format),
    };
    // A process may live on after the command.
    Interrupt::forget();
    status
}

/// Returns whether arguments ask for JSON, even if others of them are wrong.
fn asks_for_json(arguments: &[OsString]) -> bool {
    let options = arguments.split(|word| word == "--").next().unwrap_or_default();
    let apart = |pair: &[OsString]| pair[0] == "--format" && pair[1] == "json";
    options.iter().any(|word| word == "--format=json") || options.windows(2).any(apart)
}
