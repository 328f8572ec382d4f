//! The simulator: a task as a function from states and actions to states.

use std::sync::Arc;

use herbrand_ground::{ActionId, AtomId, BlockId, ConditionId, GroundTask, NumericId};
use rand::Rng;

use crate::alternatives::{draw_alternative, most_likely};
use crate::arithmetic::Arithmetic;
use crate::axioms::Axioms;
use crate::closure::{close, condition_holds};
use crate::error::StepError;
use crate::explanation::{Explanation, Failure, Requirement};
use crate::firing::{Decide, Firing};
use crate::goal::Goal;
use crate::moves::Moves;
use crate::network::Network;
use crate::numbers::{NumberFault, Numbers};
use crate::propositions::Propositions;
use crate::state::{Closed, State};
use crate::{NameError, Outcome, Valuation, Walker, names, outcomes};

/// A planning task that can be stepped. Immutable and cheap to clone; any number of threads can share one.
///
/// Its methods take a state and compute what is asked for from scratch, the plain way: in time linear in the task.
/// For walks and searches take a [`Walker`], which keeps valid actions and derived atoms from step to step.
#[derive(Clone, Debug)]
pub struct Simulator {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    task: Arc<GroundTask>,
    arithmetic: Arithmetic,
    options: Options,
    pub(crate) tables: Tables,
}

/// What walkers share: the task, laid out for quick stepping.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) propositions: Propositions,
    pub(crate) axioms: Axioms,
    pub(crate) network: Network,
    pub(crate) moves: Moves,
    pub(crate) goal: Goal,
    pub(crate) initial: State,
}

/// What can be set about a simulator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// The largest number of combinations of chance that [`Simulator::outcomes`] enumerates for one action.
    pub outcome_limit: usize,
    /// How walkers keep the valid actions.
    pub matching: Matching,
    /// What becomes of chance.
    pub chance: Chance,
    /// Which derived atoms walkers keep.
    pub derived: Derived,
}

/// Which derived atoms walkers keep from step to step. All can be asked for in any case.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Derived {
    /// Those that some action or the goal depends on: the first question about another one in a state computes all anew.
    #[default]
    Needed,
    /// All of them: for walks that look at every state.
    All,
}

/// What becomes of chance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Chance {
    /// Outcomes are drawn with their probabilities.
    #[default]
    Drawn,
    /// Every draw falls out in its most likely way, the first of equals: one outcome an action.
    MostLikely,
}

/// How walkers keep the valid actions from step to step. The answers are the same, and so are the draws.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Matching {
    /// The way that promises to be quicker for the task.
    #[default]
    Automatic,
    /// By counting, for 64 actions at a time, what each lacks.
    Counting,
    /// By watching, for each invalid action, one thing that it lacks: for large tasks in which many actions need the
    /// same things.
    Watching,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            outcome_limit: 65_536,
            matching: Matching::Automatic,
            chance: Chance::Drawn,
            derived: Derived::Needed,
        }
    }
}

impl Simulator {
    /// The simulator of a task.
    #[must_use]
    pub fn new(task: Arc<GroundTask>) -> Self {
        Self::with_options(task, Options::default())
    }

    /// The simulator of a task, with options.
    #[must_use]
    pub fn with_options(task: Arc<GroundTask>, options: Options) -> Self {
        let arithmetic = Arithmetic::new(&task);
        let initial = initial_state(&task);
        let propositions = Propositions::new(&task);
        let tables = Tables {
            network: Network::new(
                &task,
                &propositions,
                &close(&task, &arithmetic, &initial),
                options.matching,
            ),
            axioms: Axioms::new(&task, &propositions, options.derived),
            moves: Moves::new(&task, &propositions),
            goal: Goal::new(&task, &propositions),
            propositions,
            initial,
        };
        Self {
            inner: Arc::new(Inner {
                task,
                arithmetic,
                options,
                tables,
            }),
        }
    }

    /// The ground task.
    #[must_use]
    pub fn task(&self) -> &GroundTask {
        &self.inner.task
    }

