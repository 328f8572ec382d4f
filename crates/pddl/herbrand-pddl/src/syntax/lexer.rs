//! The lexer. It matches brackets and interns names on the fly.

use herbrand_text::{Source, Span};
use logos::Logos;

use super::brackets::Brackets;
use super::names::{Names, Symbol};
use crate::diagnostic::{Code, Diagnostics};

/// The tokens of the automaton. None of the rules depends on case, except that some list both cases.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\x0b\x0c\u{feff}]+")]
enum Raw {
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("-")]
    Dash,
    #[regex(r"[a-zA-Z0-9_#][a-zA-Z0-9_\-.@#$%&!'`^~|\[\]]*")]
    Name,
    #[regex(r"\?[a-zA-Z0-9_\-.@#$%&!'`^~|\[\]]*")]
    Variable,
    #[regex(r":[a-zA-Z0-9_\-]*")]
    Keyword,
    // Digits match both rules. The priority makes a plain run of digits a number.
    #[regex(
        r"[+\-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+\-]?[0-9]+)?(/[0-9]+)?",
        priority = 20
    )]
    Number,
    #[regex(r"=|<|<=|>|>=|\+|\*|/")]
    Operator,
    #[regex(r";[^\n\r]*", allow_greedy = true)]
    Comment,
    /// A word with characters that no name may have. It is reported and then treated as a name.
    #[regex(
        r#"[^ \t\r\n\x0b\x0c\u{feff}();?:=<>+*/\-][^ \t\r\n\x0b\x0c\u{feff}();?:=<>+*/]*"#,
        priority = 0
    )]
    Stray,
}

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Open,
    Close,
    Dash,
    Name,
    Variable,
    Keyword,
    Number,
    Operator,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
    /// For a word, its symbol. For a `(`, the position of its `)`.
    data: u32,
}

impl Token {
    pub(crate) const fn open(span: Span) -> Self {
        Self {
            kind: Kind::Open,
            span,
            data: 0,
        }
    }

    pub(crate) const fn close(span: Span) -> Self {
        Self {
            kind: Kind::Close,
            span,
            data: 0,
        }
    }

    pub(crate) const fn symbol(self) -> Symbol {
        Symbol::from_number(self.data)
    }

    /// Returns the position of the `)` that closes this `(`.
    pub(crate) const fn mate(self) -> usize {
        self.data as usize
    }

    pub(crate) fn set_mate(&mut self, position: usize) {
        self.data = position as u32;
    }
}

/// A name with its span.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    pub(crate) symbol: Symbol,
    pub(crate) span: Span,
}

/// The tokens of a text, with balanced parentheses.
pub(crate) struct Tokens<'t> {
    pub(crate) tokens: Vec<Token>,
    pub(crate) names: Names<'t>,
    /// The names listed in comments `; (:actions a b …)` (PDDLGym's dialect).
    pub(crate) markers: Vec<Word>,
    /// The sections in which a parenthesis is missing, each up to the point where this was noticed.
    pub(crate) doubtful: Vec<Span>,
}

/// Splits `source` into tokens in one pass.
pub(crate) fn tokenize<'t>(source: &'t Source, faults: &mut Diagnostics) -> Tokens<'t> {
    let text = source.text();
    let mut names = Names::new();
    let mut markers = Vec::new();
    // Real files have about one token per five bytes.
    let mut brackets = Brackets::with_capacity(text.len() / 5, faults);
    let mut in_marker = false;
    let mut lexer = Raw::lexer(text);
    while faults.charge(0)
        && let Some(raw) = lexer.next()
    {
        let span = Span::from(lexer.span());
        let word = match raw {
            Ok(Raw::Open) => {
                brackets.open(span, faults);
                continue;
            }
            Ok(Raw::Close) => {
                brackets.close(span, faults);
                continue;
            }
            Ok(Raw::Comment) => {
                in_marker = read_marker(lexer.slice(), span, in_marker, &mut names, &mut markers, faults);
                continue;
            }
            // The rules above match every text. If they did not, the unmatched part would be reported as a stray word.
            Ok(Raw::Stray) | Err(()) => {
                report_stray(lexer.slice(), span, faults);
                Kind::Name
            }
            Ok(Raw::Dash) => Kind::Dash,
            Ok(Raw::Name) => Kind::Name,
            Ok(Raw::Variable) => Kind::Variable,
            Ok(Raw::Keyword) => Kind::Keyword,
            Ok(Raw::Number) => Kind::Number,
            Ok(Raw::Operator) => Kind::Operator,
        };
        in_marker = false;
        let sigil = usize::from(word == Kind::Variable);
        let symbol = names.intern_within(&lexer.slice()[sigil..], faults);
        brackets.word(
            Token {
                kind: word,
                span,
                data: symbol.number(),
            },
            lexer.slice(),
            faults,
        );
    }
    let (tokens, doubtful) = if faults.is_spent() {
        Default::default()
    } else {
        brackets.finish(faults)
    };
    Tokens {
        tokens,
        names,
        markers,
        doubtful,
    }
}

