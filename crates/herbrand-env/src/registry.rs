//! The domains that come with the library.

use std::collections::BTreeMap;

use herbrand_pddl::Source;
use herbrand_text::nearest;

use crate::{ActionMode, EnvError, Suite, SuiteFiles};

/// The bundled domains, embedded in the library: nothing is read from disk.
#[derive(Clone, Copy, Debug)]
pub struct Registry;

impl Registry {
    /// The names of all bundled domains, in alphabetical order; a domain with levels has a name for each level.
    ///
    /// # Errors
    /// None unless the library was built from a broken folder.
    pub fn names() -> Result<Vec<String>, EnvError> {
        let mut names = Vec::new();
        for (folder, files) in folders() {
            names.extend(suites(folder, files)?.into_iter().map(|suite| suite.name));
        }
        Ok(names)
    }

    /// The bundled domain called `name`, with its declared actions.
    ///
    /// # Errors
    /// [`EnvError::UnknownDomain`], also when `name` has levels and says none.
    pub fn get(name: &str) -> Result<Suite, EnvError> {
        let files = Self::files(name)?.into_iter().find(|suite| suite.name == name);
        match files {
            Some(files) => Suite::new(files, ActionMode::Declared),
            None => Err(unknown(name, &Self::names()?)),
        }
    }

    /// The texts of the bundled domain called `name`; for one with levels, of all of them or of the one that is named.
    ///
    /// # Errors
    /// [`EnvError::UnknownDomain`].
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

    /// The stored plan of a problem of the bundled domain `name`, `problem` being the problem's path without
    /// `.pddl`, such as `train/01`; an operator with its arguments on each line.
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

/// The files of each folder, their paths from there.
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
