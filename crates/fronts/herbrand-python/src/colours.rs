//! `WeisfeilerLeman`: features of graphs.

use std::sync::{Arc, Mutex};

use bytemuck::cast_slice;
use herbrand_learn::{Colours, GraphError, GraphList, Weights};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::choice::value_error;
use crate::errors::poisoned;

/// The features of the Weisfeiler–Leman algorithm: how often each colour of the graphs that were learned from occurs in a graph.
///
/// In round 0, the colour of a node is its label. Each round gives it a new colour for its colour before and the colours of its
/// neighbours, with the labels of the edges. Colours that were not learned are no features. `pickle` saves what was learned.
///
/// Parameters
/// ----------
/// rounds : int, default 2
///     The number of rounds.
/// by_sets : bool, default False
///     Whether equal neighbours count once. Colours of small graphs then recur in larger ones, whose nodes have more neighbours.
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
    #[pyo3(signature = (rounds = 2, *, by_sets = false))]
    fn new(rounds: u8, by_sets: bool) -> Self {
        let colours = Colours::new(rounds.into());
        Self(Mutex::new(if by_sets { colours.by_sets() } else { colours }))
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

    /// Returns a linear heuristic for `Task.plan`, which searches evaluate without Python.
    ///
    /// From state to state, only nodes near atoms that changed get new colours.
    ///
    /// Parameters
    /// ----------
    /// weights : array of float, shape (features,)
    ///     The weight of each feature that was learned so far, rounded to multiples of 2^-20.
    /// bias : float, default 0
    ///     A number that is added to each estimate. Negative estimates become 0.
    ///
    /// Returns
    /// -------
    /// LinearEstimate
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If there is not one finite weight for each feature.
    ///
    /// Examples
    /// --------
    /// >>> import herbrand
    /// >>> import numpy as np
    /// >>> features = herbrand.graphs.WeisfeilerLeman(rounds=1)
    /// >>> graph, _ = herbrand.make("blocks", 0, observation="graph").reset(seed=0)
    /// >>> features.learn(herbrand.graphs.flatten([graph]))
    /// >>> heuristic = features.heuristic(np.ones(len(features)))
    /// >>> herbrand.load("blocks").plan(heuristic=[heuristic, "ff"]).outcome
    /// 'plan'
    #[pyo3(signature = (weights, *, bias = 0.0))]
    fn heuristic(&self, weights: &Bound<'_, PyAny>, bias: f64) -> PyResult<LinearEstimate> {
        let numpy = weights.py().import("numpy")?;
        let flat = numpy.call_method1("ascontiguousarray", (weights, "float64"))?;
        let flat: PyReadonlyArray1<'_, f64> = flat.call_method1("reshape", (-1,))?.extract()?;
        let flat = flat.as_slice()?;
        let colours = self.0.lock().map_err(|_| poisoned())?.clone();
        let count = colours.len();
        let is_finite = flat.iter().all(|weight| weight.is_finite()) && bias.is_finite();
        let weights = Weights::new(colours, flat, bias).filter(|_| is_finite);
        let weights = weights.ok_or_else(|| {
            let given = flat.len();
            value_error(format!(
                "weights are finite numbers, one for each of {count} features, not {given}"
            ))
        })?;
        Ok(LinearEstimate(Arc::new(weights)))
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((usize,), Bound<'py, PyDict>)> {
        let (rounds, is_by_sets) = self.0.lock().map_err(|_| poisoned())?.kind();
        let options = PyDict::new(py);
        options.set_item("by_sets", is_by_sets)?;
        Ok(((rounds,), options))
    }

    fn __getstate__(&self) -> PyResult<Vec<Vec<i64>>> {
        Ok(self.0.lock().map_err(|_| poisoned())?.keys())
    }

    fn __setstate__(&self, keys: Vec<Vec<i64>>) -> PyResult<()> {
        let mut colours = self.0.lock().map_err(|_| poisoned())?;
        let with = colours.clone().with_keys(keys);
        *colours = with.ok_or_else(|| value_error("two features are equal"))?;
        Ok(())
    }

    /// The number of features.
    fn __len__(&self) -> PyResult<usize> {
        Ok(self.0.lock().map_err(|_| poisoned())?.len())
    }
}

/// A heuristic that is linear in features, made by `WeisfeilerLeman.heuristic`: an argument of `Task.plan`.
#[pyclass(frozen, module = "herbrand.graphs")]
pub struct LinearEstimate(pub Arc<Weights>);

fn faulty(error: GraphError) -> PyErr {
    value_error(error)
}
