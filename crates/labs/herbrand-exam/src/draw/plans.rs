//! Questions about plans.

use herbrand_ground::ActionId;

use super::{Draw, TRIES, alike, shared};
use crate::draft::Draft;
use crate::question::{Solution, Subject};

impl Draw<'_> {
    /// A plan, or the same plan with two steps swapped.
    pub(super) fn plan_valid(&mut self) -> Option<Draft> {
        let (plan, _) = self.world.shortest(self.start, &mut self.random)?;
        let faulty = self.swapped(&plan)?;
        let subject = |actions: &[ActionId]| Subject {
            actions: self.world.action_texts(actions),
            ..Subject::default()
        };
        Some(Draft::YesNo([subject(&plan), subject(&faulty)]))
    }

    /// Swaps two steps such that the plan fails: two of the same shape if possible, so that the sequence of verbs stays
    /// the same.
    fn swapped(&mut self, plan: &[ActionId]) -> Option<Vec<ActionId>> {
        let mut pairs: Vec<(usize, usize)> = (0..plan.len())
            .flat_map(|second| (0..second).map(move |first| (first, second)))
            .filter(|&(first, second)| plan[first] != plan[second])
            .collect();
        self.shuffle(&mut pairs);
        let shape = |at: usize| self.world.action_shape(plan[at]);
        pairs.sort_by_key(|&(first, second)| shape(first) != shape(second));
        pairs.into_iter().take(TRIES).find_map(|(first, second)| {
            let mut changed = plan.to_vec();
            changed.swap(first, second);
            (!self.is_plan(&changed)).then_some(changed)
        })
    }

    fn is_plan(&self, actions: &[ActionId]) -> bool {
        let mut state = self.start;
        for &action in actions {
            match self.world.after(state, action) {
                Some(next) => state = next,
                None => return false,
            }
        }
        self.world.space.graph.goals[state as usize]
    }

    /// A walk with one action replaced by one of the same form that cannot be carried out there. Each step can be that
    /// one.
    pub(super) fn plan_failure(&mut self) -> Option<Draft> {
        let steps = 4 + self.random.below(4) as usize;
        let (mut actions, states) = self.world.walk(self.start, steps, &mut self.random)?;
        let shapes = self.actions_by_shape();
        let mut failing = Vec::new();
        for (at, &state) in states.iter().enumerate().take(steps) {
            let valid = self.world.moves(state);
            // How many of its objects the other steps name, and the step before it.
            let others = self.named(&[&actions[..at], &actions[at + 1..]].concat());
            let before = self.named(&actions[at.saturating_sub(1)..at]);
            let form = |action: ActionId| {
                let objects = self.objects_of_action(action);
                (shared(objects, &others), shared(objects, &before))
            };
            let mut candidates = shapes[&self.world.action_shape(actions[at])].clone();
            candidates.retain(|&other| {
                let is_new = !actions.contains(&other) && valid.iter().all(|(known, _)| *known != other);
                is_new && form(other) == form(actions[at])
            });
            failing.push(*self.random.choose(&candidates)?);
        }
        let at = self.random.below(steps as u32) as usize;
        actions[at] = failing[at];
        let subject = Subject {
            actions: self.world.action_texts(&actions),
            ..Subject::default()
        };
        Some(Draft::Open(subject, Solution::only((at + 1).to_string())))
    }

    /// The length of a shortest plan, among lengths from other start states of the same problem.
    pub(super) fn optimal_length(&mut self) -> Option<Draft> {
        let length = self.world.length(self.start)?;
        let mut others: Vec<_> = self.starts.keys().copied().collect();
        others.retain(|&other| other != length);
        if others.len() < 3 {
            return None;
        }
        let others = others.iter().map(ToString::to_string).collect();
        let (subject, right) = (Subject::default(), length.to_string());
        Some(Draft::choice(subject, right, others, &mut self.random))
    }

    /// A shortest plan without one of its actions.
    pub(super) fn gap(&mut self) -> Option<Draft> {
        let (plan, states) = self.world.shortest(self.start, &mut self.random)?;
        if plan.len() < 2 {
            return None;
        }
        let at = self.random.below(plan.len() as u32) as usize;
        let mut accepted = Vec::new();
        for (action, next) in self.world.moves(states[at]) {
            let end = plan[at + 1..]
                .iter()
                .try_fold(next, |state, &later| self.world.after(state, later));
            if end.is_some_and(|end| self.world.space.graph.goals[end as usize]) {
                accepted.push(self.world.action(action));
            }
        }
        accepted.sort();
        let mut actions = self.world.action_texts(&plan);
        actions.remove(at);
        let subject = Subject {
            actions,
            step: at as u32,
            ..Subject::default()
        };
        let answer = accepted.first()?.clone();
        Some(Draft::Open(subject, Solution { answer, accepted }))
    }

    /// The first action of a shortest plan, among actions of the same form that can be carried out too.
    pub(super) fn next_action(&mut self) -> Option<Draft> {
        let length = self.world.length(self.start)?;
        let moves = self.world.moves(self.start);
        let is_best = |next: u32| self.world.length(next).is_some_and(|left| left + 1 == length);
        let goal = self.named_in_goal();
        let form = |&(action, _): &(ActionId, u32)| {
            let named = shared(self.objects_of_action(action), &goal);
            (self.world.action_shape(action), named)
        };
        let groups = alike(moves, form, |&(_, next)| is_best(next), 3);
        let group = self.random.choose(&groups)?;
        let text = |(action, _): &(ActionId, u32)| self.world.action(*action);
        let worse = group.wrong.iter().map(text).collect();
        let best = self.random.choose(&group.right).map(text)?;
        Some(Draft::choice(Subject::default(), best, worse, &mut self.random))
    }

    /// A shortest plan, as an example of an answer.
    pub(super) fn plan(&mut self) -> Option<Draft> {
        let (plan, _) = self.world.shortest(self.start, &mut self.random)?;
        let actions = self.world.action_texts(&plan);
        let solution = Solution::only(actions.join("\n"));
        let subject = Subject {
            actions,
            ..Subject::default()
        };
        Some(Draft::Open(subject, solution))
    }
}
