//! Animated WebP files.
//!
//! `image-webp` encodes still pictures. An animation is a container of such pictures ("WebP Container Specification",
//! Google):
//!
//! ```text
//!   RIFF size WEBP
//!     VP8X  flags, width - 1, height - 1
//!     ANIM  colour behind it all, how often it is shown (0: for ever)
//!     ANMF  x / 2, y / 2, width - 1, height - 1, milliseconds, how it is put on what was there
//!       VP8L  the picture, as in a file of its own
//!     ANMF  …
//! ```

use std::time::Duration;

use super::animation::{PixelRect, changed};
use super::{Image, ImageError};

/// A writer of an animated WebP, frame by frame. The animation repeats forever. The encoding is lossless.
///
/// Each frame contains only the rectangle that changed. A frame of another size than the animation goes to the upper
/// left corner, and is cut off at the edges. A frame is shown for at most 2^24 - 1 milliseconds, about 4.7 hours.
///
/// ```
/// use std::time::Duration;
/// use herbrand_render::{Image, WebPAnimation};
///
/// let mut film = WebPAnimation::new(8, 8)?;
/// for colour in [[255, 0, 0], [0, 0, 255]] {
///     film.add(&Image::new(8, 8, colour)?, Duration::from_millis(500))?;
/// }
/// assert!(film.finish()?.starts_with(b"RIFF"));
/// # Ok::<(), herbrand_render::ImageError>(())
/// ```
#[derive(Clone, Debug)]
pub struct WebPAnimation {
    width: u32,
    height: u32,
    before: Option<Image>,
    /// The encoded chunks of the frames.
    frames: Vec<u8>,
}

/// The number of bytes of a file before its first chunk: `RIFF`, its size, `WEBP`.
const HEAD: usize = 12;

/// The file flag for animations.
const ANIMATED: u8 = 1 << 1;

/// The frame flag for replacing the previous pixels instead of blending.
const REPLACE: u8 = 1 << 1;

impl WebPAnimation {
    /// The maximum width and height of a WebP in pixels.
    pub const MOST: u32 = 16384;

    /// Creates an animation of this size in pixels without frames.
    ///
    /// # Errors
    /// Fails if the width or the height is 0 or more than [`MOST`](Self::MOST).
    pub const fn new(width: u32, height: u32) -> Result<Self, ImageError> {
        if width == 0 || height == 0 || width > Self::MOST || height > Self::MOST {
            return Err(ImageError::WebP { width, height });
        }
        Ok(Self {
            width,
            height,
            before: None,
            frames: Vec::new(),
        })
    }

    /// Adds a frame that is shown for `time`, rounded down to milliseconds and to at most 2^24 - 1 of them. An image of
    /// another size goes to the upper left corner: larger images are cut off, and the pixels that smaller ones do not
    /// cover remain those of the frame before (white in the first frame).
    ///
    /// # Errors
    /// Fails if the picture cannot be encoded, or if the animation has more than [`Image::MOST`] pixels.
    pub fn add(&mut self, image: &Image, time: Duration) -> Result<(), ImageError> {
        let mut whole = match &self.before {
            Some(before) => before.clone(),
            None => Image::new(self.width, self.height, [255; 3])?,
        };
        whole.paste(image, (0, 0));
        let part = match &self.before {
            Some(before) => even(changed(before, &whole)),
            None => PixelRect {
                left: 0,
                top: 0,
                width: self.width,
                height: self.height,
            },
        };
        let still = whole.cut(part)?.to_webp()?;
        let milliseconds = u32::try_from(time.as_millis()).unwrap_or(u32::MAX);
        let mut frame = Vec::with_capacity(still.len() + 16);
        for number in [
            part.left / 2,
            part.top / 2,
            part.width - 1,
            part.height - 1,
            milliseconds.min((1 << 24) - 1),
        ] {
            frame.extend(three_bytes(number));
        }
        frame.push(REPLACE);
        frame.extend(still.get(HEAD..).unwrap_or_default());
        chunk(&mut self.frames, *b"ANMF", &frame)?;
        self.before = Some(whole);
        Ok(())
    }

