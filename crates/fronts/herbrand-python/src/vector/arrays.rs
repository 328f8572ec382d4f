//! Access to the arrays of a batch for writing.

use bytemuck::cast_slice_mut;
use herbrand_core::{Elements, EpisodeEnd, Flags};
use numpy::ndarray::Dimension;
use numpy::{
    Element, PyArray, PyArray2, PyArrayMethods, PyReadwriteArray, PyReadwriteArray1, PyReadwriteArray2,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::choice::value_error;

/// The arrays of a batch: a tuple in the order of `herbrand.batch.Batch`.
#[derive(FromPyObject)]
#[pyo3(transparent)]
pub struct Arrays<'py>(Bound<'py, PyTuple>);

/// The arrays, borrowed for writing.
pub struct Borrowed<'py> {
    observations: Numbers<'py>,
    masks: PyReadwriteArray2<'py, i8>,
    rewards: PyReadwriteArray1<'py, f64>,
    terminated: Flag<'py>,
    truncated: Flag<'py>,
    goal: Flag<'py>,
    dead_end: Flag<'py>,
    applied: Flag<'py>,
    stepped: Flag<'py>,
    end: PyReadwriteArray1<'py, i8>,
    problems: PyReadwriteArray1<'py, i64>,
    last: Numbers<'py>,
    last_goal: Flag<'py>,
    last_dead_end: Flag<'py>,
}

type Flag<'py> = PyReadwriteArray1<'py, bool>;

/// The arrays as slices.
pub struct Slices<'a> {
    pub observations: Elements<'a>,
    pub masks: &'a mut [u8],
    pub rewards: &'a mut [f64],
    pub terminated: &'a mut [bool],
    pub truncated: &'a mut [bool],
    pub final_observations: Elements<'a>,
    pub info: InfoArrays<'a>,
}

/// Per-row results with an array of their own.
pub struct InfoArrays<'a> {
    goal: &'a mut [bool],
    dead_end: &'a mut [bool],
    applied: &'a mut [bool],
    /// Whether a step was taken; if not, an episode began instead.
    pub stepped: &'a mut [bool],
    end: &'a mut [i8],
    problems: &'a mut [i64],
    last_goal: &'a mut [bool],
    last_dead_end: &'a mut [bool],
}

/// Observations of one of the element types.
enum Numbers<'py> {
    Bytes(PyReadwriteArray2<'py, i8>),
    Integers(PyReadwriteArray2<'py, i64>),
    Singles(PyReadwriteArray2<'py, f32>),
    Doubles(PyReadwriteArray2<'py, f64>),
}

/// Returns the array if it has this element type.
fn of_type<'py, T: Element>(array: &Bound<'py, PyAny>) -> PyResult<Option<PyReadwriteArray2<'py, T>>> {
    let typed = array.cast::<PyArray2<T>>().ok();
    typed
        .map(|array| array.try_readwrite().map_err(value_error))
        .transpose()
}

impl<'py> Numbers<'py> {
    fn borrow(array: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Some(array) = of_type(array)? {
            return Ok(Self::Bytes(array));
        }
        if let Some(array) = of_type(array)? {
            return Ok(Self::Integers(array));
        }
        if let Some(array) = of_type(array)? {
            return Ok(Self::Singles(array));
        }
        let doubles = of_type(array)?.map(Self::Doubles);
        doubles.ok_or_else(|| PyTypeError::new_err("observations are int8, int64, float32 or float64"))
    }

    fn elements(&mut self) -> PyResult<Elements<'_>> {
        Ok(match self {
            Self::Bytes(array) => Elements::U8(cast_slice_mut(array.as_slice_mut()?)),
            Self::Integers(array) => Elements::I64(array.as_slice_mut()?),
            Self::Singles(array) => Elements::F32(array.as_slice_mut()?),
            Self::Doubles(array) => Elements::F64(array.as_slice_mut()?),
        })
    }
}

