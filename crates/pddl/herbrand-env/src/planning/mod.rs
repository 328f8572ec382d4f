//! Planning problems as transition systems, on either engine.

mod carriers;
mod engine;
mod grounded;
mod lifted;
mod lifted_time;
mod names;
pub(crate) mod sliced;

use herbrand_core::{
    ActionLayout, ActionTextError, ActionValidity, BatchSystem, Choice, Described, Fact, Random, Status,
    System, SystemBlock, uniform_below,
};
use herbrand_pddl::Domain;
use herbrand_step::StepRecord;

pub use engine::SteppingEngine;
pub use grounded::Grounded;
pub use lifted::{Lifted, LiftedOperator};
pub use names::{Symbols, show_grounded, show_lifted};

use crate::action::AgentActionId;
use crate::action::unknown::unknown_action;
use crate::config::Ambiguity;
use crate::error::PlanningError;
use crate::time::TimedPlan;

/// A planning problem with a current state, stepped by agent actions: a [`System`] with a single discrete field whose
/// alternatives are the action ids. Samples are uniform over the valid actions.
/// [`Suite::engine`](crate::Suite::engine) and [`Suite::lifted_engine`](crate::Suite::lifted_engine) return one at the
/// initial state.
///
/// `W` is the engine: [`Grounded`] or [`Lifted`]. Both have the same valid actions in the same order and make the same
/// random draws.
///
/// If several operators may carry out one action, the valid operators are grouped by action:
///
/// ```text
///   fitting   (move up, walk a b) (move up, push a b c) (move left, walk a d)
///   groups     0 ─────────────────────────────────────── 2       offered actions only
/// ```
/// ```
/// use herbrand_core::{Choice, Described, System};
/// use herbrand_env::{Random, Registry};
///
/// let suite = Registry::get("hanoi")?;
/// let mut planning = suite.engine(0)?;
/// planning.reset(&mut Random::new(0))?;
/// let mut choices = Vec::new();
/// planning.choices(&mut choices);
/// println!("{}", planning.choice_text(choices[0]));
/// planning.step(&choices[..1], &mut Random::new(1))?;
/// assert_eq!(planning.choice_count() > 0, !planning.status().dead_end);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
// The fields that every step reads come first.
#[repr(C)]
pub struct Planning<W: SteppingEngine> {
    layout: ActionLayout,
    /// Whether each agent action has at most one valid operator now.
    alone: bool,
    /// The operator of the last step.
    last: Option<W::Operator>,
    walk: W,
    /// The pairs of an agent action and a valid operator that fits it, in ascending order. Unused while `alone`.
    fitting: Vec<(W::Action, W::Operator)>,
    /// The first index in `fitting` of each valid action, in the order of the actions ([`SteppingEngine::order`]).
    groups: Vec<u32>,
}

impl<W: SteppingEngine> Planning<W> {
    /// Creates the system of a problem from the engine `walk`, at the engine's current state. Usually
    /// [`Suite::engine`](crate::Suite::engine) or [`Suite::lifted_engine`](crate::Suite::lifted_engine) does it.
    #[must_use]
    pub fn on(walk: W) -> Self {
        let mut planning = Self {
            layout: ActionLayout::single("action", walk.action_count()),
            walk,
            fitting: Vec::new(),
            groups: Vec::new(),
            alone: false,
            last: None,
        };
        planning.refresh();
        planning
    }

    /// Returns the engine, which has the current state and, as a [`SteppingEngine`], names and tests operators. It
    /// cannot be stepped through this reference; use `step`.
    pub const fn walk(&self) -> &W {
        &self.walk
    }

    /// Returns the operator that the last step applied; `None` if no step was taken since the state was last set or
    /// reset. A refused step does not change it.
    pub const fn last_operator(&self) -> Option<&W::Operator> {
        self.last.as_ref()
    }

    /// Adds what the last step did to the plan with times that an episode is. `domain` is the domain with time. Without time, or
    /// if no step was taken, nothing is added.
    pub fn add_to(&self, plan: &mut TimedPlan, domain: &Domain) {
        if let (Some(agenda), Some(operator)) = (self.walk.agenda(), self.last_operator()) {
            plan.follow(domain, &agenda, self.walk.operator_text(operator));
        }
    }

