//! Questions about all states that can be reached.

use std::collections::{BTreeMap, BTreeSet};

use herbrand_ground::AtomId;
use herbrand_step::State;

use super::{Draw, TRIES, shared};
use crate::draft::Draft;
use crate::question::Subject;
use crate::world::pattern;

impl Draw<'_> {
    /// Returns the states that can be reached from the start through allowed states.
    fn reached(&self, allowed: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut seen = BTreeSet::new();
        let mut open = vec![self.start];
        while let Some(state) = open.pop() {
            if allowed(state) && seen.insert(state) {
                open.extend_from_slice(self.world.space.graph.successors(state));
            }
        }
        seen.into_iter().collect()
    }

    /// Two facts that can hold at the same time, or two of the same shapes that cannot.
    pub(super) fn reachable(&mut self) -> Option<Draft> {
        let reached = self.reached(|_| true);
        let states: Vec<State> = reached
            .into_iter()
            .filter_map(|state| self.world.state(state))
            .collect();
        let atoms: Vec<_> = self.world.fluents().collect();
        let start = self.world.state(self.start)?;
        let goal = self.named_in_goal();
        let mut shapes = BTreeMap::<_, [Vec<_>; 2]>::new();
        for _ in 0..TRIES * 5 {
            let (one, other) = (*self.random.choose(&atoms)?, *self.random.choose(&atoms)?);
            if one == other || (start.holds(one) == Some(true) && start.holds(other) == Some(true)) {
                continue;
            }
            let is_possible = states
                .iter()
                .any(|state| state.holds(one) == Some(true) && state.holds(other) == Some(true));
            let goal = [one, other].map(|atom| shared(self.objects_of(atom), &goal));
            let listed = [one, other].map(|atom| start.holds(atom));
            let form = (self.joint_shape(one, other)?, goal, listed);
            let both = shapes.entry(form).or_default();
            both[usize::from(!is_possible)].push((one, other));
        }
        let fair: Vec<_> = shapes
            .into_values()
            .filter(|[yes, no]| !yes.is_empty() && !no.is_empty())
            .collect();
        let [yes, no] = self.random.choose(&fair)?;
        let (yes, no) = (*self.random.choose(yes)?, *self.random.choose(no)?);
        Some(Draft::YesNo([yes, no].map(|(one, other)| Subject {
            options: vec![self.world.atom(one), self.world.atom(other)],
            ..Subject::default()
        })))
    }

    /// Returns the predicates of two atoms and which of all their arguments are equal.
    fn joint_shape(&self, one: AtomId, other: AtomId) -> Option<(usize, usize, Vec<usize>)> {
        let atoms = &self.world.simulator.task().atoms;
        let (one, other) = (atoms.get(one.index())?, atoms.get(other.index())?);
        let arguments = [one.arguments, other.arguments].concat();
        Some((
            one.predicate.index(),
            other.predicate.index(),
            pattern(&arguments),
        ))
    }

    /// A fact that is true at some time in every plan, or one of the same shape that can be true but need not.
    pub(super) fn landmark(&mut self) -> Option<Draft> {
        let start = self.world.state(self.start)?;
        let task = self.world.simulator.task();
        let goals = task.conditions.conjunctions(task.goal);
        let stated: BTreeSet<_> = goals
            .flat_map(|id| task.conditions.get(id).literals)
            .map(|literal| literal.atom())
            .collect();
        let states: BTreeMap<u32, State> = self
            .reached(|_| true)
            .into_iter()
            .filter_map(|state| Some((state, self.world.state(state)?)))
            .collect();
        let goal = self.named_in_goal();
        let mut forms = BTreeMap::<_, [Vec<AtomId>; 2]>::new();
        for (shape, atoms) in self.atoms_by_shape() {
            for atom in atoms {
                if stated.contains(&atom)
                    || start.holds(atom) == Some(true)
                    || !states.values().any(|state| state.holds(atom) == Some(true))
                {
                    continue;
                }
                let without = self.reached(|state| {
                    states
                        .get(&state)
                        .is_some_and(|state| state.holds(atom) == Some(false))
                });
                let avoids = without
                    .iter()
                    .any(|&state| self.world.space.graph.goals[state as usize]);
                let form = (shape.clone(), shared(self.objects_of(atom), &goal));
                forms.entry(form).or_default()[usize::from(avoids)].push(atom);
            }
        }
        let fair: Vec<_> = forms
            .into_values()
            .filter(|[yes, no]| !yes.is_empty() && !no.is_empty())
            .collect();
        let [yes, no] = self.random.choose(&fair)?;
        let (yes, no) = (*self.random.choose(yes)?, *self.random.choose(no)?);
        Some(Draft::YesNo([yes, no].map(|atom| Subject {
            options: vec![self.world.atom(atom)],
            ..Subject::default()
        })))
    }
}
