//! Selectors: atoms in the preconditions of operators by which at most one operator of an action can be valid.

use std::collections::BTreeSet;
use std::ops::Range;

use herbrand_ground::{ActionId, AtomId, GroundTask};
use herbrand_step::State;

/// Predicates that usually have at most one true atom, such as the player's position.
///
/// If all operators of an action require different atoms of such a predicate, at most one of them is valid while the
/// predicate has at most one true atom. Checking this takes a look at the predicate's atoms only.
#[derive(Clone, Debug)]
pub(super) struct Selectors {
    /// For each predicate, the id range of its atoms.
    ranges: Vec<Range<u32>>,
}

impl Selectors {
    /// Finds predicates that distinguish the operators of every action; `None` if there is no such predicate for some
    /// action.
    pub(super) fn of<'a>(task: &GroundTask, carriers: impl Iterator<Item = &'a [ActionId]>) -> Option<Self> {
        let predicates = ranges(task);
        let mut chosen = BTreeSet::new();
        for operators in carriers.filter(|operators| operators.len() > 1) {
            let tells = |range: &&Range<u32>| tells_apart(task, operators, range);
            // Reuses a predicate that already distinguishes another action.
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

    /// Returns the id ranges of the predicates' atoms.
    pub(super) fn ranges(&self) -> impl Iterator<Item = Range<u32>> + '_ {
        self.ranges.iter().cloned()
    }

    /// Returns whether each predicate has at most one true atom.
    #[inline]
    pub(super) fn select(&self, state: &State) -> bool {
        self.ranges
            .iter()
            .all(|range| state.has_one_at_most(range.clone()))
    }
}

/// Returns the id ranges of the fluent atoms of each predicate.
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

/// Returns whether every operator requires an atom of the range, each a different one.
fn tells_apart(task: &GroundTask, operators: &[ActionId], range: &Range<u32>) -> bool {
    let mut seen = BTreeSet::new();
    operators
        .iter()
        .all(|&operator| first_of(task, operator, range).is_some_and(|atom| seen.insert(atom)))
}

/// Returns the first atom of the range that an operator requires; `None` if its precondition is not a single conjunction.
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
