//! `RddlState`: values of the ground state fluents.

use std::hash::{DefaultHasher, Hash, Hasher};

use herbrand_rddl_sim::simulate::{FluentValue, Values};
use numpy::PyArray3;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyIterator, PyList};

use super::task::RddlTask;
use super::values::to_python;
use crate::errors::Reduced;
use crate::picture;
use crate::states::shortened;

/// A state of an RDDL task: a value for each ground state fluent. It is an immutable mapping from names to values: bools,
/// ints, floats, and the names of objects and enum values.
///
/// States of one task are equal if their values are equal, and can be keys of dicts.
#[pyclass(frozen, mapping, module = "herbrand")]
pub struct RddlState {
    pub task: Py<RddlTask>,
    pub values: Values,
}

impl RddlState {
    fn value(&self, fluent: usize) -> FluentValue {
        let compiled = self.task.get().compiled();
        compiled.state.section().get(&self.values, fluent)
    }
}

#[pymethods]
impl RddlState {
    /// The task of the state.
    #[getter]
    fn task(&self, py: Python<'_>) -> Py<RddlTask> {
        self.task.clone_ref(py)
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let task = self.task.get();
        let fluent = task.state_places().get(name).copied();
        let fluent = fluent.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        let compiled = task.compiled();
        let range = compiled.range(&compiled.state, fluent);
        to_python(py, &compiled.instance, range, self.value(fluent))
    }

    fn __contains__(&self, name: &Bound<'_, PyAny>) -> bool {
        let name = name.extract::<String>();
        name.is_ok_and(|name| self.task.get().state_places().contains_key(&name))
    }

    fn __len__(&self) -> usize {
        self.values.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.task.get().state_names())?.try_iter()
    }

    /// Returns the names of the ground state fluents in order of declaration.
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.task.get().state_names())
    }

    /// Returns the values in the order of the names.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        Ok(self.to_dict(py)?.values())
    }

    /// Returns the pairs of name and value.
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        Ok(self.to_dict(py)?.items())
    }

    /// Returns the value of a ground state fluent, or `default` if the name is unknown.
    #[pyo3(signature = (name, default = None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.task.get().state_places().contains_key(name) {
            return self.__getitem__(py, name).map(Some);
        }
        Ok(default)
    }

    /// Returns the values as a dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let task = self.task.get();
        let compiled = task.compiled();
        let value = |fluent| Some(self.value(fluent));
        super::values::to_dict(py, compiled, &compiled.state, task.state_names(), value)
    }

    /// Returns a copy with other values for some fluents, given by name.
    ///
    /// Raises
    /// ------
    /// UnknownNameError
    ///     If there is no such state fluent.
    /// InvalidActionError
    ///     If a value is not in the range of its fluent.
    fn replaced(slf: &Bound<'_, Self>, values: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, this) = (slf.py(), slf.get());
        let task = this.task.get();
        let values =
            super::values::with_values(task.compiled(), task.state_places(), &this.values, Some(values))?;
        Ok(Self {
            task: this.task.clone_ref(py),
            values,
        })
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let same = |other: &Self| self.values == other.values && self.task.get().is_same(other.task.get());
        other.cast::<Self>().is_ok_and(|other| same(other.get()))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        // 0 and -0 are equal, so they must have the same hash.
        for fluent in 0..self.values.len() {
            (self.value(fluent).number() + 0.0).to_bits().hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Returns the picture of the state as SVG, drawn by ``[render]`` in the domain's ``env.toml`` or by a generic layout.
    ///
    /// Parameters
    /// ----------
    /// theme : {"auto", "light", "dark"}
    ///     ``"auto"`` follows the preference of the reader's browser.
    #[pyo3(signature = (theme = "auto"))]
    fn svg(&self, py: Python<'_>, theme: &str) -> PyResult<String> {
        let theme = picture::theme(theme)?;
        Ok(self.task.get().scene(py, &self.values)?.to_svg(theme))
    }

    /// Returns the picture of the state as pixels: an array of uint8, (height, width, 3).
    ///
    /// Parameters
    /// ----------
    /// size : (int, int), optional
    ///     Height and width; by default the picture's own size.
    /// theme : {"light", "dark"}
    #[pyo3(signature = (size = None, *, theme = "light"))]
    fn image<'py>(
        &self,
        py: Python<'py>,
        size: Option<(u32, u32)>,
        theme: &str,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let theme = picture::theme(theme)?;
        picture::pixels(py, &self.task.get().scene(py, &self.values)?, theme, size)
    }

    /// Returns the picture for notebooks.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.svg(py, "auto")
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let values = self.to_dict(py)?.to_string();
        Ok(format!("RddlState({})", shortened(&values)))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let unpack = self.task.bind(py).getattr("_unpack")?;
        let arguments = (PyBytes::new(py, &self.values.pack()),);
        Ok((unpack, arguments.into_pyobject(py)?))
    }
}
