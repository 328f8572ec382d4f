//! The lifted engine, which does not ground operators or atoms.

use std::cell::RefCell;
use std::sync::Arc;

use fxhash::FxHashMap;
use herbrand_core::{ActionValidity, Fact, System};
use herbrand_ground::Vocabulary;
use herbrand_pddl::{AtomRef, Name, ObjectId, PredicateId, SchemaId};
use herbrand_step::{
    LiftedActionRef, LiftedExplanation, LiftedSimulator, LiftedState, LiftedWalker, Random, StepError,
    StepRecord, StepResult,
};

use super::lifted_time::LiftedHost;
use super::names::show_lifted;
use super::{Planning, SteppingEngine};
use crate::action::ids::{Placed, TermIds};
use crate::action::{AgentActionId, AgentActions, Arguments, TermNumbers, TooManyActions};
use crate::atoms::LiftedAtoms;
use crate::error::PlanningError;
use crate::time::{Agenda, Clock, Facts, Schedule, is_of_clock};

/// The lifted engine of a problem: it finds the valid agent actions of a state from the action schemas, without
/// grounding the problem. [`Suite::lifted_engine`](crate::Suite::lifted_engine) and [`Planning::lifted`] return a
/// [`Planning`] on it.
///
/// Actions are numbered over all type-correct arguments. If there are too many, actions get ids in the order in which they
/// are encountered, and there are no masks ([`Lifted::numbering`]).
#[derive(Clone, Debug)]
pub struct Lifted {
    walker: LiftedWalker,
    /// The declared agent actions; `None` if the operators are the actions.
    declared: Option<Arc<AgentActions>>,
    ids: Ids,
    seen: Arc<LiftedAtoms>,
    /// The clock, if actions have durations.
    time: Option<Box<Clock<LiftedOperator>>>,
}

/// An operator (a schema with arguments) or a declared agent action with its arguments, in the lifted engine.
/// [`Planning::last_operator`], [`Planning::fitting`] and [`Planning::fitting_actions`] return it;
/// [`SteppingEngine::find_action`] parses an action, [`SteppingEngine::find_operator`] an operator.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LiftedOperator {
    head: u32,
    arguments: Arguments,
}

/// The ids of actions.
#[derive(Clone, Debug)]
enum Ids {
    /// All type-correct actions have ids, over the problem's objects or the suite's places.
    Numbered(TermIds),
    /// There are too many actions, so each gets an id when it is first encountered.
    OnDemand {
        met: RefCell<OnDemand>,
        refusal: TooManyActions,
    },
}

/// The actions encountered so far.
#[derive(Clone, Debug, Default)]
struct OnDemand {
    actions: Vec<LiftedOperator>,
    ids: FxHashMap<LiftedOperator, u32>,
}

impl OnDemand {
    fn id(&mut self, action: &LiftedOperator) -> AgentActionId {
        let known = self.ids.get(action).copied();
        let id = known.unwrap_or_else(|| {
            let next = self.actions.len() as u32;
            self.actions.push(action.clone());
            self.ids.insert(action.clone(), next);
            next
        });
        AgentActionId::new(id)
    }
}

impl LiftedOperator {
    /// Returns the schema of the operator. For a declared agent action it is meaningless: the number is then that of
    /// the action in [`AgentActions::actions`].
    #[must_use]
    pub const fn schema(&self) -> SchemaId {
        SchemaId::new(self.head)
    }

    /// Returns the arguments of the operator or action. They are objects of the problem, one per parameter, in order.
    #[must_use]
    pub fn arguments(&self) -> &[ObjectId] {
        &self.arguments
    }

    pub(crate) fn new(schema: SchemaId, arguments: &[ObjectId]) -> Self {
        Self {
            head: schema.number(),
            arguments: Arguments::from_slice(arguments),
        }
    }

    fn of(operator: LiftedActionRef<'_>) -> Self {
        Self {
            head: operator.schema.number(),
            arguments: Arguments::from_slice(operator.arguments),
        }
    }
}

