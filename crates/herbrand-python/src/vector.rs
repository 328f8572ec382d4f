//! Many environments at once: NumPy arrays of the caller, written in place without the interpreter.

use std::sync::Mutex;

use herbrand_env::{
    Autoreset, Batch, Flags, NamedObserver, ObservationMode, Rows, VecEnv, VecError, VecOptions, Widths,
};
use numpy::{PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::env::{options, part, shape};
use crate::errors::{self, IntoException, OrRaise, guarded, poisoned};
use crate::suite::Suite;

/// The engine of `herbrand.VecEnv`.
#[pyclass(frozen, module = "herbrand._herbrand")]
pub struct VecCore {
    inner: Mutex<Inner>,
    widths: Widths,
    shape: Vec<usize>,
    /// Whether the arrays hold what the last call wrote: nobody else writes to them.
    rows: Rows,
}

struct Inner {
    envs: VecEnv<NamedObserver>,
    /// The actions of a step as the engine takes them.
    actions: Vec<u32>,
    flags: Vec<Flags>,
    final_flags: Vec<Flags>,
}

/// The arrays of a batch: observations, masks, rewards, terminated, truncated, flags, final observations, final flags.
/// Rows of flags are goal, dead end, applied.
#[derive(FromPyObject)]
struct Arrays<'py>(
    Bound<'py, numpy::PyArray2<i8>>,
    Bound<'py, numpy::PyArray2<i8>>,
    Bound<'py, numpy::PyArray1<f64>>,
    Bound<'py, numpy::PyArray1<bool>>,
    Bound<'py, numpy::PyArray1<bool>>,
    Bound<'py, numpy::PyArray2<bool>>,
    Bound<'py, numpy::PyArray2<i8>>,
    Bound<'py, numpy::PyArray2<bool>>,
);

/// The arrays while they are written.
struct Borrowed<'py> {
    observations: PyReadwriteArray2<'py, i8>,
    masks: PyReadwriteArray2<'py, i8>,
    rewards: PyReadwriteArray1<'py, f64>,
    terminated: PyReadwriteArray1<'py, bool>,
    truncated: PyReadwriteArray1<'py, bool>,
    flags: PyReadwriteArray2<'py, bool>,
    last: PyReadwriteArray2<'py, i8>,
    final_flags: PyReadwriteArray2<'py, bool>,
}

impl<'py> Arrays<'py> {
    fn borrow(&self) -> PyResult<Borrowed<'py>> {
        let fault = |error: numpy::BorrowError| PyValueError::new_err(error.to_string());
        Ok(Borrowed {
            observations: self.0.try_readwrite().map_err(fault)?,
            masks: self.1.try_readwrite().map_err(fault)?,
            rewards: self.2.try_readwrite().map_err(fault)?,
            terminated: self.3.try_readwrite().map_err(fault)?,
            truncated: self.4.try_readwrite().map_err(fault)?,
            flags: self.5.try_readwrite().map_err(fault)?,
            last: self.6.try_readwrite().map_err(fault)?,
            final_flags: self.7.try_readwrite().map_err(fault)?,
        })
    }
}

impl Borrowed<'_> {
    /// The arrays as the engine takes them, but for the flags, which come apart: those of the step, and the final ones.
    fn batch(&mut self, rows: Rows) -> PyResult<(Batch<'_, u8>, [&mut [bool]; 2])> {
        let batch = Batch {
            observations: bytemuck::cast_slice_mut(self.observations.as_slice_mut()?),
            masks: bytemuck::cast_slice_mut(self.masks.as_slice_mut()?),
            rewards: self.rewards.as_slice_mut()?,
            terminated: self.terminated.as_slice_mut()?,
            truncated: self.truncated.as_slice_mut()?,
            flags: &mut [],
            final_observations: bytemuck::cast_slice_mut(self.last.as_slice_mut()?),
            final_flags: &mut [],
            rows,
        };
        Ok((
            batch,
            [self.flags.as_slice_mut()?, self.final_flags.as_slice_mut()?],
        ))
    }
}

/// Writes flags as rows of three.
fn write_flags(flags: &[Flags], into: &mut [bool]) {
    for (row, flags) in into.chunks_exact_mut(3).zip(flags) {
        row.copy_from_slice(&[flags.goal, flags.dead_end, flags.applied]);
    }
}

impl IntoException for VecError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        match self {
            Self::Env { index, error } => {
                let inner = error.exception(py);
                let note = format!("in environment {index}");
                // Notes are new in Python 3.11; without them the error stands alone.
                let _ = inner.value(py).call_method1("add_note", (note,));
                inner
            }
            Self::Buffer(error) => PyValueError::new_err(error.to_string()),
            Self::Threads(error) => errors::message(py, "HerbrandError", &error.to_string()),
        }
    }
}

fn autoreset(name: &str) -> PyResult<Autoreset> {
    match name {
        "NextStep" => Ok(Autoreset::NextStep),
        "SameStep" => Ok(Autoreset::SameStep),
        "Disabled" => Ok(Autoreset::Disabled),
        _ => Err(PyValueError::new_err(format!(
            "there is no autoreset mode {name:?}"
        ))),
    }
}

