//! Questions about the state after some actions.

use std::collections::BTreeSet;

use herbrand_ground::{ActionId, AtomId};

use super::{Draw, TRIES, alike, shared};
use crate::draft::Draft;
use crate::question::Subject;

impl Draw<'_> {
    /// Takes a few actions at random. Returns them and the state that they lead to.
    fn somewhere(&mut self) -> Option<(Vec<ActionId>, u32)> {
        let steps = 1 + self.random.below(4) as usize;
        let (actions, states) = self.world.walk(self.start, steps, &mut self.random)?;
        Some((actions, *states.last()?))
    }

    fn after_actions(&self, actions: &[ActionId]) -> Subject {
        Subject {
            actions: self.world.action_texts(actions),
            ..Subject::default()
        }
    }

    /// An action that lacks only one fact, among actions of the same form that lack more or another one.
    pub(super) fn why_not(&mut self) -> Option<Draft> {
        let (actions, end) = self.somewhere()?;
        let state = self.world.state(end)?;
        let simulator = &self.world.simulator;
        let is_valid: BTreeSet<ActionId> = simulator.valid_actions(&state).into_iter().collect();
        let invalid: Vec<_> = simulator.task().actions.ids().collect();
        let invalid = invalid.into_iter().filter(|action| !is_valid.contains(action));
        let invalid: Vec<ActionId> = invalid.collect();
        let (named, last) = (self.named(&actions), self.named(&actions[actions.len() - 1..]));
        let lacking: Vec<_> = self
            .world
            .fluents()
            .filter(|&atom| state.holds(atom) == Some(false))
            .collect();
        for fact in self.several(&lacking, TRIES) {
            let facts: Vec<AtomId> = state.fluents().chain([fact]).collect();
            let Ok(changed) = simulator.state_from_atoms(facts) else {
                continue;
            };
            let enabled: BTreeSet<ActionId> = simulator.valid_actions(&changed).into_iter().collect();
            let about = self.objects_of(fact);
            let form = |action: &ActionId| {
                let objects = self.objects_of_action(*action);
                let is_about: Vec<bool> = objects.iter().map(|object| about.contains(object)).collect();
                let shape = self.world.action_shape(*action);
                (shape, is_about, shared(objects, &named), shared(objects, &last))
            };
            let groups = alike(
                invalid.iter().copied(),
                form,
                |action| enabled.contains(action),
                3,
            );
            if let Some(group) = self.random.choose(&groups) {
                let right = self.world.action(*self.random.choose(&group.right)?);
                let wrong = self.world.action_texts(&group.wrong);
                let subject = Subject {
                    about: self.world.atom(fact),
                    ..self.after_actions(&actions)
                };
                return Some(Draft::choice(subject, right, wrong, &mut self.random));
            }
        }
        None
    }

    /// An action that can be carried out, among actions of the same form that cannot.
    pub(super) fn applicable(&mut self) -> Option<Draft> {
        let (actions, end) = self.somewhere()?;
        let moves = self.world.moves(end);
        let valid: BTreeSet<ActionId> = moves.into_iter().map(|(action, _)| action).collect();
        let (named, last) = (self.named(&actions), self.named(&actions[actions.len() - 1..]));
        let form = |&action: &ActionId| {
            let objects = self.objects_of_action(action);
            let is_taken = actions.contains(&action);
            let shape = self.world.action_shape(action);
            (shape, is_taken, shared(objects, &named), shared(objects, &last))
        };
        let all = self.world.simulator.task().actions.ids();
        let groups = alike(all, form, |action| valid.contains(action), 3);
        let group = self.random.choose(&groups)?;
        let right = self.world.action(*self.random.choose(&group.right)?);
        let wrong = self.world.action_texts(&group.wrong);
        let subject = self.after_actions(&actions);
        Some(Draft::choice(subject, right, wrong, &mut self.random))
    }

    /// A fact that holds, among facts of the same form that do not: either all of them held at the start, or none did.
    /// Groups of facts that the actions change are preferred.
    pub(super) fn after(&mut self) -> Option<Draft> {
        let (actions, end) = self.somewhere()?;
        let (before, after) = (self.world.state(self.start)?, self.world.state(end)?);
        let (named, last) = (self.named(&actions), self.named(&actions[actions.len() - 1..]));
        let form = |&atom: &AtomId| {
            let objects = self.objects_of(atom);
            let shape = self.world.atom_shape(atom);
            (
                shape,
                before.holds(atom),
                shared(objects, &named),
                shared(objects, &last),
            )
        };
        let groups = alike(
            self.world.fluents(),
            form,
            |&atom| after.holds(atom) == Some(true),
            3,
        );
        let changed = |atoms: &[AtomId]| atoms.iter().any(|&atom| before.holds(atom) != after.holds(atom));
        let weights = groups.iter().enumerate().flat_map(|(at, group)| {
            let weight = if changed(&group.right) || changed(&group.wrong) {
                6
            } else {
                1
            };
            std::iter::repeat_n(at, weight)
        });
        let weighted: Vec<usize> = weights.collect();
        let group = &groups[*self.random.choose(&weighted)?];
        let right = self.world.atom(*self.random.choose(&group.right)?);
        let wrong = group.wrong.iter().map(|&atom| self.world.atom(atom)).collect();
        let subject = self.after_actions(&actions);
        Some(Draft::choice(subject, right, wrong, &mut self.random))
    }
}
