//! Environments on a GPU, and their arrays for other libraries.

#[expect(unsafe_code, reason = "capsules and streams are pointers")]
mod capsule;

use std::sync::Mutex;

use herbrand_core::{EpisodeHorizon, EpisodeRules};
use herbrand_env::{AtomSpace, ObservedAtoms, ObservedId};
use herbrand_gpu::{BatchMemory, DlPack, GpuEnvs, GpuError, GpuOptions, Planes};
use herbrand_limits::Budget;
use herbrand_step::{Derived, Options, Simulator, SlicedError, SlicedTask};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyBufferError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};

use crate::env::options;
use crate::errors::{self, IntoException, OrRaise, guarded, interruptible, poisoned};
use crate::suite::Suite;
use crate::vector::autoreset;
use capsule::Stream;

/// The arrays with a bit per environment, by name.
const PLANES: [(&str, Planes); 8] = [
    ("states", Planes::Atoms),
    ("valid", Planes::Valid),
    ("goal", Planes::Goal),
    ("dead_end", Planes::DeadEnd),
    ("applied", Planes::Applied),
    ("terminated", Planes::Terminated),
    ("truncated", Planes::Truncated),
    ("over", Planes::Over),
];

/// The engine of `herbrand.gpu.GpuEnvs`.
#[pyclass(frozen, module = "herbrand._herbrand")]
pub struct GpuCore {
    /// `None` once the environments are closed.
    envs: Mutex<Option<GpuEnvs>>,
    device: i32,
    operators: usize,
    atoms: Vec<Option<u32>>,
}

