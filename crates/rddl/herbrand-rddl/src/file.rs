//! Loading models from files.

use std::path::Path;

use herbrand_text::Source;

use crate::diagnostic::LoadError;
use crate::model::{Domain, Instance};

impl Domain {
    /// Loads the domain that a file defines. The file must contain exactly one domain. Warnings are dropped.
    ///
    /// # Errors
    /// Fails if the file cannot be read or has faults.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        Ok(Self::parse(&[Source::from_file(path)?])?)
    }
}

impl Instance {
    /// Loads the domain and the instance that files define together. There must be exactly one of each; their blocks
    /// may be spread over the files in any way. Warnings are dropped. Without any file, it fails.
    ///
    /// # Errors
    /// Fails if a file cannot be read, if the texts have faults, or if they define none or several domains or instances.
    pub fn from_files<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Self, LoadError> {
        let sources: Result<Vec<Source>, _> = paths.into_iter().map(Source::from_file).collect();
        Ok(Self::load(&sources?)?)
    }
}
