//! Numbers atoms in declaration order.

use herbrand_datalog::{FactId, Model};
use herbrand_pddl::{Facts, ObjectId, PredicateId};

use super::order::sort_by_tuple;
use crate::AtomId;
use crate::program::{Change, ReachabilityProgram};

/// Which atom each fact of the relaxed model is.
pub(super) struct Numbering {
    /// By fact; [`NONE`] for what is static or no atom at all.
    atoms: Vec<u32>,
    /// The atoms by id.
    pub(super) table: Facts,
    /// How many of them are fluents.
    pub(super) fluents: u32,
    /// Derived atoms that follow from static ones alone.
    pub(super) static_derived: Facts,
}

const NONE: u32 = u32::MAX;

impl Numbering {
    /// Numbers the fluents, then the derived atoms, each in ascending order of predicate and arguments.
    pub(super) fn of(reachability: &ReachabilityProgram<'_>, model: &Model) -> Self {
        let mut facts: Vec<Vec<u32>> = vec![Vec::new(); reachability.signature.changes.len()];
        for fact in (0..model.len()).map(fact_id) {
            if let Some(predicate) = reachability.predicates[model.relation(fact).index()] {
                facts[predicate.index()].push(fact.number());
            }
        }
        let mut this = Self {
            atoms: vec![NONE; model.len()],
            table: Facts::default(),
            fluents: 0,
            static_derived: Facts::default(),
        };
        let changes = &reachability.signature.changes;
        let symbols = reachability.signature.problem.objects.len();
        for change in [Change::Fluent, Change::Derived, Change::StaticDerived] {
            for (index, facts) in facts
                .iter_mut()
                .enumerate()
                .filter(|&(index, _)| changes[index] == change)
            {
                let arity = facts
                    .first()
                    .map_or(0, |&fact| model.tuple(FactId::new(fact)).len());
                sort_by_tuple(facts, symbols, arity, |fact, i| {
                    model.tuple(FactId::new(fact))[i].number()
                });
                this.number(PredicateId::from_index(index), change, facts, model);
            }
            if change == Change::Fluent {
                this.fluents = AtomId::from_index(this.table.len()).number();
            }
        }
        this
    }

    fn number(&mut self, predicate: PredicateId, change: Change, facts: &[u32], model: &Model) {
        let mut arguments = Vec::new();
        for &fact in facts {
            arguments.clear();
            arguments.extend(
                model
                    .tuple(FactId::new(fact))
                    .iter()
                    .map(|symbol| ObjectId::new(symbol.number())),
            );
            if change == Change::StaticDerived {
                self.static_derived.push(predicate, &arguments);
            } else {
                self.atoms[fact as usize] = AtomId::from_index(self.table.len()).number();
                self.table.push(predicate, &arguments);
            }
        }
    }

    /// The atom that a fact is; `None` for what is static or no atom at all.
    pub(super) fn atom(&self, fact: u32) -> Option<AtomId> {
        let number = self.atoms[fact as usize];
        (number != NONE).then(|| AtomId::new(number))
    }
}

fn fact_id(index: usize) -> FactId {
    FactId::new(u32::try_from(index).expect("facts are numbered in 32 bits"))
}
