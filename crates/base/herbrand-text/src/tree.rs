//! Texts as trees without loss, for tools that keep what a model drops: comments, blank lines, faulty parts.
//!
//! The languages here are brackets around words, so a [`Tree`] is one list of tokens, in which each token knows the list
//! around it and each bracket the end of its list. `rowan`, the usual crate for such trees, allocates every node, counts
//! references to it, and needs a grammar with names for the nodes. Here those nodes would all be lists. A new tree for a
//! changed text costs little more than finding its tokens.

use crate::source::{Source, Span};

/// A token or comment at one place of a text, for editors. Blanks are between lexemes. `herbrand_pddl::lexemes` and
/// `herbrand_rddl::lexemes` list those of a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Lexeme {
    /// The kind of token.
    pub kind: LexemeKind,
    /// The place of the token.
    pub span: Span,
}

/// The kind of a [`Lexeme`]. It is [`Lexeme::kind`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LexemeKind {
    /// An opening bracket.
    Open,
    /// A closing bracket.
    Close,
    /// A name.
    Name,
    /// A reserved word of the language.
    Keyword,
    /// A variable, such as `?x`, or a lone `?`.
    Variable,
    /// A number.
    Number,
    /// An operator or a separator.
    Operator,
    /// A comment up to the end of its line.
    Comment,
    /// Characters that the language does not allow.
    Stray,
}

/// A text as nested lists of tokens and comments, without loss: each [`blank`](Self::blank) and the [`word`](Self::word)
/// after it, in order, make up the text. A list begins with an opening bracket and ends with its closing bracket.
///
/// Every text has a tree. A closing bracket that closes nothing is a token like others. A list that is not closed ends
/// where the list around it ends.
///
/// Tokens and comments are counted from 0, in the order of [`lexemes`](Self::lexemes), and a list is referred to by the
/// number of its opening bracket. Methods that take a number panic if it is too large. `herbrand_pddl::tree` and
/// `herbrand_rddl::tree` create trees.
///
/// ```
/// use herbrand_text::{Lexeme, LexemeKind, Source, Tree};
///
/// let source = Source::new("text", "(on  a)");
/// let lexeme = |kind, range: std::ops::Range<usize>| Lexeme { kind, span: range.into() };
/// let lexemes = vec![
///     lexeme(LexemeKind::Open, 0..1),
///     lexeme(LexemeKind::Name, 1..3),
///     lexeme(LexemeKind::Name, 5..6),
///     lexeme(LexemeKind::Close, 6..7),
/// ];
/// let tree = Tree::new(source, lexemes, |_| None);
/// assert_eq!((tree.word(2), tree.blank(2)), ("a", "  "));
/// assert_eq!((tree.around(2), tree.end(0)), (Some(0), 3));
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    source: Source,
    lexemes: Vec<Lexeme>,
    /// For each lexeme, the list around it; `None` outside of all lists.
    around: Vec<Option<u32>>,
    /// For each lexeme, the last lexeme of its list if it opens one, and otherwise itself.
    ends: Vec<u32>,
}

/// A replacement of a part of a text. [`Change::apply`] carries out several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The part that is replaced; empty for an insertion.
    pub span: Span,
    /// The text in its place.
    pub text: String,
}

impl Change {
    /// Returns `text` after all changes. Their spans are those of `text`. They must be in order, must not overlap and
    /// must not cut characters, otherwise this panics. Without changes, the result is `text`.
    #[must_use]
    pub fn apply(changes: &[Self], text: &str) -> String {
        let (mut out, mut end) = (String::with_capacity(text.len()), 0);
        for change in changes {
            out.push_str(&text[end..change.span.start as usize]);
            out.push_str(&change.text);
            end = change.span.end as usize;
        }
        out + &text[end..]
    }
}

