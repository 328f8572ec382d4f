//! `herbrand render`: pictures of states and replays of walks.

mod output;
#[cfg_attr(not(feature = "png"), path = "no_pixels.rs")]
mod pixels;
mod trace;
mod walk;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use herbrand::core::Problems as _;
use herbrand::env::{ActionMode, Engines, EnvError, StatePicture};
use herbrand::rddl;
use herbrand::render::{Moment, Picture, Scene, Still, Theme, sheet};

use self::output::{Kind, Target};
use self::walk::{Walk, walk};
use crate::Answer;
use crate::engine::EngineName;
use crate::failure::Failure;
use crate::output::Format;
use crate::problem::ProblemArgs;
use crate::problems::Problems;
use crate::progress::Progress;

/// Draw a state, or replay a walk as a page or an animation
///
/// The picture is what `[render]` in the domain's `env.toml` declares; a domain without one is drawn in a general way. The
/// ending of --out says what is written: `.svg` and `.png` are pictures, `.html` is a page that replays the walk, `.gif` and `.webp`
/// are animations of it (in a `.webp` no colour is lost; of a single state it is a picture). Without --steps the picture is of the initial state; with them, of the state after that number of random
/// actions. The name of a trace (`.jsonl`) in place of a domain draws a recorded walk. With --sheet all problems of the
/// domain are drawn on one sheet. PNG, WebP and GIF need a program that was built with the feature `png`, as the one in the
/// Python package is.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand render blocks --problem 05 --out blocks.svg
  herbrand render sokoban --problem 03 --steps 40 --seed 7 --out walk.html
  herbrand render rddl/elevators --problem 2 --steps 20 --out elevators.svg
  herbrand render p01.trace.jsonl --out walk.html
  herbrand render hiking --sheet --out hiking.svg
  herbrand render sokoban --problem 03 --steps 40 --out walk.gif --delay 300
  herbrand render p01.trace.jsonl --out last.png --scale 2")]
pub struct Render {
    #[command(flatten)]
    problem: ProblemArgs,

    /// The file to write: .svg, .html, .png, .webp or .gif
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,

    /// How many random actions to take first
    #[arg(long, default_value_t = 0, value_name = "N")]
    steps: u64,

    /// Which walk of a trace to draw
    #[arg(long, default_value_t = 0, value_name = "N")]
    walk: u64,

    /// The seed of the walk
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// Draw all problems of the domain on one sheet
    #[arg(long, conflicts_with = "problem")]
    sheet: bool,

    /// Draw only what is around the agent, where `[render]` says by `eye` what that is
    #[arg(long, conflicts_with = "sheet")]
    egocentric: bool,

    /// The colours: for light paper, for dark paper, or as the reader's browser prefers
    #[arg(long, value_enum, default_value_t, value_name = "THEME")]
    theme: ThemeName,

    /// How many pixels of a .png, .webp or .gif are as long as one of the .svg
    #[arg(long, default_value_t = 1.0, value_name = "FACTOR")]
    scale: f64,

    /// How long a .gif or .webp shows each state
    #[arg(long, default_value_t = 500, value_name = "MILLISECONDS")]
    delay: u64,

    /// What steps the problem: pictures are the same
    #[arg(long, value_enum, default_value_t, value_name = "ENGINE")]
    engine: EngineName,
}

/// The colours of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum ThemeName {
    Light,
    Dark,
    #[default]
    Auto,
}

impl From<ThemeName> for Theme {
    fn from(name: ThemeName) -> Self {
        match name {
            ThemeName::Light => Self::Light,
            ThemeName::Dark => Self::Dark,
            ThemeName::Auto => Self::Auto,
        }
    }
}

impl Render {
    pub fn run(self, _: Format) -> Result<Answer, Failure> {
        let target = Target {
            kind: Kind::of(&self.out)?,
            theme: self.theme.into(),
            scale: self.scale,
            delay: Duration::from_millis(self.delay),
        };
        if self.sheet {
            let scene = self.all()?;
            let title = scene.title.clone();
            target.write(&self.out, &title, &[still(scene)])?;
            return Ok(Answer::Yes);
        }
        if let Some(trace) = self.trace() {
            if self.egocentric {
                return Err(no_eye());
            }
            let stills = trace::stills(&trace, self.walk)?;
            target.write(&self.out, &trace.display().to_string(), &stills)?;
            return Ok(Answer::Yes);
        }
        let problems = self.problem.find(ActionMode::Declared)?;
        let title = problems.name().to_owned();
        let steps = self.steps;
        let frames = self.stills(&problems, steps, target.kind.is_of_walks())?;
        target.write(&self.out, &title, &frames)?;
        Ok(Answer::Yes)
    }

