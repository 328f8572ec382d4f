//! The lexer. It matches brackets and interns names on the fly.

use herbrand_text::{Lexeme, LexemeKind, Source, Span, Tree};
use logos::Logos;

use super::brackets::{Brackets, greatest_depth};
use super::names::{Known, Names, Symbol};
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
    // The parser rejects the operators of other languages.
    #[regex(r"=|<|<=|>|>=|\+|\*|/|!=|<>|==|\+=|-=|&&|\|\|")]
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
    let mut brackets = Brackets::with_capacity(text, text.len() / 5, faults);
    let mut in_marker = false;
    let mut has_brackets = false;
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
            Ok(Raw::Name | Raw::Operator) if is_foreign_comment(text, span) => {
                lexer.bump(rest_of_line(&text[span.end as usize..]));
                report_foreign_comment(lexer.slice(), Span::from(lexer.span()), faults);
                continue;
            }
            Ok(Raw::Variable)
                if lexer.slice() == "?"
                    && let Some(length) = name_apart(lexer.remainder()) =>
            {
                lexer.bump(length);
                let (name, span) = (lexer.slice()[1..].trim_start(), Span::from(lexer.span()));
                report_apart(name, span, faults);
                let token = Token {
                    kind: Kind::Variable,
                    span,
                    data: names.intern_within(name, faults).number(),
                };
                brackets.word(token, lexer.slice(), faults);
                in_marker = false;
                continue;
            }
            Ok(Raw::Stray) if has_commas(lexer.slice()) || decimal(lexer.slice()).is_some() => {
                report_comma(lexer.slice(), span, faults);
                let mut start = span.start as usize;
                // Of a decimal, the first part is read.
                let most = decimal(lexer.slice()).map_or(usize::MAX, |_| 1);
                for piece in lexer.slice().split(',').take(most) {
                    if !piece.is_empty() {
                        let is_number = Raw::lexer(piece).next() == Some(Ok(Raw::Number));
                        let token = Token {
                            kind: if is_number { Kind::Number } else { Kind::Name },
                            span: Span::from(start..start + piece.len()),
                            data: names.intern_within(piece, faults).number(),
                        };
                        brackets.word(token, piece, faults);
                    }
                    start += piece.len() + 1;
                }
                in_marker = false;
                continue;
            }
            Ok(Raw::Stray) if let Some(dash) = lexer.slice().chars().next().filter(|&c| is_long_dash(c)) => {
                let end = span.start + dash.len_utf8() as u32;
                let mark = Span { end, ..span };
                report_dash(dash, mark, faults);
                let token = Token {
                    kind: Kind::Dash,
                    span: mark,
                    data: Known::Minus.symbol().number(),
                };
                brackets.word(token, "-", faults);
                let name = &lexer.slice()[dash.len_utf8()..];
                if !name.is_empty() {
                    let token = Token {
                        kind: Kind::Name,
                        span: Span { start: end, ..span },
                        data: names.intern_within(name, faults).number(),
                    };
                    brackets.word(token, name, faults);
                }
                in_marker = false;
                continue;
            }
            // The rules above match every text. If they did not, the unmatched part would be reported as a stray word.
            Ok(Raw::Stray) | Err(()) => {
                if !is_bracketed(lexer.slice()) {
                    report_stray(lexer.slice(), span, faults);
                } else if !std::mem::replace(&mut has_brackets, true) {
                    report_brackets(span, faults);
                }
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
    let (tokens, mut doubtful) = if faults.is_spent() {
        Default::default()
    } else {
        brackets.finish(faults)
    };
    if has_brackets {
        doubtful.push(Span::from(0..text.len()));
    }
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

/// Returns whether a comment of another language begins with this token: `#` or `//`, or a word such as `#so` at the
/// beginning of a line. `#t` is the time of continuous effects.
fn is_foreign_comment(text: &str, span: Span) -> bool {
    let word = &text[span.range()];
    let is_sign = word == "#" || (word == "/" && text[span.end as usize..].starts_with('/'));
    let may_begin = word.starts_with('#') && !word.eq_ignore_ascii_case("#t");
    is_sign
        || may_begin && {
            let before = text[..span.start as usize].trim_end_matches([' ', '\t', '\u{feff}']);
            before.is_empty() || before.ends_with(['\n', '\r'])
        }
}

/// Returns the number of bytes up to the end of the line.
fn rest_of_line(text: &str) -> usize {
    text.find(['\n', '\r']).unwrap_or(text.len())
}

fn report_foreign_comment(comment: &str, span: Span, faults: &mut Diagnostics) {
    let sign = if comment.starts_with('#') { "#" } else { "//" };
    faults.report(
        Code::UnexpectedCharacter,
        format!("`{sign}` does not begin a comment"),
        |d| {
            d.primary(span, "read as a comment all the same")
                .help("comments begin with `;`")
        },
    );
}

/// Returns how many bytes the blanks and the name behind a lone `?` have. `None` if no name follows on its line.
fn name_apart(rest: &str) -> Option<usize> {
    let name = rest.trim_start_matches([' ', '\t']);
    let blanks = rest.len() - name.len();
    let mut lexer = Raw::lexer(name);
    let is_name = blanks > 0 && lexer.next() == Some(Ok(Raw::Name));
    is_name.then(|| blanks + lexer.span().end)
}

fn report_apart(name: &str, span: Span, faults: &mut Diagnostics) {
    let message = format!("a blank stands between `?` and `{name}`");
    faults.report(Code::UnexpectedCharacter, message, |d| {
        d.primary(span, "the name of a variable begins with `?`")
            .write(&format!("?{name}"))
    });
}

/// Returns whether this part of a word with commas is empty, a name or a number.
fn is_word(piece: &str) -> bool {
    let mut tokens = Raw::lexer(piece);
    match tokens.next() {
        None => true,
        Some(Ok(Raw::Name | Raw::Number)) => tokens.next().is_none(),
        _ => false,
    }
}

/// Returns whether a word consists of names and numbers with commas between them.
pub(crate) fn has_commas(word: &str) -> bool {
    word.contains(',') && word.split(',').all(is_word) && decimal(word).is_none()
}

/// Returns how a number with a decimal comma, such as `0,5`, is written.
fn decimal(word: &str) -> Option<String> {
    let number = word.replacen(',', ".", 1);
    let is_number = number.starts_with(|c: char| c.is_ascii_digit()) && !number.ends_with('.');
    (is_number && word.contains(',') && number.parse::<f64>().is_ok()).then_some(number)
}

fn report_comma(word: &str, span: Span, faults: &mut Diagnostics) {
    let message = format!("`{word}` has a comma");
    match decimal(word) {
        Some(number) => faults.report(Code::UnexpectedCharacter, message, |d| {
            d.primary(span, "PDDL has no commas")
                .help(format!("write `{number}` for a number; separate names by spaces"))
        }),
        None => faults.report_repaired(Code::UnexpectedCharacter, message, "read as a blank", |d| {
            d.primary(span, "PDDL has no commas")
                .help("separate names by spaces")
        }),
    }
}

/// Returns whether a character is a dash that word processors write for `-`.
const fn is_long_dash(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}')
}

