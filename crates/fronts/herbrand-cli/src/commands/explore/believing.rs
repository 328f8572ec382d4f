//! Writes the problems that an agent believes in.

use std::path::PathBuf;

use herbrand::edit::PlanningModel;
use herbrand::explore::Usage;
use herbrand::explore::{ReadError, ReadRequest, Reader, ReaderAnswer};

use crate::failure::Failure;
use crate::files;

/// A reader whose agent's problem is written to a folder after each text, in one file per step.
pub struct Believing<'r> {
    reader: &'r mut dyn Reader,
    folder: Option<PathBuf>,
    written: usize,
    failed: Option<Failure>,
}

impl<'r> Believing<'r> {
    /// Creates the reader of one game. Without a folder, nothing is written.
    pub fn new(reader: &'r mut dyn Reader, folder: Option<PathBuf>) -> Self {
        Self {
            reader,
            folder,
            written: 0,
            failed: None,
        }
    }

    /// Says what was written.
    ///
    /// # Errors
    /// Fails if a file could not be written.
    pub fn finish(self) -> Result<(), Failure> {
        if let Some(failure) = self.failed {
            return Err(failure);
        }
        if let (Some(folder), 1..) = (&self.folder, self.written) {
            files::report_written(folder, crate::output::counted(self.written as u64, "problem"));
        }
        Ok(())
    }
}

impl Reader for Believing<'_> {
    fn read(&mut self, request: &ReadRequest<'_>) -> Result<ReaderAnswer, ReadError> {
        match &self.failed {
            Some(failure) => Err(ReadError::last(failure.to_string())),
            None => self.reader.read(request),
        }
    }

    fn begin(&mut self) {
        self.reader.begin();
    }

    fn phrase(&self, object: &str) -> String {
        self.reader.phrase(object)
    }

    fn learns(&self) -> bool {
        self.reader.learns()
    }

    fn is_gone(&self) -> bool {
        self.reader.is_gone()
    }

    fn believed(&mut self, step: usize, problem: &PlanningModel) {
        self.reader.believed(step, problem);
        if let (Some(folder), None) = (&self.folder, &self.failed) {
            let path = folder.join(format!("{step:03}.pddl"));
            let written = files::write_files(&[(path, problem.problem_text())]);
            self.failed = written.err();
            self.written += 1;
        }
    }

    fn usage(&self) -> Usage {
        self.reader.usage()
    }
}
