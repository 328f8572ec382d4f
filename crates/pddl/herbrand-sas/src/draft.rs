//! Finite-domain tasks under construction.

use herbrand_ground::{ActionId, AtomId};

use crate::task::{Axiom, Fact, Operator};

/// A finite-domain task under construction, without names.
pub(crate) struct Draft {
    /// The number of values of each variable.
    pub(crate) sizes: Vec<u32>,
    pub(crate) layers: Vec<Option<u32>>,
    pub(crate) initial: Vec<u32>,
    pub(crate) goal: Vec<Fact>,
    pub(crate) operators: Vec<Operator>,
    /// The action of each operator.
    pub(crate) actions: Vec<ActionId>,
    pub(crate) axioms: Vec<Axiom>,
    /// For each variable, the atoms of its first values.
    pub(crate) atoms: Vec<Vec<AtomId>>,
}

impl Draft {
    /// Keeps the operators for which `keep` is true. It may change them.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&mut Operator) -> bool) {
        let actions = &mut self.actions;
        let (mut index, mut length) = (0, 0);
        self.operators.retain_mut(|operator| {
            let kept = keep(operator);
            if kept {
                actions[length] = actions[index];
                length += 1;
            }
            index += 1;
            kept
        });
        actions.truncate(length);
    }
}
