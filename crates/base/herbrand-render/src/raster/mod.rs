//! Scenes as pixels: arrays, PNG and WebP files, animations.

mod animation;
mod canvas;
mod file;
mod glyphs;
mod shapes;
mod webp;

pub use animation::Animation;
pub use webp::WebPAnimation;

use crate::colour::{Colour, Rgb, Theme, Tone};
use crate::scene::Scene;
use canvas::Canvas;

/// An image of pixels without transparency. [`Scene::to_image`] and [`Camera::draw`](crate::Camera::draw) return one.
/// [`to_png`](Self::to_png) and [`to_webp`](Self::to_webp) encode it; [`Animation`] and [`WebPAnimation`] take frames.
///
/// ```text
///   pixels   r g b  r g b  r g b …   row 0, from the left
///            r g b  r g b  r g b …   row 1
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Image {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

/// The reason why an image could not be created, encoded or written. Images, animations and cameras return it.
#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    /// The image would have no pixels or more than [`Image::MOST`].
    #[error(
        "a picture of {width} × {height} pixels cannot be drawn: use between 1 and {} pixels",
        Image::MOST
    )]
    Size {
        /// The width in pixels.
        width: u64,
        /// The height in pixels.
        height: u64,
    },
    /// The text is not a size.
    #[error("a size is written as HEIGHTxWIDTH, such as 64x64, not `{0}`")]
    SizeText(String),
    /// The bytes are not those of an image of the size.
    #[error("a picture of {width} × {height} pixels has {} bytes, not {bytes}", 3 * u64::from(*width) * u64::from(*height))]
    Bytes {
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
        /// The number of bytes that were given.
        bytes: usize,
    },
    /// The image exceeds the size limit of GIF.
    #[error("a GIF is at most 65535 pixels wide and high; this one would have {width} × {height}")]
    Gif {
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
    },
    /// The image exceeds the size limit of WebP.
    #[error(
        "a WebP is at most {} pixels wide and high; this one would have {width} × {height}",
        WebPAnimation::MOST
    )]
    WebP {
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
    },
    /// [`Pixels`](crate::Pixels) got a state of a problem that they were not prepared for.
    #[error(
        "the state is of a problem that the pixels were not prepared for: prepare them for this set of problems"
    )]
    ForeignProblem,
    /// The file could not be written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The encoder failed, with its message.
    #[error("the picture could not be encoded: {0}")]
    Encoding(String),
}

impl Image {
    /// The maximum number of pixels of an image.
    pub const MOST: u64 = 1 << 25;

    /// Creates an image of one colour. The colour has red, green and blue from 0 to 255.
    ///
    /// # Errors
    /// Fails if it would have no pixels or more than [`MOST`](Self::MOST).
    pub fn new(width: u32, height: u32, colour: Rgb) -> Result<Self, ImageError> {
        check(u64::from(width), u64::from(height))?;
        let count = width as usize * height as usize;
        Ok(Self {
            width,
            height,
            pixels: colour.repeat(count),
        })
    }

    /// Creates an image from the bytes that [`pixels`](Self::pixels) would return.
    ///
    /// # Errors
    /// Fails if it would have no pixels or more than [`MOST`](Self::MOST), or if there are not `3 * width * height` bytes.
    pub fn from_pixels(width: u32, height: u32, pixels: Vec<u8>) -> Result<Self, ImageError> {
        check(u64::from(width), u64::from(height))?;
        if pixels.len() != 3 * width as usize * height as usize {
            let bytes = pixels.len();
            return Err(ImageError::Bytes { width, height, bytes });
        }
        Ok(Self {
            width,
            height,
            pixels,
        })
    }

    /// Returns the width in pixels.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Returns the height in pixels.
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// Returns red, green and blue of each pixel, row by row from the top: `3 * width * height` bytes.
    #[must_use]
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// Returns the bytes of [`pixels`](Self::pixels) without copying them.
    #[must_use]
    pub fn into_pixels(self) -> Vec<u8> {
        self.pixels
    }

