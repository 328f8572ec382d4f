//! Observations that are not bits: graphs of index arrays, sets of tuples.

use std::str::FromStr;
use std::sync::Arc;

use herbrand_env::{EnvError, Instance, ObservationMode, ObservedId, Part, PlanningEnv};
use numpy::{PyArray2, PyArrayDyn, PyArrayMethods, ToPyArray};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyFrozenSet, PyTuple};

use super::Inner;

/// What an observation is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// An array that the engine writes.
    Array(ObservationMode),
    Graph,
    Atoms,
}

impl Mode {
    /// How the engine writes an array; bits where observations are no arrays.
    pub const fn array(self) -> ObservationMode {
        match self {
            Self::Array(mode) => mode,
            Self::Graph | Self::Atoms => ObservationMode::Bits,
        }
    }
}

impl FromStr for Mode {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "graph" => Ok(Self::Graph),
            "atoms" => Ok(Self::Atoms),
            name => name.parse().map(Self::Array).map_err(|_| {
                let arrays = ObservationMode::ALL
                    .iter()
                    .map(|mode| format!("{:?}", mode.name()));
                let arrays: Vec<_> = arrays.collect();
                format!(
                    "observation is {}, \"graph\" or \"atoms\", not {name:?}",
                    arrays.join(", ")
                )
            }),
        }
    }
}

/// The atoms of one problem as tuples of predicate and arguments, each made when it is first seen.
pub struct Tuples(Vec<PyOnceLock<Py<PyTuple>>>);

impl Tuples {
    pub fn new(count: usize) -> Self {
        Self((0..count).map(|_| PyOnceLock::new()).collect())
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    fn get<'py>(
        &self,
        py: Python<'py>,
        instance: &Instance,
        id: ObservedId,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let tuple = self.0[id.index()].get_or_try_init(py, || {
            let vocabulary = &instance.simulator().task().vocabulary;
            let fact = instance.atoms().get(id);
            let names = fact.iter().flat_map(|fact| {
                let head = vocabulary.predicate(fact.predicate).signature.name.as_str();
                let arguments = fact.arguments.iter().map(|&id| vocabulary.object(id));
                std::iter::once(head).chain(arguments)
            });
            Ok::<_, PyErr>(PyTuple::new(py, names.collect::<Vec<_>>())?.unbind())
        })?;
        Ok(tuple.bind(py).clone())
    }
}

/// An observation before the objects are made whose making could run Python code.
pub enum View<'py> {
    Array(Bound<'py, PyArrayDyn<i8>>),
    Graph {
        labels: Vec<i64>,
        positions: Vec<i64>,
        links: Vec<i32>,
    },
    Atoms {
        problem: usize,
        instance: Arc<Instance>,
        held: Vec<ObservedId>,
    },
}

impl<'py> View<'py> {
    pub fn graph(part: Part, inner: &mut Inner) -> Result<Self, EnvError> {
        let Inner { env, graph, .. } = inner;
        let walker = env.system()?.walker();
        env.instance()?.atoms().graph(walker, part, graph);
        let wide = |numbers: &[u32]| numbers.iter().map(|&number| i64::from(number)).collect();
        let ends = graph.sources.iter().zip(&graph.targets);
        Ok(Self::Graph {
            labels: wide(&graph.labels),
            positions: wide(&graph.positions),
            links: ends
                .flat_map(|(&atom, &object)| [atom, object].map(|node| node as i32))
                .collect(),
        })
    }

    pub fn atoms(part: Part, inner: &Inner) -> Result<Self, EnvError> {
        let env = &inner.env;
        let instance = Arc::clone(env.instance()?);
        let walker = env.system()?.walker();
        Ok(Self::Atoms {
            problem: env.problem().ok_or(EnvError::NotReset)?,
            held: instance.atoms().observe(walker, part).collect(),
            instance,
        })
    }

    /// The observation: an array of int8; Gymnasium's `GraphInstance` of node labels, edge positions and the two ends
    /// of the edges; or a frozenset of tuples of strings.
    pub fn write(self, py: Python<'py>, tuples: &[Tuples]) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Array(array) => Ok(array.into_any()),
            Self::Graph {
                labels,
                positions,
                links,
            } => {
                let links: Bound<'py, PyArray2<i32>> = links.to_pyarray(py).reshape([positions.len(), 2])?;
                let class = py.import("gymnasium.spaces")?.getattr("GraphInstance")?;
                class.call1((labels.to_pyarray(py), positions.to_pyarray(py), links))
            }
            Self::Atoms {
                problem,
                instance,
                held,
            } => {
                let held = held.into_iter().map(|id| tuples[problem].get(py, &instance, id));
                Ok(PyFrozenSet::new(py, held.collect::<PyResult<Vec<_>>>()?)?.into_any())
            }
        }
    }
}
