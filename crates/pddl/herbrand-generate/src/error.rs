//! Errors of generating and certifying problems.

use herbrand_env::EnvError;
use herbrand_env::plan::PlanFailure;
use herbrand_pddl::Faults;
use herbrand_step::{CompileError, StepError};
use herbrand_text::did_you_mean;

/// An error while generating or certifying a problem.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// No generator has this name.
    #[error("there is no generator `{name}`{}", did_you_mean(.suggestion.as_deref()))]
    UnknownDomain {
        /// The name.
        name: String,
        /// The most similar name.
        suggestion: Option<String>,
    },
    /// The size is out of range.
    #[error("{domain} has problems of size {least} to {most} ({meaning}), not {size}")]
    Size {
        /// The domain.
        domain: &'static str,
        /// The requested size.
        size: u32,
        /// The least size.
        least: u32,
        /// The greatest size.
        most: u32,
        /// The meaning of the size.
        meaning: &'static str,
    },
    /// No attempt gave a solvable problem that is not trivial.
    #[error("{domain}: no problem of size {size} was found in {attempts} attempts")]
    Exhausted {
        /// The domain.
        domain: &'static str,
        /// The size.
        size: u32,
        /// The number of attempts.
        attempts: u64,
    },
    /// The files of the domain cannot be read.
    #[error(transparent)]
    Domain(#[from] EnvError),
    /// A text is not valid PDDL.
    #[error(transparent)]
    Faults(#[from] Faults),
    /// The problem cannot be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// A step of the plan failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The goal holds in the initial state.
    #[error("{problem}: the goal already holds in the initial state")]
    Trivial {
        /// The problem.
        problem: String,
    },
    /// The plan does not reach the goal.
    #[error("{problem}: the plan does not reach the goal{}", because(.failure.as_ref()))]
    Unsolved {
        /// The problem.
        problem: String,
        /// The first step that is not applicable, if there is one.
        failure: Option<PlanFailure>,
    },
}

fn because(failure: Option<&PlanFailure>) -> String {
    failure.map_or_else(String::new, |failure| {
        format!(": step {}: {}", failure.step, failure.reason)
    })
}
