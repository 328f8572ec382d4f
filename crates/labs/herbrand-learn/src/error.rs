//! Errors of learning and judging.

use herbrand_env::EnvError;
use herbrand_limits::BudgetExhausted;
use herbrand_pddl::Faults;
use herbrand_step::StepError;

/// An error while learning or judging a model. [`explore`](crate::explore),
/// [`Recording::finish`](crate::Recording::finish), the learners, [`Learned`](crate::Learned) and
/// [`Judge`](crate::Judge) return it.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// A problem is unknown, invalid, too large to be grounded or of another domain, or a step of the true model
    /// failed.
    #[error(transparent)]
    Env(#[from] EnvError),
    /// The learned model, written as PDDL, does not parse. Contains the faults.
    /// [`Learned::to_pddl`](crate::Learned::to_pddl) returns it.
    #[error("the learned domain is faulty: {0}")]
    Model(Faults),
    /// States have numeric fluents, which the learners do not support. [`explore`](crate::explore) returns it.
    #[error("the states of problem {problem} have numeric fluents, but only atoms can be learned")]
    Numbers {
        /// The name of the problem.
        problem: String,
    },
    /// Transitions recorded by name do not fit the domain. [`Recording::finish`](crate::Recording::finish) returns it.
    #[error("{} fault(s) in the recorded transitions{}", faults.len(), listed(faults))]
    Recorded {
        /// A message for each fault, with the number of the transition, counted from 1, or with the name of the
        /// problem.
        faults: Vec<String>,
    },
    /// A domain that was learned elsewhere has another vocabulary than the language.
    /// [`Learned::from_domain`](crate::Learned::from_domain) returns it.
    #[error(
        "the domain has another vocabulary than the recorded transitions{}",
        listed(faults)
    )]
    Vocabulary {
        /// A message for each difference.
        faults: Vec<String>,
    },
    /// The learner cannot write a change over the parameters of the operator and the constants, so the operator must
    /// change an object that it does not name. Only [`learn_safe`](crate::learn_safe) returns it.
    #[error(
        "the safe learner needs operators whose parameters name everything they change, and {operator} changed \
         {atom}: learn from operators, or with FOLDT"
    )]
    Hidden {
        /// The name of the operator.
        operator: String,
        /// The changed atom.
        atom: String,
    },
    /// The effect of an operator depends on the state, which the learner cannot express, and the domain does not
    /// declare probabilistic effects. Only [`learn_safe`](crate::learn_safe) returns it.
    #[error(
        "the safe learner refuses conditional effects, and {operator} changed {effect} in some states only: use FOLDT"
    )]
    Conditional {
        /// The name of the operator.
        operator: String,
        /// The change, over the operator's parameters.
        effect: String,
    },
    /// A step failed while successors were predicted ([`Learned::predict`](crate::Learned::predict),
    /// [`Judge::distance`](crate::Judge::distance)), or the planner of [`Judge::solve`](crate::Judge::solve) failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A time or memory limit was reached.
    #[error("{0}")]
    BudgetExhausted(#[from] BudgetExhausted),
}

/// Lists the first faults, one per line.
fn listed(faults: &[String]) -> String {
    const MOST: usize = 20;
    let shown = faults.iter().take(MOST);
    let mut text: String = shown.map(|fault| format!("\n  {fault}")).collect();
    if faults.len() > MOST {
        text += &format!("\n  and {} more", faults.len() - MOST);
    }
    text
}
