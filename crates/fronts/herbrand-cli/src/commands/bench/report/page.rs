//! The HTML page of a report, self-contained.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::plot::{self, Bars};
use super::{Compared, Data};
use crate::commands::bench::table::{Table, mean_and_least, times};
use crate::output::short;

/// Colours in light and dark, and a layout for wide and narrow windows.
const STYLE: &str = include_str!("page.css");

/// Escapes the special characters of HTML in a text.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            other => safe.push(other),
        }
    }
    safe
}

/// Returns the HTML text of the whole page.
pub fn page(data: &Data<'_>, table: &Table<'_>) -> String {
    let mut html = String::new();
    let _ = write!(
        html,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Herbrand, measured</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>Herbrand, measured</h1>\n<p>Herbrand {}, {}. A random policy over valid \
         actions walks through the problems of each domain on one thread. The figures are steps per second. One command \
         measured everything on this page:</p>\n<pre>{}</pre>\n",
        data.herbrand,
        escaped(&data.machine.time),
        escaped(data.command)
    );
    html += &peers(data);
    html += &domains(data, table);
    html += "<h2>Machine and versions</h2>\n";
    html += &rows_of(&[("item", false), ("value", false)], versions(data));
    let json = serde_json::to_string_pretty(data).unwrap_or_default();
    let _ = write!(
        html,
        "<h2>Raw data</h2>\n<details>\n<summary>All figures on this page as JSON</summary>\n<pre id=\"data\">{}</pre>\n\
         </details>\n</body>\n</html>\n",
        escaped(&json)
    );
    html
}

fn peers(data: &Data<'_>) -> String {
    let mut html = "<h2>Compared with other packages</h2>\n".to_owned();
    let installed = data.python.as_ref().map(|found| &found.peers);
    if data.peers.is_empty() {
        html += match installed {
            Some(peers) if !peers.is_empty() => {
                "<p>None of the installed packages reads these domains.</p>\n"
            }
            _ => {
                "<p>This Python has no other package. Install the packages that can be measured with <code>pip install pymimir \
                 unified-planning pyRDDLGym pddlgym==0.0.7</code>.</p>\n"
            }
        };
        return html;
    }
    html += "<p>Each package walks on the same files as Herbrand, in the same run: the middle problem of each domain, and \
             PDDLGym's own files of the domain for PDDLGym. The packages are timed in CPU seconds, Herbrand in wall-clock \
             seconds; reading and grounding are excluded for all. Walks end at the goal, except with pymimir. The ratio is \
             Herbrand's steps per second divided by those of the package.</p>\n";
    let mut by_peer: BTreeMap<&str, Vec<&Compared>> = BTreeMap::new();
    for one in data.peers {
        by_peer.entry(&one.peer).or_default().push(one);
    }
    let names: Vec<&str> = by_peer.keys().copied().collect();
    let summary = by_peer.iter().map(|(peer, rows)| {
        let ratios: Vec<f64> = rows.iter().filter_map(|one| one.ratio).collect();
        let (mean, least) = mean_and_least(&ratios).unzip();
        let version = installed.and_then(|peers| peers.get(*peer)).cloned();
        let failed = (rows.len() - ratios.len()).to_string();
        vec![
            (*peer).to_owned(),
            version.unwrap_or_default(),
            ratios.len().to_string(),
            failed,
            times(mean),
            times(least),
        ]
    });
    let head = [
        ("package", false),
        ("version", false),
        ("domains", true),
        ("failed", true),
        ("ratio (geometric mean)", true),
        ("lowest ratio", true),
    ];
    html += &rows_of(&head, summary);
    let mut plotted: BTreeMap<&str, Vec<(usize, f64)>> = BTreeMap::new();
    for one in data.peers {
        let series = names
            .iter()
            .position(|name| *name == one.peer)
            .unwrap_or_default();
        let row = plotted.entry(&one.domain).or_default();
        row.extend(one.ratio.map(|ratio| (series, ratio)));
    }
    let rows: Vec<Bars> = plotted
        .into_iter()
        .filter(|(_, values)| !values.is_empty())
        .map(|(domain, values)| Bars {
            label: domain.to_owned(),
            values,
        })
        .collect();
    if let Some(svg) = plot::bars(
        "Herbrand's speed relative to other packages",
        "times as fast",
        &rows,
    ) {
        html += "<p class=\"legend\">";
        for (series, name) in names.iter().enumerate() {
            let _ = write!(html, "<span class=\"series-{series}\"></span>{} ", escaped(name));
        }
        html += "</p>\n";
        html += &svg;
    }
    let head = [
        ("domain", false),
        ("problem", false),
        ("package", false),
        ("Herbrand steps/s", true),
        ("package steps/s", true),
        ("ratio", true),
        ("error", false),
    ];
    let rows = data.peers.iter().map(|one| {
        vec![
            one.domain.clone(),
            one.problem.clone(),
            one.peer.clone(),
            short(one.steps_per_s),
            one.theirs.steps_per_s.map_or_else(|| "–".to_owned(), short),
            times(one.ratio),
            one.theirs.error.clone().unwrap_or_default(),
        ]
    });
    html + &rows_of(&head, rows)
}

fn domains(data: &Data<'_>, table: &Table<'_>) -> String {
    let mut html = "<h2>All domains</h2>\n<p>Means over all problems of each domain. The first step is the mean time from a \
                    problem's files to its first step.</p>\n"
        .to_owned();
    let rows: Vec<Bars> = data
        .domains
        .iter()
        .filter(|row| row.steps_per_s > 0.0)
        .map(|row| Bars {
            label: row.domain.clone(),
            values: vec![(0, row.steps_per_s)],
        })
        .collect();
    html += &plot::bars("Steps per second by domain", "steps/s", &rows).unwrap_or_default();
    html += &rows_of(&table.columns(), table.cells());
    for line in table.summaries() {
        let _ = writeln!(html, "<p>{}</p>", escaped(&line));
    }
    html
}

fn versions(data: &Data<'_>) -> Vec<Vec<String>> {
    let mut rows = vec![vec!["Herbrand".to_owned(), data.herbrand.to_owned()]];
    let machine = data.machine.lines().into_iter();
    rows.extend(machine.map(|(name, value)| vec![name.to_owned(), value]));
    if let Some(python) = data.python {
        rows.push(vec!["Python".to_owned(), python.python.clone()]);
        let peers = python.peers.iter();
        rows.extend(peers.map(|(name, version)| vec![name.clone(), version.clone()]));
    }
    rows
}

/// Returns a table as HTML. Text columns are aligned left, number columns (marked by `true`) right.
fn rows_of(head: &[(&str, bool)], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let class = |number: bool| if number { " class=\"number\"" } else { "" };
    let mut html = "<div class=\"wide\"><table>\n<thead><tr>".to_owned();
    for &(name, number) in head {
        let _ = write!(html, "<th{}>{}</th>", class(number), escaped(name));
    }
    html += "</tr></thead>\n<tbody>\n";
    for row in rows {
        html += "<tr>";
        for (cell, &(_, number)) in row.iter().zip(head) {
            let _ = write!(html, "<td{}>{}</td>", class(number), escaped(cell));
        }
        html += "</tr>\n";
    }
    html + "</tbody></table></div>\n"
}
