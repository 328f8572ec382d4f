//! The bundled domains, embedded in the library: nothing is read from disk.
//!
//! Each domain is a folder beside this crate's manifest: `domain.pddl`, `env.toml` with what PDDL has no words for,
//! problems in `train` and `test`, and stored plans. RDDL environments are in folders below `rddl`: `domain.rddl`,
//! `env.toml` and the instances, from `1.rddl`.
//!
//! ```
//! let text = herbrand_domains::file("blocks/domain.pddl").expect("blocks is bundled");
//! assert!(text.contains("(define (domain blocks)"));
//! assert!(herbrand_domains::pddl().all(|(path, _)| !path.starts_with("rddl/")));
//! ```

mod environment;

pub use environment::{Environment, environments};

/// Path, from the folder of all domains, and text of every file; in order of the paths.
static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// Where the environments in RDDL are.
const RDDL: &str = "rddl/";

/// The text of a file, by its path from the folder of all domains, such as `blocks/train/01.pddl`.
#[must_use]
pub fn file(path: &str) -> Option<&'static str> {
    let index = FILES.binary_search_by_key(&path, |&(path, _)| path);
    Some(FILES[index.ok()?].1)
}

/// The files of all domains in PDDL: path and text, in order of the paths.
pub fn pddl() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.iter().copied().filter(|(path, _)| !path.starts_with(RDDL))
}

/// The files of all environments in RDDL: path from the folder `rddl`, and text, in order of the paths.
pub fn rddl() -> impl Iterator<Item = (&'static str, &'static str)> {
    let files = FILES.iter().copied();
    files.filter_map(|(path, text)| Some((path.strip_prefix(RDDL)?, text)))
}
