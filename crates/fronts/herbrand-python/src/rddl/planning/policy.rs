//! `RddlPolicy`: policy networks.

use herbrand_rddl_plan::gradient::{ReactivePolicy, Relaxation};
use herbrand_rddl_plan::plan::PlanOptions;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::relaxation::relaxed;
use super::seconds;
use crate::choice::parsed;
use crate::errors::{OrRaise, interruptible};
use crate::rddl::state::RddlState;
use crate::rddl::task::RddlTask;

/// A policy network from state fluents to action fluents, trained by gradient ascent on the return over relaxed steps.
/// Training keeps the weights with the best return over real steps.
///
/// Parameters
/// ----------
/// task : RddlTask
/// hidden : sequence of int
///     The sizes of the hidden layers.
/// lookahead : int, optional
///     The number of steps that are differentiated; by default the horizon, or 100 if that is infinite.
/// batch : int
///     The number of rollouts per gradient.
/// iterations : int
///     The number of gradient steps.
/// time : float, optional
///     The time in seconds after which no further gradient step starts.
/// rate : float
///     The step size.
/// sharpness : float
///     The sharpness of the relaxation: the greater, the closer relaxed steps are to real ones.
/// risk : str
///     The objective over the returns of a batch, as of `RddlPlanner`.
/// t_norm : {"product", "godel", "lukasiewicz"}
///     The conjunction of truth degrees in relaxed steps.
/// seed : int
#[pyclass(frozen, module = "herbrand")]
pub struct RddlPolicy {
    task: Py<RddlTask>,
    inner: ReactivePolicy,
}

#[pymethods]
impl RddlPolicy {
    #[new]
    #[pyo3(signature = (task, *, hidden = vec![32, 32], lookahead = None, batch = 16, iterations = 300, time = None, rate = 0.01, sharpness = 10.0, risk = "mean", t_norm = "product", seed = 0))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn new(
        py: Python<'_>,
        task: Py<RddlTask>,
        hidden: Vec<usize>,
        lookahead: Option<u32>,
        batch: usize,
        iterations: u32,
        time: Option<f64>,
        rate: f64,
        sharpness: f64,
        risk: &str,
        t_norm: &str,
        seed: u64,
    ) -> PyResult<Self> {
        let options = PlanOptions {
            lookahead,
            scenarios: Some(batch),
            iterations: Some(iterations),
            time: seconds(time)?,
            rate: Some(rate),
            sharpness: Some(sharpness),
            risk: parsed(risk)?,
            seed,
            ..PlanOptions::default()
        };
        let relaxed = relaxed(py, task.get(), &Relaxation::new(parsed(t_norm)?))?;
        let inner = interruptible(py, || ReactivePolicy::train(&relaxed, &hidden, &options))?.or_raise(py)?;
        Ok(Self { task, inner })
    }

    /// The task.
    #[getter]
    fn task(&self, py: Python<'_>) -> Py<RddlTask> {
        self.task.clone_ref(py)
    }

    /// The sizes of the layers, inputs first.
    #[getter]
    fn sizes(&self) -> Vec<usize> {
        self.inner.network().sizes().to_vec()
    }

    /// All weights, layer by layer: for each output the weights of all inputs, then the biases of the outputs.
    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.inner.network().weights())
    }

    /// Returns the action in a state: the fluents that differ from their defaults.
    fn act<'py>(&self, state: &Bound<'py, RddlState>) -> PyResult<Bound<'py, PyDict>> {
        let (py, task) = (state.py(), self.task.get());
        let joint = self.inner.act(task.own(state)?).or_raise(py)?;
        task.action_dict(py, &joint)
    }

    /// Returns the mean discounted return of episodes from the initial state, and its standard error.
    #[pyo3(signature = (episodes = 100, *, steps = None, seed = 0))]
    fn evaluate(&self, py: Python<'_>, episodes: u32, steps: Option<u32>, seed: u64) -> PyResult<(f64, f64)> {
        let steps = steps.unwrap_or_else(|| self.task.get().lookahead());
        interruptible(py, || self.inner.evaluate(steps, episodes, seed))?.or_raise(py)
    }
}
