//! Errors of making and grading questions.

use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_text::Faults;
use herbrand_verbalize::TextCode;

use crate::kind::Kind;

/// The number of states up to which the second route visits all states.
pub(crate) const VISITED: usize = 400;
/// The same for a domain of one's own, about which few questions are asked.
pub(crate) const VISITED_OWN: usize = 2_000;

/// The reason why no questions are made, or a file of questions cannot be used. [`make`](crate::make) and
/// [`Checker`](crate::Checker) return it.
#[derive(Debug, thiserror::Error)]
pub enum ExamError {
    /// The two routes to an answer disagree: a bug of this program. Please report it with the text.
    #[error(
        "a question of kind {kind} has two answers: `{first}` by the engine and `{second}` by the second route\n\
         {question}"
    )]
    Disagreement {
        /// The kind of the question.
        kind: Kind,
        /// The answer of the engine.
        first: String,
        /// The answer of the second route.
        second: String,
        /// The question: its subject as JSON, its domain and its problem in PDDL.
        question: String,
    },
    /// The second route finds no answer, or several.
    #[error("a question of kind {kind} has no single answer: {reason}")]
    NoAnswer {
        /// The kind of the question.
        kind: Kind,
        /// The fault.
        reason: String,
    },
    /// The domains have too few problems for this number of questions of a kind.
    #[error("only {made} of {wanted} questions of kind {kind} can be made: {reason}")]
    Shortage {
        /// The kind of the questions.
        kind: Kind,
        /// The number of questions that were made.
        made: usize,
        /// The number of questions that were asked for.
        wanted: usize,
        /// Why there are no more, and the option or input to change.
        reason: String,
    },
    /// A problem or a question in a file is faulty.
    #[error("{problem}: {reason}")]
    Problem {
        /// The problem or question.
        problem: String,
        /// The fault.
        reason: String,
    },
    /// The table of sentences is faulty, or does not fit the domain.
    #[error(transparent)]
    Sentences(#[from] Faults<TextCode>),
    /// There is no such bundled domain.
    #[error("there is no bundled domain `{name}`{}", herbrand_text::did_you_mean(suggestion.as_deref()))]
    UnknownDomain {
        /// The name.
        name: String,
        /// A domain with a similar name; `None` if no name is similar.
        suggestion: Option<String>,
    },
    /// The options ask for questions that cannot be made. Contains the reason.
    #[error("{0}")]
    Request(String),
    /// The limits of time or memory are exceeded.
    #[error("{0}")]
    Limit(#[from] BudgetExhausted),
}

impl ExamError {
    /// Returns the error of a problem, or that the budget is exhausted if it is.
    pub(crate) fn of(error: &dyn std::fmt::Display, budget: &Budget, problem: &str) -> Self {
        match budget.check("making questions", 0) {
            Err(exhausted) => exhausted.into(),
            Ok(()) => Self::Problem {
                problem: problem.to_owned(),
                reason: error.to_string(),
            },
        }
    }
}
