//! The inequalities that a fact-alternating mutex group fulfils.

use fxhash::FxHashSet;
use herbrand_ground::{AtomId, BlockId, ConjunctionId, GroundTask, Rows};
use herbrand_limits::{BudgetExhausted, Meter};

/// The largest number of effects of an action that are compared pair by pair.
pub(super) const MOST_EFFECTS: usize = 32;

/// Linear inequalities over a set of fluent atoms. Each has two lists of atoms: the set must contain no more atoms of the
/// first than of the second.
#[derive(Default)]
pub(super) struct Inequalities {
    pub(super) atoms: usize,
    /// The fluent atoms that may be true initially; the set must contain at most one of them.
    pub(super) initial: Vec<u32>,
    /// The atoms that a step makes true.
    pub(super) adds: Rows<u32>,
    /// The atoms that are true before that step and false after it.
    pub(super) removed: Rows<u32>,
}

/// Effects of a step that happen under the same condition.
#[derive(Clone, Default)]
struct Change {
    /// The fluent atoms that must be true under the condition and the precondition. Fluent atoms in `forbidden` must be
    /// false.
    required: Vec<AtomId>,
    forbidden: Vec<AtomId>,
    adds: Vec<AtomId>,
    deletes: Vec<AtomId>,
}

impl Change {
    /// Removes everything and keeps the memory.
    fn clear(&mut self) {
        let lists = [
            &mut self.required,
            &mut self.forbidden,
            &mut self.adds,
            &mut self.deletes,
        ];
        lists.into_iter().for_each(Vec::clear);
    }

    /// Adds the literals of a conjunction to the condition. Returns whether the condition may be true.
    fn require(&mut self, task: &GroundTask, id: ConjunctionId) -> bool {
        let literals = task.conditions.get(id).literals.iter();
        for literal in literals.filter(|literal| literal.atom().index() < task.fluent_count()) {
            let list = if literal.is_negative() {
                &mut self.forbidden
            } else {
                &mut self.required
            };
            list.push(literal.atom());
        }
        self.is_possible()
    }

    fn is_possible(&self) -> bool {
        !self.required.iter().any(|atom| self.forbidden.contains(atom))
    }

    /// Returns this change together with another one.
    fn with(&self, other: &Self) -> Self {
        let both = |one: &[AtomId], other: &[AtomId]| [one, other].concat();
        Self {
            required: both(&self.required, &other.required),
            forbidden: both(&self.forbidden, &other.forbidden),
            adds: both(&self.adds, &other.adds),
            deletes: both(&self.deletes, &other.deletes),
        }
    }
}

impl Inequalities {
    /// Returns the inequalities of a task.
    ///
    /// An atom of the set that is true before a step is the only one. So a step keeps the set a mutex group if it adds
    /// no more atoms of the set than it requires and deletes. Where several conditional effects may happen at once, it is
    /// enough that this is so for each of them and for each pair: of three new atoms, two come from one pair. In an
    /// action with more than `most` effects, the additions of all count as if they happened in each step, and no conditional
    /// deletion does.
    pub(super) fn of(task: &GroundTask, most: usize, meter: &mut Meter) -> Result<Self, BudgetExhausted> {
        let mut inequalities = Self {
            atoms: task.fluent_count(),
            ..Self::default()
        };
        let mut initial = Vec::new();
        collect(task, task.initial_chance, &Change::default(), &mut initial);
        let drawn = initial.iter().flat_map(|change| &change.adds);
        let all = task.initial.iter().chain(drawn).map(|atom| atom.number());
        inequalities.initial = all
            .filter(|&atom| (atom as usize) < task.fluent_count())
            .collect();
        inequalities.initial.sort_unstable();
        inequalities.initial.dedup();
        let mut changes = Vec::new();
        let mut known = Change::default();
        let mut seen = Seen::default();
        for id in task.actions.ids() {
            let action = task.actions.get(id);
            let block = task.effects.get(action.effect);
            for conjunction in task.conditions.conjunctions(action.precondition) {
                known.clear();
                if !known.require(task, conjunction) {
                    continue;
                }
                if block.whens.is_empty() && block.draws.is_empty() {
                    known.adds.extend(block.adds);
                    known.deletes.extend(block.deletes);
                    inequalities.add(&known, &mut seen, meter)?;
                    continue;
                }
                changes.clear();
                collect(task, action.effect, &known, &mut changes);
                if changes.len() > most {
                    known.deletes.extend(block.deletes);
                    known.adds.extend(changes.iter().flat_map(|change| &change.adds));
                    inequalities.add(&known, &mut seen, meter)?;
                    continue;
                }
                for (index, change) in changes.iter().enumerate() {
                    inequalities.add(change, &mut seen, meter)?;
                    let both = changes[index + 1..].iter().map(|other| change.with(other));
                    for both in both.filter(Change::is_possible) {
                        inequalities.add(&both, &mut seen, meter)?;
                    }
                }
            }
        }
        Ok(inequalities)
    }

    /// Adds the inequality of a change, unless it always holds or is there.
    fn add(&mut self, change: &Change, seen: &mut Seen, meter: &mut Meter) -> Result<(), BudgetExhausted> {
        let Seen {
            all,
            adds,
            removed,
            key,
        } = seen;
        numbers(
            adds,
            change.adds.iter().filter(|atom| !change.required.contains(atom)),
        );
        if adds.is_empty() {
            return Ok(());
        }
        let is_removed = |atom: &&AtomId| change.deletes.contains(atom) && !change.adds.contains(atom);
        numbers(removed, change.required.iter().filter(is_removed));
        let bytes = size_of::<[Vec<u32>; 2]>() + 2 * (adds.len() + removed.len()) * size_of::<u32>();
        if !meter.charge(bytes as u64) {
            meter.check()?;
        }
        key.clear();
        key.push(adds.len() as u32);
        key.extend(adds.iter().chain(removed.iter()));
        if !all.contains(key.as_slice()) {
            self.adds.push(adds.iter().copied());
            self.removed.push(removed.iter().copied());
            all.insert(key.as_slice().into());
        }
        Ok(())
    }
}

/// The inequalities that are there, and lists that are filled again and again.
#[derive(Default)]
struct Seen {
    /// For each inequality the number of added atoms, these atoms, and the removed ones.
    all: FxHashSet<Box<[u32]>>,
    adds: Vec<u32>,
    removed: Vec<u32>,
    key: Vec<u32>,
}

/// Fills a list with the numbers of atoms, ascending.
fn numbers<'a>(list: &mut Vec<u32>, atoms: impl Iterator<Item = &'a AtomId>) {
    list.clear();
    list.extend(atoms.map(|atom| atom.number()));
    list.sort_unstable();
    list.dedup();
}

/// Appends the changes of a block that happens under the condition of `outer`, which has the changes that then happen, too.
/// Every draw may have each of its outcomes. Changes that add nothing are left out.
fn collect(task: &GroundTask, id: BlockId, outer: &Change, changes: &mut Vec<Change>) {
    let block = task.effects.get(id);
    let mut change = outer.clone();
    change.adds.extend(block.adds);
    change.deletes.extend(block.deletes);
    for &(condition, inner) in block.whens {
        for conjunction in task.conditions.conjunctions(condition) {
            let mut under = change.clone();
            if under.require(task, conjunction) {
                collect(task, inner, &under, changes);
            }
        }
    }
    for &draw in block.draws {
        for &inner in task.effects.draw(draw).blocks {
            collect(task, inner, &change, changes);
        }
    }
    if !block.adds.is_empty() {
        changes.push(change);
    }
}
