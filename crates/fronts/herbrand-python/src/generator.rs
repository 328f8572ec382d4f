//! `Generator`: random generation of problems.

use herbrand_generate::GenerateError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::errors::{self, IntoException, OrRaise, guarded};

/// A generator of problems of a bundled domain, each with a plan.
///
/// Use `herbrand.generate` and `herbrand.generate_suite` to create problems and suites.
///
/// Parameters
/// ----------
/// domain : str
///     The name of a bundled domain. If a domain has levels, each level has its own generator.
///
/// Raises
/// ------
/// UnknownNameError
///     If the domain does not exist.
///
/// Examples
/// --------
/// >>> import herbrand
/// >>> generator = herbrand.Generator("blocks")
/// >>> generator.size_meaning
/// 'blocks'
#[pyclass(frozen, module = "herbrand")]
pub struct Generator(&'static herbrand_generate::Generator);

#[pymethods]
impl Generator {
    #[new]
    fn new(py: Python<'_>, domain: &str) -> PyResult<Self> {
        herbrand_generate::Generator::get(domain).or_raise(py).map(Self)
    }

    /// Returns the names of the domains with a generator, in alphabetical order.
    #[staticmethod]
    fn domains() -> Vec<&'static str> {
        let all = herbrand_generate::Generator::all().iter();
        all.map(herbrand_generate::Generator::name).collect()
    }

    /// The name of the domain.
    #[getter]
    fn domain(&self) -> &'static str {
        self.0.name()
    }

    /// A short description of the quantity that the size counts.
    #[getter]
    fn size_meaning(&self) -> &'static str {
        self.0.size_meaning()
    }

    /// The smallest and the largest size.
    #[getter]
    fn sizes(&self) -> (u32, u32) {
        let sizes = self.0.sizes();
        (*sizes.start(), *sizes.end())
    }

    /// Generates problem number `index` for a seed and a size; returns its name, its PDDL, and the steps of a plan.
    fn draw(
        &self,
        py: Python<'_>,
        size: u32,
        seed: u64,
        index: u64,
    ) -> PyResult<(String, String, Vec<String>)> {
        let made = guarded(py, || self.0.generate(seed, size, index))?.or_raise(py)?;
        Ok((made.name, made.problem, made.plan))
    }

    fn __repr__(&self) -> String {
        let (least, most) = self.sizes();
        format!(
            "<Generator {}: {least} to {most} {}>",
            self.0.name(),
            self.0.size_meaning()
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (&'static str,)) {
        (py.get_type::<Self>(), (self.0.name(),))
    }
}

impl IntoException for GenerateError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        let class = match self {
            Self::UnknownDomain { .. } => "UnknownNameError",
            Self::Size { .. } => return pyo3::exceptions::PyValueError::new_err(self.to_string()),
            _ => "HerbrandError",
        };
        errors::message(py, class, &self.to_string())
    }
}
