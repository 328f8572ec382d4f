//! Conversion between byte offsets and the protocol's positions: lines, and columns in UTF-16 code units.

use gen_lsp_types::{Position, Range};
use herbrand_text::Span;

/// The number of bytes between two counts of code units.
const STRIDE: usize = 256;

/// An index of a text, for positions in constant time, also in a single long line. A line ends with `\n`, `\r\n` or `\r`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lines {
    /// The first byte of each line.
    starts: Vec<u32>,
    /// The number of UTF-16 code units before each [`STRIDE`]th byte.
    units: Vec<u32>,
}

/// Returns the number of code units of a character, for its first byte in UTF-8; 0 for the others.
const fn units(byte: u8) -> u32 {
    match byte {
        0x80..=0xbf => 0,
        0xf0.. => 2,
        _ => 1,
    }
}

impl Lines {
    pub(crate) fn of(text: &str) -> Self {
        let (mut starts, mut counts, mut before) = (vec![0], Vec::new(), 0);
        let bytes = text.as_bytes();
        for (at, &byte) in bytes.iter().enumerate() {
            if at % STRIDE == 0 {
                counts.push(before);
            }
            before += units(byte);
            if byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')) {
                starts.push(at as u32 + 1);
            }
        }
        Self {
            starts,
            units: counts,
        }
    }

    /// Returns the number of code units before a byte.
    fn units_before(&self, text: &str, offset: usize) -> u32 {
        let block = (offset / STRIDE).min(self.units.len().saturating_sub(1));
        let rest = &text.as_bytes()[block * STRIDE..offset];
        self.units.get(block).unwrap_or(&0) + rest.iter().map(|&byte| units(byte)).sum::<u32>()
    }

    /// Returns the line that contains a byte, from 0.
    pub(crate) fn line(&self, offset: u32) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    /// Returns the text of a line, without its end; empty beyond the last line.
    pub(crate) fn text<'t>(&self, line: usize, text: &'t str) -> &'t str {
        let Some(&start) = self.starts.get(line) else {
            return "";
        };
        let end = self
            .starts
            .get(line + 1)
            .map_or(text.len(), |&next| next as usize);
        text[start as usize..end].trim_end_matches(['\n', '\r'])
    }

    /// Returns the position of a byte. An offset inside a character or beyond the end is moved back.
    pub(crate) fn position(&self, text: &str, offset: u32) -> Position {
        let offset = text.floor_char_boundary(offset as usize);
        let line = self.line(offset as u32);
        let start = self.starts[line] as usize;
        Position {
            line: line as u32,
            character: self.units_before(text, offset) - self.units_before(text, start),
        }
    }

    pub(crate) fn range(&self, text: &str, span: Span) -> Range {
        Range {
            start: self.position(text, span.start),
            end: self.position(text, span.end),
        }
    }

    /// Returns the byte offset of a position. A column beyond the end of its line, or inside a character, is moved back. A line
    /// beyond the last one is the end of the text.
    pub(crate) fn offset(&self, text: &str, position: Position) -> u32 {
        let Some(&start) = self.starts.get(position.line as usize) else {
            return text.len() as u32;
        };
        let start = start as usize;
        let end = start + self.text(position.line as usize, text).len();
        let wanted = self.units_before(text, start).saturating_add(position.character);
        let block = self
            .units
            .partition_point(|&count| count <= wanted)
            .saturating_sub(1);
        let from = text.floor_char_boundary(block * STRIDE).clamp(start, end);
        let mut before = self.units_before(text, from);
        let fits = |c: &char| {
            before += c.len_utf16() as u32;
            before <= wanted
        };
        let bytes = text[from..end].chars().take_while(fits).map(char::len_utf8);
        (from + bytes.sum::<usize>()) as u32
    }

    pub(crate) fn span(&self, text: &str, range: Range) -> Span {
        let (start, end) = (self.offset(text, range.start), self.offset(text, range.end));
        Span {
            start: start.min(end),
            end: start.max(end),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn columns_count_code_units() {
        let text = "a\u{e9}\u{1f98a}b\r\nc\rd\n";
        let lines = Lines::of(text);
        assert_eq!(lines.starts.len(), 4);
        for (offset, line, character) in [
            (0, 0, 0),
            (1, 0, 1),
            (3, 0, 2),
            (7, 0, 4),
            (8, 0, 5),
            (10, 1, 0),
            (12, 2, 0),
            (14, 3, 0),
        ] {
            let position = Position { line, character };
            assert_eq!(lines.position(text, offset), position, "{offset}");
            assert_eq!(lines.offset(text, position), offset, "{position:?}");
        }
        let at = |line, character| lines.offset(text, Position { line, character });
        assert_eq!(at(0, 3), 3, "a column inside a pair of surrogates");
        assert_eq!(at(0, 99), 8, "a column beyond its line");
        assert_eq!(at(9, 0), 14, "a line beyond the text");
        assert_eq!(
            lines.position(text, 5),
            lines.position(text, 3),
            "an offset inside a character"
        );
    }

    proptest! {
        /// The index agrees with counting the characters of a line one by one.
        #[test]
        fn positions_are_those_counted_from_the_start_of_the_line(
            parts in vec(prop_oneof![Just("a"), Just("\u{e9}"), Just("\u{20ac}"), Just("\u{1f98a}"), Just("\n"), Just("\r"), Just("\r\n")], 0..40),
            length in 1_usize..400,
            at in any::<prop::sample::Index>(),
            character in 0_u32..900,
        ) {
            // The first part is repeated, so that lines are longer than a block.
            let text = parts.first().unwrap_or(&"").repeat(length) + &parts.concat();
            let lines = Lines::of(&text);
            let offset = text.floor_char_boundary(at.index(text.len() + 1));
            let line = lines.line(offset as u32);
            let start = lines.starts[line] as usize;
            let counted = Position { line: line as u32, character: text[start..offset].encode_utf16().count() as u32 };
            prop_assert_eq!(lines.position(&text, offset as u32), counted);
            let (mut found, mut count) = (start, 0);
            for c in lines.text(line, &text).chars() {
                count += c.len_utf16() as u32;
                if count > character {
                    break;
                }
                found += c.len_utf8();
            }
            prop_assert_eq!(lines.offset(&text, Position { line: line as u32, character }), found as u32);
        }
    }
}
