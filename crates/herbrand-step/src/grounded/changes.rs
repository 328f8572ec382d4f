//! What a step changed.

use herbrand_ground::{AtomId, NumericId};

use crate::semantics::numbers::NumberChange;

/// What the last step changed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Changes<'a> {
    pub(crate) gained: &'a [u32],
    /// The numbers of the state that got another value, ascending.
    pub numbers: &'a [NumberChange],
    /// The amounts by which accumulators changed, ascending by accumulator, none of them zero.
    pub deltas: &'a [(NumericId, f64)],
}

impl<'a> Changes<'a> {
    /// The fluent atoms that became true.
    pub fn added(&self) -> impl Iterator<Item = AtomId> + use<'a> {
        self.gained
            .iter()
            .filter(|&&literal| literal % 2 == 0)
            .map(|literal| AtomId::new(literal / 2))
    }

    /// The fluent atoms that became false.
    pub fn deleted(&self) -> impl Iterator<Item = AtomId> + use<'a> {
        self.gained
            .iter()
            .filter(|&&literal| literal % 2 == 1)
            .map(|literal| AtomId::new(literal / 2))
    }
}
