//! Loading texts from files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::code::Code;
use crate::faults::Faults;
use crate::source::Source;

/// The error that a file cannot be read, with its path. [`Source::from_file`] returns it.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", path.display())]
pub struct Unreadable {
    /// The path of the file.
    pub path: PathBuf,
    /// The error of the operating system.
    pub error: io::Error,
}

/// The reason why a model could not be loaded from a file: the file cannot be read, or its text has faults. Functions
/// that load a model from a path return it.
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
    /// Reads the text of a file. Its path becomes the name of the source. The bytes are decoded as by
    /// [`from_bytes`](Self::from_bytes), so any content is accepted.
    ///
    /// # Errors
    /// [`Unreadable`] if the file cannot be read.
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
