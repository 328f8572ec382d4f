//! Joint actions and steps of an RDDL task.

use herbrand_core::{ActionCount, Status, System as _};
use herbrand_distributions::Quantiles;
use herbrand_rddl_sim::ground::{ExactStep, StepOutcome};
use herbrand_rddl_sim::simulate::{Preconditions, RddlSimulator};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::RddlTask;
use crate::errors::{IntoException as _, OrRaise, guarded, poisoned};
use crate::random::Random;
use crate::rddl::state::RddlState;
use crate::rddl::values::{joint, place, to_dict, to_python};

/// The result of a step: the state, the reward, whether a termination condition is true, whether a state invariant is
/// violated, the indices of the violated preconditions, the values of intermediate and derived fluents, and the values of
/// observ fluents.
type Stepped<'py> = (
    Py<RddlState>,
    f64,
    bool,
    bool,
    Vec<usize>,
    Bound<'py, PyDict>,
    Bound<'py, PyDict>,
);

/// A possible result of a step: the probability, the state, the reward, and the values of observ fluents.
type Outcome<'py> = (f64, Py<RddlState>, f64, Bound<'py, PyDict>);

impl RddlTask {
    fn exact(&self, py: Python<'_>) -> PyResult<&ExactStep> {
        let made = guarded(py, || {
            self.exact.get_or_init(|| ExactStep::new(&self.compiled.instance))
        })?;
        made.as_ref().map_err(|error| error.exception(py))
    }

    /// Takes a step; returns a simulator after it, the reward and the status.
    fn advanced(
        &self,
        state: &Bound<'_, RddlState>,
        action: Option<&Bound<'_, PyAny>>,
        rng: Option<&Bound<'_, Random>>,
        quantile: Option<f64>,
    ) -> PyResult<(RddlSimulator, f64, Status)> {
        let (py, values) = (state.py(), self.own(state)?);
        let joint = joint(&self.compiled, &self.actions, action)?;
        if quantile.is_some_and(|u| !(0.0..=1.0).contains(&u) || u == 0.0 || u == 1.0) {
            return Err(PyValueError::new_err("a quantile is between 0 and 1"));
        }
        // Uses a copy of the simulator, since reading its results creates Python objects.
        let mut simulator = {
            let simulator = self.simulator.lock().map_err(|_| poisoned())?;
            simulator.clone()
        };
        simulator.go_to(values).or_raise(py)?;
        let step = match quantile {
            Some(u) => simulator.advance(&joint, &Quantiles::at(u)),
            None => self.with_random(rng, |random| simulator.step(&joint, random))?,
        };
        let step = step.or_raise(py)?;
        Ok((simulator, step.reward, step.status))
    }

    /// Builds the result of a step from the simulator after the step.
    fn told<'py>(
        slf: &Bound<'py, Self>,
        simulator: &RddlSimulator,
        reward: f64,
        status: Status,
    ) -> PyResult<Stepped<'py>> {
        let (py, this) = (slf.py(), slf.get());
        let compiled = this.compiled();
        let interm = to_dict(py, compiled, &compiled.interm, &this.interm_names, |at| {
            simulator.interm(at)
        })?;
        let observed = to_dict(py, compiled, &compiled.observ, &this.observ_names, |at| {
            simulator.observed(at)
        })?;
        Ok((
            Self::wrap(slf, simulator.values().clone())?,
            reward,
            status.terminal,
            status.broken,
            simulator.violated().collect(),
            interm,
            observed,
        ))
    }
}

