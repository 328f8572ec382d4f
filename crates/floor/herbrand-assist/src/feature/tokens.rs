//! The colours of names and words.

use gen_lsp_types::{SemanticToken, SemanticTokens, SemanticTokensLegend};
use herbrand_text::{LexemeKind, Mention, NameKind, Role, Span};

use crate::documents::TextFile;

/// The kinds of tokens, in the order of their numbers.
const TYPES: [&str; 13] = [
    "namespace",
    "type",
    "class",
    "enumMember",
    "variable",
    "parameter",
    "function",
    "property",
    "method",
    "keyword",
    "comment",
    "number",
    "operator",
];

/// The modifiers of tokens, in the order of their bits.
const MODIFIERS: [&str; 4] = ["declaration", "definition", "modification", "readonly"];

/// Returns the kinds and modifiers that [`tokens`] refers to by number, for the capabilities that a server announces.
pub fn legend() -> SemanticTokensLegend {
    let words = |list: &[&str]| list.iter().map(|&word| word.to_owned()).collect();
    SemanticTokensLegend {
        token_types: words(&TYPES),
        token_modifiers: words(&MODIFIERS),
    }
}

fn number(name: &str) -> u32 {
    TYPES.iter().position(|&one| one == name).unwrap_or_default() as u32
}

fn kind_of(mention: &Mention) -> &'static str {
    match mention.kind {
        NameKind::Domain | NameKind::Problem | NameKind::NonFluents => "namespace",
        NameKind::Type => "type",
        NameKind::Object => "variable",
        NameKind::Value => "enumMember",
        NameKind::Predicate => "function",
        NameKind::Function | NameKind::Fluent => "property",
        NameKind::Action => "method",
        NameKind::Variable => "parameter",
        NameKind::Requirement => "keyword",
    }
}

/// Returns the tokens of a file that an editor colours, or only the tokens that touch `within`, a range of bytes, in the
/// form of the protocol: each place is relative to the token before, and kinds and modifiers are numbers of the
/// [`legend`]. Brackets, unknown names and tokens of several lines are left out.
pub fn tokens(file: &TextFile, within: Option<Span>) -> SemanticTokens {
    let mentions = file.mentions();
    let (mut line, mut start) = (0, 0);
    let mut data = Vec::new();
    for lexeme in file.lexemes() {
        if within.is_some_and(|span| lexeme.span.end < span.start || span.end < lexeme.span.start) {
            continue;
        }
        let at = mentions.partition_point(|one| one.span.start < lexeme.span.start);
        let mention = mentions.get(at).filter(|one| one.span.start == lexeme.span.start);
        let (kind, modifiers) = match (lexeme.kind, mention) {
            (LexemeKind::Name | LexemeKind::Variable | LexemeKind::Number, Some(one)) => {
                (kind_of(one), modifiers(one))
            }
            (LexemeKind::Keyword, _) => ("keyword", 0),
            (LexemeKind::Name, None) => continue,
            (LexemeKind::Variable, None) => ("parameter", 0),
            (LexemeKind::Number, None) => ("number", 0),
            (LexemeKind::Operator, _) => ("operator", 0),
            (LexemeKind::Comment, _) => ("comment", 0),
            (LexemeKind::Open | LexemeKind::Close | LexemeKind::Stray, _) => continue,
        };
        let range = file.range(lexeme.span);
        if range.start.line != range.end.line {
            continue;
        }
        let position = range.start;
        let delta_line = position.line - line;
        data.push(SemanticToken {
            delta_line,
            delta_start: if delta_line == 0 {
                position.character - start
            } else {
                position.character
            },
            length: range.end.character - position.character,
            token_type: number(kind),
            token_modifiers_bitset: modifiers,
        });
        (line, start) = (position.line, position.character);
    }
    SemanticTokens {
        result_id: None,
        data,
    }
}

fn modifiers(mention: &Mention) -> u32 {
    match mention.role {
        Role::Declares => 1,
        Role::Defines => 2,
        Role::Changes => 4,
        Role::Sets | Role::Reads => 0,
    }
}