#[pymethods]
impl GpuCore {
    #[new]
    #[expect(
        clippy::too_many_arguments,
        reason = "they are the keyword arguments of GpuEnvs"
    )]
    fn new(
        py: Python<'_>,
        suite: &Suite,
        index: usize,
        count: u64,
        horizon: &Bound<'_, PyAny>,
        through_goals: bool,
        dead_end_terminates: bool,
        autoreset: &str,
        device: u16,
    ) -> PyResult<Self> {
        let given = options(horizon, through_goals, dead_end_terminates, false)?;
        let options = GpuOptions {
            device: device.into(),
            rules: EpisodeRules {
                horizon: match given.horizon {
                    EpisodeHorizon::Declared => suite.suite.config().horizon,
                    EpisodeHorizon::Steps(steps) => Some(steps),
                    EpisodeHorizon::Never => None,
                },
                goal_ends: !given.through_goals,
                dead_end: given.dead_end,
                invalid: given.invalid,
            },
            autoreset: self::autoreset(autoreset)?,
        };
        let limits = suite.compile_limits();
        let problems = &suite.suite;
        let instance = interruptible(py, || problems.instance(index).cloned())?.or_raise(py)?;
        let made = interruptible(py, || {
            let budget = Budget::new(limits);
            let task = SlicedTask::new(&whole(instance.simulator()), &budget)?;
            let count = u32::try_from(count).map_err(|_| GpuError::TooLarge { what: "batch" })?;
            GpuEnvs::new(&task, count, options, &budget)
        })?;
        let envs = made.or_raise(py)?;
        let planes = envs.tables().planes(Planes::Atoms).1;
        let mut atoms = vec![None; planes];
        let space = AtomSpace::new(instance.simulator().clone());
        for number in 0..space.len(ObservedAtoms::Changing) as u32 {
            if let Some(atom) = space.atom(ObservedId::new(number)) {
                atoms[atom.index()] = Some(number);
            }
        }
        Ok(Self {
            device: device.into(),
            operators: envs.tables().planes(Planes::Valid).1,
            atoms,
            envs: Mutex::new(Some(envs)),
        })
    }

    /// The id of the atom of each plane of the states; None for an atom that the engine added.
    #[getter]
    fn atoms(&self) -> Vec<Option<u32>> {
        self.atoms.clone()
    }

    /// The number of operators.
    #[getter]
    const fn operators(&self) -> usize {
        self.operators
    }

    /// Begins an episode in every environment.
    fn reset(&self, py: Python<'_>, seed: Option<u64>) -> PyResult<()> {
        self.call(py, |envs| envs.reset(seed))
    }

    /// Begins an episode in the environments that `which` marks.
    fn reset_some(&self, py: Python<'_>, which: PyReadonlyArray1<'_, bool>) -> PyResult<()> {
        let which = which.as_slice()?;
        self.call(py, |envs| envs.reset_some(which))
    }

    /// Steps every environment by an operator: int64 of shape (environments,).
    fn step(&self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let given = actions.as_slice()?;
        let count = self.operators;
        let number = |&action: &i64| {
            u32::try_from(action)
                .ok()
                .filter(|&number| (number as usize) < count)
        };
        let Some(numbers) = given.iter().map(number).collect::<Option<Vec<_>>>() else {
            let unknown = given.iter().find(|&action| number(action).is_none());
            let unknown = unknown.copied().unwrap_or_default();
            let text = format!("there is no operator number {unknown}: there are {count}");
            return Err(errors::message(py, "UnknownNameError", &text));
        };
        self.call(py, |envs| envs.step(&numbers))
    }

    /// Steps every environment by the operators in the array of actions on the GPU, once the work of a stream so far is done.
    fn step_written(&self, py: Python<'_>, stream: Option<i64>) -> PyResult<()> {
        let stream = read_stream(stream)?;
        self.call(py, |envs| {
            stream.map_or(Ok(()), |stream| stream.precedes(envs))?;
            envs.step_written()
        })
    }

    /// Steps every environment by a random valid operator.
    fn step_sampled(&self, py: Python<'_>) -> PyResult<()> {
        self.call(py, GpuEnvs::step_sampled)
    }

    /// Returns an array on the GPU by its name.
    fn array(slf: &Bound<'_, Self>, name: &str) -> PyResult<GpuArray> {
        let part = match name {
            "rewards" => Part::Rewards,
            "actions" => Part::Actions,
            _ => match PLANES.iter().find(|(own, _)| *own == name) {
                Some((_, planes)) => Part::Planes(*planes),
                None => return Err(PyValueError::new_err(format!("there is no array {name:?}"))),
            },
        };
        let shape = slf
            .get()
            .call(slf.py(), |envs| Ok(part.of(envs).shape().to_vec()))?;
        Ok(GpuArray {
            core: slf.clone().unbind(),
            part,
            shape,
        })
    }

    /// Waits for all calls, and returns copies of the arrays by name: planes as uint32 (planes, words), and "elapsed", "actions"
    /// and "rewards" with an element per environment.
    fn read<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (memory, tables, count) =
            self.call(py, |envs| Ok((envs.read()?, envs.tables().clone(), envs.count())))?;
        let words = count.div_ceil(32) as usize;
        let BatchMemory {
            planes,
            actions,
            rewards,
            ..
        } = &memory;
        let arrays = PyDict::new(py);
        for (name, set) in PLANES {
            let (first, size) = tables.planes(set);
            let own = PyArray1::from_slice(py, &planes[first * words..][..size * words]);
            arrays.set_item(name, own.reshape([size, words])?)?;
        }
        let elapsed = (0..count as usize).map(|index| i64::from(memory.elapsed(index)));
        arrays.set_item("elapsed", PyArray1::from_iter(py, elapsed))?;
        let actions = actions.iter().map(|&action| i64::from(action));
        arrays.set_item("actions", PyArray1::from_iter(py, actions))?;
        arrays.set_item("rewards", PyArray1::from_slice(py, rewards))?;
        Ok(arrays)
    }

    /// Frees the memory on the GPU once no other library uses it. Later calls raise an error.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        guarded(py, || self.envs.lock().map(|mut envs| drop(envs.take())).is_ok())?
            .then_some(())
            .ok_or_else(poisoned)
    }
}

impl GpuCore {
    /// Calls `work` with the interpreter released.
    fn call<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut GpuEnvs) -> Result<T, GpuError> + Send,
    ) -> PyResult<T> {
        let done = guarded(py, || {
            self.envs.lock().ok().map(|mut envs| envs.as_mut().map(work))
        })?;
        match done {
            None => Err(poisoned()),
            Some(None) => Err(gpu_error(py, "closed", "the environments are closed")),
            Some(Some(done)) => done.or_raise(py),
        }
    }
}

/// A part of the memory.
#[derive(Clone, Copy)]
enum Part {
    Planes(Planes),
    Rewards,
    Actions,
}

impl Part {
    fn of(self, envs: &GpuEnvs) -> DlPack {
        match self {
            Self::Planes(planes) => envs.planes(planes),
            Self::Rewards => envs.rewards(),
            Self::Actions => envs.actions(),
        }
    }
}

/// An array in the memory of a GPU, which PyTorch, JAX and CuPy read without a copy: ``torch.from_dlpack(array)``.
///
/// It always shows the present contents: every call on the environments changes them. It keeps the environments alive, and
/// arrays made of it keep the memory alive. Without a copy, hosts cannot read it: `herbrand.gpu.GpuEnvs.read` copies.
#[pyclass(frozen, module = "herbrand.gpu")]
pub struct GpuArray {
    core: Py<GpuCore>,
    part: Part,
    shape: Vec<i64>,
}

