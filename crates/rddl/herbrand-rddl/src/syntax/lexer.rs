//! Splits text into tokens.

use herbrand_text::{Lexeme, LexemeKind, Source, Span, Tree};
use logos::Logos;

use super::{DOMAIN_SECTIONS, INSTANCE_SECTIONS, RESERVED};
use crate::diagnostic::{Code, Diagnostics};
use crate::model::PvariableKind;

/// The kind of a token.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\x0b\x0c\u{feff}]+")]
pub(crate) enum Kind {
    /// A name or a reserved word. `x-1` is one identifier.
    #[regex(r"[A-Za-z]([A-Za-z0-9_\-]*[A-Za-z0-9])?'?")]
    Identifier,
    /// `?x`
    #[regex(r"\?[A-Za-z0-9_\-]*[A-Za-z0-9]")]
    Variable,
    /// `@red`
    #[regex(r"@[A-Za-z0-9_\-]*[A-Za-z0-9]")]
    Enum,
    /// `12`
    #[regex(r"[0-9]+")]
    Int,
    /// `1.5`, `.5`, `1.5e3`
    #[regex(r"[0-9]*\.[0-9]+([eE][+\-]?[0-9]+)?")]
    #[regex(r"[0-9]+[eE][+\-]?[0-9]+")]
    Real,
    /// `1.`, which is reported and treated as `1.0`.
    #[regex(r"[0-9]+\.")]
    BareReal,
    #[token("(")]
    OpenParenthesis,
    #[token(")")]
    CloseParenthesis,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token("_")]
    Underscore,
    #[token("$")]
    Dollar,
    #[token("=")]
    Assign,
    #[token("^")]
    #[token("&")]
    And,
    #[token("|")]
    Or,
    #[token("~")]
    Not,
    #[token("=>")]
    Implies,
    #[token("<=>")]
    Equivalent,
    #[token("==")]
    Equal,
    #[token("~=")]
    Unequal,
    #[token("<")]
    Less,
    #[token("<=")]
    LessOrEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterOrEqual,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Times,
    #[token("/")]
    Divide,
    /// Operators of other languages. They are reported and treated as their RDDL equivalents.
    #[token("&&")]
    ForeignAnd,
    #[token("||")]
    ForeignOr,
    #[token("!")]
    ForeignNot,
    #[token("!=")]
    #[token("<>")]
    ForeignUnequal,
    #[token("->")]
    ForeignImplies,
    #[token("=<")]
    ForeignLessOrEqual,
    /// `**` and `%`, which the parser reports with their operands.
    #[token("**")]
    Power,
    #[token("%")]
    Modulo,
    /// The `?` of `a ? b : c`, which the parser reports.
    #[token("?")]
    Question,
    #[regex(r"//[^\n\r]*", allow_greedy = true)]
    Comment,
    /// The end of the text, added by [`tokenize`].
    End,
    /// Characters that RDDL does not use.
    #[regex(
        r#"[^ \t\r\n\x0b\x0c\u{feff}A-Za-z0-9?@.%()\[\]{},;:_$=^&|~<>+\-*/!]+"#,
        priority = 0
    )]
    #[token("@")]
    #[token(".")]
    Stray,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

/// Returns the tokens of `source`, ending with [`Kind::End`]. Drops comments, and reports and drops stray characters.
pub(crate) fn tokenize(source: &Source, faults: &mut Diagnostics) -> Vec<Token> {
    let text = source.text();
    // Real files have about one token per five bytes.
    let mut tokens = Vec::new();
    faults.meter().reserve(&mut tokens, text.len() / 5 + 1);
    let mut lexer = Kind::lexer(text);
    while faults.charge(0)
        && let Some(kind) = lexer.next()
    {
        let span = Span::from(lexer.span());
        let kind = match kind {
            Ok(Kind::Comment) => continue,
            Ok(Kind::Stray) | Err(()) => {
                report_stray(lexer.slice(), span, faults);
                continue;
            }
            Ok(Kind::BareReal) => {
                report_bare_real(lexer.slice(), span, faults);
                Kind::Real
            }
            Ok(kind) => match ours(kind) {
                Some((kind, meant)) => {
                    report_foreign(lexer.slice(), meant, span, faults);
                    kind
                }
                None => kind,
            },
        };
        faults.push(&mut tokens, Token { kind, span });
    }
    if faults.is_spent() {
        tokens.clear();
    }
    let span = Span::from(text.len()..text.len());
    tokens.push(Token {
        kind: Kind::End,
        span,
    });
    tokens
}