impl Lifted {
    /// Calls `see` with the clock and its walker, if there is a clock.
    fn with_clock<R>(
        &mut self,
        see: impl FnOnce(&mut Clock<LiftedOperator>, &mut LiftedHost<'_>) -> R,
    ) -> Option<R> {
        let clock = self.time.as_mut()?;
        let schedule = Arc::clone(clock.schedule());
        let mut host = LiftedHost {
            walker: &mut self.walker,
            schedule: &schedule,
        };
        Some(see(clock, &mut host))
    }

    /// Sets the clock to the state of the walker.
    fn read_clock(&mut self) {
        self.with_clock(|clock, host| clock.read(host));
    }

    /// Returns whether an operator that is applicable is a choice.
    fn offers(&self, operator: &LiftedOperator) -> bool {
        let time = self.time.as_ref();
        time.is_none_or(|clock| clock.offers(operator.schema(), operator))
    }

    /// Checks that the ids of all type-correct actions are fixed in advance. Action masks exist only then.
    ///
    /// # Errors
    /// Fails if there are more than 2^24. Actions then get ids as they are encountered, from 0, so clones that go
    /// different ways give different ids.
    pub fn numbering(&self) -> Result<(), TooManyActions> {
        match &self.ids {
            Ids::Numbered(_) => Ok(()),
            Ids::OnDemand { refusal, .. } => Err(refusal.clone()),
        }
    }

    /// Returns the atoms of the problem that observations can contain. It gives their ids and names, and lists those
    /// that hold in a state of the walker.
    #[must_use]
    pub fn atoms(&self) -> &LiftedAtoms {
        &self.seen
    }

    /// Returns the name of the action or schema at an index.
    fn head(&self, head: u32) -> &Name {
        match &self.declared {
            Some(actions) => &actions.actions()[head as usize].name,
            None => &self.vocabulary().schema(SchemaId::new(head)).name,
        }
    }
}

impl Planning<Lifted> {
    /// Creates the lifted system of a problem at its initial state, with ids of its own. If the initial state is
    /// random, call `reset` to draw one. The agent's actions are `actions`, or the operators if it is `None`.
    ///
    /// # Errors
    /// Fails if deriving the facts and actions of the initial state exceeds the limits of memory and time in the
    /// simulator's options.
    pub fn lifted(
        simulator: &LiftedSimulator,
        actions: Option<Arc<AgentActions>>,
    ) -> Result<Self, StepError> {
        let numbers = match &actions {
            Some(actions) => actions.numbers(simulator.vocabulary()),
            None => TermNumbers::of_schemas(simulator.vocabulary()),
        };
        let ids = match numbers {
            Ok(numbers) => Ids::Numbered(TermIds::Own(numbers)),
            Err(refusal) => Ids::OnDemand {
                met: RefCell::default(),
                refusal,
            },
        };
        Self::numbered(simulator, actions, ids)
    }

    /// Like [`lifted`](Self::lifted), with the ids of a suite.
    pub(crate) fn placed(
        simulator: &LiftedSimulator,
        actions: Option<Arc<AgentActions>>,
        ids: Placed,
    ) -> Result<Self, StepError> {
        Self::numbered(simulator, actions, Ids::Numbered(TermIds::Placed(ids)))
    }

    fn numbered(
        simulator: &LiftedSimulator,
        actions: Option<Arc<AgentActions>>,
        ids: Ids,
    ) -> Result<Self, StepError> {
        let placed = match &ids {
            Ids::Numbered(ids) => ids.placed().cloned(),
            Ids::OnDemand { .. } => None,
        };
        Ok(Self::on(Lifted {
            walker: simulator.walker()?,
            declared: actions,
            seen: Arc::new(LiftedAtoms::of(simulator, placed)),
            ids,
            time: None,
        }))
    }

    /// Returns the data of the clock; `None` if there is none.
    pub(crate) fn schedule(&self) -> Option<Arc<Schedule>> {
        let clock = self.walk.time.as_ref()?;
        Some(Arc::clone(clock.schedule()))
    }

