//! The [`Simulator`]: a ground task as a function from states and actions to states.

use std::sync::{Arc, OnceLock};

use herbrand_ground::{ActionId, AtomId, BlockId, ConditionId, GroundComparison, GroundTask, NumericId};
use rand::Rng;

use crate::grounded::axioms::Axioms;
use crate::grounded::closure::{close, condition_holds};
use crate::grounded::goal::Goal;
use crate::grounded::moves::Moves;
use crate::grounded::network::Network;
use crate::grounded::programs::Arithmetic;
use crate::grounded::propositions::Propositions;
use crate::grounded::state::{ClosedState, State, Valuation};
use crate::semantics::chance::Sampled;
use crate::semantics::error::StepError;
use crate::semantics::firing::Firing;
use crate::semantics::numbers::{NumberFault, Numbers, reward};
use crate::semantics::options::{Chance, Options};

/// A ground task that can be stepped. It is immutable and cheap to clone, and any number of threads can share it.
/// [`compile`](crate::compile) makes one of a PDDL problem, and [`new`](Self::new) of a ground task.
///
/// Each method takes a state and computes its result from scratch, in time linear in the size of the task. For walks and
/// searches use a [`Walker`](crate::Walker), which maintains valid actions and derived atoms from step to step.
///
/// ```
/// use herbrand_pddl::{Domain, Problem};
/// use herbrand_step::compile;
///
/// let domain = Domain::from_text("(define (domain coin) (:requirements :probabilistic-effects) (:predicates (up))
///     (:action toss :effect (probabilistic 1/2 (up) 1/2 (not (up)))))")?;
/// let problem = Problem::from_text("(define (problem p) (:domain coin) (:init) (:goal (up)))", &domain)?;
/// let simulator = compile(&domain, &problem)?;
/// let state = simulator.initial_state();
/// let outcomes = simulator.outcomes(&state, simulator.valid_actions(&state)[0])?;
/// assert_eq!(outcomes.len(), 2);
/// assert!(outcomes.iter().all(|outcome| outcome.probability == 0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Simulator {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    task: Arc<GroundTask>,
    arithmetic: Arithmetic,
    options: Options,
    initial: State,
    /// Built for the first walker.
    tables: OnceLock<Arc<Tables>>,
}

/// Tables that all walkers of a task share, indexed for fast stepping.
///
/// The fields that every step reads come first, so that they occupy few cache lines: if walkers of many tasks take turns,
/// the tables of each task have left the cache by its next turn.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Tables {
    /// Whether the reward of a step is 1 for entering the goal and 0 otherwise.
    pub(crate) pays_for_goal_alone: bool,
    /// Whether there are atoms to derive.
    pub(crate) derives: bool,
    pub(crate) moves: Moves,
    pub(crate) network: Network,
    pub(crate) goal: Goal,
    pub(crate) axioms: Axioms,
    pub(crate) propositions: Propositions,
}

impl Tables {
    fn new(task: &GroundTask, options: Options, initial: &ClosedState<'_>) -> Self {
        let propositions = Propositions::new(task);
        let axioms = Axioms::new(task, &propositions, options.derived);
        Self {
            pays_for_goal_alone: task.reward.is_none() && task.goal_reward.is_none(),
            derives: !axioms.is_empty(),
            network: Network::new(task, &propositions, initial, options.matching),
            axioms,
            moves: Moves::new(task, &propositions),
            goal: Goal::new(task, &propositions),
            propositions,
        }
    }
}

impl Simulator {
    /// Creates the simulator of a ground task, as [`ground`](herbrand_ground::ground()) returns it, with the default
    /// [`Options`]. The task is not checked.
    #[must_use]
    pub fn new(task: Arc<GroundTask>) -> Self {
        Self::with_options(task, Options::default())
    }

