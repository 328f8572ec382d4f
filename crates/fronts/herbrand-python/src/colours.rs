//! `WeisfeilerLeman`: features of graphs.

use std::sync::Mutex;

use bytemuck::cast_slice;
use herbrand_learn::{Colours, GraphError, GraphList};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::choice::value_error;
use crate::errors::poisoned;

/// The features of the Weisfeiler–Leman algorithm: how often each colour of the graphs that were learned from occurs in a graph.
///
/// In round 0, the colour of a node is its label. Each round gives it a new colour for its colour before and the colours of its
/// neighbours, with the labels of the edges. Colours that were not learned are no features.
///
/// Parameters
/// ----------
/// rounds : int, default 2
///     The number of rounds.
///
/// Examples
/// --------
/// >>> import herbrand
/// >>> task = herbrand.load("blocks")
/// >>> features = herbrand.graphs.WeisfeilerLeman(rounds=1)
/// >>> def missing(graphs):
/// ...     features.learn(graphs)
/// ...     return features.count(graphs).sum(axis=1)
/// >>> task.plan(heuristic=missing, observation="graph").outcome
/// 'plan'
#[pyclass(frozen, module = "herbrand.graphs")]
pub struct WeisfeilerLeman(Mutex<Colours>);

/// The arrays of a `herbrand.graphs.GraphBatch`.
struct Arrays<'py> {
    labels: PyReadonlyArray1<'py, i64>,
    edges: PyReadonlyArray1<'py, i64>,
    links: PyReadonlyArray1<'py, i64>,
    starts: PyReadonlyArray1<'py, i64>,
}

impl<'py> Arrays<'py> {
    fn read(graphs: &Bound<'py, PyAny>) -> PyResult<Self> {
        let numpy = graphs.py().import("numpy")?;
        let array = |name: &str| -> PyResult<_> {
            let flat = numpy.call_method1("ascontiguousarray", (graphs.getattr(name)?, "int64"))?;
            flat.call_method1("reshape", (-1,))?.extract()
        };
        Ok(Self {
            labels: array("labels")?,
            edges: array("edges")?,
            links: array("edge_links")?,
            starts: array("starts")?,
        })
    }

    fn list(&self) -> PyResult<GraphList<'_>> {
        let links = self.links.as_slice()?;
        if links.len() % 2 != 0 {
            return Err(value_error("edge_links has two numbers for each edge"));
        }
        Ok(GraphList {
            labels: self.labels.as_slice()?,
            edges: self.edges.as_slice()?,
            links: cast_slice(links),
            starts: self.starts.as_slice()?,
        })
    }
}

#[pymethods]
impl WeisfeilerLeman {
    #[new]
    #[pyo3(signature = (rounds = 2))]
    fn new(rounds: u8) -> Self {
        Self(Mutex::new(Colours::new(rounds.into())))
    }

    /// Adds the colours of graphs as features.
    ///
    /// Parameters
    /// ----------
    /// graphs : GraphBatch
    ///     Graphs as ``observation="graph"`` of `Task.plan` gives them, and `herbrand.graphs.flatten`.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the arrays do not fit each other.
    fn learn(&self, graphs: &Bound<'_, PyAny>) -> PyResult<()> {
        let arrays = Arrays::read(graphs)?;
        let mut colours = self.0.lock().map_err(|_| poisoned())?;
        colours.learn(arrays.list()?).map_err(faulty)
    }

    /// Counts the features of graphs.
    ///
    /// Parameters
    /// ----------
    /// graphs : GraphBatch
    ///     As for `learn`.
    ///
    /// Returns
    /// -------
    /// array of uint32, shape (graphs, features)
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the arrays do not fit each other.
    fn count<'py>(&self, py: Python<'py>, graphs: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let arrays = Arrays::read(graphs)?;
        let list = arrays.list()?;
        let colours = self.0.lock().map_err(|_| poisoned())?;
        let rows = list.starts.len();
        let mut counts = vec![0; rows * colours.len()];
        colours.count(list, &mut counts).map_err(faulty)?;
        PyArray1::from_vec(py, counts).reshape([rows, colours.len()])
    }

    /// The number of features.
    fn __len__(&self) -> PyResult<usize> {
        Ok(self.0.lock().map_err(|_| poisoned())?.len())
    }
}

fn faulty(error: GraphError) -> PyErr {
    value_error(error)
}
