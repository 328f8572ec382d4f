//! The fast path of the encoder: actions without draws and conditional effects whose precondition is one conjunction of
//! facts. It makes the same operators as the general way, without lists of conditions.

use herbrand_ground::{Block, Literal};

use super::{Encoder, retain_prevail, value};
use crate::task::{Effect, Fact, tidy};

/// The lists that the fast path fills again and again.
#[derive(Default)]
pub(super) struct Lists {
    known: Vec<Fact>,
    adds: Vec<Fact>,
    deletes: Vec<Fact>,
    effects: Vec<Effect>,
}

/// The operator of an action by the fast path.
pub(super) enum Plain {
    /// The operator's prevail conditions and effects.
    Operator(Vec<Fact>, Vec<Effect>),
    /// The action is never applicable, or it changes nothing.
    Never,
    /// The general way is needed.
    Unknown,
}

impl Encoder<'_> {
    /// Returns the operator of an action with this precondition and effect, if the fast path finds it.
    pub(super) fn plain(&mut self, literals: &[Literal], block: Block<'_>) -> Plain {
        if !(block.whens.is_empty() && block.draws.is_empty()) {
            return Plain::Unknown;
        }
        let mut lists = std::mem::take(&mut self.lists);
        let found = match self.preconditions(literals, &mut lists.known) {
            Some(true) => {
                self.plain_effects(block, &mut lists);
                if lists.effects.is_empty() {
                    Plain::Never
                } else {
                    retain_prevail(&mut lists.known, &lists.effects);
                    Plain::Operator(lists.known.clone(), lists.effects.drain(..).collect())
                }
            }
            Some(false) => Plain::Never,
            None => Plain::Unknown,
        };
        self.lists = lists;
        found
    }

    /// Writes the facts of a conjunction, ascending. Returns `false` if it is never true, and `None` if it is more than one
    /// conjunction of facts.
    fn preconditions(&mut self, literals: &[Literal], known: &mut Vec<Fact>) -> Option<bool> {
        known.clear();
        self.round += 1;
        for literal in literals.iter().filter(|literal| !literal.is_negative()) {
            if !self.note(literal.atom()) {
                return Some(false);
            }
            known.push(self.facts[literal.atom().index()]);
        }
        known.sort_unstable();
        known.dedup();
        if known.windows(2).any(|pair| pair[0].variable == pair[1].variable) {
            return Some(false);
        }
        let positive = known.len();
        for literal in literals.iter().filter(|literal| literal.is_negative()) {
            let fact = self.facts[literal.atom().index()];
            match value(&known[..positive], fact.variable) {
                Some(value) if value == fact.value => return Some(false),
                Some(_) => {}
                None if self.is_excluded(literal.atom()) => {}
                None if self.sizes[fact.variable as usize] == 2 => known.push(Fact::new(fact.variable, 1)),
                None => return None,
            }
        }
        if known.len() > positive {
            known.sort_unstable();
            known.dedup();
        }
        Some(true)
    }

    /// Writes the effects of a block, ascending. The known facts have been noted.
    fn plain_effects(&self, block: Block<'_>, lists: &mut Lists) {
        let Lists {
            known,
            adds,
            deletes,
            effects,
        } = lists;
        let fact = |atom: &herbrand_ground::AtomId| self.facts[atom.index()];
        adds.clear();
        adds.extend(block.adds.iter().map(fact));
        adds.sort_unstable();
        deletes.clear();
        deletes.extend(block.deletes.iter().map(fact));
        deletes.sort_unstable();
        effects.clear();
        let effect = |variable, before, after, condition| Effect {
            variable,
            before,
            after,
            condition,
        };
        for &Fact {
            variable,
            value: after,
        } in adds.iter()
        {
            let before = value(known, variable);
            if before != Some(after) {
                effects.push(effect(variable, before, after, Vec::new()));
            }
        }
        for own in deletes.chunk_by(|one, other| one.variable == other.variable) {
            let variable = own[0].variable;
            if value(adds, variable).is_some() {
                continue;
            }
            let none = self.sizes[variable as usize] - 1;
            let is_deleted = |value| own.binary_search(&Fact::new(variable, value)).is_ok();
            let is_excluded = |value| {
                let atom = self.atom(Fact::new(variable, value));
                atom.is_some_and(|atom| self.is_excluded(atom))
            };
            match value(known, variable) {
                Some(before) if is_deleted(before) => {
                    effects.push(effect(variable, Some(before), none, Vec::new()));
                }
                Some(_) => {}
                None if (0..none).all(|value| is_deleted(value) || is_excluded(value)) => {
                    effects.push(effect(variable, None, none, Vec::new()));
                }
                None => {
                    let possible = own.iter().filter(|fact| !is_excluded(fact.value));
                    effects.extend(possible.map(|&fact| effect(variable, None, none, vec![fact])));
                }
            }
        }
        tidy(effects);
    }
}

