//! A formatter for PDDL texts that keeps comments.
//!
//! The formatter works on the [`Tree`] of a text. It keeps the order of tokens and comments and the line breaks inside
//! lists, and changes only case, blanks and indentation. The formatted text parses to an equal model.

use std::borrow::Cow;

use herbrand_text::{Change, LexemeKind, ReadOptions, Severity, Source, Span, Tree};

use crate::diagnostic::{Diagnostic, Faults};
use crate::read;
use crate::syntax::{has_commas, lexemes, tree};

/// The line length above which a list is broken. A single long word or comment may exceed it.
const WIDTH: usize = 100;

/// Returns the PDDL text of `source` formatted in canonical form, with its comments.
///
/// - Names are in lower case, and elements on one line are separated by one blank.
/// - A line is indented by two spaces per enclosing list. A closing parenthesis follows the last element of its list.
/// - Each section of a definition and each part of an action begins a line. Other lists keep their line breaks, and are
///   broken further if a line would have more than 100 columns.
/// - A comment stays on its line, after the same token or on a line of its own. Several blank lines become one.
/// - All lines end like the first one, with `\n` or `\r\n`.
///
/// Formatting is idempotent and takes time linear in the length of the text.
///
/// ```
/// use herbrand_pddl::{Source, format};
///
/// let text = "(DEFINE (domain lamp) (:predicates (on)) ; one lamp\n(:action light   :effect (on) ) )";
/// assert_eq!(
///     format(&Source::new("domain.pddl", text))?,
///     "(define (domain lamp)\n  (:predicates (on)) ; one lamp\n  (:action light\n    :effect (on)))\n"
/// );
/// # Ok::<(), herbrand_pddl::Faults>(())
/// ```
///
/// # Errors
/// All diagnostics of the syntax if one of them is an error, such as an unclosed parenthesis; warnings do not matter.
/// Names and types are not checked.
pub fn format(source: &Source) -> Result<String, Faults> {
    let document = read(source, &ReadOptions::default());
    let is_error = |severity| severity == Severity::Error;
    if document
        .diagnostics()
        .iter()
        .any(|fault| is_error(fault.severity()))
    {
        return Err(Faults::new(document.diagnostics().to_vec()));
    }
    let tree = tree(source);
    let mut printer = Printer::of(&tree);
    printer.print();
    Ok(match tree.line_break() {
        "\n" => printer.out,
        line_break => printer.out.replace('\n', line_break),
    })
}

/// Formats like [`format()`], and repairs parentheses that are missing at the end of the text, or that are there although none
/// is open, and commas between names. Returns the text and a warning for each repair. The formatted text has the meaning that lenient reading
/// ([`ReadOptions::lenient`]) gives the text.
///
/// ```
/// use herbrand_pddl::{Source, format_lenient};
///
/// let (text, warnings) = format_lenient(&Source::new("domain.pddl", "(define (domain lamp) (:predicates (on))"))?;
/// assert_eq!(text, "(define (domain lamp)\n  (:predicates (on)))\n");
/// assert_eq!(warnings[0].message(), "one `)` is missing at the end of the text");
/// # Ok::<(), herbrand_pddl::Faults>(())
/// ```
///
/// # Errors
/// As for [`format()`], if the text has other errors.
pub fn format_lenient(source: &Source) -> Result<(String, Vec<Diagnostic>), Faults> {
    let faults = match format(source) {
        Ok(text) => return Ok((text, Vec::new())),
        Err(faults) => faults,
    };
    let options = ReadOptions {
        lenient: true,
        ..ReadOptions::default()
    };
    let repairs = read(source, &options).diagnostics().to_vec();
    match format(&Source::new(source.name(), &repaired(source.text()))) {
        Ok(text) => Ok((text, repairs)),
        Err(_) => Err(faults),
    }
}

