//! The results as tables for a terminal, and as a Markdown page.

use std::io::Write;

use super::{Beside, Figure, Row, paper};
use crate::failure::Failure;
use crate::output::{self, short};

const COLUMNS: [(&str, bool); 8] = [
    ("domain", false),
    ("beyond typed STRIPS", false),
    ("problems", true),
    ("objects", true),
    ("atoms", true),
    ("actions", true),
    ("first step", true),
    ("steps/s", true),
];

const PEER_COLUMNS: [(&str, bool); 4] = [
    ("on PDDLGym's files", false),
    ("Herbrand steps/s", true),
    ("PDDLGym steps/s", true),
    ("ratio", true),
];

/// The results of a benchmark as a table: its rows and its columns.
pub struct Table<'a> {
    pub rows: &'a [Row],
    /// The title of the column of --figures; `None` without --figures.
    pub figures: Option<&'a str>,
    /// Whether PDDLGym was measured, with --peer.
    pub peer: bool,
}

/// A column of published figures.
struct Column<'t> {
    name: &'t str,
    /// How the figures were measured, if that is known.
    protocol: Option<&'static str>,
    figure: fn(&Row) -> Option<&Figure>,
}

impl Table<'_> {
    /// Prints the results as tables for a terminal.
    pub fn text(&self) -> Result<(), Failure> {
        output::table(&self.columns(), self.cells())?;
        for summary in self.summaries() {
            line(&summary)?;
        }
        if self.peer {
            line("")?;
            output::table(&PEER_COLUMNS, self.peer_cells())?;
            line(&self.peer_summary())?;
        }
        Ok(())
    }

    /// Prints the results as a page of Markdown.
    pub fn markdown(&self) -> Result<(), Failure> {
        let mut out = output::out();
        let flag = if self.peer { " --peer" } else { "" };
        let figures = self.figures.map_or("", |_| " --figures FILE");
        writeln!(
            out,
            "# The bundled domains\n\n[`gallery.md`](gallery.md) has a picture of each.\n\nMade by `herbrand bench{flag}{figures} --markdown`: a random policy over valid actions, in episodes \
             of 10 steps over all\nproblems in turn, on one thread; the fastest of five rounds. Objects, atoms of an observation and \
             agent actions are ranges\nfrom the smallest to the largest problem.\n\
             The first step is the mean time from a problem's files to its first step.\n"
        )?;
        write_table(&mut out, &self.columns(), self.cells())?;
        for summary in self.summaries() {
            writeln!(out, "\n{summary}")?;
        }
        if self.peer {
            writeln!(
                out,
                "\n## Compared with PDDLGym\n\nBoth run on PDDLGym's own files of the same domains, in the same run. PDDLGym 0.0.7 draws valid \
                 actions\n(`dynamic_action_space=True`) for 100 episodes of 10 steps, timed in CPU seconds without resets; on slow \
                 domains it stops\nearlier. `pddlgym_walk.py`, which `bench` runs, has the details.\n"
            )?;
            write_table(&mut out, &PEER_COLUMNS, self.peer_cells())?;
            writeln!(out, "\n{}", self.peer_summary())?;
        }
        Ok(out.flush()?)
    }

    /// Returns the titles of the columns, each with `true` if its cells are numbers.
    pub fn columns(&self) -> Vec<(&str, bool)> {
        let elsewhere = self.elsewhere().into_iter().flat_map(|column| {
            let name = column.name;
            [(name, true), ("ratio", true)]
        });
        COLUMNS.into_iter().chain(elsewhere).collect()
    }

    /// Returns the text of the cells of each row.
    pub fn cells(&self) -> impl Iterator<Item = Vec<String>> {
        self.rows.iter().map(|row| {
            let figures = self.elsewhere().into_iter();
            let figures = figures.flat_map(|column| figure_cells((column.figure)(row)));
            cells(row).into_iter().chain(figures).collect()
        })
    }

    /// Returns the published figures that have a column: those of the paper if it covers any of these domains, and those of
    /// a file.
    fn elsewhere(&self) -> Vec<Column<'_>> {
        let has_paper = self.rows.iter().any(|row| row.paper.is_some());
        let paper = has_paper.then_some(Column {
            name: paper::NAME,
            protocol: Some(paper::PROTOCOL),
            figure: |row| row.paper.as_ref(),
        });
        let file = self.figures.map(|name| Column {
            name,
            protocol: None,
            figure: |row| row.figure.as_ref(),
        });
        paper.into_iter().chain(file).collect()
    }

    /// Returns lines below the table: the protocols of the published figures, and the mean ratios to them.
    pub fn summaries(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for column in self.elsewhere() {
            let ratios = self
                .rows
                .iter()
                .filter_map(|row| Some((column.figure)(row)?.ratio));
            let summary = summary(column.name, &ratios.collect::<Vec<_>>());
            lines.extend(column.protocol.map(str::to_owned));
            lines.push(
                summary.unwrap_or_else(|| format!("{} has no figures for these domains.", column.name)),
            );
        }
        lines
    }

    /// Returns each domain on which PDDLGym was measured too, with both results.
    fn beside(&self) -> impl Iterator<Item = (&str, &Beside)> {
        self.rows
            .iter()
            .filter_map(|row| Some((row.domain.as_str(), row.peer.as_ref()?)))
    }

    fn peer_cells(&self) -> impl Iterator<Item = Vec<String>> {
        self.beside().map(|(name, beside)| peer_cells(name, beside))
    }

    fn peer_summary(&self) -> String {
        let ratios = self.beside().filter_map(|(_, beside)| beside.ratio);
        summary("PDDLGym", &ratios.collect::<Vec<_>>()).unwrap_or_else(|| "PDDLGym took no steps.".to_owned())
    }
}

