//! Archives of NumPy arrays.

use std::io::{self, Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A ZIP archive of uncompressed NumPy files, in NumPy's format 1.0.
pub(super) struct Archive(ZipWriter<Cursor<Vec<u8>>>);

impl Default for Archive {
    fn default() -> Self {
        Self(ZipWriter::new(Cursor::default()))
    }
}

impl Archive {
    /// Adds an array of Unicode texts.
    pub(super) fn text(&mut self, name: &str, texts: &[String]) -> io::Result<()> {
        let width = texts
            .iter()
            .map(|text| text.chars().count())
            .max()
            .unwrap_or(0)
            .max(1);
        let mut data = Vec::with_capacity(texts.len() * width * 4);
        for text in texts {
            let codes = text.chars().map(u32::from).chain(std::iter::repeat(0));
            data.extend(codes.take(width).flat_map(u32::to_le_bytes));
        }
        self.array(name, &format!("<U{width}"), &[texts.len()], &data)
    }

    /// Adds an array of little-endian data.
    pub(super) fn array(&mut self, name: &str, kind: &str, shape: &[usize], data: &[u8]) -> io::Result<()> {
        let shape: String = shape.iter().map(|length| format!("{length}, ")).collect();
        let mut header = format!(
            "{{'descr': '{kind}', 'fortran_order': False, 'shape': ({}), }}",
            shape.trim_end()
        );
        // The data begins at a multiple of 64 bytes; the header before has 10 bytes, and ends with a newline.
        let padding = (64 - (10 + header.len() + 1) % 64) % 64;
        header += &" ".repeat(padding);
        header.push('\n');
        // Only a large array needs 64 bits for its size.
        let is_large = u32::try_from(data.len() + (1 << 20)).is_err();
        let options = SimpleFileOptions::default().large_file(is_large);
        self.0.start_file(format!("{name}.npy"), options)?;
        self.0.write_all(b"\x93NUMPY\x01\0")?;
        self.0.write_all(&(header.len() as u16).to_le_bytes())?;
        self.0.write_all(header.as_bytes())?;
        self.0.write_all(data)
    }

    pub(super) fn finish(self) -> io::Result<Vec<u8>> {
        Ok(self.0.finish()?.into_inner())
    }
}
