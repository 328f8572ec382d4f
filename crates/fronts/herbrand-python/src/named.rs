//! Steps with actions and observations that are dicts from names to values.
//!
//! ```text
//!   {"push": 1.5} ──▶ (field, number) … ──▶ EnvCore ──▶ row of numbers ──▶ {"lost": 0, "angle": array([0.1])}
//! ```
//!
//! An action is read as the fields that it sets, however many fields there are. The dict of an observation is a copy of a
//! cached dict (a page) in which only changed values are written:
//!
//! ```text
//!   step 1   page A ── copy ──▶ {"lost": 0, "angle": array #1, …}     the caller's
//!   step 2   page B ── copy ──▶ {"lost": 0, "angle": array #2, …}
//!   step 3   page A             the caller has dropped array #1, …: the numbers are written into them again
//! ```
//!
//! Arrays that the caller still holds are replaced by new ones. If observations have no arrays, one page suffices.

use std::sync::Mutex;

use bytemuck::cast_slice_mut;
use herbrand_core::{Elements, FieldValue};
use herbrand_tasks::any::ActionInput;
use herbrand_text::{did_you_mean, nearest};
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyMapping, PyString, PyTuple};

use crate::env::{EnvCore, Stepped};
use crate::errors::{self, poisoned};

/// The step function of `herbrand.rddl.RddlEnv` if both actions and observations are dicts.
#[pyclass(frozen, module = "herbrand._herbrand")]
pub struct NamedSteps {
    env: Py<EnvCore>,
    /// Maps names to indices of action fields.
    fields: Py<PyDict>,
    /// For each action field, the indices of its values by name; `None` if they have no names.
    values: Vec<Option<Py<PyDict>>>,
    /// The parts of an observation that are ints; then those that are arrays of one int, and of one real.
    discrete: Vec<ObservationColumn>,
    ints: Vec<ObservationColumn>,
    reals: Vec<ObservationColumn>,
    kept: Mutex<Option<ReusedBuffers>>,
}

/// A part of an observation: its name and its index in the row.
struct ObservationColumn {
    name: Py<PyString>,
    at: usize,
}

/// Buffers that are reused from step to step.
struct ReusedBuffers {
    numbers: Vec<(u32, FieldValue)>,
    /// The exact cells of an observation.
    row: Vec<i64>,
    /// Empty if no field of an action is discrete.
    mask: Vec<i8>,
    /// The cached dicts, used alternately.
    pages: [Page; 2],
    /// The index of the next page.
    next: usize,
}

/// A cached dict; observations are copies of it.
struct Page {
    dict: Py<PyDict>,
    /// The ints in it, by index in the row.
    told: Vec<i64>,
    ints: Block<i64>,
    reals: Block<f64>,
}

/// Arrays of one number each, all views of a single array.
struct Block<T> {
    all: Py<PyArray2<T>>,
    views: Vec<Py<PyArray1<T>>>,
}

impl Page {
    /// Creates a page on which all numbers are 0.
    fn new(py: Python<'_>, steps: &NamedSteps) -> PyResult<Self> {
        let dict = PyDict::new(py);
        for part in &steps.discrete {
            dict.set_item(&part.name, 0)?;
        }
        Ok(Self {
            ints: Block::new(&dict, &steps.ints)?,
            reals: Block::new(&dict, &steps.reals)?,
            told: vec![0; steps.discrete.len()],
            dict: dict.unbind(),
        })
    }

    /// Returns whether the caller has dropped all of its arrays.
    fn is_free(&self, py: Python<'_>) -> bool {
        self.ints.is_free(py) && self.reals.is_free(py)
    }

    /// Writes a row to the page, and returns a copy of its dict.
    fn tell<'py>(
        &mut self,
        py: Python<'py>,
        steps: &NamedSteps,
        row: &[i64],
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = self.dict.bind(py);
        for (part, told) in steps.discrete.iter().zip(&mut self.told) {
            let number = row[part.at];
            if *told != number {
                dict.set_item(&part.name, number)?;
                *told = number;
            }
        }
        self.ints.write(py, steps.ints.iter().map(|part| row[part.at]))?;
        let reals = steps.reals.iter().map(|part| f64::from_bits(row[part.at] as u64));
        self.reals.write(py, reals)?;
        dict.copy()
    }
}

