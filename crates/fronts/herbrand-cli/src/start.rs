//! The option `--start`: the model with which a domain under edit begins.

use clap::Args;
use herbrand::env::ActionMode;
use herbrand::limits::Limits;
use herbrand::tasks::AnyProblems;

use crate::failure::Failure;
use crate::input;

/// The option for the first model.
#[derive(Args, Clone, Debug, Default)]
pub struct StartArgs {
    /// The start of `pddlworld`: `empty`, `random`, `target`, the number of wrong literals, or a domain file
    #[arg(long, value_name = "START")]
    start: Option<String>,
}

impl StartArgs {
    /// Applies the option to a set of problems.
    ///
    /// # Errors
    /// Fails if the option is given for other problems than domains under edit, or if it names no start.
    pub fn apply(&self, problems: AnyProblems) -> Result<AnyProblems, Failure> {
        let Some(word) = &self.start else {
            return Ok(problems);
        };
        let opener = input::opener(ActionMode::Operators, Limits::default());
        Ok(opener.started(&problems, word)?)
    }
}
