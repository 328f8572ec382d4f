//! Questions about the state after some actions.

use std::collections::BTreeSet;

use herbrand_ground::{ActionId, AtomId};
use herbrand_pddl::{AtomRef, Formula, ObjectId};
use herbrand_step::State;

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

    /// The fact that an action lacks, among other facts about the objects of the action.
    pub(super) fn why_not(&mut self) -> Option<Draft> {
        let (actions, end) = self.somewhere()?;
        let state = self.world.state(end)?;
        let all: Vec<_> = self.world.simulator.task().actions.ids().collect();
        for _ in 0..TRIES {
            let action = *self.random.choose(&all)?;
            let Some(lacking) = self.lacking(&state, action) else {
                continue;
            };
            let right = self.world.atom(lacking);
            let others = self.about_the_same(lacking, action);
            if others.len() >= 3 {
                let subject = Subject {
                    about: self.world.action(action),
                    ..self.after_actions(&actions)
                };
                return Some(Draft::choice(subject, right, others, &mut self.random));
            }
        }
        None
    }

    /// Returns up to three facts with as many objects as another fact, all of them objects of an action. Facts of the
    /// start that never change are among them.
    /// Facts that the action needs too come first.
    fn about_the_same(&mut self, fact: AtomId, action: ActionId) -> Vec<String> {
        let task = self.world.simulator.task();
        let named: BTreeSet<ObjectId> = self.named(&[action]);
        let count = self.objects_of(fact).len();
        let fits = |arguments: &[ObjectId]| arguments.len() == count && shared(arguments, &named) == count;
        let needed: BTreeSet<AtomId> = task
            .conditions
            .conjunctions(task.actions.get(action).precondition)
            .flat_map(|id| task.conditions.get(id).literals)
            .map(|literal| literal.atom())
            .collect();
        let text = |fact: AtomRef<'_>| {
            let names = fact
                .arguments
                .iter()
                .map(|&id| self.world.problem.object(id).name.as_str());
            let head = self.world.domain.predicate(fact.predicate).name.as_str();
            format!(
                "({})",
                [head].into_iter().chain(names).collect::<Vec<_>>().join(" ")
            )
        };
        let mut ranked: Vec<(bool, String)> = Vec::new();
        for atom in self.world.fluents().filter(|&atom| atom != fact) {
            if fits(self.objects_of(atom)) {
                ranked.push((!needed.contains(&atom), self.world.atom(atom)));
            }
        }
        for fact in self.world.constants() {
            if fits(fact.arguments) {
                ranked.push((true, text(fact)));
            }
        }
        self.shuffle(&mut ranked);
        ranked.sort_by_key(|(is_other, _)| *is_other);
        ranked.truncate(3);
        ranked.into_iter().map(|(_, text)| text).collect()
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
        let groups = alike(self.world.fluents(), form, |&atom| after.holds(atom), 3);
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

/// Returns whether a formula is a conjunction of atoms, equalities and their negations.
fn is_plain(formula: &Formula) -> bool {
    match formula {
        Formula::And(parts) => parts.iter().all(is_plain),
        Formula::Not(inner) => matches!(**inner, Formula::Atom(_) | Formula::Equal(..)),
        Formula::Atom(_) | Formula::Equal(..) => true,
        _ => false,
    }
}
