//! Warnings about text that probably means something other than intended.

use herbrand_distributions::ParameterError;
use herbrand_text::Span;

use crate::diagnostic::{Code, Diagnostics};
use crate::model::{Comparison, Range, Unary};
use crate::syntax::ast::{Expression, Infix, Link, Node, Word};

/// Warns about a number for which a distribution is not defined.
pub(super) fn parameter(span: Span, error: ParameterError, faults: &mut Diagnostics) {
    faults.report(Code::ParameterOutOfRange, error.to_string(), |d| {
        d.primary(span, format!("must be {}", error.fault))
            .help("steps that draw from it fail")
    });
}

/// Warns about an exponent as in `1.5e3`, which other programs do not accept.
pub(super) fn exponent(text: &str, span: Span, faults: &mut Diagnostics) {
    if text.contains(['e', 'E']) {
        faults.report(
            Code::ScientificNotation,
            format!("`{text}` has an exponent"),
            |d| {
                d.primary(span, "not in the original language")
                    .help(match text.parse::<f64>() {
                        Ok(value) if value.abs() < 1e21 => {
                            format!("write `{value:?}`, which other programs read too")
                        }
                        _ => "write it without an exponent, for other programs".to_owned(),
                    })
            },
        );
    }
}

/// Warns about a bool as the value of a fluent with numbers.
pub(super) fn truth_as_number(word: Word<'_>, value: bool, range: Range, faults: &mut Diagnostics) {
    let (name, point) = match range {
        Range::Real => ("real", ".0"),
        _ => ("int", ""),
    };
    let number = format!("{}{point}", u8::from(value));
    faults.report(
        Code::TruthAsNumber,
        format!("the value is a bool, but the range is `{name}`"),
        |d| d.primary(word.span, format!("read as {number}")).write(&number),
    );
}

/// Warns about `a < b < c`, which compares the truth value of `a < b` with `c`.
pub(super) fn chained_comparison(left: &Expression<'_>, operator: Comparison, faults: &mut Diagnostics) {
    if let Node::Infix(_, rest) = &left.node
        && !left.bracketed
        && let [
            Link {
                operator: Infix::Compare(first),
                operand,
                ..
            },
        ] = rest.as_slice()
    {
        faults.report(
            Code::ChainedComparison,
            format!("`{operator}` compares the truth value of a comparison"),
            |d| {
                d.primary(left.span, format!("`{first}` gives a bool, which counts as 0 or 1"))
                    .label(operand.span, "compared once only, with the operand before it")
                    .help(format!(
                        "write `a {first} b ^ b {operator} c` for two comparisons, or put brackets around the first"
                    ))
            },
        );
    }
}

/// Warns about an enum value without `@`.
pub(super) fn bare_value(word: Word<'_>, faults: &mut Diagnostics) {
    faults.report(
        Code::BareValue,
        format!("the enum value `{}` has no `@`", word.text),
        |d| {
            d.primary(word.span, "read as a value of an enum")
                .write(&format!("@{}", word.text))
        },
    );
}

/// Warns about `sum_{?x : t} [a] + b`, where `+ b` is part of the sum.
pub(super) fn greedy_body(what: &str, body: &Expression<'_>, faults: &mut Diagnostics) {
    if let Some(rest) = greedy_rest(what, body) {
        faults.report(
            Code::GreedyBody,
            format!("the body of `{what}` does not end with its brackets"),
            |d| {
                d.primary(rest, "this is a part of the body too")
                    .label(leftmost(body).span, "the body begins here")
                    .help(format!(
                        "put brackets around the whole body, or around `{what}` with its body"
                    ))
            },
        );
    }
}

/// Returns the part of the body of `what` that is probably not meant to be in the body; `None` if there is none.
pub(super) fn greedy_rest(what: &str, body: &Expression<'_>) -> Option<Span> {
    let Node::Infix(_, rest) = &body.node else {
        return None;
    };
    let Link { operator, sign, .. } = rest.last().filter(|_| !body.bracketed)?;
    let is_suspect = leftmost(body).bracketed
        || (matches!(operator, Infix::Compare(_) | Infix::Connect(_)) && is_arithmetic(what));
    is_suspect.then(|| sign.to(body.span))
}

fn is_arithmetic(what: &str) -> bool {
    matches!(what, "sum" | "prod" | "avg")
}

fn leftmost<'e, 's>(expression: &'e Expression<'s>) -> &'e Expression<'s> {
    match &expression.node {
        Node::Infix(first, _) if !expression.bracketed => leftmost(first),
        _ => expression,
    }
}

/// Warns about `~a == b`, which means `(~a) == b`.
pub(super) fn tight_not(left: &Expression<'_>, operator: Comparison, faults: &mut Diagnostics) {
    if let Node::Prefix(Unary::Not, operand) = &left.node
        && !left.bracketed
        && !operand.bracketed
    {
        faults.report(
            Code::TightNot,
            format!("`~` applies only to the operand before `{operator}`"),
            |d| {
                d.primary(left.span, "this whole operand is compared")
                    .help("put brackets around the intended operand")
            },
        );
    }
}

/// Warns about a declared name such as `x-1`, or `a-b` if `a` and `b` are declared too.
pub(super) fn difference(name: Word<'_>, is_declared: impl Fn(&str) -> bool, faults: &mut Diagnostics) {
    let is_operand =
        |text: &str| is_declared(text) || (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()));
    let dashes = name.text.match_indices('-');
    let mut splits = dashes.map(|(at, _)| (&name.text[..at], &name.text[at + 1..]));
    if let Some((left, right)) = splits.find(|(left, right)| is_declared(left) && is_operand(right)) {
        faults.report(
            Code::DifferenceName,
            format!("`{}` is one name, not `{left}` minus `{right}`", name.text),
            |d| {
                d.primary(name.span, "a `-` between letters or digits is a part of the name")
                    .help("choose a name without `-`")
            },
        );
    }
}
