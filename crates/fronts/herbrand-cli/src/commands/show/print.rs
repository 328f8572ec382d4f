//! The answer of `show` as text.

use std::io::Write;

use herbrand::tasks::show::{Estimates, ShownConjunct, StateReport};

use super::board::Board;
use crate::failure::Failure;
use crate::output;

const BOLD: anstyle::Style = anstyle::Style::new().bold();

/// Prints the report about a state. Unless `all`, long lists of atoms that the drawing shows are folded.
///
/// # Errors
/// Fails if writing fails.
pub fn print(report: &StateReport, out: &mut dyn Write, all: bool) -> Result<(), Failure> {
    for step in report.explained.iter().flatten() {
        writeln!(out, "{step}\n")?;
    }
    writeln!(out, "{BOLD}{}{BOLD:#} ({})", report.problem, report.domain)?;
    let drawing = report.drawing.as_ref();
    let board = drawing.map(|(picture, moment)| Board::of(picture, moment));
    let board = board.transpose()?.flatten();
    if let Some(board) = &board {
        writeln!(out, "\n{board}")?;
    }
    for (label, lines) in report.facts.sections() {
        if !lines.is_empty() {
            writeln!(out, "\n{BOLD}{label}{BOLD:#}")?;
            let folded = board.as_ref().filter(|_| !all).map(|board| board.fold(&lines));
            let lines = folded.as_ref().unwrap_or(&lines);
            lines.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
        }
    }
    if let Some(last) = report.last_reward {
        let (last, total) = (output::reward(last), output::reward(report.reward));
        writeln!(out, "\nreward of the last step {last}, return {total}")?;
    }
    if !report.violated.is_empty() {
        writeln!(out, "\n{BOLD}violated preconditions{BOLD:#}")?;
    }
    for one in &report.violated {
        writeln!(out, "  step {}: {}", one.step, one.violation.sentence())?;
    }
    if !report.broken.is_empty() {
        writeln!(out)?;
    }
    for invariant in &report.broken {
        writeln!(out, "{}", invariant.sentence())?;
    }
    writeln!(out, "\n{BOLD}valid actions{BOLD:#} {}", report.summary)?;
    let mut actions = report.actions.iter();
    actions.try_for_each(|action| writeln!(out, "  {action}"))?;
    if report.terminal {
        writeln!(out, "\nthis is a terminal state")?;
    }
    if let (Some(goal), Some(parts)) = (report.goal, &report.goal_parts) {
        print_goal(goal, parts, out)?;
    }
    if let Some(estimates) = &report.estimates {
        print_estimates(estimates, out)?;
    }
    Ok(out.flush()?)
}

fn print_goal(goal: bool, parts: &[ShownConjunct], out: &mut dyn Write) -> Result<(), Failure> {
    let word = if goal { "holds" } else { "does not hold" };
    let holding = parts.iter().filter(|part| part.holds == Some(true));
    let count = match parts.len() {
        0 => "the problem has no goal".to_owned(),
        all => format!("{word}: {} of {all}", holding.count()),
    };
    writeln!(out, "\n{BOLD}goal{BOLD:#} ({count})")?;
    for ShownConjunct { formula, holds } in parts {
        let word = match holds {
            Some(true) => "holds",
            Some(false) => "missing",
            None => "numbers",
        };
        writeln!(out, "  {word:<7}  {formula}")?;
    }
    Ok(())
}

/// Prints a line per heuristic, and the number of landmarks.
fn print_estimates(estimates: &Estimates, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "\n{BOLD}estimates of the cost to the goal{BOLD:#}")?;
    for one in &estimates.heuristics {
        let value = one
            .value
            .map_or_else(|| "∞".to_owned(), |value| value.to_string());
        let note = if one.admissible { "" } else { "  may be too high" };
        writeln!(out, "  {:<10}{value:>10}{note}", one.name)?;
    }
    let landmarks = estimates.landmarks;
    writeln!(out, "  {:<10}{landmarks:>10}  facts of every plan", "landmarks")?;
    Ok(())
}
