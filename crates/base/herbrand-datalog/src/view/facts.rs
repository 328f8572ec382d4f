//! A set of facts that is filled and cleared repeatedly.

use std::hash::{Hash, Hasher};

use fxhash::FxHasher;
use hashbrown::HashTable;
use herbrand_limits::Meter;

use crate::program::ids::{RelationId, Symbol};

/// A set of facts, numbered in order of insertion. Clearing keeps the memory. Small sets are searched linearly.
#[derive(Clone, Debug, Default)]
pub(super) struct FactSet {
    /// The relation of each fact, and the end of its symbols.
    facts: Vec<(RelationId, usize)>,
    symbols: Vec<Symbol>,
    /// A hash table of fact numbers, used if there are more than [`FEW`] facts.
    numbers: HashTable<u32>,
}

/// The largest number of facts that are searched linearly, which is faster than hashing.
const FEW: usize = 8;

impl FactSet {
    pub(super) fn clear(&mut self) {
        if self.len() > FEW {
            // Clearing a hash table takes time proportional to its capacity.
            if self.numbers.capacity() > 16 * self.len() {
                self.numbers = HashTable::new()
            } else {
                self.numbers.clear()
            }
        }
        self.facts.clear();
        self.symbols.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.facts.len()
    }

    /// Returns the bytes that were charged for the facts.
    pub(super) fn bytes(&self) -> u64 {
        fact_bytes(self.facts.len(), self.symbols.len())
    }

    pub(super) fn get(&self, number: usize) -> (RelationId, &[Symbol]) {
        get(&self.facts, &self.symbols, number)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (RelationId, &[Symbol])> {
        (0..self.len()).map(|number| self.get(number))
    }

    pub(super) fn contains(&self, relation: RelationId, tuple: &[Symbol]) -> bool {
        self.find(relation, tuple).is_some()
    }

    /// Returns the number of a fact; `None` if it is not in the set.
    pub(super) fn find(&self, relation: RelationId, tuple: &[Symbol]) -> Option<usize> {
        if self.len() <= FEW {
            let mut start = 0;
            return self.facts.iter().position(|&(other, end)| {
                let symbols = &self.symbols[std::mem::replace(&mut start, end)..end];
                // Most tuples are short: comparing them here is faster than a call.
                other == relation && symbols.iter().eq(tuple)
            });
        }
        let same = |number: &u32| self.get(*number as usize) == (relation, tuple);
        let number = self.numbers.find(hash(relation, tuple), same)?;
        Some(*number as usize)
    }

    /// Adds a fact unless it exists; returns its number.
    pub(super) fn insert(&mut self, relation: RelationId, tuple: &[Symbol]) -> usize {
        if let Some(known) = self.find(relation, tuple) {
            return known;
        }
        let number = self.len();
        self.symbols.extend_from_slice(tuple);
        self.facts.push((relation, self.symbols.len()));
        if number < FEW {
            return number;
        }
        let unhashed = if number == FEW { 0 } else { number };
        let Self {
            facts,
            symbols,
            numbers,
        } = self;
        let hash_of = |number: usize| {
            let (relation, tuple) = get(facts, symbols, number);
            hash(relation, tuple)
        };
        for number in unhashed..=number {
            numbers.insert_unique(hash_of(number), number as u32, |number| hash_of(*number as usize));
        }
        number
    }

    /// Like [`insert`](Self::insert); charges a new fact to the meter.
    pub(super) fn insert_within(
        &mut self,
        relation: RelationId,
        tuple: &[Symbol],
        meter: &mut Meter,
    ) -> usize {
        let known = self.len();
        let number = self.insert(relation, tuple);
        if number == known {
            meter.charge(fact_bytes(1, tuple.len()));
        }
        number
    }
}

/// Returns the bytes of facts with this number of symbols. It allows for the moment in which a growing list exists twice.
fn fact_bytes(facts: usize, symbols: usize) -> u64 {
    // The fact's position on a stack counts as well.
    let fact = size_of::<(RelationId, usize)>() + 3 * size_of::<u32>() + size_of::<usize>();
    (3 * (facts * fact + symbols * size_of::<Symbol>())) as u64
}

fn get<'s>(
    facts: &[(RelationId, usize)],
    symbols: &'s [Symbol],
    number: usize,
) -> (RelationId, &'s [Symbol]) {
    let (relation, end) = facts[number];
    let start = number.checked_sub(1).map_or(0, |before| facts[before].1);
    (relation, &symbols[start..end])
}

fn hash(relation: RelationId, tuple: &[Symbol]) -> u64 {
    let mut hasher = FxHasher::default();
    relation.hash(&mut hasher);
    tuple.iter().for_each(|symbol| symbol.hash(&mut hasher));
    hasher.finish()
}
