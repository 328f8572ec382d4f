//! What can go wrong while learning.

use herbrand_env::EnvError;
use herbrand_limits::Spent;
use herbrand_pddl::Faults;
use herbrand_step::StepError;

/// Why no model could be learned, or a learned one not be judged.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// A problem of the suite is at fault, or a step failed.
    #[error(transparent)]
    Env(#[from] EnvError),
    /// A learned model, written as PDDL, is not accepted.
    #[error("the learned domain is at fault: {0}")]
    Model(Faults),
    /// States have numbers, which no learner here reads.
    #[error("problem {problem} has numeric fluents in its states: only atoms are learned")]
    Numbers {
        /// The name of the problem.
        problem: String,
    },
    /// Recorded transitions do not fit the domain.
    #[error("{} fault(s) in recorded transitions{}", faults.len(), listed(faults))]
    Recorded {
        /// What is wrong, and where.
        faults: Vec<String>,
    },
    /// A domain does not have the vocabulary that a model needs.
    #[error("the domain does not fit what was seen{}", listed(faults))]
    Vocabulary {
        /// What is different.
        faults: Vec<String>,
    },
    /// A change cannot be told in terms of an operator's parameters.
    #[error(
        "the safe learner needs operators whose parameters name everything they change, and {operator} changed \
         {atom}: learn from operators, or with FOLDT"
    )]
    Hidden {
        /// The name of the action.
        operator: String,
        /// The atom that changed.
        atom: String,
    },
    /// The effect of an operator depends on the state, and chance is not declared.
    #[error(
        "the safe learner refuses conditional effects, and {operator} changed {effect} in some states only: use FOLDT"
    )]
    Conditional {
        /// The name of the action.
        operator: String,
        /// The change, over the parameters.
        effect: String,
    },
    /// The learned model fails in a state in which it is judged.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A limit of time or memory is reached.
    #[error(transparent)]
    Spent(#[from] Spent),
}

/// The first faults, one per line.
fn listed(faults: &[String]) -> String {
    const MOST: usize = 20;
    let shown = faults.iter().take(MOST);
    let mut text: String = shown.map(|fault| format!("\n  {fault}")).collect();
    if faults.len() > MOST {
        text += &format!("\n  and {} more", faults.len() - MOST);
    }
    text
}
