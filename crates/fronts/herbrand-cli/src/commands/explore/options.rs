//! The values of options: games, worlds, readers, methods.

use std::str::FromStr;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use herbrand::explore::{Execution, ExploreOptions, Mode, PlannerSolver, Setting};
use herbrand::plan::PlannerKind;

use crate::failure::ValueError;
use crate::limits::LimitArgs;
use crate::options::planners;

/// How games are played.
#[derive(Args)]
pub struct PlayArgs {
    /// The seed of the reader `random`
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub seed: u64,

    /// How much of a plan to execute before planning again
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    execute: Execute,

    /// How often to ask the reader again about the same text
    #[arg(long, default_value_t = ExploreOptions::default().retries, value_name = "N")]
    retries: usize,

    /// Count commands that are not valid as steps, as PDDLEGO does, in the mode end-to-end
    #[arg(long)]
    count_invalid: bool,

    /// The planner for goals for which any plan suffices
    #[arg(long, default_value = "landmarks", value_name = "PLANNER", value_parser = planners())]
    planner: PlannerKind,

    #[command(flatten)]
    pub limits: LimitArgs,
}

impl PlayArgs {
    /// Returns the options of games in which the reader answers in a mode.
    pub fn options(&self, mode: Mode) -> ExploreOptions {
        ExploreOptions {
            execution: self.execute.into(),
            mode,
            retries: self.retries,
            counts_invalid: self.count_invalid,
        }
    }

    /// Returns the solver of a game, with the limits of each search.
    pub fn solver(&self) -> PlannerSolver {
        PlannerSolver::new(self.planner, self.limits.limits())
    }
}

/// A range of games.
#[derive(Clone, Debug)]
pub struct Games(pub std::ops::Range<u64>);

impl FromStr for Games {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let number = |text: &str| {
            text.parse::<u64>()
                .map_err(|_| ValueError::Number(text.to_owned()))
        };
        let (start, end) = match text.split_once("..") {
            Some((start, end)) => (number(start)?, number(end)?),
            None => {
                let one = number(text)?;
                (one, one.checked_add(1).ok_or(ValueError::TooLarge)?)
            }
        };
        if start < end {
            Ok(Self(start..end))
        } else {
            Err(ValueError::Empty(start, end))
        }
    }
}

pub fn settings() -> impl TypedValueParser<Value = Setting> {
    PossibleValuesParser::new(Setting::ALL.map(Setting::name)).try_map(|name| name.parse::<Setting>())
}

/// The reader that turns a game's texts into statements.
#[derive(Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum ReaderName {
    /// A table of the games' sentences, or that of --task
    #[default]
    Rules,
    /// Answers from the file of --script
    Script,
    /// A language model, through a server with OpenAI's chat completions interface
    Model,
    /// A player that draws its commands at random, with --mode end-to-end
    Random,
}

/// The part of a plan to execute before planning again.
#[derive(Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum Execute {
    /// The whole plan, unless a command is refused
    WholePlan,
    /// Until an observation is new or differs from the prediction
    #[default]
    UntilSurprise,
    /// One step
    EveryStep,
}

impl From<Execute> for Execution {
    fn from(execute: Execute) -> Self {
        match execute {
            Execute::WholePlan => Self::WholePlan,
            Execute::UntilSurprise => Self::UntilSurprise,
            Execute::EveryStep => Self::EveryStep,
        }
    }
}

/// The kind of answer that the reader returns.
#[derive(Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum ModeName {
    /// The statements that a text makes
    #[default]
    Edits,
    /// Lines to add, to replace and to delete in the problem, as PDDLEGO edits it
    Lines,
    /// The complete problem, again after each text
    WholeProblem,
    /// The next command, without planning
    EndToEnd,
}

impl From<ModeName> for Mode {
    fn from(mode: ModeName) -> Self {
        match mode {
            ModeName::Edits => Self::Edits,
            ModeName::Lines => Self::Lines,
            ModeName::WholeProblem => Self::WholeProblem,
            ModeName::EndToEnd => Self::EndToEnd,
        }
    }
}