/// The lists that are open at a place of a text.
#[derive(Default)]
struct Open {
    /// The opening brackets with their closing ones, outermost first.
    lists: Vec<(u32, &'static str)>,
    /// The number of open lists that `)`, `]` and `}` would close.
    counts: [usize; 3],
}

/// The brackets of all languages.
const BRACKETS: [(&str, &str); 3] = [("(", ")"), ("[", "]"), ("{", "}")];

impl Open {
    fn count(&mut self, close: &str) -> Option<&mut usize> {
        let kind = BRACKETS.iter().position(|bracket| bracket.1 == close)?;
        self.counts.get_mut(kind)
    }

    fn push(&mut self, index: u32, word: &str) {
        if let Some((_, close)) = BRACKETS.iter().find(|bracket| bracket.0 == word) {
            self.lists.push((index, close));
            self.count(close).into_iter().for_each(|count| *count += 1);
        }
    }

    /// Closes the innermost list, which ends with the lexeme `end`.
    fn pop(&mut self, end: u32, ends: &mut [u32]) {
        if let Some((index, close)) = self.lists.pop() {
            ends[index as usize] = end;
            self.count(close).into_iter().for_each(|count| *count -= 1);
        }
    }

    /// Closes the open lists down to the innermost list that `word` closes, which stays open. Returns `false`, and closes
    /// nothing, if `word` closes no open list.
    fn close_inner(&mut self, word: &str, end: u32, ends: &mut [u32]) -> bool {
        if self.count(word).is_none_or(|count| *count == 0) {
            return false;
        }
        while self.lists.last().is_some_and(|(_, close)| *close != word) {
            self.pop(end, ends);
        }
        true
    }
}

impl Tree {
    /// Creates the tree of a text from its lexemes, which must be in order and must not overlap. Takes time linear in their
    /// number.
    ///
    /// `greatest_depth` returns the greatest number of lists that can be around the list that a slice of lexemes begins
    /// with, if its first words show it: a domain is in no list, for example. More open lists are taken as unclosed.
    #[must_use]
    pub fn new(
        source: Source,
        lexemes: Vec<Lexeme>,
        greatest_depth: impl Fn(&[Lexeme]) -> Option<usize>,
    ) -> Self {
        let mut around = Vec::with_capacity(lexemes.len());
        let mut ends: Vec<u32> = (0..lexemes.len() as u32).collect();
        let mut open = Open::default();
        for (position, lexeme) in lexemes.iter().enumerate() {
            let (index, word) = (position as u32, &source.text()[lexeme.span.range()]);
            let previous = index.saturating_sub(1);
            match lexeme.kind {
                LexemeKind::Open => {
                    let greatest = greatest_depth(&lexemes[position..]).unwrap_or(usize::MAX);
                    while open.lists.len() > greatest {
                        open.pop(previous, &mut ends);
                    }
                    around.push(open.lists.last().map(|list| list.0));
                    open.push(index, word);
                }
                LexemeKind::Close => {
                    let closes = open.close_inner(word, previous, &mut ends);
                    around.push(open.lists.last().map(|list| list.0));
                    if closes {
                        open.pop(index, &mut ends);
                    }
                }
                _ => around.push(open.lists.last().map(|list| list.0)),
            }
        }
        let last = (lexemes.len() as u32).saturating_sub(1);
        while !open.lists.is_empty() {
            open.pop(last, &mut ends);
        }
        Self {
            source,
            lexemes,
            around,
            ends,
        }
    }

    /// Returns the text as a source, with its name.
    #[must_use]
    pub const fn source(&self) -> &Source {
        &self.source
    }

    /// Returns the tokens and comments in order.
    #[must_use]
    pub fn lexemes(&self) -> &[Lexeme] {
        &self.lexemes
    }

    /// Returns the text of a token or comment. `index` counts from 0. It panics if there is no such lexeme, as the
    /// other methods that take an index do.
    #[must_use]
    pub fn word(&self, index: usize) -> &str {
        &self.source.text()[self.lexemes[index].span.range()]
    }

    /// Returns the blanks and line breaks before a lexeme, or those at the end of the text if `index` is the number of
    /// lexemes. Empty if no blank is there.
    #[must_use]
    pub fn blank(&self, index: usize) -> &str {
        &self.source.text()[self.gap(index).range()]
    }