    /// Returns the agent actions that are valid now, in ascending order of id; empty in a dead end.
    #[must_use]
    pub fn valid_actions(&self) -> Vec<AgentActionId> {
        let mut choices = Vec::new();
        self.choices(&mut choices);
        choices.into_iter().filter_map(AgentActionId::of).collect()
    }

    /// Returns the agent actions that at least one valid operator carries out now, in order of declaration and then of
    /// objects. Besides the valid actions, these include ambiguous actions, which [`Ambiguity::Error`] makes invalid.
    /// Pass one to [`fitting`](Self::fitting) or [`successors`](Self::successors); [`SteppingEngine::id`] gives its
    /// id.
    #[must_use]
    pub fn fitting_actions(&self) -> Vec<W::Action> {
        let mut actions: Vec<_> = if self.alone {
            let valid = self.walk.valid();
            valid.map(|operator| self.walk.action_of(&operator)).collect()
        } else {
            self.fitting.iter().map(|(action, _)| action.clone()).collect()
        };
        actions.sort_unstable_by(|one, other| self.walk.order(one, other));
        actions.dedup();
        actions
    }

    /// Parses an agent action in PDDL syntax. The text may also be an operator, which yields the action that it
    /// carries out. `None` if it is neither. On the grounded engine, an operator that no reachable state allows is
    /// found only if the suite shares ids and declares no actions. An action that is found may still be invalid now.
    #[must_use]
    pub fn find_action(&self, text: &str) -> Option<AgentActionId> {
        let operator = self.walk.find_operator(text);
        let action = operator.map(|operator| self.walk.action_of(&operator));
        let action = action.or_else(|| self.walk.find_action(text))?;
        Some(self.walk.id(&action))
    }

    /// Returns the valid operators that carry out an action in the current state, in ascending order. Empty if there
    /// are none. More than one makes the action ambiguous; [`Ambiguity`] says what a step does then.
    #[must_use]
    pub fn fitting(&self, action: &W::Action) -> Vec<W::Operator> {
        if self.alone {
            let only = self.walk.only(action);
            return only
                .filter(|operator| self.walk.is_valid(operator))
                .into_iter()
                .collect();
        }
        let group = self.group_of(action).iter();
        group.map(|(_, operator)| operator.clone()).collect()
    }

    /// Returns the possible successors of the current state under an action, by every valid operator that carries it
    /// out. `None` if there are too many to list. Empty if no valid operator carries it out. A state may occur more
    /// than once. Ambiguous actions count too, even if [`Ambiguity::Error`] makes them invalid. The current state does
    /// not change.
    ///
    /// # Errors
    /// Fails if an effect is undefined.
    pub fn successors(&mut self, action: &W::Action) -> Result<Option<Vec<W::State>>, PlanningError> {
        let mut states = Vec::new();
        for operator in self.fitting(action) {
            match self.walk.successors(&operator)? {
                Some(some) => states.extend(some),
                None => return Ok(None),
            }
        }
        Ok(Some(states))
    }

    /// Returns the possible initial states, one if the initial state is not random; `None` if there are too many to
    /// list, or if a draw has no result. The current state does not change.
    pub fn initial_states(&mut self) -> Option<Vec<W::State>> {
        self.walk.initial_states()
    }

    /// Like [`step`](System::step), with the same random draws, but also returns a record of the effects, draws and
    /// changes.
    ///
    /// # Errors
    /// Fails like [`step`](System::step).
    pub fn step_explained(
        &mut self,
        action: AgentActionId,
        chance: &mut Random,
    ) -> Result<(herbrand_core::Transition, StepRecord), PlanningError> {
        let operator = self.resolve(action, chance)?;
        let (transition, fired) = self.walk.apply_explained(&operator, chance)?;
        self.arrive(operator);
        Ok((self.transition(transition), fired))
    }

