//! `herbrand explore figure`: the steps that players need for each example, over several trials.

use std::path::PathBuf;

use clap::Args;
use herbrand::explore::Setting;
use herbrand::explore::experiment::{ExamplePoint, points};
use herbrand::render::colour::{Colour, Tone};
use herbrand::render::scene::{Anchor, Fill, Frame, Point, SceneElement, Stroke};
use herbrand::render::{Scene, Theme};

use super::trials::{TrialArgs, Wanted};
use crate::failure::Failure;
use crate::files::{self, Mark};
use crate::interrupt::Interrupt;
use crate::limits::LimitArgs;
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
    games: TrialArgs,

    /// Write the picture to a file, as SVG
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Figure {
    /// Returns the limits of the whole command. The limits of time and memory are for each search.
    pub const fn limits(&self) -> LimitArgs {
        self.games.limits.of_parts()
    }

    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let interrupt = Interrupt::watch_termination()?;
        files::check_before(self.out.as_deref(), Mark::Markup)?;
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
            let scene = draw(&points);
            files::write_file(path, scene.to_svg(Theme::Auto), Mark::Markup)?;
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

const LEFT: f64 = 56.0;
const RIGHT: f64 = 744.0;
const BOTTOM: f64 = 360.0;
const SIZE: f64 = 12.0;

/// The height of a line of the legend.
const LINE: f64 = 18.0;

/// Draws the mean steps of each example with their deviations, in a colour for each player, method and world.
fn draw(points: &[ExamplePoint]) -> Scene {
    let key = |point: &ExamplePoint| format!("{}, {}, {}", point.player, point.method.name(), point.world);
    let mut series: Vec<String> = Vec::new();
    let mut games: Vec<u64> = points.iter().map(|point| point.game).collect();
    games.sort_unstable();
    games.dedup();
    for point in points {
        if !series.contains(&key(point)) {
            series.push(key(point));
        }
    }
    let top = 36.0 + LINE * series.len() as f64;
    let most = points
        .iter()
        .filter_map(|point| Some(point.mean? + point.deviation.unwrap_or(0.0)))
        .fold(10.0, f64::max);
    let step = [2.0, 5.0, 10.0, 20.0, 50.0, 100.0];
    let step = step
        .into_iter()
        .find(|step| most / step <= 8.0)
        .unwrap_or(most / 8.0);
    let end = (most / step).ceil() * step;
    let y = |steps: f64| BOTTOM - (BOTTOM - top) * steps / end;
    let room = (RIGHT - LEFT) / games.len().max(1) as f64;
    let mut scene = Scene {
        width: 760.0,
        height: BOTTOM + 52.0,
        title: "steps to success per example, mean and standard deviation".to_owned(),
        ..Scene::default()
    };
    let line = |scene: &mut Scene, points: Vec<Point>, colour| {
        scene.elements.push(SceneElement::Line {
            points,
            colour,
            stroke: Stroke::Thin,
            arrow: false,
        });
    };
    let mut tick = 0.0;
    while tick <= end + 0.5 * step {
        line(&mut scene, vec![(LEFT, y(tick)), (RIGHT, y(tick))], Colour::Grey);
        let text = format!("{tick}");
        scene.write(&text, (LEFT - 8.0, y(tick)), Anchor::End, SIZE, 40.0, Colour::Ink);
        tick += step;
    }
    for (place, game) in games.iter().enumerate() {
        let x = LEFT + (place as f64 + 0.5) * room;
        scene.write(
            &game.to_string(),
            (x, BOTTOM + 16.0),
            Anchor::Middle,
            SIZE,
            room,
            Colour::Ink,
        );
    }
    let middle = 0.5 * (LEFT + RIGHT);
    let axis = "game (mean and standard deviation of the steps in the trials won; a ring: none won)";
    scene.write(
        axis,
        (middle, BOTTOM + 38.0),
        Anchor::Middle,
        SIZE,
        700.0,
        Colour::Ink,
    );
    for (number, name) in series.iter().enumerate() {
        let colour = Colour::SERIES[number % Colour::SERIES.len()];
        let at = 18.0 + LINE * number as f64;
        scene.elements.push(disc((LEFT + 6.0, at), colour, true));
        scene.write(name, (LEFT + 18.0, at), Anchor::Start, SIZE, 640.0, Colour::Ink);
    }
    for point in points {
        let name = key(point);
        let number = series.iter().position(|one| *one == name).unwrap_or(0);
        let place = games.iter().position(|&game| game == point.game).unwrap_or(0);
        let share = (number as f64 + 1.0) / (series.len() as f64 + 1.0);
        let x = LEFT + (place as f64 + 0.1 + 0.8 * share) * room;
        let colour = Colour::SERIES[number % Colour::SERIES.len()];
        match point.mean {
            Some(mean) => {
                if let Some(deviation) = point.deviation {
                    let (high, low) = (y(mean + deviation), y((mean - deviation).max(0.0)));
                    line(&mut scene, vec![(x, high), (x, low)], colour);
                    for end in [high, low] {
                        line(&mut scene, vec![(x - 3.0, end), (x + 3.0, end)], colour);
                    }
                }
                scene.elements.push(disc((x, y(mean)), colour, true));
            }
            None => scene.elements.push(disc((x, top - 10.0), colour, false)),
        }
    }
    scene
}

fn disc(at: Point, colour: Colour, is_full: bool) -> SceneElement {
    SceneElement::Disc {
        frame: Frame::about(at, 8.0),
        fill: if is_full {
            Fill::Plain(colour, Tone::Strong)
        } else {
            Fill::None
        },
        border: Some((colour, Stroke::Thin)),
    }
}
