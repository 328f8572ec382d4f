//! Numbers as text for people, and as JSON.

use herbrand_core::NonFinite;
use serde::Serialize;

/// Formats a number with three digits and a unit: `12.3k`, `4.56M`.
#[must_use]
pub fn short(value: f64) -> String {
    let units = [(1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, "")];
    let (unit, letter) = units
        .into_iter()
        .find(|&(unit, _)| value >= unit)
        .unwrap_or((1.0, ""));
    let scaled = value / unit;
    let digits = if scaled >= 100.0 {
        0
    } else if scaled >= 10.0 {
        1
    } else {
        2
    };
    format!("{scaled:.digits$}{letter}")
}

/// Formats a number with this many digits after the point, or as `NaN`, `∞` or `-∞`.
#[must_use]
pub fn fixed(value: f64, digits: usize) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "-∞" }.to_owned();
    }
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        // A small negative number rounds to 0.
        Some(size) if size.bytes().all(|byte| matches!(byte, b'0' | b'.')) => size.to_owned(),
        _ => text,
    }
}

/// Formats a number for reading with at most twelve significant digits, so that the rounding errors of sums do not show.
#[must_use]
pub fn significant(value: f64) -> String {
    let rounded: f64 = format!("{value:.11e}").parse().unwrap_or(value);
    // The sum turns -0 into 0.
    (rounded + 0.0).to_string()
}

/// Formats a reward or a return for reading: with at most four digits after the point, or as `NaN`, `∞` or `-∞`.
#[must_use]
pub fn reward(value: f64) -> String {
    let text = fixed(value, 4);
    match text.split_once('.') {
        Some(_) => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        None => text,
    }
}

/// Returns the name of the sum of the rewards of an episode with this discount.
#[must_use]
pub fn return_name(discount: f64) -> &'static str {
    if discount == 1.0 {
        "return"
    } else {
        "discounted return"
    }
}

/// Serializes a number, or `"nan"`, `"inf"` or `"-inf"`, because JSON has no such numbers. Traces of RDDL use the same
/// texts.
///
/// # Errors
/// Fails if the serializer fails.
pub fn non_finite_as_text<S: serde::Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match *value {
        value if value.is_nan() => serializer.serialize_str("nan"),
        f64::INFINITY => serializer.serialize_str("inf"),
        f64::NEG_INFINITY => serializer.serialize_str("-inf"),
        value => serializer.serialize_f64(value),
    }
}

/// The number of episodes whose return is infinite or NaN, with the first such value of the first such episode.
#[derive(Clone, Debug, Serialize)]
pub struct NonFiniteReturns {
    episodes: u64,
    first_episode: u64,
    problem: String,
    /// From 1; 0 for the initial state.
    step: u32,
    /// A ground fluent, `reward`, `return` or `discounted return`.
    fluent: String,
    #[serde(serialize_with = "non_finite_as_text")]
    value: f64,
    #[serde(skip)]
    text: String,
}

impl NonFiniteReturns {
    /// Creates the report of these episodes, where `problem` is the problem of the first one.
    pub fn of(problem: String, non_finite: &NonFinite) -> Self {
        let first = &non_finite.first;
        Self {
            episodes: non_finite.episodes,
            first_episode: first.episode,
            problem,
            step: first.step,
            fluent: first.name.clone(),
            value: first.value,
            text: first.to_string(),
        }
    }

    /// Returns a sentence about the episodes for a report of `episodes` episodes in total.
    pub fn sentence(&self, episodes: u64) -> String {
        format!(
            "the return of {} of {} is infinite or NaN: {} (problem {})",
            grouped(self.episodes),
            counted(episodes, "episode"),
            self.text,
            self.problem,
        )
    }
}

/// Formats a number with commas between groups of three digits.
#[must_use]
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number of things: `1 trace`, `2,000 traces`.
#[must_use]
pub fn counted(count: u64, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", grouped(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        for (value, text) in [
            (0.0, "0.00"),
            (5.0, "5.00"),
            (999.0, "999"),
            (12_345.0, "12.3k"),
            (4.5e7, "45.0M"),
        ] {
            assert_eq!(short(value), text);
        }
        for (value, text) in [(1.5, "1.500"), (f64::NEG_INFINITY, "-∞"), (f64::NAN, "NaN")] {
            assert_eq!(fixed(value, 3), text);
        }
        for (value, text) in [
            (-0.1 - 0.2, "-0.3"),
            (5.0, "5"),
            (-0.00001, "0"),
            (120.0, "120"),
            (f64::INFINITY, "∞"),
        ] {
            assert_eq!(reward(value), text);
        }
        for (value, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(value), text);
        }
    }
}
