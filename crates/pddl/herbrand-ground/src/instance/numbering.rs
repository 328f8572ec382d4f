//! The numbering of ground atoms.

use herbrand_datalog::{Model, RelationId};
use herbrand_pddl::{AtomList, ObjectId, PredicateId};

use super::order::Order;
use crate::normal::u32_len;
use crate::program::{ReachabilityProgram, TruthSource};
use crate::task::AtomId;

/// The mapping of facts of the relaxed model to atoms.
pub(super) struct Numbering {
    /// The atom of each fact; [`NONE`] for static facts and for facts of relations that are no predicates.
    atoms: Vec<u32>,
    /// The atoms by id.
    pub(super) table: AtomList,
    /// The number of fluent atoms.
    pub(super) fluents: u32,
    /// The derived atoms that only depend on static atoms.
    pub(super) static_derived: AtomList,
}

const NONE: u32 = u32::MAX;

impl Numbering {
    /// Numbers the fluents, then the derived atoms, each in ascending order of predicate and arguments.
    pub(super) fn of(reachability: &ReachabilityProgram<'_>, model: &Model) -> Self {
        let mut this = Self {
            atoms: vec![NONE; model.len()],
            table: AtomList::default(),
            fluents: 0,
            static_derived: AtomList::default(),
        };
        let signature = &reachability.signature;
        for change in [
            TruthSource::Fluent,
            TruthSource::Derived,
            TruthSource::StaticDerived,
        ] {
            let predicates =
                (0..signature.truth_sources.len()).filter(|&index| signature.truth_sources[index] == change);
            for index in predicates {
                this.number(
                    PredicateId::from_index(index),
                    change,
                    signature.relations[index],
                    model,
                );
            }
            if change == TruthSource::Fluent {
                this.fluents = AtomId::from_index(this.table.len()).number();
            }
        }
        this
    }

    fn number(&mut self, predicate: PredicateId, change: TruthSource, relation: RelationId, model: &Model) {
        let facts = model.facts(relation);
        let arity = facts.first().map_or(0, |&fact| model.tuple(fact).len());
        let tuple = |row: u32| {
            let symbols = model.tuple(facts[row as usize]).iter();
            symbols.map(|symbol| symbol.number())
        };
        let order = Order::of(u32_len(facts.len()), arity, tuple);
        let mut arguments = Vec::with_capacity(arity);
        for fact in order.rows().map(|row| facts[row as usize]) {
            arguments.clear();
            arguments.extend(
                model
                    .tuple(fact)
                    .iter()
                    .map(|symbol| ObjectId::new(symbol.number())),
            );
            if change == TruthSource::StaticDerived {
                self.static_derived.push(predicate, &arguments);
            } else {
                self.atoms[fact.index()] = AtomId::from_index(self.table.len()).number();
                self.table.push(predicate, &arguments);
            }
        }
    }

    /// Returns the atom of a fact; `None` for static facts and for facts of relations that are no predicates.
    pub(super) fn atom(&self, fact: u32) -> Option<AtomId> {
        let number = self.atoms[fact as usize];
        (number != NONE).then(|| AtomId::new(number))
    }
}
