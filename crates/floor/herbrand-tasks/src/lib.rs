//! The tasks of people who work with planning problems, one function each, for problems of any language.
//!
//! [`AnyProblems`] is a set of problems in PDDL or RDDL, or of domains under edit. A task takes such a set, a request, and a
//! [`Run`] with the limits, the seed and a callback for progress. It returns an answer: plain data, which serialises as the
//! program prints it with `--format json`. A task reads no files, prints nothing and starts no threads. [`TASKS`]
//! lists the tasks, and [`open`] finds the problems that words name.
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

pub mod any;
mod any_error;
pub mod bounds;
#[cfg(feature = "charts")]
pub mod chart;
pub mod check;
#[cfg(feature = "charts")]
pub mod curves;
pub mod datalog;
pub mod dead_ends;
pub mod explain;
mod failure;
mod finite_domain;
mod found;
mod goal_report;
pub mod ground;
pub mod numbers;
pub mod open;
mod opened;
mod options;
pub mod pictures;
pub mod plan;
mod planners;
mod policy_file;
mod problems;
mod registry;
pub mod rollout;
mod run;
mod schemas;
pub mod show;
pub mod space;
mod step_faults;
pub mod survey;
mod task_query;
mod timed_plan;
pub mod traces;
pub mod translate;
mod valid_actions;
pub mod validate;
pub mod walk;
mod word_error;

pub use failure::{FailureKind, TaskFailure};
pub use finite_domain::{SasFile, pruned, refused, whole_costs};
pub use options::{OptionError, OptionSpec, OptionValues, TextCheck};
pub use policy_file::{SavedPolicy, actions_text, read_actions, read_policy};
pub use problems::AnyProblems;
pub use registry::{TASKS, TaskSpec};
pub use run::{Run, TaskProgress, TaskWatch};
pub use step_faults::{BrokenInvariant, FaultTotals, StepFaults, Violation};
pub use task_query::TaskQuery;
pub use valid_actions::OfferedActions;
