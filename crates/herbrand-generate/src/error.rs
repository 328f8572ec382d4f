//! What can go wrong.

use herbrand_env::EnvError;
use herbrand_env::plan::PlanFailure;
use herbrand_pddl::Faults;
use herbrand_step::{CompileError, StepError};
use herbrand_text::did_you_mean;

/// Why there is no problem, or no certificate of one.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// No generator has this name.
    #[error("there is no generator `{name}`{}", did_you_mean(.suggestion.as_deref()))]
    UnknownDomain {
        /// The name.
        name: String,
        /// The nearest name.
        suggestion: Option<String>,
    },
    /// The size is out of range.
    #[error("{domain} has problems of size {least} to {most} ({meaning}), not {size}")]
    Size {
        /// The domain.
        domain: &'static str,
        /// What was asked for.
        size: u32,
        /// The least size.
        least: u32,
        /// The greatest size.
        most: u32,
        /// What the size counts.
        meaning: &'static str,
    },
    /// No draw made a problem that can be solved and is not solved initially.
    #[error("{domain}: no problem of size {size} was found in {attempts} attempts")]
    Exhausted {
        /// The domain.
        domain: &'static str,
        /// The size.
        size: u32,
        /// How many draws there were.
        attempts: u64,
    },
    /// The domain cannot be had.
    #[error(transparent)]
    Domain(#[from] EnvError),
    /// A text is at fault.
    #[error(transparent)]
    Faults(#[from] Faults),
    /// The problem cannot be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The plan cannot be followed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The goal holds initially.
    #[error("{problem}: the goal holds at first")]
    Trivial {
        /// The problem.
        problem: String,
    },
    /// The plan does not show that the problem can be solved.
    #[error("{problem}: the plan does not reach the goal{}", because(.failure.as_ref()))]
    Unsolved {
        /// The problem.
        problem: String,
        /// The step that cannot be executed, if it is that.
        failure: Option<PlanFailure>,
    },
}

fn because(failure: Option<&PlanFailure>) -> String {
    failure.map_or_else(String::new, |failure| {
        format!(": step {}: {}", failure.step, failure.reason)
    })
}
