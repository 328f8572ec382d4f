//! Raster pictures and animations.

use std::path::Path;

use herbrand::render::{Animation, Image, ImageError, ReplayState, WebPAnimation};

use super::output::{Kind, Target};
use crate::failure::{Failure, file_error};
use crate::files::write_file;
use crate::progress::Progress;

/// Writes the states of a walk as an animation, or the last one as a picture. Returns the width and the height in pixels.
///
/// # Errors
/// Fails if a picture has too many pixels, or if the file cannot be written.
pub fn write(target: Target, path: &Path, stills: &[ReplayState]) -> Result<(u32, u32), Failure> {
    let failed = |error: ImageError| match error {
        ImageError::Io(error) => file_error(path, error),
        other => Failure::Request(format!("{}: {other}", path.display())),
    };
    match target.kind {
        Kind::Gif => {
            let film = gif(target, stills).map_err(failed)?;
            write_file(path, film)?;
            return size(target, stills).map_err(failed);
        }
        Kind::WebP if stills.len() > 1 => {
            let film = webp(target, stills).map_err(failed)?;
            write_file(path, film)?;
            return size(target, stills).map_err(failed);
        }
        _ => {}
    }
    let Some(still) = stills.last() else {
        return Ok((0, 0));
    };
    let image = still.scene.to_image(target.theme, target.scale).map_err(failed)?;
    let bytes = if target.kind == Kind::WebP {
        image.to_webp()
    } else {
        image.to_png()
    };
    write_file(path, bytes.map_err(failed)?)?;
    still.scene.size_in_pixels(target.scale).map_err(failed)
}

/// Encodes the states as frames of a GIF.
fn gif(target: Target, stills: &[ReplayState]) -> Result<Vec<u8>, ImageError> {
    let (width, height) = size(target, stills)?;
    let mut bytes = Vec::new();
    let mut film = Animation::new(&mut bytes, width, height)?;
    frames(target, stills, |frame| film.add(frame, target.delay))?;
    film.finish()?;
    Ok(bytes)
}

/// Encodes the states as frames of a WebP.
fn webp(target: Target, stills: &[ReplayState]) -> Result<Vec<u8>, ImageError> {
    let (width, height) = size(target, stills)?;
    let mut film = WebPAnimation::new(width, height)?;
    frames(target, stills, |frame| film.add(frame, target.delay))?;
    film.finish()
}

/// Returns the size in pixels of the smallest canvas that fits every state.
fn size(target: Target, stills: &[ReplayState]) -> Result<(u32, u32), ImageError> {
    let mut size = (0, 0);
    for still in stills {
        let (width, height) = still.scene.size_in_pixels(target.scale)?;
        size = (size.0.max(width), size.1.max(height));
    }
    Ok(size)
}

/// Draws each state on a canvas of the common size.
fn frames(
    target: Target,
    stills: &[ReplayState],
    mut add: impl FnMut(&Image) -> Result<(), ImageError>,
) -> Result<(), ImageError> {
    let (width, height) = size(target, stills)?;
    let paper = Image::new(width, height, herbrand::render::paper(target.theme))?;
    let progress = Progress::of(stills.len() as u64, "pictures");
    for still in stills {
        let mut whole = paper.clone();
        whole.paste(&still.scene.to_image(target.theme, target.scale)?, (0, 0));
        add(&whole)?;
        progress.advance(1);
    }
    progress.finish();
    Ok(())
}
