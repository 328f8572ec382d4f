//! The `herbrand` program. Each command is a file in `commands`.

mod cli;
mod commands;
mod engine;
mod failure;
mod input;
mod limits;
mod memory;
mod output;
mod pairing;
mod problem;
mod survey;

use std::process::ExitCode;

use clap::Parser;

use cli::Cli;
use failure::Failure;

/// What a command that ran to its end has to say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    /// All is well.
    Yes,
    /// What was asked is not so: a trace differs, a file is not in canonical form.
    No,
    /// The input is at fault, as the output says.
    Faulty,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli.command.run(cli.format) {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Ok(Answer::Faulty) => ExitCode::from(2),
        // Whoever read the output has seen enough.
        Err(Failure::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            failure.print();
            ExitCode::from(2)
        }
    }
}
