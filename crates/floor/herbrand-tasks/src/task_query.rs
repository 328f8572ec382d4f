//! The queries of tasks.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::failure::TaskFailure;
use crate::options::OptionSpec;
use crate::problems::AnyProblems;
use crate::run::Run;

/// The query of a task: plain data with a field for each option.
pub trait TaskQuery: Default + DeserializeOwned {
    /// The name of the task: a verb, or a noun for the answer.
    const NAME: &'static str;
    /// A description of the task: a sentence.
    const ABOUT: &'static str;
    /// The options, one for each field.
    const OPTIONS: &'static [OptionSpec];
    /// The answer. It serialises as the program prints it with `--format json`.
    type Answer: Serialize;

    /// Answers the query for a set of problems.
    ///
    /// # Errors
    /// Fails if a problem is faulty, an option does not fit it, or a limit is reached.
    fn answer(&self, problems: &AnyProblems, run: &mut Run<'_>) -> Result<Self::Answer, TaskFailure>;
}
