//! Input facts.

use crate::program::ids::{RelationId, Symbol};

/// The input facts of a program, in order of insertion. Duplicates are allowed and change no result. Pass them to
/// [`Evaluator::run`](crate::Evaluator::run), [`Queries::new`](crate::Queries::new) or [`Views`](crate::Views).
///
/// Storage is flat: four bytes per column and eight per fact.
///
/// ```
/// use herbrand_datalog::{Facts, Program};
///
/// let mut program = Program::new();
/// let edge = program.relation("edge", 2);
/// let [a, b] = ["a", "b"].map(|name| program.symbol(name));
/// let mut facts = Facts::new();
/// facts.add(edge, &[a, b]);
/// facts.add(edge, &[b, a]);
/// assert_eq!(facts.iter().map(|(_, tuple)| tuple.to_vec()).collect::<Vec<_>>(), [[a, b], [b, a]]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    relations: Vec<RelationId>,
    lengths: Vec<u32>,
    symbols: Vec<Symbol>,
}

impl Facts {
    /// Creates an empty list of facts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends the fact of a relation and a tuple. Its arity and symbols are checked when it is evaluated
    /// ([`Program::check_facts`](crate::Program::check_facts)). Add facts of all relations to one list, and pass it to
    /// the evaluation.
    pub fn add(&mut self, relation: RelationId, tuple: &[Symbol]) {
        self.relations.push(relation);
        self.symbols.extend_from_slice(tuple);
        self.lengths.push(tuple.len() as u32);
    }

    /// Returns the number of facts, duplicates included.
    pub fn len(&self) -> usize {
        self.relations.len()
    }

    /// Returns whether there are no facts.
    pub fn is_empty(&self) -> bool {
        self.relations.is_empty()
    }

    /// Iterates over all facts in order of insertion, each as its relation and its tuple. Duplicates occur as often as
    /// they were added.
    pub fn iter(&self) -> impl Iterator<Item = (RelationId, &[Symbol])> {
        let mut rest = &self.symbols[..];
        self.relations
            .iter()
            .zip(&self.lengths)
            .map(move |(relation, length)| {
                let (tuple, after) = rest.split_at(*length as usize);
                rest = after;
                (*relation, tuple)
            })
    }
}