    /// Adds a clock.
    pub(crate) fn with_time(mut self, schedule: Arc<Schedule>) -> Self {
        self.walk.time = Some(Box::new(Clock::new(schedule)));
        self.walk.read_clock();
        Self::on(self.walk)
    }

    /// Returns the walker, which has the current state with its valid operators and derived atoms.
    #[must_use]
    pub const fn walker(&self) -> &LiftedWalker {
        &self.walk.walker
    }

    /// Returns the declared agent actions; `None` if the operators are the actions.
    #[must_use]
    pub fn agent_actions(&self) -> Option<&AgentActions> {
        self.walk.agent_actions()
    }

    /// Returns the name and the arguments of an action; `None` if there is no action with this id. Also `None` if the
    /// id is of an action that only larger problems of the suite have, or that was not encountered yet without
    /// [numbering](Lifted::numbering).
    #[must_use]
    pub fn action(&self, id: AgentActionId) -> Option<(&Name, Arguments)> {
        let action = self.walk.action(id)?;
        Some((self.walk.head(action.head), action.arguments))
    }

    /// Returns a sentence that explains why an action is invalid in the current state; `None` if
    /// [`action`](Self::action) finds none with this id. If the action is valid, the sentence is meaningless. For a
    /// declared action, it only says that no operator carries it out here.
    #[must_use]
    pub fn why_not(&self, action: AgentActionId) -> Option<String> {
        let action = self.walk.action(action)?;
        if self.walk.declared.is_some() {
            return Some(self.no_operator(&action).to_string());
        }
        let explained = self.walker().explain(action.schema(), &action.arguments);
        Some(explained.map_or_else(|error| error.to_string(), |explained| explained.to_string()))
    }

    /// Explains why an action is valid or invalid in the current state. For a valid declared action, the explanation is
    /// that of an operator that carries it out.
    ///
    /// # Errors
    /// Fails if there is no such action, if no operator fits a declared action here, or if the action is ambiguous and
    /// therefore invalid.
    pub fn explain(&self, id: AgentActionId) -> Result<LiftedExplanation, PlanningError> {
        let action = self.walk.action(id).ok_or_else(|| self.unknown(id))?;
        let operator = match (&self.walk.declared, self.fitting(&action).as_slice()) {
            (None, _) => action,
            (Some(_), []) => return Err(self.no_operator(&action)),
            (Some(_), [_, _, ..]) if !self.is_valid(&[id.into()]) => {
                return Err(self.ambiguous(&action, self.group_of(&action)));
            }
            (Some(_), [first, ..]) => first.clone(),
        };
        Ok(self.walker().explain(operator.schema(), &operator.arguments)?)
    }

    /// Returns the operator of the last step in PDDL syntax; `None` if no step was taken since the state was last set
    /// or reset.
    #[must_use]
    pub fn last_operator_text(&self) -> Option<String> {
        Some(self.walk.operator_text(self.last_operator()?))
    }
}

impl SteppingEngine for Lifted {
    type State = LiftedState;
    type Operator = LiftedOperator;
    type Action = LiftedOperator;

    fn reset(&mut self, chance: &mut Random) -> Result<(), StepError> {
        self.walker.reset(chance)?;
        self.read_clock();
        Ok(())
    }

    fn state(&self) -> &LiftedState {
        self.walker.state()
    }

    fn set_state(&mut self, state: &LiftedState) -> Result<(), StepError> {
        self.walker.set_state(state)?;
        self.read_clock();
        Ok(())
    }

    fn is_goal(&self) -> bool {
        match &self.time {
            None => self.walker.is_goal(),
            Some(clock) => clock.is_goal(),
        }
    }

    fn vocabulary(&self) -> &Vocabulary {
        self.walker.simulator().vocabulary()
    }

    fn agent_actions(&self) -> Option<&AgentActions> {
        self.declared.as_deref()
    }

