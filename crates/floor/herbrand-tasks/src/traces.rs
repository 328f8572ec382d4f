//! Traces: random walks that are recorded, replayed, and drawn.

use std::fmt::Display;
use std::io::{BufRead, Chain, Cursor, Read as _, Write};

use herbrand_core::trace::{
    Mismatch, RandomWalks, Replay, TraceLines, record as record_edits, replay as replay_edits, watch_replay,
};
use herbrand_core::{Catalogue as _, Described as _, Problems as _};
use herbrand_env::trace::{Header, Replayer, Visit};
use herbrand_env::{EngineKind, RolloutOptions, RolloutPolicy, StatePicture, Suite, rollout_recorded};
use herbrand_pddlworld::{WorldError, Worlds};
use herbrand_rddl_sim::suite::RddlSuite;
use herbrand_rddl_sim::trace::{self as rddl, Cell, RddlHeader, TraceLine};
use herbrand_render::{DrawnValue, Moment, NamedFact, Pictured as _, ReplayState};

use crate::failure::TaskFailure;
use crate::problems::AnyProblems;
use crate::step_faults::FaultTotals;

/// Records random walks through the first of the problems as a trace, whose header has the `names` of domain and problem. Walks
/// continue past goals. In RDDL, all draws of a step are quantiles of one number, so that other engines can reproduce the trace.
/// Returns a sentence about violated preconditions and broken invariants, if there are any.
///
/// ```
/// use herbrand_core::trace::RandomWalks;
/// use herbrand_env::{EngineKind, Registry};
/// use herbrand_tasks::AnyProblems;
/// use herbrand_tasks::traces::{TraceReader, record};
///
/// let problems = AnyProblems::Pddl(Registry::get("blocks")?).only(0)?;
/// let walks = RandomWalks { walks: 2, steps: 5, seed: 7 };
/// let mut file = Vec::new();
/// record(&problems, walks, EngineKind::Automatic, ("blocks", "train/01"), &mut file)?;
/// let replayed = TraceReader::new(&*file)?.replay(&problems, EngineKind::Automatic)?;
/// assert_eq!((replayed.states, replayed.mismatches), (12, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the problem is faulty, writing fails, or a step has no result.
pub fn record(
    problems: &AnyProblems,
    walks: RandomWalks,
    engine: EngineKind,
    names: (&str, &str),
    mut out: &mut dyn Write,
) -> Result<Option<String>, TaskFailure> {
    problems.takes_engine(engine)?;
    match problems {
        AnyProblems::Pddl(suite) => {
            let options = RolloutOptions {
                episodes: walks.walks,
                steps: u32::try_from(walks.steps).unwrap_or(u32::MAX),
                seed: walks.seed,
                through_goals: true,
                ..RolloutOptions::default()
            };
            rollout_recorded(&RolloutPolicy::Random, suite, engine, &options, names, out)?;
            Ok(None)
        }
        AnyProblems::Rddl(suite) => {
            let options = rddl::RecordOptions {
                walks: walks.walks,
                steps: walks.steps,
                seed: walks.seed,
                ..rddl::RecordOptions::default()
            };
            let recorded = rddl::record(suite.simulator(0)?, names, &options, &mut out)?;
            out.flush()?;
            let totals = FaultTotals {
                violating: recorded.violating_steps,
                steps: recorded.steps,
                effect: suite.preconditions(),
                broken: recorded.broken_walks,
                episodes: walks.walks,
            };
            Ok(totals.sentence("walk"))
        }
        AnyProblems::World(worlds) => {
            record_edits(worlds, 0, walks, out)?;
            Ok(None)
        }
    }
}

/// A trace whose header is read. [`new`](Self::new) makes one.
pub struct TraceReader<R> {
    header: AnyHeader,
    /// The line of the header.
    first: String,
    lines: R,
}

/// The header of a trace in each form.
enum AnyHeader {
    /// States, of PDDL and of domains under edit.
    Visits(Header),
    /// Steps, of RDDL.
    Steps(RddlHeader),
}

impl<R: BufRead> TraceReader<R> {
    /// Reads the header of a trace. Then find its problem by its [`names`](Self::names), and [`replay`](Self::replay) or
    /// [draw](Self::stills) it.
    ///
    /// # Errors
    /// Fails if reading fails, or the first line is no header.
    pub fn new(mut lines: R) -> Result<Self, TaskFailure> {
        let mut first = String::new();
        lines.read_line(&mut first)?;
        // A header of RDDL names an instance.
        let header = if first.contains("\"instance\"") {
            AnyHeader::Steps(rddl::Replayer::read_header(&mut first.as_bytes())?)
        } else {
            AnyHeader::Visits(Replayer::read_header(&mut first.as_bytes())?)
        };
        Ok(Self { header, first, lines })
    }

