//! Conversion between states of environments and states of tasks.

use std::any::Any;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::rddl::{RddlState, RddlTask};
use crate::task::{LiftedState, LiftedTask, PlanningTask, State, Task};

/// Converts an engine's state to a state of `task`.
pub fn wrap<'py>(task: &Bound<'py, PyAny>, state: Box<dyn Any + Send>) -> PyResult<Bound<'py, PyAny>> {
    let py = task.py();
    let state = match (task.cast::<Task>(), state.downcast()) {
        (Ok(task), Ok(state)) => {
            let (task, state) = (task.clone().unbind(), *state);
            return Ok(Bound::new(py, State { task, state })?.into_any());
        }
        (_, Err(state)) => state,
        (Err(_), Ok(_)) => return Err(other_engine()),
    };
    let state = match (task.cast::<LiftedTask>(), state.downcast()) {
        (Ok(task), Ok(state)) => {
            let (task, state) = (task.clone().unbind(), *state);
            return Ok(Bound::new(py, LiftedState { task, state })?.into_any());
        }
        (_, Err(state)) => state,
        (Err(_), Ok(_)) => return Err(other_engine()),
    };
    match (task.cast::<RddlTask>(), state.downcast()) {
        (Ok(task), Ok(values)) => {
            let (task, values) = (task.clone().unbind(), *values);
            Ok(Bound::new(py, RddlState { task, values })?.into_any())
        }
        _ => Err(other_engine()),
    }
}

/// Converts a state of `task` to an engine's state.
pub fn unwrap(task: &Bound<'_, PyAny>, state: &Bound<'_, PyAny>) -> PyResult<Box<dyn Any>> {
    let other = || PyValueError::new_err("the state belongs to another problem than the current one");
    if let (Ok(task), Ok(state)) = (task.cast::<Task>(), state.cast::<State>()) {
        let same = task.get().is_same(state.get().task.get());
        let own = same.then(|| Box::new(state.get().state.clone()) as _);
        return own.ok_or_else(other);
    }
    if let (Ok(task), Ok(state)) = (task.cast::<LiftedTask>(), state.cast::<LiftedState>()) {
        let same = task.get().is_same(state.get().task.get());
        let own = same.then(|| Box::new(state.get().state.clone()) as _);
        return own.ok_or_else(other);
    }
    if let (Ok(task), Ok(state)) = (task.cast::<RddlTask>(), state.cast::<RddlState>()) {
        let same = task.get().is_same(state.get().task.get());
        let own = same.then(|| Box::new(state.get().values.clone()) as _);
        return own.ok_or_else(other);
    }
    Err(PyTypeError::new_err(format!(
        "a state of {task} is set, not {state}"
    )))
}

fn other_engine() -> PyErr {
    PyTypeError::new_err("these environments have no task states: use their facts")
}

/// The greatest number of characters of a state in a repr.
const LONGEST: usize = 200;

/// Returns the beginning of the text of a state, for reprs.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