/// Returns the operator with the meaning of an operator of another language, and how it is written.
const fn ours(foreign: Kind) -> Option<(Kind, &'static str)> {
    Some(match foreign {
        Kind::ForeignAnd => (Kind::And, "^"),
        Kind::ForeignOr => (Kind::Or, "|"),
        Kind::ForeignNot => (Kind::Not, "~"),
        Kind::ForeignUnequal => (Kind::Unequal, "~="),
        Kind::ForeignImplies => (Kind::Implies, "=>"),
        Kind::ForeignLessOrEqual => (Kind::LessOrEqual, "<="),
        _ => return None,
    })
}

/// Reports that `written` is an operator of another language, for which RDDL has `meant`.
pub(super) fn report_foreign(written: &str, meant: &str, span: Span, faults: &mut Diagnostics) {
    faults.report(
        Code::ForeignOperator,
        format!("`{written}` is not an operator of RDDL"),
        |d| d.primary(span, "an operator of another language").write(meant),
    );
}

fn report_bare_real(written: &str, span: Span, faults: &mut Diagnostics) {
    faults.report(Code::Unexpected, "a digit is missing after the point", |d| {
        d.primary(span, "expected a digit after `.`")
            .write(&format!("{written}0"))
    });
}

fn report_stray(text: &str, span: Span, faults: &mut Diagnostics) {
    faults.report(
        Code::UnexpectedCharacter,
        format!("RDDL does not allow `{text}` here"),
        |d| {
            d.primary(span, "left out").help(
                "names consist of ASCII letters, digits, `-` and `_`, and begin with a letter; other characters are \
                 allowed only in comments",
            )
        },
    );
}

/// Returns all tokens and comments of `text` in order, also of a faulty text. Bytes between them are blanks. Names that
/// cannot be declared are keywords, and so are the words that begin sections and kinds of pvariables. Takes time linear in
/// the length of the text.
#[must_use]
pub fn lexemes(text: &str) -> Vec<Lexeme> {
    let mut lexer = Kind::lexer(text);
    let mut found = Vec::new();
    while let Some(token) = lexer.next() {
        let kind = match token {
            Ok(Kind::Identifier) if is_keyword(lexer.slice()) => LexemeKind::Keyword,
            Ok(Kind::Identifier | Kind::Enum) => LexemeKind::Name,
            Ok(Kind::Variable) => LexemeKind::Variable,
            Ok(Kind::Int | Kind::Real | Kind::BareReal) => LexemeKind::Number,
            Ok(Kind::OpenParenthesis | Kind::OpenBracket | Kind::OpenBrace) => LexemeKind::Open,
            Ok(Kind::CloseParenthesis | Kind::CloseBracket | Kind::CloseBrace) => LexemeKind::Close,
            Ok(Kind::Comment) => LexemeKind::Comment,
            Ok(Kind::Question) => LexemeKind::Variable,
            Ok(Kind::Stray) if lexer.slice() == "@" => LexemeKind::Name,
            Ok(Kind::Stray) | Err(()) => LexemeKind::Stray,
            Ok(_) => LexemeKind::Operator,
        };
        let span = Span::from(lexer.span());
        found.push(Lexeme { kind, span });
    }
    found
}

fn is_keyword(word: &str) -> bool {
    RESERVED.contains(&word)
        || word == "instance"
        || DOMAIN_SECTIONS.contains(&word)
        || INSTANCE_SECTIONS.contains(&word)
        || PvariableKind::ALL.iter().any(|kind| kind.as_str() == word)
}

/// Returns a text as a tree without loss, with its comments and blanks, also if the text has faults. Takes time linear in
/// the length of the text.
///
/// ```
/// use herbrand_rddl::{Source, tree};
///
/// let tree = tree(&Source::new("half.rddl", "domain d { cpfs { p' = f(q;  // to do\n }; }"));
/// let words: Vec<&str> = tree.elements(Some(4)).map(|index| tree.word(index)).collect();
/// assert_eq!(words, ["p'", "=", "f", "(", "}"]);
/// ```
#[must_use]
pub fn tree(source: &Source) -> Tree {
    Tree::new(source.clone(), lexemes(source.text()), |_| None)
}
