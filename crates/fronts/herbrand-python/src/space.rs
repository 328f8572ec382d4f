//! State spaces as NumPy arrays.

use herbrand_core::{PackedRows, SpaceAnalysis, StateGraph};
use herbrand_tasks::space::{ArrayNumbers, SpaceArray, space_arrays};
use numpy::PyArray1;
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
    arrays.set_item("limit", graph.limit.map(|limit| limit.to_string()))?;
    arrays.set_item("rounding", rounding)?;
    for SpaceArray { name, shape, numbers } in space_arrays(graph, analysis, rows) {
        let array = match numbers {
            ArrayNumbers::Words(list) => PyArray1::from_vec(py, list).into_any(),
            ArrayNumbers::Doubles(list) => PyArray1::from_vec(py, list).into_any(),
            ArrayNumbers::Flags(list) => PyArray1::from_vec(py, list).into_any(),
            ArrayNumbers::Integers(list) if shape.is_empty() => list[0].into_pyobject(py)?.into_any(),
            ArrayNumbers::Integers(list) => {
                PyArray1::from_vec(py, list).call_method1(intern!(py, "view"), (intern!(py, "int32"),))?
            }
        };
        match shape[..] {
            [0] if name == "goal_costs" => arrays.set_item(name, py.None())?,
            [rows, columns] => arrays.set_item(name, array.call_method1("reshape", (rows, columns))?)?,
            _ => arrays.set_item(name, array)?,
        }
    }
    let class = py
        .import("herbrand.state_space")?
        .getattr(intern!(py, "StateSpace"))?;
    class.call((task, actions), Some(&arrays))
}