#[cfg(test)]
mod tests {
    use herbrand_ground::strategies::{EffectKinds, TaskSketch};
    use herbrand_ground::{AtomId, GroundTask};
    use proptest::prelude::*;

    use super::super::{Changes, Draws};
    use super::*;
    use crate::cover::cover;
    use crate::groups::MutexGroups;

    /// The prevail conditions and the effects of some operators.
    type Parts = Vec<(Vec<Fact>, Vec<Effect>)>;

    /// The operators of all actions by the fast path, each with those by the general way.
    fn both(task: &GroundTask, groups: &MutexGroups) -> Vec<(Plain, Parts)> {
        let sets = cover(task, groups, &vec![false; task.atom_count()]);
        let mut encoder = Encoder::new(task, &sets, groups, Draws::Refuse);
        let mut found = Vec::new();
        for id in task.actions.ids() {
            let action = task.actions.get(id);
            for conjunction in task.conditions.conjunctions(action.precondition) {
                let literals = encoder.literals(conjunction);
                let plain = encoder.plain(literals, task.effects.get(action.effect));
                let Ok(all) = encoder.expand(literals.iter().copied(), &[]) else {
                    continue;
                };
                let mut general = Vec::new();
                for mut known in all {
                    let mut changes = Changes::default();
                    let collected = encoder.collect(action.effect, &mut Vec::new(), &known, &mut changes);
                    assert!(collected.is_ok());
                    let effects = encoder.effects(id, &known, changes).ok().expect("one condition");
                    retain_prevail(&mut known, &effects);
                    if !effects.is_empty() {
                        general.push((known, effects));
                    }
                }
                found.push((plain, general));
            }
        }
        found
    }

    proptest! {
        #[test]
        fn the_fast_path_makes_the_operators_of_the_general_way(
            fluents in 1..9_u32,
            actions in 1..9_u32,
            literals in 1..6_u32,
            disjunctions in any::<bool>(),
            seed in any::<u64>(),
            groups in prop::collection::vec(prop::collection::vec(0..9_usize, 2..5), 0..5),
        ) {
            let effects = EffectKinds::Plain;
            let task = TaskSketch { fluents, derived: 2, numbers: 0, actions, literals, disjunctions, effects, seed }.build();
            let atom = |index: &usize| AtomId::from_index(index % task.fluent_count());
            let groups = MutexGroups::new(groups.iter().map(|group| group.iter().map(atom).collect()));
            for (plain, general) in both(&task, &groups) {
                match plain {
                    Plain::Operator(known, effects) => prop_assert_eq!(vec![(known, effects)], general),
                    Plain::Never => prop_assert_eq!(general, Vec::new()),
                    Plain::Unknown => {}
                }
            }
        }
    }

    /// The fast path finds most operators, but not all: else the property above would say nothing.
    #[test]
    fn the_fast_path_finds_most_operators() {
        let (mut operators, mut unknown) = (0, 0);
        for seed in 0..100 {
            let sketch = TaskSketch {
                fluents: 6,
                derived: 1,
                numbers: 0,
                actions: 6,
                literals: 3,
                disjunctions: false,
                effects: EffectKinds::Plain,
                seed,
            };
            let groups = MutexGroups::new([(0..4).map(AtomId::from_index).collect()]);
            for (plain, _) in both(&sketch.build(), &groups) {
                operators += u32::from(matches!(plain, Plain::Operator(..)));
                unknown += u32::from(matches!(plain, Plain::Unknown));
            }
        }
        assert!(operators > 2 * unknown && unknown > 10, "{operators} {unknown}");
    }
}
