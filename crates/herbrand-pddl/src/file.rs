//! Models from files: the only place where this crate touches the disk.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::{Domain, Faults, Problem, Source};

/// Why a file gave no model.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error("cannot read {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: io::Error,
    },
    /// The text has faults.
    #[error(transparent)]
    Faults(#[from] Faults),
}

impl Source {
    /// The text of a file, called by its path.
    ///
    /// # Errors
    /// [`LoadError::Io`] if it cannot be read.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        match fs::read(path) {
            Ok(bytes) => Ok(Self::from_bytes(&path.to_string_lossy(), bytes)),
            Err(error) => Err(LoadError::Io {
                path: path.to_owned(),
                error,
            }),
        }
    }
}

impl Domain {
    /// Reads the one domain that a file defines.
    ///
    /// # Errors
    /// [`LoadError`] if it cannot be read, or has faults.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        Ok(Self::parse(&Source::from_file(path)?)?)
    }
}

impl Problem {
    /// Reads the one problem that a file defines, for `domain`.
    ///
    /// # Errors
    /// [`LoadError`] if it cannot be read, or has faults.
    pub fn from_file(path: impl AsRef<Path>, domain: &Domain) -> Result<Self, LoadError> {
        Ok(Self::parse(&Source::from_file(path)?, domain)?)
    }
}
