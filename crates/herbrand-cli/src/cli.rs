//! The command line.

use clap::builder::styling::{AnsiColor, Styles};
use clap::{CommandFactory as _, Parser, Subcommand};

use crate::Answer;
use crate::commands::{
    Bench, Check, Completions, Datalog, Domains, Edit, Explain, Explore, Fmt, Generate, Ground, Learn, Man,
    Plan, Play, Rddl, RddlServer, Record, Render, Replay, Rollout, Serve, Show, Study, Validate,
};
use crate::failure::Failure;
use crate::output::Format;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Planning languages as fast, correct environments.
///
/// Reads PDDL, PPDDL and RDDL, grounds planning problems by Datalog, and steps them. Exit status: 0 when all is
/// well, 1 when the answer is no (a trace differs, a file is not in canonical form, no plan was found), 2 for bad input.
#[derive(Parser)]
#[command(name = "herbrand", version, styles = STYLES, propagate_version = true, max_term_width = 110)]
#[command(after_help = "Examples:
  herbrand rollout                        a random policy on every bundled domain
  herbrand check domain.pddl problem.pddl faults and warnings, each with its place
  herbrand show blocks --problem 01       a state and its valid actions

`herbrand help COMMAND` has more about each command.")]
pub struct Cli {
    /// The command.
    #[command(subcommand)]
    pub command: Command,

    /// How data is printed.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: Format,

    /// Overwrite files that Herbrand did not write
    #[arg(long, global = true)]
    pub force: bool,
}

/// All commands. Each command's own type has its help.
#[derive(Subcommand)]
pub enum Command {
    Rollout(Rollout),
    Check(Check),
    Fmt(Fmt),
    Explain(Explain),
    Ground(Ground),
    Datalog(Datalog),
    Show(Show),
    Generate(Generate),
    Edit(Edit),
    Plan(Plan),
    Explore(Explore),
    Learn(Learn),
    Validate(Validate),
    Play(Play),
    Serve(Serve),
    Rddl(Rddl),
    RddlServer(RddlServer),
    Record(Record),
    Render(Render),
    Replay(Replay),
    Bench(Bench),
    Study(Study),
    Domains(Domains),
    Completions(Completions),
    Man(Man),
}

impl Command {
    /// Runs the command.
    ///
    /// # Errors
    /// When the input is bad or the output cannot be written.
    pub fn run(self, format: Format) -> Result<Answer, Failure> {
        match self {
            Self::Rollout(command) => command.run(format),
            Self::Check(command) => command.run(format),
            Self::Fmt(command) => command.run(format),
            Self::Explain(command) => command.run(format),
            Self::Ground(command) => command.run(format),
            Self::Datalog(command) => command.run(format),
            Self::Show(command) => command.run(format),
            Self::Generate(command) => command.run(format),
            Self::Edit(command) => command.run(format),
            Self::Plan(command) => command.run(format),
            Self::Explore(command) => command.run(format),
            Self::Learn(command) => command.run(format),
            Self::Validate(command) => command.run(format),
            Self::Play(command) => command.run(format),
            Self::Serve(command) => command.run(format),
            Self::Rddl(command) => command.run(format),
            Self::RddlServer(command) => command.run(format),
            Self::Record(command) => command.run(format),
            Self::Render(command) => command.run(format),
            Self::Replay(command) => command.run(format),
            Self::Bench(command) => command.run(format),
            Self::Study(command) => command.run(format),
            Self::Domains(command) => command.run(format),
            Self::Completions(command) => command.run(Cli::command()),
            Self::Man(command) => command.run(Cli::command()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
