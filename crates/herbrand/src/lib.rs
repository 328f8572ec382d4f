//! Planning languages as fast, correct environments.
//!
//! Herbrand reads PDDL and PPDDL, compiles action preconditions and derived predicates into Datalog, evaluates that
//! bottom-up with `ascent` to ground the problem, and then lists and samples valid actions and applies their effects,
//! probabilistic ones included. This crate re-exports what its parts offer:
//!
//! - [`Domain`] and [`Problem`] from [`herbrand_pddl`]: text to a checked model and back;
//! - [`datalog`]: Datalog as a value, usable by itself;
//! - [`GroundTask`] from [`herbrand_ground`]: atoms, actions and axioms by number;
//! - [`compile`] and [`Simulator`] from [`herbrand_step`]: states and transitions;
//! - [`core`](mod@core): transition systems, environments and batches of any planning language;
//! - [`env`](mod@env): environments over suites of problems, with the bundled domains;
//! - [`generate`]: problems of the bundled domains, of any size.

pub use herbrand_core as core;
pub use herbrand_datalog as datalog;
pub use herbrand_env as env;
pub use herbrand_generate as generate;
pub use herbrand_ground as ground;
pub use herbrand_pddl as pddl;
pub use herbrand_step as step;

pub use herbrand_ground::{ActionId, AtomId, GroundTask};
pub use herbrand_pddl::{Domain, Problem};
pub use herbrand_step::{CompileError, Simulator, State, Walker, compile, compile_with};

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;

/// The examples of the guide, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide.md")]
pub struct Guide;

/// The example of the page on generators, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/generators.md")]
pub struct Generators;
