//! Walking through states, one step after the other.

use herbrand_ground::{ActionId, AtomId, NumericId};
use rand::Rng;

use crate::bits::Bits;
use crate::firing::Firing;
use crate::numbers::{NumberChange, Numbers};
use crate::random::uniform_below;
use crate::simulator::Sampled;
use crate::state::View;
use crate::{Explanation, Simulator, State, StepError, ValidActions, Valuation};

/// A current state together with its valid actions and derived atoms, stepped in place.
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
pub struct Walker {
    simulator: Simulator,
    state: State,
    derived: Bits,
    valid: ValidActions,
    goal: bool,
    /// What the last step did.
    firing: Firing,
    numbers: Numbers,
    added: Vec<AtomId>,
    deleted: Vec<AtomId>,
}

/// What a step gives back.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Transition {
    /// The reward.
    pub reward: f64,
    /// Whether the goal holds in the new state.
    pub goal: bool,
    /// The probability of the draws that were made; 1 without chance. Other draws may lead to the same state.
    pub probability: f64,
}

/// What the last step changed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Changes<'a> {
    /// The fluent atoms that became true.
    pub added: &'a [AtomId],
    /// The fluent atoms that became false.
    pub deleted: &'a [AtomId],
    /// The numbers of the state that got another value, ascending.
    pub numbers: &'a [NumberChange],
    /// The amounts by which accumulators changed, ascending by accumulator, none of them zero.
    pub deltas: &'a [(NumericId, f64)],
}

impl Walker {
    /// A walker in the initial state, without what chance adds to it.
    pub(crate) fn new(simulator: &Simulator) -> Self {
        let mut walker = Self {
            state: simulator.initial_state(),
            derived: Bits::default(),
            valid: ValidActions::new(simulator.task().actions.len()),
            goal: false,
            firing: Firing::default(),
            numbers: Numbers::default(),
            added: Vec::new(),
            deleted: Vec::new(),
            simulator: simulator.clone(),
        };
        walker.refresh();
        walker
    }

    /// The simulator.
    #[must_use]
    pub fn simulator(&self) -> &Simulator {
        &self.simulator
    }

    /// The current state.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Goes to another state. Only what differs is computed anew.
    ///
    /// # Errors
    /// When it is a state of another task.
    pub fn set_state(&mut self, state: &State) -> Result<(), StepError> {
        if !state.fits(self.simulator.task()) {
            return Err(StepError::ForeignState);
        }
        self.forget();
        self.state.copy_from(state);
        self.refresh();
        Ok(())
    }

    /// Goes to an initial state, drawn where chance has a part in it.
    ///
    /// # Errors
    /// When drawn numeric effects have no result; then the state stays.
    pub fn reset(&mut self, rng: &mut (impl Rng + ?Sized)) -> Result<(), StepError> {
        let initial = self.simulator.sample_initial(rng)?;
        self.set_state(&initial)
    }

    /// Whether an atom, fluent or derived, is true; false for ids of no atom.
    #[must_use]
    pub fn holds(&self, atom: AtomId) -> bool {
        atom.index() < self.simulator.task().atom_count() && self.view().holds(atom)
    }

    /// The value of a numeric fluent; `None` when it is undefined or not part of states.
    #[must_use]
    pub fn numeric(&self, id: NumericId) -> Option<f64> {
        self.state.numeric(id)
    }