/// Returns a text without commas between names, without each `)` that closes nothing, and with the `)` that are missing at its
/// end.
fn repaired(text: &str) -> String {
    let (mut out, mut end, mut depth) = (String::with_capacity(text.len()), 0, 0_usize);
    for lexeme in lexemes(text) {
        let span = lexeme.span.range();
        match lexeme.kind {
            LexemeKind::Open => depth += 1,
            LexemeKind::Close if depth == 0 => {
                out.push_str(&text[end..span.start]);
                end = span.end;
            }
            LexemeKind::Close => depth -= 1,
            LexemeKind::Stray if has_commas(&text[span.clone()]) => {
                out.push_str(&text[end..span.start]);
                out.push_str(&text[span.clone()].replace(',', " "));
                end = span.end;
            }
            _ => {}
        }
    }
    out.push_str(&text[end..]);
    if depth > 0 {
        // The text may end with a comment.
        out.push('\n');
        out.extend(std::iter::repeat_n(')', depth));
    }
    out
}

/// Formats the sections of a PDDL text that share a line with `range`, a span of bytes. Returns the changes of the text
/// in order; [`Change::apply`] carries them out. Then these sections have the layout that [`format()`] gives them.
/// Returns no changes if they have it already.
///
/// ```
/// use herbrand_pddl::{Change, Source, format_range};
///
/// let text = "(define (domain lamp)\n(:predicates (ON))\n (:action light\n  :effect (ON)))\n";
/// let predicates = (25..30).into();
/// assert_eq!(
///     Change::apply(&format_range(&Source::new("domain.pddl", text), predicates)?, text),
///     "(define (domain lamp)\n  (:predicates (on))\n (:action light\n  :effect (ON)))\n"
/// );
/// # Ok::<(), herbrand_pddl::Faults>(())
/// ```
///
/// # Errors
/// As for [`format()`], also if the faults are outside of `range`.
pub fn format_range(source: &Source, range: Span) -> Result<Vec<Change>, Faults> {
    let formatted = Source::new(source.name(), &format(source)?);
    let before = tree(source);
    Ok(before.changes_to(&tree(&formatted), sections(&before, range)))
}

/// Returns the lines of `range`, extended to all of the sections that they touch. The layout of a section depends on nothing
/// outside of it, but on all that is in it.
fn sections(tree: &Tree, range: Span) -> Span {
    let lines = tree.lines(range);
    let definitions = tree.elements(None).filter(|&index| tree.end(index) > index);
    let sections = definitions.flat_map(|definition| tree.elements(Some(definition)));
    let touched = sections
        .map(|section| tree.span(section))
        .filter(|section| section.start < lines.end && lines.start < section.end);
    touched.fold(lines, |all, section| Span {
        start: all.start.min(section.start),
        end: all.end.max(section.end),
    })
}

/// A token or comment.
#[derive(Clone, Copy)]
struct Piece<'t> {
    kind: LexemeKind,
    text: &'t str,
    /// The number of line breaks between this piece and its predecessor.
    newlines: usize,
}

impl<'t> Piece<'t> {
    /// Returns the text in lower case.
    fn lower(self) -> Cow<'t, str> {
        if self.text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            self.text.to_ascii_lowercase().into()
        } else {
            self.text.into()
        }
    }
}

/// An element of a list, or one of its parentheses.
struct Element<'t> {
    piece: Piece<'t>,
    /// Whether the element begins a line.
    breaks: bool,
    /// The width in one line of the word, comment or whole list. `None` for a list that takes several lines.
    width: Option<usize>,
    /// Whether the element is a list whose elements are all words.
    plain: bool,
    /// The index of the last element: for an opening parenthesis, the index of its closing parenthesis.
    end: usize,
}

/// The layout of an open list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// The list fits in one line.
    Flat,
    /// Each element begins a line, except elements that must stay with the one before ([`List::keeps`]).
    Spread,
    /// Elements fill lines. An element also begins a line if it did in the text.
    Filled,
}