    /// Creates the simulator of a ground task, with the given options. Its option for lifted tasks (`step`)
    /// is ignored.
    #[must_use]
    pub fn with_options(task: Arc<GroundTask>, options: Options) -> Self {
        let inner = Inner {
            arithmetic: Arithmetic::new(&task),
            initial: initial_state(&task),
            task,
            options,
            tables: OnceLock::new(),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// Returns the ground task, which gives the ids their names and numbers the atoms and actions.
    #[must_use]
    pub fn task(&self) -> &GroundTask {
        &self.inner.task
    }

    /// Returns a shared pointer to the ground task, for example to create another simulator of it.
    #[must_use]
    pub fn shared_task(&self) -> Arc<GroundTask> {
        Arc::clone(&self.inner.task)
    }

    /// Returns the options of the simulator.
    #[must_use]
    pub fn options(&self) -> Options {
        self.inner.options
    }

    pub(crate) fn arithmetic(&self) -> &Arithmetic {
        &self.inner.arithmetic
    }

    /// Returns a simulator of the same task in which every draw takes its most likely alternative
    /// ([`Chance::MostLikely`]), for planners that treat the task as deterministic. Its states and actions have the
    /// same ids. All other options stay the same.
    #[must_use]
    pub fn most_likely(&self) -> Self {
        let options = Options {
            chance: Chance::MostLikely,
            ..self.options()
        };
        Self::with_options(Arc::clone(&self.inner.task), options)
    }

    /// Returns whether the task has derived atoms on which neither an action nor the goal depends. Walkers may skip
    /// them ([`Derived::Needed`](crate::Derived::Needed)). Always `false` if the options maintain all
    /// ([`Derived::All`](crate::Derived::All)).
    #[must_use]
    pub fn has_unneeded_atoms(&self) -> bool {
        let needed = &self.tables().axioms.needed;
        let task = self.task();
        needed.ones().count() < task.atom_count() - task.fluent_count()
    }

    pub(crate) fn initial(&self) -> &State {
        &self.inner.initial
    }

    /// Returns the initial state as the problem declares it, before any draws. If the initial state is random, draw one
    /// with [`sample_initial`](Self::sample_initial).
    #[must_use]
    pub fn initial_state(&self) -> State {
        self.inner.initial.clone()
    }

    /// Returns the tables for walkers. They are built on first use, in time linear in the size of the task.
    pub(crate) fn tables(&self) -> &Arc<Tables> {
        let make = || {
            Arc::new(Tables::new(
                self.task(),
                self.options(),
                &self.close(&self.inner.initial),
            ))
        };
        self.inner.tables.get_or_init(make)
    }

    fn state_numerics(&self) -> impl Iterator<Item = NumericId> + use<> {
        (0..self.task().state_numerics).map(NumericId::new)
    }

    /// Draws an initial state. If the initial state is not random, it is [`initial_state`](Self::initial_state) and
    /// nothing is drawn. With [`Chance::MostLikely`] it is the most likely one, and nothing is drawn either. Pass it to
    /// [`Walker::set_state`](crate::Walker::set_state) to continue from it.
    ///
    /// # Errors
    /// Fails if a drawn numeric effect has no result, such as a division by zero.
    pub fn sample_initial(&self, rng: &mut (impl Rng + ?Sized)) -> Result<State, StepError> {
        let state = self.initial_state();
        if self.starts_certainly() {
            return Ok(state);
        }
        let (drawn, _) = self.draw(&state, &self.close(&state), self.task().initial_chance, None, rng)?;
        Ok(drawn)
    }

    /// Draws the effects of `block` in a state, and returns the successor and the combined numeric effects.
    pub(crate) fn draw(
        &self,
        state: &State,
        closed: &ClosedState<'_>,
        block: BlockId,
        action: Option<ActionId>,
        rng: &mut (impl Rng + ?Sized),
    ) -> Result<(State, Numbers), StepError> {
        let mut firing = Firing::default();
        let mut decide = Sampled {
            holds: |id| self.holds(closed, id),
            chance: self.options().chance,
            rng,
            probability: 1.0,
        };
        firing.collect(&self.task().effects, block, &mut decide);
        let numbers = self.numbers(closed, &firing, action)?;
        let mut successor = state.clone();
        successor.apply(&firing, &numbers);
        Ok((successor, numbers))
    }

    /// Returns whether the initial state is deterministic.
    pub(crate) fn starts_certainly(&self) -> bool {
        let block = self.task().effects.get(self.task().initial_chance);
        let certain = block.adds.is_empty() && block.deletes.is_empty() && block.assignments.is_empty();
        certain && block.whens.is_empty() && block.draws.is_empty()
    }

    /// Returns the state in which exactly these fluent atoms are true, and numbers have their initial values. Derived
    /// atoms in `atoms` are ignored, as they follow from the fluent atoms. The state need not be reachable; an atom may
    /// occur more than once.
    ///
    /// # Errors
    /// [`StepError::UnknownAtom`] if an id is not an atom of the task, fluent or derived.
    pub fn state_from_atoms(&self, atoms: impl IntoIterator<Item = AtomId>) -> Result<State, StepError> {
        let task = self.task();
        let mut state = State::empty(task);
        for (id, numeric) in self.state_numerics().zip(&task.numerics) {
            state.set_numeric(id, numeric.initial);
        }
        for atom in atoms {
            if atom.number() < task.fluents {
                state.set(atom, true);
            } else if atom.index() >= task.atom_count() {
                return Err(StepError::unknown_atom(task, atom));
            }
        }
        Ok(state)
    }

    /// Sets the value of a numeric fluent in `state`. `None`, an infinite value or NaN makes it undefined. Does nothing
    /// if no number of the state has this id, for example because no action changes the fluent. A state of another task
    /// is not noticed.
    pub fn set_numeric(&self, state: &mut State, id: NumericId, value: Option<f64>) {
        state.set_numeric(id, value.filter(|value| value.is_finite()));
    }

    /// Decodes a state from the bytes that [`State::pack`] returned. `None` if `bytes` do not encode a state of this
    /// task. Bytes of another task whose states have the same shape are not noticed.
    #[must_use]
    pub fn unpack(&self, bytes: &[u8]) -> Option<State> {
        State::unpack(self.task(), bytes)
    }

    /// Computes the derived atoms of a state. Use the result for several queries on the same state, such as
    /// [`holds`](Self::holds) and [`compares`](Self::compares). A state of another task is noticed only if it has another
    /// shape ([`State::fits`]).
    ///
    /// # Panics
    /// If the state has another shape than the states of this task.
    #[must_use]
    #[track_caller]
    pub fn close<'a>(&self, state: &'a State) -> ClosedState<'a> {
        assert!(state.fits(self.task()), "the state belongs to another task");
        close(self.task(), self.arithmetic(), state)
    }