    /// Returns the names of the domain and the problem: those of files or of bundled problems.
    pub fn names(&self) -> (&str, &str) {
        match &self.header {
            AnyHeader::Visits(header) => (&header.domain, &header.problem),
            AnyHeader::Steps(header) => (&header.domain, &header.instance),
        }
    }

    /// Follows the trace, whose problem is the first of these, and compares every state.
    ///
    /// # Errors
    /// Fails if reading fails, a line is faulty, or the trace is of other problems.
    pub fn replay(self, problems: &AnyProblems, engine: EngineKind) -> Result<Replay<String>, TaskFailure> {
        problems.takes_engine(engine)?;
        match (self.header, problems) {
            (AnyHeader::Visits(header), AnyProblems::Pddl(suite)) => {
                let replayer = Replayer::with_engine(suite, 0, engine, header)?;
                Ok(told(replayer.replay(self.lines)?))
            }
            (AnyHeader::Visits(_), AnyProblems::World(worlds)) => {
                Ok(told(replay_edits(worlds, whole(self.first, self.lines))?))
            }
            (AnyHeader::Steps(header), AnyProblems::Rddl(suite)) => {
                let replayer = rddl::Replayer::new(suite.compiled(0)?, header)?;
                Ok(told(replayer.replay(self.lines)?))
            }
            (header, other) => Err(unfit(&header, other)),
        }
    }

    /// Returns the pictures of a walk of the trace, whose problem is the first of these. They end before the first line that is
    /// faulty, whose fault is returned.
    ///
    /// # Errors
    /// Fails if the problem is faulty, or the trace is of other problems.
    pub fn stills(self, problems: &AnyProblems, walk: u64) -> Result<DrawnTrace, TaskFailure> {
        match (self.header, problems) {
            (AnyHeader::Visits(header), AnyProblems::Pddl(suite)) => {
                of_states(suite, header, self.lines, walk)
            }
            (AnyHeader::Visits(header), AnyProblems::World(worlds)) => {
                of_edits(worlds, &header, whole(self.first, self.lines), walk)
            }
            (AnyHeader::Steps(header), AnyProblems::Rddl(suite)) => of_steps(suite, header, self.lines, walk),
            (header, other) => Err(unfit(&header, other)),
        }
    }
}

/// The pictures of a walk, and the fault of the line at which they end.
pub type DrawnTrace = (Vec<ReplayState>, Option<TaskFailure>);

/// Returns the lines of a trace with its header.
fn whole<R: BufRead>(first: String, lines: R) -> Chain<Cursor<String>, R> {
    Cursor::new(first).chain(lines)
}

/// Returns the failure of a trace of problems in another language.
fn unfit(header: &AnyHeader, problems: &AnyProblems) -> TaskFailure {
    let languages = match header {
        AnyHeader::Visits(_) => "PDDL",
        AnyHeader::Steps(_) => "RDDL",
    };
    problems.unsupported("this trace", languages)
}

/// Returns a replay whose difference is a text.
fn told(replayed: Replay<impl Display>) -> Replay<String> {
    Replay {
        states: replayed.states,
        mismatches: replayed.mismatches,
        first: replayed.first.map(|first| Mismatch {
            line: first.line,
            walk: first.walk,
            step: first.step,
            difference: first.difference.to_string(),
        }),
        unverified: replayed.unverified,
        not_understood: replayed.not_understood,
        warnings: replayed.warnings,
    }
}

fn of_states(
    suite: &Suite,
    mut header: Header,
    lines: impl BufRead,
    walk: u64,
) -> Result<DrawnTrace, TaskFailure> {
    let picture = StatePicture::of(suite, 0, &suite.engine(0)?)?;
    let mut stills = Vec::new();
    let mut lines = TraceLines::after(&mut header, lines);
    loop {
        let visit = match lines.read::<Visit>() {
            Ok(Some(visit)) => visit,
            Ok(None) => return Ok((stills, None)),
            Err(error) => return Ok((stills, Some(error.into()))),
        };
        if visit.walk != walk {
            continue;
        }
        let lists = [&visit.fluents, &visit.derived, &visit.atoms];
        let texts: Vec<_> = lists.into_iter().flatten().flatten().cloned().collect();
        let moment = Moment {
            facts: texts.iter().map(|text| atom(text)).collect(),
            captions: vec![caption(walk, visit.step)],
            ..Moment::default()
        };
        let moment = picture.with_goal(moment, visit.goal);
        stills.push(ReplayState {
            scene: picture.scene_of(&moment),
            ..listed(&visit, texts)
        });
    }
}

