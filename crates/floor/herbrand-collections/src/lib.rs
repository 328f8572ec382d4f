//! Problems that others wrote, by name: problems of installed Python packages, and fetched problems.
//!
//! A name consists of a collection and a place in it. Files are read where they are, unchanged.
//!
//! | name | problems |
//! |---|---|
//! | `pddlgym:sokoban` | the domain `sokoban` of the package PDDLGym, with its training and test problems |
//! | `rddlrepository:Elevators_MDP_ippc2011` | this problem of the package rddlrepository, with its instances |
//! | `pypddl-datasets:classical/tests/gripper` | this folder of the data of the package pypddl-datasets |
//! | `fetched:ferry` | the problems that [`fetch`](crate::fetch::fetch) stored as `ferry` |
//!
//! A folder of pypddl-datasets or of a fetched archive may have a domain per problem. Then the path of a problem's file is a
//! name: `pypddl-datasets:classical/downward-benchmarks/airport/p01-airport1-p1.pddl`.
//!
//! [`Search::from_environment`] says where packages are searched. [`Search::find`] reads the problems of a name, and
//! [`Search::names`] lists the names of a collection. A [`ProblemSet`] is made into a suite by `Suite::new` or
//! `RddlSuite::from_named_files`.
//!
//! ```no_run
//! use herbrand_collections::{ProblemSet, Search};
//! use herbrand_env::{ActionMode, Suite};
//!
//! let ProblemSet::Pddl(files) = Search::from_environment().find("pddlgym:sokoban")? else {
//!     unreachable!("PDDLGym has only PDDL");
//! };
//! let suite = Suite::new(files, ActionMode::Declared)?;
//! println!("{} problems", suite.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The feature `fetch` adds the module `fetch`, which downloads problems into a cache folder. This crate is not a parser: a
//! faulty file is noticed by the suite that is made of it.
//!
//! The crate `herbrand` re-exports this crate as `herbrand::collections`: there, read `herbrand_collections` in the examples
//! as `herbrand::collections`.

mod cache;
mod collection;
mod error;
#[cfg(feature = "fetch")]
pub mod fetch;
mod folder;
mod pddlgym;
mod pypddl_datasets;
mod rddlrepository;
mod search;
mod set;

pub use cache::{Kept, cache_folder, kept};
pub use collection::Collection;
pub use error::CollectionError;
pub use search::Search;
pub use set::ProblemSet;
