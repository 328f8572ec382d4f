//! Reads suites from disk. No other module of this crate does.

use std::fs;
use std::io;
use std::path::Path;

use herbrand_core::EpisodeFault;
use herbrand_pddl::Source;

use super::{Suite, SuiteFiles};
use crate::error::EnvError;
use crate::suite::ActionMode;

/// The maximum depth of the folder walk, for `levels/<n>/train/<problem>`.
const DEPTH: usize = 3;

impl Suite {
    /// Reads the suite of a folder, with its declared actions. The folder contains `domain.pddl`, optionally `env.toml`, and
    /// problems in `train` and `test`, in `problems`, or next to the domain; see [`SuiteFiles::from_folder`]. The texts of
    /// the problems are read now and checked on first use.
    ///
    /// ```
    /// use herbrand_env::Suite;
    ///
    /// # let folder = std::env::temp_dir().join(format!("herbrand-from-path-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// # std::fs::write(folder.join("domain.pddl"), "(define (domain lamp) (:predicates (on)) (:action light :effect (on)))")?;
    /// # std::fs::write(folder.join("p1.pddl"), "(define (problem dark) (:domain lamp) (:init) (:goal (on)))")?;
    /// let suite = Suite::from_path(&folder)?;
    /// assert_eq!((suite.len(), suite.problem_name(0)), (1, Some("p1")));
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fails if a file cannot be read, if there is no domain or no problem, or if the domain or the settings are faulty.
    /// Also fails if the folder has levels: [`SuiteFiles::from_path`] returns one suite per level.
    pub fn from_path(folder: impl AsRef<Path>) -> Result<Self, EnvError> {
        let folder = folder.as_ref();
        match <[_; 1]>::try_from(SuiteFiles::from_path(folder)?) {
            Ok([files]) => Self::new(files, ActionMode::Declared),
            Err(levels) => Err(EnvError::Levels {
                name: folder.display().to_string(),
                levels: levels.into_iter().map(|files| files.name).collect(),
            }),
        }
    }
}

impl SuiteFiles {
    /// Reads the suites of a folder on disk: a single one, or one per level. The names of suites start with the folder's
    /// name; texts are named by their paths.
    ///
    /// # Errors
    /// Fails if a file cannot be read or the folder does not have the layout of [`from_folder`](Self::from_folder).
    pub fn from_path(folder: impl AsRef<Path>) -> Result<Vec<Self>, EnvError> {
        let folder = folder.as_ref();
        let absolute = folder
            .canonicalize()
            .map_err(|error| EnvError::file(folder, error))?;
        let name = absolute
            .file_name()
            .map_or_else(|| folder.to_string_lossy(), |name| name.to_string_lossy());
        let mut files = Vec::new();
        collect(folder, "", DEPTH, &mut files)?;
        Self::from_folder(&name, files).map_err(|error| at(folder, error))
    }
}

/// Replaces the folder name in an error by the path that the caller gave.
fn at(folder: &Path, error: EnvError) -> EnvError {
    match error {
        EnvError::NoDomain { .. } => EnvError::NoDomain {
            folder: folder.display().to_string(),
        },
        EnvError::Episode(EpisodeFault::NoProblems { .. }) => EnvError::from(EpisodeFault::NoProblems {
            problems: folder.display().to_string(),
        }),
        other => other,
    }
}

/// Collects the PDDL files and settings below a folder, with relative paths (with slashes).
fn collect(
    folder: &Path,
    prefix: &str,
    depth: usize,
    files: &mut Vec<(String, Source)>,
) -> Result<(), EnvError> {
    let failed = |error: io::Error| EnvError::file(folder, error);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        let relative = format!("{prefix}{name}");
        if path.is_dir() {
            if depth > 0 {
                collect(&path, &format!("{relative}/"), depth - 1, files)?;
            }
        } else if name == "env.toml" || name.ends_with(".pddl") {
            let bytes = fs::read(&path).map_err(|error| EnvError::file(&path, error))?;
            files.push((relative, Source::from_bytes(&path.to_string_lossy(), bytes)));
        }
    }
    Ok(())
}
