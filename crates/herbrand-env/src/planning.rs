//! Planning problems as an engine.

use std::sync::Arc;

use herbrand_ground::ActionId;
use herbrand_step::{Explanation, Fired, Random, State, StepError, Transition, Walker, uniform_below};

use crate::action::Tally;
use crate::{ActionSpace, AgentActionId, Ambiguity, Engine};

/// A planning problem at a current state, stepped by the agent's actions.
#[derive(Clone, Debug)]
pub struct Planning {
    walker: Walker,
    space: Arc<ActionSpace>,
    /// Where several operators may fit one action: the agent's valid actions, ascending, each with the operators
    /// that fit it now. Kept from step to step; unused otherwise.
    fitting: Vec<(AgentActionId, ActionId)>,
    /// The first index in `fitting` of each action that is offered.
    groups: Vec<u32>,
    /// Whether every valid operator is the only one of its action now; then `tally` says which, and the two lists above
    /// are not kept.
    alone: bool,
    /// Whether that was plain from the state; then the tally is not kept.
    plain: bool,
    tally: Tally,
    last: Option<ActionId>,
}

/// Why a planning problem did not step.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum PlanningError {
    /// The operator is not valid, or its effect has no meaning.
    #[error(transparent)]
    Step(#[from] StepError),
    /// No operator fits the agent's action in this state.
    #[error("{action} is not valid here: no operator fits it")]
    NoOperator {
        /// The agent's action.
        action: String,
    },
    /// Several operators fit the agent's action, and nothing says which one is meant.
    #[error("{action} is ambiguous here: {} fit it", .operators.join(", "))]
    Ambiguous {
        /// The agent's action.
        action: String,
        /// The operators.
        operators: Vec<String>,
    },
    /// There is no such action.
    #[error("there is no action number {number}: the problem has {actions}")]
    UnknownAction {
        /// The number.
        number: u32,
        /// How many actions there are.
        actions: usize,
    },
    /// A step of a planning problem takes one action.
    #[error("a step takes one action, not {found}")]
    NotOne {
        /// How many were given.
        found: usize,
    },
}

impl Planning {
    /// The problem of `walker` with the actions of `space`, which must be of the same simulator.
    #[must_use]
    pub fn new(walker: Walker, space: Arc<ActionSpace>) -> Self {
        let mut engine = Self {
            walker,
            space,
            fitting: Vec::new(),
            groups: Vec::new(),
            alone: false,
            plain: false,
            tally: Tally::default(),
            last: None,
        };
        engine.refresh();
        engine
    }

    /// The state with its valid operators and derived atoms.
    #[must_use]
    pub fn walker(&self) -> &Walker {
        &self.walker
    }

    /// The agent's actions.
    #[must_use]
    pub fn space(&self) -> &ActionSpace {
        &self.space
    }

    /// The operator that carried out the last step, if there was one since the state was last set.
    #[must_use]
    pub fn last_operator(&self) -> Option<ActionId> {
        self.last
    }

    /// The operators that carry out an action of the agent in the current state, ascending.
    #[must_use]
    pub fn fitting(&self, action: AgentActionId) -> Vec<ActionId> {
        if self.space.is_unambiguous() {
            let operator = self.space.first_operator(action);
            return operator
                .into_iter()
                .filter(|&operator| self.walker.valid().contains(operator))
                .collect();
        }
        if self.alone {
            return self.only(action).into_iter().collect();
        }
        self.group_of(action)
            .iter()
            .map(|&(_, operator)| operator)
            .collect()
    }

    /// Puts the agent's actions that some operator fits now into `into`, ascending, in place of what it held. Beside the
    /// [valid](Engine::valid_actions) ones these are the ambiguous ones that [`Ambiguity::Error`] does not offer.
    pub fn fitting_actions(&self, into: &mut Vec<AgentActionId>) {
        if self.is_alone() {
            return self.valid_actions(into);
        }
        into.clear();
        into.extend(self.fitting.iter().map(|&(action, _)| action));
        into.dedup();
    }

