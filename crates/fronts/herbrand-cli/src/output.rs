//! Standard output: text, tables, JSON.

use std::cell::Cell;
use std::io::{self, Write};

use anstream::AutoStream;
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

thread_local! {
    /// Whether the run of this thread continues after the reader of the output has left.
    static OUTLASTS_READER: Cell<bool> = const { Cell::new(false) };
}

/// Sets whether this run continues after the reader of the output has left, to end with the status of its answer. If not,
/// writing then fails with [`BrokenPipe`](io::ErrorKind::BrokenPipe), which ends the run.
pub fn set_outlasts_reader(outlasts: bool) {
    OUTLASTS_READER.set(outlasts);
}

/// Standard output that may drop bytes after its reader has left.
struct Out<W>(W);

impl<W: Write> Out<W> {
    /// Returns the result of writing, or `dropped` if the reader has left and the run continues.
    fn or_dropped<T>(result: io::Result<T>, dropped: T) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe && OUTLASTS_READER.get() => Ok(dropped),
            result => result,
        }
    }
}

impl<W: Write> Write for Out<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Self::or_dropped(self.0.write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Self::or_dropped(self.0.flush(), ())
    }
}

/// Returns standard output, locked and buffered. Colours are dropped if it is not a terminal.
pub fn out() -> impl Write {
    io::BufWriter::new(Out(AutoStream::auto(io::stdout().lock())))
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

/// The width of lines if the terminal is not narrower.
const WIDTH: usize = 118;

/// Returns the number of columns for lines and tables: `COLUMNS`, or the width of the terminal; `None` if the output is not a
/// terminal.
fn columns() -> Option<usize> {
    let told = std::env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok());
    told.or_else(|| Some(terminal_size::terminal_size_of(io::stdout())?.0.0.into()))
        .filter(|&columns| columns > 0)
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
    let width = self::columns();
    let mut notes = notes.into_iter();
    let table = Table::new(columns, rows.into_iter().collect(), width);
    let mut out = out();
    let bold = anstyle::Style::new().bold();
    for line in &table.title {
        writeln!(out, "{bold}{line}{bold:#}")?;
    }
    for lines in &table.rows {
        for line in lines {
            writeln!(out, "{line}")?;
        }
        for line in notes
            .next()
            .iter()
            .flat_map(|note| wrapped(note, width.unwrap_or(WIDTH).saturating_sub(4)))
        {
            writeln!(out, "    {line}")?;
        }
    }
    out.flush()
}

/// The lines of a table: of the titles, and of each row.
struct Table {
    title: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Lays out a table. If it is wider than `width`, titles wider than their cells are broken between words, and so is the
    /// text of the last column if it has room, and then that of the widest columns. A single row that is still wider becomes
    /// a list, and several rows become paragraphs.
    fn new(columns: &[(&str, bool)], rows: Vec<Vec<String>>, width: Option<usize>) -> Self {
        let mut title: Vec<_> = columns.iter().map(|&(text, _)| vec![text.to_owned()]).collect();
        let mut rows: Vec<Vec<Vec<String>>> = rows
            .into_iter()
            .map(|row| row.into_iter().map(|cell| vec![cell]).collect())
            .collect();
        let mut widths = Self::widths(&title, &rows);
        let total = |widths: &[usize]| widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
        let width = width.unwrap_or(usize::MAX);
        if total(&widths) > width {
            let cells = Self::widths(&vec![Vec::new(); columns.len()], &rows);
            for ((lines, &(text, _)), cell) in title.iter_mut().zip(columns).zip(cells) {
                *lines = wrapped(text, cell);
            }
            widths = Self::widths(&title, &rows);
        }
        if let ([others @ .., last], [.., (text, false)]) = (&widths[..], columns)
            && total(&widths) > width
            && width.saturating_sub(total(others) + GAP) >= ROOM
        {
            let room = width.saturating_sub(total(others) + GAP).clamp(1, *last);
            if let Some(lines) = title.last_mut() {
                *lines = wrapped(text, room);
            }
            for cell in rows.iter_mut().filter_map(|row| row.last_mut()) {
                *cell = cell.iter().flat_map(|text| wrapped(text, room)).collect();
            }
            widths = Self::widths(&title, &rows);
        }
        if total(&widths) > width
            && rows.len() > 1
            && let Some(rooms) = Self::narrowed(&title, &rows, width, false)
                .or_else(|| Self::narrowed(&title, &rows, width, true))
        {
            for row in rows.iter_mut().chain([&mut title]) {
                for (cell, &room) in row.iter_mut().zip(&rooms) {
                    *cell = cell.iter().flat_map(|text| broken(text, room)).collect();
                }
            }
            widths = Self::widths(&title, &rows);
        }
        if total(&widths) > width {
            return match &rows[..] {
                [row] => Self::list(columns, row),
                rows => Self {
                    title: Vec::new(),
                    rows: rows
                        .iter()
                        .map(|row| Self::paragraph(columns, row, width))
                        .collect(),
                },
            };
        }
        let lines = |cells: &[Vec<String>]| Self::lines(cells, columns, &widths);
        Self {
            title: lines(&title),
            rows: rows.iter().map(|row| lines(row)).collect(),
        }
    }

