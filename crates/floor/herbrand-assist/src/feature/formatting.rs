//! Formats a file or a part of it.

use crate::language::Language;
use gen_lsp_types::TextEdit;
use herbrand_text::{Lexeme, LexemeKind, Source, Span};

use super::EditError;
use crate::documents::TextFile;

/// Returns the edits that bring a file into canonical form, or only those of the tokens that begin in `within`, a range
/// of bytes. Each edit replaces the blanks between two tokens, or a token that is written differently. Empty if the
/// file has that form already, or has nothing but comments.
///
/// # Errors
/// Fails if the text has faults of syntax, or if the formatter would lose a comment.
pub fn format(file: &TextFile, within: Option<Span>) -> Result<Vec<TextEdit>, EditError> {
    // Such a text defines nothing, which is a fault, but an editor that formats each file that it saves must be able to save it.
    if file
        .lexemes()
        .iter()
        .all(|lexeme| lexeme.kind == LexemeKind::Comment)
    {
        return Ok(Vec::new());
    }
    let formatted = formatted(file.language, &file.source).ok_or(EditError::Syntax)?;
    let (old, new) = (file.lexemes(), lexemes(file.language, &formatted));
    let is_same = |old: &str, new: &str| old.trim_end().eq_ignore_ascii_case(new.trim_end());
    let kept = old.len() == new.len()
        && old
            .iter()
            .zip(&new)
            .all(|(a, b)| is_same(file.at(a.span), &formatted[b.span.range()]));
    if !kept {
        return Err(EditError::Comment);
    }
    let mut edits = Vec::new();
    let mut edit = |span: Span, text: &str| {
        if file.at(span) != text {
            edits.push(TextEdit {
                range: file.range(span),
                new_text: text.to_owned(),
            });
        }
    };
    let is_in =
        |span: Span| within.is_none_or(|within| within.start <= span.start && span.start < within.end);
    let (mut old_end, mut new_end) = (0, 0);
    for (a, b) in old.iter().zip(&new) {
        if is_in(a.span) {
            let gap = Span {
                start: old_end,
                end: a.span.start,
            };
            edit(gap, &formatted[new_end as usize..b.span.start as usize]);
            edit(a.span, &formatted[b.span.range()]);
        }
        (old_end, new_end) = (a.span.end, b.span.end);
    }
    if within.is_none() {
        let gap = Span {
            start: old_end,
            end: file.text().len() as u32,
        };
        edit(gap, &formatted[new_end as usize..]);
    }
    Ok(edits)
}

fn formatted(language: Language, source: &Source) -> Option<String> {
    match language {
        Language::Pddl => herbrand_pddl::format(source).ok(),
        Language::Rddl => herbrand_rddl::format(source).ok(),
    }
}

fn lexemes(language: Language, text: &str) -> Vec<Lexeme> {
    match language {
        Language::Pddl => herbrand_pddl::lexemes(text),
        Language::Rddl => herbrand_rddl::lexemes(text),
    }
}
