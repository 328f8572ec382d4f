//! The changes that a step of a ground task makes to the state.

use herbrand_ground::{AtomId, NumericId};

use crate::semantics::numbers::NumberChange;

/// The changes of state and accumulators made by the last step of a walker. [`Walker::changes`](crate::Walker::changes)
/// returns it. Empty if that step was undone, or if the state was reached in another way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Changes<'a> {
    pub(crate) gained: &'a [u32],
    /// The numeric fluents of the state that changed, with old and new values, ascending by id.
    pub numbers: &'a [NumberChange],
    /// The amounts by which accumulators changed, ascending by id and never zero. Accumulators are numeric fluents outside
    /// the state, such as the total cost.
    pub deltas: &'a [(NumericId, f64)],
}

impl<'a> Changes<'a> {
    /// Returns the fluent atoms that became true, without derived atoms. They are in no particular order.
    pub fn added(&self) -> impl Iterator<Item = AtomId> + use<'a> {
        self.gained
            .iter()
            .filter(|&&literal| literal % 2 == 0)
            .map(|literal| AtomId::new(literal / 2))
    }

    /// Returns the fluent atoms that became false, without derived atoms. They are in no particular order.
    pub fn deleted(&self) -> impl Iterator<Item = AtomId> + use<'a> {
        self.gained
            .iter()
            .filter(|&&literal| literal % 2 == 1)
            .map(|literal| AtomId::new(literal / 2))
    }
}
