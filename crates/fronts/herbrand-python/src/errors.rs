//! Conversion of the engine's errors to exceptions of the package (`herbrand.errors`).

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use herbrand_core::EpisodeFault;
use herbrand_env::{ConfigError, EnvError, PlanningError, TooManyActions, TooManyAtoms};
use herbrand_ground::GroundError;
use herbrand_limits::{Budget, deep};
use herbrand_pddl::{Code, Faults, Label};
use herbrand_step::{CompileError, NameError, StepError};
use herbrand_tasks::any::{AnyError, ErrorKind};
use herbrand_tasks::{FailureKind, TaskFailure};
use pyo3::PyErr;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::choice::value_error;
use crate::limits;

/// An error that can be converted to a Python exception.
pub trait IntoException {
    /// Returns the exception without raising it.
    fn exception(&self, py: Python<'_>) -> PyErr;
}

/// A result whose error can be converted to an exception.
pub trait OrRaise<T> {
    /// Returns the value, or the exception for the error.
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T, E: IntoException> OrRaise<T> for Result<T, E> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| error.exception(py))
    }
}

/// Returns the exception `class` of `herbrand.errors` with these arguments.
pub fn exception<'py>(
    py: Python<'py>,
    class: &str,
    arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> PyErr {
    let made = arguments.into_pyobject(py).and_then(|arguments| {
        let class = py.import("herbrand.errors")?.getattr(class)?;
        class.call1(arguments)
    });
    match made {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// Returns the exception `class` with a message as its only argument.
pub fn message(py: Python<'_>, class: &str, text: &str) -> PyErr {
    exception(py, class, (text,))
}

/// Calls `work` with the interpreter released. A panic, which is a bug of the engine, becomes an `InternalError` and does
/// not abort the process.
pub fn guarded<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    done.map_err(|panic| internal(py, &*panic))
}

/// Like [`guarded`], on another thread. Ctrl-C exhausts the budgets that `work` checks, and is raised once `work` returns.
pub fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    watched(py, |_| Ok(()), work)
}

/// Like [`interruptible`], and calls `look` while `work` runs. An exception of `look` has the same effect as Ctrl-C.
pub fn watched<T: Send>(
    py: Python<'_>,
    mut look: impl FnMut(Python<'_>) -> PyResult<()>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    /// The time between two checks for signals.
    const LOOK: Duration = Duration::from_millis(50);
    let budget = Budget::unlimited();
    let (caller, is_done) = (thread::current(), AtomicBool::new(false));
    let mut interrupted = None;
    let done = thread::scope(|scope| {
        let worker = thread::Builder::new().spawn_scoped(scope, || {
            let done = budget.enclose(|| catch_unwind(AssertUnwindSafe(|| deep(work))));
            is_done.store(true, Ordering::Release);
            caller.unpark();
            done
        })?;
        while !is_done.load(Ordering::Acquire) {
            py.detach(|| thread::park_timeout(LOOK));
            if interrupted.is_none()
                && let Err(error) = py.check_signals().and_then(|()| look(py))
            {
                interrupted = Some(error);
                budget.cancel();
            }
        }
        Ok::<_, io::Error>(worker.join().unwrap_or_else(Err))
    })?;
    match interrupted {
        Some(error) => Err(error),
        None => done.map_err(|panic| internal(py, &*panic)),
    }
}

/// The first exception of Python code that the engine calls, and a budget that it cancels.
#[derive(Debug)]
pub struct Raised {
    first: Mutex<Option<PyErr>>,
    pub budget: Budget,
}

impl Raised {
    /// Creates it without an exception.
    pub fn none() -> Self {
        Self {
            first: Mutex::new(None),
            budget: Budget::unlimited(),
        }
    }

    /// Keeps an exception if it is the first one, and returns its text.
    pub fn note(&self, error: PyErr) -> String {
        self.budget.cancel();
        let text = error.to_string();
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert(error);
        text
    }

    /// Raises the first exception, if there is one.
    pub fn check(&self, py: Python<'_>) -> PyResult<()> {
        let first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        match &*first {
            Some(error) => Err(error.clone_ref(py)),
            None => Ok(()),
        }
    }
}

/// Returns the exception for a panic.
fn internal(py: Python<'_>, panic: &(dyn Any + Send)) -> PyErr {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    let text = text.unwrap_or_else(|| "unknown".to_owned());
    message(py, "InternalError", &format!("a bug in Herbrand: {text}"))
}

/// Returns the exception for a poisoned lock.
pub fn poisoned() -> PyErr {
    PyRuntimeError::new_err("this object cannot be used any more: an earlier call failed inside")
}

/// Converts diagnostics to Python objects.
pub fn diagnostics<'py, C: herbrand_text::Code>(
    py: Python<'py>,
    list: &[herbrand_text::Diagnostic<C>],
) -> PyResult<Bound<'py, PyTuple>> {
    let class = py.import("herbrand.errors")?.getattr("Diagnostic")?;
    let list = list.iter().map(|diagnostic| {
        let fields = PyDict::new(py);
        fields.set_item("code", diagnostic.code().as_str())?;
        fields.set_item("severity", diagnostic.severity().as_str())?;
        fields.set_item("message", diagnostic.message())?;
        fields.set_item("help", diagnostic.help())?;
        fields.set_item("notes", PyTuple::new(py, diagnostic.notes())?)?;
        let first = diagnostic.labels().first();
        fields.set_item("file", first.map(|label| label.source().name()))?;
        let (start, end) = (first.map(Label::start), first.map(Label::end));
        fields.set_item("line", start.map(|place| place.line))?;
        fields.set_item("column", start.map(|place| place.column))?;
        fields.set_item("end_line", end.map(|place| place.line))?;
        fields.set_item("end_column", end.map(|place| place.column))?;
        fields.set_item("rendered", diagnostic.to_string())?;
        class.call((), Some(&fields))
    });
    PyTuple::new(py, list.collect::<PyResult<Vec<_>>>()?)
}

