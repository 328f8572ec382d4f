//! The atoms and numbers that a snap action reads and changes.

use std::collections::{BTreeMap, BTreeSet};

use herbrand_pddl::{AssignOperator, Effect, Expression, Formula, PredicateId, PredicateKind};

use crate::effect::Change;
use crate::oracle::Oracle;
use crate::state::{GroundAtom, GroundTerm};
use crate::world::{Binding, Interpretation};

/// The ways in which one snap action accesses an atom or a number.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Access {
    pub(super) reads: bool,
    pub(super) adds: bool,
    pub(super) deletes: bool,
    /// Changes a number other than by an increase or a decrease.
    pub(super) sets: bool,
    /// Increases or decreases a number.
    pub(super) counts: bool,
}

impl Access {
    /// Returns whether two snap actions with these accesses to one atom or number interfere.
    pub(super) const fn interferes(self, other: Self) -> bool {
        const fn one_way(one: Access, other: Access) -> bool {
            let changes = one.adds || one.deletes || one.sets || one.counts;
            (changes && other.reads)
                || (one.adds && other.deletes)
                || (one.sets && (other.sets || other.counts))
        }
        one_way(self, other) || one_way(other, self)
    }
}

/// The accesses of one snap action.
#[derive(Default, Debug)]
pub(super) struct Accesses {
    pub(super) atoms: BTreeMap<GroundAtom, Access>,
    pub(super) terms: BTreeMap<GroundTerm, Access>,
    /// The predicates all of whose atoms are read, through derived ones.
    pub(super) predicates: BTreeSet<PredicateId>,
}

impl Accesses {
    /// Adds what executed effects change.
    pub(super) fn change(&mut self, changes: &[Change]) {
        for change in changes {
            match change {
                Change::Add(atom) => self.atoms.entry(atom.clone()).or_default().adds = true,
                Change::Delete(atom) => self.atoms.entry(atom.clone()).or_default().deletes = true,
                Change::Assign(term, operator, _) => {
                    let access = self.terms.entry(term.clone()).or_default();
                    match operator {
                        AssignOperator::Increase | AssignOperator::Decrease => access.counts = true,
                        _ => access.sets = true,
                    }
                }
            }
        }
        // An atom that one snap action deletes and adds is true afterwards.
        for access in self.atoms.values_mut() {
            access.deletes &= !access.adds;
        }
    }

    /// Adds what a formula mentions.
    pub(super) fn read(&mut self, world: &Interpretation<'_>, formula: &Formula, binding: &Binding<'_>) {
        match formula {
            Formula::Atom(atom) => {
                if world.oracle.domain.predicate(atom.predicate).kind == PredicateKind::Derived {
                    base_predicates(world.oracle, atom.predicate, &mut self.predicates);
                } else {
                    self.atoms.entry(binding.atom(atom)).or_default().reads = true;
                }
            }
            Formula::Equal(..) => {}
            Formula::Compare(_, left, right) => {
                self.read_numbers(left, binding);
                self.read_numbers(right, binding);
            }
            Formula::Not(inner) => self.read(world, inner, binding),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().for_each(|part| self.read(world, part, binding));
            }
            Formula::Imply(premise, conclusion) => {
                self.read(world, premise, binding);
                self.read(world, conclusion, binding);
            }
            Formula::Forall(variables, inner) | Formula::Exists(variables, inner) => {
                for each in world.satisfying(variables, &Formula::TRUE, binding) {
                    self.read(world, inner, &each);
                }
            }
        }
    }

    /// Adds what the conditions and values of an effect mention.
    pub(super) fn read_effect(&mut self, world: &Interpretation<'_>, effect: &Effect, binding: &Binding<'_>) {
        match effect {
            Effect::Add(_) | Effect::Delete(_) => {}
            Effect::Assign(assignment) => self.read_numbers(&assignment.value, binding),
            Effect::And(parts) => parts
                .iter()
                .for_each(|part| self.read_effect(world, part, binding)),
            Effect::Forall(variables, inner) => {
                for each in world.satisfying(variables, &Formula::TRUE, binding) {
                    self.read_effect(world, inner, &each);
                }
            }
            Effect::When(condition, inner) => {
                self.read(world, condition, binding);
                self.read_effect(world, inner, binding);
            }
            Effect::Probabilistic(alternatives) => alternatives
                .iter()
                .for_each(|(_, inner)| self.read_effect(world, inner, binding)),
        }
    }

    /// Adds the function terms of an expression.
    pub(super) fn read_numbers(&mut self, expression: &Expression, binding: &Binding<'_>) {
        expression.walk(&mut |part| {
            if let Expression::Fluent(term) = part {
                self.terms.entry(binding.term(term)).or_default().reads = true;
            }
        });
    }
}

/// Adds the predicates that the rules of a derived predicate mention, directly or through other derived ones.
fn base_predicates(oracle: &Oracle<'_>, derived: PredicateId, found: &mut BTreeSet<PredicateId>) {
    let mut open = vec![derived];
    let mut seen = BTreeSet::from([derived]);
    while let Some(predicate) = open.pop() {
        let rules = oracle.domain.axioms.iter();
        for rule in rules.filter(|rule| rule.predicate == predicate) {
            rule.body.walk(&mut |part, _| {
                let Formula::Atom(atom) = part else {
                    return;
                };
                if oracle.domain.predicate(atom.predicate).kind != PredicateKind::Derived {
                    found.insert(atom.predicate);
                } else if seen.insert(atom.predicate) {
                    open.push(atom.predicate);
                }
            });
        }
    }
}
