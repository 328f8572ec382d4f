//! The [`Walker`]: a current state of a ground task, stepped in place.

use std::cell::OnceCell;
use std::sync::Arc;

use herbrand_core::uniform_below;
use herbrand_ground::{ActionId, AtomId, NumericId};
use rand::Rng;

use crate::grounded::bits::Bits;
use crate::grounded::changes::Changes;
use crate::grounded::derivation::Derivation;
use crate::grounded::matcher::Matcher;
use crate::grounded::moves::Mask;
use crate::grounded::outcomes;
use crate::grounded::simulator::{Simulator, Tables};
use crate::grounded::state::{State, Valuation};
use crate::grounded::truth::Truth;
use crate::grounded::valid::ValidActions;
use crate::semantics::chance::Sampled;
use crate::semantics::error::StepError;
use crate::semantics::explanation::ActionExplanation;
use crate::semantics::firing::Firing;
use crate::semantics::numbers::{NumberChange, Numbers};
use crate::semantics::transition::StepResult;

/// A current state of a ground task with its valid actions and derived atoms, stepped in place. Each step updates only the
/// parts that change. [`Simulator::walker`] creates one.
///
/// ```
/// use herbrand_step::{Random, Simulator, StepError};
///
/// fn walk(simulator: &Simulator, steps: usize) -> Result<f64, StepError> {
///     let mut rng = Random::new(0);
///     let mut walker = simulator.walker();
///     walker.reset(&mut rng)?;
///     let mut reward = 0.0;
///     for _ in 0..steps {
///         let Some(action) = walker.sample(&mut rng) else { break };
///         reward += walker.apply(action, &mut rng)?.reward;
///     }
///     Ok(reward)
/// }
/// ```
#[derive(Clone, Debug)]
// The fields that every step reads come first, so that they occupy few cache lines.
#[repr(C)]
pub struct Walker {
    tables: Arc<Tables>,
    goal: bool,
    /// Whether the last change of state was a step, which can be undone.
    stepped: bool,
    goal_witnesses: Vec<u32>,
    matcher: Matcher,
    state: State,
    /// The truth of atoms and comparisons in the state.
    truth: Truth,
    /// The literals that the last step made true. The first `gained_fluents` are literals of fluent atoms.
    gained: Vec<u32>,
    gained_fluents: usize,
    /// The truth of all derived atoms of the state, computed from scratch on the first query of an unmaintained atom.
    unneeded: OnceCell<Bits>,
    numbers: Numbers,
    simulator: Simulator,
    masks: Vec<Mask>,
    firing: Firing,
    derivation: Derivation,
}

/// A view of a state: its numbers, and the truth of all its atoms.
#[derive(Clone, Copy)]
struct View<'a> {
    state: &'a State,
    truth: &'a Truth,
}

impl Valuation for View<'_> {
    #[inline]
    fn holds(&self, atom: AtomId) -> bool {
        self.truth.holds(atom.number() * 2)
    }

    #[inline]
    fn value(&self, id: NumericId) -> Option<f64> {
        self.state.numeric(id)
    }
}

impl Valuation for Walker {
    fn holds(&self, atom: AtomId) -> bool {
        self.holds(atom)
    }

    fn value(&self, id: NumericId) -> Option<f64> {
        self.numeric(id)
    }
}

/// A possible successor of the current state, as passed to the callback of [`Walker::each_outcome`]. Clone the state to
/// keep it: it is overwritten after the callback.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Branch<'a> {
    /// The probability of the outcome, above 0 and at most 1.
    pub probability: f64,
    /// The successor state.
    pub state: &'a State,
    /// The numeric fluents of the state that change, ascending by id.
    pub numbers: &'a [NumberChange],
    /// The amounts by which accumulators change, ascending by id and never zero. Accumulators are numeric fluents outside
    /// the state, such as the total cost.
    pub deltas: &'a [(NumericId, f64)],
}

impl Simulator {
    /// Creates a walker in the initial state as the problem declares it. If the initial state is random, call
    /// [`Walker::reset`] to draw one. Then call [`Walker::sample`] or [`Walker::valid`] for an action, and
    /// [`Walker::apply`] to take it.
    #[must_use]
    pub fn walker(&self) -> Walker {
        Walker::new(self)
    }
}