    /// Finishes the animation and returns the bytes of the file. An animation without frames gives a file without
    /// pictures.
    ///
    /// # Errors
    /// Fails if the file would be larger than 4 GiB.
    pub fn finish(self) -> Result<Vec<u8>, ImageError> {
        let mut body = b"WEBP".to_vec();
        let mut about = vec![ANIMATED, 0, 0, 0];
        about.extend(three_bytes(self.width - 1));
        about.extend(three_bytes(self.height - 1));
        chunk(&mut body, *b"VP8X", &about)?;
        // A white background, repeated forever.
        chunk(&mut body, *b"ANIM", &[255, 255, 255, 255, 0, 0])?;
        body.extend(self.frames);
        let mut file = Vec::with_capacity(body.len() + 8);
        chunk(&mut file, *b"RIFF", &body)?;
        Ok(file)
    }
}

/// Extends the part to start at even coordinates, as frames must.
const fn even(part: PixelRect) -> PixelRect {
    let (across, down) = (part.left % 2, part.top % 2);
    PixelRect {
        left: part.left - across,
        top: part.top - down,
        width: part.width + across,
        height: part.height + down,
    }
}

/// Returns a number below 2²⁴ in little-endian order.
const fn three_bytes(number: u32) -> [u8; 3] {
    let [low, middle, high, _] = number.to_le_bytes();
    [low, middle, high]
}

/// Writes a chunk: name, size, and content padded to an even number of bytes.
fn chunk(into: &mut Vec<u8>, name: [u8; 4], bytes: &[u8]) -> Result<(), ImageError> {
    let size = u32::try_from(bytes.len())
        .map_err(|_| ImageError::Encoding("a WebP is at most 4 GiB large".to_owned()))?;
    into.extend(name);
    into.extend(size.to_le_bytes());
    into.extend(bytes);
    if bytes.len() % 2 == 1 {
        into.push(0);
    }
    Ok(())
}

impl Image {
    /// Copies a part of the picture.
    fn cut(&self, part: PixelRect) -> Result<Self, ImageError> {
        let mut cut = Self::new(part.width, part.height, [0; 3])?;
        let row = 3 * part.width as usize;
        for (down, into) in cut.pixels.chunks_mut(row).enumerate() {
            let from = 3 * ((part.top as usize + down) * self.width as usize + part.left as usize);
            into.copy_from_slice(&self.pixels[from..from + row]);
        }
        Ok(cut)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use proptest::prelude::*;

    use super::*;

    /// Decodes the frames of a file and their times with another decoder.
    fn read(bytes: &[u8]) -> Vec<(Vec<u8>, u32)> {
        let mut decoder = image_webp::WebPDecoder::new(Cursor::new(bytes)).expect("a WebP");
        assert!(decoder.is_animated());
        assert!(matches!(decoder.loop_count(), image_webp::LoopCount::Forever));
        let size = decoder.output_buffer_size().expect("a size");
        let channels = if decoder.has_alpha() { 4 } else { 3 };
        (0..decoder.num_frames())
            .map(|_| {
                let mut pixels = vec![0; size];
                let time = decoder.read_frame(&mut pixels).expect("a frame");
                let colours = pixels.chunks(channels).flat_map(|pixel| pixel[..3].to_vec());
                (colours.collect(), time)
            })
            .collect()
    }

    proptest! {
        /// Decoded frames equal the originals, whatever changed between them.
        #[test]
        fn frames_are_read_back_as_they_were(
            (width, height) in (1u32..40, 1u32..40),
            dots in prop::collection::vec((0u32..40, 0u32..40, any::<[u8; 3]>()), 1..12),
            time in 1u32..5000,
        ) {
            let mut film = WebPAnimation::new(width, height).expect("an animation");
            let mut image = Image::new(width, height, [255; 3]).expect("a picture");
            let mut expected = Vec::new();
            for (x, y, colour) in dots {
                image.paste(&Image::new(2, 1, colour).expect("a dot"), (x % width, y % height));
                film.add(&image, Duration::from_millis(u64::from(time))).expect("a frame");
                expected.push((image.pixels().to_vec(), time));
            }
            prop_assert_eq!(read(&film.finish().expect("a file")), expected);
        }
    }

    #[test]
    fn a_webp_has_a_largest_size() {
        for (width, height) in [(0, 1), (1, 0), (16385, 1), (1, 16385)] {
            let refused = WebPAnimation::new(width, height).expect_err("no WebP is so large");
            assert!(refused.to_string().contains("16384"), "{refused}");
        }
    }
}