    /// The ground task, to be shared with another simulator.
    #[must_use]
    pub fn shared_task(&self) -> Arc<GroundTask> {
        Arc::clone(&self.inner.task)
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> Options {
        self.inner.options
    }

    pub(crate) fn arithmetic(&self) -> &Arithmetic {
        &self.inner.arithmetic
    }

    /// The simulator of the same task in which every draw falls out in its most likely way.
    #[must_use]
    pub fn most_likely(&self) -> Self {
        let options = Options {
            chance: Chance::MostLikely,
            ..self.options()
        };
        Self::with_options(Arc::clone(&self.inner.task), options)
    }

    /// Whether there are derived atoms that no action and no goal depends on.
    #[must_use]
    pub fn has_unneeded_atoms(&self) -> bool {
        let needed = &self.tables().axioms.needed;
        let task = self.task();
        needed.ones().count() < task.atom_count() - task.fluent_count()
    }

    /// A walker in the initial state.
    #[must_use]
    pub fn walker(&self) -> Walker {
        Walker::new(self)
    }

    /// The initial state as the problem states it, without what chance adds.
    #[must_use]
    pub fn initial_state(&self) -> State {
        self.tables().initial.clone()
    }

    pub(crate) fn tables(&self) -> &Tables {
        &self.inner.tables
    }

    fn state_numerics(&self) -> impl Iterator<Item = NumericId> + use<> {
        (0..self.task().state_numerics).map(NumericId::new)
    }

    /// The distribution of initial states; their rewards are of no meaning.
    ///
    /// # Errors
    /// When there are too many, or numeric effects have no result.
    pub fn initial_outcomes(&self) -> Result<Vec<Outcome>, StepError> {
        outcomes::enumerate(self, &self.initial_state(), self.task().initial_chance, None)
    }

    /// An initial state, drawn.
    ///
    /// # Errors
    /// When drawn numeric effects have no result.
    pub fn sample_initial(&self, rng: &mut (impl Rng + ?Sized)) -> Result<State, StepError> {
        let mut state = self.initial_state();
        if self.starts_certainly() {
            return Ok(state);
        }
        let closed = self.close(&state);
        let mut firing = Firing::default();
        let mut decide = Sampled {
            holds: |id| self.holds(&closed, id),
            chance: self.options().chance,
            rng,
            probability: 1.0,
        };
        firing.collect(&self.task().effects, self.task().initial_chance, &mut decide);
        let numbers = self.numbers(&closed, &firing, None)?;
        apply(&mut state, &firing, &numbers);
        Ok(state)
    }

    /// Whether chance adds nothing to the initial state.
    pub(crate) fn starts_certainly(&self) -> bool {
        let block = self.task().effects.get(self.task().initial_chance);
        let certain = block.adds.is_empty() && block.deletes.is_empty() && block.assignments.is_empty();
        certain && block.whens.is_empty() && block.draws.is_empty()
    }

    /// The state with exactly these fluent atoms true and numbers as in the initial state. Derived atoms among them
    /// are passed over: they follow from the others.
    ///
    /// # Errors
    /// When an id is not the task's.
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

    /// `state` with another value of a numeric fluent; `None` makes it undefined, and a number that is not finite
    /// does too. Other ids change nothing.
    pub fn set_numeric(&self, state: &mut State, id: NumericId, value: Option<f64>) {
        state.set_numeric(id, value.filter(|value| value.is_finite()));
    }

    /// The state that [`State::pack`] wrote; `None` when `bytes` are not those of a state of this task.
    #[must_use]
    pub fn unpack(&self, bytes: &[u8]) -> Option<State> {
        State::unpack(self.task(), bytes)
    }

    /// The atom that a text such as `(on a b)` names, fluent or derived.
    ///
    /// # Errors
    /// When the text names none.
    pub fn parse_atom(&self, text: &str) -> Result<AtomId, NameError> {
        names::parse_atom(self.task(), text)
    }

    /// The action that a text such as `(stack a b)` names.
    ///
    /// # Errors
    /// When the text names none.
    pub fn parse_action(&self, text: &str) -> Result<ActionId, NameError> {
        names::parse_action(self.task(), text)
    }

    /// The state with its derived atoms.
    #[must_use]
    pub fn close<'a>(&self, state: &'a State) -> Closed<'a> {
        close(self.task(), self.arithmetic(), state)
    }

    /// The atoms that are true, fluent and derived, ascending.
    pub fn atoms(&self, state: &State) -> impl Iterator<Item = AtomId> + use<> {
        self.close(state).atoms().collect::<Vec<_>>().into_iter()
    }

    /// Whether a condition holds in a state with its derived atoms.
    #[must_use]
    pub fn holds(&self, world: &impl Valuation, condition: ConditionId) -> bool {
        condition_holds(self.task(), self.arithmetic(), world, condition)
    }

    /// The valid actions, ascending.
    #[must_use]
    pub fn valid_actions(&self, state: &State) -> Vec<ActionId> {
        let closed = self.close(state);
        let actions = &self.task().actions;
        let valid = |&id: &ActionId| self.holds(&closed, actions.get(id).precondition);
        actions.ids().filter(valid).collect()
    }

    /// Whether an action is valid.
    #[must_use]
    pub fn is_valid(&self, state: &State, action: ActionId) -> bool {
        action.index() < self.task().actions.len()
            && self.holds(&self.close(state), self.task().actions.get(action).precondition)
    }

    /// Whether the goal holds.
    #[must_use]
    pub fn is_goal(&self, state: &State) -> bool {
        self.holds(&self.close(state), self.task().goal)
    }

    /// The distribution of successors: positive probabilities of sum 1, equal successors merged, in the order of
    /// the text: the first alternative of the first draw first, no change last.
    ///
    /// # Errors
    /// When the action is not valid, has too many outcomes, or a numeric effect has no result in one of them.
    pub fn outcomes(&self, state: &State, action: ActionId) -> Result<Vec<Outcome>, StepError> {
        self.check(state, action)?;
        let effect = self.task().actions.get(action).effect;
        outcomes::enumerate(self, state, effect, Some(action))
    }

    /// Why an action is not valid.
    ///
    /// # Errors
    /// When there is no such action.
    pub fn explain(&self, state: &State, action: ActionId) -> Result<Explanation, StepError> {
        self.known(action)?;
        Ok(self.explain_in(&self.close(state), action))
    }

    /// Why an action of the task is not valid in a state with its derived atoms.
    pub(crate) fn explain_in(&self, world: &impl Valuation, action: ActionId) -> Explanation {
        let task = self.task();
        let fulfilled = |requirement| match requirement {
            Requirement::Literal(literal) => world.holds(literal.atom()) != literal.is_negative(),
            Requirement::Comparison(comparison) => self.arithmetic().holds(comparison, world),
        };
        let precondition = task.actions.get(action).precondition;
        let ways = task.conditions.conjunctions(precondition);
        let failures = ways.filter_map(|id| Failure::first(task, task.conditions.get(id), fulfilled));
        Explanation {
            action,
            name: task.display_action(action).to_string(),
            failures: failures.collect(),
            valid: self.holds(world, precondition),
        }
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

    fn check(&self, state: &State, action: ActionId) -> Result<(), StepError> {
        self.known(action)?;
        if !state.fits(self.task()) {
            return Err(StepError::ForeignState);
        }
        let explanation = self.explain_in(&self.close(state), action);
        if explanation.valid {
            Ok(())
        } else {
            Err(StepError::Invalid(explanation))
        }
    }

    /// What the numeric effects of `firing` come to.
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

    /// The name of an action, or of the draw of the initial state.
    pub(crate) fn action_name(&self, action: Option<ActionId>) -> String {
        action.map_or_else(
            || "the initial state".to_owned(),
            |action| self.task().display_action(action).to_string(),
        )
    }

    /// The reward of a step that changes numbers so and leads to a goal state or not: the change of the reward and
    /// the goal reward where the task has either, else 1 at the goal.
    #[inline]
    pub(crate) fn reward(&self, numbers: &Numbers, goal: bool) -> f64 {
        reward(self.task().reward, self.task().goal_reward, numbers, goal)
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

/// The reward of a step, given the number that counts it and what the goal pays.
#[inline]
pub(crate) fn reward(
    counter: Option<NumericId>,
    goal_reward: Option<f64>,
    numbers: &Numbers,
    goal: bool,
) -> f64 {
    if counter.is_none() && goal_reward.is_none() {
        return f64::from(u8::from(goal));
    }
    let at_goal = goal_reward.filter(|_| goal).unwrap_or(0.0);
    at_goal + counter.map_or(0.0, |id| numbers.change(id))
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

/// Deletes, then adds, then numbers.
pub(crate) fn apply(state: &mut State, firing: &Firing, numbers: &Numbers) {
    for &atom in &firing.deletes {
        state.set(atom, false);
    }
    for &atom in &firing.adds {
        state.set(atom, true);
    }
    for change in &numbers.changes {
        state.set_numeric(change.id, change.after);
    }
}

/// Decides conditions by a function and draws by a generator.
pub(crate) struct Sampled<'a, H, R: ?Sized> {
    pub(crate) holds: H,
    pub(crate) chance: Chance,
    pub(crate) rng: &'a mut R,
    /// The product of the probabilities of what was drawn.
    pub(crate) probability: f64,
}

impl<H: Fn(ConditionId) -> bool, R: Rng + ?Sized> Decide for Sampled<'_, H, R> {
    fn holds(&self, condition: ConditionId) -> bool {
        (self.holds)(condition)
    }

    fn draw(&mut self, alternatives: &[(f64, BlockId)]) -> Option<BlockId> {
        if self.chance == Chance::MostLikely {
            return most_likely(alternatives);
        }
        let (probability, block) = draw_alternative(alternatives, self.rng);
        self.probability *= probability;
        block
    }
}