impl<'py> Arrays<'py> {
    /// Borrows the arrays for writing. Fails if an array is borrowed elsewhere.
    pub fn borrow(&self) -> PyResult<Borrowed<'py>> {
        let mut arrays = self.0.iter();
        let mut next = || {
            arrays
                .next()
                .ok_or_else(|| PyValueError::new_err("an array is missing"))
        };
        Ok(Borrowed {
            observations: Numbers::borrow(&next()?)?,
            masks: typed(next()?)?,
            rewards: typed(next()?)?,
            terminated: typed(next()?)?,
            truncated: typed(next()?)?,
            goal: typed(next()?)?,
            dead_end: typed(next()?)?,
            applied: typed(next()?)?,
            stepped: typed(next()?)?,
            end: typed(next()?)?,
            problems: typed(next()?)?,
            last: Numbers::borrow(&next()?)?,
            last_goal: typed(next()?)?,
            last_dead_end: typed(next()?)?,
        })
    }
}

/// Borrows an array of this type for writing.
fn typed<'py, T: Element, D: Dimension>(array: Bound<'py, PyAny>) -> PyResult<PyReadwriteArray<'py, T, D>> {
    array
        .cast_into::<PyArray<T, D>>()?
        .try_readwrite()
        .map_err(value_error)
}

impl Borrowed<'_> {
    /// Returns the elements as slices.
    pub fn slices(&mut self) -> PyResult<Slices<'_>> {
        Ok(Slices {
            observations: self.observations.elements()?,
            masks: cast_slice_mut(self.masks.as_slice_mut()?),
            rewards: self.rewards.as_slice_mut()?,
            terminated: self.terminated.as_slice_mut()?,
            truncated: self.truncated.as_slice_mut()?,
            final_observations: self.last.elements()?,
            info: InfoArrays {
                goal: self.goal.as_slice_mut()?,
                dead_end: self.dead_end.as_slice_mut()?,
                applied: self.applied.as_slice_mut()?,
                stepped: self.stepped.as_slice_mut()?,
                end: self.end.as_slice_mut()?,
                problems: self.problems.as_slice_mut()?,
                last_goal: self.last_goal.as_slice_mut()?,
                last_dead_end: self.last_dead_end.as_slice_mut()?,
            },
        })
    }
}

impl InfoArrays<'_> {
    /// Writes the flags of the rows. If an episode ended and the next one has begun in the same step, `last` has the flags
    /// of the ended episode's last state, and `applied` and `end` refer to the step that ended it. `last` is empty in other
    /// autoreset modes.
    pub fn write(&mut self, flags: &[Flags], last: &[Flags], ended: impl Iterator<Item = bool>) {
        let states = self.goal.iter_mut().zip(&mut *self.dead_end);
        let steps = self.applied.iter_mut().zip(&mut *self.end);
        let rows = states.zip(steps).zip(&mut *self.problems);
        for (flags, (((goal, dead_end), (applied, end)), problem)) in flags.iter().zip(rows) {
            (*goal, *dead_end, *applied) = (flags.goal, flags.dead_end, flags.applied);
            (*end, *problem) = (end_code(flags.end), i64::from(flags.problem));
        }
        for ((row, last), ended) in last.iter().enumerate().zip(ended) {
            self.last_goal[row] = ended && last.goal;
            self.last_dead_end[row] = ended && last.dead_end;
            if ended {
                (self.applied[row], self.end[row]) = (last.applied, end_code(last.end));
            }
        }
    }
}

/// Returns the index of a reason in `herbrand.batch.ENDS`; 0 for none.
const fn end_code(end: Option<EpisodeEnd>) -> i8 {
    match end {
        None => 0,
        Some(EpisodeEnd::Goal) => 1,
        Some(EpisodeEnd::Terminal) => 2,
        Some(EpisodeEnd::DeadEnd) => 3,
        Some(EpisodeEnd::Invariant) => 4,
        Some(EpisodeEnd::Horizon) => 5,
    }
}
