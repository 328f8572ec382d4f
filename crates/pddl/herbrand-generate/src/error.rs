//! Errors of generating and certifying problems.

use herbrand_env::EnvError;
use herbrand_env::plan::PlanFailure;
use herbrand_pddl::Faults;
use herbrand_step::{CompileError, StepError};
use herbrand_text::did_you_mean;

/// The reason why a problem could not be generated or certified. [`Generator::generate`](crate::Generator::generate)
/// gives `Size` and `Exhausted`, [`Generator::get`](crate::Generator::get) gives `UnknownDomain`,
/// [`Generator::files`](crate::Generator::files) gives `Domain`, and
/// [`Generated::certify`](crate::Generated::certify) gives all except `Size` and `Exhausted`.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// No generator has this name.
    #[error("there is no generator `{name}`{}", did_you_mean(.suggestion.as_deref()))]
    UnknownDomain {
        /// The unknown name.
        name: String,
        /// The name of the generator that is most similar; `None` if none is similar.
        suggestion: Option<String>,
    },
    /// The requested size is out of range.
    #[error("{domain} has problems of size {least} to {most} ({meaning}), not {size}")]
    Size {
        /// The name of the domain.
        domain: &'static str,
        /// The requested size.
        size: u32,
        /// The smallest size that the generator supports.
        least: u32,
        /// The largest size that the generator supports.
        most: u32,
        /// The meaning of the size, such as the number of blocks.
        meaning: &'static str,
    },
    /// No attempt gave a problem that can be solved and whose goal does not hold already. Try another seed, index or
    /// size.
    #[error("{domain}: no problem of size {size} was found in {attempts} attempts")]
    Exhausted {
        /// The name of the domain.
        domain: &'static str,
        /// The requested size.
        size: u32,
        /// The number of attempts.
        attempts: u64,
    },
    /// The files of the domain cannot be read, or their settings are invalid.
    #[error(transparent)]
    Domain(#[from] EnvError),
    /// The text of the domain or of the problem is not valid PDDL.
    #[error(transparent)]
    Faults(#[from] Faults),
    /// The problem cannot be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// A step of the plan failed with an error, such as a division by zero.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The goal holds in the initial state already.
    #[error("{problem}: the goal already holds in the initial state")]
    Trivial {
        /// The name of the problem.
        problem: String,
    },
    /// The plan does not reach the goal; in a probabilistic domain, not in any outcome that was followed.
    #[error("{problem}: the plan does not reach the goal{}", because(.failure.as_ref()))]
    Unsolved {
        /// The name of the problem.
        problem: String,
        /// The first step that is not applicable; `None` if all are, but the goal does not hold at the end. Also
        /// `None` if the text of the plan has a malformed line.
        failure: Option<PlanFailure>,
    },
}

fn because(failure: Option<&PlanFailure>) -> String {
    failure.map_or_else(String::new, |failure| {
        format!(": step {}: {}", failure.step, failure.reason)
    })
}
