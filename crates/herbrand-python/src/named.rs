//! Steps whose actions and observations are dicts from names to values.
//!
//! ```text
//!   {"push": 1.5} ──▶ (field, number) … ──▶ EnvCore ──▶ row of numbers ──▶ {"lost": 0, "angle": array([0.1])}
//! ```
//!
//! An action is read as what it sets, however many fields there are. Of the dict of an observation a copy is kept, in which only the
//! numbers that have changed are written anew.

use std::sync::Mutex;

use bytemuck::cast_slice_mut;
use herbrand_core::{ActionField, Domain, Elements, Step};
use numpy::PyArray1;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyMapping, PyString, PyTuple};

use crate::env::{EnvCore, Stepped, step_info};
use crate::erased::Given;
use crate::errors::{self, poisoned};

/// The steps of an environment by names: what `herbrand.rddl.RddlEnv` takes and gives where both are dicts.
#[pyclass(frozen, module = "herbrand._herbrand")]
pub struct NamedSteps {
    env: Py<EnvCore>,
    /// By name: the number of an action field.
    fields: Py<PyDict>,
    /// By action field: the numbers of its values by name, where they have names.
    values: Vec<Option<Py<PyDict>>>,
    /// The parts of an observation that are ints, and those that are arrays of one number.
    discrete: Vec<Part>,
    arrays: Vec<(Part, Element)>,
    kept: Mutex<Option<Kept>>,
}

/// A part of an observation: its name, and its place in the row.
struct Part {
    name: Py<PyString>,
    at: usize,
}

/// What an array of one number is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    Int,
    Real,
}

/// What is used again from step to step.
struct Kept {
    numbers: Vec<(u32, f64)>,
    row: Vec<f64>,
    /// Empty where no field of an action is discrete.
    mask: Vec<i8>,
    /// The parts that are ints, as `row` was when they were written; all other values are None.
    dict: Py<PyDict>,
    told: Vec<f64>,
}

#[pymethods]
impl NamedSteps {
    /// `actions` has the name of each action field, and its values by name if they have names; `seen` has the name of each number of
    /// an observation, and whether it is "discrete", an "int" or a "real".
    #[new]
    fn new(
        py: Python<'_>,
        env: Py<EnvCore>,
        actions: Vec<(Bound<'_, PyString>, Option<Py<PyDict>>)>,
        seen: Vec<(Py<PyString>, String)>,
    ) -> PyResult<Self> {
        if seen.len() > env.get().description().widths.observation {
            return Err(PyValueError::new_err(
                "an observation has fewer numbers than names",
            ));
        }
        let fields = PyDict::new(py);
        let mut values = Vec::with_capacity(actions.len());
        for (number, (name, of_name)) in actions.into_iter().enumerate() {
            fields.set_item(name, number)?;
            values.push(of_name);
        }
        let (mut discrete, mut ints, mut reals) = (Vec::new(), Vec::new(), Vec::new());
        for (at, (name, kind)) in seen.into_iter().enumerate() {
            let part = Part { name, at };
            match kind.as_str() {
                "discrete" => discrete.push(part),
                "int" => ints.push((part, Element::Int)),
                "real" => reals.push((part, Element::Real)),
                _ => {
                    return Err(PyValueError::new_err(format!(
                        "there is no kind {kind:?} of numbers"
                    )));
                }
            }
        }
        ints.append(&mut reals);
        Ok(Self {
            env,
            fields: fields.unbind(),
            values,
            discrete,
            arrays: ints,
            kept: Mutex::new(None),
        })
    }

    /// Takes an action: a tuple (observation, reward, terminated, truncated, info).
    fn step<'py>(&self, py: Python<'py>, action: &Bound<'py, PyAny>) -> PyResult<Stepped<'py>> {
        // Taken out, so that the lock is not held while Python code may run.
        let kept = self.kept.lock().map_err(|_| poisoned())?.take();
        let mut kept = match kept {
            Some(kept) => kept,
            None => self.nothing(py)?,
        };
        let stepped = self.step_with(py, action, &mut kept);
        *self.kept.lock().map_err(|_| poisoned())? = Some(kept);
        stepped
    }
}

impl NamedSteps {
    /// What is kept before the first step.
    fn nothing(&self, py: Python<'_>) -> PyResult<Kept> {
        let dict = PyDict::new(py);
        let arrays = self.arrays.iter().map(|(part, _)| part);
        for part in self.discrete.iter().chain(arrays) {
            dict.set_item(&part.name, py.None())?;
        }
        let description = self.env.get().description();
        let is_discrete = |field: &ActionField| matches!(field.domain, Domain::Discrete { .. });
        let has_mask = description.fields.iter().any(is_discrete);
        let width = description.widths.observation;
        Ok(Kept {
            numbers: Vec::new(),
            row: vec![0.0; width],
            mask: vec![0; if has_mask { description.widths.mask } else { 0 }],
            dict: dict.unbind(),
            told: vec![f64::NAN; width],
        })
    }

