//! Image file formats.

use super::{Image, ImageError};

impl Image {
    /// Encodes the image as a PNG file, with the same bytes on every run.
    ///
    /// # Errors
    /// Fails if the encoder fails.
    pub fn to_png(&self) -> Result<Vec<u8>, ImageError> {
        let failed = |error: png::EncodingError| ImageError::Encoding(error.to_string());
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(failed)?;
        writer.write_image_data(&self.pixels).map_err(failed)?;
        writer.finish().map_err(failed)?;
        Ok(bytes)
    }

    /// Encodes the image as a lossless WebP file. For several images, use [`WebPAnimation`](crate::WebPAnimation).
    ///
    /// # Errors
    /// Fails if the encoder fails: a WebP is at most 16384 pixels wide and high.
    pub fn to_webp(&self) -> Result<Vec<u8>, ImageError> {
        let mut bytes = Vec::new();
        image_webp::WebPEncoder::new(&mut bytes)
            .encode(&self.pixels, self.width, self.height, image_webp::ColorType::Rgb8)
            .map_err(|error| ImageError::Encoding(error.to_string()))?;
        Ok(bytes)
    }
}
