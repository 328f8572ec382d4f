//! Relevance analysis: removes the atoms that nothing reads, and takes numbers that only the metric reads out of the state.

mod counters;
mod rewrite;

use crate::task::{AtomId, BlockId, ConditionId, ConjunctionId, GroundTask};

impl GroundTask {
    /// Returns the task without irrelevant atoms, the effects that set them and the axioms that derive them. The
    /// remaining atoms get new ids, in the same order.
    ///
    /// An atom is *relevant* if
    /// - a precondition or the goal reads it,
    /// - the condition of a relevant effect reads it, or
    /// - an axiom with a relevant head reads it.
    ///
    /// A conditional effect is relevant if some part of it sets a relevant atom, changes a number or draws. A draw is always
    /// relevant, so that later draws stay the same. The set of relevant atoms is the least set that satisfies these rules.
    /// Numbers do not depend on atoms, and actions, numeric fluents and [`statics`](Self::statics) are not removed.
    ///
    /// The relevant atoms and numbers of the next state only depend on relevant atoms, numbers and draws. So every run has
    /// the same valid actions with the same ids, and the same draws, goals and rewards, as with all atoms. States that
    /// differ in irrelevant atoms only become one state.
    #[must_use]
    pub fn only_relevant(self) -> Self {
        let relevance = Relevance::of(&self);
        if relevance.is_complete() {
            return self;
        }
        rewrite::rewrite(self, &relevance)
    }

    /// Like [`only_relevant`](Self::only_relevant), but returns a copy of the task without the irrelevant atoms; `None`
    /// if all atoms are relevant. Use the task itself then.
    #[must_use]
    pub fn relevant_part(&self) -> Option<Self> {
        let relevance = Relevance::of(self);
        (!relevance.is_complete()).then(|| rewrite::rewrite(self.clone(), &relevance))
    }
}

/// The relevant parts of a task.
struct Relevance {
    /// For each atom, whether it is relevant.
    atoms: Vec<bool>,
    /// For each condition, whether it belongs to a precondition, the goal or a relevant effect.
    conditions: Vec<bool>,
    /// For each block, whether it is relevant. Meaningless for unconditional blocks.
    blocks: Vec<bool>,
}

impl Relevance {
    fn of(task: &GroundTask) -> Self {
        let mut search = Search {
            task,
            links: Links::default(),
            relevance: Self {
                atoms: vec![false; task.atom_count()],
                conditions: vec![false; task.conditions.ids().len()],
                blocks: vec![false; task.effects.len()],
            },
            open_atoms: Vec::new(),
            open_blocks: Vec::new(),
        };
        search.read_always();
        // Most tasks need no links: some precondition reads each atom.
        if !search.relevance.is_complete() {
            search.links = Links::of(task);
            search.run();
        }
        search.relevance
    }

    fn is_complete(&self) -> bool {
        self.atoms.iter().all(|&relevant| relevant)
    }
}

/// The dependencies that propagate relevance of atoms and blocks.
#[derive(Default)]
struct Links {
    /// The blocks that are always relevant, because they change a number or draw.
    certain: Vec<BlockId>,
    /// The conditional blocks that set an atom; sorted.
    setters: Vec<(AtomId, BlockId)>,
    /// For each conditional block, its condition and the block around it; sorted.
    guards: Vec<(BlockId, (ConditionId, BlockId))>,
    /// The bodies of the axioms of each atom; sorted.
    bodies: Vec<(AtomId, ConjunctionId)>,
}

impl Links {
    fn of(task: &GroundTask) -> Self {
        let mut links = Self::default();
        let effects = task.actions.iter().map(|(_, action)| action.effect);
        let mut open: Vec<_> = effects.chain([task.initial_chance]).collect();
        while let Some(id) = open.pop() {
            let block = task.effects.get(id);
            if !(block.assignments.is_empty() && block.draws.is_empty()) {
                links.certain.push(id);
            }
            for &(condition, inner) in block.whens {
                links.guards.push((inner, (condition, id)));
                let set = task.effects.get(inner);
                let atoms = set.adds.iter().chain(set.deletes);
                links.setters.extend(atoms.map(|&atom| (atom, inner)));
                open.push(inner);
            }
            let draws = block.draws.iter();
            open.extend(draws.flat_map(|&draw| task.effects.draw(draw).blocks));
        }
        links.bodies = task.axioms.iter().map(|axiom| (axiom.head, axiom.body)).collect();
        links.setters.sort_unstable();
        links.guards.sort_unstable();
        links.bodies.sort_unstable();
        links
    }
}

/// Iterates over the values of a key in a sorted list of pairs.
fn values<K: Ord + Copy, V: Copy>(sorted: &[(K, V)], key: K) -> impl Iterator<Item = V> {
    let start = sorted.partition_point(|&(other, _)| other < key);
    let of_key = sorted[start..]
        .iter()
        .take_while(move |&&(other, _)| other == key);
    of_key.map(|&(_, value)| value)
}

