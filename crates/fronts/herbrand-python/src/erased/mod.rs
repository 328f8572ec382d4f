//! Type-erased environments: the traits behind the Python classes, for all languages.
//!
//! A set of problems with an observation mode ([`AnyProblems`]) creates single environments ([`AnyEnv`]) and vector
//! environments ([`AnyBatch`]). Each trait has one generic implementation over the types of `herbrand-core`. [`Language`]
//! adds the features that a language has beyond those types.
//!
//! ```text
//!   Observed<P, O> ─ AnyProblems ─ ObservedProblems (Python)
//!     │ env                          │
//!     ├─▶ Single<P, O> ─ AnyEnv ─── EnvCore ── herbrand.BaseEnv, herbrand.PDDLEnv
//!     └─▶ VecEnv<P, O> ─ AnyBatch ─ VecCore ── herbrand.BaseVecEnv, herbrand.VecEnv
//! ```

mod batch;
mod env;
mod language;
mod problems;
mod view;

use herbrand_core::VecError;
use pyo3::PyErr;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub use batch::{AnyBatch, Buffers};
pub use env::{ActionInput, ActionOutput, AnyEnv, StepResult};
pub use language::Language;
pub use problems::{AnyProblems, Description, Observed};
pub use view::{Seeing, TrueAtoms, Tuples, View};

use crate::errors::{self, IntoException};

/// An error of any language.
pub type Refusal = Box<dyn IntoException + Send>;

/// A result with an error of any language.
pub type ErasedResult<T> = Result<T, Refusal>;

impl IntoException for Refusal {
    fn exception(&self, py: Python<'_>) -> PyErr {
        (**self).exception(py)
    }
}

/// Boxes an error of a language.
fn refuse<E: IntoException + Send + 'static>(error: E) -> Refusal {
    Box::new(error)
}

/// An error with a fixed exception class and message.
pub struct Refused {
    /// The name of the exception class.
    pub class: &'static str,
    /// The message.
    pub text: String,
}

impl IntoException for Refused {
    fn exception(&self, py: Python<'_>) -> PyErr {
        match self.class {
            "ValueError" => PyValueError::new_err(self.text.clone()),
            class => errors::message(py, class, &self.text),
        }
    }
}

impl<E: IntoException> IntoException for VecError<E> {
    fn exception(&self, py: Python<'_>) -> PyErr {
        match self {
            Self::Env { index, error } => {
                let inner = error.exception(py);
                let note = format!("in environment {index}");
                // `add_note` exists since Python 3.11. Earlier versions get the error without the note.
                let _ = inner.value(py).call_method1("add_note", (note,));
                inner
            }
            Self::Buffer(error) => PyValueError::new_err(error.to_string()),
            Self::Threads(error) => errors::message(py, "HerbrandError", &error.to_string()),
        }
    }
}
