//! The changes of a problem's input by an edit.

use fxhash::FxHashMap;
use herbrand_datalog::{Derivations, FactId, Facts, RelationId, Symbol};
use herbrand_pddl::{Domain, Fact, Facts as Atoms, Problem};

use super::symbols::Symbols;

/// The change of the number of times that a fact is given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Change {
    pub(super) relation: RelationId,
    pub(super) tuple: Box<[Symbol]>,
    pub(super) times: i64,
}

/// Returns the changes between two problems that differ in their initial facts only, in time linear in their number. Returns
/// `None` if the problems may differ in more; the program may then differ too.
pub(super) fn of_facts(
    domain: &Domain,
    before: &Problem,
    after: &Problem,
    symbols: &Symbols,
    relations: &[RelationId],
) -> Option<Vec<Change>> {
    let is_same = before.objects == after.objects
        && before.chances == after.chances
        && before.has_goal == after.has_goal
        && before.goal == after.goal
        && before.goal_variables == after.goal_variables
        && before.values.len() == after.values.len()
        && before
            .values
            .iter()
            .zip(&after.values)
            .all(|(one, other)| one.function == other.function && one.arguments == other.arguments);
    let changes = is_same.then(|| between(&before.init, &after.init))?;
    // A rule omits a type atom that the declared types of a predicate imply, so every changed fact must conform to them.
    let is_typed = |fact: &Fact<'_>| {
        let declared = &domain.predicates[fact.predicate.index()].parameters;
        let mut arguments = fact.arguments.iter().zip(declared);
        arguments.all(|(id, parameter)| domain.is_assignable(&after.object(*id).types, &parameter.types))
    };
    changes.iter().all(|(fact, _)| is_typed(fact)).then(|| {
        let change = |(fact, times): &(Fact<'_>, i64)| Change {
            relation: relations[fact.predicate.index()],
            tuple: fact.arguments.iter().map(|id| symbols.of[id.index()]).collect(),
            times: *times,
        };
        changes.iter().map(change).collect()
    })
}

/// The number of facts of each list that are searched for the next common fact.
const AHEAD: usize = 8;

/// Returns the facts that occur more or less often in one list than in the other. Equal runs of both lists are skipped; only
/// the other facts are counted.
fn between<'f>(before: &'f Atoms, after: &'f Atoms) -> Vec<(Fact<'f>, i64)> {
    let mut changes: Vec<(Fact<'f>, i64)> = Vec::new();
    let mut known: FxHashMap<Fact<'f>, usize> = FxHashMap::default();
    let mut count = |fact: Fact<'f>, times: i64| {
        let place = *known.entry(fact).or_insert_with(|| {
            changes.push((fact, 0));
            changes.len() - 1
        });
        changes[place].1 += times;
    };
    let (mut old, mut new) = (0, 0);
    while let (Some(one), Some(other)) = (before.get(old), after.get(new)) {
        if one == other {
            (old, new) = (old + 1, new + 1);
            continue;
        }
        let gone = (1..=AHEAD).find(|&more| before.get(old + more) == Some(other));
        let come = (1..=gone.unwrap_or(AHEAD)).find(|&more| after.get(new + more) == Some(one));
        let (gone, come) = match (gone, come) {
            (_, Some(come)) => (0, come),
            (Some(gone), None) => (gone, 0),
            (None, None) => (1, 1),
        };
        (old..old + gone)
            .filter_map(|index| before.get(index))
            .for_each(|fact| count(fact, -1));
        (new..new + come)
            .filter_map(|index| after.get(index))
            .for_each(|fact| count(fact, 1));
        (old, new) = (old + gone, new + come);
    }
    (old..before.len())
        .filter_map(|index| before.get(index))
        .for_each(|fact| count(fact, -1));
    (new..after.len())
        .filter_map(|index| after.get(index))
        .for_each(|fact| count(fact, 1));
    changes.retain(|(_, times)| *times != 0);
    changes
}

/// Returns the changes from the current input to another input of the same program, for the relations that satisfy
/// `is_followed`; and whether the facts of the other relations are the same.
pub(super) fn of_input(
    kept: &Derivations,
    others: &Facts,
    input: &Facts,
    is_followed: impl Fn(RelationId) -> bool,
) -> (Vec<Change>, bool) {
    let mut seen = vec![0; kept.model().len()];
    let (mut added, mut rest): (Vec<Change>, _) = (Vec::new(), Facts::new());
    for (relation, tuple) in input.iter() {
        if !is_followed(relation) {
            rest.add(relation, tuple);
        } else if let Some(fact) = kept.model().id(relation, tuple) {
            seen[fact.index()] += 1;
        } else {
            let tuple = tuple.into();
            added.push(Change {
                relation,
                tuple,
                times: 1,
            });
        }
    }
    let change = |(fact, times): (FactId, u32)| Change {
        relation: kept.model().relation(fact),
        tuple: kept.model().tuple(fact).into(),
        times: i64::from(times) - i64::from(kept.given(fact)),
    };
    let known = kept.model().ids().zip(seen);
    let changed = known
        .filter(|(fact, times)| kept.given(*fact) != *times)
        .map(change);
    let changes = changed.chain(added).collect();
    (changes, is_same_set(others, &rest))
}

/// Returns whether two inputs have the same set of facts.
fn is_same_set(one: &Facts, other: &Facts) -> bool {
    let sorted = |facts: &Facts| {
        let mut facts: Vec<(RelationId, Vec<Symbol>)> = facts
            .iter()
            .map(|(relation, tuple)| (relation, tuple.to_vec()))
            .collect();
        facts.sort_unstable();
        facts.dedup();
        facts
    };
    one == other || sorted(one) == sorted(other)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use herbrand_pddl::{ObjectId, PredicateId};
    use proptest::prelude::*;

    use super::*;

    fn atoms(numbers: &[u32]) -> Atoms {
        let mut atoms = Atoms::default();
        for number in numbers {
            atoms.push(PredicateId::new(number % 2), &[ObjectId::new(number / 2)]);
        }
        atoms
    }

    proptest! {
        /// The counts are the differences of the two lists' counts, whatever the order of the lists.
        #[test]
        fn differences_are_those_of_the_counts(
            before in prop::collection::vec(0_u32..12, 0..30),
            edits in prop::collection::vec((any::<prop::sample::Index>(), 0_u32..24), 0..12),
        ) {
            let mut after = before.clone();
            for (place, number) in edits {
                if number < 12 {
                    after.insert(place.index(after.len() + 1), number);
                } else if !after.is_empty() {
                    after.remove(place.index(after.len()));
                }
            }
            let (old, new) = (atoms(&before), atoms(&after));
            let mut expected: BTreeMap<Fact<'_>, i64> = BTreeMap::new();
            old.iter().for_each(|fact| *expected.entry(fact).or_default() -= 1);
            new.iter().for_each(|fact| *expected.entry(fact).or_default() += 1);
            expected.retain(|_, times| *times != 0);
            let found = between(&old, &new);
            prop_assert_eq!(found.len(), expected.len());
            prop_assert_eq!(found.into_iter().collect::<BTreeMap<_, _>>(), expected);
        }
    }
}
