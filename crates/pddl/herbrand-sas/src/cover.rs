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
