//! Checks constants that fluents are set to.

use herbrand_text::{Span, nearest};

use super::lint;
use crate::diagnostic::{Code, Diagnostics};
use crate::model::{Domain, Range, Value};
use crate::syntax::ast::{Constant, ConstantKind, Word};

/// Converts `constant` to a value of `range`. `item` finds items by name and reports unknown items.
pub(super) fn value(
    constant: Constant<'_>,
    range: Range,
    domain: &Domain,
    faults: &mut Diagnostics,
    item: impl FnOnce(Word<'_>, &mut Diagnostics) -> Option<u32>,
) -> Option<Value> {
    let text = constant.word.text;
    let sign = if constant.negative { -1.0 } else { 1.0 };
    let value = match (constant.kind, range) {
        (ConstantKind::Bool(value), Range::Bool | Range::Int | Range::Real) => {
            if range != Range::Bool {
                lint::truth_as_number(constant.word, value, range, faults);
            }
            Value::Bool(value).widened(range)
        }
        (ConstantKind::Int, Range::Int) => {
            Value::Int(int(text, constant.negative, constant.word.span, faults)?)
        }
        (ConstantKind::Int, Range::Real) => Value::Real(sign * real(text, constant.word.span, faults)?),
        (ConstantKind::Real, Range::Real) => {
            lint::exponent(text, constant.word.span, faults);
            Value::Real(sign * real(text, constant.word.span, faults)?)
        }
        (ConstantKind::Infinity, Range::Real) => Value::Real(sign * f64::INFINITY),
        (ConstantKind::Item, Range::Item(_)) => Value::Item(item(constant.word, faults)?),
        _ => {
            mismatch(constant, range, domain, faults);
            return None;
        }
    };
    Some(value)
}

fn mismatch(constant: Constant<'_>, range: Range, domain: &Domain, faults: &mut Diagnostics) {
    let needed = domain.range_name(range);
    let what = match constant.kind {
        ConstantKind::Bool(_) => "a truth value",
        ConstantKind::Int => "an int",
        ConstantKind::Real => "a real",
        ConstantKind::Infinity => "infinite",
        ConstantKind::Item => "a name",
    };
    let truth = match constant.word.text {
        _ if range != Range::Bool => None,
        "1" => Some("true"),
        "0" => Some("false"),
        word => nearest(word, ["true", "false"]),
    };
    let int = (range == Range::Int)
        .then(|| whole(constant).map(|int| int.to_string()))
        .flatten();
    faults.report(
        Code::TypeMismatch,
        format!("the value is {what}, but the range is `{needed}`"),
        |d| {
            let d = d.primary(constant.word.span, format!("expected a value of `{needed}`"));
            match &int {
                Some(int) => d.write(int),
                None => d.suggest(truth),
            }
        },
    );
}

/// Returns the int that a real constant without a fraction is equal to.
pub(super) fn whole(constant: Constant<'_>) -> Option<i64> {
    let value = constant.word.text.parse::<f64>().ok()?;
    let is_whole = constant.kind == ConstantKind::Real && value.fract() == 0.0 && value <= MOST_WHOLE;
    let sign = if constant.negative { -1 } else { 1 };
    is_whole.then_some(sign * value as i64)
}

/// The greatest real up to which every int is a real.
const MOST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// Parses an int. Reports a fault if it is out of range.
pub(super) fn int(digits: &str, negative: bool, span: Span, faults: &mut Diagnostics) -> Option<i64> {
    let signed = digits
        .parse::<i128>()
        .ok()
        .map(|value| if negative { -value } else { value });
    let value = signed.and_then(|value| i64::try_from(value).ok());
    if value.is_none() {
        faults.report(
            Code::NumberOutOfRange,
            format!("`{digits}` does not fit in an int"),
            |d| {
                d.primary(span, "ints have 64 bits")
                    .help(format!("write `{digits}.0` for a real"))
            },
        );
    }
    value
}

/// Parses a real, rounded to the nearest double. Reports a fault if it is out of range.
pub(super) fn real(digits: &str, span: Span, faults: &mut Diagnostics) -> Option<f64> {
    let value = digits.parse::<f64>().ok().filter(|value| value.is_finite());
    if value.is_none() {
        faults.report(
            Code::NumberOutOfRange,
            format!("`{digits}` does not fit in a real"),
            |d| d.primary(span, "reals are doubles, up to about 1.8e308"),
        );
    }
    value
}