#[pymethods]
impl VecCore {
    #[new]
    #[expect(
        clippy::too_many_arguments,
        reason = "they are the keyword arguments of VecEnv"
    )]
    fn new(
        py: Python<'_>,
        suite: Py<Suite>,
        count: usize,
        observation: &str,
        part: &str,
        autoreset: &str,
        threads: usize,
        horizon: &Bound<'_, PyAny>,
        through_goals: bool,
        dead_end_terminates: bool,
        raise_error_on_invalid_action: bool,
        private: bool,
    ) -> PyResult<Self> {
        let options = VecOptions {
            env: options(
                horizon,
                through_goals,
                dead_end_terminates,
                raise_error_on_invalid_action,
            )?,
            autoreset: self::autoreset(autoreset)?,
            threads,
        };
        let (of, part) = (&suite.get().suite, self::part(part)?);
        let mode: ObservationMode = observation.parse().map_err(PyValueError::new_err)?;
        let envs = guarded(py, || {
            let observer = mode.observer(of, part);
            let observer = observer.map_err(|error| VecError::Env { index: 0, error })?;
            VecEnv::new(of, &observer, count, options)
        });
        let envs = envs?.or_raise(py)?;
        Ok(Self {
            widths: envs.widths(),
            shape: shape(envs.layout()),
            rows: match private {
                true => Rows::Kept,
                false => Rows::Fresh,
            },
            inner: Mutex::new(Inner {
                envs,
                actions: vec![0; count],
                flags: vec![Flags::default(); count],
                final_flags: vec![Flags::default(); count],
            }),
        })
    }

    /// How wide the observation and the mask of one environment are.
    #[getter]
    fn sizes(&self) -> (usize, usize) {
        (self.widths.observation, self.widths.mask)
    }

    /// The shape of the observation of one environment.
    #[getter]
    fn shape(&self) -> Vec<usize> {
        self.shape.clone()
    }

    /// Begins an episode in every environment.
    fn reset(&self, py: Python<'_>, seed: Option<u64>, arrays: Arrays<'_>) -> PyResult<()> {
        self.write(py, &arrays, |envs, _, batch| envs.reset(seed, batch))
    }

    /// Begins an episode in the environments for which `which` is true.
    fn reset_some(
        &self,
        py: Python<'_>,
        which: PyReadonlyArray1<'_, bool>,
        arrays: Arrays<'_>,
    ) -> PyResult<()> {
        let which = which.as_slice()?;
        self.write(py, &arrays, |envs, _, batch| envs.reset_some(which, batch))
    }

    /// Takes an action in every environment.
    fn step(&self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>, arrays: Arrays<'_>) -> PyResult<()> {
        let actions = actions.as_slice()?;
        let count = self.widths.mask as i64;
        if let Some(unknown) = actions.iter().find(|&&action| !(0..count).contains(&action)) {
            let text = format!("there is no action number {unknown}: there are {count}");
            return Err(errors::message(py, "UnknownNameError", &text));
        }
        self.write(py, &arrays, |envs, own, batch| {
            own.clear();
            own.extend(actions.iter().map(|&action| action as u32));
            envs.step(&*own, batch)
        })
    }

    /// Puts a valid action of every environment, drawn uniformly, into `actions`.
    fn sample(&self, py: Python<'_>, mut actions: PyReadwriteArray1<'_, i64>) -> PyResult<()> {
        let into = actions.as_slice_mut()?;
        self.released(
            py,
            |Inner {
                 envs, actions: own, ..
             }| {
                own.resize(envs.len(), 0);
                envs.sample(&mut *own)?;
                into.iter_mut()
                    .zip(own)
                    .for_each(|(to, from)| *to = i64::from(*from));
                Ok(())
            },
        )
    }

    /// The index of the problem of each environment; None before the first reset.
    fn problem_indexes(&self) -> PyResult<Vec<Option<usize>>> {
        let inner = self.inner.lock().map_err(|_| poisoned())?;
        let problem = |index| inner.envs.env(index).and_then(herbrand_core::Env::problem);
        Ok((0..inner.envs.len()).map(problem).collect())
    }
}

impl VecCore {
    /// Does `work` that writes into the arrays, with the interpreter released.
    fn write(
        &self,
        py: Python<'_>,
        arrays: &Arrays<'_>,
        work: impl FnOnce(&mut VecEnv<NamedObserver>, &mut Vec<u32>, &mut Batch<'_, u8>) -> Result<(), VecError>
        + Send,
    ) -> PyResult<()> {
        let mut borrowed = arrays.borrow()?;
        let (batch, [flags, final_flags]) = borrowed.batch(self.rows)?;
        self.released(py, |inner| {
            let mut batch = Batch {
                flags: &mut inner.flags,
                final_flags: &mut inner.final_flags,
                ..batch
            };
            let done = work(&mut inner.envs, &mut inner.actions, &mut batch);
            write_flags(&inner.flags, flags);
            write_flags(&inner.final_flags, final_flags);
            done
        })
    }

    /// Does `work` with the interpreter released.
    fn released(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Inner) -> Result<(), VecError> + Send,
    ) -> PyResult<()> {
        let done = guarded(py, || self.inner.lock().ok().map(|mut inner| work(&mut inner)))?;
        done.ok_or_else(poisoned)?.or_raise(py)
    }
}