/// The search for the least fixpoint of the relevance rules. Linear in the size of the task, except for sorting.
struct Search<'a> {
    task: &'a GroundTask,
    links: Links,
    relevance: Relevance,
    open_atoms: Vec<AtomId>,
    open_blocks: Vec<BlockId>,
}

impl Search<'_> {
    /// Reads the preconditions and the goal.
    fn read_always(&mut self) {
        let task = self.task;
        for (_, action) in task.actions.iter() {
            self.read(action.precondition);
        }
        self.read(task.goal);
    }

    /// Follows the links from the atoms that have been read.
    fn run(&mut self) {
        for block in std::mem::take(&mut self.links.certain) {
            self.matters(block);
        }
        let links = std::mem::take(&mut self.links);
        loop {
            if let Some(block) = self.open_blocks.pop() {
                for (condition, outer) in values(&links.guards, block) {
                    self.read(condition);
                    self.matters(outer);
                }
            } else if let Some(atom) = self.open_atoms.pop() {
                values(&links.setters, atom).for_each(|block| self.matters(block));
                values(&links.bodies, atom).for_each(|body| self.read_conjunction(body));
            } else {
                return;
            }
        }
    }

    fn matters(&mut self, block: BlockId) {
        if !std::mem::replace(&mut self.relevance.blocks[block.index()], true) {
            self.open_blocks.push(block);
        }
    }

    fn read(&mut self, condition: ConditionId) {
        if !std::mem::replace(&mut self.relevance.conditions[condition.index()], true) {
            let conjunctions = self.task.conditions.conjunctions(condition);
            conjunctions.for_each(|id| self.read_conjunction(id));
        }
    }

    fn read_conjunction(&mut self, id: ConjunctionId) {
        for literal in self.task.conditions.get(id).literals {
            let atom = literal.atom();
            if !std::mem::replace(&mut self.relevance.atoms[atom.index()], true) {
                self.open_atoms.push(atom);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use herbrand_pddl::strategies::{Shape, tasks};
    use proptest::prelude::*;

    use super::*;
    use crate::{GroundOptions, ground};

    /// Applies the relevance rules literally, until nothing changes.
    fn naive(task: &GroundTask) -> Vec<bool> {
        let mut relevant = vec![false; task.atom_count()];
        loop {
            let before = relevant.clone();
            let mut read: Vec<ConjunctionId> = task.conditions.conjunctions(task.goal).collect();
            for id in task.actions.ids() {
                let action = task.actions.get(id);
                read.extend(task.conditions.conjunctions(action.precondition));
                guards(task, action.effect, &before, &mut read);
            }
            guards(task, task.initial_chance, &before, &mut read);
            let of_relevant = task.axioms.iter().filter(|axiom| before[axiom.head.index()]);
            read.extend(of_relevant.map(|axiom| axiom.body));
            for literal in read.iter().flat_map(|&id| task.conditions.get(id).literals) {
                relevant[literal.atom().index()] = true;
            }
            if relevant == before {
                return relevant;
            }
        }
    }

    /// Adds the conditions of the relevant effects inside a block.
    fn guards(task: &GroundTask, id: BlockId, relevant: &[bool], read: &mut Vec<ConjunctionId>) {
        let block = task.effects.get(id);
        for &(condition, inner) in block.whens {
            if matters(task, inner, relevant) {
                read.extend(task.conditions.conjunctions(condition));
            }
            guards(task, inner, relevant, read);
        }
        for &inner in block
            .draws
            .iter()
            .flat_map(|&draw| task.effects.draw(draw).blocks)
        {
            guards(task, inner, relevant, read);
        }
    }

    fn matters(task: &GroundTask, id: BlockId, relevant: &[bool]) -> bool {
        let block = task.effects.get(id);
        let mut atoms = block.adds.iter().chain(block.deletes);
        let mut inner = block.whens.iter().map(|&(_, inner)| inner);
        !block.assignments.is_empty()
            || !block.draws.is_empty()
            || atoms.any(|atom| relevant[atom.index()])
            || inner.any(|inner| matters(task, inner, relevant))
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn relevance_is_what_its_rules_say((domain, problem) in tasks(&Shape::default())) {
            let task = ground(&domain, &problem, &GroundOptions::unlimited()).expect("there is no limit");
            let expected = naive(&task);
            prop_assert_eq!(&Relevance::of(&task).atoms, &expected);
            let kept = task.clone().only_relevant();
            let names = |task: &GroundTask| -> Vec<String> {
                (0..task.atom_count()).map(|index| task.display_atom(AtomId::from_index(index)).to_string()).collect()
            };
            let mut relevant = names(&task);
            relevant.retain({
                let mut expected = expected.iter();
                move |_| *expected.next().expect("as many as there are atoms")
            });
            prop_assert_eq!(names(&kept), relevant);
            // No irrelevant atoms remain.
            prop_assert_eq!(&kept.clone().only_relevant(), &kept);
            prop_assert_eq!(kept.relevant_part(), None);
            prop_assert_eq!(&task.relevant_part().unwrap_or_else(|| task.clone()), &kept);
            prop_assert!(naive(&kept).iter().all(|&relevant| relevant));
        }
    }
}
