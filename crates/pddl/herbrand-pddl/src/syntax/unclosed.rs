//! Finds the list of a section whose `)` is missing: a list that holds another one although it may not.

use super::lexer::{Kind, Token};
use super::names::Known;

/// The content that the lists of a section may hold.
#[derive(Clone, Copy)]
enum Content {
    /// A declaration holds only `(either …)`, behind a dash.
    Declarations,
    /// A fact holds no list. `=` and `not` hold one.
    Facts,
    /// An atom with arguments holds no list. `not` holds one.
    Formula,
}

/// Returns the positions of the `(` before which a `)` is missing, in order, once for each `)`. `section` is the position of
/// the section's `(`, and `count` parentheses are missing behind it. Empty if the lists of the section do not tell, or if the
/// section would then end too early.
pub(super) fn missing_closes(text: &str, tokens: &[Token], section: usize, count: usize) -> Vec<usize> {
    let keyword = tokens
        .get(section + 1)
        .map_or("", |token| &text[token.span.range()]);
    let is = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(keyword));
    let content = if is(&[":predicates", ":functions"]) {
        Content::Declarations
    } else if is(&[":init"]) {
        Content::Facts
    } else if is(&[":goal"]) {
        Content::Formula
    } else {
        return Vec::new();
    };
    let (mut open, mut places) = (Vec::new(), Vec::new());
    for (position, token) in tokens.iter().enumerate().skip(section) {
        match token.kind {
            Kind::Close => {
                open.pop();
            }
            _ if open.is_empty() && position > section => return Vec::new(),
            Kind::Open => {
                while places.len() < count
                    && open.len() > 1
                    && let Some(&list) = open.last()
                    && ends_before(tokens, list, position, content)
                {
                    open.pop();
                    places.push(position);
                }
                open.push(position);
            }
            _ => {}
        }
    }
    places
}

/// Returns whether the list at the position `list` must end before the list at the position `next`.
fn ends_before(tokens: &[Token], list: usize, next: usize, content: Content) -> bool {
    let (Some(head), Some(first)) = (tokens.get(list + 1), tokens.get(next + 1)) else {
        return false;
    };
    let before = tokens[next - 1].kind;
    let begins =
        first.kind == Kind::Name || (first.kind == Kind::Operator && first.symbol() == Known::Equal.symbol());
    if !begins || !matches!(head.kind, Kind::Name | Kind::Operator) {
        return false;
    }
    let has_operand = next > list + 2;
    match (content, Known::of(head.symbol())) {
        (Content::Declarations, _) => before != Kind::Dash && first.symbol() != Known::Either.symbol(),
        (Content::Facts, Some(Known::Not | Known::Equal)) => has_operand,
        (Content::Facts, Some(Known::Probabilistic)) => before != Kind::Number,
        (Content::Facts, None) => true,
        (Content::Formula, Some(Known::Not) | None) => has_operand,
        // `(at 5 (p))` is a timed fact.
        (Content::Facts | Content::Formula, Some(Known::At)) => {
            has_operand && tokens[list + 2].kind != Kind::Number
        }
        _ => false,
    }
}

/// Returns whether the list at the position `list` is a declaration or an atom, rather than a list with operands.
pub(super) fn is_plain(tokens: &[Token], list: usize) -> bool {
    tokens
        .get(list + 1)
        .is_some_and(|head| !Known::of(head.symbol()).is_some_and(Known::is_reserved))
}