    /// Returns the fluent and derived atoms that are true in a state, ascending. Derived atoms are computed.
    ///
    /// # Panics
    /// If the state has another shape than the states of this task.
    #[track_caller]
    pub fn atoms(&self, state: &State) -> impl Iterator<Item = AtomId> + use<> {
        self.close(state).atoms().collect::<Vec<_>>().into_iter()
    }

    /// Returns whether a condition of the task, such as a precondition or the goal, holds in `world`, which gives the
    /// values of atoms and numbers. [`close`](Self::close) makes the `world` of a state. The condition must be one of
    /// this task; otherwise this may panic.
    #[must_use]
    pub fn holds(&self, world: &impl Valuation, condition: ConditionId) -> bool {
        condition_holds(self.task(), self.arithmetic(), world, condition)
    }

    /// Returns whether a comparison of the task holds in `world`. If either side is undefined, the comparison is false
    /// before negation. [`close`](Self::close) makes the `world` of a state. The comparison must be one of this task, such
    /// as a [`PreconditionPart`](crate::PreconditionPart) has; otherwise this may panic.
    #[must_use]
    pub fn compares(&self, world: &impl Valuation, comparison: GroundComparison) -> bool {
        self.arithmetic().holds(comparison, world)
    }

    /// Returns the actions whose preconditions hold in a state, ascending; empty in a dead end.
    ///
    /// # Panics
    /// If the state has another shape than the states of this task.
    #[must_use]
    #[track_caller]
    pub fn valid_actions(&self, state: &State) -> Vec<ActionId> {
        let closed = self.close(state);
        let actions = &self.task().actions;
        let valid = |&id: &ActionId| self.holds(&closed, actions.get(id).precondition);
        actions.ids().filter(valid).collect()
    }

    /// Returns whether the precondition of an action holds in a state; `false` for an unknown action.
    ///
    /// # Panics
    /// If the state has another shape than the states of this task.
    #[must_use]
    #[track_caller]
    pub fn is_valid(&self, state: &State, action: ActionId) -> bool {
        action.index() < self.task().actions.len()
            && self.holds(&self.close(state), self.task().actions.get(action).precondition)
    }

    /// Returns whether the goal holds in a state; always `false` if the problem has no goal.
    ///
    /// # Panics
    /// If the state has another shape than the states of this task.
    #[must_use]
    #[track_caller]
    pub fn is_goal(&self, state: &State) -> bool {
        self.holds(&self.close(state), self.task().goal)
    }

    pub(crate) fn known(&self, action: ActionId) -> Result<(), StepError> {
        let actions = self.task().actions.len();
        if action.index() < actions {
            return Ok(());
        }
        Err(StepError::UnknownAction {
            number: action.number(),
            actions,
        })
    }

    /// Combines the numeric effects of `firing`.
    pub(crate) fn numbers(
        &self,
        world: &impl Valuation,
        firing: &Firing,
        action: Option<ActionId>,
    ) -> Result<Numbers, StepError> {
        let mut numbers = Numbers::default();
        numbers
            .compute(self.task(), self.arithmetic(), world, &firing.assignments)
            .map_err(|fault| self.number_error(action, fault))?;
        Ok(numbers)
    }

    /// Returns the name of an action; for `None`, a name for the draw of the initial state.
    pub(crate) fn action_name(&self, action: Option<ActionId>) -> String {
        action.map_or_else(
            || "the initial state".to_owned(),
            |action| self.task().display_action(action).to_string(),
        )
    }

    /// Returns the reward of a step with these numeric changes.
    #[inline]
    pub(crate) fn reward(&self, numbers: &Numbers, enters_goal: bool) -> f64 {
        let task = self.task();
        reward(
            task.reward,
            task.goal_reward,
            numbers.change_of(task.reward),
            enters_goal,
        )
    }

    #[cold]
    pub(crate) fn number_error(
        &self,
        action: Option<ActionId>,
        (target, fault): (NumericId, NumberFault),
    ) -> StepError {
        let effect = self.task().display_numeric(target).to_string();
        StepError::number(self.action_name(action), effect, fault)
    }
}

fn initial_state(task: &GroundTask) -> State {
    let mut state = State::empty(task);
    for &atom in &task.initial {
        state.set(atom, true);
    }
    for (number, numeric) in (0..task.state_numerics).zip(&task.numerics) {
        state.set_numeric(NumericId::new(number), numeric.initial);
    }
    state
}
