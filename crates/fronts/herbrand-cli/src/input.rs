//! Reads files and the problems that the words of a command line name.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use herbrand::datalog::Limits;
use herbrand::env::ActionMode;
use herbrand::pddl::{Diagnostic, ReadOptions, Source};
pub use herbrand::tasks::open::{
    FileKind, domain_beside, domain_under_edit, files_below, is_stream, is_task, is_task_text, is_trace,
    sentences_file, settings_file, stem, trace_names,
};
use herbrand::tasks::open::{Files, Opener};
use herbrand::text::{Style, Unreadable};

use crate::failure::{Failure, file_error};
use crate::files;

thread_local! {
    /// Whether the run of this thread reads PDDL leniently.
    static LENIENT: Cell<bool> = const { Cell::new(false) };
}

/// Sets whether this run reads PDDL leniently.
pub fn set_lenient(lenient: bool) {
    LENIENT.set(lenient);
}

/// Returns whether this run reads PDDL leniently.
pub fn is_lenient() -> bool {
    LENIENT.get()
}

/// The files of a command: `-` is standard input, and a file that was read is not overwritten.
pub struct CommandFiles;

impl Files for CommandFiles {
    fn read(&self, path: &Path) -> Result<Source, Unreadable> {
        if path == Path::new("-") {
            const NAME: &str = "standard input";
            let mut bytes = Vec::new();
            let read = io::stdin().lock().read_to_end(&mut bytes);
            read.map_err(|error| Unreadable {
                path: NAME.into(),
                error,
            })?;
            return Ok(Source::from_bytes(NAME, bytes));
        }
        let source = Source::from_file(path)?;
        files::note_input(path);
        Ok(source)
    }

    fn note(&self, path: &Path) {
        files::note_input(path);
    }

    fn repaired(&self, warning: &Diagnostic) {
        anstream::eprintln!("{}\n", warning.render(Style::Colored).trim_end());
    }
}

/// Returns the way in which the command opens problems.
pub fn opener(mode: ActionMode, limits: Limits) -> Opener<'static> {
    Opener {
        files: &CommandFiles,
        mode,
        limits,
        lenient: is_lenient(),
    }
}

/// Returns the options for reading PDDL within limits.
pub fn read_options(limits: Limits) -> ReadOptions {
    opener(ActionMode::Declared, limits).read_options()
}

/// Reads a file of PDDL, RDDL or settings as text; `-` is standard input.
///
/// # Errors
/// Fails if the file cannot be read.
pub fn read(path: &Path) -> Result<Source, Failure> {
    Ok(CommandFiles.read(path)?)
}

/// Like [`read`], but fails if the file is too large for the memory limit.
///
/// # Errors
/// Fails if the file cannot be read, or is too large.
pub fn read_within(path: &Path, limits: Limits) -> Result<Source, Failure> {
    Ok(opener(ActionMode::Declared, limits).read(path)?)
}

/// Opens a file to be read line by line.
///
/// # Errors
/// Fails if the file cannot be opened.
pub fn open(path: &Path) -> Result<BufReader<File>, Failure> {
    let file = File::open(path).map_err(|error| file_error(path, error))?;
    files::note_input(path);
    Ok(BufReader::new(file))
}
