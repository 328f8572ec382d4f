//! Names of problems: bundled domains, folders and collections.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use herbrand_collections::{Collection, ProblemSet};
use herbrand_env::{EnvError, Registry, SuiteFiles};
use herbrand_rddl_sim::suite::RddlSuite;
use herbrand_text::{Source, did_you_mean, nearest};

use super::file_kind::{FileKind, domain_under_edit};
use super::files::{Files, SystemFiles};
use super::folder::files_below;
use crate::failure::TaskFailure;
use crate::word_error::WordError;

/// The prefix of the names of bundled RDDL environments; as a name, it means all of them.
pub const RDDL: &str = "rddl";

/// The domain or environments that a name refers to.
pub(super) enum NamedProblems {
    /// All bundled environments in RDDL.
    All,
    /// A bundled environment in RDDL.
    Bundled(String),
    /// A folder of RDDL files.
    Folder(PathBuf),
    /// The texts of a problem in RDDL of a collection.
    Rddl { name: String, sources: Vec<Source> },
    /// A bundled domain, a folder or a domain of a collection in PDDL, with a set for each level.
    Pddl(Vec<SuiteFiles>),
}

impl NamedProblems {
    /// Finds what a name refers to.
    ///
    /// # Errors
    /// Fails if no domain, folder or file has the name.
    pub(super) fn named(name: &str, files: &dyn Files) -> Result<Self, TaskFailure> {
        if name == RDDL {
            return Ok(Self::All);
        }
        if let Some(set) = of_collection(name, files)? {
            return Ok(match set {
                ProblemSet::Pddl(files) => Self::Pddl(vec![files]),
                ProblemSet::Rddl { name, sources } => Self::Rddl { name, sources },
            });
        }
        let path = Path::new(name);
        if name.starts_with("rddl/") && !path.is_dir() {
            return Ok(Self::Bundled(name.to_owned()));
        }
        // A folder of the user comes before a bundled domain of its name.
        if holds_domain(path) {
            return Self::folder(path, files);
        }
        match Registry::files(name) {
            Ok(files) => Ok(Self::Pddl(files)),
            Err(_) if path.is_dir() => Self::folder(path, files),
            Err(EnvError::UnknownDomain { .. }) if path.is_file() => {
                Err(WordError::File(name.to_owned()).into())
            }
            Err(EnvError::UnknownDomain { .. }) => Err(WordError::Unknown {
                name: name.to_owned(),
                advice: did_you_mean(near(name).as_deref()),
            }
            .into()),
            Err(error) => Err(error.into()),
        }
    }

    /// The problems of a folder.
    fn folder(path: &Path, files: &dyn Files) -> Result<Self, TaskFailure> {
        note_folder(path, files)?;
        if holds_rddl(path) {
            return Ok(Self::Folder(path.to_owned()));
        }
        Ok(Self::Pddl(SuiteFiles::from_path(path)?))
    }
}

/// Returns whether a word names a domain: a bundled one, a folder, a file, or one of a collection, whether or not that has it.
#[must_use]
pub fn is_domain(word: &str) -> bool {
    Collection::of(word).is_some()
        || domain_under_edit(word).is_some()
        || FileKind::is_file(word)
        || NamedProblems::named(word, &SystemFiles).is_ok()
}

/// Returns the bundled domain or environment, or else the file or folder, with the most similar name.
fn near(name: &str) -> Option<String> {
    near_bundled(name).or_else(|| near_path(Path::new(name)))
}

/// Returns the file or folder with the most similar name in the same folder.
fn near_path(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter();
    let names = entries.flatten().flatten().map(|entry| entry.file_name());
    let mut names: Vec<_> = names.filter_map(|name| name.into_string().ok()).collect();
    names.sort();
    let near = nearest(name, names.iter().map(String::as_str))?;
    Some(path.with_file_name(near).to_string_lossy().into_owned())
}

fn near_bundled(name: &str) -> Option<String> {
    let pddl = Registry::names().unwrap_or_default();
    let in_rddl = RddlSuite::bundled_names();
    let bare = in_rddl.iter().filter_map(|name| name.split_once('/'));
    let near = nearest(
        name,
        pddl.iter().map(String::as_str).chain(bare.map(|(_, bare)| bare)),
    )?;
    Some(if pddl.iter().any(|name| name == near) {
        near.to_owned()
    } else {
        format!("{RDDL}/{near}")
    })
}

/// Whether there is a folder that defines a domain or its levels.
fn holds_domain(folder: &Path) -> bool {
    folder.join("domain.pddl").is_file() || folder.join("levels").is_dir() || holds_rddl(folder)
}

/// Whether a folder has files in RDDL.
fn holds_rddl(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths = entries.map(|entry| entry.path());
    paths.any(|path| path.extension().is_some_and(|ending| ending == "rddl"))
}

/// Notes the problem and settings files in a folder and below it as read.
fn note_folder(folder: &Path, files: &dyn Files) -> Result<(), TaskFailure> {
    let mut read = Vec::new();
    files_below(folder, &mut read, &|path| {
        let ending = path.extension().and_then(OsStr::to_str);
        matches!(ending, Some("pddl" | "ppddl" | "rddl" | "toml"))
    })?;
    read.iter().for_each(|path| files.note(path));
    Ok(())
}

/// Reads the problems of a collection that `name` names; `None` if it is no name of a collection.
///
/// # Errors
/// Fails if the collection is not there, or has no such problems.
pub fn of_collection(name: &str, files: &dyn Files) -> Result<Option<ProblemSet>, TaskFailure> {
    if Collection::of(name).is_none() {
        return Ok(None);
    }
    let set = files.search().find(name)?;
    set.sources()
        .for_each(|source| files.note(Path::new(source.name())));
    Ok(Some(set))
}
