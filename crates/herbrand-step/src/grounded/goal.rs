//! The goal, tested after every step.

use herbrand_ground::{GroundTask, Rows};

use crate::grounded::propositions::Propositions;
use crate::grounded::truth::Truth;

/// The conjunctions of the goal as literals.
#[derive(Debug)]
pub(crate) struct Goal {
    conjunctions: Rows<u32>,
}

/// No literal: that of a conjunction without any.
const NONE: u32 = u32::MAX;

impl Goal {
    pub(crate) fn new(task: &GroundTask, propositions: &Propositions) -> Self {
        let mut conjunctions = Rows::default();
        for id in task.conditions.conjunctions(task.goal) {
            conjunctions.push(propositions.literals(task, id));
        }
        Self { conjunctions }
    }

    /// A literal of each conjunction, for [`holds`](Self::holds).
    pub(crate) fn witnesses(&self) -> Vec<u32> {
        let first = |literals: &[u32]| literals.first().copied().unwrap_or(NONE);
        self.conjunctions.iter().map(first).collect()
    }

    /// Whether the goal holds. `witnesses` keeps a literal of each conjunction that did not hold when last looked at:
    /// usually it still does not, and nothing else is read.
    #[inline]
    pub(crate) fn holds(&self, truth: &Truth, witnesses: &mut [u32]) -> bool {
        for (index, witness) in witnesses.iter_mut().enumerate() {
            if *witness != NONE && !truth.holds(*witness) {
                continue;
            }
            let mut literals = self.conjunctions.row(index).iter().copied();
            match literals.find(|&literal| !truth.holds(literal)) {
                Some(literal) => *witness = literal,
                None => return true,
            }
        }
        false
    }
}
