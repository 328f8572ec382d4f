//! The order of the conditions in a body.

use herbrand_ground::Change;

use crate::rule::{Atom, Clause, Role};
use crate::vocabulary::Vocabulary;

/// What speaks against an atom as the next one to join; the least is taken.
type Cost = (u8, bool, bool, usize, usize);

/// Orders a body for evaluation from left to right, as ascent does it: an atom whose variables are bound comes at once,
/// then one that shares a variable with those before it, types as late as possible, and of the rest first what changes,
/// for ascent starts with the new facts only if they are found by one of the first two atoms. Other conditions follow as
/// soon as their variables are bound.
///
/// Sound: a conjunction does not depend on its order, and each condition that binds nothing comes after atoms that bind
/// what it reads.
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
            // Every variable is bound by an atom, so nothing is left to wait.
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

/// Whether the facts of the atom's relation differ between states, or come up during evaluation.
fn changes(vocabulary: &Vocabulary<'_>, atom: &Atom) -> bool {
    match vocabulary.get(atom.relation).role {
        Role::Type(_) | Role::Order(_) | Role::Size(_) | Role::Known(_) | Role::Function(_) => false,
        Role::Given(predicate) | Role::Derived(predicate) => {
            matches!(
                vocabulary.changes[predicate.index()],
                Change::Fluent | Change::Derived
            )
        }
        Role::Auxiliary | Role::Action(_) => true,
    }
}
