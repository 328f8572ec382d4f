//! Standard output: text, tables, JSON.

use std::io::{self, Write};

use anstream::AutoStream;
use comfy_table::{Cell, CellAlignment, Table, presets};
use herbrand::core::NonFinite;
use serde::Serialize;

/// The output format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Format {
    /// Readable text
    #[default]
    Text,
    /// One JSON value, for programs
    Json,
}

/// Returns standard output, locked and buffered. Colours are dropped if it is not a terminal.
pub fn out() -> impl Write {
    io::BufWriter::new(AutoStream::auto(io::stdout().lock()))
}

/// Prints `value` to standard output as indented JSON.
///
/// # Errors
/// Fails if standard output cannot be written.
pub fn json(value: &impl Serialize) -> io::Result<()> {
    let mut out = out();
    serde_json::to_writer_pretty(&mut out, value)?;
    writeln!(out)?;
    out.flush()
}

/// Prints a table to standard output. Columns are given by title; columns of numbers (`true`) are aligned right, others
/// left.
///
/// # Errors
/// Fails if standard output cannot be written.
pub fn table(columns: &[(&str, bool)], rows: impl IntoIterator<Item = Vec<String>>) -> io::Result<()> {
    table_with_notes(columns, rows, [])
}

/// Like [`table`], with a line of `notes` below each row, as long as there are notes.
///
/// # Errors
/// Fails if standard output cannot be written.
pub fn table_with_notes(
    columns: &[(&str, bool)],
    rows: impl IntoIterator<Item = Vec<String>>,
    notes: impl IntoIterator<Item = String>,
) -> io::Result<()> {
    let mut notes = notes.into_iter().peekable();
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(columns.iter().map(|&(name, _)| Cell::new(name)));
    for row in rows {
        table.add_row(row);
    }
    for (column, &(_, number)) in table.column_iter_mut().zip(columns) {
        column.set_padding((0, 2));
        if number {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut out = out();
    for (index, line) in table.lines().enumerate() {
        let line = line.trim_end();
        let style = anstyle::Style::new();
        let style = if index == 0 { style.bold() } else { style };
        writeln!(out, "{style}{line}{style:#}")?;
        if let Some(note) = notes.next_if(|_| index > 0) {
            writeln!(out, "{note}")?;
        }
    }
    out.flush()
}

/// Joins the parts with `between`, and breaks the text into lines of at most 118 columns.
#[must_use]
pub fn filled<'p>(parts: impl IntoIterator<Item = &'p str>, between: &str) -> Vec<String> {
    const WIDTH: usize = 118;
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        let length = |text: &str| text.chars().count();
        match lines.last_mut() {
            Some(line) if length(line) + length(between) + length(part) <= WIDTH => {
                *line += between;
                *line += part;
            }
            Some(line) => {
                *line += between.trim_end();
                lines.push(part.to_owned());
            }
            None => lines.push(part.to_owned()),
        }
    }
    lines
}

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
    format!("{value:.digits$}")
}

/// Formats a reward or a return for reading: with at most four digits after the point, or as `NaN`, `∞` or `-∞`.
#[must_use]
pub fn reward(value: f64) -> String {
    let text = fixed(value, 4);
    match text.split_once('.') {
        Some(("-0", digits)) if digits.trim_end_matches('0').is_empty() => "0".to_owned(),
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
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands fields over by reference"
)]
pub fn non_finite_as_text<S: serde::Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match *value {
        value if value.is_nan() => serializer.serialize_str("nan"),
        f64::INFINITY => serializer.serialize_str("inf"),
        f64::NEG_INFINITY => serializer.serialize_str("-inf"),
        value => serializer.serialize_f64(value),
    }
}

/// The number of episodes whose return is infinite or NaN, with the first such value of the first such episode.
#[derive(Serialize)]
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
    /// Creates the report of these episodes, the first of which is of `problem`.
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