/// Returns the exception for the faults of a text. `limit` is the code of a fault that means that a limit was reached.
pub fn faults<C: herbrand_text::Code>(py: Python<'_>, faults: &herbrand_text::Faults<C>, limit: C) -> PyErr {
    let mut codes = faults.diagnostics().iter().map(herbrand_text::Diagnostic::code);
    if codes.any(|code| code == limit) {
        return message(py, "LimitError", &faults.to_string());
    }
    match diagnostics(py, faults.diagnostics()) {
        Ok(list) => exception(py, "ParseError", (faults.to_string(), list)),
        Err(error) => error,
    }
}

impl IntoException for Faults {
    fn exception(&self, py: Python<'_>) -> PyErr {
        faults(py, self, Code::LimitReached)
    }
}

impl IntoException for CompileError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        let is_limit = matches!(
            self,
            Self::Ground(GroundError::Limit(_) | GroundError::BudgetExhausted(_))
        );
        let hint = match self {
            Self::Ground(GroundError::Limit(_)) => {
                "; `LiftedTask`, or an environment with engine=\"lifted\", steps such a problem without grounding it"
            }
            _ => "",
        };
        limits::exception(py, is_limit, "GroundingError", &format!("{self}{hint}"))
    }
}

impl IntoException for NameError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        message(py, "UnknownNameError", &self.to_string())
    }
}

impl IntoException for StepError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        let class = match self {
            Self::Invalid(explanation) => {
                let failures: Vec<_> = explanation.failures.iter().map(|f| f.text.clone()).collect();
                return match PyTuple::new(py, failures) {
                    Ok(failures) => exception(py, "InvalidActionError", (self.to_string(), failures)),
                    Err(error) => error,
                };
            }
            Self::NotValid(explanation) => {
                return match PyTuple::new(py, &explanation.failures) {
                    Ok(failures) => exception(py, "InvalidActionError", (self.to_string(), failures)),
                    Err(error) => error,
                };
            }
            Self::UnknownAction { .. }
            | Self::UnknownAtom { .. }
            | Self::WrongType(_)
            | Self::Arity { .. } => "UnknownNameError",
            Self::Limit { .. } => "LimitError",
            _ => "StepError",
        };
        message(py, class, &self.to_string())
    }
}

impl IntoException for ConfigError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        message(py, "ConfigError", &self.to_string())
    }
}