    /// Returns the number of line breaks before a lexeme and after the previous one. `\n`, `\r` and `\r\n` are line breaks.
    #[must_use]
    pub fn line_breaks(&self, index: usize) -> usize {
        let blank = self.blank(index);
        let of = |sign: &str| blank.matches(sign).count();
        of("\n") + of("\r") - of("\r\n")
    }

    /// Returns the line break that the text uses: `\r\n` if its first line ends so, and otherwise `\n`. A text without
    /// a line break has `\n`.
    #[must_use]
    pub fn line_break(&self) -> &'static str {
        let (first, _) = self.source.text().split_once('\n').unwrap_or_default();
        if first.ends_with('\r') { "\r\n" } else { "\n" }
    }

    /// Returns the innermost list around a lexeme, by the index of its opening bracket; `None` outside of all lists.
    /// The brackets of a list are in it, except that the opening bracket is in the list around it.
    #[must_use]
    pub fn around(&self, index: usize) -> Option<usize> {
        self.around[index].map(|list| list as usize)
    }

    /// Returns the index of the last lexeme of the list that a lexeme opens, usually its closing bracket, or the index
    /// of the lexeme itself if it opens none.
    #[must_use]
    pub fn end(&self, index: usize) -> usize {
        self.ends[index] as usize
    }

    /// Returns the place of the list that a lexeme opens, or of the lexeme itself if it opens none.
    #[must_use]
    pub fn span(&self, index: usize) -> Span {
        self.lexemes[index].span.to(self.lexemes[self.end(index)].span)
    }

    /// Returns the indices of the elements of the list that the lexeme `list` opens, or with `None` of the elements
    /// outside of all lists: lexemes in order, of nested lists only the opening bracket. The closing bracket of the
    /// list is the last.
    pub fn elements(&self, list: Option<usize>) -> impl Iterator<Item = usize> {
        let (first, last) = match list {
            Some(list) => (list + 1, self.end(list) + 1),
            None => (0, self.lexemes.len()),
        };
        let within = move |index: usize| (index < last).then_some(index);
        std::iter::successors(within(first), move |&index| within(self.end(index) + 1))
    }

    /// Returns the changes inside `within` that make this text the text of `other`. The trees must have the same
    /// lexemes, but for case and trailing blanks of comments; otherwise this panics or gives meaningless changes. The
    /// changes are in order; pass them to [`Change::apply`]. The blanks before a lexeme are inside if a part of the
    /// lexeme is, and those at the end if the end is.
    #[must_use]
    pub fn changes_to(&self, other: &Self, within: Span) -> Vec<Change> {
        let mut changes = Vec::new();
        let mut add = |span: Span, text: &str| {
            if self.source.text()[span.range()] != *text {
                let text = text.to_owned();
                changes.push(Change { span, text });
            }
        };
        for (index, lexeme) in self.lexemes.iter().enumerate() {
            if lexeme.span.start < within.end && within.start < lexeme.span.end {
                add(self.gap(index), other.blank(index));
                add(lexeme.span, other.word(index));
            }
        }
        if within.end as usize >= self.source.text().len() {
            add(self.gap(self.lexemes.len()), other.blank(other.lexemes.len()));
        }
        changes
    }

    /// Returns `range` extended to whole lines, without the line break at the end of the last one. Offsets beyond the
    /// end of the text are moved to the end.
    #[must_use]
    pub fn lines(&self, range: Span) -> Span {
        let text = self.source.text();
        let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let (start, end) = (range.start.min(range.end) as usize, range.end as usize);
        let (before, after) = (&text.as_bytes()[..start.min(text.len())], text.as_bytes());
        let start = before.iter().rposition(is_break).map_or(0, |last| last + 1);
        let end = end.min(text.len());
        let rest = after[end..].iter().position(is_break);
        Span::from(start..rest.map_or(text.len(), |length| end + length))
    }

