//! Questions about plans.

use herbrand_ground::ActionId;

use super::{Draft, Draw, TRIES};
use crate::question::{Solution, Subject};

impl Draw<'_> {
    /// A plan or the same plan with two steps swapped or one action replaced.
    pub(super) fn plan_valid(&mut self) -> Option<Draft> {
        let (plan, _) = self.world.shortest(self.start, &mut self.random)?;
        let faulty = (0..TRIES).find_map(|_| {
            let changed = self.changed(&plan)?;
            (!self.is_plan(&changed)).then_some(changed)
        })?;
        let is_valid = self.target == 0;
        let actions = if is_valid { plan } else { faulty };
        Some(Draft {
            subject: Subject {
                actions: self.world.action_texts(&actions),
                ..Subject::default()
            },
            solution: Solution::yes(is_valid),
        })
    }

    /// Swaps two neighbouring steps, or replaces an action by another of the same shape.
    fn changed(&mut self, plan: &[ActionId]) -> Option<Vec<ActionId>> {
        let mut changed = plan.to_vec();
        let at = self.random.below(plan.len() as u32) as usize;
        if at > 0 && self.random.chance(0.5) {
            changed.swap(at - 1, at);
        } else {
            changed[at] = self.other_like(plan[at])?;
        }
        Some(changed)
    }

    fn other_like(&mut self, action: ActionId) -> Option<ActionId> {
        let mut alike = self.actions_by_shape().remove(&self.world.action_shape(action))?;
        alike.retain(|&other| other != action);
        self.random.choose(&alike).copied()
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

    /// A walk with one action replaced by one of the same shape that cannot be carried out there. Each step can be that
    /// one.
    pub(super) fn plan_failure(&mut self) -> Option<Draft> {
        let steps = 4 + self.random.below(4) as usize;
        let (mut actions, states) = self.world.walk(self.start, steps, &mut self.random)?;
        let shapes = self.actions_by_shape();
        let mut failing = Vec::new();
        for (action, &state) in actions.iter().zip(&states) {
            let valid = self.world.moves(state);
            let mut alike = shapes[&self.world.action_shape(*action)].clone();
            alike.retain(|other| valid.iter().all(|(known, _)| known != other));
            failing.push(*self.random.choose(&alike)?);
        }
        let at = self.random.below(steps as u32) as usize;
        actions[at] = failing[at];
        Some(Draft {
            subject: Subject {
                actions: self.world.action_texts(&actions),
                ..Subject::default()
            },
            solution: Solution::only((at + 1).to_string()),
        })
    }

    /// The length of a shortest plan, among lengths from other start states of the same problem.
    pub(super) fn optimal_length(&mut self) -> Option<Draft> {
        let length = self.world.length(self.start)?;
        let mut others: Vec<_> = self.starts.keys().copied().collect();
        others.retain(|&other| other != length);
        let others = self.several(&others, 3);
        if others.len() < 3 {
            return None;
        }
        let others = others.iter().map(ToString::to_string).collect();
        Some(self.choice(length.to_string(), others, Subject::default()))
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
        Some(Draft {
            subject: Subject {
                actions,
                step: at as u32,
                ..Subject::default()
            },
            solution: Solution {
                answer: accepted.first()?.clone(),
                accepted,
            },
        })
    }

    /// The first action of a shortest plan, among actions of the same shape that can be carried out too.
    pub(super) fn next_action(&mut self) -> Option<Draft> {
        let length = self.world.length(self.start)?;
        let moves = self.world.moves(self.start);
        let is_best = |next: u32| self.world.length(next).is_some_and(|left| left + 1 == length);
        let mut shapes = Vec::new();
        for (_, alike) in self.actions_by_shape() {
            let among = moves.iter().filter(|(action, _)| alike.contains(action));
            let (best, worse): (Vec<_>, Vec<_>) = among.partition(|(_, next)| is_best(*next));
            if !best.is_empty() && worse.len() >= 3 {
                shapes.push((best, worse));
            }
        }
        let (best, worse) = self.random.choose(&shapes)?;
        let text = |(action, _): &&(ActionId, u32)| self.world.action(*action);
        let worse = worse.iter().map(text).collect();
        let best = self.random.choose(best).map(text)?;
        Some(self.choice(best, worse, Subject::default()))
    }

    /// A shortest plan, as an example of an answer.
    pub(super) fn plan(&mut self) -> Option<Draft> {
        let (plan, _) = self.world.shortest(self.start, &mut self.random)?;
        let actions = self.world.action_texts(&plan);
        Some(Draft {
            solution: Solution::only(actions.join("\n")),
            subject: Subject {
                actions,
                ..Subject::default()
            },
        })
    }
}