#[pymethods]
impl GpuArray {
    /// The length of each dimension.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.shape)
    }

    /// The type of the elements: "int32" or "float64".
    #[getter]
    const fn dtype(&self) -> &'static str {
        match self.part {
            Part::Rewards => "float64",
            Part::Planes(_) | Part::Actions => "int32",
        }
    }

    /// Returns a capsule for another library, which calls this in its function ``from_dlpack``.
    ///
    /// Parameters
    /// ----------
    /// stream : int, optional
    ///     The stream in which the library reads: the handle of a stream of the same GPU, 1 for the legacy default stream, 2 for
    ///     that of the thread, -1 to wait for nothing. Its work waits for all calls on the environments so far. By default 1.
    /// max_version : (int, int), optional
    ///     The newest version of DLPack that the library knows. The capsule is of version 0, which all know.
    /// dl_device : (int, int), optional
    ///     The device that the library wants: that of the array.
    /// copy : bool, optional
    ///     Whether to copy: not True.
    ///
    /// Raises
    /// ------
    /// BufferError
    ///     If the array should be copied, or be on another device.
    /// ValueError
    ///     If the stream is 0 or below -1.
    /// GpuError
    ///     If the environments are closed, or if CUDA fails.
    #[pyo3(signature = (*, stream = None, max_version = None, dl_device = None, copy = None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<i64>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = max_version;
        let own = self.__dlpack_device__();
        if let Some(wanted) = dl_device.filter(|&wanted| wanted != own) {
            let text = format!(
                "the array is on device {own:?}, not on {wanted:?}: GpuEnvs.read() copies to the host"
            );
            return Err(PyBufferError::new_err(text));
        }
        if copy == Some(true) {
            let text = "the array is given without a copy: copy it in your library, or call GpuEnvs.read()";
            return Err(PyBufferError::new_err(text));
        }
        let stream = read_stream(stream)?;
        let part = self.part;
        let array = self.core.get().call(py, |envs| {
            stream.map_or(Ok(()), |stream| stream.waits_for(envs))?;
            Ok(part.of(envs))
        })?;
        capsule::capsule(py, array)
    }

    /// Returns the kind and the number of the device: 2, CUDA, and the number of the GPU.
    fn __dlpack_device__(&self) -> (i32, i32) {
        (2, self.core.get().device)
    }

    fn __repr__(&self) -> String {
        let device = self.core.get().device;
        format!("<GpuArray {} {:?} on GPU {device}>", self.dtype(), self.shape)
    }
}

/// Reads the number of a stream by the rules of the Python array API: `None` if its work needs no waiting.
fn read_stream(stream: Option<i64>) -> PyResult<Option<Stream>> {
    match stream {
        None | Some(-1 | 1) => Ok(None),
        Some(stream @ 2..) => Ok(usize::try_from(stream).ok().map(Stream)),
        Some(stream) => Err(PyValueError::new_err(format!(
            "stream is the handle of a CUDA stream, 1 for the legacy default stream, 2 for that of the thread, or -1 to wait for \
             nothing, not {stream}"
        ))),
    }
}

/// Returns a simulator with the same ids whose states have all derived atoms.
fn whole(simulator: &Simulator) -> Simulator {
    if !simulator.has_unneeded_atoms() {
        return simulator.clone();
    }
    let options = Options {
        derived: Derived::All,
        ..simulator.options()
    };
    Simulator::with_options(simulator.shared_task(), options)
}

fn gpu_error(py: Python<'_>, cause: &str, text: &str) -> PyErr {
    errors::exception(py, "GpuError", (text, cause))
}

impl IntoException for GpuError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        let text = self.to_string();
        let cause = match self {
            Self::Limit(_) | Self::Unfit(SlicedError::Limit(_)) => {
                return errors::message(py, "LimitError", &text);
            }
            Self::NotSeeded => return errors::message(py, "EpisodeError", &text),
            Self::Length { .. } => return PyValueError::new_err(text),
            Self::NoDriver => "driver",
            Self::NoCompiler => "compiler",
            Self::NoDevice { .. } => "device",
            Self::Kernel { .. } => "kernel",
            Self::Memory { .. } => "memory",
            Self::TooLarge { .. } => "size",
            Self::Unfit(_) => "task",
            _ => "call",
        };
        gpu_error(py, cause, &text)
    }
}
