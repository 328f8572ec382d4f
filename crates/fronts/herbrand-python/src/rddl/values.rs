//! Conversion between RDDL values and Python values: bool, int, float, and the names of objects and enum values.

use std::collections::HashMap;

use fxhash::FxBuildHasher;
use herbrand_core::{Choice, FieldValue};
use herbrand_rddl::{Instance, Range};
use herbrand_rddl_sim::simulate::{CompiledInstance, FluentValue, GroundFluents, Values};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::errors;

/// A number for Python: an int if it is one in RDDL, so that it is exact.
#[derive(IntoPyObject)]
pub enum Number {
    Int(i64),
    Real(f64),
}

/// The indices of ground fluents by name.
pub type Places = HashMap<String, usize, FxBuildHasher>;

/// Returns the indices of ground fluents by name.
pub fn places(compiled: &CompiledInstance, fluents: &GroundFluents) -> Places {
    (0..fluents.len())
        .map(|at| (compiled.name(fluents, at), at))
        .collect()
}

/// Converts a value to Python.
pub fn to_python<'py>(
    py: Python<'py>,
    instance: &Instance,
    range: Range,
    value: FluentValue,
) -> PyResult<Bound<'py, PyAny>> {
    match (range, value) {
        (Range::Item(of), FluentValue::Int(place)) => instance
            .item_name(of, place as u32)
            .as_str()
            .into_bound_py_any(py),
        (_, FluentValue::Bool(value)) => value.into_bound_py_any(py),
        (_, FluentValue::Int(value)) => value.into_bound_py_any(py),
        (_, FluentValue::Real(value)) => value.into_bound_py_any(py),
    }
}

/// Converts a Python value to a value of a range: a bool (or 0 and 1), an int, a float, or the name or index of an item. An
/// array with one element is treated as its element.
pub fn from_python(
    instance: &Instance,
    name: &str,
    range: Range,
    given: &Bound<'_, PyAny>,
) -> PyResult<FluentValue> {
    let given = &scalar(given)?;
    let fault = |expected: &str| {
        let text = format!("`{name}` takes {expected}, not {given}");
        errors::exception(
            given.py(),
            "InvalidActionError",
            (text, pyo3::types::PyTuple::empty(given.py())),
        )
    };
    match range {
        Range::Bool => match given.extract::<f64>() {
            Ok(number) if number == 0.0 || number == 1.0 => Ok(FluentValue::Bool(number == 1.0)),
            _ => Err(fault("a bool")),
        },
        Range::Int => match given.extract::<i64>() {
            Ok(number) => Ok(FluentValue::Int(number)),
            Err(_) => Err(fault("an int")),
        },
        Range::Real => match given.extract::<f64>() {
            Ok(number) => Ok(FluentValue::Real(number)),
            Err(_) => Err(fault("a number")),
        },
        Range::Item(of) => {
            let place = match given.cast::<PyString>() {
                Ok(item) => instance.find_item(of, item.to_str()?.trim_start_matches('@')),
                Err(_) => given.extract::<u32>().ok(),
            };
            let type_name = &instance.domain.type_of(of).name;
            match place.filter(|&place| place < instance.size(of)) {
                Some(place) => Ok(FluentValue::Int(i64::from(place))),
                None => Err(fault(&format!("an item of `{type_name}`"))),
            }
        }
    }
}

/// Returns the element of an array with one element; returns other values unchanged.
fn scalar<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let is_plain = given.is_instance_of::<pyo3::types::PyFloat>()
        || given.is_instance_of::<pyo3::types::PyInt>()
        || given.is_instance_of::<PyString>();
    if !is_plain && given.hasattr("item")? {
        return given.call_method0("item");
    }
    Ok(given.clone())
}

/// Returns the values of ground fluents as a dict by name.
pub fn to_dict<'py>(
    py: Python<'py>,
    compiled: &CompiledInstance,
    fluents: &GroundFluents,
    names: &[Py<PyString>],
    value: impl Fn(usize) -> Option<FluentValue>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (at, name) in names.iter().enumerate() {
        if let Some(value) = value(at) {
            let value = to_python(py, &compiled.instance, compiled.range(fluents, at), value)?;
            dict.set_item(name, value)?;
        }
    }
    Ok(dict)
}

/// Returns the names and values of a mapping; empty for None.
pub fn items<'py>(given: Option<&Bound<'py, PyAny>>) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
    let Some(given) = given.filter(|given| !given.is_none()) else {
        return Ok(Vec::new());
    };
    let not = |_| PyTypeError::new_err(format!("names with values are a mapping, not {given}"));
    let items = given.call_method0("items").map_err(not)?;
    items.try_iter()?.map(|item| item?.extract()).collect()
}

/// Returns the index of a name, or an error that suggests the nearest name.
pub fn place(py: Python<'_>, places: &Places, name: &str, what: &str) -> PyResult<usize> {
    places.get(name).copied().ok_or_else(|| {
        let known = places.keys().map(String::as_str);
        let mut known: Vec<&str> = known.collect();
        known.sort_unstable();
        let near = herbrand_text::nearest(name, known);
        let hint = herbrand_text::did_you_mean(near);
        let text = format!("there is no {what} `{name}`{hint}");
        errors::message(py, "UnknownNameError", &text)
    })
}

/// Reads a joint action from a mapping from names of action fluents to values.
pub fn joint(
    compiled: &CompiledInstance,
    places: &Places,
    given: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Choice>> {
    let mut choices = Vec::new();
    for (name, value) in items(given)? {
        let at = place(value.py(), places, &name, "action fluent")?;
        let range = compiled.range(&compiled.action, at);
        let value = from_python(&compiled.instance, &name, range, &value)?;
        choices.push(Choice {
            field: at as u32,
            value: to_choice(value, range),
        });
    }
    Ok(choices)
}

/// Returns a state with some values replaced by name.
pub fn with_values(
    compiled: &CompiledInstance,
    places: &Places,
    state: &Values,
    given: Option<&Bound<'_, PyAny>>,
) -> PyResult<Values> {
    let mut state = state.clone();
    for (name, value) in items(given)? {
        let at = place(value.py(), places, &name, "state fluent")?;
        let range = compiled.range(&compiled.state, at);
        let value = from_python(&compiled.instance, &name, range, &value)?;
        compiled.state.section().set(&mut state, at, value);
    }
    Ok(state)
}

/// Converts the value of an action field to a fluent value.
pub fn of_choice(value: FieldValue, range: Range) -> FluentValue {
    match (range, value) {
        (Range::Bool, FieldValue::Discrete(value)) => FluentValue::Bool(value != 0),
        (_, FieldValue::Discrete(place)) => FluentValue::Int(i64::from(place)),
        (_, FieldValue::Int(value)) => FluentValue::Int(value),
        (_, FieldValue::Real(value)) => FluentValue::Real(value),
    }
}

/// Converts the value of an action fluent to a value of its field.
fn to_choice(value: FluentValue, range: Range) -> FieldValue {
    match (range, value) {
        (Range::Bool | Range::Item(_), value) => FieldValue::Discrete(value.number() as u32),
        (_, FluentValue::Int(value)) => FieldValue::Int(value),
        (_, value) => FieldValue::Real(value.number()),
    }
}
