//! What the numeric effects of a ground action come to.

use herbrand_ground::{GroundAssignment, GroundTask, NumericId};

use crate::grounded::programs::Arithmetic;
use crate::grounded::state::{State, Valuation, decode};
use crate::semantics::numbers::{NumberChange, NumberFault, Numbers};

impl Numbers {
    /// Computes what `assignments` change in `world`. On an error, names the number it is about.
    pub(crate) fn compute(
        &mut self,
        task: &GroundTask,
        arithmetic: &Arithmetic,
        world: &impl Valuation,
        assignments: &[GroundAssignment],
    ) -> Result<(), (NumericId, NumberFault)> {
        self.clear();
        for assignment in assignments {
            let value = arithmetic
                .value(assignment.value, world)
                .map_err(|fault| (assignment.target, NumberFault::Value(fault)))?;
            self.push(assignment.target, assignment.operator, value);
        }
        self.combine(|id| id.number() >= task.state_numerics, |id| world.value(id))
    }

    /// The changes of numbers that lead from a state to the one of the same task with other words.
    pub(crate) fn differences(&mut self, state: &State, words: &[u64]) {
        self.clear();
        let words = state.numbers().iter().zip(&words[state.bits().len()..]);
        for (number, (&before, &after)) in (0..).zip(words).filter(|(_, (before, after))| before != after) {
            self.changes.push(NumberChange {
                id: NumericId::new(number),
                before: decode(before),
                after: decode(after),
            });
        }
    }
}