    fn facts(&self, visit: &mut dyn FnMut(Fact<'_>)) {
        show_lifted(&self.walker, visit);
    }

    fn state_of(&self, atoms: &[(PredicateId, Vec<ObjectId>)]) -> Result<LiftedState, StepError> {
        let facts = atoms.iter().map(|(predicate, arguments)| AtomRef {
            predicate: *predicate,
            arguments,
        });
        Ok(self.walker.simulator().state_from_atoms(facts))
    }

    fn agenda(&self) -> Option<Agenda> {
        let clock = self.time.as_ref()?;
        let failure = clock.has_failed().then(|| {
            let mut walker = self.walker.clone();
            let schedule = clock.schedule();
            clock.failure(&mut LiftedHost {
                walker: &mut walker,
                schedule,
            })
        });
        Some(clock.agenda(|start| self.operator_text(start), failure))
    }

    fn valid_len(&self) -> usize {
        let applicable = self.walker.valid().len();
        match &self.time {
            None => applicable,
            Some(clock) => clock.choices(applicable),
        }
    }

    fn valid(&self) -> impl Iterator<Item = LiftedOperator> + '_ {
        let applicable = self.walker.valid().iter().map(LiftedOperator::of);
        applicable.filter(|operator| self.offers(operator))
    }

    fn is_valid(&self, operator: &LiftedOperator) -> bool {
        let valid = self.walker.valid();
        valid.contains(operator.schema(), &operator.arguments) && self.offers(operator)
    }

    fn sample(&self, random: &mut Random) -> Option<LiftedOperator> {
        if self.valid_len() == 0 {
            return None;
        }
        // Most applicable operators are choices.
        std::iter::from_fn(|| self.walker.sample(random).map(LiftedOperator::of))
            .find(|operator| self.offers(operator))
    }

    fn apply(&mut self, operator: &LiftedOperator, chance: &mut Random) -> Result<StepResult, StepError> {
        let (schema, arguments) = (operator.schema(), operator.arguments());
        let is_applicable = self.walker.valid().contains(schema, arguments);
        if self.time.is_none() || !is_applicable {
            return self.walker.apply(schema, arguments, chance);
        }
        let is_refused = !self.offers(operator);
        let taken = self.with_clock(|clock, host| {
            if is_refused {
                return Err(clock.refuse(host, operator));
            }
            clock.apply(host, operator, chance)
        });
        taken.unwrap_or_else(|| self.walker.apply(schema, arguments, chance))
    }

    fn apply_explained(
        &mut self,
        operator: &LiftedOperator,
        chance: &mut Random,
    ) -> Result<(StepResult, StepRecord), StepError> {
        if self.time.is_none() {
            let (schema, arguments) = (operator.schema(), &operator.arguments);
            return self.walker.apply_explained(schema, arguments, chance);
        }
        let before = Facts::of(|visit| self.facts(visit));
        let result = self.apply(operator, chance)?;
        Ok((
            result,
            before.record(Facts::of(|visit| self.facts(visit)), self.operator_text(operator)),
        ))
    }

