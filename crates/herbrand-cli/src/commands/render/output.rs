//! What is written: SVG, or a page.

use std::fs;
use std::path::Path;

use herbrand::render::{Still, Theme, replay_page};

use crate::failure::Failure;
use crate::input::file_error;

/// What a file's ending asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// One picture.
    Svg(Theme),
    /// A page that replays a walk.
    Page,
}

impl Target {
    /// What the ending of `path` asks for.
    ///
    /// # Errors
    /// When there is none, or no such files are written.
    pub fn of(path: &Path, theme: Theme) -> Result<Self, Failure> {
        let ending = path
            .extension()
            .map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let refuse = |why: &str| Err(Failure::Request(format!("{}: {why}", path.display())));
        match ending.as_deref() {
            Some("svg") => Ok(Self::Svg(theme)),
            Some("html" | "htm") => Ok(Self::Page),
            Some(other) => refuse(&format!("pictures are written as .svg or .html, not as .{other}")),
            None => refuse("the name has no ending that says what to write, .svg or .html"),
        }
    }

    /// Whether it shows all states of a walk.
    pub const fn is_of_walks(self) -> bool {
        matches!(self, Self::Page)
    }

    /// Writes the states, or the last one alone.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(self, path: &Path, title: &str, stills: &[Still]) -> Result<(), Failure> {
        let text = match self {
            Self::Page => replay_page(title, stills),
            Self::Svg(theme) => stills
                .last()
                .map(|still| still.scene.to_svg(theme))
                .unwrap_or_default(),
        };
        fs::write(path, text).map_err(|error| file_error(path, error))
    }
}