    /// Selects the operator that carries out an action now.
    #[inline(always)]
    fn resolve(&self, id: AgentActionId, chance: &mut Random) -> Result<W::Operator, PlanningError> {
        let Some(action) = self.walk.action(id) else {
            return Err(self.unknown(id));
        };
        if self.alone {
            let only = self.walk.only(&action);
            return only.ok_or_else(|| self.no_operator(&action));
        }
        match self.group_of(&action) {
            [] => Err(self.no_operator(&action)),
            [(_, operator)] => Ok(operator.clone()),
            several => match self.walk.ambiguity() {
                Ambiguity::First => Ok(several[0].1.clone()),
                Ambiguity::Uniform => {
                    let count = u32::try_from(several.len()).unwrap_or(u32::MAX);
                    Ok(several[uniform_below(chance, count) as usize].1.clone())
                }
                Ambiguity::Error => Err(self.ambiguous(&action, several)),
            },
        }
    }

    /// Returns whether an action that exactly these operators fit is valid.
    fn is_offered(&self, operators: &[(W::Action, W::Operator)]) -> bool {
        match operators {
            [] => false,
            [_] => true,
            _ => self.walk.ambiguity() != Ambiguity::Error,
        }
    }

    /// Returns the entries of `fitting` for an action.
    fn group_of(&self, action: &W::Action) -> &[(W::Action, W::Operator)] {
        let start = self.fitting.partition_point(|(other, _)| other < action);
        let rest = &self.fitting[start..];
        &rest[..rest.partition_point(|(other, _)| other == action)]
    }

    /// Iterates over the valid actions in order.
    fn offered(&self) -> impl Iterator<Item = &W::Action> {
        self.groups.iter().map(|&first| &self.fitting[first as usize].0)
    }

    /// Carries out a valid operator.
    #[inline(always)]
    fn take(
        &mut self,
        operator: W::Operator,
        chance: &mut Random,
    ) -> Result<herbrand_core::Transition, PlanningError> {
        let transition = self.walk.apply(&operator, chance)?;
        self.arrive(operator);
        Ok(self.transition(transition))
    }

    #[inline(always)]
    fn arrive(&mut self, operator: W::Operator) {
        self.last = Some(operator);
        self.refresh();
    }

    /// Updates the derived data after a change of state.
    #[inline(always)]
    fn refresh(&mut self) {
        self.alone = self.walk.follow();
        if !self.alone {
            self.group();
        }
    }

    /// Recomputes the valid operators of each action.
    fn group(&mut self) {
        let (walk, fitting) = (&self.walk, &mut self.fitting);
        fitting.clear();
        fitting.extend(walk.valid().map(|operator| (walk.action_of(&operator), operator)));
        if !fitting.is_sorted() {
            fitting.sort_unstable();
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
        let action = |&first: &u32| &self.fitting[first as usize].0;
        let order = |one: &u32, other: &u32| self.walk.order(action(one), action(other));
        if !groups.is_sorted_by(|one, other| order(one, other).is_le()) {
            groups.sort_unstable_by(order);
        }
        self.groups = groups;
    }

    #[inline(always)]
    fn transition(&self, transition: herbrand_step::StepResult) -> herbrand_core::Transition {
        herbrand_core::Transition {
            reward: transition.reward,
            status: Status {
                goal: transition.goal,
                dead_end: self.choice_count() == 0,
                ..Status::default()
            },
        }
    }

    #[cold]
    fn unknown(&self, id: AgentActionId) -> PlanningError {
        match (id.index() < self.walk.action_count(), self.walk.absent_text(id)) {
            (true, Some(action)) => PlanningError::Absent { action },
            _ => PlanningError::UnknownAction {
                number: id.number(),
                actions: self.walk.action_count(),
            },
        }
    }

    #[cold]
    fn no_operator(&self, action: &W::Action) -> PlanningError {
        if let Some(action) = self.walk.absent_text(self.walk.id(action)) {
            return PlanningError::Absent { action };
        }
        PlanningError::NoOperator {
            action: self.walk.action_text(action),
        }
    }

    #[cold]
    fn ambiguous(&self, action: &W::Action, several: &[(W::Action, W::Operator)]) -> PlanningError {
        let operators = several
            .iter()
            .map(|(_, operator)| self.walk.operator_text(operator));
        PlanningError::Ambiguous {
            action: self.walk.action_text(action),
            operators: operators.collect(),
        }
    }
}

/// Returns the action of a joint action; `None` unless it consists of exactly one choice.
#[inline(always)]
fn single(joint: &[Choice]) -> Option<AgentActionId> {
    match joint {
        &[choice] => AgentActionId::of(choice),
        _ => None,
    }
}

impl<W: SteppingEngine> System for Planning<W> {
    type State = W::State;
    type Error = PlanningError;

