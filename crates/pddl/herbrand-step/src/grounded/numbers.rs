//! Numeric effects of ground actions.

use herbrand_ground::{GroundAssignment, GroundTask, NumericId};

use crate::grounded::programs::Arithmetic;
use crate::grounded::state::{State, Valuation, decode};
use crate::semantics::numbers::{NumberChange, NumberFault, Numbers};

impl Numbers {
    /// Computes the changes that `assignments` make in `world`. An error contains the number it concerns.
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

    /// Sets the changes of numbers from `state` to another state of the same task, given by its words.
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
