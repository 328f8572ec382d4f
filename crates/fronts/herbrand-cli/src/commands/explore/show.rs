//! Prints games step by step.

use std::io::Write;

use herbrand::explore::{Event, Game, Setting};

use crate::failure::Failure;
use crate::output;

/// Prints the events of a game.
pub fn show(setting: Setting, game: &Game) -> Result<(), Failure> {
    let mut out = output::out();
    writeln!(out, "{setting}, game {}", game.game)?;
    for event in &game.events {
        match event {
            Event::Seen {
                step, command, text, ..
            } => {
                if let Some(command) = command {
                    writeln!(out, "\n{step}> {command}")?;
                }
                for line in text.lines() {
                    writeln!(out, "  {line}")?;
                }
            }
            Event::Read { edits, unread } => {
                for edit in edits {
                    writeln!(out, "    + {edit}")?;
                }
                for sentence in unread {
                    writeln!(out, "    ? {sentence}")?;
                }
            }
            Event::Refused { attempt, feedback } => {
                let feedback = serde_json::to_string(feedback).unwrap_or_default();
                writeln!(out, "    answer {attempt} rejected: {feedback}")?;
            }
            Event::Planned {
                rung, outcome, plan, ..
            } => {
                writeln!(out, "    goal: {rung}: {outcome}")?;
                for step in plan {
                    writeln!(out, "      {step}")?;
                }
            }
            Event::Effects(effects) => {
                for fact in &effects.contradicted {
                    writeln!(out, "    ! predicted, but false: {fact}")?;
                }
                for fact in &effects.unconfirmed {
                    writeln!(out, "    ! predicted, but not seen: {fact}")?;
                }
            }
            Event::GivenUp { reason } => {
                let reason = serde_json::to_string(reason).unwrap_or_default();
                writeln!(out, "    plan abandoned: {}", reason.trim_matches('"'))?;
            }
            Event::Kept => writeln!(out, "    old plan kept: the new one is not shorter")?,
        }
    }
    writeln!(
        out,
        "\n{} after {}\n",
        game.ending.name(),
        output::counted(game.steps as u64, "command")
    )?;
    Ok(out.flush()?)
}
