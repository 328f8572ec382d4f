//! Standard output: text, tables, JSON.

use std::cell::Cell;
use std::io::{self, Write};

use anstream::AutoStream;
use comfy_table::{CellAlignment, ColumnConstraint, LineStyle, Table, TableStyle, Width};
use serde::Serialize;

pub use herbrand::tasks::numbers::{counted, fixed, grouped, return_name, reward, short, significant};

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

    /// Whether the run of this thread has printed JSON.
    static HAS_JSON: Cell<bool> = const { Cell::new(false) };
}

/// Begins a run. `outlasts_reader` says whether it continues after the reader of the output has left, to end with the status
/// of its answer. If not, writing then fails with [`BrokenPipe`](io::ErrorKind::BrokenPipe), which ends the run.
pub fn begin(outlasts_reader: bool) {
    OUTLASTS_READER.set(outlasts_reader);
    HAS_JSON.set(false);
}

/// Returns whether the run has printed JSON.
pub fn has_json() -> bool {
    HAS_JSON.get()
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
    HAS_JSON.set(true);
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
    let rows: Vec<_> = rows.into_iter().collect();
    let mut blocks = blocks(columns, &rows, width).into_iter();
    let mut notes = notes.into_iter();
    let mut out = out();
    let bold = anstyle::Style::new().bold();
    for line in blocks.next().into_iter().flatten() {
        writeln!(out, "{bold}{line}{bold:#}")?;
    }
    for block in blocks {
        for line in block {
            writeln!(out, "{line}")?;
        }
        if let Some(note) = notes.next() {
            for line in joined(note.split(' '), " ", width.unwrap_or(WIDTH).saturating_sub(4)) {
                writeln!(out, "    {line}")?;
            }
        }
    }
    out.flush()
}

/// The number of spaces between the columns of a table.
const GAP: usize = 2;

/// The most letters of a word that are kept together in a narrow column.
const WORD: usize = 12;

/// The space inside a number, at which no line is broken.
const UNBROKEN: &str = "\u{a0}";

/// The fill of the lines between the rows of a table, by which its text is split into rows.
const RULE: char = '─';

