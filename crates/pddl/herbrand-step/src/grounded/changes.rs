//! The changes made by a step.

use herbrand_ground::{AtomId, NumericId};

use crate::semantics::numbers::NumberChange;

/// The changes made by the last step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Changes<'a> {
    pub(crate) gained: &'a [u32],
    /// The numbers of the state that changed, ascending by id.
    pub numbers: &'a [NumberChange],
    /// The amounts by which accumulators (numbers outside the state, such as the total cost) changed, ascending by id and
    /// never zero.
    pub deltas: &'a [(NumericId, f64)],
}

impl<'a> Changes<'a> {
    /// Returns the fluent atoms that became true.
    pub fn added(&self) -> impl Iterator<Item = AtomId> + use<'a> {
        self.gained
            .iter()
            .filter(|&&literal| literal % 2 == 0)
            .map(|literal| AtomId::new(literal / 2))
    }

    /// Returns the fluent atoms that became false.
    pub fn deleted(&self) -> impl Iterator<Item = AtomId> + use<'a> {
        self.gained
            .iter()
            .filter(|&&literal| literal % 2 == 1)
            .map(|literal| AtomId::new(literal / 2))
    }
}
