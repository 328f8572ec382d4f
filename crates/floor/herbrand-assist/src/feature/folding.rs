//! The parts of a file that an editor can fold: lists of several lines, and blocks of comments.

use gen_lsp_types::{FoldingRange, FoldingRangeKind};
use herbrand_text::LexemeKind;

use crate::brackets::pairs;
use crate::documents::TextFile;

/// Returns the lists and blocks of comments of several lines, with their first and last lines, which count from 0. Of
/// several lists that begin in one line, only the outermost is returned.
pub fn folding(file: &TextFile) -> Vec<FoldingRange> {
    let mut found = Vec::new();
    let mut last_start = None;
    for pair in pairs(file) {
        let (first, last) = (file.lines.line(pair.start), file.lines.line(pair.end - 1));
        // Of several lists that begin in a line, the outermost is folded.
        if last > first && last_start != Some(first) {
            found.push(range(first, last, None));
            last_start = Some(first);
        }
    }
    let mut block: Option<(usize, usize)> = None;
    for lexeme in file
        .lexemes()
        .iter()
        .filter(|one| one.kind == LexemeKind::Comment)
    {
        let line = file.lines.line(lexeme.span.start);
        block = match block {
            Some((first, last)) if line == last + 1 => Some((first, line)),
            other => {
                found.extend(comments(other));
                Some((line, line))
            }
        };
    }
    found.extend(comments(block));
    found
}

fn comments(block: Option<(usize, usize)>) -> Option<FoldingRange> {
    let (first, last) = block.filter(|(first, last)| last > first)?;
    Some(range(first, last, Some(FoldingRangeKind::Comment)))
}

const fn range(first: usize, last: usize, kind: Option<FoldingRangeKind>) -> FoldingRange {
    FoldingRange {
        start_line: first as u32,
        start_character: None,
        end_line: last as u32,
        end_character: None,
        kind,
        collapsed_text: None,
    }
}
