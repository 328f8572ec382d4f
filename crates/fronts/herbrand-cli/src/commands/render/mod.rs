//! `herbrand render`: pictures of states and replays of walks.

mod output;
mod pixels;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use herbrand::core::RolloutPolicy;
use herbrand::env::ActionMode;
use herbrand::limits::Limits;
use herbrand::render::{ReplayState, Scene, Theme, sheet};
use herbrand::tasks::pictures::{DrawQuery, DrawnWalk, draw, no_eye};
use herbrand::tasks::traces::TraceReader;
use herbrand::tasks::{AnyProblems, FailureKind, Run};

use self::output::{Kind, Target};
use crate::commands::replay::{NamedProblem, TracedProblem};
use crate::engine::EngineName;
use crate::failure::{Failure, refuse};
use crate::input;
use crate::limits::LimitArgs;
use crate::outcome::CommandOutcome;
use crate::output::Format;
use crate::policy::PolicyArgs;
use crate::preconditions::PreconditionArgs;
use crate::problem::ProblemArgs;
use crate::progress::Progress;
use crate::start::StartArgs;
use herbrand::tasks::open::ProblemWords;

/// Draw a state, or replay a walk as a page or an animation
///
/// The picture follows `[render]` in the domain's `env.toml`; a domain without it gets a generic drawing. The ending of
/// --out selects the format: `.svg` and `.png` are pictures, `.html` is a page that replays the walk, `.gif` and `.webp` are
/// animations of it. A `.webp` keeps all colours; for a single state it is a picture.
///
/// Without --steps, draws the initial state; with --steps, the state after that number of random actions. A trace (`.jsonl`)
/// in place of a domain draws a recorded walk. With --sheet, draws all problems of the domain on one sheet.
///
/// If a step of a plan is not valid or has no result, or a line of a trace is faulty, the pictures end before it, and the exit
/// status is 1.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand render blocks 05 --out blocks.svg
  herbrand render domain.pddl problem.pddl --out start.png
  herbrand render sokoban 03 --steps 40 --seed 7 --out walk.html
  herbrand render sokoban 03 --policy plan --out plan.gif
  herbrand render rddl/elevators 2 --steps 20 --out elevators.svg
  herbrand render p01.trace.jsonl --out walk.html
  herbrand render hiking --sheet --out hiking.svg
  herbrand render domain.pddl p01.pddl p02.pddl --sheet --out problems.svg
  herbrand render sokoban 03 --steps 40 --out walk.gif --delay 300
  herbrand render p01.trace.jsonl --out last.png --scale 4")]
pub struct Render {
    #[command(flatten)]
    problem: ProblemArgs,

    /// More problems for --sheet, or a trace
    #[arg(value_name = "FILE")]
    more: Vec<String>,

    /// The file to write, always needed: .svg, .html, .png, .webp or .gif
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    /// The number of actions to take first [default: 0, or all actions of the plan]
    #[arg(long, value_name = "N")]
    steps: Option<u64>,

    #[command(flatten)]
    policy: PolicyArgs,

    #[command(flatten)]
    preconditions: PreconditionArgs,

    #[command(flatten)]
    start: StartArgs,

    /// The walk of the trace to draw
    #[arg(long, default_value_t = 0, value_name = "N")]
    walk: u64,

    /// The random seed of the walk
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// Draw all problems of the domain, or the named problems, on one sheet
    #[arg(long)]
    sheet: bool,

    /// Draw only the surroundings of the agent, which `eye` in `[render]` declares
    #[arg(long, conflicts_with = "sheet")]
    egocentric: bool,

    /// The colours: light, dark, or the browser's preference
    #[arg(long, value_enum, default_value_t, value_name = "THEME")]
    theme: ThemeName,

    /// The scale of a .png, .webp or .gif in pixels per unit of the .svg
    #[arg(long, default_value_t = 2.0, value_name = "FACTOR")]
    scale: f64,

    /// The time that a .gif or .webp shows each state
    #[arg(long, default_value_t = 500, value_name = "MILLISECONDS")]
    delay: u64,

    /// The engine; it does not change the pictures
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
    /// Returns the limits of time and memory for the whole command.
    pub const fn limits(&self) -> LimitArgs {
        self.problem.limits
    }

