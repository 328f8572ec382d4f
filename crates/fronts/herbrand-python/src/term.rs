//! Ground atoms and actions as Python values.

use std::hash::{Hash, Hasher};

use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple, PyType};

use crate::errors;

/// A name with the names of its arguments, and optionally its number in a task.
pub struct Term {
    pub head: Py<PyString>,
    pub arguments: Py<PyTuple>,
    hash: u64,
    text: String,
    /// The serial of the task in which it has a number, and the number.
    pub home: Option<(u64, u32)>,
}

impl Term {
    /// Creates a term from names, which are converted to lower case.
    pub fn new(py: Python<'_>, head: &str, arguments: &[String], home: Option<(u64, u32)>) -> PyResult<Self> {
        let head = head.to_ascii_lowercase();
        let arguments: Vec<_> = arguments.iter().map(|name| name.to_ascii_lowercase()).collect();
        let mut text = format!("({head}");
        for name in &arguments {
            text.push(' ');
            text.push_str(name);
        }
        text.push(')');
        let mut hasher = fxhash::FxHasher64::default();
        text.hash(&mut hasher);
        Ok(Self {
            head: PyString::intern(py, &head).unbind(),
            arguments: PyTuple::new(py, arguments.iter().map(|name| PyString::intern(py, name)))?.unbind(),
            hash: hasher.finish(),
            text,
            home,
        })
    }

    /// Parses a text such as `(on a b)`.
    pub fn parse(py: Python<'_>, text: &str) -> PyResult<Self> {
        let fault = || {
            let text = format!("`{text}` is not of the form (name argument …)");
            errors::message(py, "UnknownNameError", &text)
        };
        let trimmed = text.trim();
        let inner = match trimmed.strip_prefix('(') {
            Some(rest) => rest.strip_suffix(')').ok_or_else(fault)?,
            None => trimmed,
        };
        if inner.contains(['(', ')']) {
            return Err(fault());
        }
        let mut words = inner.split_whitespace();
        let head = words.next().ok_or_else(fault)?;
        Self::new(py, head, &words.map(str::to_owned).collect::<Vec<_>>(), None)
    }

    /// Returns the term as PDDL.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the name and the names of the arguments.
    pub fn parts(&self, py: Python<'_>) -> PyResult<(String, Vec<String>)> {
        Ok((self.head.extract(py)?, self.arguments.extract(py)?))
    }

    /// Returns the name and the arguments in one tuple.
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let head = self.head.bind(py).clone().into_any();
        let arguments = self.arguments.bind(py).iter();
        PyTuple::new(py, std::iter::once(head).chain(arguments).collect::<Vec<_>>())
    }

    /// Compares by name and arguments.
    fn compare(&self, py: Python<'_>, other: &Self, operator: CompareOp) -> PyResult<bool> {
        match operator {
            CompareOp::Eq => Ok(self.hash == other.hash && self.text == other.text),
            CompareOp::Ne => Ok(self.hash != other.hash || self.text != other.text),
            _ => self
                .names(py)?
                .rich_compare(other.names(py)?, operator)?
                .is_truthy(),
        }
    }
}

macro_rules! term_class {
    ($class:ident, $head:ident, $head_text:literal, $(#[$doc:meta])*) => {
        $(#[$doc])*
        #[pyclass(frozen, module = "herbrand")]
        pub struct $class(pub Term);

        #[pymethods]
        impl $class {
            #[classattr]
            fn __match_args__() -> (&'static str, &'static str) {
                ($head_text, "arguments")
            }

            #[new]
            #[pyo3(signature = (name, /, *arguments))]
            fn new(py: Python<'_>, name: &str, arguments: Vec<String>) -> PyResult<Self> {
                Term::new(py, name, &arguments, None).map(Self)
            }

            /// Parses a text in PDDL syntax, a name and arguments; the outer parentheses are optional. The names are
            /// not checked.
            ///
            /// Raises
            /// ------
            /// UnknownNameError
            ///     If the text is empty or has other parentheses.
            #[classmethod]
            fn parse(_class: &Bound<'_, PyType>, py: Python<'_>, text: &str) -> PyResult<Self> {
                Term::parse(py, text).map(Self)
            }

            /// The name.
            #[getter]
            fn $head(&self, py: Python<'_>) -> Py<PyString> {
                self.0.head.clone_ref(py)
            }

            /// The names of the arguments: a tuple of strings.
            #[getter]
            fn arguments(&self, py: Python<'_>) -> Py<PyTuple> {
                self.0.arguments.clone_ref(py)
            }

            /// Its number in its task; None if it was created by the user.
            #[getter]
            fn id(&self) -> Option<u32> {
                self.0.home.map(|(_, id)| id)
            }

            /// Returns the name and the arguments in one tuple of strings.
            fn as_tuple<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
                self.0.names(py)
            }

            fn __str__(&self) -> &str {
                self.0.text()
            }

            fn __repr__(&self) -> String {
                format!(concat!(stringify!($class), ".parse('{}')"), self.0.text())
            }

            fn __hash__(&self) -> u64 {
                self.0.hash
            }

            fn __richcmp__<'py>(
                &self,
                py: Python<'py>,
                other: &Bound<'py, PyAny>,
                operator: CompareOp,
            ) -> PyResult<Bound<'py, PyAny>> {
                match other.cast::<Self>() {
                    Ok(other) => {
                        let result = self.0.compare(py, &other.get().0, operator)?;
                        Ok(pyo3::types::PyBool::new(py, result).to_owned().into_any())
                    }
                    Err(_) => Ok(py.NotImplemented().into_bound(py)),
                }
            }

            fn __reduce__<'py>(
                &self,
                py: Python<'py>,
            ) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
                Ok((py.get_type::<Self>(), self.0.names(py)?))
            }
        }
    };
}

term_class! {
    Atom, predicate, "predicate",
    /// A ground atom, such as ``(on a b)``. It is a value, compared by its names.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The predicate.
    /// *arguments : str
    ///     The names of the objects.
    ///
    /// Examples
    /// --------
    /// >>> from herbrand import Atom
    /// >>> Atom("on", "a", "b") == Atom.parse("(on a b)")
    /// True
    /// >>> Atom("on", "a", "b").arguments
    /// ('a', 'b')
}

term_class! {
    Action, name, "name",
    /// A ground action, such as ``(stack a b)``. It is a value, compared by its names.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The operator.
    /// *arguments : str
    ///     The names of the objects.
    ///
    /// Examples
    /// --------
    /// >>> from herbrand import Action
    /// >>> str(Action("stack", "a", "b"))
    /// '(stack a b)'
}
