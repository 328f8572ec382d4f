//! Observations that are not arrays: graphs, and sets of tuples. Valid actions as arrays.

use herbrand_env::{ActionArrays, InstanceLearningGraph};
use herbrand_tasks::any::{StateView, TrueAtoms};
use numpy::{PyArray1, PyArray2, PyArrayMethods, ToPyArray};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyFrozenSet, PyTuple};

/// A cache of the tuples of numbered atoms, by problem. Each tuple is created on first use.
pub struct Tuples(Vec<PyOnceLock<Vec<PyOnceLock<Py<PyTuple>>>>>);

impl Tuples {
    /// Creates an empty cache for this number of problems.
    pub fn new(problems: usize) -> Self {
        Self((0..problems).map(|_| PyOnceLock::new()).collect())
    }

    fn get<'py>(
        &self,
        py: Python<'py>,
        problem: usize,
        held: TrueAtoms,
    ) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let (count, held, name) = match held {
            TrueAtoms::Names(names) => return names.iter().map(|words| PyTuple::new(py, words)).collect(),
            TrueAtoms::Numbers { count, held, name } => (count, held, name),
        };
        let known = self.0[problem].get_or_init(py, || (0..count).map(|_| PyOnceLock::new()).collect());
        let tuple = |id: u32| {
            let made = known[id as usize]
                .get_or_try_init(py, || Ok::<_, PyErr>(PyTuple::new(py, name(id))?.unbind()))?;
            Ok(made.bind(py).clone())
        };
        held.into_iter().map(tuple).collect()
    }
}

/// Converts an observation to Gymnasium's `GraphInstance` (node labels, with values if nodes have some, argument positions of
/// the edges, and both ends of the edges), or to a frozenset of tuples of strings.
pub fn write<'py>(py: Python<'py>, view: StateView, tuples: &Tuples) -> PyResult<Bound<'py, PyAny>> {
    match view {
        StateView::Graph { graph, is_numeric } => write_graph(py, &graph, is_numeric),
        StateView::Atoms { problem, held } => {
            Ok(PyFrozenSet::new(py, tuples.get(py, problem, held)?)?.into_any())
        }
    }
}

fn write_graph<'py>(
    py: Python<'py>,
    graph: &InstanceLearningGraph,
    is_numeric: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let wide = |numbers: &[u32]| {
        numbers
            .iter()
            .map(|&number| i64::from(number))
            .collect::<Vec<_>>()
    };
    let ends = graph.sources.iter().zip(&graph.targets);
    let links: Vec<i32> = ends
        .flat_map(|(&atom, &object)| [atom, object].map(|node| node as i32))
        .collect();
    let links: Bound<'py, PyArray2<i32>> = links.to_pyarray(py).reshape([graph.positions.len(), 2])?;
    let class = py.import("gymnasium.spaces")?.getattr("GraphInstance")?;
    let positions = wide(&graph.positions).to_pyarray(py);
    if !is_numeric {
        return class.call1((wide(&graph.labels).to_pyarray(py), positions, links));
    }
    let nodes = graph.labels.iter().zip(&graph.values);
    let nodes: Vec<f64> = nodes
        .flat_map(|(&label, &value)| [f64::from(label), value])
        .collect();
    let nodes: Bound<'py, PyArray2<f64>> = nodes.to_pyarray(py).reshape([graph.labels.len(), 2])?;
    class.call1((nodes, positions, links))
}

/// Converts graphs to a `herbrand.graphs.GraphBatch`.
pub fn write_graphs<'py>(py: Python<'py>, graphs: &[InstanceLearningGraph]) -> PyResult<Bound<'py, PyAny>> {
    let (mut labels, mut values, mut starts) = (Vec::new(), Vec::new(), Vec::new());
    let (mut owners, mut edges, mut links) = (Vec::new(), Vec::new(), Vec::new());
    for (number, graph) in (0_i64..).zip(graphs) {
        let first = labels.len() as i64;
        starts.push(first);
        labels.extend(graph.labels.iter().map(|&label| i64::from(label)));
        values.extend_from_slice(&graph.values);
        owners.resize(labels.len(), number);
        edges.extend(graph.positions.iter().map(|&position| i64::from(position)));
        let ends = graph.sources.iter().zip(&graph.targets);
        links.extend(ends.flat_map(|(&atom, &object)| [atom, object].map(|node| first + i64::from(node))));
    }
    let links = PyArray1::from_vec(py, links).reshape([edges.len(), 2])?;
    let class = py.import("herbrand.graphs")?.getattr("GraphBatch")?;
    let [labels, edges, owners, starts] =
        [labels, edges, owners, starts].map(|list| PyArray1::from_vec(py, list));
    class.call1((
        labels,
        PyArray1::from_vec(py, values),
        edges,
        links,
        owners,
        starts,
    ))
}

/// Converts valid actions to `herbrand.graphs.ActionArrays`. The arrays take over the memory of the lists.
pub fn write_actions<'py>(py: Python<'py>, actions: ActionArrays) -> PyResult<Bound<'py, PyAny>> {
    let ActionArrays {
        ids,
        schemas,
        arguments,
        offsets,
        rows,
    } = actions;
    let arrays = [schemas, arguments, offsets, ids, rows].map(|list| PyArray1::from_vec(py, list));
    let class = py.import("herbrand.graphs")?.getattr("ActionArrays")?;
    class.call1(PyTuple::new(py, arrays)?)
}
