//! `RelaxedStep`: differentiable steps.

use std::sync::Mutex;

use herbrand_distributions::RandomGenerator;
use herbrand_rddl_plan::gradient::{Relaxation, RelaxedStep as Step};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2, ndarray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::relaxation::relaxed;
use crate::choice::{parsed, value_error};
use crate::errors::{guarded, poisoned};
use crate::rddl::task::RddlTask;

/// A differentiable relaxation of a step for several lanes, for networks in PyTorch and similar libraries. Bools are
/// numbers between 0 and 1.
///
/// Parameters
/// ----------
/// task : RddlTask
/// lanes : int
///     The number of steps computed in parallel.
/// sharpness : float
///     The sharpness of the relaxation: the greater, the closer relaxed steps are to real ones.
#[pyclass(frozen, module = "herbrand")]
pub struct RelaxedStep {
    task: Py<RddlTask>,
    lanes: usize,
    inner: Mutex<Step>,
}

type Rows<'py> = Bound<'py, PyArray2<f64>>;

impl RelaxedStep {
    /// Reads the rows of an array with one row per lane.
    fn rows(&self, array: &PyReadonlyArray2<'_, f64>, fluents: usize, what: &str) -> PyResult<Vec<f64>> {
        let array = array.as_array();
        if array.dim() != (self.lanes, fluents) {
            let text = format!(
                "{what} has the shape ({}, {fluents}), not {:?}",
                self.lanes,
                array.shape()
            );
            return Err(PyValueError::new_err(text));
        }
        Ok(array.t().iter().copied().collect())
    }

    fn row(&self, array: &PyReadonlyArray1<'_, f64>, what: &str) -> PyResult<Vec<f64>> {
        let array = array.as_array();
        if array.len() != self.lanes {
            let text = format!("{what} has the length {}, not {}", self.lanes, array.len());
            return Err(PyValueError::new_err(text));
        }
        Ok(array.iter().copied().collect())
    }

    /// Returns an array with one row per lane.
    fn array<'py>(&self, py: Python<'py>, rows: &[f64]) -> PyResult<Rows<'py>> {
        let fluents = rows.len() / self.lanes;
        let view = ndarray::ArrayView2::from_shape((fluents, self.lanes), rows);
        let view = view.map_err(value_error)?;
        Ok(PyArray2::from_owned_array(
            py,
            view.t().as_standard_layout().into_owned(),
        ))
    }

    fn draws(&self, seed: u64, step: u64) -> Vec<RandomGenerator> {
        (0..self.lanes as u64)
            .map(|lane| RandomGenerator::keyed(seed, lane, step))
            .collect()
    }

    fn with<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Step) -> T + Send) -> PyResult<T> {
        let done = guarded(py, || self.inner.lock().ok().map(|mut inner| work(&mut inner)))?;
        done.ok_or_else(poisoned)
    }

    fn sizes(&self) -> (usize, usize) {
        let compiled = self.task.get().compiled();
        (compiled.state.len(), compiled.actions().fields().len())
    }
}

#[pymethods]
impl RelaxedStep {
    #[new]
    #[pyo3(signature = (task, lanes, *, sharpness = 10.0, t_norm = "product"))]
    fn new(py: Python<'_>, task: Py<RddlTask>, lanes: usize, sharpness: f64, t_norm: &str) -> PyResult<Self> {
        if lanes == 0 {
            return Err(PyValueError::new_err("the number of lanes must be at least 1"));
        }
        let relaxed = relaxed(py, task.get(), &Relaxation::new(parsed(t_norm)?))?;
        Ok(Self {
            inner: Mutex::new(Step::new(relaxed, lanes, sharpness)),
            task,
            lanes,
        })
    }

    /// The task.
    #[getter]
    fn task(&self, py: Python<'_>) -> Py<RddlTask> {
        self.task.clone_ref(py)
    }

    /// The number of steps computed in parallel.
    #[getter]
    fn lanes(&self) -> usize {
        self.lanes
    }

    /// The names of the columns of state arrays.
    #[getter]
    fn state_names(&self) -> Vec<String> {
        let compiled = self.task.get().compiled();
        (0..compiled.state.len())
            .map(|at| compiled.name(&compiled.state, at))
            .collect()
    }

    /// The names of the columns of action arrays.
    #[getter]
    fn action_names(&self) -> Vec<String> {
        let compiled = self.task.get().compiled();
        (0..compiled.action.len())
            .map(|at| compiled.name(&compiled.action, at))
            .collect()
    }

    /// Returns the initial state in every lane.
    fn initial<'py>(&self, py: Python<'py>) -> PyResult<Rows<'py>> {
        let compiled = self.task.get().compiled();
        let (section, initial) = (compiled.state.section(), compiled.initial());
        let values = (0..section.len()).flat_map(|at| {
            let value = section.get(initial, at).number();
            std::iter::repeat_n(value, self.lanes)
        });
        self.array(py, &values.collect::<Vec<_>>())
    }

    /// Takes a step in every lane, with the random draws of step number `step` of the environments of a seed. Returns
    /// the next states, the rewards, and for each lane the degree from 0 to 1 to which it has terminated. Arrays of
    /// states and actions have one row per lane and one column per fluent.
    #[pyo3(signature = (states, actions, *, seed = 0, step = 0))]
    #[expect(clippy::type_complexity, reason = "three arrays")]
    fn forward<'py>(
        &self,
        py: Python<'py>,
        states: PyReadonlyArray2<'py, f64>,
        actions: PyReadonlyArray2<'py, f64>,
        seed: u64,
        step: u64,
    ) -> PyResult<(Rows<'py>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>)> {
        let (count, fields) = self.sizes();
        let (states, actions) = (
            self.rows(&states, count, "states")?,
            self.rows(&actions, fields, "actions")?,
        );
        let draws = self.draws(seed, step);
        let (next, rewards, ends) = self.with(py, |inner| inner.forward(&states, &actions, &draws))?;
        Ok((
            self.array(py, &next)?,
            PyArray1::from_vec(py, rewards),
            PyArray1::from_vec(py, ends),
        ))
    }

    /// Returns the gradients with respect to states and actions, given the gradients with respect to the three results
    /// of `forward`.
    #[pyo3(signature = (states, actions, by_next, by_rewards, by_ends, *, seed = 0, step = 0))]
    #[expect(clippy::too_many_arguments, reason = "what forward takes, and what it gave")]
    fn backward<'py>(
        &self,
        py: Python<'py>,
        states: PyReadonlyArray2<'py, f64>,
        actions: PyReadonlyArray2<'py, f64>,
        by_next: PyReadonlyArray2<'py, f64>,
        by_rewards: PyReadonlyArray1<'py, f64>,
        by_ends: PyReadonlyArray1<'py, f64>,
        seed: u64,
        step: u64,
    ) -> PyResult<(Rows<'py>, Rows<'py>)> {
        let (count, fields) = self.sizes();
        let (states, actions) = (
            self.rows(&states, count, "states")?,
            self.rows(&actions, fields, "actions")?,
        );
        let by_next = self.rows(&by_next, count, "by_next")?;
        let (by_rewards, by_ends) = (
            self.row(&by_rewards, "by_rewards")?,
            self.row(&by_ends, "by_ends")?,
        );
        let draws = self.draws(seed, step);
        let (by_states, by_actions) = self.with(py, |inner| {
            inner.backward(&states, &actions, &draws, &by_next, &by_rewards, &by_ends)
        })?;
        Ok((self.array(py, &by_states)?, self.array(py, &by_actions)?))
    }
}