fn report_dash(dash: char, span: Span, faults: &mut Diagnostics) {
    faults.report(
        Code::UnexpectedCharacter,
        format!("`{dash}` is another dash than `-`"),
        |d| d.primary(span, "read as `-`").write("-"),
    );
}

/// Returns whether a word begins or ends with a square or curly bracket.
fn is_bracketed(word: &str) -> bool {
    word.starts_with(['[', ']', '{', '}']) || word.ends_with(['[', ']', '{', '}'])
}

/// Reports the first square or curly bracket of a text, in place of all of them and of their consequences.
fn report_brackets(span: Span, faults: &mut Diagnostics) {
    faults.report(Code::UnexpectedCharacter, "PDDL has round brackets only", |d| {
        d.primary(span, "the first word with another bracket")
            .help("write `(` and `)` in place of `[` and `]`, `{` and `}`")
    });
}

fn report_stray(word: &str, span: Span, faults: &mut Diagnostics) {
    let negated = word.strip_prefix('!').filter(|rest| is_word(rest));
    faults.report(
        Code::UnexpectedCharacter,
        format!("`{word}` is not a name"),
        |d| {
            let d = d.primary(span, "this has a character that PDDL does not allow");
            match negated {
                Some("") => d.help("a negation is written `(not (…))`"),
                Some(name) => d.help(format!("a negation is written `(not ({name} …))`")),
                None => d.help(
                    "names are made of ASCII letters, digits, `-` and `_`; other text belongs in a comment",
                ),
            }
        },
    );
}

/// Returns all tokens and comments of `text` in order, also of a faulty text. Their spans count bytes; bytes between
/// them are blanks. Characters that PDDL does not allow are tokens of the kind [`Stray`](LexemeKind::Stray). Keywords
/// are the words that begin with a colon, and reserved words. Empty for an empty text. Takes time linear in the length
/// of the text.
#[must_use]
pub fn lexemes(text: &str) -> Vec<Lexeme> {
    let mut lexer = Raw::lexer(text);
    let mut found = Vec::new();
    while let Some(raw) = lexer.next() {
        let word = lexer.slice();
        let is_reserved =
            || Known::find(word).is_some_and(Known::is_reserved) || word.eq_ignore_ascii_case("define");
        let kind = match raw {
            Ok(Raw::Open) => LexemeKind::Open,
            Ok(Raw::Close) => LexemeKind::Close,
            Ok(Raw::Comment) => LexemeKind::Comment,
            Ok(Raw::Variable) => LexemeKind::Variable,
            Ok(Raw::Keyword) => LexemeKind::Keyword,
            Ok(Raw::Number) => LexemeKind::Number,
            Ok(Raw::Name) if is_reserved() => LexemeKind::Keyword,
            Ok(Raw::Name) => LexemeKind::Name,
            Ok(Raw::Dash | Raw::Operator) => LexemeKind::Operator,
            Ok(Raw::Stray) | Err(()) => LexemeKind::Stray,
        };
        let span = Span::from(lexer.span());
        found.push(Lexeme { kind, span });
    }
    found
}

/// Returns a text as a tree without loss, with its comments and blanks, also if the text has faults. A list that is not
/// closed ends at the next section or definition at the latest. Takes time linear in the length of the text. Elements
/// are numbered by their place in [`Tree::lexemes`].
///
/// ```
/// use herbrand_pddl::{Source, tree};
///
/// let tree = tree(&Source::new("half.pddl", "(define (domain half)\n  (:action a :effect (and (p)\n  (:action b"));
/// let words = |index| tree.word(index + 1);
/// let lists: Vec<&str> = tree.elements(Some(0)).skip(1).map(words).collect();
/// assert_eq!(lists, ["domain", ":action", ":action"]);
/// ```
#[must_use]
pub fn tree(source: &Source) -> Tree {
    let text = source.text();
    Tree::new(source.clone(), lexemes(text), |lexemes| {
        let head = &text[lexemes.get(1)?.span.range()];
        greatest_depth(head)
    })
}