struct Printer<'t> {
    elements: Vec<Element<'t>>,
    out: String,
    column: usize,
    /// The styles of the open lists, outermost first.
    open: Vec<Style>,
}

impl<'t> Printer<'t> {
    fn of(tree: &'t Tree) -> Self {
        let elements = tree.lexemes().iter().enumerate().map(|(index, lexeme)| {
            let piece = Piece {
                kind: lexeme.kind,
                text: tree.word(index).trim_end(),
                newlines: tree.line_breaks(index),
            };
            Element {
                end: tree.end(index),
                width: Some(piece.text.len()),
                breaks: piece.newlines > 0,
                plain: false,
                piece,
            }
        });
        let mut printer = Self {
            elements: elements.collect(),
            out: String::new(),
            column: 0,
            open: Vec::new(),
        };
        printer.find_breaks();
        printer.measure();
        printer
    }

    /// Marks the elements that begin a line for reasons other than the line length.
    fn find_breaks(&mut self) {
        let mut lists: Vec<List<'t>> = vec![List::default()];
        let mut after_comment = false;
        for index in 0..self.elements.len() {
            let depth = lists.len() - 1;
            let piece = self.elements[index].piece;
            let Some(list) = lists.last_mut() else { return };
            let breaks = self.elements[index].breaks;
            self.elements[index].breaks = match piece.kind {
                LexemeKind::Close => after_comment,
                _ if after_comment => true,
                LexemeKind::Comment => breaks,
                _ => list.breaks(depth, piece, breaks),
            };
            after_comment = piece.kind == LexemeKind::Comment;
            match piece.kind {
                LexemeKind::Comment => {}
                LexemeKind::Close => {
                    lists.truncate(depth.max(1));
                }
                LexemeKind::Open => {
                    list.follow(piece);
                    lists.push(List::default());
                }
                _ => list.follow(piece),
            }
        }
    }