    /// Returns widths for the columns with which the table fits, such that the texts of the widest columns are
    /// [`broken`], behind `hyphens` too; `None` if it does not fit, or if a cell but the last gets more than [`HIGHEST`] lines.
    fn narrowed(
        title: &[Vec<String>],
        rows: &[Vec<Vec<String>>],
        width: usize,
        hyphens: bool,
    ) -> Option<Vec<usize>> {
        let part = |word: &str| -> Vec<String> {
            if hyphens {
                word.split_inclusive('-').map(str::to_owned).collect()
            } else {
                vec![word.to_owned()]
            }
        };
        let parts = |cells: &Vec<Vec<String>>| {
            let parts = |cell: &Vec<String>| {
                let words = cell.iter().flat_map(|line| words(line));
                words.flat_map(part).collect()
            };
            cells.iter().map(parts).collect::<Vec<_>>()
        };
        let least = Self::widths(
            &parts(&title.to_vec()),
            &rows.iter().map(parts).collect::<Vec<_>>(),
        );
        let mut widths = Self::widths(title, rows);
        let gaps = GAP * widths.len().saturating_sub(1);
        while widths.iter().sum::<usize>() + gaps > width {
            let breakable = (0..widths.len()).filter(|&column| widths[column] > least[column]);
            let widest = breakable.max_by_key(|&column| widths[column])?;
            widths[widest] -= 1;
        }
        let is_low = |row: &Vec<Vec<String>>| {
            let mut cells = row.iter().zip(&widths).rev().skip(1);
            cells.all(|(cell, &room)| {
                cell.iter().map(|text| broken(text, room).len()).sum::<usize>() <= HIGHEST
            })
        };
        rows.iter().all(is_low).then_some(widths)
    }

    /// Lays out a row as a list, with a line per column.
    fn list(columns: &[(&str, bool)], row: &[Vec<String>]) -> Self {
        let titles = columns.iter().map(|&(title, _)| title);
        let width = titles
            .clone()
            .map(|title| title.chars().count())
            .max()
            .unwrap_or(0)
            + GAP;
        let lines = titles
            .zip(row)
            .map(|(title, cell)| format!("{title:<width$}{}", cell.join(" ")));
        Self {
            title: Vec::new(),
            rows: vec![lines.collect()],
        }
    }

    /// Lays out a row as a line with its first cell, and indented lines with the titles and texts of the others.
    fn paragraph(columns: &[(&str, bool)], row: &[Vec<String>], width: usize) -> Vec<String> {
        let mut cells = columns
            .iter()
            .zip(row)
            .map(|((title, is_number), cell)| (*title, *is_number, cell.join(" ")));
        let first = cells.next().map(|(title, is_number, text)| {
            if is_number {
                format!("{title} {text}")
            } else {
                text
            }
        });
        let others: Vec<String> = cells.map(|(title, _, text)| format!("{title} {text}")).collect();
        let parts: Vec<&str> = others.iter().map(String::as_str).collect();
        let room = width.saturating_sub(4);
        let lines = joined(parts, ", ", room)
            .into_iter()
            .flat_map(|line| wrapped(&line, room));
        first
            .into_iter()
            .chain(lines.map(|line| format!("    {line}")))
            .collect()
    }

    /// Returns the width of each column.
    fn widths(title: &[Vec<String>], rows: &[Vec<Vec<String>>]) -> Vec<usize> {
        let width = |column: usize| {
            let cells = rows
                .iter()
                .filter_map(|row| row.get(column))
                .chain(title.get(column));
            cells
                .flatten()
                .map(|line| line.chars().count())
                .max()
                .unwrap_or(0)
        };
        (0..title.len()).map(width).collect()
    }

    /// Returns the lines of a row of cells.
    fn lines(cells: &[Vec<String>], columns: &[(&str, bool)], widths: &[usize]) -> Vec<String> {
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        let line = |index: usize| {
            let mut line = String::new();
            for (place, (cell, (&(_, number), &width))) in
                cells.iter().zip(columns.iter().zip(widths)).enumerate()
            {
                let text = cell.get(index).map_or("", String::as_str);
                let gap = if place > 0 { GAP } else { 0 };
                line += &" ".repeat(gap);
                line += &if number {
                    format!("{text:>width$}")
                } else {
                    format!("{text:<width$}")
                };
            }
            line.trim_end().to_owned()
        };
        (0..height).map(line).collect()
    }
}