    /// The trace that is named in place of a domain, if it is one: a file whose name ends in `.jsonl`.
    fn trace(&self) -> Option<PathBuf> {
        let path = PathBuf::from(self.problem.name.as_deref()?);
        let is_trace = path.extension().is_some_and(|ending| ending == "jsonl");
        is_trace.then_some(path)
    }

    /// The states of a walk over the first of some problems; the last one alone unless all are asked for.
    fn stills(&self, problems: &Problems, steps: u64, all: bool) -> Result<Vec<Still>, Failure> {
        let plan = Walk {
            steps,
            seed: self.seed,
            all,
        };
        match problems {
            Problems::Pddl(suite) => match suite.on(self.engine.into())? {
                Engines::Grounded(grounded) => {
                    let mut planning = grounded.engine(0)?;
                    let picture = StatePicture::of(suite, 0, &planning)?;
                    let draw = self.drawn(picture.picture(), &picture.moment(&planning))?;
                    let moment = |planning: &_| picture.moment(planning);
                    let stills = walk(&mut planning, &plan, moment, draw);
                    Ok(stills.map_err(EnvError::from)?)
                }
                Engines::Lifted(lifted) => {
                    let mut planning = lifted.system(0)?;
                    let picture = StatePicture::of(suite, 0, &planning)?;
                    let draw = self.drawn(picture.picture(), &picture.moment(&planning))?;
                    let moment = |planning: &_| picture.moment(planning);
                    let stills = walk(&mut planning, &plan, moment, draw);
                    Ok(stills.map_err(EnvError::from)?)
                }
            },
            Problems::Rddl(suite) => {
                let mut simulator = suite.simulator(0)?;
                let picture = rddl::StatePicture::of(suite, 0, &simulator)?;
                let draw = self.drawn(picture.picture(), &picture.moment(&simulator))?;
                let moment = |simulator: &_| picture.moment(simulator);
                let frames = walk(&mut simulator, &plan, moment, draw);
                Ok(frames.map_err(rddl::suite::RddlError::from)?)
            }
        }
    }

    /// How states are drawn: whole, or what is around the agent; `first` is any of them.
    fn drawn<'p>(
        &self,
        picture: &'p Picture,
        first: &Moment,
    ) -> Result<impl Fn(&Moment) -> Scene + use<'p>, Failure> {
        let egocentric = self.egocentric;
        if egocentric && picture.egocentric(first).is_none() {
            return Err(no_eye());
        }
        Ok(move |moment: &Moment| {
            let near = egocentric.then(|| picture.egocentric(moment)).flatten();
            near.unwrap_or_else(|| picture.scene(moment))
        })
    }

    /// All problems of a domain on one sheet, each after the steps that are asked for.
    fn all(&self) -> Result<Scene, Failure> {
        let name = self.problem.name.as_deref().unwrap_or_default();
        let sets = Problems::named(name, ActionMode::Declared, crate::limits::defaults())?;
        let count: usize = sets.iter().map(Problems::len).sum();
        let progress = Progress::of_pictures(count as u64);
        let mut pictures = Vec::with_capacity(count);
        for set in &sets {
            for index in 0..set.len() {
                let problem = set.only(index)?;
                let last = self.stills(&problem, self.steps, false)?.pop();
                pictures.extend(last.map(|still| still.scene));
                progress.advance(1);
            }
        }
        progress.finish();
        Ok(sheet(name, pictures, 1600.0))
    }
}

/// Why nothing is drawn of what is around the agent.
fn no_eye() -> Failure {
    let message = "the settings of the domain do not say what is around the agent: `[render]` has no `eye`, or this is a trace";
    Failure::Request(message.to_owned())
}

fn still(scene: Scene) -> Still {
    Still {
        scene,
        ..Still::default()
    }
}
