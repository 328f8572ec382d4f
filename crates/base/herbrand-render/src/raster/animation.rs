//! Animated GIF files.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

use gif::{DisposalMethod, Encoder, EncodingError, Repeat};

use super::{Image, ImageError};
use crate::colour::Rgb;

/// A writer of an animated GIF, frame by frame. The animation repeats forever.
///
/// Each frame contains only the rectangle that changed, with its own palette. If a rectangle has more than 255
/// colours, the most frequent ones are kept and the others are replaced by the nearest of these.
///
/// ```
/// use std::time::Duration;
/// use herbrand_render::{Animation, Image};
///
/// let mut film = Animation::new(Vec::new(), 8, 8)?;
/// for colour in [[255, 0, 0], [0, 0, 255]] {
///     film.add(&Image::new(8, 8, colour)?, Duration::from_millis(500))?;
/// }
/// assert!(film.finish()?.starts_with(b"GIF89a"));
/// # Ok::<(), herbrand_render::ImageError>(())
/// ```
pub struct Animation<W: Write> {
    encoder: Encoder<W>,
    width: u16,
    height: u16,
    before: Option<Image>,
}

/// A rectangle of pixels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PixelRect {
    pub(super) left: u32,
    pub(super) top: u32,
    pub(super) width: u32,
    pub(super) height: u32,
}

/// The number of colours of a frame, excluding the transparent one for unchanged pixels.
const COLOURS: usize = 255;

/// The palette index of the transparent colour for unchanged pixels.
const SAME: u8 = 255;

impl<W: Write> Animation<W> {
    /// Creates an animation of this size in pixels without frames, which is written to `file`.
    ///
    /// # Errors
    /// Fails if the width or the height is more than 65,535 pixels, or if the file cannot be written. A size of 0 fails
    /// at the first [`add`](Self::add) at the latest.
    pub fn new(file: W, width: u32, height: u32) -> Result<Self, ImageError> {
        let (Ok(wide), Ok(high)) = (u16::try_from(width), u16::try_from(height)) else {
            return Err(ImageError::Gif { width, height });
        };
        let mut encoder = Encoder::new(file, wide, high, &[]).map_err(failed)?;
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        Ok(Self {
            encoder,
            width: wide,
            height: high,
            before: None,
        })
    }

    /// Adds a frame that is shown for `time`, rounded down to hundredths of a second and to at most 655.35 seconds. An
    /// image of another size goes to the upper left corner: larger images are cut off, and the pixels that smaller ones
    /// do not cover remain those of the frame before (white in the first frame).
    ///
    /// # Errors
    /// Fails if the file cannot be written, or if the animation has no pixels or too many.
    pub fn add(&mut self, image: &Image, time: Duration) -> Result<(), ImageError> {
        let (width, height) = (u32::from(self.width), u32::from(self.height));
        let mut whole = match &self.before {
            Some(before) => before.clone(),
            None => Image::new(width, height, [255; 3])?,
        };
        whole.paste(image, (0, 0));
        let part = match &self.before {
            Some(before) => changed(before, &whole),
            None => PixelRect {
                left: 0,
                top: 0,
                width,
                height,
            },
        };
        let (palette, buffer) = numbered(&whole, self.before.as_ref(), part);
        let frame = gif::Frame {
            delay: u16::try_from(time.as_millis() / 10).unwrap_or(u16::MAX),
            dispose: DisposalMethod::Keep,
            transparent: Some(SAME),
            left: part.left as u16,
            top: part.top as u16,
            width: part.width as u16,
            height: part.height as u16,
            palette: Some(palette),
            buffer: Cow::Owned(buffer),
            ..gif::Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(failed)?;
        self.before = Some(whole);
        Ok(())
    }

    /// Finishes the file, flushes it, and returns the writer. Without frames, the file has no pictures.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn finish(self) -> Result<W, ImageError> {
        let mut file = self.encoder.into_inner().map_err(failed)?;
        file.flush()?;
        Ok(file)
    }
}

fn failed(error: EncodingError) -> ImageError {
    match error {
        EncodingError::Io(error) => ImageError::Io(error),
        other => ImageError::Encoding(other.to_string()),
    }
}

/// Returns the bounding box of the pixels in which two pictures of equal size differ, or one pixel if they are equal.
pub(super) fn changed(before: &Image, after: &Image) -> PixelRect {
    let (mut left, mut right) = (u32::MAX, 0);
    let (mut top, mut bottom) = (u32::MAX, 0);
    for y in 0..after.height {
        let differs = |&x: &u32| before.pixel(x, y) != after.pixel(x, y);
        let Some(first) = (0..after.width).find(differs) else {
            continue;
        };
        let last = (0..after.width).rev().find(differs).unwrap_or(first);
        (left, right) = (left.min(first), right.max(last));
        (top, bottom) = (top.min(y), y);
    }
    if left > right {
        (left, right, top, bottom) = (0, 0, 0, 0);
    }
    PixelRect {
        left,
        top,
        width: right - left + 1,
        height: bottom - top + 1,
    }
}

