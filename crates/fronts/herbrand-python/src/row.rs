//! The output buffer of an environment: a row of numbers that is reused from step to step.

use bytemuck::cast_slice;
use herbrand_core::{ElementKind, Elements};
use numpy::{Element, PyArray1, PyArrayDyn, PyArrayMethods};
use pyo3::prelude::*;

/// A row of numbers of one of the element types.
pub enum Row {
    Bytes(Vec<u8>),
    Integers(Vec<i64>),
    Singles(Vec<f32>),
    Doubles(Vec<f64>),
}

impl Row {
    /// Creates a row of `width` zeros.
    pub fn new(kind: ElementKind, width: usize) -> Self {
        match kind {
            ElementKind::U8 => Self::Bytes(vec![0; width]),
            ElementKind::I64 => Self::Integers(vec![0; width]),
            ElementKind::F32 => Self::Singles(vec![0.0; width]),
            ElementKind::F64 => Self::Doubles(vec![0.0; width]),
        }
    }

    /// Returns the numbers for writing.
    pub fn elements(&mut self) -> Elements<'_> {
        match self {
            Self::Bytes(row) => Elements::U8(row),
            Self::Integers(row) => Elements::I64(row),
            Self::Singles(row) => Elements::F32(row),
            Self::Doubles(row) => Elements::F64(row),
        }
    }

    /// Returns a new array with the numbers in this shape. Bytes become int8.
    pub fn to_array<'py>(&self, py: Python<'py>, shape: &[usize]) -> Bound<'py, PyAny> {
        match self {
            Self::Bytes(row) => shaped::<i8>(py, cast_slice(row), shape),
            Self::Integers(row) => shaped(py, row, shape),
            Self::Singles(row) => shaped(py, row, shape),
            Self::Doubles(row) => shaped(py, row, shape),
        }
    }
}

/// Returns bytes as an array of int8, the dtype of Gymnasium's `MultiBinary` and of masks for `Discrete`.
pub fn int8<'py>(py: Python<'py>, bytes: &[u8]) -> Bound<'py, PyArray1<i8>> {
    PyArray1::from_slice(py, cast_slice(bytes))
}

fn shaped<'py, T: Element>(py: Python<'py>, row: &[T], shape: &[usize]) -> Bound<'py, PyAny> {
    let array = PyArray1::from_slice(py, row);
    if shape.len() == 1 {
        return array.into_any();
    }
    let array: Bound<'py, PyArrayDyn<T>> = array
        .reshape(shape)
        .expect("a row has as many elements as its shape says");
    array.into_any()
}
