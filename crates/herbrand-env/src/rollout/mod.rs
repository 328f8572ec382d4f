//! Rollouts: a policy over the problems of a suite, measured.

mod digest;
mod policy;
mod worker;

use std::io::Write;

use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

pub use policy::Policy;

use crate::trace::{Recordable, Recorder, TraceError};
use crate::{DeadEnd, EngineKind, EnvError, Episode, InvalidAction, PlanningError, Rules, Suite};
use digest::Traced;
use herbrand_step::Upkeep;
use worker::{Totals, Worker};

/// How a suite is rolled out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RolloutOptions {
    /// How many episodes, over the problems in turn. Without meaning when [`duration`](Self::duration) is set.
    pub episodes: u64,
    /// The longest an episode may be, whatever the suite's settings say.
    pub steps: u32,
    /// Episode `i` is the one that an environment of seed `seed + i` has on its problem.
    pub seed: u64,
    /// How many threads share the episodes. Nothing but the time depends on it.
    pub threads: usize,
    /// Go on for so long instead of for a number of episodes.
    pub duration: Option<Duration>,
    /// Whether episodes go on past the goal.
    pub through_goals: bool,
    /// What steps the problems.
    pub engine: EngineKind,
}

impl Default for RolloutOptions {
    fn default() -> Self {
        Self {
            episodes: 100,
            steps: 10,
            seed: 0,
            threads: 1,
            duration: None,
            through_goals: false,
            engine: EngineKind::Automatic,
        }
    }
}

/// What a rollout came to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rollout {
    /// The number of problems.
    pub problems: usize,
    /// The number of episodes.
    pub episodes: u64,
    /// The number of steps of all episodes.
    pub steps: u64,
    /// The time it took; parsing, grounding and compiling not included.
    pub seconds: f64,
    /// The mean number of valid actions of the states in which an action was chosen or sought.
    pub mean_valid_actions: f64,
    /// How often a step led into the goal.
    pub goals: u64,
    /// The number of episodes that came to a state without a valid action that is no goal state.
    pub dead_ends: u64,
    /// The mean over the episodes of the rewards added up.
    pub mean_return: f64,
    /// A fingerprint of all trajectories, over names and values: every engine gives one walk the same.
    ///
    /// It is the sum over the episodes of a hash of the episode's number, of every step (the action's name, how many
    /// actions were valid, the reward) and of how the final state differs from the initial one.
    pub digest: u64,
}

impl Rollout {
    fn new(suite: &Suite, totals: &Totals, seconds: f64) -> Self {
        Self {
            problems: suite.len(),
            episodes: totals.episodes,
            steps: totals.steps,
            seconds,
            mean_valid_actions: totals.valid as f64 / totals.states.max(1) as f64,
            goals: totals.goals,
            dead_ends: totals.dead_ends,
            mean_return: totals.returns.mean(totals.episodes),
            digest: totals.digest,
        }
    }

    /// Steps a second.
    #[must_use]
    pub fn steps_per_second(&self) -> f64 {
        if self.seconds > 0.0 {
            self.steps as f64 / self.seconds
        } else {
            0.0
        }
    }
}

