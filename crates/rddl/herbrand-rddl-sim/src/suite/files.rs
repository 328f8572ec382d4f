//! Loading suites from disk.

use std::path::{Path, PathBuf};
use std::{fs, io};

use herbrand_limits::Limits;
use herbrand_text::{Source, Unreadable};

use super::{RddlError, RddlSuite};

impl RddlSuite {
    /// Loads the domain and all instances that the files define together. The suite is named after the domain. Each
    /// problem is named after its file without `.rddl`, and problems are sorted in natural order. If one file has
    /// several instances, or two files have the same name, problems are named after the instances and keep the order of
    /// the text. The problems are compiled on first use.
    ///
    /// # Errors
    /// Fails if a file cannot be read, if a text has faults, or if there is no instance.
    pub fn from_files<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Self, RddlError> {
        let sources: Result<Vec<Source>, _> = paths.into_iter().map(Source::from_file).collect();
        Self::from_named_files(None, &sources?, Limits::default())
    }

    /// Loads all `.rddl` files of a folder, which define one domain and its instances, and the settings in `env.toml`
    /// if it exists. Folders inside it are not searched. The suite is named after the folder. Problems are named as in
    /// [`from_files`](Self::from_files).
    ///
    /// # Errors
    /// Fails if the folder or a file cannot be read, if a text or `env.toml` has faults, or if there is no instance.
    pub fn from_path(folder: impl AsRef<Path>) -> Result<Self, RddlError> {
        Self::from_path_within(folder, Limits::default())
    }

    /// Like [`from_path`](Self::from_path), but parses the texts and compiles each problem within limits of memory and
    /// time.
    ///
    /// # Errors
    /// Fails like [`from_path`](Self::from_path), and if parsing exceeds the limits.
    pub fn from_path_within(folder: impl AsRef<Path>, limits: Limits) -> Result<Self, RddlError> {
        let folder = folder.as_ref();
        let unreadable = |error| Unreadable {
            path: folder.to_owned(),
            error,
        };
        let absolute = folder.canonicalize().map_err(unreadable)?;
        let name = absolute
            .file_name()
            .map_or_else(|| folder.to_string_lossy(), |name| name.to_string_lossy());
        let sources: Result<Vec<Source>, _> = texts(folder)
            .map_err(unreadable)?
            .into_iter()
            .map(Source::from_file)
            .collect();
        let suite = Self::from_named_files(Some(&name), &sources?, limits)?;
        let settings = folder.join("env.toml");
        if settings.is_file() {
            suite.with_settings(&Source::from_file(settings)?)
        } else {
            Ok(suite)
        }
    }
}

/// Returns the `.rddl` files of a folder, sorted.
fn texts(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let paths: io::Result<Vec<PathBuf>> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths?;
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "rddl"));
    paths.sort();
    Ok(paths)
}
