//! Models from files.

use std::path::Path;

use herbrand_text::Source;

use crate::{Domain, Instance, LoadError};

impl Domain {
    /// Reads the one domain that a file defines.
    ///
    /// # Errors
    /// [`LoadError`] if it cannot be read, or has faults.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        Ok(Self::parse(&[Source::from_file(path)?])?)
    }
}

impl Instance {
    /// Reads the one domain and the one instance that files define together, their blocks spread in any way.
    ///
    /// # Errors
    /// [`LoadError`] if one cannot be read, or has faults.
    pub fn from_files<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Self, LoadError> {
        let sources: Result<Vec<Source>, _> = paths.into_iter().map(Source::from_file).collect();
        Ok(Self::load(&sources?)?)
    }
}
