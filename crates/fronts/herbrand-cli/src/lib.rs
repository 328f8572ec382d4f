//! The `herbrand` program as a function of its arguments, so that other packages can include it.
//!
//! Each command is a file in `commands`.

mod chart;
mod choices;
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
mod pairing;
mod policy;
mod preconditions;
mod problem;
mod problems;
mod progress;
mod python;
mod start;
mod survey;
mod task_file;

use std::ffi::OsString;

use cli::Cli;
use herbrand::limits::deep;
use interrupt::Interrupt;
use outcome::CommandOutcome;

pub use commands::{Report, Shown, WalkTo};
pub use failure::Failure;

/// Runs the program and returns its exit status: 0 if the command succeeded, 1 if its answer is no, 2 for bad input or
/// arguments, 130 if it was interrupted, and 143 if it was ended by SIGTERM. The first argument is the program's name.
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
    let cli = match Cli::of_arguments(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let error = habits::answered(error);
            // The reader closed the output and has seen enough.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    files::begin(cli.force);
    Interrupt::forget();
    input::set_lenient(cli.lenient);
    output::set_outlasts_reader(cli.command.gives_an_answer());
    let limits = cli.command.limits();
    let run = || deep(|| cli.command.run(cli.format));
    let answer = match limits {
        Some(limits) => limits.within(run),
        None => run(),
    };
    let status = match answer {
        Ok(CommandOutcome::Yes) => 0,
        Ok(CommandOutcome::No) => 1,
        Ok(CommandOutcome::Faulty) => 2,
        Ok(CommandOutcome::Interrupted) => u8::try_from(Interrupt::status()).unwrap_or(2),
        // The reader closed the output and has seen enough.
        Err(Failure::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => 0,
        Err(failure) => {
            failure.print();
            2
        }
    };
    // A process may live on after the command.
    Interrupt::forget();
    status
}