#[pymethods]
impl RddlTask {
    /// Draws a joint action uniformly from the valid ones: a dict of the fluents that differ from their defaults. Returns
    /// None if no joint action is valid and preconditions refuse steps.
    #[pyo3(signature = (state, rng = None))]
    fn sample_action<'py>(
        &self,
        state: &Bound<'py, RddlState>,
        rng: Option<&Bound<'py, Random>>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let (py, values) = (state.py(), self.own(state)?);
        let mut joint = Vec::new();
        let found = self.with_random(rng, |random| {
            self.at(py, values, |simulator| simulator.sample(random, &mut joint))
        })??;
        if !found {
            return Ok(None);
        }
        self.action_dict(py, &joint).map(Some)
    }

    /// Whether random joint actions are drawn exactly uniformly from the valid ones. If not, they are drawn within bounds
    /// until one is valid, or by a Markov chain where valid ones are rare.
    #[getter]
    fn samples_exactly(&self) -> bool {
        self.compiled().samples_exactly()
    }

    /// Returns the number of joint actions that are valid in a state, including the empty one. Valid actions have values
    /// within ranges, respect ``max_nondef_actions``, and violate no precondition. Returns infinity if a fluent can take
    /// infinitely many values, and None if there are too many to count.
    fn count_actions(&self, state: &Bound<'_, RddlState>) -> PyResult<Option<f64>> {
        let values = self.own(state)?;
        let count = self.at(state.py(), values, |simulator| simulator.count_valid())?;
        Ok(match count {
            ActionCount::Finite(count) => Some(count),
            ActionCount::Infinite => Some(f64::INFINITY),
            ActionCount::Unknown => None,
        })
    }

    /// Returns the joint actions that are valid in a state: for each, a dict of the fluents that differ from their defaults.
    /// Returns None if there are more than `limit`, or `count_actions` does not know their number.
    #[pyo3(signature = (state, limit = 10_000))]
    fn valid_actions<'py>(
        &self,
        state: &Bound<'py, RddlState>,
        limit: usize,
    ) -> PyResult<Option<Vec<Bound<'py, PyDict>>>> {
        let (py, values) = (state.py(), self.own(state)?);
        let list = self.at(py, values, |simulator| simulator.list_valid(limit))?;
        list.map(|list| list.iter().map(|joint| self.action_dict(py, joint)).collect())
            .transpose()
    }

    /// Returns whether an action is valid in a state, as counted by `count_actions`: whether it sets at most
    /// ``max_nondef_actions`` fluents, each to a value in its range, and violates no precondition unless they are ignored.
    ///
    /// Raises
    /// ------
    /// StepError
    ///     If a condition cannot be computed.
    /// UnknownNameError
    ///     If there is no such action fluent.
    #[pyo3(signature = (state, action = None))]
    fn is_valid(&self, state: &Bound<'_, RddlState>, action: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
        let (py, values) = (state.py(), self.own(state)?);
        let joint = joint(&self.compiled, &self.actions, action)?;
        let is_ignored = self.suite.get().suite.preconditions() == Preconditions::Ignored;
        let valid = self.at(py, values, |simulator| {
            let is_accepted = simulator.is_valid(&joint);
            if !is_accepted || is_ignored {
                return Ok(is_accepted);
            }
            simulator
                .would_violate(&joint)
                .map(|violated| violated.is_empty())
        })?;
        valid.or_raise(py)
    }

    /// Returns the indices, from 0, of the action preconditions that an action would violate; empty if it
    /// violates none. Indices of state-action constraints follow those of preconditions. Nothing is changed.
    ///
    /// Raises
    /// ------
    /// InvalidActionError
    ///     If the action sets too many fluents, or a value is not in the range of its fluent.
    /// StepError
    ///     If a condition cannot be computed.
    /// UnknownNameError
    ///     If there is no such action fluent.
    #[pyo3(signature = (state, action = None))]
    fn violated(
        &self,
        state: &Bound<'_, RddlState>,
        action: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<usize>> {
        let (py, values) = (state.py(), self.own(state)?);
        let joint = joint(&self.compiled, &self.actions, action)?;
        self.at(py, values, |simulator| simulator.would_violate(&joint))?
            .or_raise(py)
    }

    /// Returns whether a termination condition is true in a state, and whether the state violates a state
    /// invariant: two bools. If a condition cannot be computed, both are False.
    fn status(&self, state: &Bound<'_, RddlState>) -> PyResult<(bool, bool)> {
        let values = self.own(state)?;
        let status = self.at(state.py(), values, |simulator| simulator.current_status())?;
        Ok((status.terminal, status.broken))
    }

    /// Takes a step and returns a `herbrand.rddl.model.RddlStep`.
    ///
    /// Random draws come from `rng`, by default the task's own generator. If `quantile`, between 0 and 1, is given, every
    /// draw takes that quantile of its distribution.
    ///
    /// Raises
    /// ------
    /// InvalidActionError
    ///     If the action sets too many fluents, or violates a precondition and preconditions refuse steps.
    /// StepError
    ///     If a value cannot be computed.
    #[pyo3(signature = (state, action = None, rng = None, quantile = None))]
    fn step<'py>(
        slf: &Bound<'py, Self>,
        state: &Bound<'py, RddlState>,
        action: Option<&Bound<'py, PyAny>>,
        rng: Option<&Bound<'py, Random>>,
        quantile: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let class = slf.py().import("herbrand.rddl.model")?.getattr("RddlStep")?;
        class.call1(Self::_step(slf, state, action, rng, quantile)?)
    }

    /// Like `step`, but returns a plain tuple.
    #[pyo3(signature = (state, action = None, rng = None, quantile = None))]
    fn _step<'py>(
        slf: &Bound<'py, Self>,
        state: &Bound<'py, RddlState>,
        action: Option<&Bound<'py, PyAny>>,
        rng: Option<&Bound<'py, Random>>,
        quantile: Option<f64>,
    ) -> PyResult<Stepped<'py>> {
        let (simulator, reward, status) = slf.get().advanced(state, action, rng, quantile)?;
        Self::told(slf, &simulator, reward, status)
    }

    /// Draws a successor; returns a pair (state, reward). `step` returns more.
    ///
    /// Raises
    /// ------
    /// InvalidActionError, StepError
    ///     As by `step`.
    #[pyo3(signature = (state, action = None, rng = None))]
    fn sample<'py>(
        slf: &Bound<'py, Self>,
        state: &Bound<'py, RddlState>,
        action: Option<&Bound<'py, PyAny>>,
        rng: Option<&Bound<'py, Random>>,
    ) -> PyResult<(Py<RddlState>, f64)> {
        let (simulator, reward, _) = slf.get().advanced(state, action, rng, None)?;
        Ok((Self::wrap(slf, simulator.values().clone())?, reward))
    }

    /// Returns the exact distribution of a ground state fluent after a step: pairs of value and probability.
    ///
    /// Raises
    /// ------
    /// StepError
    ///     If the fluent depends on a draw with infinitely many results.
    #[pyo3(signature = (state, action, fluent))]
    fn distribution<'py>(
        &self,
        state: &Bound<'py, RddlState>,
        action: Option<&Bound<'py, PyAny>>,
        fluent: &str,
    ) -> PyResult<Vec<(Bound<'py, PyAny>, f64)>> {
        let (py, values) = (state.py(), self.own(state)?);
        let joint = joint(&self.compiled, &self.actions, action)?;
        let at = place(py, &self.states, fluent, "state fluent")?;
        let exact = self.exact(py)?;
        let found = guarded(py, || exact.distribution(values, &joint, at))?.or_raise(py)?;
        let compiled = self.compiled();
        let range = compiled.range(&compiled.state, at);
        found
            .into_iter()
            .map(|(value, probability)| Ok((to_python(py, &compiled.instance, range, value)?, probability)))
            .collect()
    }

    /// Returns all possible results of a step: tuples of probability, state, reward, and the values of observ fluents. It
    /// tries at most `limit` combinations of draws.
    ///
    /// Raises
    /// ------
    /// StepError
    ///     If a draw has infinitely many results, or if there are more combinations.
    #[pyo3(signature = (state, action = None, *, limit = 100_000))]
    fn outcomes<'py>(
        slf: &Bound<'py, Self>,
        state: &Bound<'py, RddlState>,
        action: Option<&Bound<'py, PyAny>>,
        limit: usize,
    ) -> PyResult<Vec<Outcome<'py>>> {
        let (py, this) = (slf.py(), slf.get());
        let values = this.own(state)?;
        let joint = joint(&this.compiled, &this.actions, action)?;
        let exact = this.exact(py)?;
        let found = guarded(py, || exact.outcomes(values, &joint, limit))?.or_raise(py)?;
        let compiled = this.compiled();
        let told = |outcome: StepOutcome| {
            let seen = |at: usize| outcome.observed.get(at).copied();
            let observed = to_dict(py, compiled, &compiled.observ, &this.observ_names, seen)?;
            Ok((
                outcome.probability,
                Self::wrap(slf, outcome.state)?,
                outcome.reward,
                observed,
            ))
        };
        found.into_iter().map(told).collect()
    }
}
