//! Questions about the state after some actions.

use herbrand_ground::{ActionId, AtomId};
use herbrand_pddl::Formula;
use herbrand_step::State;

use super::{Draft, Draw, TRIES};
use crate::question::Subject;

impl Draw<'_> {
    /// Takes a few actions at random. Returns them and the state that they lead to.
    fn somewhere(&mut self) -> Option<(Vec<String>, u32)> {
        let steps = 1 + self.random.below(4) as usize;
        let (actions, states) = self.world.walk(self.start, steps, &mut self.random)?;
        Some((self.world.action_texts(&actions), *states.last()?))
    }

    /// The fact that an action lacks, among facts of the same shape.
    pub(super) fn why_not(&mut self) -> Option<Draft> {
        let (actions, end) = self.somewhere()?;
        let state = self.world.state(end)?;
        let task = self.world.simulator.task();
        let all: Vec<_> = task.actions.ids().collect();
        let shapes = self.atoms_by_shape();
        for _ in 0..TRIES {
            let action = *self.random.choose(&all)?;
            let Some(lacking) = self.lacking(&state, action) else {
                continue;
            };
            let mut others = shapes[&self.world.atom_shape(lacking)].clone();
            others.retain(|&other| other != lacking);
            if others.len() < 3 {
                continue;
            }
            let about = self.world.action(action);
            others = self.near(&others, &about);
            let others = others.into_iter().map(|atom| self.world.atom(atom)).collect();
            let subject = Subject {
                actions,
                about,
                ..Subject::default()
            };
            return Some(self.choice(self.world.atom(lacking), others, subject));
        }
        None
    }

    /// Returns three atoms, those first that mention an object of the action.
    fn near(&mut self, atoms: &[AtomId], action: &str) -> Vec<AtomId> {
        let mut atoms = self.several(atoms, usize::MAX);
        let objects = |text: &str| -> Vec<String> {
            let words = text.trim_matches(['(', ')']).split(' ').skip(1);
            words.map(str::to_owned).collect()
        };
        let wanted = objects(action);
        let mentions = |atom: AtomId| {
            let own = objects(&self.world.atom(atom));
            own.iter().filter(|object| wanted.contains(object)).count()
        };
        atoms.sort_by_key(|&atom| std::cmp::Reverse(mentions(atom)));
        atoms.truncate(3);
        atoms
    }

    /// Returns the fact that an action lacks; `None` if it lacks none, several, or something else than a fact.
    fn lacking(&self, state: &State, action: ActionId) -> Option<AtomId> {
        let task = self.world.simulator.task();
        let action = task.actions.get(action);
        // Grounding turns other conditions into literals that the text does not state.
        if !is_plain(&self.world.domain.schema(action.schema).precondition) {
            return None;
        }
        let condition = action.precondition;
        let mut conjunctions = task.conditions.conjunctions(condition);
        let only = conjunctions.next().filter(|_| conjunctions.next().is_none())?;
        let conjunction = task.conditions.get(only);
        if !conjunction.comparisons.is_empty() {
            return None;
        }
        let fails = |literal: &&herbrand_ground::Literal| {
            task.is_derived(literal.atom()) || state.holds(literal.atom()) == literal.is_negative()
        };
        let failing: Vec<_> = conjunction.literals.iter().filter(fails).collect();
        match failing.as_slice() {
            [only] if !only.is_negative() && !task.is_derived(only.atom()) => Some(only.atom()),
            _ => None,
        }
    }

    /// An action that can be carried out, among actions of the same shape that cannot.
    pub(super) fn applicable(&mut self) -> Option<Draft> {
        let (actions, end) = self.somewhere()?;
        let valid: Vec<_> = self
            .world
            .moves(end)
            .into_iter()
            .map(|(action, _)| action)
            .collect();
        let mut shapes = Vec::new();
        for (_, alike) in self.actions_by_shape() {
            let (right, wrong): (Vec<_>, Vec<_>) =
                alike.into_iter().partition(|action| valid.contains(action));
            if !right.is_empty() && wrong.len() >= 3 {
                shapes.push((right, wrong));
            }
        }
        let (right, wrong) = self.random.choose(&shapes)?;
        let right = self.world.action(*self.random.choose(right)?);
        let wrong = wrong.iter().map(|&action| self.world.action(action)).collect();
        let subject = Subject {
            actions,
            ..Subject::default()
        };
        Some(self.choice(right, wrong, subject))
    }

    /// A fact that holds, among facts of the same shape that do not. Facts that the actions change are preferred.
    pub(super) fn after(&mut self) -> Option<Draft> {
        let (actions, end) = self.somewhere()?;
        let (before, after) = (self.world.state(self.start)?, self.world.state(end)?);
        let mut shapes = Vec::new();
        for (_, alike) in self.atoms_by_shape() {
            let (right, wrong): (Vec<_>, Vec<_>) = alike.into_iter().partition(|&atom| after.holds(atom));
            if !right.is_empty() && wrong.len() >= 3 {
                let changed =
                    |atoms: &[AtomId]| atoms.iter().any(|&atom| before.holds(atom) != after.holds(atom));
                let weight = if changed(&right) && changed(&wrong) { 4 } else { 1 };
                shapes.extend(std::iter::repeat_n((right, wrong), weight));
            }
        }
        let (right, mut wrong) = self.random.choose(&shapes)?.clone();
        let new: Vec<_> = right
            .iter()
            .copied()
            .filter(|&atom| !before.holds(atom))
            .collect();
        let among = if new.is_empty() || self.random.chance(0.3) {
            right
        } else {
            new
        };
        let right = *self.random.choose(&among)?;
        // Facts that held before the actions come first.
        self.shuffle(&mut wrong);
        wrong.sort_by_key(|&atom| !before.holds(atom));
        wrong.truncate(3);
        let wrong = wrong.into_iter().map(|atom| self.world.atom(atom)).collect();
        let subject = Subject {
            actions,
            ..Subject::default()
        };
        Some(self.choice(self.world.atom(right), wrong, subject))
    }
}

/// Returns whether a formula is a conjunction of atoms, equalities and their negations.
fn is_plain(formula: &Formula) -> bool {
    match formula {
        Formula::And(parts) => parts.iter().all(is_plain),
        Formula::Not(inner) => matches!(**inner, Formula::Atom(_) | Formula::Equal(..)),
        Formula::Atom(_) | Formula::Equal(..) => true,
        _ => false,
    }
}
