//! Random layouts of texts, and checks of formatters and trees.

use super::Xorshift;
use crate::tree::{LexemeKind, Tree};

/// Returns the text of `tree` with random blanks, line breaks and comments between its tokens. `sign` begins a comment. About
/// every fourth place between tokens gets a comment.
#[must_use]
pub fn scatter(tree: &Tree, sign: &str, random: &mut Xorshift) -> String {
    let line_break = ["\n", "\n", "\r\n"][random.below(3)];
    let mut out = String::from(["", "", "\u{feff}"][random.below(3)]);
    let count = tree.lexemes().len();
    for index in 0..=count {
        out.push_str(tree.blank(index));
        let more = match random.below(12) {
            0 => "\t \t",
            1 => "\n",
            2 => "\n      ",
            3 => "\n\n\n\n",
            4 => "// a word \n",
            5 => "\n// für später, 漢字 🦊\n\t",
            6 => " //(){}[]; \"\u{a0}\n\n",
            _ => "",
        };
        out.push_str(&more.replace("//", sign).replace('\n', line_break));
        if let Some(lexeme) = tree.lexemes().get(index) {
            out.push_str(tree.word(index));
            if lexeme.kind == LexemeKind::Comment {
                out.push_str(line_break);
            }
        }
    }
    if random.below(2) == 0 {
        out.push_str(sign);
        out.push_str(" the last line");
    }
    out
}

/// Asserts that a formatter may turn the text of `before` into that of `after`: the tokens and comments are the same, but for
/// case and trailing blanks of comments, groups of lines stay apart, and there is at most one blank line between them.
///
/// # Panics
/// If that is not the case.
pub fn assert_same_but_layout(before: &Tree, after: &Tree) {
    let texts = || {
        format!(
            "{}\n--- became ---\n{}",
            before.source().text(),
            after.source().text()
        )
    };
    assert_eq!(before.lexemes().len(), after.lexemes().len(), "{}", texts());
    for (index, lexeme) in after.lexemes().iter().enumerate() {
        let (old, new) = (before.word(index), after.word(index));
        let is_kept = match lexeme.kind {
            LexemeKind::Comment => old.trim_end() == new,
            _ => old.eq_ignore_ascii_case(new),
        };
        assert!(is_kept, "`{old}` became `{new}`: {}", texts());
        let (old, new) = (before.line_breaks(index), after.line_breaks(index));
        // Inside a list there is no line before the first element and none after the last.
        let is_edge = index
            .checked_sub(1)
            .is_none_or(|before| after.lexemes()[before].kind == LexemeKind::Open)
            || lexeme.kind == LexemeKind::Close;
        assert!(new <= 2 && (new < 2 || old >= 2), "blank lines: {}", texts());
        assert!(
            old < 2 || new != 1 || is_edge,
            "groups before lexeme {index} are joined: {}",
            texts()
        );
    }
    let text = after.source().text();
    assert!(text.is_empty() || text.ends_with('\n') && after.line_breaks(after.lexemes().len()) == 1);
    assert!(text.lines().all(|line| line.trim_end() == line), "{text}");
}

/// Asserts that a tree has lost nothing of its text, and that its lists nest.
///
/// # Panics
/// If that is not the case.
pub fn assert_lossless(tree: &Tree) {
    let count = tree.lexemes().len();
    let words = (0..count).map(|index| [tree.blank(index), tree.word(index)].concat());
    assert_eq!(
        words.collect::<String>() + tree.blank(count),
        tree.source().text()
    );
    let blanks = |blank: &str| blank.chars().all(|c| c.is_whitespace() || c == '\u{feff}');
    assert!((0..=count).all(|index| blanks(tree.blank(index))));
    let mut seen = vec![None; count];
    let lists = (0..count).filter(|&index| tree.lexemes()[index].kind == LexemeKind::Open);
    for list in std::iter::once(None).chain(lists.map(Some)) {
        for index in tree.elements(list) {
            assert!(seen[index].replace(list).is_none(), "two lists have an element");
            assert!(tree.end(index) >= index && list.is_none_or(|list| tree.end(index) <= tree.end(list)));
        }
    }
    let around: Vec<_> = (0..count).map(|index| Some(tree.around(index))).collect();
    assert_eq!(seen, around);
}
