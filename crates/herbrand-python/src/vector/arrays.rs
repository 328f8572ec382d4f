//! The arrays of a batch, while they are written.

use bytemuck::cast_slice_mut;
use herbrand_core::{Elements, Flags, Rows};
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods, PyReadwriteArray1, PyReadwriteArray2};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::erased::Buffers;

/// The arrays of a batch: observations, masks, rewards, terminated, truncated, flags, final observations, final flags,
/// problems. Rows of flags are goal, dead end, applied.
#[derive(FromPyObject)]
pub struct Arrays<'py>(
    Bound<'py, PyAny>,
    Bound<'py, PyArray2<i8>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray2<bool>>,
    Bound<'py, PyAny>,
    Bound<'py, PyArray2<bool>>,
    Bound<'py, PyArray1<i64>>,
);

/// The buffers without flags, the problems, the flags of the step, and the final ones.
type Parted<'a> = (Buffers<'a>, &'a mut [i64], [&'a mut [bool]; 2]);

/// The arrays while they are written.
pub struct Borrowed<'py> {
    observations: Numbers<'py>,
    masks: PyReadwriteArray2<'py, i8>,
    rewards: PyReadwriteArray1<'py, f64>,
    terminated: PyReadwriteArray1<'py, bool>,
    truncated: PyReadwriteArray1<'py, bool>,
    flags: PyReadwriteArray2<'py, bool>,
    last: Numbers<'py>,
    final_flags: PyReadwriteArray2<'py, bool>,
    problems: PyReadwriteArray1<'py, i64>,
}

/// Observations of one of the types that there are.
enum Numbers<'py> {
    Bytes(PyReadwriteArray2<'py, i8>),
    Integers(PyReadwriteArray2<'py, i64>),
    Singles(PyReadwriteArray2<'py, f32>),
    Doubles(PyReadwriteArray2<'py, f64>),
}

fn fault(error: numpy::BorrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The array, if its elements are of this type.
fn of_type<'py, T: Element>(array: &Bound<'py, PyAny>) -> PyResult<Option<PyReadwriteArray2<'py, T>>> {
    let typed = array.cast::<PyArray2<T>>().ok();
    typed
        .map(|array| array.try_readwrite().map_err(fault))
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
    /// The arrays, which nobody else may write to meanwhile.
    pub fn borrow(&self) -> PyResult<Borrowed<'py>> {
        Ok(Borrowed {
            observations: Numbers::borrow(&self.0)?,
            masks: self.1.try_readwrite().map_err(fault)?,
            rewards: self.2.try_readwrite().map_err(fault)?,
            terminated: self.3.try_readwrite().map_err(fault)?,
            truncated: self.4.try_readwrite().map_err(fault)?,
            flags: self.5.try_readwrite().map_err(fault)?,
            last: Numbers::borrow(&self.6)?,
            final_flags: self.7.try_readwrite().map_err(fault)?,
            problems: self.8.try_readwrite().map_err(fault)?,
        })
    }
}

impl Borrowed<'_> {
    /// The arrays as the engine takes them, but for the problems and the flags, which come apart: those of the step, and
    /// the final ones.
    pub fn buffers(&mut self, rows: Rows) -> PyResult<Parted<'_>> {
        let buffers = Buffers {
            observations: self.observations.elements()?,
            masks: cast_slice_mut(self.masks.as_slice_mut()?),
            rewards: self.rewards.as_slice_mut()?,
            terminated: self.terminated.as_slice_mut()?,
            truncated: self.truncated.as_slice_mut()?,
            flags: &mut [],
            final_observations: self.last.elements()?,
            final_flags: &mut [],
            rows,
        };
        let flags = [self.flags.as_slice_mut()?, self.final_flags.as_slice_mut()?];
        Ok((buffers, self.problems.as_slice_mut()?, flags))
    }
}

/// Writes flags as rows of three.
pub fn write_flags(flags: &[Flags], into: &mut [bool]) {
    for (row, flags) in into.chunks_exact_mut(3).zip(flags) {
        row.copy_from_slice(&[flags.goal, flags.dead_end, flags.applied]);
    }
}
