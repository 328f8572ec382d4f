//! The report, for a terminal and as a page of the documentation.

use std::io::Write;

use super::{Beside, Row};
use crate::failure::Failure;
use crate::output::{self, short};

const COLUMNS: [(&str, bool); 7] = [
    ("domain", false),
    ("beyond typed STRIPS", false),
    ("problems", true),
    ("objects", true),
    ("atoms", true),
    ("actions", true),
    ("steps/s", true),
];

const PEER_COLUMNS: [(&str, bool); 4] = [
    ("on PDDLGym's files", false),
    ("Herbrand steps/s", true),
    ("PDDLGym steps/s", true),
    ("ratio", true),
];

/// Tables for a terminal.
pub fn text(rows: &[Row], peer: bool) -> Result<(), Failure> {
    output::table(&COLUMNS, rows.iter().map(cells))?;
    if peer {
        let mut out = output::out();
        writeln!(out)?;
        out.flush()?;
        drop(out);
        output::table(
            &PEER_COLUMNS,
            beside(rows).map(|(name, beside)| peer_cells(name, beside)),
        )?;
        let mut out = output::out();
        writeln!(out, "{}", summary(rows))?;
        out.flush()?;
    }
    Ok(())
}

/// A page of Markdown.
pub fn markdown(rows: &[Row], peer: bool) -> Result<(), Failure> {
    let mut out = output::out();
    let flag = if peer { " --peer" } else { "" };
    writeln!(
        out,
        "# The bundled domains\n\nMade by `herbrand bench{flag} --markdown`: a random policy over valid actions, episodes of 10 \
         steps over all\nproblems in turn, on one thread, the fastest of five rounds. Objects, atoms and actions are those of \
         the smallest and\nthe largest problem; atoms are those of an observation, actions those of the agent.\n"
    )?;
    write_table(&mut out, &COLUMNS, rows.iter().map(cells))?;
    if peer {
        writeln!(
            out,
            "\n## Beside PDDLGym\n\nBoth on PDDLGym's own files of the same domains, in the same run: PDDLGym 0.0.7 draws valid \
             actions\n(`dynamic_action_space=True`) for 100 episodes of 10 steps, in CPU seconds, resets left out; on slow \
             domains it stops\nearlier. `benches/peers/pddlgym_walk.py` says what else.\n"
        )?;
        let cells = beside(rows).map(|(name, beside)| peer_cells(name, beside));
        write_table(&mut out, &PEER_COLUMNS, cells)?;
        writeln!(out, "\n{}", summary(rows))?;
    }
    Ok(out.flush()?)
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
        short(row.steps_per_s),
    ]
}

/// The domains that both have, a domain with levels once.
fn beside(rows: &[Row]) -> impl Iterator<Item = (&str, &Beside)> {
    rows.iter()
        .filter_map(|row| Some((row.domain.as_str(), row.peer.as_ref()?)))
}

fn peer_cells(name: &str, beside: &Beside) -> Vec<String> {
    let theirs = match (&beside.pddlgym.steps_per_s, &beside.pddlgym.error) {
        (Some(rate), _) => short(*rate),
        (None, Some(error)) => format!("fails: {error}"),
        (None, None) => "no step".to_owned(),
    };
    let ratio = beside
        .ratio
        .map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.0}"));
    vec![name.to_owned(), short(beside.steps_per_s), theirs, ratio]
}

/// The least ratio, and the geometric mean.
fn summary(rows: &[Row]) -> String {
    let ratios = beside(rows)
        .filter_map(|(_, beside)| beside.ratio)
        .collect::<Vec<_>>();
    if ratios.is_empty() {
        return "PDDLGym stepped nothing.".to_owned();
    }
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    format!(
        "Over {} domains Herbrand is {mean:.0} times as fast in the geometric mean, {least:.0} times at least.",
        ratios.len()
    )
}