impl IntoException for TooManyActions {
    fn exception(&self, py: Python<'_>) -> PyErr {
        message(py, "GroundingError", &self.to_string())
    }
}

impl IntoException for TooManyAtoms {
    fn exception(&self, py: Python<'_>) -> PyErr {
        message(py, "GroundingError", &self.to_string())
    }
}

impl IntoException for EpisodeFault {
    fn exception(&self, py: Python<'_>) -> PyErr {
        let class = match self {
            Self::Ended | Self::NotReset => "EpisodeError",
            Self::NoProblems { .. } => "ConfigError",
            Self::NonFinite(_) => "HerbrandError",
            Self::Joint(_) => "InvalidActionError",
            Self::BudgetExhausted(_) => "LimitError",
        };
        let hint = match self {
            Self::NoProblems { .. } => ": `problem` takes the path or the text of one",
            _ => "",
        };
        message(py, class, &format!("{self}{hint}"))
    }
}

impl IntoException for PlanningError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        let class = match self {
            Self::Step(error) => return error.exception(py),
            Self::UnknownAction { .. } => "UnknownNameError",
            Self::Absent { .. } | Self::NoOperator { .. } | Self::Ambiguous { .. } => {
                return exception(py, "InvalidActionError", (self.to_string(), PyTuple::empty(py)));
            }
            Self::NotOne { .. } => "StepError",
        };
        message(py, class, &self.to_string())
    }
}

impl IntoException for AnyError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        let (kind, text) = match self {
            Self::Env(error) => return error.exception(py),
            Self::Rddl(error) => return error.exception(py),
            Self::World(error) => return error.exception(py),
            Self::Episode(fault) => return fault.exception(py),
            Self::InBatch { index, error } => {
                let inner = error.exception(py);
                let note = format!("in environment {index}");
                // `add_note` exists since Python 3.11. Earlier versions get the error without the note.
                let _ = inner.value(py).call_method1("add_note", (note,));
                return inner;
            }
            Self::Other { kind, text } => (kind, text),
        };
        match kind {
            ErrorKind::Form => PyValueError::new_err(text.clone()),
            ErrorKind::Action => message(py, "InvalidActionError", text),
            ErrorKind::Name => message(py, "UnknownNameError", text),
            ErrorKind::Lacking => message(py, "HerbrandError", text),
            ErrorKind::Limit => message(py, "LimitError", text),
        }
    }
}

impl IntoException for TaskFailure {
    fn exception(&self, py: Python<'_>) -> PyErr {
        let text = self.with_keywords();
        let class = match self {
            Self::Any(error) => return error.exception(py),
            Self::Words(_) | Self::Collection(_) => "UnknownNameError",
            Self::UnknownOption { .. } => return PyTypeError::new_err(text),
            Self::Option { .. }
            | Self::Planner { .. }
            | Self::Metric(_)
            | Self::Language { .. }
            | Self::Split { .. }
            | Self::Engine => return value_error(text),
            _ if self.kind() == FailureKind::Limit => "LimitError",
            Self::Undefined(_) | Self::Episode(_) => "StepError",
            Self::WrongPlan => "InternalError",
            _ => "ConfigError",
        };
        message(py, class, &text)
    }
}

impl IntoException for EnvError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        let class = match self {
            Self::Faults(error) => return error.exception(py),
            Self::Compile(error) => return error.exception(py),
            Self::Config(error) => return error.exception(py),
            Self::TooManyActions(error) => return error.exception(py),
            Self::TooManyIds(error) => return message(py, "GroundingError", &error.to_string()),
            Self::TooManyAtoms(error) => return error.exception(py),
            Self::Image(error) => return error.exception(py),
            Self::Planning(error) => return error.exception(py),
            Self::Episode(fault) => return fault.exception(py),
            Self::UnknownDomain { .. } | Self::UnknownProblem { .. } => "UnknownNameError",
            Self::NoDomain { .. } | Self::SeveralDomains { .. } | Self::NeedsGrounding { .. } => {
                "ConfigError"
            }
            _ => "HerbrandError",
        };
        message(py, class, &self.to_string())
    }
}

/// The result of `__reduce__`: a function that rebuilds the value, and its arguments.
pub type Reduced<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>);
