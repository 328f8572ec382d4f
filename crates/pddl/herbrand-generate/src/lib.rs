//! Seeded generators of planning problems for every bundled domain.
//!
//! A [`Generator`] turns a seed, a size and an index into a [`Generated`] problem: PDDL text, and a plan that proves it
//! solvable. The result depends only on these numbers and the version of the crate, not on the machine or on the number of
//! problems generated. [`Generated::certify`] executes the plan.
//!
//! ```
//! use herbrand_generate::Generator;
//!
//! let blocks = Generator::get("blocks")?;
//! println!("{}: {}, {:?}", blocks.name(), blocks.size_meaning(), blocks.sizes());
//! let problem = blocks.generate(7, 20, 0)?;
//! assert_eq!(problem.objects, 20);
//! assert_eq!(problem, blocks.generate(7, 20, 0)?);
//! assert!(problem.certify()? > 0.0);
//! # Ok::<(), herbrand_generate::GenerateError>(())
//! ```
//!
//! Each domain has a file in `domains`; code that they share is in `vocabulary`.
//!
//! The crate `herbrand` re-exports this crate as `herbrand::generate`: there, read `herbrand_generate` in the examples as
//! `herbrand::generate`.

mod certify;
mod domains;
mod error;
mod generator;
mod vocabulary;

pub use error::GenerateError;
pub use generator::{Generated, Generator};
