//! The places in which collections are searched.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use herbrand_text::nearest;

use crate::cache::{cache_folder, kept_names, kept_set};
use crate::collection::Collection;
use crate::error::CollectionError;
use crate::folder;
use crate::set::ProblemSet;
use crate::{pddlgym, pypddl_datasets, rddlrepository};

/// The places in which collections are searched: folders with Python packages, a Python that knows more of them, and
/// the cache folder of fetched problems. [`from_environment`](Self::from_environment) creates one; then call
/// [`find`](Self::find) or [`names`](Self::names).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Search {
    /// Folders with packages, such as `site-packages`, searched first.
    pub folders: Vec<PathBuf>,
    /// A Python interpreter that is asked for the folder of a package if no folder has it; `None` to ask none. It does not
    /// import the package.
    pub python: Option<PathBuf>,
    /// The cache folder; `None` to find no fetched problems.
    pub cache: Option<PathBuf>,
}

impl Search {
    /// Returns the places that the environment names: the folders in `HERBRAND_PACKAGES`, a list like `PATH`; the Python in
    /// `HERBRAND_PYTHON`, or else `python3`; and the [cache folder](cache_folder).
    #[must_use]
    pub fn from_environment() -> Self {
        let set = |name| env::var_os(name).filter(|value| !value.is_empty());
        let folders = set("HERBRAND_PACKAGES").map(|paths| env::split_paths(&paths).collect());
        let usual = if cfg!(windows) { "python" } else { "python3" };
        Self {
            folders: folders.unwrap_or_default(),
            python: Some(set("HERBRAND_PYTHON").map_or_else(|| PathBuf::from(usual), PathBuf::from)),
            cache: cache_folder(),
        }
    }

    /// Reads the problems of a name, such as `pddlgym:sokoban`. [`ProblemSet`] says how a suite is made of them.
    ///
    /// # Errors
    /// Fails if the name begins with no collection, the collection is not there or has no such problems, its folder has
    /// several domains or none, a fetched file has changed since, or a file cannot be read. Texts are not parsed.
    pub fn find(&self, name: &str) -> Result<ProblemSet, CollectionError> {
        let Some((collection, rest)) = Collection::of(name) else {
            return Err(CollectionError::NoCollection(name.to_owned()));
        };
        let found = match collection {
            Collection::PddlGym => pddlgym::find(&self.package(collection)?, rest)?,
            Collection::RddlRepository => rddlrepository::find(&self.package(collection)?, rest)?,
            Collection::PypddlDatasets => folder::find(&self.datasets()?, name, rest)?,
            Collection::Fetched => match &self.cache {
                Some(cache) => kept_set(cache, name, rest)?,
                None => None,
            },
        };
        found.map_or_else(|| Err(self.unknown(collection, rest)), Ok)
    }

    /// Returns the names of a collection's problems in alphabetical order, with its prefix, as [`find`](Self::find)
    /// takes them. Empty for [`Collection::Fetched`] if there is no cache folder or nothing was fetched.
    ///
    /// # Errors
    /// Fails if the collection is not there, or a folder of it cannot be read.
    pub fn names(&self, collection: Collection) -> Result<Vec<String>, CollectionError> {
        let mut names = match collection {
            Collection::PddlGym => pddlgym::names(&self.package(collection)?)?,
            Collection::RddlRepository => rddlrepository::names(&self.package(collection)?)?,
            Collection::PypddlDatasets => folder::names(&self.datasets()?)?,
            Collection::Fetched => match &self.cache {
                Some(cache) => kept_names(cache)?,
                None => Vec::new(),
            },
        };
        names.sort();
        let prefixed = names.iter().map(|name| format!("{}:{name}", collection.prefix()));
        Ok(prefixed.collect())
    }

    fn unknown(&self, collection: Collection, name: &str) -> CollectionError {
        let names = self.names(collection).unwrap_or_default();
        let whole = format!("{}:{name}", collection.prefix());
        let hint = match (collection, names.len()) {
            (Collection::Fetched, 0) => ": nothing was fetched yet, `herbrand fetch` does".to_owned(),
            (_, count) => format!(
                ": `herbrand domains {}:` lists the {count} names",
                collection.prefix()
            ),
        };
        CollectionError::Unknown {
            collection,
            name: name.to_owned(),
            hint,
            suggestion: nearest(&whole, names.iter().map(String::as_str)).map(str::to_owned),
        }
    }

    /// Returns the folder of the data of pypddl-datasets: that of `PYPDDL_DATASETS_DATA`, a folder `pypddl-datasets/data` among
    /// the folders, or that into which the package downloads them.
    fn datasets(&self) -> Result<PathBuf, CollectionError> {
        if let Some(folder) = pypddl_datasets::named() {
            return Ok(folder);
        }
        let beside = self
            .folders
            .iter()
            .map(|folder| folder.join("pypddl-datasets/data"));
        if let Some(folder) = beside.into_iter().find(|folder| folder.is_dir()) {
            return Ok(folder);
        }
        pypddl_datasets::downloaded(&self.package(Collection::PypddlDatasets)?)
    }

    /// Returns the folder of a collection's package: one of the folders, or the folder from which Python would import it.
    fn package(&self, collection: Collection) -> Result<PathBuf, CollectionError> {
        let module = collection.module().unwrap_or_default();
        let is_package = |folder: &PathBuf| folder.join("__init__.py").is_file();
        let mut folders = self.folders.iter().map(|folder| folder.join(module));
        if let Some(folder) = folders.find(is_package) {
            return Ok(folder);
        }
        let not_installed = |searched| CollectionError::NotInstalled { collection, searched };
        let python = self.python.as_deref();
        let python = python.ok_or_else(|| not_installed(String::new()))?;
        let output = Command::new(python)
            .args(["-c", SCRIPT, module])
            .env("PYTHONIOENCODING", "utf-8")
            .output()
            .map_err(|error| not_installed(format!(" ({}: {error})", python.display())))?;
        let folder = String::from_utf8(output.stdout).unwrap_or_default();
        if !output.status.success() || folder.is_empty() {
            return Err(not_installed(format!(" for {}", python.display())));
        }
        Ok(PathBuf::from(folder))
    }
}

/// Prints the folder of a package, without importing it. The current folder is not searched.
const SCRIPT: &str = "
import importlib.util, os, sys
sys.path = [path for path in sys.path if path]
spec = importlib.util.find_spec(sys.argv[1])
places = list(spec.submodule_search_locations or []) if spec else []
sys.stdout.write(os.path.abspath(places[0]) if places else '')
";
