//! Seeded generators of planning problems for every bundled domain.
//!
//! A [`Generator`] makes of a seed, a size and an index a [`Generated`] problem: PDDL text, and a plan that shows that
//! it can be solved. What it makes depends on these numbers and the version of the crate alone, not on the machine, nor
//! on how many problems are made: each has a stream of draws of its own. [`Generated::certify`] executes the plan.
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
//! Each domain has a file in `domains`; what they share is in `vocabulary`.

mod certify;
mod domains;
mod error;
mod generator;
mod vocabulary;

pub use error::GenerateError;
pub use generator::{Generated, Generator};
