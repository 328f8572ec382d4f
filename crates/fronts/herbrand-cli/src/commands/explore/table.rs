//! `herbrand explore table`: how many games each player wins, in how many steps, at what cost.

use clap::Args;
use herbrand::explore::Setting;
use herbrand::explore::experiment::{Row, rows};

use super::trials::{TrialArgs, Wanted};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};

/// Play the test games with several players, and print a table of their results
///
/// The table is like Table 1 of PDDLEGO: for each player, method and world, the share of games won, with the steps and the
/// tokens that they cost. Each game is one line in the file, written when it ends. The same command continues after it was
/// stopped or killed, and plays only the games that the file lacks. Call it once for each player with the same file; without
/// --reader, it prints the table of the games that are there.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand explore table trials.jsonl --reader random
  herbrand explore table trials.jsonl --reader rules --world coin
  herbrand explore table trials.jsonl --reader model --model NAME --url http://127.0.0.1:8080/v1
  herbrand explore table trials.jsonl                    print the table and play nothing")]
pub struct Table {
    #[command(flatten)]
    pub(super) games: TrialArgs,
}

impl Table {
    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let interrupt = Interrupt::watch_termination()?;
        let wanted = Wanted {
            worlds: &Setting::ALL,
            games: 10..60,
            trials: 1,
        };
        let played = self.games.play(&wanted, interrupt)?;
        let rows = rows(&played.trials);
        match format {
            Format::Json => output::json(&rows)?,
            Format::Text => print(&rows)?,
        }
        played.check()?;
        Ok(interrupt.answer())
    }
}

fn print(rows: &[Row]) -> Result<(), Failure> {
    let columns = [
        ("player", false),
        ("method", false),
        ("world", false),
        ("games", true),
        ("won %", true),
        ("steps", true),
        ("requests", true),
        ("tokens asked", true),
        ("answered", true),
    ];
    let with = |value: Option<f64>, deviation: Option<f64>| match (value, deviation) {
        (Some(value), Some(deviation)) => format!("{value:.1} ± {deviation:.1}"),
        (Some(value), None) => format!("{value:.1}"),
        (None, _) => "–".to_owned(),
    };
    let rows = rows.iter().map(|row| {
        vec![
            row.player.clone(),
            row.method.name().to_owned(),
            row.world.clone(),
            row.games.to_string(),
            with(Some(row.percent()), row.won_deviation),
            with(row.steps, row.steps_deviation),
            output::grouped(row.usage.requests),
            output::grouped(row.usage.asked),
            output::grouped(row.usage.answered),
        ]
    });
    Ok(output::table(&columns, rows)?)
}
