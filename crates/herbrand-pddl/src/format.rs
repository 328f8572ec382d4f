//! PDDL in canonical form, comments in place.
//!
//! The text is laid out anew, token by token: order, comments and the choice of where a list is broken into lines stay as
//! they are. So does what the text means: reading the result gives an equal model.

use crate::syntax::{Piece, PieceKind, pieces};
use crate::{Faults, ReadOptions, Severity, Source, read};

/// The longest line, where that can be helped.
const WIDTH: usize = 100;

/// The text of `source` in canonical form.
///
/// - Names are in lower case, with one blank between the elements of a line.
/// - A line is indented by two spaces for each list it is in; closing parentheses follow what they close.
/// - Each section of a definition and each part of an action begins a line. Other lists are broken where they are in the
///   text, and where a line would have more than 100 columns.
/// - Comments stay where they are: after what they follow on a line, or on a line of their own. Of several blank lines one
///   is left.
///
/// Formatting the result changes nothing. Takes time linear in the length of the text.
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
/// When the text is not made of definitions in parentheses. Names and types are not looked at.
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
    let mut printer = Printer::of(pieces(source.text()));
    printer.print();
    Ok(printer.out)
}

/// An element of a list, or one of its parentheses.
struct Element<'t> {
    piece: Piece<'t>,
    /// Whether it begins a line.
    breaks: bool,
    /// How wide it is in one line: a word, a comment, or a whole list. `None` for a list that takes several lines.
    width: Option<usize>,
    /// Whether it is a list of nothing but words.
    plain: bool,
    /// Where it ends: for the parenthesis that opens a list, that which closes it.
    end: usize,
}

/// A list under way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// In one line.
    Flat,
    /// Each element on a line of its own, but for those that stay beside another.
    Spread,
    /// Elements fill lines, and begin one where they did in the text.
    Filled,
}

struct Printer<'t> {
    elements: Vec<Element<'t>>,
    out: String,
    column: usize,
    /// The styles of the lists that are open.
    open: Vec<Style>,
}

