//! The grounded engine, in which operators and atoms have ids.

use std::cmp::Ordering;
use std::sync::Arc;

use herbrand_core::{Fact, SystemBlock};
use herbrand_ground::{ActionId, Vocabulary};
use herbrand_pddl::{ObjectId, PredicateId};
use herbrand_step::{ActionExplanation, Random, State, StepError, StepRecord, StepResult, Walker};

use super::names::show_grounded;
use super::sliced::{self, Slicing};
use super::{Planning, SteppingEngine};
use crate::action::{ActionSpace, AgentActionId, AgentActions, OperatorCounts};
use crate::atoms::GoalProgress;
use crate::error::PlanningError;
use crate::instance::CompiledProblem;
use crate::time::{Agenda, Clock, Facts, GroundHost, GroundTimes, is_of_clock};

/// The grounded engine of a problem, with the agent actions. All operators and atoms have ids, computed beforehand.
/// [`Suite::engine`](crate::Suite::engine) and [`CompiledProblem::engine`] return a [`Planning`] on it.
#[derive(Clone, Debug)]
// The fields that every step reads come first.
#[repr(C)]
pub struct Grounded {
    instance: Arc<CompiledProblem>,
    space: Arc<ActionSpace>,
    /// The method that shows whether agent actions are unambiguous.
    known_by: KnownBy,
    counts: OperatorCounts,
    walker: Walker,
    slicing: Slicing,
    /// The clock, if actions have durations.
    time: Option<Box<Timed>>,
}

/// The clock of a problem with time.
#[derive(Clone, Debug)]
struct Timed {
    clock: Clock<ActionId>,
    times: Arc<GroundTimes>,
}

impl Grounded {
    /// Calls `see` with the clock and its walker, if there is a clock.
    fn with_clock<R>(
        &mut self,
        see: impl FnOnce(&mut Clock<ActionId>, &mut GroundHost<'_>) -> R,
    ) -> Option<R> {
        let time = self.time.as_mut()?;
        let mut host = GroundHost {
            walker: &mut self.walker,
            times: &time.times,
        };
        Some(see(&mut time.clock, &mut host))
    }

    /// Sets the clock to the state of the walker.
    fn read_clock(&mut self) {
        self.with_clock(|clock, host| clock.read(host));
    }

    /// Returns the words of the state without the clock, from which all later choices follow if no timed literals are left;
    /// all words otherwise, and if the problem has no time.
    #[must_use]
    pub fn timeless_words(&self) -> Vec<u64> {
        let words = self.walker.state().words();
        match &self.time {
            Some(time) if time.clock.is_free() => {
                let [clock, next] = time
                    .times
                    .clock_places(words.len() - self.space.task().state_numerics as usize);
                let mut words = words.to_vec();
                // The time since the last happening still counts.
                let since = time.clock.is_settled();
                clock.into_iter().for_each(|place| words[place] = 0);
                next.into_iter().for_each(|place| words[place] = u64::from(since));
                words
            }
            _ => words.to_vec(),
        }
    }

    /// Returns whether an operator that is applicable is a choice.
    #[inline]
    fn offers(&self, operator: ActionId) -> bool {
        self.time.as_ref().is_none_or(|time| {
            let schema = self.space.task().actions.get(operator).schema;
            time.clock.offers(schema, &operator)
        })
    }
}

/// A method that shows that at most one valid operator carries out each agent action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum KnownBy {
    /// No action has more than one ground operator.
    Numbers,
    /// The selector predicates have at most one true atom each.
    Selectors,
    /// The valid operators are counted per action.
    Counts,
}

impl CompiledProblem {
    /// Creates a system at the initial state of the problem, with the agent actions. If the initial state is random,
    /// call `reset` to draw one.
    #[must_use]
    pub fn engine(self: &Arc<Self>) -> Planning<Grounded> {
        let space = Arc::clone(self.space());
        Planning::new(Arc::clone(self), self.simulator().walker(), space)
    }

    /// Creates a system at the initial state of the problem whose actions are the operators, even if actions are
    /// declared. Their ids are those of the operators in the ground task, even if the suite shares ids.
    #[must_use]
    pub fn operator_engine(self: &Arc<Self>) -> Planning<Grounded> {
        let space = Arc::new(ActionSpace::operators(self.simulator().clone()));
        Planning::new(Arc::clone(self), self.simulator().walker(), space)
    }

