//! Conversion between byte offsets and the protocol's positions: lines, and columns in UTF-16 code units.

use gen_lsp_types::{Position, Range};
use herbrand_text::Span;

/// The starts of the lines of a text. A line ends with `\n`, `\r\n` or `\r`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lines {
    starts: Vec<u32>,
}

impl Lines {
    pub(crate) fn of(text: &str) -> Self {
        let mut starts = vec![0];
        let bytes = text.as_bytes();
        for (at, &byte) in bytes.iter().enumerate() {
            if byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')) {
                starts.push(at as u32 + 1);
            }
        }
        Self { starts }
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
        let before = &text[self.starts[line] as usize..offset];
        Position {
            line: line as u32,
            character: before.encode_utf16().count() as u32,
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
        let (mut units, mut offset) = (0, start);
        for c in self.text(position.line as usize, text).chars() {
            units += c.len_utf16() as u32;
            if units > position.character {
                break;
            }
            offset += c.len_utf8() as u32;
        }
        offset
    }

    pub(crate) fn span(&self, text: &str, range: Range) -> Span {
        let (start, end) = (self.offset(text, range.start), self.offset(text, range.end));
        Span {
            start: start.min(end),
            end: start.max(end),
        }
    }
}

/// Converts ascending offsets to positions in time linear in the text, also if the text has a single line.
pub(crate) struct Walker<'t> {
    text: &'t str,
    lines: &'t Lines,
    offset: u32,
    position: Position,
}

impl<'t> Walker<'t> {
    pub(crate) fn new(text: &'t str, lines: &'t Lines) -> Self {
        Self {
            text,
            lines,
            offset: 0,
            position: Position::default(),
        }
    }

    /// Returns the position of a byte, like [`Lines::position`]. An offset before the last one takes as long as there.
    pub(crate) fn position(&mut self, offset: u32) -> Position {
        let line = self.lines.line(offset) as u32;
        self.position = if line == self.position.line && offset >= self.offset {
            let between = &self.text[self.offset as usize..offset as usize];
            Position {
                line,
                character: self.position.character + between.encode_utf16().count() as u32,
            }
        } else {
            self.lines.position(self.text, offset)
        };
        self.offset = offset;
        self.position
    }

    pub(crate) fn range(&mut self, span: Span) -> Range {
        Range {
            start: self.position(span.start),
            end: self.position(span.end),
        }
    }
}

#[cfg(test)]
mod tests {
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
        let mut walker = Walker::new(text, &lines);
        for offset in [0, 1, 3, 7, 8, 10, 11, 12, 14, 3, 7] {
            assert_eq!(walker.position(offset), lines.position(text, offset), "{offset}");
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
}
