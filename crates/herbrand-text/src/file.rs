//! Texts from files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::{Code, Faults, Source};

/// A file that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}", path.display())]
pub struct Unreadable {
    /// The file.
    pub path: PathBuf,
    /// What the system says.
    #[source]
    pub error: io::Error,
}

/// Why a file gave no model.
#[derive(Debug, thiserror::Error)]
pub enum LoadError<C: Code> {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] Unreadable),
    /// The text has faults.
    #[error(transparent)]
    Faults(#[from] Faults<C>),
}

impl Source {
    /// The text of a file, called by its path.
    ///
    /// # Errors
    /// [`Unreadable`] if it cannot be read.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, Unreadable> {
        let path = path.as_ref();
        match fs::read(path) {
            Ok(bytes) => Ok(Self::from_bytes(&path.to_string_lossy(), bytes)),
            Err(error) => Err(Unreadable {
                path: path.to_owned(),
                error,
            }),
        }
    }
}
