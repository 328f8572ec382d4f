//! The errors of grounding.

use herbrand_datalog::{EvaluationError, InvalidProgram, NegativeCycle};
use herbrand_limits::BudgetExhausted;
use herbrand_pddl::{Domain, Problem};

/// The reason why a problem cannot be grounded ([`ground`](crate::ground())), explained ([`explain`](crate::explain()))
/// or compiled into a lifted task. After [`Limit`](Self::Limit) and [`BudgetExhausted`](Self::BudgetExhausted), raise
/// the limits or compile a [`LiftedTask`](crate::LiftedTask).
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum GroundError {
    /// The problem was checked against another domain.
    #[error("problem `{problem}` was checked against another domain than `{domain}`")]
    OtherDomain {
        /// The domain's name.
        domain: String,
        /// The problem's name.
        problem: String,
    },
    /// The domain has durative actions, or the problem timed literals: these have no states without a clock.
    #[error("{0} takes time, and this has no clock")]
    Time(String),
    /// A derived predicate depends on its own negation, so the axioms are not stratified.
    #[error(transparent)]
    NegativeCycle(#[from] NegativeCycle),
    /// The Datalog program that grounding wrote for the problem is invalid, which checked problems with stratified
    /// axioms do not cause.
    #[error(transparent)]
    Program(#[from] InvalidProgram),
    /// The evaluation of the delete-relaxed program exceeded a limit of memory or time, or a budget that
    /// [encloses](herbrand_limits::Budget::enclose) the call was exhausted meanwhile.
    #[error("grounding stopped: {0}")]
    Limit(#[from] EvaluationError),
    /// A computation before or after the evaluation exceeded a limit of memory or time.
    #[error("grounding stopped: {0}")]
    BudgetExhausted(#[from] BudgetExhausted),
}

impl GroundError {
    /// Returns an error unless the problem was checked against the domain, and nothing in them takes time.
    pub(crate) fn check_domain(domain: &Domain, problem: &Problem) -> Result<(), Self> {
        if let Some(action) = domain.durative_actions.first() {
            return Err(Self::Time(format!("the action `{}`", action.name)));
        }
        if !problem.timed.is_empty() {
            return Err(Self::Time(format!(
                "problem `{}` has timed literals and",
                problem.name
            )));
        }
        if problem.domain_fingerprint == domain.fingerprint() {
            return Ok(());
        }
        let (domain, problem) = (domain.name.to_string(), problem.name.to_string());
        Err(Self::OtherDomain { domain, problem })
    }
}
