//! Ordering of the conditions in a rule body.

use herbrand_ground::TruthSource;

use crate::rule::{Atom, Clause, Role};
use crate::vocabulary::Vocabulary;

/// The cost of joining an atom next. The atom with the least cost is taken.
type Cost = (u8, bool, bool, usize, usize);

/// Orders a body for evaluation from left to right, as in ascent.
///
/// Each step takes the atom with the least cost. Atoms whose variables are all bound come first, then atoms that share a
/// variable with earlier ones. Among these, type atoms come last and changing atoms first, because ascent starts from new
/// facts only if they match one of the first two atoms. Other conditions are placed as soon as their variables are bound.
///
/// The order is sound: a conjunction does not depend on its order, and each condition that binds no variables comes after
/// the atoms that bind them.
pub(crate) fn order(vocabulary: &Vocabulary<'_>, body: Vec<Clause>) -> Vec<Clause> {
    let (mut atoms, mut tests): (Vec<_>, Vec<_>) = body
        .into_iter()
        .partition(|clause| matches!(clause, Clause::Holds(_)));
    let mut bound: Vec<String> = Vec::new();
    let mut ordered = Vec::new();
    loop {
        let decided = |test: &Clause| {
            test.variables()
                .iter()
                .all(|name| bound.iter().any(|known| known == name))
        };
        let (ready, waiting) = tests.into_iter().partition(decided);
        let ready: Vec<Clause> = ready;
        ordered.extend(ready);
        tests = waiting;
        let cost = |index: &usize| cost(vocabulary, &atoms[*index], &bound, *index);
        let Some(next) = (0..atoms.len()).min_by_key(cost) else {
            // Every variable is bound by an atom, so no condition is left.
            ordered.append(&mut tests);
            return ordered;
        };
        let atom = atoms.remove(next);
        bound.extend(atom.variables().into_iter().map(str::to_owned));
        ordered.push(atom);
    }
}

fn cost(vocabulary: &Vocabulary<'_>, clause: &Clause, bound: &[String], index: usize) -> Cost {
    let Clause::Holds(atom) = clause else {
        return (u8::MAX, false, false, 0, index);
    };
    let is_bound = |name: &str| bound.iter().any(|known| known == name);
    let free = atom.variables().filter(|name| !is_bound(name)).count();
    let connected = atom.variables().any(is_bound);
    let kind = match (free, connected) {
        (0, _) => 0,
        (_, true) => 1,
        (_, false) => 2,
    };
    let is_type = matches!(vocabulary.get(atom.relation).role, Role::Type(_) | Role::Order(_));
    (kind, is_type, !changes(vocabulary, atom), free, index)
}

/// Returns whether the facts of the atom's relation differ between states or are derived during evaluation.
fn changes(vocabulary: &Vocabulary<'_>, atom: &Atom) -> bool {
    match vocabulary.get(atom.relation).role {
        Role::Type(_) | Role::Order(_) | Role::Size(_) | Role::Known(_) | Role::Function(_) => false,
        Role::Given(predicate) | Role::Derived(predicate) => {
            matches!(
                vocabulary.changes[predicate.index()],
                TruthSource::Fluent | TruthSource::Derived
            )
        }
        Role::Auxiliary | Role::Action(_) => true,
    }
}
