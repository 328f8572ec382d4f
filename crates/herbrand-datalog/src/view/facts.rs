//! Sets of facts that are filled and emptied again and again.

use std::hash::{Hash, Hasher};

use fxhash::FxHasher;
use hashbrown::HashTable;

use crate::{RelationId, Symbol};

/// A set of facts, numbered in order of arrival; its memory is used again after it was emptied.
#[derive(Clone, Debug, Default)]
pub(super) struct FactSet {
    /// The relation of each fact, and where its symbols end.
    facts: Vec<(RelationId, usize)>,
    symbols: Vec<Symbol>,
    numbers: HashTable<u32>,
}

impl FactSet {
    pub(super) fn clear(&mut self) {
        self.facts.clear();
        self.symbols.clear();
        self.numbers.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.facts.len()
    }

    pub(super) fn get(&self, number: usize) -> (RelationId, &[Symbol]) {
        get(&self.facts, &self.symbols, number)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (RelationId, &[Symbol])> {
        (0..self.len()).map(|number| self.get(number))
    }

    pub(super) fn contains(&self, relation: RelationId, tuple: &[Symbol]) -> bool {
        let same = |number: &u32| self.get(*number as usize) == (relation, tuple);
        self.numbers.find(hash(relation, tuple), same).is_some()
    }

    /// The number of the fact, which is added if it was not there.
    pub(super) fn insert(&mut self, relation: RelationId, tuple: &[Symbol]) -> usize {
        let Self {
            facts,
            symbols,
            numbers,
        } = self;
        let same = |number: &u32| get(facts, symbols, *number as usize) == (relation, tuple);
        let rehash = |number: &u32| {
            let (relation, tuple) = get(facts, symbols, *number as usize);
            hash(relation, tuple)
        };
        let next = facts.len() as u32;
        let number = *numbers
            .entry(hash(relation, tuple), same, rehash)
            .or_insert(next)
            .get();
        if number == next {
            symbols.extend_from_slice(tuple);
            facts.push((relation, symbols.len()));
        }
        number as usize
    }
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
