//! Models from files.

use std::path::Path;

use crate::{Domain, LoadError, Problem, Source};

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
