//! The interpreter of an RDDL instance.

use herbrand_distributions::{Draws, Quantiles};
use herbrand_rddl::{Condition, Instance, PvariableId, PvariableKind, Sites, Time, Value};

use super::arithmetic::number;
use super::chance::{Chance, Drawn, Outcomes};
use super::error::RddlEvaluationError;
use super::world::StepEnvironment;

/// The values of all ground fluents of some kinds, such as a state or an action: `tables[pvariable][row]`, where the
/// row is the number of the ground fluent in [`Instance`]. Pvariables of other kinds have no rows.
/// [`RddlOracle::initial`], [`RddlOracle::no_action`] and [`RddlOracle::step`] return tables.
pub type Tables = Vec<Vec<Value>>;

/// A brute-force interpreter of an RDDL instance, as a reference for the engine in tests. It evaluates every formula
/// for every binding, so it is slow. [`new`](Self::new) creates it, and [`step`](Self::step) takes a step.
pub struct RddlOracle {
    pub(super) instance: Instance,
    pub(super) sites: Sites,
    pub(super) constants: Tables,
}

/// The results of a step, returned by [`RddlOracle::step`].
#[derive(Clone, PartialEq, Debug)]
pub struct RddlStep {
    /// The values of the intermediate and derived fluents.
    pub interm: Tables,
    /// The values of the state fluents after the step, which is the state for the next one.
    pub next: Tables,
    /// The values of the observ fluents.
    pub observ: Tables,
    /// The reward of the step. It may be infinite or NaN.
    pub reward: f64,
    /// The indices of the domain's termination conditions that hold in the next state, from 0; empty if the episode
    /// continues.
    pub terminations: Vec<usize>,
    /// The indices of the domain's invariants that the next state violates, from 0; empty if it is sound.
    pub violated_invariants: Vec<usize>,
}

impl RddlOracle {
    /// Creates the interpreter of `instance`. Call [`initial`](Self::initial) and [`step`](Self::step) next.
    #[must_use]
    pub fn new(instance: Instance) -> Self {
        let constants = tables(&instance, PvariableKind::NonFluent, |id| instance.values(id));
        let sites = Sites::new(&instance);
        Self {
            instance,
            sites,
            constants,
        }
    }

    /// Returns the instance that is interpreted.
    #[must_use]
    pub const fn instance(&self) -> &Instance {
        &self.instance
    }

    /// Returns the initial values of the state fluents, for [`step`](Self::step).
    #[must_use]
    pub fn initial(&self) -> Tables {
        tables(&self.instance, PvariableKind::State, |id| {
            self.instance.values(id)
        })
    }

    /// Returns the action in which all action fluents have their default values. Change its rows to make another action
    /// for [`step`](Self::step).
    #[must_use]
    pub fn no_action(&self) -> Tables {
        tables(&self.instance, PvariableKind::Action, |id| {
            let default = self.instance.domain.pvariable(id).default_value();
            vec![default; self.instance.count(id) as usize]
        })
    }

    /// Computes the step from `state` by `action`, with the random numbers of `draws`. `draws` gives a uniform number
    /// per site, such as a `RandomGenerator` of `herbrand-distributions`. Preconditions are not checked. Termination
    /// conditions are not checked either: a step from a terminal state is computed too.
    ///
    /// # Errors
    /// Fails if an expression that is needed for a fluent, the reward, a termination condition or an invariant has no
    /// value.
    ///
    /// # Panics
    /// Panics if a table of `state` or `action` lacks a row that is read.
    pub fn step(
        &self,
        state: &Tables,
        action: &Tables,
        draws: &impl Draws,
    ) -> Result<RddlStep, RddlEvaluationError> {
        self.step_under(state, action, &Drawn(draws))
    }

    fn step_under(
        &self,
        state: &Tables,
        action: &Tables,
        chance: &impl Chance,
    ) -> Result<RddlStep, RddlEvaluationError> {
        let world = StepEnvironment::new(self, state, action, chance);
        let computed = |wanted: &[PvariableKind]| -> Result<Tables, RddlEvaluationError> {
            let all = self.instance.domain.pvariables.iter().enumerate();
            all.map(|(index, one)| {
                if wanted.contains(&one.kind) {
                    world.table(PvariableId::from_index(index))
                } else {
                    Ok(Vec::new())
                }
            })
            .collect()
        };
        let next = computed(&[PvariableKind::State])?;
        let interm = computed(&[PvariableKind::Interm, PvariableKind::Derived])?;
        let observ = computed(&[PvariableKind::Observ])?;
        let reward = number(world.formula(&self.instance.domain.reward, &[])?);
        let terminations = self.holding(&self.instance.domain.terminations, &next, true)?;
        let violated_invariants = self.holding(&self.instance.domain.invariants, &next, false)?;
        Ok(RddlStep {
            interm,
            next,
            observ,
            reward,
            terminations,
            violated_invariants,
        })
    }

    /// Returns the indices of the conditions that have the given truth value in a state.
    fn holding(
        &self,
        conditions: &[Condition],
        state: &Tables,
        truth: bool,
    ) -> Result<Vec<usize>, RddlEvaluationError> {
        self.conditions(conditions, state, &self.no_action(), truth)
    }

