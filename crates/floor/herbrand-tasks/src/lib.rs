//! The tasks of people who work with planning problems, one function each, for problems of any language.
//!
//! [`AnyProblems`] is a set of problems in PDDL or RDDL, or of domains under edit. A task takes such a set and a request,
//! and returns an answer: plain data in both directions. It reads no files, prints nothing and starts no threads. The
//! program, the Python package, the page and the tools for agents decode a request, call the task, and print its answer.
//!
//! ```
//! use herbrand_env::Registry;
//! use herbrand_tasks::AnyProblems;
//!
//! let problems = AnyProblems::Pddl(Registry::get("blocks")?);
//! assert_eq!(problems.only(0)?.problem_name(0), "train/01");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate `herbrand` re-exports this crate as `herbrand::tasks`: there, read `herbrand_tasks` in the examples as
//! `herbrand::tasks`.

mod failure;
mod problems;

pub use failure::{FailureKind, TaskFailure};
pub use problems::AnyProblems;
