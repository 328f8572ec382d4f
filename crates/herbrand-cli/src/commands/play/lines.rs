//! Where the player's lines come from: a terminal with an editor, or a pipe.
//!
//! The editor is rustyline: history and completion, nothing drawn beyond the line, so that what was shown stays on the
//! screen and can be scrolled back to.

use std::io::{self, BufRead, Write};

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{Context, Helper, Highlighter, Hinter, Validator};

use crate::failure::Failure;

const PROMPT: &str = "> ";

/// A source of lines.
pub trait Lines {
    /// The next line, without its end; `None` when there is no more. `completions` is what may be typed.
    ///
    /// # Errors
    /// When reading fails.
    fn next(&mut self, completions: &[String]) -> Result<Option<String>, Failure>;
}

/// Lines from a pipe or file, repeated on standard output behind a prompt.
pub struct Piped;

impl Lines for Piped {
    fn next(&mut self, _: &[String]) -> Result<Option<String>, Failure> {
        let mut line = String::new();
        if io::stdin().lock().read_line(&mut line).map_err(Failure::Input)? == 0 {
            return Ok(None);
        }
        let line = line.trim().to_owned();
        writeln!(io::stdout().lock(), "{PROMPT}{line}")?;
        Ok(Some(line))
    }
}

/// Lines typed in a terminal.
pub struct Editor(rustyline::Editor<Candidates, DefaultHistory>);

/// What Tab completes: everything that contains what was typed.
#[derive(Helper, Hinter, Highlighter, Validator, Default)]
struct Candidates(Vec<String>);

impl Completer for Candidates {
    type Candidate = String;

    fn complete(&self, line: &str, end: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line[..end].trim().to_lowercase();
        let fitting = self.0.iter().filter(|candidate| candidate.contains(&typed));
        Ok((0, fitting.cloned().collect()))
    }
}

impl Editor {
    /// The terminal's lines.
    ///
    /// # Errors
    /// When the terminal does not answer.
    pub fn new() -> io::Result<Self> {
        let config = rustyline::Config::builder()
            .completion_type(rustyline::CompletionType::List)
            .build();
        let mut editor = rustyline::Editor::with_config(config).map_err(io::Error::other)?;
        editor.set_helper(Some(Candidates::default()));
        Ok(Self(editor))
    }
}

impl Lines for Editor {
    fn next(&mut self, completions: &[String]) -> Result<Option<String>, Failure> {
        if let Some(candidates) = self.0.helper_mut() {
            candidates.0 = completions.to_vec();
        }
        match self.0.readline(PROMPT) {
            Ok(line) => {
                let added = self.0.add_history_entry(&line);
                added.map_err(|error| Failure::Input(io::Error::other(error)))?;
                Ok(Some(line.trim().to_owned()))
            }
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
            Err(ReadlineError::Io(error)) => Err(Failure::Input(error)),
            Err(error) => Err(Failure::Input(io::Error::other(error))),
        }
    }
}