    /// Returns the place of the blanks before a lexeme, or of those at the end of the text.
    fn gap(&self, index: usize) -> Span {
        let before = index.checked_sub(1).map(|before| self.lexemes[before].span.end);
        let next = self.lexemes.get(index).map(|lexeme| lexeme.span.start as usize);
        Span::from(before.unwrap_or(0) as usize..next.unwrap_or(self.source.text().len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the tree of a text in which every character is a token. A `D` after a bracket belongs to the outermost list.
    fn tree(text: &str) -> Tree {
        let places = text.char_indices().filter(|(_, c)| !c.is_whitespace());
        let lexemes = places.map(|(start, c)| Lexeme {
            kind: match c {
                '(' | '[' | '{' => LexemeKind::Open,
                ')' | ']' | '}' => LexemeKind::Close,
                _ => LexemeKind::Name,
            },
            span: Span::from(start..start + c.len_utf8()),
        });
        let is_outermost = |lexeme: &Lexeme| &text[lexeme.span.range()] == "D";
        Tree::new(Source::new("text", text), lexemes.collect(), |lexemes| {
            lexemes.get(1).filter(|head| is_outermost(head)).map(|_| 0)
        })
    }

    /// Writes the elements of a list with `<` and `>` around the nested ones.
    fn nested(tree: &Tree, list: Option<usize>) -> String {
        let element = |index: usize| match tree.lexemes()[index].kind {
            LexemeKind::Open => format!("<{}{}>", tree.word(index), nested(tree, Some(index))),
            _ => tree.word(index).to_owned(),
        };
        tree.elements(list).map(element).collect()
    }

    #[test]
    fn every_text_has_a_tree() {
        let rows = [
            ("", ""),
            ("a b", "ab"),
            ("(a(b)c)d", "<(a<(b)>c)>d"),
            ("{(a[b])}", "<{<(a<[b]>)>}>"),
            (")(a))", ")<(a)>)"),
            ("(a(b", "<(a<(b>>"),
            ("{f(a; g}b", "<{f<(a;g>}>b"),
            ("{(a]b)}", "<{<(a]b)>}>"),
            ("([a)]", "<(<[a>)>]"),
            ("(a(b(D c)d)", "<(a<(b>><(Dc)>d)"),
            ("(D a(b (D c))", "<(Da<(b>><(Dc)>)"),
        ];
        for (text, expected) in rows {
            let tree = tree(text);
            assert_eq!(nested(&tree, None), expected, "{text}");
            for index in 0..tree.lexemes().len() {
                assert!(
                    tree.elements(tree.around(index)).any(|one| one == index),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn line_breaks_are_those_of_all_systems() {
        let tree = tree("a\r\n\r\nb\rc \n\u{fc}\n");
        let counts: Vec<_> = (0..=4).map(|index| tree.line_breaks(index)).collect();
        assert_eq!((counts, tree.line_break()), (vec![0, 2, 1, 1, 1], "\r\n"));
        let line = |start, end| tree.source().text()[tree.lines(Span { start, end }).range()].to_owned();
        assert_eq!(line(0, 0), "a");
        assert_eq!(line(1, 1), "a");
        assert_eq!(line(6, 7), "b\rc ");
        assert_eq!(line(5, 6), "b");
        assert_eq!(line(11, 11), "\u{fc}");
        assert_eq!(line(900, u32::MAX), "");
    }

    #[test]
    fn changes_are_only_those_inside() {
        let (before, after) = (tree("A  b\nC"), tree("a b\n c\n"));
        let changes = |start, end| {
            let changes = before.changes_to(&after, Span { start, end });
            Change::apply(&changes, before.source().text())
        };
        assert_eq!(changes(0, 0), "A  b\nC");
        assert_eq!(changes(0, 1), "a  b\nC");
        assert_eq!(changes(1, 4), "A b\nC");
        assert_eq!(changes(5, 6), "A  b\n c\n");
        assert_eq!(changes(0, 6), "a b\n c\n");
    }
}
