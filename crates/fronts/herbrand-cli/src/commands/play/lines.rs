//! The sources of the player's lines: an editor in a terminal, or a pipe.
//!
//! The editor is rustyline, with history and completion. It draws only the input line, so that earlier output stays on the
//! screen.

use std::io::{self, BufRead, Write};
use std::sync::{Arc, Mutex, PoisonError};

use herbrand::render::Direction;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{
    Cmd, ConditionalEventHandler, Context, Event, EventContext, EventHandler, Helper, Highlighter, Hinter,
    KeyCode, KeyEvent, Modifiers, RepeatCount, Validator,
};

use crate::failure::Failure;

const PROMPT: &str = "> ";

/// An input of the player: a line or an arrow key.
pub enum Line {
    /// A line of text, without its end.
    Text(String),
    /// An arrow key, on an empty line.
    Arrow(Direction),
}

/// A source of the player's inputs: a terminal, a pipe or a file.
pub trait PlayerInput {
    /// Returns the next line; `None` at the end. `completions` are the texts that Tab completes.
    ///
    /// # Errors
    /// Fails if the input cannot be read.
    fn next(&mut self, completions: &[String]) -> Result<Option<Line>, Failure>;

    /// Returns whether arrow keys are reported as inputs.
    fn has_arrows(&self) -> bool;
}

/// The lines of a pipe or file, echoed to standard output after a prompt.
pub struct Piped;

impl PlayerInput for Piped {
    fn has_arrows(&self) -> bool {
        false
    }

    fn next(&mut self, _: &[String]) -> Result<Option<Line>, Failure> {
        let mut line = String::new();
        if io::stdin().lock().read_line(&mut line).map_err(Failure::Input)? == 0 {
            return Ok(None);
        }
        let line = line.trim().to_owned();
        writeln!(io::stdout().lock(), "{PROMPT}{line}")?;
        Ok(Some(Line::Text(line)))
    }
}

/// An editor for lines typed in a terminal, with history and completion.
pub struct Editor {
    editor: rustyline::Editor<Candidates, DefaultHistory>,
    /// The arrow key that ended the last line; `None` if arrow keys only edit.
    arrow: Option<Arrow>,
}

/// An arrow key that was pressed on an empty line.
type Arrow = Arc<Mutex<Option<Direction>>>;

/// Ends an empty line at an arrow key, and notes which one it was.
struct OnArrow {
    direction: Direction,
    pressed: Arrow,
}

impl ConditionalEventHandler for OnArrow {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext<'_>) -> Option<Cmd> {
        if !context.line().is_empty() {
            return None;
        }
        *self.pressed.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.direction);
        Some(Cmd::AcceptLine)
    }
}

const ARROWS: [(KeyCode, Direction); 4] = [
    (KeyCode::Up, Direction::Up),
    (KeyCode::Down, Direction::Down),
    (KeyCode::Left, Direction::Left),
    (KeyCode::Right, Direction::Right),
];

/// The completions of Tab: all candidates that contain the typed text.
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
    /// Creates an editor that reads lines from the terminal. With `arrows`, arrow keys on an empty line are reported;
    /// otherwise they edit.
    ///
    /// # Errors
    /// Fails if the terminal does not answer.
    pub fn new(arrows: bool) -> io::Result<Self> {
        let config = rustyline::Config::builder()
            .completion_type(rustyline::CompletionType::List)
            .build();
        let mut editor = rustyline::Editor::with_config(config).map_err(io::Error::other)?;
        editor.set_helper(Some(Candidates::default()));
        let arrow = arrows.then(Arrow::default);
        for (pressed, (key, direction)) in arrow.iter().flat_map(|arrow| ARROWS.map(|key| (arrow, key))) {
            let handler = OnArrow {
                direction,
                pressed: Arc::clone(pressed),
            };
            let key = KeyEvent(key, Modifiers::NONE);
            editor.bind_sequence(key, EventHandler::Conditional(Box::new(handler)));
        }
        Ok(Self { editor, arrow })
    }

    /// Returns the arrow key that ended the last line, and forgets it.
    fn pressed(&self) -> Option<Direction> {
        let arrow = self.arrow.as_ref()?;
        arrow.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl PlayerInput for Editor {
    fn has_arrows(&self) -> bool {
        self.arrow.is_some()
    }

    fn next(&mut self, completions: &[String]) -> Result<Option<Line>, Failure> {
        if let Some(candidates) = self.editor.helper_mut() {
            candidates.0 = completions.to_vec();
        }
        match self.editor.readline(PROMPT) {
            Ok(line) => {
                if let Some(direction) = self.pressed() {
                    return Ok(Some(Line::Arrow(direction)));
                }
                let added = self.editor.add_history_entry(&line);
                added.map_err(|error| Failure::Input(io::Error::other(error)))?;
                Ok(Some(Line::Text(line.trim().to_owned())))
            }
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
            Err(ReadlineError::Io(error)) => Err(Failure::Input(error)),
            Err(error) => Err(Failure::Input(io::Error::other(error))),
        }
    }
}
