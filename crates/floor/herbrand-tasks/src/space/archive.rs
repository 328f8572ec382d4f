//! Archives of NumPy arrays.

use crate::failure::TaskFailure;

/// A ZIP archive of uncompressed NumPy files (APPNOTE.TXT of PKWARE, and NumPy's format 1.0).
#[derive(Default)]
pub(super) struct Archive {
    bytes: Vec<u8>,
    /// The central directory.
    directory: Vec<u8>,
    members: u16,
}

/// Sizes and offsets have 32 bits.
const MOST: usize = u32::MAX as usize;

impl Archive {
    /// Adds an array of Unicode texts.
    pub(super) fn text(&mut self, name: &str, texts: &[String]) -> Result<(), TaskFailure> {
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
    pub(super) fn array(
        &mut self,
        name: &str,
        kind: &str,
        shape: &[usize],
        data: &[u8],
    ) -> Result<(), TaskFailure> {
        let shape: String = shape.iter().map(|length| format!("{length}, ")).collect();
        let mut header = format!(
            "{{'descr': '{kind}', 'fortran_order': False, 'shape': ({}), }}",
            shape.trim_end()
        );
        // The data begins at a multiple of 64 bytes; the header before has 10 bytes, and ends with a newline.
        let padding = (64 - (10 + header.len() + 1) % 64) % 64;
        header += &" ".repeat(padding);
        header.push('\n');
        let mut file = b"\x93NUMPY\x01\0".to_vec();
        file.extend((header.len() as u16).to_le_bytes());
        file.extend(header.as_bytes());
        file.extend(data);
        self.member(&format!("{name}.npy"), &file)
    }

    fn member(&mut self, name: &str, file: &[u8]) -> Result<(), TaskFailure> {
        let offset = self.bytes.len();
        if offset + file.len() + name.len() > MOST - (1 << 20) {
            return Err(TaskFailure::TooLarge(
                "the space has more than 4 GiB, too much for an .npz file: explore a part of it with --states".to_owned(),
            ));
        }
        let mut about = Vec::new();
        // Version 2.0, no flags, no compression, midnight of 1 January 1980.
        about.extend(
            [20, 0, 0, 0, 0x21]
                .iter()
                .flat_map(|field: &u16| field.to_le_bytes()),
        );
        let length = file.len() as u32;
        let fields = [crc32fast::hash(file), length, length];
        about.extend(fields.iter().flat_map(|field| field.to_le_bytes()));
        let lengths = [name.len() as u16, 0];
        about.extend(lengths.iter().flat_map(|field| field.to_le_bytes()));
        self.bytes.extend(b"PK\x03\x04");
        self.bytes.extend(&about);
        self.bytes.extend(name.as_bytes());
        self.bytes.extend(file);
        self.directory.extend(b"PK\x01\x02\x14\0");
        self.directory.extend(&about);
        // No comment, the first disk, binary contents, no attributes.
        self.directory.extend([0; 10]);
        self.directory.extend((offset as u32).to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.members += 1;
        Ok(())
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        let offset = self.bytes.len() as u32;
        self.bytes.extend(&self.directory);
        self.bytes.extend(b"PK\x05\x06\0\0\0\0");
        let members = [self.members, self.members];
        self.bytes
            .extend(members.iter().flat_map(|field| field.to_le_bytes()));
        let fields = [self.directory.len() as u32, offset];
        self.bytes
            .extend(fields.iter().flat_map(|field| field.to_le_bytes()));
        self.bytes.extend(0_u16.to_le_bytes());
        self.bytes
    }
}