/// Collects the names of a marker `; (:actions a b …)`, which may continue in the comments of the following lines. `goes_on`
/// says that this comment may continue one. Returns whether the marker is still open after this comment.
fn read_marker<'t>(
    comment: &'t str,
    span: Span,
    goes_on: bool,
    names: &mut Names<'t>,
    markers: &mut Vec<Word>,
    faults: &mut Diagnostics,
) -> bool {
    const MARKER: &str = "(:actions";
    let body = comment.trim_start_matches([';', ' ', '\t']);
    let list = match body.get(..MARKER.len()) {
        Some(head) if head.eq_ignore_ascii_case(MARKER) => &body[MARKER.len()..],
        _ if goes_on => body,
        _ => return false,
    };
    let (list, closed) = match list.find(')') {
        Some(end) => (&list[..end], true),
        None => (list, false),
    };
    let mut start = span.end as usize - list.len();
    if closed {
        start = span.start as usize + (list.as_ptr() as usize - comment.as_ptr() as usize);
    }
    for word in list.split_ascii_whitespace() {
        let offset = start + (word.as_ptr() as usize - list.as_ptr() as usize);
        let span = Span::from(offset..offset + word.len());
        let symbol = names.intern_within(word, faults);
        faults.push(markers, Word { symbol, span });
    }
    !closed
}

fn report_stray(word: &str, span: Span, faults: &mut Diagnostics) {
    faults.report(
        Code::UnexpectedCharacter,
        format!("`{word}` is not a name"),
        |d| {
            d.primary(span, "this has a character that PDDL does not allow")
                .help("names are made of ASCII letters, digits, `-` and `_`; other text belongs in a comment")
        },
    );
}

/// A token or comment, for the formatter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'t> {
    pub(crate) kind: PieceKind,
    pub(crate) text: &'t str,
    /// The number of line breaks between this piece and its predecessor.
    pub(crate) newlines: usize,
}

/// The kind of a [`Piece`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PieceKind {
    Open,
    Close,
    Word,
    Comment,
}

impl<'t> Piece<'t> {
    /// Returns the text in lower case.
    pub(crate) fn lower(self) -> std::borrow::Cow<'t, str> {
        if self.text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            self.text.to_ascii_lowercase().into()
        } else {
            self.text.into()
        }
    }
}

/// Returns all tokens and comments of a text in order.
pub(crate) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut lexer = Raw::lexer(text);
    let mut pieces = Vec::new();
    let mut end = 0;
    while let Some(raw) = lexer.next() {
        let span = lexer.span();
        let kind = match raw {
            Ok(Raw::Open) => PieceKind::Open,
            Ok(Raw::Close) => PieceKind::Close,
            Ok(Raw::Comment) => PieceKind::Comment,
            _ => PieceKind::Word,
        };
        let between = text[end..span.start].bytes();
        pieces.push(Piece {
            kind,
            text: lexer.slice().trim_end(),
            newlines: between.filter(|&byte| byte == b'\n').count(),
        });
        end = span.end;
    }
    pieces
}
