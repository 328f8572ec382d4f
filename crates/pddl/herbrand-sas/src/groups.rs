//! Mutex groups: sets of atoms that exclude each other.

use fxhash::FxHashMap;
use herbrand_ground::{AtomId, BlockId, GroundTask, NormalDomain, Rows};
use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_pddl::ObjectId;

use crate::invariant::{self, Candidate, InvariantLimits};

/// Mutex groups of a ground task: sets of fluent atoms that exclude each other in reachable states. [`lifted_groups`]
/// finds them, and [`translate`](crate::translate()) takes them. The default has no group.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MutexGroups {
    /// The atoms of each group, ascending, at least two.
    groups: Vec<Vec<AtomId>>,
}

impl MutexGroups {
    /// Creates mutex groups from lists of atoms. Atoms that occur twice in a list count once. Lists with fewer than two
    /// atoms, and repeated lists, are left out. That at most one atom is true in each reachable state is not checked.
    #[must_use]
    pub fn new(groups: impl IntoIterator<Item = Vec<AtomId>>) -> Self {
        let sorted = |mut group: Vec<AtomId>| {
            group.sort_unstable();
            group.dedup();
            group
        };
        let mut groups: Vec<_> = groups
            .into_iter()
            .map(sorted)
            .filter(|group| group.len() > 1)
            .collect();
        groups.sort_unstable();
        groups.dedup();
        Self { groups }
    }

    /// Keeps the groups for which `keep` is true.
    #[must_use]
    pub(crate) fn retain(mut self, keep: impl Fn(&[AtomId]) -> bool) -> Self {
        self.groups.retain(|group| keep(group));
        self
    }

    /// Returns the groups, in ascending order. The atoms of each are ascending.
    #[must_use]
    pub fn groups(&self) -> &[Vec<AtomId>] {
        &self.groups
    }

    /// Returns the groups as lists of atoms.
    pub(crate) fn into_groups(self) -> Vec<Vec<AtomId>> {
        self.groups
    }

    /// Returns the groups of each atom of a task, by their indices, ascending.
    pub(crate) fn memberships(&self, atoms: usize) -> Rows<u32> {
        let mut pairs = Vec::with_capacity(self.groups.iter().map(Vec::len).sum());
        for (index, group) in (0..).zip(&self.groups) {
            pairs.extend(group.iter().map(|&atom| (atom, index)));
        }
        pairs.sort_unstable();
        let mut rows = Rows::default();
        let mut rest = pairs.as_slice();
        for atom in (0..atoms).map(AtomId::from_index) {
            let (own, others) = rest.split_at(rest.partition_point(|pair| pair.0 == atom));
            rows.push(own.iter().map(|pair| pair.1));
            rest = others;
        }
        rows
    }
}

/// Returns the mutex groups that follow from invariants of a domain: sets of atoms such that no action makes more of
/// them true than it makes false. Pass them to [`translate`](crate::translate()). `task` must be a ground task of a
/// problem of the domain with the normal form `normal`; it may lack irrelevant atoms.
///
/// # Errors
/// If the budget is exhausted.
pub fn lifted_groups(
    normal: &NormalDomain,
    task: &GroundTask,
    limits: &InvariantLimits,
    budget: &Budget,
) -> Result<MutexGroups, BudgetExhausted> {
    let mut meter = budget.meter("finding invariants");
    let found = invariant::invariants(normal, task, limits, &mut meter);
    let mut initial = vec![false; task.atom_count()];
    for atom in &task.initial {
        initial[atom.index()] = true;
    }
    add_possible(task, task.initial_chance, &mut initial);
    let mut groups = Vec::new();
    for candidate in &found {
        for (atoms, weight) in instances(candidate, task, &initial) {
            if weight == 1 && meter.charge((atoms.len() * size_of::<AtomId>()) as u64) {
                groups.push(atoms);
            }
        }
    }
    meter.finish()?;
    Ok(MutexGroups::new(groups))
}

/// Marks the atoms that a block of effects may add, in any outcome of its draws.
fn add_possible(task: &GroundTask, block: BlockId, added: &mut [bool]) {
    let block = task.effects.get(block);
    block.adds.iter().for_each(|atom| added[atom.index()] = true);
    let drawn = block
        .draws
        .iter()
        .flat_map(|&draw| task.effects.draw(draw).blocks);
    let conditional = block.whens.iter().map(|(_, inner)| inner);
    drawn
        .chain(conditional)
        .for_each(|&inner| add_possible(task, inner, added));
}

/// Returns the sets of atoms that a candidate contains for each value of its parameters, each with the number of initially
/// true atoms.
fn instances(candidate: &Candidate, task: &GroundTask, initial: &[bool]) -> Vec<(Vec<AtomId>, u32)> {
    let mut places: FxHashMap<Vec<ObjectId>, usize> = FxHashMap::default();
    let mut sets: Vec<(Vec<AtomId>, u32)> = Vec::new();
    let mut key = Vec::new();
    for part in &candidate.parts {
        let begin = first_atom(task, part.predicate.index());
        let end = first_atom(task, part.predicate.index() + 1);
        for (index, &initially) in initial.iter().enumerate().take(end).skip(begin) {
            let Some(atom) = task.atoms.get(index) else {
                continue;
            };
            key.clear();
            key.resize(candidate.arity, ObjectId::new(0));
            for (place, &argument) in part.places.iter().zip(atom.arguments) {
                if let Some(parameter) = *place {
                    key[parameter] = argument;
                }
            }
            let set = match places.get(&key) {
                Some(&set) => set,
                None => {
                    places.insert(key.clone(), sets.len());
                    sets.push((Vec::new(), 0));
                    sets.len() - 1
                }
            };
            sets[set].0.push(AtomId::from_index(index));
            sets[set].1 += u32::from(initially);
        }
    }
    sets
}

/// Returns the number of fluent atoms with predicates of smaller ids.
fn first_atom(task: &GroundTask, predicate: usize) -> usize {
    let (mut low, mut high) = (0, task.fluent_count());
    while low < high {
        let middle = low + (high - low) / 2;
        if task
            .atoms
            .get(middle)
            .is_some_and(|atom| atom.predicate.index() < predicate)
        {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
