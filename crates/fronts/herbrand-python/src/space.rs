//! State spaces as NumPy arrays.

use herbrand_core::{PackedRows, SpaceAnalysis, StateGraph};
use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Creates the `herbrand.state_space.StateSpace` of a task. The arrays take over the memory of their lists.
pub fn as_object<'py>(
    task: &Bound<'py, PyAny>,
    graph: StateGraph,
    analysis: SpaceAnalysis,
    rows: PackedRows,
    rounding: Option<String>,
    actions: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = task.py();
    let arrays = PyDict::new(py);
    let (len, choices, outcomes) = (graph.len(), graph.actions.len(), graph.targets.len());
    arrays.set_item("states", table(py, rows.bits, [len, rows.words])?)?;
    arrays.set_item("numbers", table(py, rows.numbers, [len, rows.columns])?)?;
    let (probabilities, starts): (Vec<f64>, Vec<u32>) = graph.starts.into_iter().unzip();
    arrays.set_item("starts", integers(py, starts)?)?;
    arrays.set_item("start_probabilities", PyArray1::from_vec(py, probabilities))?;
    arrays.set_item("expanded", graph.expanded)?;
    arrays.set_item("limit", graph.limit.map(|limit| limit.to_string()))?;
    arrays.set_item("rounding", rounding)?;
    arrays.set_item("goals", PyArray1::from_vec(py, graph.goals))?;
    arrays.set_item("first_choices", integers(py, graph.first_choices)?)?;
    arrays.set_item("actions", integers(py, graph.actions)?)?;
    let first_outcomes = if graph.first_outcomes.is_empty() {
        (0..=choices as u32).collect()
    } else {
        graph.first_outcomes
    };
    arrays.set_item("first_outcomes", integers(py, first_outcomes)?)?;
    arrays.set_item("targets", integers(py, graph.targets)?)?;
    arrays.set_item("probabilities", filled(py, graph.probabilities, outcomes))?;
    arrays.set_item("costs", filled(py, graph.costs, outcomes))?;
    arrays.set_item("start_steps", integers(py, analysis.start_steps)?)?;
    arrays.set_item("goal_steps", integers(py, analysis.goal_steps)?)?;
    let costs = Some(analysis.goal_costs).filter(|costs| costs.len() == len);
    arrays.set_item("goal_costs", costs.map(|costs| PyArray1::from_vec(py, costs)))?;
    arrays.set_item("dead_ends", PyArray1::from_vec(py, analysis.dead_ends))?;
    arrays.set_item("components", integers(py, analysis.components)?)?;
    let class = py
        .import("herbrand.state_space")?
        .getattr(intern!(py, "StateSpace"))?;
    class.call((task, actions), Some(&arrays))
}

/// Returns an array of int32 over the memory of a list.
fn integers(py: Python<'_>, list: Vec<u32>) -> PyResult<Bound<'_, PyAny>> {
    PyArray1::from_vec(py, list).call_method1(intern!(py, "view"), (intern!(py, "int32"),))
}

fn table<T: Element>(py: Python<'_>, list: Vec<T>, shape: [usize; 2]) -> PyResult<Bound<'_, PyAny>> {
    Ok(PyArray1::from_vec(py, list).reshape(shape)?.into_any())
}

/// Returns an array of a list that is empty if all its numbers are 1.
fn filled(py: Python<'_>, list: Vec<f64>, len: usize) -> Bound<'_, PyArray1<f64>> {
    PyArray1::from_vec(py, if list.is_empty() { vec![1.0; len] } else { list })
}