impl Walker {
    /// Creates a walker in the initial state as the problem declares it, without random effects.
    pub(crate) fn new(simulator: &Simulator) -> Self {
        let tables = Arc::clone(simulator.tables());
        let state = simulator.initial_state();
        let mut truth = Truth::new(tables.propositions.len());
        let closed = simulator.close(&state);
        state.fluents().for_each(|atom| truth.flip_to(atom.number() * 2));
        for (number, comparison) in tables.propositions.comparisons() {
            if simulator.arithmetic().holds(comparison, &closed) {
                truth.flip_to(number * 2);
            }
        }
        let derivation = Derivation::new(&tables.axioms, &mut truth);
        let mut goal_witnesses = tables.goal.witnesses();
        Self {
            matcher: Matcher::new(&tables.network, &truth),
            goal: tables.goal.holds(&truth, &mut goal_witnesses),
            goal_witnesses,
            derivation,
            unneeded: OnceCell::new(),
            truth,
            state,
            gained: Vec::with_capacity(tables.propositions.len()),
            gained_fluents: 0,
            stepped: false,
            numbers: Numbers::default(),
            firing: Firing::default(),
            masks: Vec::new(),
            simulator: simulator.clone(),
            tables,
        }
    }

    /// Reads the beginning of each block of memory that the next step reads, to bring it into the cache. Useful before
    /// stepping many walkers in turn. The return value is meaningless; it keeps the loads from being optimised away.
    #[inline]
    #[must_use]
    pub fn prefetch(&self) -> u64 {
        let first = |numbers: &[u32]| numbers.first().map_or(0, |&number| u64::from(number));
        let own = first(&self.gained) ^ first(&self.goal_witnesses) ^ self.numbers.changes.len() as u64;
        let words = self.state.words().first().copied().unwrap_or_default();
        own ^ words
            ^ u64::from(self.truth.prefetch())
            ^ self.matcher.prefetch()
            ^ u64::from(self.tables.derives)
    }

    /// Returns the simulator of the walker's task.
    #[must_use]
    pub fn simulator(&self) -> &Simulator {
        &self.simulator
    }

    /// Returns the current state.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Moves to another state. Takes time proportional to the differences between the two states. The step before can
    /// no longer be undone, and [`changes`](Self::changes) is empty.
    ///
    /// # Errors
    /// [`StepError::ForeignState`] if the state has another shape than the states of this task. A state of another task
    /// with the same shape is not noticed.
    pub fn set_state(&mut self, state: &State) -> Result<(), StepError> {
        if !state.fits(self.simulator.task()) {
            return Err(StepError::ForeignState);
        }
        self.go_to(state.words());
        Ok(())
    }

    /// Moves to the state with these [words](State::words), which must come from a state of this task. Takes time
    /// proportional to the differences between the two states. The step before can no longer be undone, and
    /// [`changes`](Self::changes) is empty.
    ///
    /// # Errors
    /// [`StepError::ForeignState`] if the number of words is wrong for this task. Words of the right number are not
    /// checked.
    pub fn set_words(&mut self, words: &[u64]) -> Result<(), StepError> {
        if words.len() != self.state.words().len() {
            return Err(StepError::ForeignState);
        }
        self.go_to(words);
        Ok(())
    }

    /// Moves to the state of this task with these words.
    pub(crate) fn go_to(&mut self, words: &[u64]) {
        self.gained.clear();
        let gained = &mut self.gained;
        self.numbers.differences(&self.state, words);
        self.state.replace(words, |literal| gained.push(literal));
        self.follow();
        self.forget();
    }

    /// Moves to an initial state, drawn if it is random; otherwise nothing is drawn. With
    /// [`Chance::MostLikely`](crate::Chance::MostLikely) it is the most likely one, and nothing is drawn either. The step
    /// before can no longer be undone.
    ///
    /// # Errors
    /// Fails if a drawn numeric effect has no result. The state is then unchanged, but words may have been drawn from
    /// `rng`.
    pub fn reset(&mut self, rng: &mut (impl Rng + ?Sized)) -> Result<(), StepError> {
        let simulator = self.simulator.clone();
        if simulator.starts_certainly() {
            self.go_to(simulator.initial().words());
            return Ok(());
        }
        self.set_state(&simulator.sample_initial(rng)?)
    }

