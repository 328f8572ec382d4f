//! Loading domains and problems from files.

use std::path::Path;

use herbrand_text::Source;

use crate::diagnostic::LoadError;
use crate::model::{Domain, Problem};

impl Domain {
    /// Parses and checks the file at `path`, which must define exactly one domain. Warnings are dropped;
    /// [`Domain::parse_with`] returns them.
    ///
    /// # Errors
    /// [`LoadError`] if the file cannot be read or its text has faults.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        Ok(Self::parse(&Source::from_file(path)?)?)
    }
}

impl Problem {
    /// Parses the file at `path`, which must define exactly one problem, and checks the problem against `domain`.
    /// Warnings are dropped; [`Problem::parse_with`] returns them.
    ///
    /// # Errors
    /// [`LoadError`] if the file cannot be read or its text has faults.
    pub fn from_file(path: impl AsRef<Path>, domain: &Domain) -> Result<Self, LoadError> {
        Ok(Self::parse(&Source::from_file(path)?, domain)?)
    }
}