/// Lays out a table: returns the lines of the titles, and those of each row.
///
/// If the table is wider than `width`, titles and texts are broken between words, but numbers are not. If it is too wide
/// even so, each row becomes a list of titles and cells.
fn blocks(columns: &[(&str, bool)], rows: &[Vec<String>], width: Option<usize>) -> Vec<Vec<String>> {
    let length = |text: &str| text.chars().count();
    let longest_word = |text: &str| text.split(' ').map(length).max().unwrap_or(0);
    let widest = |column: usize, measure: &dyn Fn(&str) -> usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| measure(cell)).max().unwrap_or(0)
    };
    let whole = |(column, &(title, _)): (usize, &(&str, bool))| widest(column, &length).max(length(title));
    let word = |(column, &(title, _)): (usize, &(&str, bool))| {
        widest(column, &longest_word).max(longest_word(title))
    };
    let least = |(column, &(title, is_number)): (usize, &(&str, bool))| {
        if is_number {
            widest(column, &length).max(longest_word(title))
        } else {
            word((column, &(title, is_number))).min(WORD)
        }
    };
    let gaps = GAP * columns.len().saturating_sub(1);
    let width = width.filter(|&width| columns.iter().enumerate().map(whole).sum::<usize>() + gaps > width);
    if let Some(width) = width
        && columns.len() > 2
        && columns.iter().enumerate().map(least).sum::<usize>() + gaps > width
    {
        let list = |row: &Vec<String>| {
            let cells = columns.iter().zip(row).map(|(&(title, is_number), cell)| {
                let cell = if is_number {
                    cell.replace(' ', UNBROKEN)
                } else {
                    cell.clone()
                };
                vec![title.to_owned(), cell]
            });
            let lines = blocks(&[("", false); 2], &cells.collect::<Vec<_>>(), Some(width));
            let lines = lines.into_iter().skip(1).flatten();
            lines.map(|line| line.replace(UNBROKEN, " ")).collect()
        };
        return [Vec::new()].into_iter().chain(rows.iter().map(list)).collect();
    }
    let rule = LineStyle::none().fill(RULE);
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(rule).row_separator(rule));
    table
        .set_header(columns.iter().map(|&(title, _)| title))
        .add_rows(rows);
    let mut widths: Vec<usize> = columns.iter().enumerate().map(least).collect();
    let taken = gaps + widths.iter().sum::<usize>();
    let mut spare = width.map_or(0, |width| width.saturating_sub(taken));
    // Whole words come before whole texts and these before whole titles; the narrowest column comes first.
    let words: Vec<usize> = columns.iter().enumerate().map(word).collect();
    let texts = (0..columns.len()).map(|column| widest(column, &length)).collect();
    for wanted in [words, texts, columns.iter().enumerate().map(whole).collect()] {
        let narrowest = |widths: &[usize]| {
            let narrow = (0..widths.len()).filter(|&column| widths[column] < wanted[column]);
            narrow.min_by_key(|&column| widths[column])
        };
        while let (true, Some(column)) = (spare > 0, narrowest(&widths)) {
            widths[column] += 1;
            spare -= 1;
        }
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        let (gap, (_, is_number)) = (if index == 0 { 0 } else { GAP as u16 }, columns[index]);
        column.set_padding((gap, 0));
        if is_number {
            column.set_cell_alignment(CellAlignment::Right);
        }
        if width.is_some() {
            // Broken texts may be narrower.
            let most = widths[index];
            let broken = |text: &str| {
                let lines = joined(text.split(' '), " ", most);
                lines.iter().map(|line| length(line)).max().unwrap_or(0)
            };
            let broken = widest(index, &broken).max(broken(columns[index].0)).min(most);
            let broken = u16::try_from(broken).unwrap_or(u16::MAX - gap);
            column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(broken + gap)));
        }
    }
    let lines: Vec<_> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    let is_rule = |line: &String| !line.is_empty() && line.chars().all(|letter| letter == RULE);
    lines.split(is_rule).map(<[String]>::to_vec).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [(&str, bool); 4] = [
        ("planner", false),
        ("outcome", false),
        ("P(goal)", true),
        ("search seconds", true),
    ];

    fn rows() -> Vec<Vec<String>> {
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        vec![
            row(["policy-iteration", "policy, optimal", "1.0000", "0.012"]),
            row(["uct", "policy", "1.0000 ± 0.0000", "0.390"]),
        ]
    }

    #[test]
    fn a_table_is_aligned() {
        assert_eq!(
            blocks(&COLUMNS, &rows(), None).concat(),
            [
                "planner           outcome                  P(goal)  search seconds",
                "policy-iteration  policy, optimal           1.0000           0.012",
                "uct               policy           1.0000 ± 0.0000           0.390",
            ]
        );
        assert_eq!(
            blocks(&COLUMNS, &[], None).concat(),
            ["planner  outcome  P(goal)  search seconds"]
        );
    }

    #[test]
    fn titles_and_texts_of_a_narrow_table_are_broken_and_numbers_are_not() {
        assert_eq!(
            blocks(&COLUMNS, &rows(), Some(56)),
            [
                vec![
                    "planner           outcome          P(goal)   search",
                    "                                            seconds",
                ],
                vec![
                    "policy-iteration  policy,           1.0000    0.012",
                    "                  optimal",
                ],
                vec!["uct               policy   1.0000 ± 0.0000    0.390"],
            ]
        );
    }

    #[test]
    fn rows_of_a_table_that_is_too_wide_are_lists() {
        assert_eq!(
            blocks(&COLUMNS, &rows()[..1], Some(30)),
            [
                vec![],
                vec![
                    "planner  policy-iteration",
                    "outcome  policy, optimal",
                    "P(goal)  1.0000",
                    "search   0.012",
                    "seconds",
                ],
            ]
        );
    }

    #[test]
    fn every_table_fits_the_terminal() {
        for width in 24..90 {
            let blocks = blocks(&COLUMNS, &rows(), Some(width));
            assert_eq!(blocks.len(), 3, "{width}");
            for line in blocks.concat() {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
            let text = blocks.concat().join(" ");
            let mut whole = vec!["0.012", "1.0000 ± 0.0000", "0.390", "optimal"];
            // Only a word of more than twelve letters is broken, if the columns have no room for it.
            let is_broken = matches!(width, 24 | 47..=50);
            whole.extend((!is_broken).then_some("policy-iteration"));
            for part in whole {
                assert!(text.contains(part), "{width}: {part} in {text}");
            }
        }
    }
}
