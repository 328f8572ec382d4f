//! The output formats: pictures, a page, or an animation.

use std::path::Path;
use std::time::Duration;

use herbrand::render::{ReplayState, Scene, Theme, replay_page};

use super::pixels;
use crate::failure::{Failure, refuse};
use crate::files::{report_written, write_file};
use crate::output::counted;

/// The output format of `herbrand render`, selected by the ending of the file name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// One vector picture.
    Svg,
    /// A page that replays a walk.
    Page,
    /// One raster picture.
    Png,
    /// An animation of a walk, or one raster picture; smaller than PNG.
    WebP,
    /// An animation of a walk.
    Gif,
}

/// The output format of a picture, with its options.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub kind: Kind,
    pub theme: Theme,
    /// The scale of raster pictures, in pixels per unit of a scene.
    pub scale: f64,
    /// The time for which an animation shows each state.
    pub delay: Duration,
}

impl Kind {
    /// Returns the format that the ending of `path` selects.
    ///
    /// # Errors
    /// Fails if the path has no extension, or one that Herbrand does not write.
    pub fn of(path: &Path) -> Result<Self, Failure> {
        let ending = path
            .extension()
            .map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let refuse = |why: &str| refuse(format!("{}: {why}", path.display()));
        let kind = match ending.as_deref() {
            Some("svg") => Self::Svg,
            Some("html" | "htm") => Self::Page,
            Some("png") => Self::Png,
            Some("webp") => Self::WebP,
            Some("gif") => Self::Gif,
            Some(other) => {
                return refuse(&format!(
                    "unknown ending .{other}: write .svg, .html, .png, .webp or .gif"
                ));
            }
            None => {
                return refuse("the file name has no ending: write .svg, .html, .png, .webp or .gif");
            }
        };
        Ok(kind)
    }

    /// Returns whether the format shows all states of a walk rather than one.
    pub const fn is_of_walks(self) -> bool {
        matches!(self, Self::Page | Self::Gif | Self::WebP)
    }
}

impl Target {
    /// Writes a file with all states of a walk, or with the last state only, as the format requires.
    ///
    /// # Errors
    /// Fails if a picture has too many pixels, or if the file cannot be written.
    pub fn write(self, path: &Path, title: &str, stills: &[ReplayState]) -> Result<(), Failure> {
        let Some(last) = stills.last() else {
            return Ok(());
        };
        let contents = match self.kind {
            Kind::Page => {
                write_file(path, replay_page(title, stills))?;
                counted(stills.len() as u64, "state")
            }
            Kind::Svg => {
                let Scene { width, height, .. } = last.scene;
                write_file(path, last.scene.to_svg(self.theme))?;
                format!("{} × {}", width.ceil(), height.ceil())
            }
            Kind::Png | Kind::WebP | Kind::Gif => {
                let (width, height) = pixels::write(self, path, stills)?;
                let frames = match self.kind {
                    Kind::Gif | Kind::WebP if stills.len() > 1 => {
                        format!(", {}", counted(stills.len() as u64, "frame"))
                    }
                    _ => String::new(),
                };
                format!("{width} × {height}{frames}")
            }
        };
        report_written(path, contents);
        Ok(())
    }
}
