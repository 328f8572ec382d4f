//! The option `--preconditions`: the effect of an action that violates a precondition.

use clap::{Args, ValueEnum};
use herbrand::rddl::simulate::Preconditions;
use herbrand::tasks::AnyProblems;

use crate::failure::Failure;

/// The option for violated action preconditions.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct PreconditionArgs {
    /// The effect of a violated action precondition, in RDDL [default: reported]
    #[arg(long, value_name = "EFFECT", value_enum)]
    preconditions: Option<Effect>,
}

/// The effect of a violated action precondition on a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Effect {
    /// The step carries out the action, and a message names the precondition
    Reported,
    /// The step is an error, which ends an episode before its horizon
    Refused,
    /// The step takes no action, and a message names the precondition
    Replaced,
    /// The step carries out the action; random actions violate preconditions too
    Ignored,
}

impl PreconditionArgs {
    /// Returns the effect that was chosen, or the default.
    pub fn effect(self) -> Preconditions {
        match self.preconditions {
            None => Preconditions::default(),
            Some(Effect::Reported) => Preconditions::Reported,
            Some(Effect::Refused) => Preconditions::Refused,
            Some(Effect::Replaced) => Preconditions::Replaced,
            Some(Effect::Ignored) => Preconditions::Ignored,
        }
    }

    /// Applies the option to a set of problems.
    ///
    /// # Errors
    /// Fails if the option is given for problems in PDDL.
    pub fn apply(self, problems: AnyProblems) -> Result<AnyProblems, Failure> {
        match self.preconditions {
            None => Ok(problems),
            Some(_) => Ok(problems.with_preconditions(self.effect())?),
        }
    }
}
