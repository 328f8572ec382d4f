//! The bundled domains, embedded in the library, so that nothing is read from disk.
//!
//! Each domain is a folder next to this crate's manifest, with `domain.pddl`, settings that PDDL cannot express in
//! `env.toml`, problems in `train` and `test`, and stored plans. The folders of RDDL environments are below `rddl`, with
//! `domain.rddl`, `env.toml` and the instances, from `1.rddl`.
//!
//! ```
//! let text = herbrand_domains::file("blocks/domain.pddl").expect("blocks is bundled");
//! assert!(text.contains("(define (domain blocks)"));
//! assert!(herbrand_domains::pddl().all(|(path, _)| !path.starts_with("rddl/")));
//! ```

mod environment;
mod files;

pub use environment::{BundledEnvironment, environments};
pub use files::{file, pddl, rddl};
