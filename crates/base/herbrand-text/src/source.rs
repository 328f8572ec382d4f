//! Source texts, and the spans and positions in them.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A text with the name that messages use for it, usually the path of its file. Clones share the text.
/// [`new`](Self::new), [`from_bytes`](Self::from_bytes) and [`from_file`](Self::from_file) create one; parsers take
/// it.
#[derive(Clone, PartialEq, Eq)]
pub struct Source {
    name: Arc<str>,
    text: Arc<str>,
}

impl Source {
    /// Creates a source from a text. `name` is the name in messages, usually a path.
    #[must_use]
    pub fn new(name: &str, text: &str) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
        }
    }

    /// Creates a source from the bytes of a file. They are decoded as UTF-16 if they begin with its byte order mark,
    /// otherwise as UTF-8 or, if that is impossible, as Latin-1, which occurs in comments of old files. Every sequence of
    /// bytes is accepted. A byte order mark is not part of the text. `name` is the name in messages, usually a path.
    #[must_use]
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Self {
        let utf_16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
            let (pairs, _) = bytes.as_chunks();
            String::from_utf16_lossy(&pairs.iter().map(|&pair| unit(pair)).collect::<Vec<_>>())
        };
        let text = match &*bytes {
            [0xff, 0xfe, rest @ ..] => utf_16(rest, u16::from_le_bytes),
            [0xfe, 0xff, rest @ ..] => utf_16(rest, u16::from_be_bytes),
            _ => String::from_utf8(bytes).unwrap_or_else(|error| {
                // Bytes of Latin-1 are the first 256 code points.
                error.as_bytes().iter().map(|&byte| char::from(byte)).collect()
            }),
        };
        Self {
            name: name.into(),
            text: text.strip_prefix('\u{feff}').unwrap_or(&text).into(),
        }
    }

    /// Returns the name that messages use for the text.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the line and column of the byte at `offset`, both counted from 1; columns count characters. An offset beyond
    /// the end or inside a character is moved back to the nearest character boundary. Takes time linear in the offset.
    #[must_use]
    pub fn position(&self, offset: u32) -> Position {
        let offset = self.text.floor_char_boundary(offset as usize);
        let before = &self.text[..offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Position {
            line: 1 + before.bytes().filter(|&byte| byte == b'\n').count(),
            column: 1 + before[line_start..].chars().count(),
        }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Source({:?}, {} bytes)", &*self.name, self.text.len())
    }
}

/// A line and a column of a text, both counted from 1. [`Source::position`] returns it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// A half-open range of bytes of a source text, the place of a word or clause. Offsets count bytes from 0. It is empty
/// if both are equal. A range of `usize` converts to it; offsets above `u32::MAX` become `u32::MAX`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Returns the span as a range for indexing the text. Indexing panics if the span belongs to another text and is
    /// out of its bounds or cuts a character.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns the span from the start of this span to the end of `last`. `last` must not begin before this span.
    #[must_use]
    pub const fn to(self, last: Self) -> Self {
        Self {
            start: self.start,
            end: last.end,
        }
    }
}

impl From<Range<usize>> for Span {
    /// Converts a byte range of a text. Offsets of 4 GiB or more are clamped to `u32::MAX`.
    fn from(range: Range<usize>) -> Self {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Self {
            start: clamp(range.start),
            end: clamp(range.end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_decoded_by_their_mark() {
        let little = "\u{feff}gr\u{fc}n \u{1f98a}\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes);
        let big = "\u{feff}gr\u{fc}n".encode_utf16().flat_map(u16::to_be_bytes);
        for (bytes, text) in [
            ("gr\u{fc}n".as_bytes().to_vec(), "gr\u{fc}n"),
            ("\u{feff}gr\u{fc}n".as_bytes().to_vec(), "gr\u{fc}n"),
            (b"gr\xfcn".to_vec(), "gr\u{fc}n"),
            (little.clone().collect(), "gr\u{fc}n \u{1f98a}\n"),
            (big.collect(), "gr\u{fc}n"),
            (little.take(5).collect(), "g"),
            (vec![0xff, 0xfe], ""),
            (vec![0xfe, 0xff, 0xd8, 0], "\u{fffd}"),
        ] {
            assert_eq!(Source::from_bytes("text", bytes).text(), text);
        }
    }
}
