//! Domains.

use std::sync::Arc;

use herbrand_pddl::{Diagnostic, ReadOptions, Source};
use herbrand_text::counted;
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple, PyType};

use crate::errors::{self, OrRaise};
use crate::lifted::Lifted;

/// A planning domain: types, constants, predicates, functions, axioms and operators.
///
/// Parameters
/// ----------
/// text : str, bytes or path
///     PDDL or PPDDL that defines one domain, or the path of a file of it: a `pathlib.Path`, or a str without
///     parentheses and line breaks.
/// name : str, optional
///     What the text is called in messages; the path of a file, or else ``"domain"``.
/// lenient : bool, default False
///     Whether faults that leave one obvious reading are warnings (`diagnostics`), in this text and in those of its problems: a missing
///     or surplus parenthesis, a word or list outside of any section, an argument of the wrong type.
///
/// Raises
/// ------
/// ParseError
///     With all faults of the text.
/// OSError
///     When a file cannot be read.
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

    /// How its text was read, and how those of its problems are.
    pub fn options(&self) -> ReadOptions {
        ReadOptions {
            lenient: self.lenient,
            ..ReadOptions::default()
        }
    }

    /// Its text: the one it was read from, or a new one.
    pub fn source(&self) -> Source {
        let written = || Source::new(self.model.name.as_str(), &self.model.to_pddl());
        self.model.origin.source().cloned().unwrap_or_else(written)
    }
}

/// The source of a file's bytes or a text.
pub fn source(text: &Bound<'_, PyAny>, name: &str) -> PyResult<Source> {
    match text.cast::<PyBytes>() {
        Ok(bytes) => Ok(Source::from_bytes(name, bytes.as_bytes().to_vec())),
        Err(_) => Ok(Source::new(name, text.extract()?)),
    }
}

/// The source of what was given: a text, or the path of a file. It is called `name`, or as the file is, or `otherwise`.
pub fn text_or_file(given: &Bound<'_, PyAny>, name: Option<&str>, otherwise: &str) -> PyResult<Source> {
    let is_path = match given.cast::<PyString>() {
        Ok(text) => is_path(text.to_str()?),
        Err(_) => given.hasattr("__fspath__")?,
    };
    if !is_path {
        return source(given, name.unwrap_or(otherwise));
    }
    // Python's own reading, for its own exceptions.
    let path = given.py().import("pathlib")?.getattr("Path")?.call1((given,))?;
    let bytes: Vec<u8> = path.call_method0("read_bytes")?.extract()?;
    let path = path.str()?.to_string();
    Ok(Source::from_bytes(name.unwrap_or(&path), bytes))
}

/// Whether a str is the path of a file rather than PDDL: PDDL has parentheses, or at least a comment or a line break.
fn is_path(text: &str) -> bool {
    !text.trim().is_empty() && !text.contains(|c: char| "();".contains(c) || c.is_control())
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

    /// The requirement flags, as declared: a tuple of strings such as ":strips".
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

    /// The types, in order of declaration: a tuple of `herbrand.model.Type`; the first is "object".
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

    /// What its text is called in messages; None if it was built.
    #[getter]
    fn file(&self) -> Option<&str> {
        self.model.origin.source().map(Source::name)
    }

    /// The warnings about its text: a tuple of `herbrand.Diagnostic`; empty if it was built, or is that of a suite.
    #[getter]
    fn diagnostics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        errors::diagnostics(py, &self.warnings)
    }

    /// Whether the type `name` is `ancestor` or a kind of it.
    fn is_subtype(&self, py: Python<'_>, name: &str, ancestor: &str) -> PyResult<bool> {
        let find = |name: &str| {
            let lower = name.to_ascii_lowercase();
            let index = self.model.types.iter().position(|t| t.name.as_str() == lower);
            let unknown = || errors::message(py, "UnknownNameError", &format!("there is no type `{name}`"));
            index.map(herbrand_pddl::TypeId::from_index).ok_or_else(unknown)
        };
        Ok(self.model.is_subtype(find(name)?, find(ancestor)?))
    }

    /// The domain as PDDL in canonical form; reading it gives an equal domain.
    fn to_pddl(&self) -> String {
        self.model.to_pddl()
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

/// `==` and `!=` of values that have no order; `same` is `None` for another class.
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
