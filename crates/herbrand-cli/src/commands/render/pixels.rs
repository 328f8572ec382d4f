//! Files of pixels.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use herbrand::render::{Animation, Image, ImageError, Still};

use super::output::{Kind, Target};
use crate::failure::Failure;
use crate::input::file_error;
use crate::output::write_file;
use crate::progress::Progress;

/// Whether this program draws pixels.
pub const WRITTEN: bool = true;

/// Writes the states as an animation, or the last one alone as a picture.
///
/// # Errors
/// When a picture has too many pixels, or the file cannot be written.
pub fn write(target: Target, path: &Path, stills: &[Still]) -> Result<(), Failure> {
    let failed = |error: ImageError| match error {
        ImageError::Io(error) => file_error(path, error),
        other => Failure::Request(format!("{}: {other}", path.display())),
    };
    if target.kind == Kind::Gif {
        return animate(target, path, stills).map_err(failed);
    }
    let Some(still) = stills.last() else {
        return Ok(());
    };
    let image = still.scene.to_image(target.theme, target.scale).map_err(failed)?;
    let bytes = if target.kind == Kind::WebP {
        image.to_webp()
    } else {
        image.to_png()
    };
    write_file(path, bytes.map_err(failed)?)
}

/// Draws and writes one state after the other, on paper that is large enough for all of them.
fn animate(target: Target, path: &Path, stills: &[Still]) -> Result<(), ImageError> {
    let (mut width, mut height) = (0, 0);
    for still in stills {
        let (wide, high) = still.scene.size_in_pixels(target.scale)?;
        (width, height) = (width.max(wide), height.max(high));
    }
    let paper = Image::new(width, height, herbrand::render::paper(target.theme))?;
    let mut film = Animation::new(BufWriter::new(File::create(path)?), width, height)?;
    let progress = Progress::of_pictures(stills.len() as u64);
    for still in stills {
        let mut whole = paper.clone();
        whole.paste(&still.scene.to_image(target.theme, target.scale)?, (0, 0));
        film.add(&whole, target.delay)?;
        progress.advance(1);
    }
    progress.finish();
    film.finish()?;
    Ok(())
}
