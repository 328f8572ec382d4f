//! The domains bundled with the library.

use std::collections::BTreeMap;

use herbrand_pddl::Source;
use herbrand_text::nearest;

use crate::error::EnvError;
use crate::suite::{ActionMode, Suite, SuiteFiles};

/// The suites of the bundled domains. They are embedded in the library, so nothing is read from disk.
/// [`get`](Self::get) returns one.
#[derive(Clone, Copy, Debug)]
pub struct Registry;

impl Registry {
    /// Returns the names of all bundled suites in alphabetical order, the levels of a domain by number. A domain with
    /// levels (folders in `levels`, each with problems of its own) has one suite per level.
    ///
    /// # Errors
    /// Fails only if the library was built from an inconsistent folder.
    pub fn names() -> Result<Vec<String>, EnvError> {
        let mut names = Vec::new();
        for (folder, files) in folders() {
            names.extend(suites(folder, files)?.into_iter().map(|suite| suite.name));
        }
        Ok(names)
    }

    /// Returns the bundled suite called `name`, such as `blocks`, with its declared agent actions.
    /// [`names`](Self::names) lists the suites. The problems are parsed and compiled on first use.
    ///
    /// # Errors
    /// [`EnvError::UnknownDomain`] if there is no such suite, or if the domain has levels and `name` does not select one.
    pub fn get(name: &str) -> Result<Suite, EnvError> {
        let files = Self::files(name)?.into_iter().find(|suite| suite.name == name);
        match files {
            Some(files) => Suite::new(files, ActionMode::Declared),
            None => Err(unknown(name, &Self::names()?)),
        }
    }

    /// Returns the files of the bundled domain called `name`. For a domain with levels, returns all levels or the one
    /// that `name` selects. Pass one of them to [`Suite::new`](crate::Suite::new).
    ///
    /// # Errors
    /// [`EnvError::UnknownDomain`] if there is no such domain.
    pub fn files(name: &str) -> Result<Vec<SuiteFiles>, EnvError> {
        for (folder, files) in folders() {
            if !name.starts_with(folder) {
                continue;
            }
            let mut suites = suites(folder, files)?;
            if name != folder {
                suites.retain(|suite| suite.name == name);
            }
            if !suites.is_empty() {
                return Ok(suites);
            }
        }
        Err(unknown(name, &Self::names()?))
    }

    /// Returns the stored plan of a problem of the bundled domain `name`, as text with one operator and its arguments
    /// per line. `problem` is the path of the problem without `.pddl`, such as `train/01`. `None` if no plan is stored,
    /// or if there is no such domain or problem.
    #[must_use]
    pub fn plan(name: &str, problem: &str) -> Option<&'static str> {
        let find = |folder: &str| herbrand_domains::file(&format!("{folder}/plans/{problem}.plan"));
        let level = || {
            let (folder, level) = name.rsplit_once('-')?;
            find(&format!("{folder}/levels/{level}"))
        };
        find(name).or_else(level)
    }
}

fn unknown(name: &str, names: &[String]) -> EnvError {
    EnvError::UnknownDomain {
        name: name.to_owned(),
        suggestion: nearest(name, names.iter().map(String::as_str)).map(str::to_owned),
    }
}

type Files = Vec<(&'static str, &'static str)>;

/// Returns the files of each folder, with paths relative to it.
fn folders() -> BTreeMap<&'static str, Files> {
    let mut folders = BTreeMap::<_, Files>::new();
    for (path, text) in herbrand_domains::pddl() {
        if let Some((folder, rest)) = path.split_once('/') {
            folders.entry(folder).or_default().push((rest, text));
        }
    }
    folders
}

fn suites(folder: &str, files: Files) -> Result<Vec<SuiteFiles>, EnvError> {
    let files = files
        .into_iter()
        .map(|(path, text)| (path.to_owned(), Source::new(&format!("{folder}/{path}"), text)));
    SuiteFiles::from_folder(folder, files)
}