    /// Returns the colour of the pixel in column `x` from the left and row `y` from the top, both counted from 0;
    /// `None` outside of the image.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> Option<Rgb> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let at = 3 * (y as usize * self.width as usize + x as usize);
        self.pixels.get(at..at + 3)?.try_into().ok()
    }

    /// Copies another image onto this one, with its upper left corner at column `x` and row `y`. Parts outside of this
    /// image are cut off. The size of this image stays the same.
    pub fn paste(&mut self, other: &Self, (x, y): (u32, u32)) {
        let columns = other.width.min(self.width.saturating_sub(x)) as usize;
        let rows = other.height.min(self.height.saturating_sub(y)) as usize;
        if columns == 0 {
            return;
        }
        for row in 0..rows {
            let from = 3 * row * other.width as usize;
            let to = 3 * ((y as usize + row) * self.width as usize + x as usize);
            self.pixels[to..to + 3 * columns].copy_from_slice(&other.pixels[from..from + 3 * columns]);
        }
    }
}

fn check(width: u64, height: u64) -> Result<(), ImageError> {
    let count = width.checked_mul(height);
    if count.is_some_and(|count| (1..=Image::MOST).contains(&count)) {
        Ok(())
    } else {
        Err(ImageError::Size { width, height })
    }
}

/// Returns the background colour of a theme. [`Theme::Auto`] is light, because pixels cannot adapt to the preference
/// of the person who views them.
#[must_use]
pub const fn paper(theme: Theme) -> Rgb {
    match theme {
        Theme::Light | Theme::Auto => Colour::Paper.light(Tone::Strong),
        Theme::Dark => Colour::Paper.dark(Tone::Strong),
    }
}

impl Scene {
    /// Draws the scene as an image of its width and height times `scale`, rounded up. The result is the same on every
    /// run. A `scale` of 1 has one pixel per unit of the scene.
    ///
    /// ```
    /// use herbrand_render::{Scene, Theme};
    /// let scene = Scene { width: 100.0, height: 50.0, ..Scene::default() };
    /// let image = scene.to_image(Theme::Light, 2.0)?;
    /// assert_eq!((image.width(), image.height()), (200, 100));
    /// assert_eq!(image.pixel(0, 0), Some([255, 255, 255]));
    /// # Ok::<(), herbrand_render::ImageError>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the picture would have no pixels, as for a `scale` of 0 or less or NaN, or more than [`Image::MOST`].
    pub fn to_image(&self, theme: Theme, scale: f64) -> Result<Image, ImageError> {
        let (width, height) = self.size_in_pixels(scale)?;
        let mut canvas = Canvas::new(width, height, theme)?;
        canvas.draw(self, scale, (0.0, 0.0));
        Ok(canvas.finish())
    }

    /// Returns the width and the height in pixels of the scene's image at a scale ([`to_image`](Self::to_image)).
    ///
    /// # Errors
    /// Fails if the picture would have no pixels, as for a `scale` of 0 or less or NaN, or more than [`Image::MOST`].
    pub fn size_in_pixels(&self, scale: f64) -> Result<(u32, u32), ImageError> {
        let count = |length: f64| (length * scale).ceil().clamp(0.0, 1e9) as u64;
        let (width, height) = (count(self.width), count(self.height));
        check(width, height)?;
        Ok((width as u32, height as u32))
    }

    /// Draws the scene as an image of `width` × `height` pixels: as large as possible, centred, surrounded by the
    /// background colour.
    ///
    /// # Errors
    /// Fails if `width` or `height` is 0, or if there would be more than [`Image::MOST`] pixels. An empty scene gives
    /// an image of the background colour.
    pub fn to_image_within(&self, theme: Theme, width: u32, height: u32) -> Result<Image, ImageError> {
        let mut canvas = Canvas::new(width, height, theme)?;
        let (wide, high) = (f64::from(width), f64::from(height));
        if self.width > 0.0 && self.height > 0.0 {
            let scale = (wide / self.width).min(high / self.height);
            let left = (wide - scale * self.width) / 2.0;
            let top = (high - scale * self.height) / 2.0;
            canvas.draw(self, scale, (left, top));
        }
        Ok(canvas.finish())
    }
}
