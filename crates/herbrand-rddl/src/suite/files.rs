//! Suites from disk.

use std::path::{Path, PathBuf};
use std::{fs, io};

use herbrand_limits::Limits;
use herbrand_text::{Source, Unreadable};

use super::{RddlError, RddlSuite};

impl RddlSuite {
    /// The suite of the one domain and all instances that files define together, called by the domain's name. Problems are
    /// called by the names of their files without `.rddl`, in natural order; if one file has several instances, by the
    /// names of the instances, in the order written.
    ///
    /// # Errors
    /// When a file cannot be read, all faults of the texts, and when there is no instance.
    pub fn from_files<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Self, RddlError> {
        let sources: Result<Vec<Source>, _> = paths.into_iter().map(Source::from_file).collect();
        Self::from_named_files(None, &sources?, Limits::default())
    }

    /// The suite of all `.rddl` files of a folder: a domain and its instances, however they are spread, with what `env.toml`
    /// says if that is there. It is called by the folder's name, and problems as [`from_files`](Self::from_files) says.
    ///
    /// # Errors
    /// When the folder or a file cannot be read, all faults of the texts, and when there is no instance.
    pub fn from_path(folder: impl AsRef<Path>) -> Result<Self, RddlError> {
        Self::from_path_within(folder, Limits::default())
    }

    /// As [`from_path`](Self::from_path), where the texts are read, and each problem is compiled, within limits.
    ///
    /// # Errors
    /// As [`from_path`](Self::from_path), and when reading exceeds the limits.
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

/// The `.rddl` files of a folder.
fn texts(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let paths: io::Result<Vec<PathBuf>> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths?;
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "rddl"));
    paths.sort();
    Ok(paths)
}
