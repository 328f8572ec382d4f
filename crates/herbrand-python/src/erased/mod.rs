//! Environments of any language behind one type: what the classes of Python hold.
//!
//! A set of problems with a way of observing them ([`AnyProblems`]) makes single environments ([`AnyEnv`]) and batches
//! ([`AnyBatch`]). Each is implemented once, over the types of `herbrand-core`; what a language can say beyond that is in
//! its [`Language`].
//!
//! ```text
//!   Observed<P, O> ─ AnyProblems ─ ObservedProblems (Python)
//!     │ env                          │
//!     ├─▶ Single<P, O> ─ AnyEnv ─── EnvCore ── herbrand.Env, herbrand.PDDLEnv
//!     └─▶ VecEnv<P, O> ─ AnyBatch ─ VecCore ── herbrand.VecEnv
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
pub use env::{AnyEnv, Given, Wanted};
pub use language::{Draw, Language, Why};
pub use problems::{AnyProblems, Description, Observed};
pub use view::{Held, Seeing, Tuples, View};

use crate::errors::{self, IntoException};

/// Why something of any language refused.
pub type Refusal = Box<dyn IntoException + Send>;

/// The result of what may be refused.
pub type Answer<T> = Result<T, Refusal>;

impl IntoException for Refusal {
    fn exception(&self, py: Python<'_>) -> PyErr {
        (**self).exception(py)
    }
}

/// An error of a language as a refusal.
fn refuse<E: IntoException + Send + 'static>(error: E) -> Refusal {
    Box::new(error)
}

/// A refusal that is a sentence.
pub struct Refused {
    /// The exception.
    pub class: &'static str,
    /// What it says.
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
                // Notes are new in Python 3.11; without them there is only the error.
                let _ = inner.value(py).call_method1("add_note", (note,));
                inner
            }
            Self::Buffer(error) => PyValueError::new_err(error.to_string()),
            Self::Threads(error) => errors::message(py, "HerbrandError", &error.to_string()),
        }
    }
}
