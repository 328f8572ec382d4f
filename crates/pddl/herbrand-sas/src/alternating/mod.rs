//! Fact-alternating mutex groups: sets of atoms that each action at most exchanges (Fišer & Komenda, "Fact-alternating mutex
//! groups for classical planning", 2018).
//!
//! A set of fluent atoms is such a group if at most one of them is true initially, and if each action makes no more of
//! them true than it requires and makes false. [`inequality`] says this in linear inequalities over a choice of
//! atoms, and [`search`] looks for choices that are maximal: no further atom can be chosen.

mod inequality;
mod search;

use herbrand_ground::GroundTask;
use herbrand_limits::{Budget, BudgetExhausted};

use crate::groups::MutexGroups;
use inequality::{Inequalities, MOST_EFFECTS};
use search::Search;

/// The limits of [`alternating_groups`]. A task can have exponentially many groups, and a search for one may take
/// exponentially long. The groups within these limits do not depend on the computer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AlternatingLimits {
    /// The number of groups, given ones included, after which no further groups with an atom are looked for.
    pub each: usize,
    /// The largest number of groups, given ones included.
    pub groups: usize,
    /// The number of dead ends after which a search returns the group that it has found so far, which may not be
    /// maximal, or none.
    pub dead_ends: u32,
}

impl Default for AlternatingLimits {
    /// Looks for a group with each atom that is in none, up to 10,000 groups in all and 1,000 dead ends.
    fn default() -> Self {
        Self {
            each: 1,
            groups: 10_000,
            dead_ends: 1000,
        }
    }
}

/// Returns the fact-alternating mutex groups of a ground task that are maximal, in addition to `groups`, which must be
/// mutex groups of the task. A maximal group that is part of one of these is left out.
///
/// # Errors
/// If the budget is exhausted.
pub fn alternating_groups(
    task: &GroundTask,
    groups: MutexGroups,
    limits: &AlternatingLimits,
    budget: &Budget,
) -> Result<MutexGroups, BudgetExhausted> {
    let mut meter = budget.meter("finding fact-alternating mutex groups");
    if is_enough(task, &groups, limits.each) {
        return Ok(groups);
    }
    let mut found = groups.into_groups();
    let mut groups_of: Vec<Vec<usize>> = vec![Vec::new(); task.fluent_count()];
    for (index, group) in found.iter().enumerate() {
        group.iter().for_each(|atom| groups_of[atom.index()].push(index));
    }
    let inequalities = Inequalities::of(task, MOST_EFFECTS, &mut meter)?;
    let mut search = Search::new(&inequalities, limits.dead_ends);
    for atom in 0..task.fluent_count() {
        while groups_of[atom].len() < limits.each && found.len() < limits.groups {
            let known = groups_of[atom].iter().map(|&group| found[group].as_slice());
            let Some(group) = search.find(atom, known, &mut meter)? else {
                break;
            };
            for atom in &group {
                groups_of[atom.index()].push(found.len());
            }
            let bytes = group.len() * (size_of::<usize>() + size_of_val(&group[0]));
            if !meter.charge(bytes as u64) {
                meter.check()?;
            }
            found.push(group);
        }
    }
    meter.finish()?;
    Ok(MutexGroups::new(found))
}

/// Returns whether each fluent atom is in at least `each` groups.
fn is_enough(task: &GroundTask, groups: &MutexGroups, each: usize) -> bool {
    if each == 0 {
        return true;
    }
    let mut counts = vec![0; task.fluent_count()];
    let atoms = groups.groups().iter().flatten();
    atoms.for_each(|atom| counts[atom.index()] += 1);
    counts.iter().all(|&count| count >= each)
}