    /// Creates a system at the initial state that updates all derived atoms incrementally, so that observing them in
    /// every state is free. It has the same states and ids as [`engine`](Self::engine). Environments use it.
    #[must_use]
    pub fn observed_engine(self: &Arc<Self>) -> Planning<Grounded> {
        Planning::new(
            Arc::clone(self),
            self.observed_simulator().walker(),
            Arc::clone(self.space()),
        )
    }
}

impl Planning<Grounded> {
    /// Creates the system of a compiled problem, at the current state of `walker`, which must belong to the problem's
    /// simulator. `space` has the agent actions by which the system is stepped. A walker of another problem's
    /// simulator gives meaningless actions; nothing checks it. [`CompiledProblem::engine`] is the usual way to get one.
    #[must_use]
    pub fn new(instance: Arc<CompiledProblem>, walker: Walker, space: Arc<ActionSpace>) -> Self {
        let time = instance.time().map(|(schedule, times)| {
            Box::new(Timed {
                clock: Clock::new(Arc::clone(schedule)),
                times: Arc::clone(times),
            })
        });
        let mut engine = Grounded {
            time,
            instance,
            walker,
            space,
            known_by: KnownBy::Numbers,
            counts: OperatorCounts::default(),
            slicing: Slicing::default(),
        };
        engine.read_clock();
        Self::on(engine)
    }

    /// Returns the compiled problem that the system steps.
    #[must_use]
    pub const fn instance(&self) -> &Arc<CompiledProblem> {
        &self.walk.instance
    }

    /// Sets whether blocks of copies are made.
    pub(crate) const fn with_slicing(mut self, slicing: Slicing) -> Self {
        self.walk.slicing = slicing;
        self
    }

    /// Returns the walker, which has the current state with its valid operators and derived atoms.
    #[must_use]
    pub const fn walker(&self) -> &Walker {
        &self.walk.walker
    }

    /// Returns the action space, which gives the ids of the agent actions. It is that of the instance, unless the
    /// system was created with another one.
    #[must_use]
    pub const fn space(&self) -> &Arc<ActionSpace> {
        &self.walk.space
    }

    /// Returns the number of goal literals, and the literals that the current state does not satisfy. [`GoalProgress`]
    /// says how numeric and disjunctive goals count.
    #[must_use]
    pub fn goal_progress(&self) -> GoalProgress {
        GoalProgress::of(self.walker())
    }

    /// Explains why an action is invalid in the current state, by the first literal or comparison that fails in each
    /// disjunct of one operator's precondition. Of the operators that can carry it out in some state, it selects the
    /// one with the fewest unsatisfied literals, the first on ties. Takes time linear in the size of their
    /// preconditions. For a valid action, [`ActionExplanation::valid`] is set.
    ///
    /// # Errors
    /// Fails if there is no such action, if no operator can ever carry it out, or if the action is ambiguous and therefore
    /// invalid.
    pub fn explain(&self, action: AgentActionId) -> Result<ActionExplanation, PlanningError> {
        if action.index() >= self.space().len() {
            return Err(self.unknown(action));
        }
        if !self.alone
            && let several @ [_, _, ..] = self.group_of(&action)
            && !self.is_offered(several)
        {
            return Err(self.ambiguous(&action, several));
        }
        let own = self.space().first_operator(action);
        let carriers = match self.space().carriers(action) {
            [] => own.as_slice(),
            carriers => carriers,
        };
        let nearest = carriers
            .iter()
            .copied()
            .min_by_key(|&operator| self.lacking(operator));
        let nearest = nearest.ok_or_else(|| self.no_operator(&action))?;
        Ok(self.walker().explain(nearest)?)
    }

    /// Returns the number of unsatisfied literals of an operator's precondition, in the disjunct with the fewest.
    fn lacking(&self, operator: ActionId) -> usize {
        let task = self.space().task();
        let conditions = &task.conditions;
        let disjuncts = conditions.conjunctions(task.actions.get(operator).precondition);
        let lacking = disjuncts.map(|disjunct| {
            let literals = conditions.get(disjunct).literals.iter();
            literals
                .filter(|literal| self.walker().holds(literal.atom()) == literal.is_negative())
                .count()
        });
        lacking.min().unwrap_or(usize::MAX)
    }
}