impl<'t> Printer<'t> {
    fn of(pieces: Vec<Piece<'t>>) -> Self {
        let elements = pieces.into_iter().enumerate().map(|(end, piece)| Element {
            end,
            width: Some(piece.text.len()),
            breaks: piece.newlines > 0,
            plain: false,
            piece,
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

    /// Decides which elements begin a line, but for lack of room.
    fn find_breaks(&mut self) {
        let mut lists: Vec<List<'t>> = vec![List::default()];
        let mut after_comment = false;
        for index in 0..self.elements.len() {
            let depth = lists.len() - 1;
            let piece = self.elements[index].piece;
            let Some(list) = lists.last_mut() else { return };
            let breaks = self.elements[index].breaks;
            self.elements[index].breaks = match piece.kind {
                PieceKind::Close => after_comment,
                _ if after_comment => true,
                PieceKind::Comment => breaks,
                _ => list.breaks(depth, piece, breaks),
            };
            after_comment = piece.kind == PieceKind::Comment;
            match piece.kind {
                PieceKind::Comment => {}
                PieceKind::Close => {
                    lists.truncate(depth.max(1));
                }
                PieceKind::Word => list.follow(piece),
                PieceKind::Open => {
                    list.follow(piece);
                    lists.push(List::default());
                }
            }
        }
    }

    /// Computes how wide each list is in one line.
    fn measure(&mut self) {
        let mut open: Vec<(usize, Option<usize>, bool)> = Vec::new();
        for index in 0..self.elements.len() {
            let element = &self.elements[index];
            let kind = element.piece.kind;
            let (width, first) = (
                element.piece.text.len(),
                index > 0 && self.elements[index - 1].piece.kind == PieceKind::Open,
            );
            let breaks = element.breaks || kind == PieceKind::Comment;
            if let (Some((_, sum, plain)), false) = (open.last_mut(), kind == PieceKind::Open) {
                let gap = usize::from(!first && kind != PieceKind::Close);
                *sum = sum.filter(|_| !breaks).map(|sum| sum + gap + width);
                *plain &= kind == PieceKind::Word || kind == PieceKind::Close;
            }
            match kind {
                PieceKind::Open => open.push((index, Some(1), true)),
                PieceKind::Close => {
                    if let Some((start, sum, plain)) = open.pop() {
                        self.elements[start].width = sum;
                        self.elements[start].plain = plain;
                        self.elements[start].end = index;
                        if let Some((parent, outer, outer_plain)) = open.last_mut() {
                            let first = *parent + 1 == start;
                            let gap = usize::from(!first);
                            let inner = sum.filter(|_| !self.elements[start].breaks);
                            *outer = outer.zip(inner).map(|(outer, inner)| outer + gap + inner);
                            *outer_plain = false;
                        }
                    }
                }
                PieceKind::Word | PieceKind::Comment => {}
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
                PieceKind::Close => {
                    self.push(")");
                    if lists.len() > 1 {
                        lists.pop();
                        self.open.pop();
                    }
                }
                PieceKind::Comment => self.push(piece.text),
                PieceKind::Word => {
                    list.follow(piece);
                    self.push(&piece.lower());
                }
                PieceKind::Open => {
                    list.follow(piece);
                    lists.push(List::default());
                    self.open(index);
                }
            }
        }
        if !self.out.is_empty() {
            self.out.push('\n');
        }
    }

    /// Writes what is between an element and the one before.
    fn separate(&mut self, index: usize, list: &List<'t>) {
        let element = &self.elements[index];
        let (kind, newlines) = (element.piece.kind, element.piece.newlines);
        let is_first = index == 0 || self.elements[index - 1].piece.kind == PieceKind::Open;
        let room = element
            .width
            .is_none_or(|width| self.column + 1 + width + self.closers(index) <= WIDTH);
        let style = self.open.last().copied().unwrap_or(Style::Filled);
        let stays = list.keeps(element.piece);
        let breaks = element.breaks
            || match (kind, style) {
                (PieceKind::Close | PieceKind::Comment, _) | (_, Style::Flat) => false,
                (_, Style::Spread) => !is_first && !stays,
                (_, Style::Filled) => !is_first && !stays && !room,
            };
        if breaks && index > 0 {
            let depth = match kind {
                PieceKind::Close => self.open.len().saturating_sub(1),
                _ => self.open.len(),
            };
            let blank = newlines > 1 && !is_first && kind != PieceKind::Close;
            self.out.push_str(if blank { "\n\n" } else { "\n" });
            self.out.extend(std::iter::repeat_n(' ', 2 * depth));
            self.column = 2 * depth;
        } else if index > 0 && kind != PieceKind::Close && (!is_first || kind == PieceKind::Comment) {
            self.push(" ");
        }
    }

    /// How many parentheses close right after an element: they have to fit too.
    fn closers(&self, index: usize) -> usize {
        let after = self.elements[self.elements[index].end + 1..].iter();
        after
            .take_while(|element| element.piece.kind == PieceKind::Close && !element.breaks)
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

/// What is known of a list while its elements pass.
#[derive(Default)]
struct List<'t> {
    head: &'t str,
    /// The element before, as far as it is a word.
    before: &'t str,
    count: usize,
}

impl<'t> List<'t> {
    /// Whether an element begins a line, given whether it did in the text.
    fn breaks(&self, depth: usize, piece: Piece<'_>, in_text: bool) -> bool {
        let is = |word: &str| self.head.eq_ignore_ascii_case(word);
        match self.count {
            // Definitions follow one another.
            _ if depth == 0 => true,
            0 => false,
            1 if is("define") || is(":action") => false,
            _ if is("define") => true,
            _ if is(":action") => piece.text.starts_with(':'),
            _ => in_text && !self.keeps(piece),
        }
    }

    /// Whether an element stays on the line of the one before: the variables of a quantifier, the alternative of a
    /// probability, the value of a part of an action.
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