    /// Computes the one-line width of each list.
    fn measure(&mut self) {
        let mut open: Vec<(usize, Option<usize>, bool)> = Vec::new();
        for index in 0..self.elements.len() {
            let element = &self.elements[index];
            let kind = element.piece.kind;
            let (width, first) = (
                element.piece.text.len(),
                index > 0 && self.elements[index - 1].piece.kind == LexemeKind::Open,
            );
            let breaks = element.breaks || kind == LexemeKind::Comment;
            if let (Some((_, sum, plain)), false) = (open.last_mut(), kind == LexemeKind::Open) {
                let gap = usize::from(!first && kind != LexemeKind::Close);
                *sum = sum.filter(|_| !breaks).map(|sum| sum + gap + width);
                *plain &= kind != LexemeKind::Comment;
            }
            match kind {
                LexemeKind::Open => open.push((index, Some(1), true)),
                LexemeKind::Close => {
                    if let Some((start, sum, plain)) = open.pop() {
                        self.elements[start].width = sum;
                        self.elements[start].plain = plain;
                        if let Some((parent, outer, outer_plain)) = open.last_mut() {
                            let first = *parent + 1 == start;
                            let gap = usize::from(!first);
                            let inner = sum.filter(|_| !self.elements[start].breaks);
                            *outer = outer.zip(inner).map(|(outer, inner)| outer + gap + inner);
                            *outer_plain = false;
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn print(&mut self) {
        let mut lists: Vec<List<'t>> = vec![List::default()];
        for index in 0..self.elements.len() {
            let piece = self.elements[index].piece;
            let Some(list) = lists.last_mut() else { return };
            self.separate(index, list);
            match piece.kind {
                LexemeKind::Close => {
                    self.push(")");
                    if lists.len() > 1 {
                        lists.pop();
                        self.open.pop();
                    }
                }
                LexemeKind::Comment => self.push(piece.text),
                LexemeKind::Open => {
                    list.follow(piece);
                    lists.push(List::default());
                    self.open(index);
                }
                _ => {
                    list.follow(piece);
                    self.push(&piece.lower());
                }
            }
        }
        if !self.out.is_empty() {
            self.out.push('\n');
        }
    }

    /// Writes the blank or line break between an element and its predecessor.
    fn separate(&mut self, index: usize, list: &List<'t>) {
        let element = &self.elements[index];
        let (kind, newlines) = (element.piece.kind, element.piece.newlines);
        let is_first = index == 0 || self.elements[index - 1].piece.kind == LexemeKind::Open;
        let room = element
            .width
            .is_none_or(|width| self.column + 1 + width + self.closers(index) <= WIDTH);
        let style = self.open.last().copied().unwrap_or(Style::Filled);
        let stays = list.keeps(element.piece);
        let breaks = element.breaks
            || match (kind, style) {
                (LexemeKind::Close | LexemeKind::Comment, _) | (_, Style::Flat) => false,
                (_, Style::Spread) => !is_first && !stays,
                (_, Style::Filled) => !is_first && !stays && !room,
            };
        if breaks && index > 0 {
            let depth = match kind {
                LexemeKind::Close => self.open.len().saturating_sub(1),
                _ => self.open.len(),
            };
            let blank = newlines > 1 && !is_first && kind != LexemeKind::Close;
            self.out.push_str(if blank { "\n\n" } else { "\n" });
            self.out.extend(std::iter::repeat_n(' ', 2 * depth));
            self.column = 2 * depth;
        } else if index > 0 && kind != LexemeKind::Close && (!is_first || kind == LexemeKind::Comment) {
            self.push(" ");
        }
    }

    /// Returns the number of closing parentheses right after an element; they must fit on its line too.
    fn closers(&self, index: usize) -> usize {
        let after = self.elements[self.elements[index].end + 1..].iter();
        after
            .take_while(|element| element.piece.kind == LexemeKind::Close && !element.breaks)
            .count()
    }

    fn open(&mut self, index: usize) {
        let element = &self.elements[index];
        let style = match element.width {
            None => Style::Filled,
            Some(width) if self.column + width + self.closers(index) <= WIDTH => Style::Flat,
            Some(_) if element.plain => Style::Filled,
            Some(_) => Style::Spread,
        };
        self.push("(");
        self.open.push(style);
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.len();
    }
}

/// The elements of an open list seen so far.
#[derive(Default)]
struct List<'t> {
    head: &'t str,
    /// The preceding element if it is a word.
    before: &'t str,
    count: usize,
}

impl<'t> List<'t> {
    /// Returns whether an element begins a line. `in_text` says whether it did in the text.
    fn breaks(&self, depth: usize, piece: Piece<'_>, in_text: bool) -> bool {
        let is = |word: &str| self.head.eq_ignore_ascii_case(word);
        match self.count {
            // Each definition begins a line.
            _ if depth == 0 => true,
            0 => false,
            1 if is("define") || is(":action") => false,
            _ if is("define") => true,
            _ if is(":action") => piece.text.starts_with(':'),
            _ => in_text && !self.keeps(piece),
        }
    }

    /// Returns whether an element must stay on the line of its predecessor: the variables of a quantifier, the effect after
    /// a probability, the value of a part of an action.
    fn keeps(&self, piece: Piece<'_>) -> bool {
        let is = |words: &[&str]| words.iter().any(|word| self.head.eq_ignore_ascii_case(word));
        let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        match self.count {
            1 => is(&["define", ":action", "forall", "exists", ":derived", ":metric"]),
            _ if is(&["probabilistic"]) => is_number(self.before) && !is_number(piece.text),
            _ if is(&[":action"]) => self.before.starts_with(':'),
            _ => false,
        }
    }

    fn follow(&mut self, piece: Piece<'t>) {
        self.count += 1;
        self.before = piece.text;
        if self.count == 1 {
            self.head = piece.text;
        }
    }
}