impl<T: Element> Block<T> {
    /// Creates the arrays of these parts and adds them to a dict.
    fn new(dict: &Bound<'_, PyDict>, parts: &[ObservationColumn]) -> PyResult<Self> {
        let all = PyArray2::zeros(dict.py(), [parts.len(), 1], false);
        let mut views = Vec::with_capacity(parts.len());
        for (part, view) in parts.iter().zip(all.try_iter()?) {
            let view: Bound<'_, PyArray1<T>> = view?.cast_into()?;
            dict.set_item(&part.name, &view)?;
            views.push(view.unbind());
        }
        Ok(Self {
            all: all.unbind(),
            views,
        })
    }

    /// Returns whether the arrays and their memory have no users outside of this page. Every such user holds a reference to
    /// an array or to the whole.
    fn is_free(&self, py: Python<'_>) -> bool {
        // Each view is referenced by us and by the dict; the whole array is referenced by us and by each view.
        let is_free = |view: &Py<PyArray1<T>>| {
            let view = view.bind(py);
            references(view) == 2 && view.shape() == [1]
        };
        references(self.all.bind(py)) == 1 + self.views.len() as isize && self.views.iter().all(is_free)
    }

    fn write(&self, py: Python<'_>, numbers: impl Iterator<Item = T>) -> PyResult<()> {
        if self.views.is_empty() {
            return Ok(());
        }
        let mut all = self.all.bind(py).try_readwrite()?;
        let cells = all.as_slice_mut()?;
        cells
            .iter_mut()
            .zip(numbers)
            .for_each(|(cell, number)| *cell = number);
        Ok(())
    }
}

/// Returns the number of references to an object.
fn references(object: &Bound<'_, PyAny>) -> isize {
    #[expect(deprecated, reason = "the function that takes its place is unsafe")]
    object.get_refcnt()
}

