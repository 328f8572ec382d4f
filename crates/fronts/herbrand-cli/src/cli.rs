//! The command line.

use std::ffi::OsString;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{CommandFactory as _, Parser, Subcommand};

use crate::commands::{
    Bench, Check, Completions, Datalog, Domains, Edit, Exam, Explain, Explore, Fetch, Fmt, Generate, Ground,
    Learn, Lsp, Man, Mcp, Plan, Play, Rddl, RddlServer, Record, Render, Replay, Rollout, Serve, Show, Space,
    Task, Translate, Validate,
};
use crate::failure::Failure;
use crate::limits::LimitArgs;
use crate::outcome::CommandOutcome;
use crate::output::Format;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Planning languages as fast, correct environments
///
/// Reads PDDL, PPDDL and RDDL; checks, grounds, simulates and solves problems.
///
/// Exit status: 0 on success; 1 if the answer is no (a trace differs, a file is not in canonical form, there is no plan); 2
/// for bad input; 3 if nothing is answered within the limits of time and memory; 130 after Ctrl-C; 143 after SIGTERM.
#[derive(Parser)]
#[command(name = "herbrand", version, styles = STYLES, propagate_version = true, max_term_width = 110)]
#[command(after_help = "Examples:
  herbrand rollout                         run a random policy on every bundled domain
  herbrand check domain.pddl problem.pddl  report errors and warnings, each with its place
  herbrand show blocks --problem 01        show a state and its valid actions

Run `herbrand help COMMAND` for details of a command.")]
pub struct Cli {
    /// The command
    #[command(subcommand)]
    pub command: Command,

    /// The output format
    #[arg(long, global = true, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: Format,

    /// Overwrite existing output files
    #[arg(long, global = true)]
    pub force: bool,

    /// Repair faults of PDDL files that other systems accept, with a warning each: a missing or surplus parenthesis at the
    /// end, an object declared twice with different types, and the like
    #[arg(long, global = true)]
    pub lenient: bool,
}

/// The options of one command. Building those of all commands takes most of the time of parsing.
#[derive(Parser)]
struct Only<T: clap::Args> {
    #[command(flatten)]
    command: T,
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[arg(long)]
    force: bool,
    #[arg(long)]
    lenient: bool,
}

impl Cli {
    /// Parses the arguments. The first is the name of the program. For commands that scripts run thousands of times, only the
    /// options of that command are built; if parsing fails, those of all commands are built, for the error.
    ///
    /// # Errors
    /// If the arguments are wrong, or ask for help.
    pub fn of_arguments(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let arguments: Vec<_> = arguments.into_iter().collect();
        let alone = match arguments.get(1).and_then(|word| word.to_str()) {
            Some("ground") => Self::alone(&arguments, Command::Ground),
            Some("plan") => Self::alone(&arguments, Command::Plan),
            Some("translate") => Self::alone(&arguments, Command::Translate),
            Some("validate") => Self::alone(&arguments, Command::Validate),
            _ => None,
        };
        alone.map_or_else(|| Self::try_parse_from(arguments), Ok)
    }

    /// Parses the arguments of one command, whose name is the second argument.
    fn alone<T: clap::Args>(arguments: &[OsString], command: fn(T) -> Command) -> Option<Self> {
        let only = Only::<T>::try_parse_from(&arguments[1..]).ok()?;
        Some(Self {
            command: command(only.command),
            format: only.format,
            force: only.force,
            lenient: only.lenient,
        })
    }
}

/// The commands. Their help is the doc comment of their arguments: a comment on a variant would hide it.
#[derive(Subcommand)]
pub enum Command {
    Rollout(Rollout),
    Check(Check),
    Fmt(Fmt),
    Explain(Explain),
    Ground(Ground),
    Space(Space),
    Datalog(Datalog),
    Translate(Translate),
    Show(Show),
    Generate(Generate),
    Edit(Edit),
    Plan(Plan),
    Explore(Box<Explore>),
    Learn(Learn),
    Validate(Validate),
    Exam(Exam),
    Play(Play),
    Serve(Serve),
    Mcp(Mcp),
    Lsp(Lsp),
    Rddl(Rddl),
    RddlServer(RddlServer),
    Record(Record),
    Render(Render),
    Replay(Replay),
    Bench(Bench),
    Domains(Domains),
    Fetch(Fetch),
    Completions(Completions),
    Man(Man),
    #[command(flatten)]
    Task(Task),
}

impl Command {
    /// Returns the limits of the whole command. `None` if the command reads no problem, or if it is a server, which limits
    /// each request instead.
    pub fn limits(&self) -> Option<LimitArgs> {
        Some(match self {
            Self::Rollout(command) => command.limits,
            Self::Check(command) => command.limits(),
            Self::Fmt(command) => command.limits,
            Self::Ground(command) => command.problem.limits,
            Self::Space(command) => command.problem.limits,
            Self::Datalog(command) => command.problem.limits,
            Self::Translate(command) => command.problem.limits,
            Self::Show(command) => command.limits(),
            Self::Generate(command) => command.limits,
            Self::Edit(command) => command.problem.limits,
            Self::Plan(command) => command.limits(),
            Self::Explore(command) => command.limits(),
            Self::Learn(command) => command.limits(),
            Self::Validate(command) => command.problem.limits,
            Self::Exam(command) => command.limits(),
            Self::Play(command) => command.limits(),
            Self::Rddl(command) => command.limits(),
            Self::Record(command) => command.limits(),
            Self::Render(command) => command.limits(),
            Self::Replay(command) => command.limits(),
            Self::Bench(command) => command.limits,
            Self::Fetch(command) => command.limits,
            Self::Task(command) => command.limits(),
            Self::Serve(_) | Self::Lsp(_) | Self::Mcp(_) | Self::RddlServer(_) => return None,
            Self::Explain(_) | Self::Domains(_) | Self::Completions(_) | Self::Man(_) => return None,
        })
    }

