//! `Domain`: a parsed PDDL domain.

use std::sync::Arc;

use herbrand_pddl::{Diagnostic, ReadOptions, Source};
use herbrand_text::counted;
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyFileNotFoundError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple, PyType};

use crate::errors::{self, OrRaise};
use crate::lifted::Lifted;
use crate::page;

/// A planning domain: types, constants, predicates, functions, axioms and operators.
///
/// Parameters
/// ----------
/// text : str, bytes or path
///     PDDL or PPDDL text that defines one domain, or the path of such a file: a `pathlib.Path`, or a str without
///     parentheses and line breaks.
/// name : str, optional
///     The name of the text in messages; by default the path of the file, or ``"domain"``.
/// lenient : bool, default False
///     Whether faults with an obvious repair become warnings (see `diagnostics`), in this text and in the texts of its
///     problems. Such faults are a missing or superfluous parenthesis, a word or list outside of any section, and an
///     argument of the wrong type.
///
/// Raises
/// ------
/// ParseError
///     If the text is invalid; it lists all faults.
/// OSError
///     If a file cannot be read.
///
/// Examples
/// --------
/// >>> import herbrand
/// >>> domain = herbrand.Domain("(define (domain lamp) (:predicates (on)) (:action press :effect (on)))")
/// >>> domain.name, domain.operators[0].name
/// ('lamp', 'press')
#[pyclass(frozen, weakref, module = "herbrand")]
pub struct Domain {
    pub model: Arc<herbrand_pddl::Domain>,
    lenient: bool,
    warnings: Vec<Diagnostic>,
}

impl Domain {
    pub fn new(model: herbrand_pddl::Domain) -> Self {
        Self {
            model: Arc::new(model),
            lenient: false,
            warnings: Vec::new(),
        }
    }

    /// Returns the options that its text was read with. Its problems use the same options.
    pub fn options(&self) -> ReadOptions {
        ReadOptions {
            lenient: self.lenient,
            ..ReadOptions::default()
        }
    }

    /// Returns the text that it was read from, or newly written PDDL if it was built.
    pub fn source(&self) -> Source {
        let written = || Source::new(self.model.name.as_str(), &self.model.to_pddl());
        self.model.origin.source().cloned().unwrap_or_else(written)
    }
}

/// Returns the source for a file's bytes or a text.
pub fn source(text: &Bound<'_, PyAny>, name: &str) -> PyResult<Source> {
    match text.cast::<PyBytes>() {
        Ok(bytes) => Ok(Source::from_bytes(name, bytes.as_bytes().to_vec())),
        Err(_) => Ok(Source::new(name, text.extract()?)),
    }
}

/// Returns the source of a text, or of the file at a path. Its name is `name`, the path of the file, or `otherwise`.
pub fn text_or_file(given: &Bound<'_, PyAny>, name: Option<&str>, otherwise: &str) -> PyResult<Source> {
    let is_path = match given.cast::<PyString>() {
        Ok(text) => is_path(text.to_str()?),
        Err(_) => given.hasattr("__fspath__")?,
    };
    if !is_path {
        return source(given, name.unwrap_or(otherwise));
    }
    // Files are read by Python, so that its usual exceptions are raised.
    let file = given.py().import("pathlib")?.getattr("Path")?.call1((given,))?;
    let path = file.str()?.to_string();
    if !is_short(&path) {
        return Err(PyFileNotFoundError::new_err(format!("there is no file {path:?}")));
    }
    let bytes: Vec<u8> = file.call_method0("read_bytes")?.extract()?;
    Ok(Source::from_bytes(name.unwrap_or(&path), bytes))
}

/// The greatest lengths of a file's name and of a path in bytes.
const LONGEST: usize = 255;
const LONGEST_PATH: usize = 4095;

/// Returns whether a str is a path. PDDL contains parentheses, a comment or a line break, and may be longer.
fn is_path(text: &str) -> bool {
    !text.trim().is_empty() && is_short(text) && !text.contains(|c: char| "();".contains(c) || c.is_control())
}

/// Returns whether a path is short enough for a file to have it.
fn is_short(path: &str) -> bool {
    path.len() <= LONGEST_PATH && path.split('/').all(|part| part.len() <= LONGEST)
}