    fn step_with<'py>(
        &self,
        py: Python<'py>,
        action: &Bound<'py, PyAny>,
        kept: &mut Kept,
    ) -> PyResult<Stepped<'py>> {
        self.read(action, &mut kept.numbers)?;
        let Kept {
            numbers, row, mask, ..
        } = &mut *kept;
        let step: Step = self.env.get().with(py, |env| {
            let step = env.step(Given::Numbers(numbers))?;
            env.see(cast_slice_mut(mask), Elements::F64(row))?;
            Ok(step)
        })?;
        let mask = (!mask.is_empty()).then(|| PyArray1::from_slice(py, mask));
        let info = step_info(py, mask, &step)?;
        let observation = self.tell(py, kept)?.into_any();
        Ok((observation, step.reward, step.terminated, step.truncated, info))
    }

    /// Reads what a dict sets, in order of the fields' numbers.
    fn read(&self, action: &Bound<'_, PyAny>, into: &mut Vec<(u32, f64)>) -> PyResult<()> {
        into.clear();
        if action.is_none() {
            return Ok(());
        }
        let py = action.py();
        let items = match action.cast::<PyDict>() {
            Ok(items) => items.clone(),
            Err(_) => copied(action)?,
        };
        let fields = self.fields.bind(py);
        // What may run Python code, which may change the dict, comes after the loop.
        let mut rest = Vec::new();
        for (name, value) in &items {
            let known = match name.cast_exact::<PyString>() {
                Ok(name) => fields.get_item(name)?,
                Err(_) => None,
            };
            match (known, plain(&value)) {
                (Some(field), Some(number)) => into.push((field.extract()?, number)),
                (field, _) => rest.push((name, field, value)),
            }
        }
        for (name, field, value) in rest {
            let field = match field {
                Some(field) => field,
                None => fields.get_item(&name)?.ok_or_else(|| self.unknown(&name))?,
            };
            let field: u32 = field.extract()?;
            into.push((field, self.number(&name, field, &value)?));
        }
        into.sort_unstable_by_key(|&(field, _)| field);
        Ok(())
    }

    /// A value as a number: that of its name, or the element of an array with one.
    fn number(&self, name: &Bound<'_, PyAny>, field: u32, value: &Bound<'_, PyAny>) -> PyResult<f64> {
        let py = value.py();
        let Ok(text) = value.cast::<PyString>() else {
            let element = py.import("numpy")?.call_method1("asarray", (value,))?;
            return element.call_method0("item")?.extract();
        };
        let text = text.to_str()?;
        let values = self.values.get(field as usize).and_then(Option::as_ref);
        let number = match values {
            Some(values) => values.bind(py).get_item(text.strip_prefix('@').unwrap_or(text))?,
            None => None,
        };
        match number {
            Some(number) => number.extract(),
            None => {
                let text = format!("`{}` cannot be {}", name.str()?, value.repr()?);
                Err(errors::exception(
                    py,
                    "InvalidActionError",
                    (text, PyTuple::empty(py)),
                ))
            }
        }
    }

    #[cold]
    fn unknown(&self, name: &Bound<'_, PyAny>) -> PyErr {
        let py = name.py();
        let known: Vec<String> = self
            .fields
            .bind(py)
            .keys()
            .iter()
            .map(|name| name.to_string())
            .collect();
        let name = name
            .repr()
            .map_or_else(|_| "of this name".to_owned(), |name| name.to_string());
        let text = format!("there is no action fluent {name}: there is {}", known.join(", "));
        errors::message(py, "UnknownNameError", &text)
    }

    /// The row as a dict.
    fn tell<'py>(&self, py: Python<'py>, kept: &mut Kept) -> PyResult<Bound<'py, PyDict>> {
        let dict = kept.dict.bind(py);
        for Part { name, at } in &self.discrete {
            let number = kept.row[*at];
            if kept.told[*at] != number {
                dict.set_item(name, number as i64)?;
                kept.told[*at] = number;
            }
        }
        let seen = dict.copy()?;
        for (Part { name, at }, element) in &self.arrays {
            let number = kept.row[*at];
            match element {
                Element::Int => seen.set_item(name, PyArray1::from_slice(py, &[number as i64]))?,
                Element::Real => seen.set_item(name, PyArray1::from_slice(py, &[number]))?,
            }
        }
        Ok(seen)
    }
}

/// The number that a float, an int or a bool is; none of another value, and of an int that no float holds.
fn plain(value: &Bound<'_, PyAny>) -> Option<f64> {
    if let Ok(number) = value.cast_exact::<PyFloat>() {
        return Some(number.value());
    }
    if let Ok(truth) = value.cast_exact::<PyBool>() {
        return Some(f64::from(u8::from(truth.is_true())));
    }
    value.cast_exact::<PyInt>().ok()?.extract().ok()
}

/// A mapping as a dict.
fn copied<'py>(action: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    let py = action.py();
    let Ok(mapping) = action.cast::<PyMapping>() else {
        let text = format!(
            "an action is a mapping from names of action fluents to values, not {}",
            action.repr()?
        );
        return Err(PyTypeError::new_err(text));
    };
    let items = PyDict::new(py);
    items.call_method1(intern!(py, "update"), (mapping,))?;
    Ok(items)
}