    pub fn run(self, _: Format) -> Result<CommandOutcome, Failure> {
        let words = self.problem.words(&self.more)?;
        let Some(out) = &self.out else {
            return refuse(
                "name the file to draw into, such as `--out picture.svg`: .svg, .html, .png, .webp or .gif",
            );
        };
        let target = Target {
            kind: Kind::of(out)?,
            theme: self.theme.into(),
            scale: self.scale,
            delay: Duration::from_millis(self.delay),
        };
        if self.sheet {
            let scene = self.all(&words)?;
            let title = scene.title.clone();
            target.write(out, &title, &[still(scene)])?;
            return Ok(CommandOutcome::Yes);
        }
        if let Some((trace, named)) = trace_of(&words) {
            if self.egocentric {
                return Err(no_eye().into());
            }
            let (stills, fault) = traced(Path::new(trace), named, self.problem.limits(), self.walk)?;
            target.write(out, trace, &stills)?;
            let Some(fault) = fault else {
                return Ok(CommandOutcome::Yes);
            };
            fault.print();
            anstream::eprintln!("the pictures end before this line");
            return Ok(match fault.kind() {
                FailureKind::Input => CommandOutcome::No,
                kind => kind.into(),
            });
        }
        let problems = self.problem.find_among(&words, ActionMode::Declared)?;
        let problems = self.start.apply(self.preconditions.apply(problems)?)?;
        let title = problems.title().to_owned();
        let walk = self.stills(&words.domain, &problems, target.kind.is_of_walks())?;
        target.write(out, &title, &walk.stills)?;
        let Some(step) = walk.failed_step else {
            return Ok(CommandOutcome::Yes);
        };
        match &walk.error {
            Some(error) => anstream::eprintln!("{step}: {error}; the pictures end before it"),
            None => anstream::eprintln!(
                "{step}: the pictures end before it (`herbrand validate` gives the reason; outcomes of chance are drawn from --seed {})",
                self.seed
            ),
        }
        Ok(CommandOutcome::No)
    }

    /// Returns the states of a walk on the first problem; only the last state unless `all`.
    fn stills(&self, domain: &str, problems: &AnyProblems, all: bool) -> Result<DrawnWalk, Failure> {
        let (policy, unknown) = self.policy.known_part(domain, problems, self.engine.into())?;
        let length = match &policy {
            RolloutPolicy::Plans(plans) => plans.first().map_or(0, Vec::len) as u64,
            _ => 0,
        };
        let query = DrawQuery {
            policy,
            steps: self.steps.unwrap_or(length),
            all,
            egocentric: self.egocentric,
            engine: self.engine.into(),
        };
        let progress = Progress::of(query.steps.saturating_add(1), "pictures");
        let run = Run {
            limits: self.problem.limits(),
            seed: self.seed,
            episodes: Some(&|_| progress.advance(1)),
            ..Run::default()
        };
        let mut walk = draw(problems, &query, &run)?;
        progress.finish();
        for warning in &walk.warnings {
            anstream::eprintln!("warning: {warning}");
        }
        walk.failed_step = walk
            .failed_step
            .or_else(|| unknown.map(|failure| failure.to_string()));
        Ok(walk)
    }

    /// Draws all problems of a domain on one sheet, each after --steps random actions.
    fn all(&self, words: &ProblemWords) -> Result<Scene, Failure> {
        let name = words.domain.as_str();
        let sets = self.problem.sets(words, ActionMode::Declared)?;
        let sets: Vec<_> = sets
            .into_iter()
            .map(|set| self.start.apply(set))
            .collect::<Result<_, _>>()?;
        let count: usize = sets.iter().map(AnyProblems::len).sum();
        let progress = Progress::of(count as u64, "pictures");
        let mut pictures = Vec::with_capacity(count);
        for set in &sets {
            for index in 0..set.len() {
                let problem = set.only(index)?;
                let last = self.stills(name, &problem, false)?.stills.pop();
                pictures.extend(last.map(|still| still.scene));
                progress.advance(1);
            }
        }
        progress.finish();
        Ok(sheet(name, pictures, 1600.0))
    }
}

/// Returns the trace (`.jsonl`, or a file that begins like one) among the words, and the domain and problem before it; `None` without a trace.
fn trace_of(words: &ProblemWords) -> Option<(&str, NamedProblem<'_>)> {
    let is_trace = |word: &str| {
        let path = Path::new(word);
        path.extension().is_some_and(|ending| ending == "jsonl") || input::is_trace(path)
    };
    match words.rest.first() {
        Some(trace) if is_trace(trace) => {
            let problem = words.problems.first().map(String::as_str);
            Some((trace, (Some(&words.domain), problem)))
        }
        _ if is_trace(&words.domain) => Some((&words.domain, (None, None))),
        _ => None,
    }
}

/// Returns pictures of the states of a walk of a trace, up to the first line that is faulty, and the fault.
///
/// # Errors
/// Fails if the trace cannot be read, if its problem is not found, or if a line before the walk is faulty.
fn traced(
    trace: &Path,
    named: NamedProblem<'_>,
    limits: Limits,
    walk: u64,
) -> Result<(Vec<ReplayState>, Option<Failure>), Failure> {
    let failed = |failure| Failure::trace(trace, failure);
    let reader = TraceReader::new(input::open(trace)?).map_err(failed)?;
    let problems = TracedProblem::new(trace, named, reader.names())?.find(limits)?;
    let (stills, fault) = reader.stills(&problems, walk).map_err(failed)?;
    let fault = fault.map(failed);
    if !stills.is_empty() {
        return Ok((stills, fault));
    }
    match fault {
        Some(fault) => Err(fault),
        None => refuse(format!(
            "{}: this trace has no walk number {walk}",
            trace.display()
        )),
    }
}

fn still(scene: Scene) -> ReplayState {
    ReplayState {
        scene,
        ..ReplayState::default()
    }
}