/// Takes the recorded edits again, because the lines of a trace do not list the literals.
fn of_edits(
    worlds: &Worlds,
    header: &Header,
    lines: impl BufRead,
    walk: u64,
) -> Result<DrawnTrace, TaskFailure> {
    let index = worlds.index_of(&header.problem).map_err(WorldError::from)?;
    let renderer = worlds.renderer(index, &worlds.system(index)?)?;
    let mut stills = Vec::new();
    let replayed = watch_replay(worlds, lines, |visit, world| {
        if visit.walk != walk {
            return;
        }
        let mut moment = renderer.moment(world);
        moment.captions.push(caption(walk, visit.step));
        let mut facts = Vec::new();
        world.facts(&mut |fact| facts.push(fact.to_string()));
        stills.push(ReplayState {
            scene: renderer.scene_of(&moment),
            ..listed(visit, facts)
        });
    });
    let fault = match replayed {
        Ok(replayed) => replayed
            .first
            .map(|first| TaskFailure::Trace(first.to_string().into())),
        Err(error) => Some(error.into()),
    };
    Ok((stills, fault))
}

/// Returns the state of a replay without its picture.
fn listed(visit: &Visit, facts: Vec<String>) -> ReplayState {
    ReplayState {
        action: visit.chosen.clone(),
        valid_summary: format!("({})", visit.actions.len()),
        valid: visit.actions.clone(),
        facts,
        note: LAST.to_owned(),
        ..ReplayState::default()
    }
}

/// The note at the last state of a walk.
const LAST: &str = "The walk ends here.";

fn caption(walk: u64, step: u64) -> String {
    format!("walk {walk}, step {step}")
}

fn of_steps(
    suite: &RddlSuite,
    mut header: RddlHeader,
    lines: impl BufRead,
    walk: u64,
) -> Result<DrawnTrace, TaskFailure> {
    let picture = suite.renderer(0, &suite.simulator(0)?)?;
    let mut stills = Vec::new();
    let mut lines = TraceLines::after(&mut header, lines);
    loop {
        let line = match lines.read::<TraceLine>() {
            Ok(Some(line)) => line,
            Ok(None) => return Ok((stills, None)),
            Err(error) => return Ok((stills, Some(error.into()))),
        };
        if line.walk != walk {
            continue;
        }
        let values = || header.state_names.iter().zip(&line.state);
        let moment = Moment {
            facts: values().filter_map(|(name, cell)| fluent(name, cell)).collect(),
            captions: vec![caption(walk, line.step)],
            ..Moment::default()
        };
        let joint = line.action.as_ref().map(|action| {
            let choices = action.iter().map(|(name, cell)| format!("{name}={cell}"));
            choices.collect::<Vec<_>>().join(", ")
        });
        let named = |joint: String| {
            if joint.is_empty() {
                "no action".to_owned()
            } else {
                joint
            }
        };
        stills.push(ReplayState {
            scene: picture.scene_of(&moment),
            action: joint.map(named),
            // RDDL traces do not list the valid actions.
            valid_summary: "(not in the trace)".to_owned(),
            valid: Vec::new(),
            facts: values().map(|(name, cell)| format!("{name} = {cell}")).collect(),
            note: line.end.unwrap_or_else(|| LAST.to_owned()),
        });
    }
}

/// Parses a fact in PDDL syntax, such as `(on a b)`.
fn atom(text: &str) -> NamedFact {
    let inner = text.trim().trim_start_matches('(').trim_end_matches(')');
    let mut words = inner.split_whitespace().map(str::to_ascii_lowercase);
    NamedFact {
        name: words.next().unwrap_or_default(),
        arguments: words.collect(),
        value: DrawnValue::True,
    }
}

/// Parses a ground fluent, written as `fluent___o1__o2`, and its value; `None` if the value is false.
fn fluent(name: &str, cell: &Cell) -> Option<NamedFact> {
    let value = match cell {
        Cell::Bool(false) => return None,
        Cell::Bool(true) => DrawnValue::True,
        Cell::Int(value) => DrawnValue::Number(*value as f64),
        Cell::Real(value) => DrawnValue::Number(*value),
        Cell::Text(name) => DrawnValue::Symbol(name.trim_start_matches('@').to_owned()),
    };
    let (name, arguments) = name.split_once("___").unwrap_or((name, ""));
    let arguments = arguments.split("__").filter(|argument| !argument.is_empty());
    Some(NamedFact {
        name: name.to_owned(),
        arguments: arguments.map(str::to_owned).collect(),
        value,
    })
}