    /// Why an action is not valid now: of the operators that can carry it out in some state, the one that lacks the
    /// fewest literals, the first of equals. Takes time linear in the size of their preconditions.
    ///
    /// # Errors
    /// When there is no such action, or no operator that can ever carry it out; and when the action is ambiguous, where
    /// that makes it invalid.
    pub fn explain(&self, action: AgentActionId) -> Result<Explanation, PlanningError> {
        if let several @ [_, _, ..] = self.group_of(action)
            && !self.is_alone()
            && !self.is_offered(several)
        {
            return Err(self.ambiguous(action, several));
        }
        let own = self.space.first_operator(action);
        let carriers = match self.space.agent_actions() {
            Some(_) => self.space.carriers(action),
            None => own.as_slice(),
        };
        let nearest = carriers
            .iter()
            .copied()
            .min_by_key(|&operator| self.lacking(operator));
        let nearest = nearest.ok_or_else(|| self.no_operator(action))?;
        Ok(self.walker.explain(nearest)?)
    }

    /// Carries out an action as [`step`](Engine::step) does, with the same draws, and says what it did.
    ///
    /// # Errors
    /// As [`step`](Engine::step).
    pub fn step_explained(
        &mut self,
        action: AgentActionId,
        chance: &mut Random,
    ) -> Result<(Transition, Fired), PlanningError> {
        let operator = self.resolve(action, chance)?;
        let explained = self.walker.apply_explained(operator, chance)?;
        self.last = Some(operator);
        self.refresh();
        Ok(explained)
    }

    /// How many literals an operator's precondition lacks, in the way that lacks least.
    fn lacking(&self, operator: ActionId) -> usize {
        let task = self.space.task();
        let conditions = &task.conditions;
        let ways = conditions.conjunctions(task.actions.get(operator).precondition);
        let lacking = ways.map(|way| {
            let literals = conditions.get(way).literals.iter();
            literals
                .filter(|literal| self.walker.holds(literal.atom()) == literal.is_negative())
                .count()
        });
        lacking.min().unwrap_or(usize::MAX)
    }

    /// The operator that carries out `action` now, where the state or the policy leaves one.
    #[inline]
    fn resolve(&self, action: AgentActionId, chance: &mut Random) -> Result<ActionId, PlanningError> {
        if self.space.is_unambiguous() {
            return self
                .space
                .first_operator(action)
                .ok_or_else(|| self.no_operator(action));
        }
        if self.alone {
            return self.only(action).ok_or_else(|| self.no_operator(action));
        }
        match self.group_of(action) {
            [] => Err(self.no_operator(action)),
            [(_, operator)] => Ok(*operator),
            several => match self.space.ambiguity() {
                Ambiguity::First => Ok(several[0].1),
                Ambiguity::Uniform => {
                    let count = u32::try_from(several.len()).unwrap_or(u32::MAX);
                    Ok(several[uniform_below(chance, count) as usize].1)
                }
                Ambiguity::Error => Err(self.ambiguous(action, several)),
            },
        }
    }

    /// Whether each action has one operator at most now; then the list of what fits is not kept.
    #[inline]
    fn is_alone(&self) -> bool {
        self.alone || self.space.is_unambiguous()
    }

    /// Whether an action that these operators fit can be taken.
    fn is_offered(&self, operators: &[(AgentActionId, ActionId)]) -> bool {
        match operators {
            [] => false,
            [_] => true,
            _ => self.space.ambiguity() != Ambiguity::Error,
        }
    }

    /// The operators that fit `action` now, each after its action.
    fn group_of(&self, action: AgentActionId) -> &[(AgentActionId, ActionId)] {
        let start = self.fitting.partition_point(|&(other, _)| other < action);
        let rest = &self.fitting[start..];
        &rest[..rest.partition_point(|&(other, _)| other == action)]
    }

    /// Follows a change of state.
    #[inline]
    fn refresh(&mut self) {
        if !self.space.is_unambiguous() {
            self.group();
        }
    }

    /// The only operator that fits `action` now, where each action has one at most.
    #[inline]
    fn only(&self, action: AgentActionId) -> Option<ActionId> {
        if !self.plain {
            return self.tally.only(action);
        }
        let valid = self.walker.valid();
        let mut carriers = self.space.carriers(action).iter().copied();
        carriers.find(|&operator| valid.contains(operator))
    }

    /// Computes anew which operators fit which action, where that is not plain from the numbers.
    fn group(&mut self) {
        self.plain = self.space.is_plainly_unambiguous(self.walker.state());
        self.alone = self.plain || self.tally.follow(&self.space, self.walker.valid().words());
        if self.alone {
            return;
        }
        self.fitting.clear();
        for operator in self.walker.valid().iter() {
            self.fitting.push((self.space.action_of(operator), operator));
        }
        if !self.fitting.is_sorted() {
            self.fitting.sort_unstable();
        }
        let mut groups = std::mem::take(&mut self.groups);
        groups.clear();
        let mut start = 0;
        for group in self.fitting.chunk_by(|(one, _), (other, _)| one == other) {
            if self.is_offered(group) {
                groups.push(start);
            }
            start += group.len() as u32;
        }
        self.groups = groups;
    }

