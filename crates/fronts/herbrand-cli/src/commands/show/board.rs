//! The drawing of a state, and the folding of long atom lists that it makes redundant.

use std::fmt;
use std::io;

use herbrand::render::{Moment, Picture};

use crate::drawing;

/// The maximum number of drawn atoms of one predicate that are listed without folding.
const LISTED: usize = 8;

/// A state drawn with characters, and the meaning of the symbols.
pub struct Board {
    text: String,
    picture: Picture,
}

impl Board {
    /// Draws the facts of a state; `None` if the picture has neither a grid nor towers.
    ///
    /// # Errors
    /// Never fails, because it writes to memory.
    pub fn of(picture: &Picture, moment: &Moment) -> io::Result<Option<Self>> {
        let mut text = Vec::new();
        if !drawing::drawn(&mut text, picture, moment)? {
            return Ok(None);
        }
        drawing::legend(&mut text, picture, moment)?;
        Ok(Some(Self {
            text: String::from_utf8_lossy(&text).trim_end().to_owned(),
            picture: picture.clone(),
        }))
    }

    /// Returns the lines for a list of atoms. A long run of atoms of one predicate that the drawing shows becomes one line
    /// with their count.
    pub fn fold(&self, atoms: &[String]) -> Vec<String> {
        let mut lines = Vec::new();
        for run in atoms.chunk_by(|one, next| predicate(one) == predicate(next)) {
            match run {
                [first, ..] if run.len() > LISTED && self.picture.draws_as_text(predicate(first)) => {
                    let (name, count) = (predicate(first), run.len());
                    let (open, close) = if first.starts_with('(') {
                        ("(", " …)")
                    } else {
                        ("", "(…)")
                    };
                    lines.push(format!(
                        "{open}{name}{close}: {count} atoms, in the drawing; --all lists them"
                    ));
                }
                _ => lines.extend_from_slice(run),
            }
        }
        lines
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The predicate of an atom such as `(clear r1c1)`, or the fluent of `clear(r1c1)`.
fn predicate(atom: &str) -> &str {
    let name = atom.trim_start_matches('(');
    name.split([' ', '(', ')']).next().unwrap_or(name)
}