/// The least width of a last column whose text is broken between words.
const ROOM: usize = 16;

/// The most lines of a cell, except in the last column.
const HIGHEST: usize = 3;

/// The number of spaces between the columns of a table.
const GAP: usize = 2;

/// Breaks a text between words, in lines of at most `width` columns if its words fit.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    joined(words(text), " ", width)
}

/// Breaks a text between words, and words that are too long behind hyphens.
fn broken(text: &str, width: usize) -> Vec<String> {
    let lines = wrapped(text, width).into_iter();
    let split = lines.flat_map(|line| match line.chars().count() {
        length if length > width => joined(line.split_inclusive('-'), "", width),
        _ => vec![line],
    });
    split.collect()
}

/// Returns the words of a text. A sign ± belongs to the number behind it.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let (mut start, mut rest) = (0, 0);
    while let Some(at) = text[rest..].find(' ') {
        let word = &text[start..rest + at];
        rest += at + 1;
        if word != "±" {
            words.push(word);
            start = rest;
        }
    }
    words.push(&text[start..]);
    words
}

/// Joins parts with `between`, in lines that fit the terminal and have at most 118 columns.
#[must_use]
pub fn filled<'p>(parts: impl IntoIterator<Item = &'p str>, between: &str) -> Vec<String> {
    joined(parts, between, columns().unwrap_or(WIDTH).min(WIDTH))
}

/// Joins parts with `between`, in lines of at most `width` columns if each part fits.
fn joined<'p>(parts: impl IntoIterator<Item = &'p str>, between: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        let length = |text: &str| text.chars().count();
        match lines.last_mut() {
            Some(line) if length(line) + length(between) + length(part) <= width => {
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
    fn a_table_fits_the_terminal() {
        let columns = [
            ("domain", false),
            ("valid actions", true),
            ("beyond typed STRIPS", false),
        ];
        let rows = || {
            vec![vec![
                "sokoban".to_owned(),
                "2.94".to_owned(),
                "negative-preconditions typing".to_owned(),
            ]]
        };
        let wide = Table::new(&columns, rows(), None);
        assert_eq!(wide.title, ["domain   valid actions  beyond typed STRIPS"]);
        assert_eq!(
            wide.rows,
            [["sokoban           2.94  negative-preconditions typing"]]
        );
        let narrow = Table::new(&columns, rows(), Some(40));
        assert_eq!(
            narrow.title,
            ["domain     valid  beyond typed STRIPS", "         actions"]
        );
        assert_eq!(
            narrow.rows,
            [[
                "sokoban     2.94  negative-preconditions",
                "                  typing"
            ]]
        );
    }

    #[test]
    fn the_widest_columns_are_broken_between_words() {
        let columns = [
            ("planner", false),
            ("outcome", false),
            ("P(goal)", true),
            ("seconds", true),
        ];
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        let rows = vec![
            row(["policy-iteration", "policy, optimal", "1.0000", "0.012"]),
            row(["uct", "policy", "1.0000 ± 0.0000", "0.390"]),
        ];
        let narrow = Table::new(&columns, rows.clone(), Some(46));
        assert_eq!(narrow.title, ["planner           outcome   P(goal)  seconds"]);
        assert_eq!(
            narrow.rows,
            [
                vec![
                    "policy-iteration  policy,    1.0000    0.012",
                    "                  optimal"
                ],
                vec![
                    "uct               policy     1.0000    0.390",
                    "                           ± 0.0000"
                ],
            ]
        );
        let narrower = Table::new(&columns, rows.clone(), Some(38));
        assert_eq!(narrower.rows[0][1], "iteration  optimal");
        for width in 37..80 {
            let table = Table::new(&columns, rows.clone(), Some(width));
            let mut lines = table.title.iter().chain(table.rows.iter().flatten());
            assert!(lines.all(|line| line.chars().count() <= width), "{width}");
        }
    }

    #[test]
    fn rows_that_are_too_wide_are_lists_or_paragraphs() {
        let columns = [("domain", false), ("valid actions", true), ("±", true)];
        let row = || vec!["inventory".to_owned(), "873.27".to_owned(), "51.669".to_owned()];
        let list = Table::new(&columns, vec![row()], Some(20));
        assert!(list.title.is_empty());
        assert_eq!(
            list.rows,
            [[
                "domain         inventory",
                "valid actions  873.27",
                "±              51.669"
            ]]
        );
        let rows = Table::new(&columns, vec![row(), row()], Some(25));
        assert!(rows.title.is_empty() && rows.rows.len() == 2);
        assert_eq!(
            rows.rows[1],
            ["inventory", "    valid actions 873.27,", "    ± 51.669"]
        );
    }

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