/// Returns the palette of a part, and the palette index of each pixel.
fn numbered(image: &Image, before: Option<&Image>, part: PixelRect) -> (Vec<u8>, Vec<u8>) {
    let places = (0..part.height).flat_map(|y| (0..part.width).map(move |x| (part.left + x, part.top + y)));
    let pixels = places.map(|(x, y)| {
        let colour = image.pixel(x, y).unwrap_or([255; 3]);
        let same = before.is_some_and(|before| before.pixel(x, y) == Some(colour));
        (!same).then_some(colour)
    });
    let pixels: Vec<Option<Rgb>> = pixels.collect();
    let mut counts = BTreeMap::<Rgb, u32>::new();
    for colour in pixels.iter().flatten() {
        *counts.entry(*colour).or_default() += 1;
    }
    let mut kept: Vec<(Rgb, u32)> = counts.iter().map(|(&colour, &count)| (colour, count)).collect();
    kept.sort_by_key(|&(colour, count)| (std::cmp::Reverse(count), colour));
    kept.truncate(COLOURS);
    let numbers: BTreeMap<Rgb, u8> = counts
        .keys()
        .map(|&colour| (colour, nearest(colour, &kept)))
        .collect();
    let buffer = pixels.iter().map(|pixel| {
        pixel
            .and_then(|colour| numbers.get(&colour).copied())
            .unwrap_or(SAME)
    });
    let buffer = buffer.collect();
    let mut palette: Vec<u8> = kept.iter().flat_map(|&(colour, _)| colour).collect();
    palette.resize(3 * (COLOURS + 1), 0);
    (palette, buffer)
}

/// Returns the index of the nearest colour, the first on ties.
fn nearest(colour: Rgb, kept: &[(Rgb, u32)]) -> u8 {
    let distance = |other: &Rgb| -> u32 {
        let parts = colour.iter().zip(other);
        parts
            .map(|(one, other)| u32::from(one.abs_diff(*other)).pow(2))
            .sum()
    };
    let numbers = (0u8..).zip(kept);
    numbers
        .min_by_key(|(_, (other, _))| distance(other))
        .map_or(0, |(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(dots: &[(u32, u32, Rgb)]) -> Image {
        let mut image = Image::new(6, 4, [255; 3]).expect("a small picture");
        for &(x, y, colour) in dots {
            image.paste(&Image::new(1, 1, colour).expect("a dot"), (x, y));
        }
        image
    }

    #[test]
    fn a_frame_is_the_rectangle_that_changed() {
        let (before, after) = (image(&[(1, 1, [0; 3])]), image(&[(1, 2, [0; 3]), (4, 1, [9; 3])]));
        let part = changed(&before, &after);
        assert_eq!(
            part,
            PixelRect {
                left: 1,
                top: 1,
                width: 4,
                height: 2
            }
        );
        let nothing = changed(&before, &before);
        assert_eq!((nothing.width, nothing.height), (1, 1));
    }

    #[test]
    fn frames_are_read_back_as_they_were() {
        let frames = [
            image(&[(1, 1, [0; 3])]),
            image(&[(1, 2, [0; 3]), (4, 1, [9; 3])]),
            image(&[(1, 2, [0; 3]), (4, 1, [9; 3])]),
            image(&[]),
        ];
        let mut film = Animation::new(Vec::new(), 6, 4).expect("an animation");
        for frame in &frames {
            film.add(frame, Duration::from_millis(120)).expect("a frame");
        }
        let bytes = film.finish().expect("a file");
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes.as_slice()).expect("a GIF");
        let mut shown = image(&[]);
        for expected in &frames {
            let frame = decoder
                .read_next_frame()
                .expect("a sound frame")
                .expect("a frame");
            assert_eq!(frame.delay, 12);
            for (at, pixel) in frame.buffer.chunks(4).enumerate() {
                let (x, y) = (
                    at as u32 % u32::from(frame.width),
                    at as u32 / u32::from(frame.width),
                );
                if pixel[3] > 0 {
                    let dot = Image::new(1, 1, [pixel[0], pixel[1], pixel[2]]).expect("a dot");
                    shown.paste(&dot, (u32::from(frame.left) + x, u32::from(frame.top) + y));
                }
            }
            assert_eq!(shown, *expected);
        }
        assert!(decoder.read_next_frame().expect("an end").is_none());
    }

    #[test]
    fn too_many_colours_become_the_nearest() {
        // 64 frequent colours, and 448 similar colours that occur once.
        let mut image = Image::new(32, 32, [0; 3]).expect("a small picture");
        for at in 0..1024 {
            let base = (at % 64) as u8 * 4;
            let near = if at < 448 { (at / 64) as u8 } else { 0 };
            let dot = Image::new(1, 1, [base, base, near]).expect("a dot");
            image.paste(&dot, (at % 32, at / 32));
        }
        let part = PixelRect {
            left: 0,
            top: 0,
            width: 32,
            height: 32,
        };
        let (palette, buffer) = numbered(&image, None, part);
        assert_eq!(palette.len(), 768);
        for (at, &number) in buffer.iter().enumerate() {
            assert!(number < SAME);
            let shown = &palette[3 * usize::from(number)..][..3];
            let own = image.pixel(at as u32 % 32, at as u32 / 32).expect("a pixel");
            let far = own.iter().zip(shown).any(|(one, other)| one.abs_diff(*other) > 6);
            assert!(!far, "{own:?} became {shown:?}");
        }
    }
}
