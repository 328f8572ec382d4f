//! Facts with a single derivation that no rule reads, such as applicable actions: each binding that ends or begins changes
//! one of them.

use crate::program::Atom;
use crate::program::ids::{RelationId, Symbol};
use crate::view::LARGE;
use crate::view::deltas::append;

/// The facts whose derivation ended or began, in this order.
#[derive(Clone, Debug, Default)]
pub(super) struct Singles {
    /// For each fact, its relation, the end of its symbols, and whether its derivation began.
    facts: Vec<(RelationId, usize, bool)>,
    symbols: Vec<Symbol>,
    /// The number of facts at the end of the last set of changes, and the number of sets of changes with facts.
    counted: usize,
    batches: u32,
}

/// The bytes per fact, and per symbol, in growing lists.
const FACT: u64 = 3 * size_of::<(RelationId, usize, bool)>() as u64;
const SYMBOL: u64 = 3 * size_of::<Symbol>() as u64;

impl Singles {
    /// Adds the instance of an atom under a binding; returns the bytes to charge for it.
    #[inline]
    pub(super) fn push(&mut self, atom: &Atom, binding: &[Symbol], begins: bool) -> u64 {
        append(atom, binding, &mut self.symbols);
        self.facts.push((atom.relation, self.symbols.len(), begins));
        FACT + SYMBOL * atom.terms.len() as u64
    }

    /// Ends a set of changes.
    pub(super) const fn end_batch(&mut self) {
        if self.facts.len() > self.counted {
            (self.counted, self.batches) = (self.facts.len(), self.batches + 1);
        }
    }

    /// Returns whether a fact may be listed twice: a derivation that one set of changes begins, another may end.
    pub(super) const fn may_repeat(&self) -> bool {
        self.batches > 1
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (RelationId, &[Symbol], bool)> {
        let mut start = 0;
        self.facts.iter().map(move |&(relation, end, begins)| {
            let symbols = &self.symbols[std::mem::replace(&mut start, end)..end];
            (relation, symbols, begins)
        })
    }

    /// Removes all facts; returns the bytes that were charged for them.
    pub(super) fn clear(&mut self) -> u64 {
        let bytes = FACT * self.facts.len() as u64 + SYMBOL * self.symbols.len() as u64;
        if bytes > LARGE {
            *self = Self::default();
        }
        self.facts.clear();
        self.symbols.clear();
        (self.counted, self.batches) = (0, 0);
        bytes
    }
}
