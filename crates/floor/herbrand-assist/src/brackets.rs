//! Finds the lists around a place. Only tokens are used, so the lists of an unfinished text are found too.

use crate::language::Language;
use herbrand_pddl::{DOMAIN_SECTIONS, PROBLEM_SECTIONS};
use herbrand_text::{LexemeKind, Span};

use crate::documents::TextFile;

/// A list that is open at a place: its bracket and its elements so far.
#[derive(Clone, Debug)]
pub(crate) struct OpenList {
    pub(crate) open: Span,
    /// The word before the bracket; only RDDL gives it a meaning.
    pub(crate) before: Option<Span>,
    pub(crate) elements: Vec<Element>,
}

/// An element of an open list: a word, or a closed list from bracket to bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Element {
    Word(Span),
    List(Span),
}

impl OpenList {
    /// Returns the first element if it is a word.
    pub(crate) fn head(&self) -> Option<Span> {
        match self.elements.first() {
            Some(&Element::Word(span)) => Some(span),
            _ => None,
        }
    }

    /// Returns the last element if it is a word.
    pub(crate) fn last_word(&self) -> Option<Span> {
        match self.elements.last() {
            Some(&Element::Word(span)) => Some(span),
            _ => None,
        }
    }
}

/// A place in a text: the lists around it and the word that is typed there.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The lists around the place, outermost first. The first is the text itself.
    pub(crate) lists: Vec<OpenList>,
    /// The word that the place is in or behind; empty between words.
    pub(crate) word: Span,
}

/// Returns whether a word begins a section of PDDL. A section closes the lists before it, even if a parenthesis is missing.
fn begins_section(word: &str) -> bool {
    let mut sections = DOMAIN_SECTIONS.iter().chain(PROBLEM_SECTIONS);
    sections.any(|section| section.eq_ignore_ascii_case(word))
}

/// Returns the place of a byte; `None` in a comment.
pub(crate) fn place(file: &TextFile, offset: u32) -> Option<Place> {
    let lexemes = file.lexemes();
    let top = OpenList {
        open: Span { start: 0, end: 0 },
        before: None,
        elements: Vec::new(),
    };
    let mut lists = vec![top];
    let mut word = Span {
        start: offset,
        end: offset,
    };
    let mut before = None;
    for (at, lexeme) in lexemes.iter().enumerate() {
        let span = lexeme.span;
        if span.start >= offset {
            break;
        }
        let is_last = offset <= span.end;
        match lexeme.kind {
            LexemeKind::Comment if is_last => return None,
            LexemeKind::Comment => continue,
            LexemeKind::Open if file.language == Language::Pddl => {
                let next = lexemes
                    .get(at + 1)
                    .map(|next| file.at(next.span))
                    .unwrap_or_default();
                if begins_section(next) {
                    lists.truncate(2);
                } else if next.eq_ignore_ascii_case("define") {
                    lists.truncate(1);
                }
                lists.push(OpenList {
                    open: span,
                    before,
                    elements: Vec::new(),
                });
            }
            LexemeKind::Open => lists.push(OpenList {
                open: span,
                before,
                elements: Vec::new(),
            }),
            LexemeKind::Close => {
                if lists.len() > 1
                    && let Some(list) = lists.pop()
                    && let Some(outer) = lists.last_mut()
                {
                    outer.elements.push(Element::List(list.open.to(span)));
                }
            }
            kind => {
                let is_word = !matches!(kind, LexemeKind::Operator);
                if is_last && is_word {
                    word = span;
                } else if let Some(list) = lists.last_mut() {
                    list.elements.push(Element::Word(span));
                }
            }
        }
        before = (!matches!(
            lexeme.kind,
            LexemeKind::Open | LexemeKind::Close | LexemeKind::Operator
        ))
        .then_some(span);
    }
    Some(Place { lists, word })
}

/// Returns all pairs of brackets, in the order of their first brackets. A bracket without a partner has none.
pub(crate) fn pairs(file: &TextFile) -> Vec<Span> {
    let (mut open, mut pairs) = (Vec::new(), Vec::new());
    for lexeme in file.lexemes() {
        match lexeme.kind {
            LexemeKind::Open => open.push(lexeme.span),
            LexemeKind::Close => pairs.extend(open.pop().map(|first| first.to(lexeme.span))),
            _ => {}
        }
    }
    pairs.sort_by_key(|pair| pair.start);
    pairs
}

/// Returns the lists of PDDL whose first word is `keyword`, from bracket to bracket.
pub(crate) fn sections<'f>(file: &'f TextFile, keyword: &'f str) -> impl Iterator<Item = Span> + 'f {
    let words = file.lexemes().windows(2).filter(move |pair| {
        pair[0].kind == LexemeKind::Open && file.at(pair[1].span).eq_ignore_ascii_case(keyword)
    });
    let pairs = pairs(file);
    words.filter_map(move |pair| {
        let at = pairs
            .binary_search_by_key(&pair[0].span.start, |list| list.start)
            .ok()?;
        Some(pairs[at])
    })
}