fn line(text: &str) -> std::io::Result<()> {
    let mut out = output::out();
    writeln!(out, "{text}")?;
    out.flush()
}

fn write_table(
    out: &mut impl Write,
    columns: &[(&str, bool)],
    rows: impl Iterator<Item = Vec<String>>,
) -> std::io::Result<()> {
    let names = columns.iter().map(|&(name, _)| name).collect::<Vec<_>>();
    writeln!(out, "| {} |", names.join(" | "))?;
    let rules = columns
        .iter()
        .map(|&(_, number)| if number { "---:" } else { "---" });
    writeln!(out, "|{}|", rules.collect::<Vec<_>>().join("|"))?;
    for row in rows {
        writeln!(out, "| {} |", row.join(" | "))?;
    }
    Ok(())
}

fn cells(row: &Row) -> Vec<String> {
    let survey = &row.survey;
    vec![
        row.domain.clone(),
        survey.features.join(", "),
        survey.problems.to_string(),
        survey.objects.to_string(),
        survey.atoms.to_string(),
        survey.actions.to_string(),
        milliseconds(row.first_step_seconds),
        short(row.steps_per_s),
    ]
}

/// Formats seconds as milliseconds, such as `0.42 ms`.
fn milliseconds(seconds: f64) -> String {
    format!("{:.2} ms", seconds * 1e3)
}

fn figure_cells(figure: Option<&Figure>) -> [String; 2] {
    match figure {
        Some(figure) => [short(figure.steps_per_s), times(Some(figure.ratio))],
        None => [times(None), times(None)],
    }
}

fn peer_cells(name: &str, beside: &Beside) -> Vec<String> {
    let theirs = match (&beside.pddlgym.steps_per_s, &beside.pddlgym.error) {
        (Some(rate), _) => short(*rate),
        (None, Some(error)) => format!("failed: {error}"),
        (None, None) => "no steps".to_owned(),
    };
    vec![
        name.to_owned(),
        short(beside.steps_per_s),
        theirs,
        times(beside.ratio),
    ]
}

/// Formats a ratio of speeds; `–` if it is `None`.
pub fn times(ratio: Option<f64>) -> String {
    match ratio {
        Some(ratio) if ratio < 10.0 => format!("{ratio:.1}"),
        Some(ratio) => format!("{ratio:.0}"),
        None => "–".to_owned(),
    }
}

/// Returns the geometric mean and the minimum of the ratios; `None` for an empty list.
pub fn mean_and_least(ratios: &[f64]) -> Option<(f64, f64)> {
    let least = ratios.iter().copied().reduce(f64::min)?;
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    Some((mean, least))
}

/// A sentence on the ratios to `peer`; `None` if there are no ratios.
fn summary(peer: &str, ratios: &[f64]) -> Option<String> {
    let (mean, least) = mean_and_least(ratios)?;
    Some(format!(
        "Over {} domain{}, Herbrand is {} times as fast as {peer} (geometric mean), and at least {} times.",
        ratios.len(),
        if ratios.len() == 1 { "" } else { "s" },
        times(Some(mean)),
        times(Some(least))
    ))
}
