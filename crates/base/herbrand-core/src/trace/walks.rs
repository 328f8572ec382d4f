//! Recording and replaying walks of any language.

use std::io::{BufRead, Write};

use herbrand_limits::check_enclosing;

use super::{FileError, Header, Recorder, Replay, Seeded, TraceLines, Visit, read_header};
use crate::catalogue::Catalogue;
use crate::describe::Described;
use crate::error::EpisodeFault;
use crate::problems::Problems;
use crate::streams::Streams;
use crate::system::System;

/// The walks that [`record`] takes. Walk `i` draws actions and outcomes by the seed plus `i`. Each action is a random
/// valid one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RandomWalks {
    /// The number of walks. With 0, only the header is written.
    pub walks: u64,
    /// The maximum number of steps per walk; with 0, a walk is its initial state. A walk also ends where no step can be
    /// taken.
    pub steps: u64,
    /// The seed of the first walk.
    pub seed: u64,
}

/// The reason why walks could not be recorded or replayed. [`Problem`](Self::Problem) also reports an unknown problem
/// and an exhausted budget.
#[derive(Debug, thiserror::Error)]
pub enum WalkError<E> {
    /// The file cannot be read or written, or a line of it is malformed or has an action that cannot be parsed or taken.
    #[error(transparent)]
    File(#[from] FileError),
    /// The problem is unknown or cannot be created, a valid step fails, or a budget that
    /// [encloses](herbrand_limits::Budget::enclose) the call is exhausted.
    #[error("{0}")]
    Problem(E),
}

/// Records random walks through the problem at `index` as a trace, and returns the number of states written. The header
/// names the set and the problem. A walk of `n` steps has `n + 1` states. It ends early in a terminal state, a state
/// with a broken invariant, and where [`System::sample`] finds no action, as in a dead end. Neither a goal nor the
/// horizon of the problem ends it.
///
/// ```
/// use herbrand_core::balloon::BalloonProblems;
/// use herbrand_core::trace::{RandomWalks, record, replay};
///
/// let flights = BalloonProblems::new(2);
/// let mut file = Vec::new();
/// let walks = RandomWalks { walks: 2, steps: 10, seed: 7 };
/// let states = record(&flights, 1, walks, &mut file)?;
/// let replayed = replay(&flights, &*file)?;
/// assert_eq!((replayed.states, replayed.first), (states, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if writing fails, there is no such problem, a step fails, or a budget that encloses the call is exhausted.
pub fn record<P: Problems<System: Described>>(
    problems: &P,
    index: usize,
    walks: RandomWalks,
    out: impl Write,
) -> Result<u64, WalkError<P::Error>> {
    let mut system = problems.system(index).map_err(WalkError::Problem)?;
    let failed = |error: <P::System as System>::Error| WalkError::Problem(error.into());
    let problem = problems.problem_name(index).unwrap_or_default();
    let header = Header {
        seeded: Some(Seeded::Walks),
        ..Header::of(&system, (problems.name(), &problem), walks.seed)
    };
    let mut recorder = Recorder::new(&header, out).map_err(FileError::from)?;
    let (mut states, mut joint) = (0, Vec::new());
    for walk in 0..walks.walks {
        let mut streams = Streams::new(walks.seed.wrapping_add(walk));
        system.reset(&mut streams.outcomes).map_err(failed)?;
        for step in 0..=walks.steps {
            check::<P>("recording")?;
            let status = system.status();
            let goes_on = step < walks.steps && !status.terminal && !status.broken;
            let goes_on = goes_on && system.sample(&mut streams.actions, &mut joint);
            let chosen = goes_on.then_some(joint.as_slice());
            let written = recorder.visit(walk, step, &system, chosen);
            written.map_err(FileError::from)?;
            states += 1;
            if !goes_on {
                break;
            }
            system.step(&joint, &mut streams.outcomes).map_err(failed)?;
        }
    }
    recorder.finish().map_err(FileError::from)?;
    Ok(states)
}

/// A difference between a line of a trace and the state that this engine reaches. The key is the first that differs of
/// `fluents`, `derived`, `actions` and `goal`; its values are joined by spaces, or `nothing` if there are none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{key}`: {recorded} in the trace, {here} here")]
pub struct VisitDifference {
    /// The key that differs.
    pub key: &'static str,
    /// The recorded value.
    pub recorded: String,
    /// The value that this engine has.
    pub here: String,
}

/// Replays a trace that [`record`] or a [`Recorder`] wrote: takes the recorded actions with the outcomes that the
/// header's seed gives, and compares every state. It stops at the first difference, which [`Replay::first`] contains:
/// lines after it are not read. A difference is not an error. The header names the problem, and [`Catalogue::index_of`]
/// finds it. A line with step 0 starts a walk from an initial state; any other line belongs to the walk before it. The
/// key `atoms` is not compared, so a state that has only `atoms` differs if it has facts.
///
/// # Errors
/// Fails if reading fails, the header has another version, a line has another form, the set has no such problem, a
/// recorded action cannot be taken, or a budget that encloses the call is exhausted.
pub fn replay<P: Catalogue<System: Described>>(
    problems: &P,
    lines: impl BufRead,
) -> Result<Replay<VisitDifference>, WalkError<P::Error>> {
    watch_replay(problems, lines, |_, _| {})
}

/// Replays a trace like [`replay`], and calls `watch` with each line whose state is the same here and the system in that
/// state, before the step.
///
/// # Errors
/// Fails like [`replay`].
pub fn watch_replay<P: Catalogue<System: Described>>(
    problems: &P,
    mut lines: impl BufRead,
    mut watch: impl FnMut(&Visit, &P::System),
) -> Result<Replay<VisitDifference>, WalkError<P::Error>> {
    let failed = |error: <P::System as System>::Error| WalkError::Problem(error.into());
    let mut header: Header = read_header(&mut lines)?;
    let index = problems.index_of(&header.problem);
    let index = index.map_err(|error| WalkError::Problem(error.into()))?;
    let mut system = problems.system(index).map_err(WalkError::Problem)?;
    let mut streams = Streams::new(header.seed);
    let mut lines = TraceLines::after(&mut header, lines);
    let mut replayed = Replay::default();
    while let Some(visit) = lines.read::<Visit>()? {
        check::<P>("replaying")?;
        if visit.step == 0 {
            streams = Streams::new(header.seed.wrapping_add(visit.walk));
            system.reset(&mut streams.outcomes).map_err(failed)?;
        }
        let broken = |message: String| FileError::Format {
            line: lines.number(),
            message,
        };
        let chosen = visit.chosen.as_ref().map(|text| system.parse_joint(text));
        let chosen = chosen.transpose().map_err(|error| broken(error.to_string()))?;
        let here = Visit::of(visit.walk, visit.step, &system, chosen.as_deref());
        replayed.states += 1;
        if let Some(difference) = difference(&visit, &here) {
            replayed.add(lines.number(), (visit.walk, visit.step), difference);
            break;
        }
        watch(&visit, &system);
        if let Some(joint) = chosen {
            if !system.is_valid(&joint) {
                return Err(broken(system.explain_action(&joint).text).into());
            }
            system.step(&joint, &mut streams.outcomes).map_err(failed)?;
        }
    }
    replayed.warnings = lines.into_warnings();
    Ok(replayed)
}

/// Checks the budgets that enclose the call.
fn check<P: Problems>(work: &'static str) -> Result<(), WalkError<P::Error>> {
    let exhausted = |spent| WalkError::Problem(EpisodeFault::BudgetExhausted(spent).into());
    check_enclosing(work).map_err(exhausted)
}

/// Returns the first key in which two lines differ.
fn difference(recorded: &Visit, here: &Visit) -> Option<VisitDifference> {
    let listed = |facts: &Option<Vec<String>>| facts.clone().unwrap_or_default();
    let lists = [
        ("fluents", listed(&recorded.fluents), listed(&here.fluents)),
        ("derived", listed(&recorded.derived), listed(&here.derived)),
        ("actions", recorded.actions.clone(), here.actions.clone()),
        (
            "goal",
            vec![recorded.goal.to_string()],
            vec![here.goal.to_string()],
        ),
    ];
    let differs = lists.into_iter().find(|(_, recorded, here)| recorded != here);
    let text = |list: Vec<String>| match list.as_slice() {
        [] => "nothing".to_owned(),
        list => list.join(" "),
    };
    differs.map(|(key, recorded, here)| VisitDifference {
        key,
        recorded: text(recorded),
        here: text(here),
    })
}
