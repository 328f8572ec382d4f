//! Relaxations of steps, with functions of the caller.

use std::sync::Arc;

use herbrand_limits::Budget;
use herbrand_rddl_plan::gradient::{GradientError, Operator, Relaxation, Relaxed, SmoothFunction, TNorm};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::choice::parsed;
use crate::errors::{IntoException, OrRaise, Raised, interruptible, message};
use crate::rddl::task::RddlTask;

impl IntoException for GradientError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        match self {
            Self::Compile(error) => error.exception(py),
            Self::NoGradient { .. } => message(py, "HerbrandError", &self.to_string()),
        }
    }
}

/// Creates the relaxed step of a task.
pub fn relaxed(py: Python<'_>, task: &RddlTask, relaxation: &Relaxation) -> PyResult<Arc<Relaxed>> {
    let instance = Arc::clone(&task.compiled().instance);
    let relaxed = || Relaxed::with(&instance, relaxation, &Budget::unlimited());
    Ok(Arc::new(interruptible(py, relaxed)?.or_raise(py)?))
}

/// Creates a relaxation from a t-norm and a dict from the names of operators to Python functions.
pub fn relaxation(
    norm: TNorm,
    functions: Option<&Bound<'_, PyDict>>,
    raised: &Arc<Raised>,
) -> PyResult<Relaxation> {
    let mut relaxation = Relaxation::new(norm);
    for (name, function) in functions.into_iter().flat_map(|functions| functions.iter()) {
        let operator: Operator = parsed(&name.extract::<String>()?)?;
        if !function.is_callable() {
            let text = format!("the relaxation of {operator} is not a function");
            return Err(PyTypeError::new_err(text));
        }
        let function = PythonFunction {
            function: function.unbind(),
            raised: Arc::clone(raised),
        };
        relaxation = relaxation.with(operator, Arc::new(function));
    }
    Ok(relaxation)
}

/// A Python function `f(*operands, sharpness)` of arrays with a number per lane, which returns the values and a sequence
/// with the slopes by each operand.
#[derive(Debug)]
struct PythonFunction {
    function: Py<PyAny>,
    raised: Arc<Raised>,
}

impl PythonFunction {
    fn call(
        &self,
        py: Python<'_>,
        operands: &[&[f64]],
        sharpness: f64,
        values: &mut [f64],
        slopes: &mut [Vec<f64>],
    ) -> PyResult<()> {
        let arrays = operands.iter().map(|operand| PyArray1::from_slice(py, operand));
        let arguments = PyTuple::new(py, arrays)?;
        let keywords = PyDict::new(py);
        keywords.set_item("sharpness", sharpness)?;
        let (found, by_operand): (Bound<'_, PyAny>, Vec<Bound<'_, PyAny>>) = self
            .function
            .bind(py)
            .call(arguments, Some(&keywords))?
            .extract()?;
        if by_operand.len() != operands.len() {
            let text = format!(
                "a relaxation of {} operands returned {} slopes",
                operands.len(),
                by_operand.len()
            );
            return Err(PyValueError::new_err(text));
        }
        let rows = std::iter::once((found, values)).chain(
            by_operand
                .into_iter()
                .zip(slopes.iter_mut().map(Vec::as_mut_slice)),
        );
        let as_row = py.import("numpy")?.getattr("broadcast_to")?;
        for (array, row) in rows {
            let array = as_row
                .call1((array, row.len()))?
                .call_method1("astype", ("float64",))?;
            row.copy_from_slice(array.extract::<PyReadonlyArray1<'_, f64>>()?.as_slice()?);
        }
        Ok(())
    }
}

impl SmoothFunction for PythonFunction {
    fn apply(&self, operands: &[&[f64]], sharpness: f64, values: &mut [f64], slopes: &mut [Vec<f64>]) {
        let done = Python::attach(|py| self.call(py, operands, sharpness, values, slopes));
        if let Err(error) = done {
            values.fill(f64::NAN);
            self.raised.note(error);
        }
    }
}
