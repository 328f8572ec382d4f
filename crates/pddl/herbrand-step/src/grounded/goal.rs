//! Testing the goal after each step.

use herbrand_ground::{GroundTask, Rows};

use crate::grounded::propositions::Propositions;
use crate::grounded::truth::Truth;

/// The goal as conjunctions of literals.
#[derive(Debug)]
pub(crate) struct Goal {
    conjunctions: Rows<u32>,
}

/// The witness of an empty conjunction.
const NONE: u32 = u32::MAX;

impl Goal {
    pub(crate) fn new(task: &GroundTask, propositions: &Propositions) -> Self {
        let mut conjunctions = Rows::default();
        for id in task.conditions.conjunctions(task.goal) {
            conjunctions.push(propositions.literals(task, id));
        }
        Self { conjunctions }
    }

    /// Returns initial witnesses for [`holds`](Self::holds): one literal per conjunction.
    pub(crate) fn witnesses(&self) -> Vec<u32> {
        let first = |literals: &[u32]| literals.first().copied().unwrap_or(NONE);
        self.conjunctions.iter().map(first).collect()
    }

    /// Returns whether the goal holds. `witnesses` contains, for each conjunction, the literal that failed in the last test.
    /// Usually it still fails, and no other literal of the conjunction is read.
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