    fn reset(&mut self, chance: &mut Random) -> Result<(), PlanningError> {
        self.walk.reset(chance)?;
        self.last = None;
        self.refresh();
        Ok(())
    }

    fn state(&self) -> &W::State {
        self.walk.state()
    }

    fn set_state(&mut self, state: &W::State) -> Result<(), PlanningError> {
        self.walk.set_state(state)?;
        self.last = None;
        self.refresh();
        Ok(())
    }

    fn actions(&self) -> &ActionLayout {
        &self.layout
    }

    #[inline(always)]
    fn choice_count(&self) -> usize {
        if self.alone {
            self.walk.valid_len()
        } else {
            self.groups.len()
        }
    }

    fn choices(&self, into: &mut Vec<Choice>) {
        into.clear();
        if self.alone {
            let valid = self.walk.valid();
            let ids = valid.map(|operator| self.walk.id(&self.walk.action_of(&operator)));
            into.extend(ids.map(Choice::from));
        } else {
            into.extend(self.offered().map(|action| Choice::from(self.walk.id(action))));
        }
        into.sort_unstable_by_key(|choice| choice.alternative());
    }

    fn write_mask(&self, into: &mut [u8]) {
        into.fill(0);
        let mut set = |action: &W::Action| {
            if let Some(byte) = into.get_mut(self.walk.id(action).index()) {
                *byte = 1;
            }
        };
        if self.alone {
            let valid = self.walk.valid();
            valid.for_each(|operator| set(&self.walk.action_of(&operator)));
        } else {
            self.offered().for_each(set);
        }
    }

    #[inline(always)]
    fn is_valid(&self, joint: &[Choice]) -> bool {
        let action = single(joint).and_then(|id| self.walk.action(id));
        action.is_some_and(|action| {
            if self.alone {
                let only = self.walk.only(&action);
                only.is_some_and(|operator| self.walk.is_valid(&operator))
            } else {
                self.is_offered(self.group_of(&action))
            }
        })
    }

    #[inline(always)]
    fn sample(&self, random: &mut Random, into: &mut Vec<Choice>) -> bool {
        into.clear();
        // If each action has one operator, an operator is drawn. The draw then depends on the state only, not on whether
        // `alone` was detected.
        let drawn = if self.alone || self.groups.len() == self.fitting.len() {
            let operator = self.walk.sample(random);
            operator.map(|operator| self.walk.id(&self.walk.action_of(&operator)))
        } else {
            let count = u32::try_from(self.groups.len()).unwrap_or(u32::MAX);
            let group = self.groups.get(uniform_below(random, count) as usize);
            group.map(|&first| self.walk.id(&self.fitting[first as usize].0))
        };
        into.extend(drawn.map(Choice::from));
        drawn.is_some()
    }

    #[inline(always)]
    fn step(
        &mut self,
        joint: &[Choice],
        chance: &mut Random,
    ) -> Result<herbrand_core::Transition, PlanningError> {
        let Some(action) = single(joint) else {
            return Err(PlanningError::NotOne { found: joint.len() });
        };
        let operator = self.resolve(action, chance)?;
        self.take(operator, chance)
    }

