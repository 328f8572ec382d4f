//! The goal, tested after every step.

use herbrand_ground::{GroundTask, Rows};

use crate::grounded::propositions::Propositions;
use crate::grounded::truth::Truth;

/// The conjunctions of the goal as literals.
#[derive(Debug)]
pub(crate) struct Goal {
    conjunctions: Rows<u32>,
}

impl Goal {
    pub(crate) fn new(task: &GroundTask, propositions: &Propositions) -> Self {
        let mut conjunctions = Rows::default();
        for id in task.conditions.conjunctions(task.goal) {
            conjunctions.push(propositions.literals(task, id));
        }
        Self { conjunctions }
    }

    /// How many conjunctions there are.
    pub(crate) fn len(&self) -> usize {
        self.conjunctions.len()
    }

    /// Whether the goal holds. `witnesses` keeps the place of a literal of each conjunction that did not hold when
    /// last looked at: usually it still does not.
    #[inline]
    pub(crate) fn holds(&self, truth: &Truth, witnesses: &mut [u32]) -> bool {
        for (literals, witness) in self.conjunctions.iter().zip(witnesses) {
            if literals
                .get(*witness as usize)
                .is_some_and(|&literal| !truth.holds(literal))
            {
                continue;
            }
            match (0..).zip(literals).find(|&(_, &literal)| !truth.holds(literal)) {
                Some((place, _)) => *witness = place,
                None => return true,
            }
        }
        false
    }
}