#[pymethods]
impl Domain {
    #[new]
    #[pyo3(signature = (text, name = None, lenient = false))]
    fn parse(py: Python<'_>, text: &Bound<'_, PyAny>, name: Option<&str>, lenient: bool) -> PyResult<Self> {
        let source = text_or_file(text, name, "domain")?;
        let options = ReadOptions {
            lenient,
            ..ReadOptions::default()
        };
        let read = errors::guarded(py, || herbrand_pddl::Domain::parse_with(&source, &options))?;
        let (model, warnings) = read.or_raise(py)?;
        Ok(Self {
            lenient,
            warnings,
            ..Self::new(model)
        })
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        self.model.name.as_str()
    }

    /// The declared requirement flags: a tuple of strings such as ":strips".
    #[getter]
    fn requirements<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(
            py,
            self.model
                .requirements
                .iter()
                .map(|flag| flag.keyword())
                .collect::<Vec<_>>(),
        )
    }

    /// The types in order of declaration: a tuple of `herbrand.model.Type`. The first is "object".
    #[getter]
    fn types<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        Lifted::of(py, &self.model)?.types()
    }

    /// The constants: a tuple of `herbrand.model.Object`.
    #[getter]
    fn constants<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        Lifted::of(py, &self.model)?.objects(&self.model.constants)
    }

    /// The predicates: a tuple of `herbrand.model.Predicate`.
    #[getter]
    fn predicates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        Lifted::of(py, &self.model)?.predicates()
    }

    /// The numeric functions: a tuple of `herbrand.model.Function`.
    #[getter]
    fn functions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        Lifted::of(py, &self.model)?.functions()
    }

    /// The derivation rules: a tuple of `herbrand.model.Axiom`.
    #[getter]
    fn axioms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        Lifted::of(py, &self.model)?.axioms()
    }

    /// The operators: a tuple of `herbrand.model.Operator`.
    #[getter]
    fn operators<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        Lifted::of(py, &self.model)?.operators()
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

    /// Returns whether the type `name` equals `ancestor` or is a subtype of it. Case does not matter.
    ///
    /// Raises
    /// ------
    /// UnknownNameError
    ///     If the domain has no such type.
    fn is_subtype(&self, py: Python<'_>, name: &str, ancestor: &str) -> PyResult<bool> {
        let find = |name: &str| {
            let lower = name.to_ascii_lowercase();
            let index = self.model.types.iter().position(|t| t.name.as_str() == lower);
            let unknown = || errors::message(py, "UnknownNameError", &format!("there is no type `{name}`"));
            index.map(herbrand_pddl::TypeId::from_index).ok_or_else(unknown)
        };
        Ok(self.model.is_subtype(find(name)?, find(ancestor)?))
    }

    /// Returns the domain as PDDL in canonical form. Parsing it gives an equal domain.
    fn to_pddl(&self) -> String {
        self.model.to_pddl()
    }

    /// Returns the predicates and operators as a table, and the text, for notebooks.
    fn _repr_html_(&self) -> String {
        page::of_domain(&self.model)
    }

    fn __repr__(&self) -> String {
        let model = &self.model;
        format!(
            "<Domain {}: {}, {}>",
            model.name,
            counted(model.predicates.len(), "predicate"),
            counted(model.schemas.len(), "operator")
        )
    }

    fn __hash__(&self) -> u64 {
        self.model.fingerprint() as u64
    }

    fn __richcmp__(&self, py: Python<'_>, other: &Bound<'_, PyAny>, operator: CompareOp) -> Py<PyAny> {
        let same = |other: &Self| Arc::ptr_eq(&self.model, &other.model) || self.model == other.model;
        equality(
            py,
            other.cast::<Self>().ok().map(|other| same(other.get())),
            operator,
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String, String, bool)) {
        let source = self.source();
        let arguments = (source.text().to_owned(), source.name().to_owned(), self.lenient);
        (py.get_type::<Self>(), arguments)
    }
}

/// Compares values that have no order, by `==` or `!=`. `same` is `None` if the other value has another class.
pub fn equality(py: Python<'_>, same: Option<bool>, operator: CompareOp) -> Py<PyAny> {
    let answer = match (operator, same) {
        (CompareOp::Eq, Some(same)) => same,
        (CompareOp::Ne, Some(same)) => !same,
        _ => return py.NotImplemented(),
    };
    pyo3::types::PyBool::new(py, answer)
        .to_owned()
        .into_any()
        .unbind()
}
