//! What is written: pictures, a page, or an animation.

use std::path::Path;
use std::time::Duration;

use herbrand::render::{Still, Theme, replay_page};

use super::pixels;
use crate::failure::Failure;
use crate::output::write_file;

/// What a file's ending asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// One picture of shapes.
    Svg,
    /// A page that replays a walk.
    Page,
    /// One picture of pixels.
    Png,
    /// The same in a smaller file, of a walk as an animation.
    WebP,
    /// A walk as an animation.
    Gif,
}

/// What is written, and how.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub kind: Kind,
    pub theme: Theme,
    /// How many pixels are as long as one unit of a scene.
    #[cfg_attr(not(feature = "png"), expect(dead_code, reason = "pixels alone have a scale"))]
    pub scale: f64,
    /// How long an animation shows each state.
    #[cfg_attr(not(feature = "png"), expect(dead_code, reason = "animations are of pixels"))]
    pub delay: Duration,
}

impl Kind {
    /// What the ending of `path` asks for.
    ///
    /// # Errors
    /// When there is none, or this program writes no such files.
    pub fn of(path: &Path) -> Result<Self, Failure> {
        let ending = path
            .extension()
            .map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let refuse = |why: &str| Err(Failure::Request(format!("{}: {why}", path.display())));
        let kind = match ending.as_deref() {
            Some("svg") => Self::Svg,
            Some("html" | "htm") => Self::Page,
            Some("png") => Self::Png,
            Some("webp") => Self::WebP,
            Some("gif") => Self::Gif,
            Some(other) => {
                return refuse(&format!(
                    "pictures are written as .svg, .html, .png, .webp or .gif, not as .{other}"
                ));
            }
            None => {
                return refuse(
                    "the name has no ending that says what to write: .svg, .html, .png, .webp or .gif",
                );
            }
        };
        if kind.is_of_pixels() && !pixels::WRITTEN {
            return refuse(
                "this program was built without the feature `png`, which draws pixels: write .svg or .html, or build it \
                 with `cargo build --release -p herbrand-cli --features png`",
            );
        }
        Ok(kind)
    }

    /// Whether it shows all states of a walk.
    pub const fn is_of_walks(self) -> bool {
        matches!(self, Self::Page | Self::Gif | Self::WebP)
    }

    /// Whether it consists of pixels.
    const fn is_of_pixels(self) -> bool {
        matches!(self, Self::Png | Self::WebP | Self::Gif)
    }
}

impl Target {
    /// Writes the states, or the last one alone.
    ///
    /// # Errors
    /// When a picture has too many pixels, or the file cannot be written.
    pub fn write(self, path: &Path, title: &str, stills: &[Still]) -> Result<(), Failure> {
        let last = || stills.last().map(|still| still.scene.to_svg(self.theme));
        let text = match self.kind {
            Kind::Page => replay_page(title, stills),
            Kind::Svg => last().unwrap_or_default(),
            Kind::Png | Kind::WebP | Kind::Gif => return pixels::write(self, path, stills),
        };
        write_file(path, text)
    }
}
