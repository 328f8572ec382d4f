//! `herbrand explore figure`: the steps that players need for each example, over several trials.

use std::path::PathBuf;

use clap::Args;
use herbrand::explore::Setting;
use herbrand::explore::experiment::{ExamplePoint, points};
use herbrand::tasks::chart::{Chart, ChartLine, ChartPanel, ChartPoint};

use super::trials::{TrialArgs, Wanted};
use crate::failure::Failure;
use crate::files;
use crate::interrupt::Interrupt;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};

/// Play some games several times, and draw the steps that each player needs
///
/// The picture is like Figure 3 of PDDLEGO: for each example, the mean number of steps of the trials won, with their standard
/// deviation as a bar. A ring at the top marks an example without a won trial. The games are kept in a file, as
/// `herbrand explore table` keeps them, and the same command continues after it was stopped or killed.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand explore figure trials.jsonl --reader random --out steps.svg
  herbrand explore figure trials.jsonl --reader model --model NAME --url http://127.0.0.1:8080/v1 --out steps.svg
  herbrand explore figure trials.jsonl --out steps.svg   draw the games that are there")]
pub struct Figure {
    #[command(flatten)]
    pub(super) games: TrialArgs,

    /// Write the picture to a file, as SVG
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Figure {
    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let interrupt = Interrupt::watch_termination()?;
        files::check_before(self.out.as_deref())?;
        let wanted = Wanted {
            worlds: &[Setting::Coin],
            games: 0..10,
            trials: 5,
        };
        let played = self.games.play(&wanted, interrupt)?;
        let points = points(&played.trials);
        match format {
            Format::Json => output::json(&points)?,
            Format::Text => print(&points)?,
        }
        if let Some(path) = &self.out {
            let svg = draw(&points)
                .ok_or_else(|| Failure::Request(format!("{}: there is no game to draw", path.display())))?;
            files::write_file(path, svg)?;
            files::report_written(path, output::counted(points.len() as u64, "example"));
        }
        played.check()?;
        Ok(interrupt.answer())
    }
}

fn print(points: &[ExamplePoint]) -> Result<(), Failure> {
    let columns = [
        ("player", false),
        ("method", false),
        ("world", false),
        ("game", true),
        ("trials", true),
        ("won", true),
        ("steps", true),
        ("deviation", true),
    ];
    let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.1}"));
    let rows = points.iter().map(|point| {
        vec![
            point.player.clone(),
            point.method.name().to_owned(),
            point.world.clone(),
            point.game.to_string(),
            point.trials.to_string(),
            point.won.to_string(),
            number(point.mean),
            number(point.deviation),
        ]
    });
    Ok(output::table(&columns, rows)?)
}

/// Draws the mean steps of each example with their deviations, in a colour for each player, method and world.
fn draw(points: &[ExamplePoint]) -> Option<String> {
    let key = |point: &ExamplePoint| format!("{}, {}, {}", point.player, point.method.name(), point.world);
    let mut labels: Vec<String> = points.iter().map(key).collect();
    labels.sort_unstable();
    labels.dedup();
    let deviation = |point: &ExamplePoint| point.deviation.unwrap_or(0.0);
    let most = points
        .iter()
        .filter_map(|point| Some(point.mean? + deviation(point)))
        .fold(10.0, f64::max);
    let top = 1.2 * most;
    let lines = labels.iter().enumerate().map(|(number, label)| {
        let shift = (number as f64 + 1.0) / (labels.len() as f64 + 1.0) - 0.5;
        let point = |point: &ExamplePoint| ChartPoint {
            x: point.game as f64 + 0.8 * shift,
            y: point.mean.unwrap_or(0.97 * top),
            deviation: deviation(point),
            is_missing: point.mean.is_none(),
        };
        ChartLine {
            name: label.clone(),
            points: points
                .iter()
                .filter(|one| key(one) == *label)
                .map(point)
                .collect(),
            is_joined: false,
        }
    });
    let chart = Chart {
        title: "steps to success per example".to_owned(),
        axis: "game (mean and standard deviation of the steps in the trials won; a ring: none won)",
        is_logarithmic: false,
        are_shares: false,
        panels: vec![ChartPanel {
            title: "steps".to_owned(),
            lines: lines.collect(),
        }],
    };
    chart.svg()
}
