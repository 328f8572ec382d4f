//! The embedded files.

/// The path relative to the domains folder and the text of every file, in order of the paths.
static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The prefix of the paths of RDDL environments.
const RDDL: &str = "rddl/";

/// Returns the text of a file by its path relative to the domains folder, such as `blocks/train/01.pddl`; `None` if there is
/// no such file.
#[must_use]
pub fn file(path: &str) -> Option<&'static str> {
    let index = FILES.binary_search_by_key(&path, |&(path, _)| path);
    Some(FILES[index.ok()?].1)
}

/// Iterates over the paths and texts of the files of all PDDL domains, in order of the paths.
pub fn pddl() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.iter().copied().filter(|(path, _)| !path.starts_with(RDDL))
}

/// Iterates over the files of all RDDL environments, with paths relative to the folder `rddl`, in order of the paths.
pub fn rddl() -> impl Iterator<Item = (&'static str, &'static str)> {
    let files = FILES.iter().copied();
    files.filter_map(|(path, text)| Some((path.strip_prefix(RDDL)?, text)))
}