    #[cold]
    fn no_operator(&self, action: AgentActionId) -> PlanningError {
        if action.index() >= self.space.len() {
            return PlanningError::UnknownAction {
                number: action.number(),
                actions: self.space.len(),
            };
        }
        PlanningError::NoOperator {
            action: self.space.display(action).to_string(),
        }
    }

    #[cold]
    fn ambiguous(&self, action: AgentActionId, several: &[(AgentActionId, ActionId)]) -> PlanningError {
        let task = self.space.task();
        PlanningError::Ambiguous {
            action: self.space.display(action).to_string(),
            operators: several
                .iter()
                .map(|&(_, operator)| task.display_action(operator).to_string())
                .collect(),
        }
    }
}

impl Engine for Planning {
    type State = State;
    type Error = PlanningError;

    fn reset(&mut self, chance: &mut Random) -> Result<(), PlanningError> {
        self.walker.reset(chance)?;
        self.last = None;
        self.refresh();
        Ok(())
    }

    fn state(&self) -> &State {
        self.walker.state()
    }

    fn set_state(&mut self, state: &State) -> Result<(), PlanningError> {
        self.walker.set_state(state)?;
        self.last = None;
        self.refresh();
        Ok(())
    }

    fn action_count(&self) -> usize {
        self.space.len()
    }

    #[inline]
    fn valid_count(&self) -> usize {
        if self.is_alone() {
            self.walker.valid().len()
        } else {
            self.groups.len()
        }
    }

    fn valid_actions(&self, into: &mut Vec<AgentActionId>) {
        into.clear();
        if self.is_alone() {
            let valid = self.walker.valid().iter();
            into.extend(valid.map(|operator| self.space.action_of(operator)));
            into.sort_unstable();
        } else {
            into.extend(self.groups.iter().map(|&first| self.fitting[first as usize].0));
        }
    }

    fn write_mask(&self, into: &mut [u8]) {
        into.fill(0);
        let mut set = |action: AgentActionId| {
            if let Some(bit) = into.get_mut(action.index()) {
                *bit = 1;
            }
        };
        if self.is_alone() {
            let valid = self.walker.valid().iter();
            valid.for_each(|operator| set(self.space.action_of(operator)));
        } else {
            let groups = self.groups.iter();
            groups.for_each(|&first| set(self.fitting[first as usize].0));
        }
    }

    fn is_valid(&self, joint: &[AgentActionId]) -> bool {
        match *joint {
            [action] if self.space.is_unambiguous() => self
                .space
                .first_operator(action)
                .is_some_and(|operator| self.walker.valid().contains(operator)),
            [action] if self.alone => self.only(action).is_some(),
            [action] => self.is_offered(self.group_of(action)),
            _ => false,
        }
    }

    #[inline]
    fn sample(&self, random: &mut Random, into: &mut Vec<AgentActionId>) -> bool {
        into.clear();
        // Where each action has one operator the operators are drawn from, so that the draw is a function of the state
        // alone, whatever is known of other states.
        let alone = self.is_alone() || self.groups.len() == self.fitting.len();
        let drawn = if alone {
            self.walker
                .sample(random)
                .map(|operator| self.space.action_of(operator))
        } else {
            let count = u32::try_from(self.groups.len()).unwrap_or(u32::MAX);
            let group = uniform_below(random, count) as usize;
            self.groups
                .get(group)
                .map(|&first| self.fitting[first as usize].0)
        };
        into.extend(drawn);
        drawn.is_some()
    }

    #[inline]
    fn step(&mut self, joint: &[AgentActionId], chance: &mut Random) -> Result<Transition, PlanningError> {
        let &[action] = joint else {
            return Err(PlanningError::NotOne { found: joint.len() });
        };
        let operator = self.resolve(action, chance)?;
        let transition = self.walker.apply(operator, chance)?;
        self.last = Some(operator);
        self.refresh();
        Ok(transition)
    }

    fn is_goal(&self) -> bool {
        self.walker.is_goal()
    }
}
