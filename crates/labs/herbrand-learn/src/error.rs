//! Errors of learning and judging.

use herbrand_env::EnvError;
use herbrand_limits::BudgetExhausted;
use herbrand_pddl::Faults;
use herbrand_step::StepError;

/// An error while learning or judging a model.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// A problem of the suite is invalid, or a step failed.
    #[error(transparent)]
    Env(#[from] EnvError),
    /// The learned model, written as PDDL, does not parse. Contains the faults.
    #[error("the learned domain is faulty: {0}")]
    Model(Faults),
    /// States have numeric fluents, which the learners do not support.
    #[error("the states of problem {problem} have numeric fluents, but only atoms can be learned")]
    Numbers {
        /// The name of the problem.
        problem: String,
    },
    /// Transitions recorded by name do not fit the domain.
    #[error("{} fault(s) in the recorded transitions{}", faults.len(), listed(faults))]
    Recorded {
        /// A message for each fault, with the number of the transition.
        faults: Vec<String>,
    },
    /// A domain has a different vocabulary than the learned model needs.
    #[error(
        "the learned domain does not explain the recorded transitions{}",
        listed(faults)
    )]
    /// The domain of a suite, an experience or a model written elsewhere has another vocabulary than the learned model
    /// needs.
    Vocabulary {
        /// A message for each difference.
        faults: Vec<String>,
    },
    /// The learner cannot write a change over the parameters of the operator and the constants, so the operator must
    /// change an object that it does not name.
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
    /// The effect of an operator depends on the state, which the learner cannot express, and the domain does not declare
    /// probabilistic effects.
    #[error(
        "the safe learner refuses conditional effects, and {operator} changed {effect} in some states only: use FOLDT"
    )]
    Conditional {
        /// The name of the operator.
        operator: String,
        /// The change, over the operator's parameters.
        effect: String,
    },
    /// A step of the learned model failed while it was judged.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A time or memory limit was reached.
    #[error(transparent)]
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
