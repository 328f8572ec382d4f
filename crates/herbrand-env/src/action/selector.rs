//! What picks the one operator that carries out an action: an atom that only one of several can have.

use std::collections::BTreeSet;
use std::ops::Range;

use herbrand_ground::{ActionId, AtomId, GroundTask};
use herbrand_step::State;

/// Predicates of which usually one atom is true at a time, such as the place of the player.
///
/// Operators that carry out one action and ask for different atoms of such a predicate are never valid together while no
/// more than one of its atoms is true: then nothing need be looked at but these atoms.
#[derive(Clone, Debug)]
pub(super) struct Selectors {
    /// The atoms of each predicate, a range of ids.
    ranges: Vec<Range<u32>>,
}

impl Selectors {
    /// The predicates that tell the operators of every action apart; `None` where some action has operators that no
    /// predicate tells apart.
    pub(super) fn of<'a>(task: &GroundTask, carriers: impl Iterator<Item = &'a [ActionId]>) -> Option<Self> {
        let predicates = ranges(task);
        let mut chosen = BTreeSet::new();
        for operators in carriers.filter(|operators| operators.len() > 1) {
            let tells = |range: &&Range<u32>| tells_apart(task, operators, range);
            // A predicate that is asked for already serves again.
            let known = chosen.iter().map(|&index: &usize| &predicates[index]).find(tells);
            if known.is_none() {
                chosen.insert(predicates.iter().position(|range| tells(&range))?);
            }
        }
        let ranges = chosen.into_iter().map(|index| predicates[index].clone());
        Some(Self {
            ranges: ranges.collect(),
        })
    }

    /// Whether each predicate has one true atom at most.
    #[inline]
    pub(super) fn select(&self, state: &State) -> bool {
        self.ranges
            .iter()
            .all(|range| state.has_one_at_most(range.clone()))
    }
}

/// The fluent atoms of each predicate that has any.
fn ranges(task: &GroundTask) -> Vec<Range<u32>> {
    let mut ranges: Vec<Range<u32>> = Vec::new();
    let mut last = None;
    for (id, fact) in (0..task.fluents).zip(task.atoms.iter()) {
        match ranges.last_mut().filter(|_| last == Some(fact.predicate)) {
            Some(range) => range.end = id + 1,
            None => ranges.push(id..id + 1),
        }
        last = Some(fact.predicate);
    }
    ranges
}

/// Whether each of the operators asks for an atom of the range that no other one asks for first.
fn tells_apart(task: &GroundTask, operators: &[ActionId], range: &Range<u32>) -> bool {
    let mut seen = BTreeSet::new();
    operators
        .iter()
        .all(|&operator| first_of(task, operator, range).is_some_and(|atom| seen.insert(atom)))
}

/// The first atom of the range that an operator needs in any case.
fn first_of(task: &GroundTask, operator: ActionId, range: &Range<u32>) -> Option<AtomId> {
    let mut ways = task
        .conditions
        .conjunctions(task.actions.get(operator).precondition);
    let (only, None) = (ways.next()?, ways.next()) else {
        return None;
    };
    let literals = task.conditions.get(only).literals.iter();
    let mut needed = literals
        .filter(|literal| !literal.is_negative())
        .map(|literal| literal.atom());
    needed.find(|atom| range.contains(&atom.number()))
}