    /// Returns the indices of the domain's preconditions that the action violates in the state. Indices start at 0; the
    /// list is empty if the action is permitted. [`violated_constraints`](Self::violated_constraints) checks the
    /// state-action constraints.
    ///
    /// # Errors
    /// Fails if an expression that is needed has no value.
    ///
    /// # Panics
    /// Panics like [`step`](Self::step).
    pub fn violated_preconditions(
        &self,
        state: &Tables,
        action: &Tables,
    ) -> Result<Vec<usize>, RddlEvaluationError> {
        self.conditions(&self.instance.domain.preconditions, state, action, false)
    }

    /// Returns the indices of the domain's state-action constraints that the action violates in the state. Indices
    /// start at 0; the list is empty if the action is permitted.
    ///
    /// # Errors
    /// Fails if an expression that is needed has no value.
    ///
    /// # Panics
    /// Panics like [`step`](Self::step).
    pub fn violated_constraints(
        &self,
        state: &Tables,
        action: &Tables,
    ) -> Result<Vec<usize>, RddlEvaluationError> {
        self.conditions(&self.instance.domain.constraints, state, action, false)
    }

    /// Returns the indices of the domain's termination conditions that hold in the state. Indices start at 0; the list
    /// is empty if the episode continues.
    ///
    /// # Errors
    /// Fails if an expression that is needed has no value.
    ///
    /// # Panics
    /// Panics like [`step`](Self::step).
    pub fn terminations(&self, state: &Tables) -> Result<Vec<usize>, RddlEvaluationError> {
        self.holding(&self.instance.domain.terminations, state, true)
    }

    fn conditions(
        &self,
        conditions: &[Condition],
        state: &Tables,
        action: &Tables,
        truth: bool,
    ) -> Result<Vec<usize>, RddlEvaluationError> {
        // Conditions contain no draws.
        let draws = Quantiles::at(0.5);
        let chance = Drawn(&draws);
        let world = StepEnvironment::new(self, state, action, &chance);
        let mut found = Vec::new();
        for (position, condition) in conditions.iter().enumerate() {
            if world.holds(condition)? == truth {
                found.push(position);
            }
        }
        Ok(found)
    }

    /// Returns, for each boolean state fluent, the exact probability that it is true after the step, by pvariable and
    /// row like [`Tables`]. The entries of other state fluents are 0. Pvariables that are no state fluents have an
    /// empty list. The time grows with the product of the numbers of outcomes.
    ///
    /// # Errors
    /// Fails if an expression that is needed has no value, or a draw has infinitely many outcomes.
    ///
    /// # Panics
    /// Panics like [`step`](Self::step).
    pub fn chances(&self, state: &Tables, action: &Tables) -> Result<Vec<Vec<f64>>, RddlEvaluationError> {
        let all = self.instance.domain.pvariables.iter().enumerate();
        all.map(|(index, one)| {
            if one.kind != PvariableKind::State {
                return Ok(Vec::new());
            }
            let id = PvariableId::from_index(index);
            (0..self.instance.count(id))
                .map(|number| self.chance(state, action, id, number))
                .collect()
        })
        .collect()
    }

    /// Returns all results of a step with their probabilities, by trying every combination of outcomes of its draws. The
    /// same result may occur several times. The probabilities sum to 1. `None` if there are more than `limit`
    /// combinations.
    ///
    /// # Errors
    /// Fails like [`step`](Self::step), or if a draw has infinitely many outcomes.
    pub fn outcomes(
        &self,
        state: &Tables,
        action: &Tables,
        limit: usize,
    ) -> Result<Option<Vec<(RddlStep, f64)>>, RddlEvaluationError> {
        let outcomes = Outcomes::default();
        let mut steps = Vec::new();
        while steps.len() < limit {
            let step = self.step_under(state, action, &outcomes)?;
            steps.push((step, outcomes.probability()));
            if !outcomes.next() {
                return Ok(Some(steps));
            }
        }
        Ok(None)
    }

    /// Returns the probability of one ground state fluent to be true after the step.
    fn chance(
        &self,
        state: &Tables,
        action: &Tables,
        id: PvariableId,
        number: u64,
    ) -> Result<f64, RddlEvaluationError> {
        let outcomes = Outcomes::default();
        let mut chance = 0.0;
        loop {
            let value = self.under(&outcomes, state, action, id, number)?;
            if value == Value::Bool(true) {
                chance += outcomes.probability();
            }
            if !outcomes.next() {
                return Ok(chance);
            }
        }
    }

    fn under(
        &self,
        chance: &impl Chance,
        state: &Tables,
        action: &Tables,
        id: PvariableId,
        number: u64,
    ) -> Result<Value, RddlEvaluationError> {
        StepEnvironment::new(self, state, action, chance).value(id, Time::Next, number)
    }
}

/// Returns the values of all pvariables of one kind.
fn tables(instance: &Instance, kind: PvariableKind, values: impl Fn(PvariableId) -> Vec<Value>) -> Tables {
    let all = instance.domain.pvariables.iter().enumerate();
    all.map(|(index, one)| {
        if one.kind == kind {
            values(PvariableId::from_index(index))
        } else {
            Vec::new()
        }
    })
    .collect()
}