    fn successors(&mut self, operator: &LiftedOperator) -> Result<Option<Vec<LiftedState>>, StepError> {
        if let Some(clock) = &self.time {
            // Waiting may have random effects too.
            if clock.schedule().draws() {
                return Ok(None);
            }
            let before = self.state().clone();
            self.apply(operator, &mut Random::new(0))?;
            let after = self.state().clone();
            self.set_state(&before)?;
            return Ok(Some(vec![after]));
        }
        match self.walker.outcomes(operator.schema(), &operator.arguments) {
            Ok(outcomes) => Ok(Some(outcomes.into_iter().map(|outcome| outcome.state).collect())),
            Err(StepError::TooManyOutcomes { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn explain(planning: &Planning<Self>, action: AgentActionId) -> Result<ActionValidity, PlanningError> {
        let mut found = planning.explain(action)?;
        let operator = LiftedOperator::new(found.schema, &found.arguments);
        if found.valid && !planning.walk.offers(&operator) {
            let mut engine = planning.walk.clone();
            let reason = engine.with_clock(|clock, host| clock.why_not(host, &operator));
            if let Some(Some(reason)) = reason {
                return Ok(ActionValidity {
                    text: format!("{} is not valid: {reason}", found.name),
                    action: found.name,
                    valid: false,
                    failures: vec![reason],
                });
            }
        }
        found.failures.retain(|failure| !is_of_clock(failure));
        Ok(ActionValidity {
            action: found.name.clone(),
            valid: found.valid,
            text: found.to_string(),
            failures: found.failures,
        })
    }

    fn initial_states(&mut self) -> Option<Vec<LiftedState>> {
        let outcomes = self.walker.initial_outcomes().ok()?;
        Some(outcomes.into_iter().map(|outcome| outcome.state).collect())
    }

    fn operator_text(&self, operator: &LiftedOperator) -> String {
        let action = LiftedActionRef {
            schema: operator.schema(),
            arguments: &operator.arguments,
        };
        action.display(self.vocabulary()).to_string()
    }

    fn action_of(&self, operator: &LiftedOperator) -> LiftedOperator {
        match &self.declared {
            Some(actions) => {
                let (head, arguments) = actions.carried_out(operator.schema(), &operator.arguments);
                let head = head as u32;
                LiftedOperator { head, arguments }
            }
            None => operator.clone(),
        }
    }

    fn id(&self, action: &LiftedOperator) -> AgentActionId {
        match &self.ids {
            Ids::Numbered(numbers) => numbers
                .number(action.head as usize, &action.arguments)
                .expect("actions consist of objects that fit"),
            Ids::OnDemand { met, .. } => met.borrow_mut().id(action),
        }
    }

    fn action(&self, id: AgentActionId) -> Option<LiftedOperator> {
        match &self.ids {
            Ids::Numbered(numbers) => {
                let (head, arguments) = numbers.get(id)?;
                let head = head as u32;
                Some(LiftedOperator { head, arguments })
            }
            Ids::OnDemand { met, .. } => met.borrow().actions.get(id.index()).cloned(),
        }
    }

    fn action_count(&self) -> usize {
        match &self.ids {
            Ids::Numbered(numbers) => numbers.len(),
            Ids::OnDemand { .. } => u32::MAX as usize,
        }
    }

    fn action_text(&self, action: &LiftedOperator) -> String {
        let vocabulary = self.vocabulary();
        vocabulary
            .term(self.head(action.head), &action.arguments)
            .to_string()
    }

    fn absent_text(&self, id: AgentActionId) -> Option<String> {
        match &self.ids {
            Ids::Numbered(numbers) if numbers.get(id).is_none() => {
                numbers.placed()?.action_text(self.vocabulary(), id)
            }
            _ => None,
        }
    }

    fn find_action(&self, text: &str) -> Option<LiftedOperator> {
        let vocabulary = self.vocabulary();
        let (name, arguments) = vocabulary.parse_term(text)?;
        let (head, arity) = match &self.declared {
            Some(actions) => {
                let head = actions.position(name.as_str())?;
                (head as u32, actions.actions()[head].parameters.len())
            }
            None => {
                let schema = vocabulary.find_schema(name.as_str())?;
                (schema.number(), vocabulary.schema(schema).parameters.len())
            }
        };
        let arguments = Arguments::from_vec(arguments);
        let fits = match &self.ids {
            Ids::Numbered(numbers) => numbers.number(head as usize, &arguments).is_some(),
            Ids::OnDemand { .. } => arguments.len() == arity,
        };
        fits.then_some(LiftedOperator { head, arguments })
    }

    fn find_operator(&self, text: &str) -> Option<LiftedOperator> {
        let (schema, arguments) = self.walker.simulator().parse_action(text).ok()?;
        Some(LiftedOperator {
            head: schema.number(),
            arguments: arguments.into(),
        })
    }

    /// Without declared actions, every operator is an action of its own.
    fn follow(&mut self) -> bool {
        self.declared.is_none()
    }

    fn only(&self, action: &LiftedOperator) -> Option<LiftedOperator> {
        Some(action.clone())
    }
}