impl SteppingEngine for Grounded {
    type State = State;
    type Operator = ActionId;
    type Action = AgentActionId;

    #[inline]
    fn prefetch(&self) -> u64 {
        self.walker.prefetch() ^ self.counts.prefetch()
    }

    fn reset(&mut self, chance: &mut Random) -> Result<(), StepError> {
        self.walker.reset(chance)?;
        self.read_clock();
        Ok(())
    }

    fn state(&self) -> &State {
        self.walker.state()
    }

    fn set_state(&mut self, state: &State) -> Result<(), StepError> {
        self.walker.set_state(state)?;
        self.read_clock();
        Ok(())
    }

    #[inline]
    fn is_goal(&self) -> bool {
        match &self.time {
            None => self.walker.is_goal(),
            Some(time) => time.clock.is_goal(),
        }
    }

    fn vocabulary(&self) -> &Vocabulary {
        &self.space.task().vocabulary
    }

    fn agent_actions(&self) -> Option<&AgentActions> {
        self.space.agent_actions()
    }

    fn facts(&self, visit: &mut dyn FnMut(Fact<'_>)) {
        show_grounded(self.instance.atoms(), &self.walker, visit);
    }

    fn state_of(&self, atoms: &[(PredicateId, Vec<ObjectId>)]) -> Result<State, StepError> {
        let simulator = self.walker.simulator();
        let known = atoms
            .iter()
            .filter_map(|(predicate, arguments)| simulator.task().find_atom(*predicate, arguments));
        simulator.state_from_atoms(known)
    }

    fn agenda(&self) -> Option<Agenda> {
        let time = self.time.as_ref()?;
        let failure = time.clock.has_failed().then(|| {
            let mut walker = self.walker.clone();
            let times = &time.times;
            time.clock.failure(&mut GroundHost {
                walker: &mut walker,
                times,
            })
        });
        Some(time.clock.agenda(|start| self.operator_text(start), failure))
    }

    #[inline]
    fn valid_len(&self) -> usize {
        let applicable = self.walker.valid().len();
        match &self.time {
            None => applicable,
            Some(time) => time.clock.choices(applicable),
        }
    }

    fn valid(&self) -> impl Iterator<Item = ActionId> + '_ {
        self.walker
            .valid()
            .iter()
            .filter(|&operator| self.offers(operator))
    }

    #[inline]
    fn is_valid(&self, operator: &ActionId) -> bool {
        self.walker.valid().contains(*operator) && self.offers(*operator)
    }

    #[inline]
    fn sample(&self, random: &mut Random) -> Option<ActionId> {
        if self.time.is_none() {
            return self.walker.sample(random);
        }
        if self.valid_len() == 0 {
            return None;
        }
        // Most applicable operators are choices.
        std::iter::from_fn(|| self.walker.sample(random)).find(|&operator| self.offers(operator))
    }

    #[inline]
    fn apply(&mut self, operator: &ActionId, chance: &mut Random) -> Result<StepResult, StepError> {
        if self.time.is_none() {
            return self.walker.apply(*operator, chance);
        }
        let is_refused = self.walker.valid().contains(*operator) && !self.offers(*operator);
        let taken = self.with_clock(|clock, host| {
            if is_refused {
                return Err(clock.refuse(host, operator));
            }
            clock.apply(host, operator, chance)
        });
        taken.unwrap_or_else(|| self.walker.apply(*operator, chance))
    }

    fn apply_explained(
        &mut self,
        operator: &ActionId,
        chance: &mut Random,
    ) -> Result<(StepResult, StepRecord), StepError> {
        if self.time.is_none() {
            return self.walker.apply_explained(*operator, chance);
        }
        let before = Facts::of(|visit| self.facts(visit));
        let result = self.apply(operator, chance)?;
        Ok((
            result,
            before.record(Facts::of(|visit| self.facts(visit)), self.operator_text(operator)),
        ))
    }