#[pymethods]
impl NamedSteps {
    /// `actions` has the name of each action field, with the indices of its values by name if they have names. `seen` has
    /// the name of each number of an observation, and its kind: "discrete", "int" or "real".
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
            let part = ObservationColumn { name, at };
            match kind.as_str() {
                "discrete" => discrete.push(part),
                "int" => ints.push(part),
                "real" => reals.push(part),
                _ => {
                    return Err(PyValueError::new_err(format!(
                        "there is no kind {kind:?} of numbers"
                    )));
                }
            }
        }
        Ok(Self {
            env,
            fields: fields.unbind(),
            values,
            discrete,
            ints,
            reals,
            kept: Mutex::new(None),
        })
    }

    /// Takes an action; returns a tuple (observation, reward, terminated, truncated, info).
    fn step<'py>(&self, py: Python<'py>, action: &Bound<'py, PyAny>) -> PyResult<Stepped<'py>> {
        // The buffers are taken out, so that the lock is not held while Python code may run.
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
    /// Creates the buffers for the first step.
    fn nothing(&self, py: Python<'_>) -> PyResult<ReusedBuffers> {
        let description = self.env.get().description();
        Ok(ReusedBuffers {
            numbers: Vec::new(),
            row: vec![0; description.widths.observation],
            mask: vec![0; description.mask_len()],
            pages: [Page::new(py, self)?, Page::new(py, self)?],
            next: 0,
        })
    }

    fn step_with<'py>(
        &self,
        py: Python<'py>,
        action: &Bound<'py, PyAny>,
        kept: &mut ReusedBuffers,
    ) -> PyResult<Stepped<'py>> {
        self.read(action, &mut kept.numbers)?;
        let ReusedBuffers {
            numbers, row, mask, ..
        } = &mut *kept;
        let result = self.env.get().with(py, |env| {
            let step = env.step(ActionInput::Numbers(numbers))?;
            env.see(cast_slice_mut(mask), Some(Elements::I64(row)))?;
            Ok(step)
        })?;
        let mask = (!mask.is_empty()).then(|| PyArray1::from_slice(py, mask));
        let action = ActionInput::Numbers(numbers);
        let (info, step) = (self.env.get().step_info(py, mask, action, &result)?, result.step);
        if !(self.ints.is_empty() && self.reals.is_empty()) {
            kept.next = 1 - kept.next;
        }
        let page = &mut kept.pages[kept.next];
        if !page.is_free(py) {
            *page = Page::new(py, self)?;
        }
        let observation = page.tell(py, self, &kept.row)?.into_any();
        Ok((observation, step.reward, step.terminated, step.truncated, info))
    }

    /// Reads the fields that a dict sets, in ascending order.
    fn read(&self, action: &Bound<'_, PyAny>, into: &mut Vec<(u32, FieldValue)>) -> PyResult<()> {
        into.clear();
        if action.is_none() {
            return Ok(());
        }
        let py = action.py();
        let items = match action.cast::<PyDict>() {
            Ok(items) => items.clone(),
            Err(_) => self.copied(action)?,
        };
        let fields = self.fields.bind(py);
        // Conversions that may run Python code, which could modify the dict, are done after the loop.
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

    /// Converts a value to a number: the index of a named value, or the element of an array with one element.
    fn number(&self, name: &Bound<'_, PyAny>, field: u32, value: &Bound<'_, PyAny>) -> PyResult<FieldValue> {
        let py = value.py();
        let Ok(text) = value.cast::<PyString>() else {
            let element = py.import("numpy")?.call_method1("asarray", (value,))?;
            let element = element.call_method0("item")?;
            return plain(&element).map_or_else(|| element.extract().map(FieldValue::Real), Ok);
        };
        let text = text.to_str()?;
        let values = self.values.get(field as usize).and_then(Option::as_ref);
        let number = match values {
            Some(values) => values.bind(py).get_item(text.strip_prefix('@').unwrap_or(text))?,
            None => None,
        };
        match number {
            Some(number) => number.extract().map(FieldValue::Int),
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

    /// Copies a mapping to a dict.
    fn copied<'py>(&self, action: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let py = action.py();
        let Ok(mapping) = action.cast::<PyMapping>() else {
            let example = self.fields.bind(py).iter().next();
            let example = example.map(|(fluent, field)| {
                let values = self
                    .values
                    .get(field.extract::<usize>()?)
                    .and_then(Option::as_ref);
                let value = values.and_then(|values| values.bind(py).keys().iter().next());
                let value = value.map_or_else(
                    || Ok("1".to_owned()),
                    |value| value.repr().map(|text| text.to_string()),
                )?;
                Ok::<_, PyErr>(format!(", such as {{{}: {value}}}", fluent.repr()?))
            });
            let example = example.transpose()?;
            return Err(PyTypeError::new_err(format!(
                "an action is not {}, but a mapping from action fluents to values{}",
                action.repr()?,
                example.unwrap_or_default()
            )));
        };
        let items = PyDict::new(py);
        items.call_method1(intern!(py, "update"), (mapping,))?;
        Ok(items)
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
        let meant = nearest(&name.to_string(), known.iter().map(String::as_str));
        let hint = match meant {
            Some(_) => did_you_mean(meant),
            None => format!(": there is {}", known.join(", ")),
        };
        let name = name
            .repr()
            .map_or_else(|_| "of this name".to_owned(), |name| name.to_string());
        let text = format!("there is no action fluent {name}{hint}");
        errors::message(py, "UnknownNameError", &text)
    }
}

/// Returns the number of a float, an int or a bool; `None` for other values, and for ints of more than 64 bits.
pub fn plain(value: &Bound<'_, PyAny>) -> Option<FieldValue> {
    if let Ok(number) = value.cast_exact::<PyFloat>() {
        return Some(FieldValue::Real(number.value()));
    }
    if let Ok(truth) = value.cast_exact::<PyBool>() {
        return Some(FieldValue::Int(i64::from(truth.is_true())));
    }
    value
        .cast_exact::<PyInt>()
        .ok()?
        .extract()
        .ok()
        .map(FieldValue::Int)
}
