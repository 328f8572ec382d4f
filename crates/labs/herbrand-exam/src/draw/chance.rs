//! Questions about chance.

use std::collections::BTreeMap;

use herbrand_ground::{ActionId, AtomId};
use herbrand_step::State;

use super::{Draw, TRIES, shared};
use crate::draft::{Case, Draft, written};
use crate::question::Subject;

/// The number of states that may follow from a list of actions.
const OUTCOMES: usize = 500;

impl Draw<'_> {
    /// The probability of a fact after some actions, among those of similar questions.
    pub(super) fn probability(&mut self) -> Option<Draft> {
        let steps = 1 + self.random.below(4) as usize;
        let start = self.world.state(self.start)?;
        let mut forms = BTreeMap::<_, BTreeMap<String, Vec<(Vec<ActionId>, AtomId)>>>::new();
        for _ in 0..TRIES {
            let actions = self.sequence(steps)?;
            let Some((states, _)) = self.distribution(&actions) else {
                continue;
            };
            let named = self.named(&actions);
            for atom in self.world.fluents() {
                let holding = states.iter().filter(|(state, _)| state.holds(atom) == Some(true));
                let probability: f64 = holding.map(|(_, share)| share).sum();
                let named = shared(self.objects_of(atom), &named);
                let form = (self.world.atom_shape(atom), start.holds(atom), named);
                let alike = forms.entry(form).or_default();
                alike
                    .entry(written(probability))
                    .or_default()
                    .push((actions.clone(), atom));
            }
        }
        let fair: Vec<_> = forms.into_values().filter(|alike| alike.len() >= 4).collect();
        let alike = self.random.choose(&fair)?;
        let values: Vec<_> = alike.keys().cloned().collect();
        let mut chosen = Vec::new();
        for value in self.several(&values, 4) {
            let (actions, atom) = self.random.choose(&alike[&value])?.clone();
            let subject = Subject {
                actions: self.world.action_texts(&actions),
                about: self.world.atom(atom),
                ..Subject::default()
            };
            chosen.push(Case { subject, value });
        }
        Case::one_of(chosen, &mut self.random)
    }

    /// The expected total reward of some actions, among those of other actions.
    pub(super) fn expected_reward(&mut self) -> Option<Draft> {
        let steps = self.world.length(self.start)? as usize + self.random.below(4) as usize;
        let mut cases = BTreeMap::<String, Vec<ActionId>>::new();
        for _ in 0..TRIES * 2 {
            let actions = self.sequence(steps)?;
            if let Some((_, total)) = self.distribution(&actions) {
                cases.entry(written(total)).or_insert(actions);
            }
        }
        let values: Vec<_> = cases.keys().cloned().collect();
        let chosen = self.several(&values, 4).into_iter().map(|value| {
            let subject = Subject {
                actions: self.world.action_texts(&cases[&value]),
                ..Subject::default()
            };
            Case { subject, value }
        });
        let chosen = chosen.collect();
        Case::one_of(chosen, &mut self.random)
    }

    /// Returns actions that follow one course of events: half of them lead towards the goal if possible.
    fn sequence(&mut self, steps: usize) -> Option<Vec<ActionId>> {
        let graph = &self.world.space.graph;
        let (mut actions, mut state) = (Vec::new(), self.start);
        for _ in 0..steps {
            let choices: Vec<u32> = graph.choices(state).collect();
            let leads = |choice: &u32| {
                let targets = graph.outcomes(*choice);
                let mut lengths = targets.filter_map(|at| self.world.length(graph.targets[at as usize]));
                lengths.any(|length| Some(length + 1) == self.world.length(state))
            };
            let good: Vec<u32> = choices.iter().copied().filter(leads).collect();
            let among = if good.is_empty() || self.random.chance(0.4) {
                &choices
            } else {
                &good
            };
            let Some(&choice) = self.random.choose(among) else {
                break;
            };
            actions.push(ActionId::new(graph.actions[choice as usize]));
            let targets: Vec<u32> = graph.outcomes(choice).collect();
            state = graph.targets[*self.random.choose(&targets)? as usize];
        }
        let all: Vec<_> = self.world.simulator.task().actions.ids().collect();
        while actions.len() < steps {
            actions.push(*self.random.choose(&all)?);
        }
        Some(actions)
    }

    /// Returns the distribution of the state after actions, and the expected total reward; `None` if there are too many
    /// states. An action that cannot be carried out is left out.
    fn distribution(&self, actions: &[ActionId]) -> Option<(BTreeMap<State, f64>, f64)> {
        let simulator = &self.world.simulator;
        let mut states = BTreeMap::from([(self.world.state(self.start)?, 1.0)]);
        let mut total = 0.0;
        for &action in actions {
            let mut next = BTreeMap::new();
            for (state, share) in states {
                if !simulator.is_valid(&state, action) {
                    *next.entry(state).or_default() += share;
                    continue;
                }
                for outcome in simulator.outcomes(&state, action).ok()? {
                    total += share * outcome.probability * outcome.reward;
                    *next.entry(outcome.state).or_default() += share * outcome.probability;
                }
            }
            if next.len() > OUTCOMES {
                return None;
            }
            states = next;
        }
        Some((states, total))
    }
}