    #[inline]
    fn status(&self) -> Status {
        Status {
            goal: self.walk.is_goal(),
            dead_end: self.choice_count() == 0,
            ..Status::default()
        }
    }
}

impl<W: SteppingEngine> BatchSystem for Planning<W> {
    #[inline]
    fn prefetch(&self) -> u64 {
        self.walk.prefetch()
    }

    #[inline(always)]
    fn step_if_valid(
        &mut self,
        joint: &[Choice],
        chance: &mut Random,
    ) -> Result<Option<herbrand_core::Transition>, PlanningError> {
        if !self.alone {
            return if self.is_valid(joint) {
                self.step(joint, chance).map(Some)
            } else {
                Ok(None)
            };
        }
        let action = single(joint).and_then(|id| self.walk.action(id));
        let only = action.and_then(|action| self.walk.only(&action));
        let Some(operator) = only.filter(|operator| self.walk.is_valid(operator)) else {
            return Ok(None);
        };
        self.take(operator, chance).map(Some)
    }

    fn block(&self, lanes: usize) -> Option<Box<dyn SystemBlock<State = W::State>>> {
        W::block(self, lanes)
    }
}

impl<W: SteppingEngine> Described for Planning<W> {
    fn choice_text(&self, choice: Choice) -> String {
        let text = AgentActionId::of(choice).and_then(|id| match self.walk.action(id) {
            Some(action) => Some(self.walk.action_text(&action)),
            None => self.walk.absent_text(id),
        });
        text.unwrap_or_else(|| format!("{choice:?}"))
    }

    fn parse_choice(&self, text: &str) -> Result<Choice, ActionTextError> {
        let action = self.walk.find_action(text);
        let action = action.map(|action| Choice::from(self.walk.id(&action)));
        action.ok_or_else(|| {
            let (agent, vocabulary) = (self.walk.agent_actions(), self.walk.vocabulary());
            ActionTextError::new(unknown_action(agent, vocabulary, text))
        })
    }

    /// Parses an agent action, or, as in plans, an operator that carries out an agent action.
    fn parse_joint(&self, text: &str) -> Result<Vec<Choice>, ActionTextError> {
        let action = self.find_action(text).map(Choice::from);
        Ok(vec![action.map_or_else(|| self.parse_choice(text), Ok)?])
    }

    /// Lists the actions that at least one operator fits, including ambiguous ones.
    fn listed_actions(&self) -> Vec<String> {
        let actions = self.fitting_actions();
        actions
            .iter()
            .map(|action| self.walk.action_text(action))
            .collect()
    }

    fn facts(&self, visit: &mut dyn FnMut(Fact<'_>)) {
        self.walk.facts(visit);
    }

    /// Returns the objects of the action and of the operators that carry it out now.
    fn choice_objects(&self, choice: Choice) -> Vec<String> {
        let action = AgentActionId::of(choice).and_then(|id| self.walk.action(id));
        let operators = action.map_or_else(Vec::new, |action| self.fitting(&action));
        let operators = operators.iter().map(|operator| self.walk.operator_text(operator));
        let mut names = Vec::new();
        for text in std::iter::once(self.choice_text(choice)).chain(operators) {
            let words = text.trim_matches(['(', ')']).split_whitespace().skip(1);
            for word in words {
                if names.iter().all(|name| name != word) {
                    names.push(word.to_owned());
                }
            }
        }
        names
    }

    fn explain_action(&self, joint: &[Choice]) -> ActionValidity {
        let found = match single(joint) {
            Some(action) => W::explain(self, action),
            None => Err(PlanningError::NotOne { found: joint.len() }),
        };
        found.unwrap_or_else(|error| ActionValidity {
            action: self.joint_text(joint),
            valid: false,
            failures: Vec::new(),
            text: error.to_string(),
        })
    }

    fn step_described(
        &mut self,
        joint: &[Choice],
        chance: &mut Random,
    ) -> Result<(herbrand_core::Transition, String), PlanningError> {
        let Some(action) = single(joint) else {
            return Err(PlanningError::NotOne { found: joint.len() });
        };
        let (transition, record) = self.step_explained(action, chance)?;
        Ok((transition, record.to_string()))
    }
}