    fn successors(&mut self, operator: &ActionId) -> Result<Option<Vec<State>>, StepError> {
        if self.time.is_some() {
            // Waiting may have random effects too.
            if self
                .time
                .as_ref()
                .is_some_and(|time| time.clock.schedule().draws())
            {
                return Ok(None);
            }
            let before = self.state().clone();
            self.apply(operator, &mut Random::new(0))?;
            let after = self.state().clone();
            self.set_state(&before)?;
            return Ok(Some(vec![after]));
        }
        let outcomes = self.walker.simulator().outcomes(self.walker.state(), *operator);
        match outcomes {
            Ok(outcomes) => Ok(Some(outcomes.into_iter().map(|outcome| outcome.state).collect())),
            Err(StepError::TooManyOutcomes { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn explain(
        planning: &Planning<Self>,
        action: AgentActionId,
    ) -> Result<herbrand_core::ActionValidity, PlanningError> {
        let mut found = planning.explain(action)?;
        if found.valid && !planning.walk.offers(found.action) {
            let mut engine = planning.walk.clone();
            let reason = engine.with_clock(|clock, host| clock.why_not(host, &found.action));
            if let Some(Some(reason)) = reason {
                return Ok(herbrand_core::ActionValidity {
                    text: format!("{} is not valid: {reason}", found.name),
                    action: found.name,
                    valid: false,
                    failures: vec![reason],
                });
            }
        }
        found.failures.retain(|failure| !is_of_clock(&failure.text));
        let failures = found.failures.iter().map(|failure| failure.text.clone());
        Ok(herbrand_core::ActionValidity {
            action: found.name.clone(),
            valid: found.valid,
            failures: failures.collect(),
            text: found.to_string(),
        })
    }

    fn block(planning: &Planning<Self>, lanes: usize) -> Option<Box<dyn SystemBlock<State = State>>> {
        sliced::block(planning, planning.walk.slicing, lanes)
    }

    fn initial_states(&mut self) -> Option<Vec<State>> {
        let outcomes = self.walker.simulator().initial_outcomes().ok()?;
        Some(outcomes.into_iter().map(|outcome| outcome.state).collect())
    }

    fn operator_text(&self, operator: &ActionId) -> String {
        self.space.task().display_action(*operator).to_string()
    }

    fn order(&self, one: &AgentActionId, other: &AgentActionId) -> Ordering {
        self.space.order(*one, *other)
    }

    #[inline]
    fn action_of(&self, operator: &ActionId) -> AgentActionId {
        self.space.action_of(*operator)
    }

    #[inline]
    fn id(&self, action: &AgentActionId) -> AgentActionId {
        *action
    }

    #[inline]
    fn action(&self, id: AgentActionId) -> Option<AgentActionId> {
        (id.index() < self.space.len()).then_some(id)
    }

    fn action_count(&self) -> usize {
        self.space.len()
    }

    fn action_text(&self, action: &AgentActionId) -> String {
        self.space.display(*action).to_string()
    }

    fn absent_text(&self, id: AgentActionId) -> Option<String> {
        match self.space.get(id) {
            Some(_) => None,
            None => self.space.placed_text(id),
        }
    }

    fn find_action(&self, text: &str) -> Option<AgentActionId> {
        self.space.find_text(text)
    }

    fn find_operator(&self, text: &str) -> Option<ActionId> {
        self.walker.simulator().parse_action(text).ok()
    }

    #[inline]
    fn follow(&mut self) -> bool {
        if self.space.is_unambiguous() {
            return true;
        }
        self.known_by = KnownBy::Selectors;
        if self.space.is_plainly_unambiguous(self.walker.state()) {
            return true;
        }
        self.known_by = KnownBy::Counts;
        self.counts.follow(&self.space, self.walker.valid())
    }

    #[inline]
    fn only(&self, action: &AgentActionId) -> Option<ActionId> {
        match self.known_by {
            KnownBy::Numbers => self.space.first_operator(*action),
            KnownBy::Selectors => {
                let valid = self.walker.valid();
                let mut carriers = self.space.carriers(*action).iter().copied();
                carriers.find(|&operator| valid.contains(operator))
            }
            KnownBy::Counts => self.counts.only(*action),
        }
    }
}