/// Rolls out a random policy, uniform over the agent's valid actions. `progress` is told how many episodes were
/// finished since it was last called.
///
/// ```
/// use herbrand_env::{ActionMode, Domain, Problem, RolloutOptions, Suite, rollout};
///
/// let domain = Domain::from_text("(define (domain coin) (:predicates (up)) (:action turn :effect (not (up))))")?;
/// let problem = Problem::from_text("(define (problem one) (:domain coin) (:init (up)))", &domain)?;
/// let suite = Suite::from_problems(domain, [problem], ActionMode::Declared)?;
/// let report = rollout(&suite, &RolloutOptions::default(), &|_| ())?;
/// assert_eq!((report.episodes, report.steps), (100, 1000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the suite has no problem, a problem is at fault, or a step is refused: by an ambiguous action, or an effect
/// that divides by zero.
pub fn rollout(
    suite: &Suite,
    options: &RolloutOptions,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Rollout, EnvError> {
    rollout_by(&Policy::Random, suite, options, progress)
}

/// Rolls out a policy, as [`rollout`] does the random one.
///
/// # Errors
/// As [`rollout`].
pub fn rollout_by(
    policy: &Policy,
    suite: &Suite,
    options: &RolloutOptions,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Rollout, EnvError> {
    rollout_until(policy, suite, options, progress, &AtomicBool::new(false))
}

/// Rolls out a policy, as [`rollout_by`] does, until `stop` becomes true: then the episodes under way are cut off, and the
/// result is that of what was done. The digest of a rollout that was stopped depends on when that was.
///
/// # Errors
/// As [`rollout`].
pub fn rollout_until(
    policy: &Policy,
    suite: &Suite,
    options: &RolloutOptions,
    progress: &(dyn Fn(u64) + Sync),
    stop: &AtomicBool,
) -> Result<Rollout, EnvError> {
    match stepping(policy, suite, options)? {
        None => rollout_on(policy, suite, options, progress, stop, |index| {
            suite.engine(index)
        }),
        Some(upkeep) => rollout_on(policy, suite, options, progress, stop, |index| {
            suite.lifted_engine(index, upkeep)
        }),
    }
}

/// How a lifted engine keeps up with the states; `None` for the grounded engine. Without a choice that is the grounded
/// one, unless a problem crosses the limits of grounding.
fn stepping(policy: &Policy, suite: &Suite, options: &RolloutOptions) -> Result<Option<Upkeep>, EnvError> {
    let upkeep = match options.engine {
        EngineKind::Grounded => return Ok(None),
        EngineKind::Automatic => {
            let limit = (0..suite.len()).find_map(|index| suite.instance(index).err());
            match limit {
                None => return Ok(None),
                Some(error) if !error.is_grounding_limit() || matches!(policy, Policy::Plans(_)) => {
                    return Err(error);
                }
                Some(_) => Upkeep::Kept,
            }
        }
        EngineKind::Lifted => Upkeep::Kept,
        EngineKind::Datalog => Upkeep::Evaluated,
    };
    match policy {
        Policy::Plans(_) => Err(EnvError::NeedsGrounding {
            what: "following plans",
        }),
        Policy::Random | Policy::First => Ok(Some(upkeep)),
    }
}

/// Rolls out a policy on engines of one kind.
fn rollout_on<E>(
    policy: &Policy,
    suite: &Suite,
    options: &RolloutOptions,
    progress: &(dyn Fn(u64) + Sync),
    stop: &AtomicBool,
    engine: impl Fn(usize) -> Result<E, EnvError>,
) -> Result<Rollout, EnvError>
where
    E: Traced<Error = PlanningError, Names: Send> + Send,
{
    let workers = (0..options.threads.max(1))
        .map(|_| worker(policy, suite, options, &engine))
        .collect::<Result<Vec<_>, _>>()?;
    let (totals, seconds) = run(workers, options, progress, stop)?;
    Ok(Rollout::new(suite, &totals, seconds))
}

/// Rolls out a policy on one thread and records every episode as a walk of a trace, which is written to `out`. The suite has
/// one problem; `domain` and `problem` go into the header as they are. The time is that of the recording too.
///
/// # Errors
/// As [`rollout`], and when writing fails.
pub fn rollout_recorded(
    policy: &Policy,
    suite: &Suite,
    options: &RolloutOptions,
    (domain, problem): (&str, &str),
    out: impl Write,
) -> Result<Rollout, TraceError> {
    if suite.len() != 1 {
        return Err(TraceError::from(EnvError::NotOneProblem {
            suite: suite.name().to_owned(),
            problems: suite.len(),
        }));
    }
    let seed = options.seed;
    match stepping(policy, suite, options)? {
        None => {
            let recorder = Recorder::new(&suite.engine(0)?, domain, problem, seed, out)?;
            record_on(policy, suite, options, recorder, |index| suite.engine(index))
        }
        Some(upkeep) => {
            let engine = |index| suite.lifted_engine(index, upkeep);
            let recorder = Recorder::new(&engine(0)?, domain, problem, seed, out)?;
            record_on(policy, suite, options, recorder, engine)
        }
    }
}

/// Rolls out a policy on an engine of one kind, and records.
fn record_on<E, W>(
    policy: &Policy,
    suite: &Suite,
    options: &RolloutOptions,
    mut recorder: Recorder<E, W>,
    engine: impl Fn(usize) -> Result<E, EnvError>,
) -> Result<Rollout, TraceError>
where
    E: Traced + Recordable,
    W: Write,
{
    let mut worker = worker(policy, suite, options, &engine)?;
    let start = Instant::now();
    let until = Until {
        deadline: options.duration.map(|duration| start + duration),
        stop: &AtomicBool::new(false),
    };
    let end = until.deadline.map_or(options.episodes, |_| u64::MAX);
    for index in 0..end {
        let (mut step, mut written) = (0, Ok(()));
        worker.episode(index, until, |engine, chosen| {
            if written.is_ok() {
                written = recorder.visit(index, step, engine, chosen);
            }
            step += 1;
        })?;
        written?;
        if until.is_over() {
            break;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    recorder.finish()?;
    Ok(Rollout::new(suite, worker.totals(), seconds))
}

/// A worker with an engine for every problem, at rest.
fn worker<'a, E>(
    policy: &'a Policy,
    suite: &Suite,
    options: &RolloutOptions,
    engine: &impl Fn(usize) -> Result<E, EnvError>,
) -> Result<Worker<'a, E>, EnvError>
where
    E: Traced<Error = PlanningError>,
{
    if suite.is_empty() {
        return Err(EnvError::NoProblems {
            suite: suite.name().to_owned(),
        });
    }
    let rules = Rules {
        horizon: Some(options.steps),
        goal_ends: !options.through_goals,
        dead_end: DeadEnd::Ends,
        invalid: InvalidAction::Error,
    };
    let episodes = (0..suite.len())
        .map(|index| Ok(Episode::new(engine(index)?, rules)))
        .collect::<Result<Vec<_>, EnvError>>()?;
    Ok(Worker::new(policy, episodes, options.seed))
}

/// When a worker stops, whatever is still to do.
#[derive(Clone, Copy)]
struct Until<'a> {
    deadline: Option<Instant>,
    stop: &'a AtomicBool,
}

impl Until<'_> {
    fn is_over(self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// The episodes that are still to do, in runs that workers take one after the other.
struct Queue {
    next: AtomicU64,
    /// The number of episodes; without end when time is the limit.
    end: u64,
    /// How many episodes a worker takes at once.
    run: u64,
    stop: AtomicBool,
}

impl Queue {
    fn new(options: &RolloutOptions) -> Self {
        let end = if options.duration.is_some() {
            u64::MAX
        } else {
            options.episodes
        };
        // About 4,096 steps at once, but no worker should end up with all of them.
        let run = 4096 / u64::from(options.steps.max(1));
        let share = end / (8 * options.threads.max(1) as u64);
        Self {
            next: AtomicU64::new(0),
            end,
            run: run.min(share).max(1),
            stop: AtomicBool::new(false),
        }
    }

    fn take(&self) -> Option<std::ops::Range<u64>> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let start = self.next.fetch_add(self.run, Ordering::Relaxed);
        (start < self.end).then(|| start..self.end.min(start.saturating_add(self.run)))
    }
}

/// Runs all workers on threads of their own, all at once. The time is that from the first worker's start to the last
/// one's end.
fn run<E>(
    workers: Vec<Worker<'_, E>>,
    options: &RolloutOptions,
    progress: &(dyn Fn(u64) + Sync),
    stop: &AtomicBool,
) -> Result<(Totals, f64), EnvError>
where
    E: Traced<Error = PlanningError, Names: Send> + Send,
{
    let queue = Queue::new(options);
    let ready = Barrier::new(workers.len());
    let shifts = thread::scope(|scope| {
        let start = |worker| scope.spawn(|| shift(worker, &queue, &ready, options.duration, progress, stop));
        let threads = workers.into_iter().map(start).collect::<Vec<_>>();
        let join = |thread: ScopedJoinHandle<'_, _>| match thread.join() {
            Ok(shift) => shift,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        threads
            .into_iter()
            .map(join)
            .collect::<Result<Vec<Shift>, EnvError>>()
    })?;
    let mut totals = Totals::default();
    shifts.iter().for_each(|shift| totals.add(&shift.totals));
    let start = shifts.iter().map(|shift| shift.start).min();
    let end = shifts.iter().map(|shift| shift.end).max();
    let time = end.zip(start).map_or(Duration::ZERO, |(end, start)| end - start);
    Ok((totals, time.as_secs_f64()))
}

/// What one worker did, and when.
struct Shift {
    totals: Totals,
    start: Instant,
    end: Instant,
}

fn shift<E>(
    mut worker: Worker<'_, E>,
    queue: &Queue,
    ready: &Barrier,
    duration: Option<Duration>,
    progress: &(dyn Fn(u64) + Sync),
    stop: &AtomicBool,
) -> Result<Shift, EnvError>
where
    E: Traced<Error = PlanningError>,
{
    ready.wait();
    let start = Instant::now();
    let until = Until {
        deadline: duration.map(|duration| start + duration),
        stop,
    };
    let worked = work(&mut worker, queue, until, progress);
    let end = Instant::now();
    if worked.is_err() {
        queue.stop.store(true, Ordering::Relaxed);
    }
    worked.map(|()| Shift {
        totals: *worker.totals(),
        start,
        end,
    })
}

/// Does runs of episodes until there are no more or time is up.
fn work<E>(
    worker: &mut Worker<'_, E>,
    queue: &Queue,
    until: Until<'_>,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(), EnvError>
where
    E: Traced<Error = PlanningError>,
{
    while let Some(run) = queue.take() {
        let count = run.end - run.start;
        for index in run {
            worker.episode(index, until, |_, _| ())?;
            if until.stop.load(Ordering::Relaxed) {
                break;
            }
        }
        progress(count);
        if until.is_over() {
            queue.stop.store(true, Ordering::Relaxed);
        }
    }
    Ok(())
}
