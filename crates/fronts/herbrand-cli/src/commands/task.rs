//! The tasks of the library that have no command of their own: each is a command with its options, and a plain layout.

use std::io::Write as _;

use clap::{ArgMatches, Args as _, Command, FromArgMatches, Subcommand};
use herbrand::env::ActionMode;
use herbrand::tasks::{Run, TASKS, TaskSpec};
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::limits::LimitArgs;
use crate::options;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};
use crate::problem::ProblemArgs;

/// A task with its options, for one problem.
pub struct Task {
    spec: &'static TaskSpec,
    problem: ProblemArgs,
    options: Map<String, Value>,
    seed: u64,
}

const SEED: &str = "seed";

/// The tasks that have a command of their own.
const WITH_COMMANDS: [&str; 9] = [
    "bounds",
    "datalog",
    "ground",
    "plan",
    "rollout",
    "show",
    "space",
    "translate",
    "validate",
];

/// Returns the tasks without a command of their own.
fn others() -> impl Iterator<Item = &'static TaskSpec> {
    TASKS.iter().filter(|spec| !WITH_COMMANDS.contains(&spec.name))
}

impl FromArgMatches for Task {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let spec = others().find(|spec| spec.name == name).ok_or_else(missing)?;
        Ok(Self {
            spec,
            problem: ProblemArgs::from_arg_matches(matches)?,
            options: options::given(matches, spec.options),
            seed: matches.get_one(SEED).copied().unwrap_or_default(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for Task {
    fn augment_subcommands(command: Command) -> Command {
        others().fold(command, |command, spec| {
            let seed = clap::Arg::new(SEED).long(SEED).value_name("N");
            let seed = seed
                .value_parser(clap::value_parser!(u64))
                .help("The random seed [default: 0]");
            let own = ProblemArgs::augment_args(Command::new(spec.name))
                .about(spec.about)
                .long_about(spec.about);
            let own = spec.options.iter().map(options::argument).fold(own, Command::arg);
            command.subcommand(own.arg(seed))
        })
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        others().any(|spec| spec.name == name)
    }
}

impl Task {
    /// Returns the limits of time and memory for the whole command.
    pub const fn limits(&self) -> LimitArgs {
        self.problem.limits
    }

    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let problem = self.problem.find(ActionMode::Operators)?;
        let mut run = Run {
            limits: self.problem.limits(),
            seed: self.seed,
            ..Run::default()
        };
        let answer = self.spec.answer(self.options, &problem, &mut run)?;
        match format {
            Format::Json => output::json(&answer)?,
            Format::Text => print(&answer)?,
        }
        Ok(CommandOutcome::Yes)
    }
}

/// Prints an answer: a line for each of its fields, then its lists of objects as tables.
fn print(answer: &Value) -> std::io::Result<()> {
    let fields = answer.as_object().into_iter().flatten();
    let (tables, lines): (Vec<_>, Vec<_>) = fields.partition(|(_, value)| rows(value).is_some());
    let width = lines
        .iter()
        .map(|(name, _)| name.chars().count())
        .max()
        .unwrap_or(0);
    let mut out = output::out();
    for (name, value) in lines {
        writeln!(out, "{:<width$}  {}", title(name), text(value))?;
    }
    out.flush()?;
    drop(out);
    for (name, value) in tables {
        writeln!(output::out(), "\n{}", title(name))?;
        let rows: Vec<_> = rows(value).unwrap_or_default();
        let Some(first) = rows.first() else { continue };
        let columns: Vec<_> = first
            .iter()
            .map(|(name, value)| (title(name), value.is_number()))
            .collect();
        let columns: Vec<_> = columns
            .iter()
            .map(|(name, is_number)| (name.as_str(), *is_number))
            .collect();
        output::table(&columns, rows.iter().map(|row| row.values().map(text).collect()))?;
    }
    Ok(())
}

/// Returns the objects of a list; `None` for other values and the empty list.
fn rows(value: &Value) -> Option<Vec<&Map<String, Value>>> {
    let rows = value.as_array().filter(|rows| !rows.is_empty())?;
    rows.iter().map(Value::as_object).collect()
}

fn title(name: &str) -> String {
    name.replace('_', " ")
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "none".to_owned(),
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}
