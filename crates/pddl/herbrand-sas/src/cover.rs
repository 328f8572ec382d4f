//! Covers: disjoint sets of atoms that together contain every fluent.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use herbrand_ground::{AtomId, GroundTask};

use crate::groups::MutexGroups;
use crate::task::bits;

/// Returns disjoint sets of fluent atoms: parts of mutex groups, chosen greedily, and single atoms. Each fluent is in one
/// set. `apart` marks atoms that must be single. The sets and their atoms are in ascending order.
pub(crate) fn cover(task: &GroundTask, groups: &MutexGroups, apart: &[bool]) -> Vec<Vec<AtomId>> {
    let orders: [fn(usize) -> usize; 2] = [|index| index, |index| usize::MAX - index];
    let covers = orders.map(|order| greedy(task, groups, apart, order));
    let size =
        |sets: &Vec<Vec<AtomId>>| -> u64 { sets.iter().map(|set| u64::from(bits(set.len() + 1))).sum() };
    let mut best = covers.into_iter().min_by_key(size).unwrap_or_default();
    best.sort_unstable();
    best
}

/// Takes the group with the most atoms that are not covered yet, again and again; of equal ones, the first in an order.
fn greedy(
    task: &GroundTask,
    groups: &MutexGroups,
    apart: &[bool],
    order: fn(usize) -> usize,
) -> Vec<Vec<AtomId>> {
    let mut covered = apart[..task.fluent_count()].to_vec();
    let mut sets: Vec<_> = (0..covered.len())
        .filter(|&index| covered[index])
        .map(|index| vec![AtomId::from_index(index)])
        .collect();
    let all = groups.groups();
    let entry = |(index, group): (usize, &Vec<AtomId>)| (group.len(), Reverse(order(index)), index);
    let mut open: BinaryHeap<_> = all.iter().enumerate().map(entry).collect();
    while let Some((size, place, index)) = open.pop() {
        let rest: Vec<_> = all[index]
            .iter()
            .copied()
            .filter(|atom| !covered[atom.index()])
            .collect();
        if rest.len() < size {
            if rest.len() > 1 {
                open.push((rest.len(), place, index));
            }
            continue;
        }
        for atom in &rest {
            covered[atom.index()] = true;
        }
        sets.push(rest);
    }
    let lone = (0..covered.len()).filter(|&index| !covered[index]);
    sets.extend(lone.map(|index| vec![AtomId::from_index(index)]));
    sets
}

#[cfg(test)]
mod tests {
    use herbrand_ground::strategies::{EffectKinds, TaskSketch};
    use proptest::prelude::*;

    use super::*;

    /// The slow twin of [`greedy`]: looks at all groups for each set. Of equal ones, takes the first, or the last.
    fn literal(groups: &MutexGroups, apart: &[bool], last: bool) -> Vec<Vec<AtomId>> {
        let mut covered = apart.to_vec();
        let mut sets = Vec::new();
        loop {
            let rest = |group: &Vec<AtomId>| -> Vec<AtomId> {
                let open = group.iter().filter(|atom| !covered[atom.index()]);
                open.copied().collect()
            };
            let mut all: Vec<_> = groups.groups().iter().map(rest).collect();
            if last {
                all.reverse();
            }
            let most = all.iter().map(Vec::len).max().unwrap_or(0);
            let Some(set) = all.into_iter().find(|set| set.len() == most && most > 1) else {
                break;
            };
            set.iter().for_each(|atom| covered[atom.index()] = true);
            sets.push(set);
        }
        let in_sets: Vec<_> = sets.concat();
        let atoms = (0..apart.len()).map(AtomId::from_index);
        sets.extend(
            atoms
                .filter(|atom| !in_sets.contains(atom))
                .map(|atom| vec![atom]),
        );
        sets.sort_unstable();
        sets
    }

    fn size(sets: &[Vec<AtomId>]) -> u32 {
        sets.iter().map(|set| bits(set.len() + 1)).sum()
    }

    proptest! {
        #[test]
        fn covers_are_the_smaller_of_two_greedy_ones(
            apart in prop::collection::vec(prop::bool::weighted(0.1), 1..12),
            groups in prop::collection::vec(prop::collection::vec(0..12_usize, 2..8), 0..8),
        ) {
            let fluents = apart.len();
            let sketch = TaskSketch {
                fluents: fluents as u32, derived: 0, numbers: 0, actions: 0, literals: 1, disjunctions: false,
                effects: EffectKinds::Plain, seed: 0,
            };
            let atom = |index: &usize| AtomId::from_index(index % fluents);
            let groups = MutexGroups::new(groups.iter().map(|group| group.iter().map(atom).collect()));
            let [first, last] = [false, true].map(|last| literal(&groups, &apart, last));
            let expected = if size(&last) < size(&first) { last } else { first };
            prop_assert_eq!(cover(&sketch.build(), &groups, &apart), expected);
        }
    }
}