    /// Returns whether the status of the command is an answer, such as whether files are valid, that scripts need even if
    /// the output is read in part.
    pub const fn gives_an_answer(&self) -> bool {
        matches!(
            self,
            Self::Check(_)
                | Self::Exam(_)
                | Self::Explore(_)
                | Self::Fmt(_)
                | Self::Plan(_)
                | Self::Render(_)
                | Self::Replay(_)
                | Self::Validate(_)
        )
    }

    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if the input is bad or the output cannot be written.
    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        match self {
            Self::Rollout(command) => command.run(format),
            Self::Check(command) => command.run(format),
            Self::Fmt(command) => command.run(format),
            Self::Explain(command) => command.run(format),
            Self::Ground(command) => command.run(format),
            Self::Space(command) => command.run(format),
            Self::Datalog(command) => command.run(format),
            Self::Translate(command) => command.run(format),
            Self::Show(command) => command.run(format),
            Self::Generate(command) => command.run(format),
            Self::Edit(command) => command.run(format),
            Self::Plan(command) => command.run(format),
            Self::Explore(command) => command.run(format),
            Self::Learn(command) => command.run(format),
            Self::Validate(command) => command.run(format),
            Self::Exam(command) => command.run(format),
            Self::Play(command) => command.run(format),
            Self::Serve(command) => command.run(format),
            Self::Mcp(command) => command.run(format),
            Self::Lsp(command) => command.run(),
            Self::Rddl(command) => command.run(format),
            Self::RddlServer(command) => command.run(format),
            Self::Record(command) => command.run(format),
            Self::Render(command) => command.run(format),
            Self::Replay(command) => command.run(format),
            Self::Bench(command) => command.run(format),
            Self::Domains(command) => command.run(format),
            Self::Fetch(command) => command.run(format),
            Self::Completions(command) => command.run(Cli::command()),
            Self::Man(command) => command.run(Cli::command()),
            Self::Task(command) => command.run(format),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Commands that read no problem.
    const WITHOUT_PROBLEMS: [&str; 5] = ["explain", "domains", "completions", "man", "help"];

    /// Collects the commands without subcommands into `found`, each with its full name.
    fn leaves(command: &clap::Command, words: &str, found: &mut Vec<(String, clap::Command)>) {
        for one in command.get_subcommands() {
            let words = format!("{words} {}", one.get_name()).trim().to_owned();
            if one.has_subcommands() {
                leaves(one, &words, found);
            } else {
                found.push((words, one.clone()));
            }
        }
    }

    #[test]
    fn every_command_that_reads_a_problem_has_limits() {
        let mut commands = Vec::new();
        leaves(&Cli::command(), "", &mut commands);
        assert!(commands.len() > 25, "{}", commands.len());
        for (words, command) in commands {
            let has = |name| {
                command
                    .get_arguments()
                    .any(|argument| argument.get_long() == Some(name))
            };
            let reads = !WITHOUT_PROBLEMS.contains(&words.as_str());
            assert_eq!((has("time"), has("memory")), (reads, reads), "{words}");
        }
    }

    /// The examples of a command are parsed equally with the options of all commands and with its own only.
    #[test]
    fn commands_mean_the_same_alone() {
        let alone = [
            ("ground", Only::<Ground>::command()),
            ("plan", Only::<Plan>::command()),
            ("translate", Only::<Translate>::command()),
            ("validate", Only::<Validate>::command()),
        ];
        let all = Cli::command();
        for (name, alone) in alone {
            let command = all.find_subcommand(name).expect("a command");
            let examples = command.get_after_help().expect("examples").to_string();
            let lines = examples
                .lines()
                .filter_map(|line| line.trim().strip_prefix("herbrand "));
            // Other examples need a shell to find their words.
            let is_plain = |line: &&str| line.starts_with(name) && !line.contains(['"', '|']);
            let lines = lines.filter(is_plain);
            let mut count = 0;
            for line in lines {
                let line = line.split("  ").next().unwrap_or_default();
                let words = || line.split_whitespace().take_while(|&word| word != ">");
                let full = all
                    .clone()
                    .try_get_matches_from(std::iter::once("herbrand").chain(words()));
                let full = full.expect("an example that is right");
                let (_, full) = full.subcommand().expect("a command");
                let only = alone
                    .clone()
                    .try_get_matches_from(words())
                    .expect("the same example");
                for argument in alone.get_arguments().filter(|one| one.get_id() != "help") {
                    let id = argument.get_id().as_str();
                    let values = |matches: &clap::ArgMatches| {
                        let raw = matches
                            .get_raw(id)
                            .map(|all| all.map(std::ffi::OsStr::to_owned).collect::<Vec<_>>());
                        (raw, matches.value_source(id))
                    };
                    assert_eq!(values(&only), values(full), "{id} of `{line}`");
                }
                count += 1;
            }
            assert!(count > 1, "{name}");
        }
    }

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
