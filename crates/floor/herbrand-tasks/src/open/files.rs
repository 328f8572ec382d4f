//! How files are read.

use std::path::Path;

use herbrand_collections::Search;
use herbrand_pddl::Diagnostic;
use herbrand_text::{Source, Unreadable};

/// How files are read, by a program with a standard input or with files that it must not overwrite. The default reads the
/// files of the system, and forgets them.
pub trait Files {
    /// Reads a file.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    fn read(&self, path: &Path) -> Result<Source, Unreadable> {
        Source::from_file(path)
    }

    /// Returns the places in which collections are searched.
    fn search(&self) -> Search {
        Search::from_environment()
    }

    /// Is called with each file of a folder that is read.
    fn note(&self, _path: &Path) {}

    /// Is called with each fault that was repaired in a text that is read leniently.
    fn repaired(&self, _warning: &Diagnostic) {}
}

/// The files of the system.
#[derive(Clone, Copy, Debug)]
pub struct SystemFiles;

impl Files for SystemFiles {}