    /// Returns whether an atom, fluent or derived, is true; `false` for unknown ids.
    ///
    /// Some derived atoms affect neither an action nor the goal. Unless all derived atoms are maintained
    /// ([`Derived::All`](crate::Derived::All)), the first query of such an atom in a state recomputes all derived atoms.
    #[must_use]
    pub fn holds(&self, atom: AtomId) -> bool {
        let task = self.simulator.task();
        let needed = &self.tables.axioms.needed;
        match atom.number().checked_sub(task.fluents) {
            _ if atom.index() >= task.atom_count() => false,
            Some(index) if !needed.get(index as usize) => {
                let close = || self.simulator.close(&self.state).derived;
                self.unneeded.get_or_init(close).get(index as usize)
            }
            _ => self.view().holds(atom),
        }
    }

    /// Returns the current value of a numeric fluent; `None` if it is undefined, or if it is not part of states, such
    /// as an accumulator. The same for an id that the task does not have.
    #[must_use]
    pub fn numeric(&self, id: NumericId) -> Option<f64> {
        self.state.numeric(id)
    }

    /// Returns the fluent and derived atoms that are true in the current state, ascending.
    pub fn atoms(&self) -> impl Iterator<Item = AtomId> + '_ {
        let all = (0..self.simulator.task().atom_count()).map(AtomId::from_index);
        all.filter(|&atom| self.holds(atom))
    }

    /// Returns the set of actions that are valid in the current state. It is updated by every step, not computed by this
    /// call.
    #[inline]
    #[must_use]
    pub fn valid(&self) -> &ValidActions {
        self.matcher.valid()
    }

    /// Draws a valid action uniformly; `None` in a dead end. The result depends only on the state and the generator,
    /// not on how the state was reached. Usually one word is drawn; in a dead end, none. Pass the action to
    /// [`apply`](Self::apply).
    #[inline]
    pub fn sample(&self, rng: &mut (impl Rng + ?Sized)) -> Option<ActionId> {
        let len = u32::try_from(self.valid().len()).ok()?;
        if len == 0 {
            return None;
        }
        self.valid().nth(uniform_below(rng, len) as usize)
    }

    /// Returns whether the goal holds in the current state. Always `false` if the problem has no goal. A walker can be
    /// stepped beyond the goal.
    #[must_use]
    pub fn is_goal(&self) -> bool {
        self.goal
    }

    /// Explains why an action is not valid in the current state, like [`Simulator::explain`].
    ///
    /// # Errors
    /// [`StepError::UnknownAction`] if the task has no such action; an action that is not valid is no error.
    pub fn explain(&self, action: ActionId) -> Result<ActionExplanation, StepError> {
        self.simulator.known(action)?;
        Ok(self.simulator.explain_in(&self.view(), action))
    }

    /// Takes a valid action: replaces the current state by its successor. Conditions and right-hand sides read the old
    /// state, deletes are applied before adds, and draws are made from `rng` in the order of the text.
    ///
    /// # Errors
    /// Fails if the action is unknown or not valid, or if a numeric effect has no result. The state is then unchanged,
    /// but words may have been drawn from `rng`. After a numeric effect without a result, the step before can no longer
    /// be undone.
    #[inline]
    pub fn apply(
        &mut self,
        action: ActionId,
        rng: &mut (impl Rng + ?Sized),
    ) -> Result<StepResult, StepError> {
        if !self.valid().contains(action) {
            return Err(self.refuse(action));
        }
        let literals = self.tables.moves.literals(action);
        let probability = if literals.is_empty() {
            self.decide(action, rng)?
        } else {
            self.numbers.clear();
            self.gained.clear();
            for &literal in literals {
                if !self.truth.holds(literal) {
                    self.state.flip(literal as usize / 2);
                    self.gained.push(literal);
                }
            }
            1.0
        };
        let from_goal = self.goal;
        self.follow();
        self.stepped = true;
        Ok(StepResult {
            reward: self.reward(from_goal),
            goal: self.goal,
            probability,
        })
    }

    /// Returns the reward of the step just taken; `from_goal` is whether the goal held before it.
    #[inline]
    fn reward(&self, from_goal: bool) -> f64 {
        let enters_goal = self.goal && !from_goal;
        if self.tables.pays_for_goal_alone {
            return f64::from(u8::from(enters_goal));
        }
        self.simulator.reward(&self.numbers, enters_goal)
    }

    /// Changes atoms and numbers of the state, as no action does. Each atom may occur once. Atoms that are not fluent
    /// are ignored, and numbers that are not part of states. The step before can no longer be undone.
    pub fn write(&mut self, atoms: &[(AtomId, bool)], numbers: &[(NumericId, Option<f64>)]) {
        self.gained.clear();
        self.numbers.clear();
        for &(atom, holds) in atoms {
            let literal = atom.number() * 2 + u32::from(!holds);
            if atom.number() < self.simulator.task().fluents && !self.truth.holds(literal) {
                self.state.flip(atom.index());
                self.gained.push(literal);
            }
        }
        for &(id, after) in numbers {
            let before = self.state.numeric(id);
            if id.number() < self.simulator.task().state_numerics && before != after {
                self.numbers.changes.push(NumberChange { id, before, after });
            }
        }
        self.follow();
        self.forget();
    }

    /// Undoes the last [`apply`](Self::apply) and returns `true`. Returns `false` and changes nothing if the current
    /// state was not reached by `apply`, or if that step was already undone: only one step can be undone. Afterwards
    /// [`changes`](Self::changes) is empty; words drawn by the step are not given back to the generator.
    pub fn undo(&mut self) -> bool {
        if !std::mem::replace(&mut self.stepped, false) {
            return false;
        }
        self.gained.truncate(self.gained_fluents);
        for literal in &mut self.gained {
            *literal ^= 1;
            self.state.flip(*literal as usize / 2);
        }
        self.numbers.reverse();
        self.follow();
        self.forget();
        true
    }

    /// Returns the changes made by the last [`apply`](Self::apply); no changes if the current state was reached in another
    /// way.
    #[must_use]
    pub fn changes(&self) -> Changes<'_> {
        Changes {
            gained: &self.gained[..self.gained_fluents],
            numbers: &self.numbers.changes,
            deltas: &self.numbers.deltas,
        }
    }

    /// Returns the literals of maintained derived atoms, and of comparisons, that the last step made true.
    pub(crate) fn gained_derived(&self) -> &[u32] {
        if self.stepped {
            &self.gained[self.gained_fluents..]
        } else {
            &[]
        }
    }

    /// Forgets the last step, so that it can no longer be undone.
    fn forget(&mut self) {
        self.stepped = false;
        self.gained_fluents = 0;
        self.numbers.clear();
    }

    /// Returns the effects of an action on the words of the state; `None` if it has draws or numeric effects.
    #[inline]
    pub(crate) fn masks<'a>(&'a self, action: ActionId, buffer: &'a mut Vec<Mask>) -> Option<&'a [Mask]> {
        self.tables
            .moves
            .masks(self.simulator.task(), action, &self.truth, buffer)
    }

    /// Calls `visit` with every possible successor of the current state under one action, that is, with every outcome
    /// of a valid action, in the order of the text, and returns their number. The current state is unchanged. Unlike
    /// [`Simulator::outcomes`], it does not merge outcomes with the same successor. The probabilities of all calls sum
    /// to 1. With [`Chance::MostLikely`](crate::Chance::MostLikely) there is one. The last step can still be undone.
    ///
    /// # Errors
    /// Fails if the action is unknown or not valid, if it has more combinations of draws than
    /// [`Options::outcome_limit`](crate::Options::outcome_limit), or if a numeric effect has no result in one of them.
    /// In the last case, `visit` may have been called for earlier outcomes.
    pub fn each_outcome(
        &self,
        action: ActionId,
        mut visit: impl FnMut(Branch<'_>),
    ) -> Result<u64, StepError> {
        if !self.valid().contains(action) {
            return Err(self.refuse(action));
        }
        let effect = self.simulator.task().actions.get(action).effect;
        let mut successor = self.state.clone();
        let mut count = 0;
        outcomes::each(
            &self.simulator,
            &self.view(),
            effect,
            Some(action),
            |probability, firing, numbers| {
                successor.copy_from(&self.state);
                successor.apply(firing, numbers);
                visit(Branch {
                    probability,
                    state: &successor,
                    numbers: &numbers.changes,
                    deltas: &numbers.deltas,
                });
                count += 1;
            },
        )?;
        Ok(count)
    }

    #[cold]
    pub(crate) fn refuse(&self, action: ActionId) -> StepError {
        match self.explain(action) {
            Ok(explanation) => StepError::Invalid(explanation),
            Err(unknown) => unknown,
        }
    }

    pub(crate) fn view(&self) -> impl Valuation + '_ {
        View {
            state: &self.state,
            truth: &self.truth,
        }
    }

    /// Applies the fluent effects of an action without precomputed literals, and combines its numeric effects without
    /// applying them. Returns the probability of the draws.
    fn decide(&mut self, action: ActionId, rng: &mut (impl Rng + ?Sized)) -> Result<f64, StepError> {
        let moves = &self.tables.moves;
        let masks = moves.masks(self.simulator.task(), action, &self.truth, &mut self.masks);
        let Some(masks) = masks else {
            return self.fire(action, rng);
        };
        self.numbers.clear();
        self.gained.clear();
        let gained = &mut self.gained;
        self.state.change(masks, |literal| gained.push(literal));
        Ok(1.0)
    }

    /// Decides conditions and draws, combines the numeric effects, then applies the fluent effects. The state is unchanged
    /// on an error.
    fn fire(&mut self, action: ActionId, rng: &mut (impl Rng + ?Sized)) -> Result<f64, StepError> {
        let Self {
            simulator,
            state,
            truth,
            firing,
            numbers,
            gained,
            ..
        } = self;
        let task = simulator.task();
        let view = View { state, truth };
        firing.clear();
        let mut decide = Sampled {
            holds: |id| simulator.holds(&view, id),
            chance: simulator.options().chance,
            rng,
            probability: 1.0,
        };
        firing.collect(&task.effects, task.actions.get(action).effect, &mut decide);
        let probability = decide.probability;
        if let Err(fault) = numbers.compute(task, simulator.arithmetic(), &view, &firing.assignments) {
            let error = simulator.number_error(Some(action), fault);
            self.forget();
            return Err(error);
        }
        gained.clear();
        firing.net(gained);
        gained.retain(|&literal| !truth.holds(literal));
        gained
            .iter()
            .for_each(|&literal| state.flip(literal as usize / 2));
        Ok(probability)
    }

    /// Updates everything that depends on the gained literals and changed numbers: truth, numbers, comparisons, derived
    /// atoms, valid actions, goal.
    #[inline]
    fn follow(&mut self) {
        let tables = &*self.tables;
        self.gained_fluents = self.gained.len();
        for &literal in &self.gained {
            self.truth.flip_to(literal);
        }
        if !self.numbers.changes.is_empty() {
            for change in &self.numbers.changes {
                self.state.set_numeric(change.id, change.after);
            }
            let view = View {
                state: &self.state,
                truth: &self.truth,
            };
            let start = self.gained.len();
            for change in &self.numbers.changes {
                for &proposition in tables.propositions.readers(change.id) {
                    let holds = self
                        .simulator
                        .arithmetic()
                        .holds(tables.propositions.comparison(proposition), &view);
                    let literal = proposition * 2 + u32::from(!holds);
                    if !self.truth.holds(literal) && !self.gained[start..].contains(&literal) {
                        self.gained.push(literal);
                    }
                }
            }
            self.gained[start..]
                .iter()
                .for_each(|&literal| self.truth.flip_to(literal));
        }
        if tables.derives {
            self.derivation
                .update(&tables.axioms, &mut self.truth, &mut self.gained);
        }
        self.unneeded.take();
        self.matcher.update(&tables.network, &self.truth, &self.gained);
        self.goal = tables.goal.holds(&self.truth, &mut self.goal_witnesses);
    }
}
