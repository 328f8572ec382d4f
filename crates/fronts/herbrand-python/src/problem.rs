//! `Problem`: a parsed PDDL problem.

use std::sync::Arc;

use herbrand_pddl::{Diagnostic, Source};
use herbrand_text::counted;
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use crate::domain::{Domain, equality, text_or_file};
use crate::errors::{self, OrRaise};
use crate::lifted::Lifted;
use crate::page;

/// A planning problem of a domain: objects, initial state, goal, metric.
///
/// Parameters
/// ----------
/// text : str, bytes or path
///     PDDL or PPDDL text that defines one problem, or the path of such a file: a `pathlib.Path`, or a str without
///     parentheses and line breaks.
/// domain : Domain
///     The domain of the problem.
/// name : str, optional
///     The name of the text in messages; by default the path of the file, or ``"problem"``.
///
/// Raises
/// ------
/// ParseError
///     If the text is invalid; it lists all faults.
/// OSError
///     If a file cannot be read.
#[pyclass(frozen, weakref, module = "herbrand")]
pub struct Problem {
    pub model: Arc<herbrand_pddl::Problem>,
    domain: Py<Domain>,
    warnings: Vec<Diagnostic>,
}

impl Problem {
    pub fn new(model: herbrand_pddl::Problem, domain: Py<Domain>) -> Self {
        Self {
            model: Arc::new(model),
            domain,
            warnings: Vec::new(),
        }
    }

    /// Returns the domain of the problem.
    pub const fn domain_ref(&self) -> &Py<Domain> {
        &self.domain
    }

    /// Returns the text that it was read from, or newly written PDDL if it was built.
    pub fn source(&self) -> Source {
        let domain = &self.domain.get().model;
        let written = || Source::new(self.model.name.as_str(), &self.model.to_pddl(domain));
        self.model.origin.source().cloned().unwrap_or_else(written)
    }

    fn lifted<'py, 'm>(&'m self, py: Python<'py>) -> PyResult<Lifted<'py, 'm>> {
        Lifted::with_objects(py, &self.domain.get().model, &self.model.objects)
    }
}

#[pymethods]
impl Problem {
    #[new]
    #[pyo3(signature = (text, domain, name = None))]
    fn parse(
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        domain: Py<Domain>,
        name: Option<&str>,
    ) -> PyResult<Self> {
        let source = text_or_file(text, name, "problem")?;
        let (of, options) = (Arc::clone(&domain.get().model), domain.get().options());
        let read = errors::guarded(py, move || {
            herbrand_pddl::Problem::parse_with(&source, &of, &options)
        })?;
        let (model, warnings) = read.or_raise(py)?;
        Ok(Self {
            warnings,
            ..Self::new(model, domain)
        })
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        self.model.name.as_str()
    }

    /// The domain.
    #[getter]
    fn domain(&self, py: Python<'_>) -> Py<Domain> {
        self.domain.clone_ref(py)
    }

    /// The objects, with the domain's constants first: a tuple of `herbrand.model.Object`.
    #[getter]
    fn objects<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.lifted(py)?.objects(&self.model.objects)
    }

    /// The initially true atoms in the order of the text: a tuple of Atom.
    #[getter]
    fn init<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.lifted(py)?.facts(&self.model.init)
    }

    /// The initial values of functions: a tuple of pairs (`herbrand.model.FunctionTerm`, float).
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.lifted(py)?.values(&self.model.values)
    }

    /// The probabilistic parts of the initial state: a tuple of `herbrand.model.InitialChance`.
    #[getter]
    fn chances<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.lifted(py)?.chances(&self.model.chances)
    }

    /// The goal, a formula of `herbrand.model`; None if the problem has no goal.
    #[getter]
    fn goal<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if !self.model.has_goal {
            return Ok(None);
        }
        self.lifted(py)?
            .formula(&self.model.goal, &self.model.goal_variables)
            .map(Some)
    }

    /// The reward for reaching the goal; None if it is not declared.
    #[getter]
    fn goal_reward(&self) -> Option<f64> {
        self.model.goal_reward.map(herbrand_pddl::Number::value)
    }

    /// The metric, a `herbrand.model.Metric`; None if it is not declared.
    #[getter]
    fn metric<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let lifted = self.lifted(py)?;
        self.model
            .metric
            .as_ref()
            .map(|metric| lifted.metric(metric))
            .transpose()
    }

    /// The text that it was read from; None if it was built.
    #[getter]
    fn text(&self) -> Option<&str> {
        self.model.origin.source().map(Source::text)
    }

    /// The name of its text in messages; None if it was built.
    #[getter]
    fn file(&self) -> Option<&str> {
        self.model.origin.source().map(Source::name)
    }

    /// The warnings about its text: a tuple of `herbrand.Diagnostic`; empty if it was built or belongs to a suite.
    #[getter]
    fn diagnostics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        errors::diagnostics(py, &self.warnings)
    }

    /// Returns the problem as PDDL in canonical form. Parsing it gives an equal problem.
    fn to_pddl(&self) -> String {
        self.model.to_pddl(&self.domain.get().model)
    }

    /// Returns a picture of the initial state and the text, for notebooks.
    fn _repr_html_(&self) -> String {
        page::of_problem(&self.domain.get().model, &self.model)
    }

    fn __repr__(&self) -> String {
        let model = &self.model;
        format!(
            "<Problem {} of {}: {}>",
            model.name,
            model.domain_name,
            counted(model.objects.len(), "object")
        )
    }

    fn __hash__(&self) -> u64 {
        fxhash::hash64(&*self.model)
    }

    fn __richcmp__(&self, py: Python<'_>, other: &Bound<'_, PyAny>, operator: CompareOp) -> Py<PyAny> {
        let same = |other: &Self| Arc::ptr_eq(&self.model, &other.model) || self.model == other.model;
        equality(
            py,
            other.cast::<Self>().ok().map(|other| same(other.get())),
            operator,
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String, Py<Domain>, String)) {
        let source = self.source();
        let arguments = (
            source.text().to_owned(),
            self.domain.clone_ref(py),
            source.name().to_owned(),
        );
        (py.get_type::<Self>(), arguments)
    }
}