    /// The atoms that are true, fluent and derived, ascending.
    pub fn atoms(&self) -> impl Iterator<Item = AtomId> + '_ {
        self.view().atoms()
    }

    /// The valid actions.
    #[must_use]
    pub fn valid(&self) -> &ValidActions {
        &self.valid
    }

    /// A valid action, each with the same probability, or none in a dead end. The answer depends on the state and
    /// the generator alone, not on how the state was reached; one word is drawn as a rule.
    #[inline]
    pub fn sample(&self, rng: &mut (impl Rng + ?Sized)) -> Option<ActionId> {
        let len = u32::try_from(self.valid.len()).ok()?;
        if len == 0 {
            return None;
        }
        self.valid.nth(uniform_below(rng, len) as usize)
    }

    /// Whether the goal holds.
    #[must_use]
    pub fn is_goal(&self) -> bool {
        self.goal
    }

    /// Why an action is not valid in the current state.
    ///
    /// # Errors
    /// When there is no such action.
    pub fn explain(&self, action: ActionId) -> Result<Explanation, StepError> {
        self.simulator.known(action)?;
        Ok(self.simulator.explain_in(&self.view(), action))
    }

    /// Takes an action. Conditions and right-hand sides read the old state, deletes go before adds, and draws are
    /// made in the order of the text.
    ///
    /// # Errors
    /// When the action is not valid, or a numeric effect has no result; then nothing changes, but draws from `rng`
    /// may have been made.
    pub fn apply(
        &mut self,
        action: ActionId,
        rng: &mut (impl Rng + ?Sized),
    ) -> Result<Transition, StepError> {
        if !self.valid.contains(action) {
            return Err(self.refuse(action));
        }
        let probability = self.fire(action, rng)?;
        self.change_state();
        self.refresh();
        Ok(Transition {
            reward: self.simulator.reward(&self.numbers, self.goal),
            goal: self.goal,
            probability,
        })
    }

    /// What the last [`apply`](Self::apply) changed; nothing after going to a state in another way.
    #[must_use]
    pub fn changes(&self) -> Changes<'_> {
        Changes {
            added: &self.added,
            deleted: &self.deleted,
            numbers: &self.numbers.changes,
            deltas: &self.numbers.deltas,
        }
    }

    #[cold]
    fn refuse(&self, action: ActionId) -> StepError {
        match self.explain(action) {
            Ok(explanation) => StepError::Invalid(explanation),
            Err(unknown) => unknown,
        }
    }

    fn view(&self) -> View<'_> {
        View {
            state: &self.state,
            derived: &self.derived,
        }
    }

    /// Decides which effects of an action happen and what its numeric effects come to. The state stays as it is.
    fn fire(&mut self, action: ActionId, rng: &mut (impl Rng + ?Sized)) -> Result<f64, StepError> {
        let mut firing = std::mem::take(&mut self.firing);
        firing.clear();
        let task = self.simulator.task();
        let mut decide = Sampled {
            holds: |id| self.simulator.holds(&self.view(), id),
            rng,
            probability: 1.0,
        };
        firing.collect(&task.effects, task.actions.get(action).effect, &mut decide);
        let probability = decide.probability;
        let numbers = self.simulator.numbers(&self.view(), &firing, Some(action));
        self.firing = firing;
        self.numbers = numbers?;
        Ok(probability)
    }

    fn change_state(&mut self) {
        self.added.clear();
        self.deleted.clear();
        let before = self.state.clone();
        crate::simulator::apply(&mut self.state, &self.firing, &self.numbers);
        for atom in before.fluents().filter(|&atom| !self.state.holds(atom)) {
            self.deleted.push(atom);
        }
        for atom in self.state.fluents().filter(|&atom| !before.holds(atom)) {
            self.added.push(atom);
        }
    }

    /// Computes derived atoms, valid actions and goal anew.
    fn refresh(&mut self) {
        self.derived = self.simulator.close(&self.state).derived;
        self.valid.clear();
        let task = self.simulator.task();
        for action in task.actions.ids() {
            if self
                .simulator
                .holds(&self.view(), task.actions.get(action).precondition)
            {
                self.valid.insert(action);
            }
        }
        self.goal = self.simulator.holds(&self.view(), task.goal);
    }

    /// Forgets the last step.
    fn forget(&mut self) {
        self.added.clear();
        self.deleted.clear();
        self.numbers.clear();
    }
}
