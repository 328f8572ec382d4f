//! Rollouts: runs of a policy over a set of problems, with statistics.

mod digest;
mod ends;
mod lanes;
mod policy;
mod sum;
mod totals;
mod worker;

use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use herbrand_limits::{carry_over, check_enclosing};

pub use digest::Digest;
pub use ends::EndCounts;
pub use policy::{RolloutPolicy, StateFunction};
use totals::Totals;
use worker::Worker;

use crate::action::{ActionCount, Choice};
use crate::describe::Fingerprinted;
use crate::episode::{Episode, EpisodeRules, InvalidAction};
use crate::error::EpisodeFault;
use crate::non_finite::NonFinite;
use crate::problems::Problems;
use crate::system::System;

/// The options of a rollout ([`roll_out`]). The default has 100 episodes of at most 10 steps, seed 0, one thread, no
/// time limit, and ends episodes at goals. Dead ends and terminal states always end an episode. The four switches are
/// off by default. With 0 steps, no episode takes a step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RolloutOptions {
    /// The number of episodes, assigned to the problems in turn. Ignored if [`duration`](Self::duration) is set.
    /// Episode `i` is of the problem at `i` modulo their number.
    pub episodes: u64,
    /// The maximum number of steps per episode.
    pub steps: u32,
    /// Whether an episode also ends at the horizon of its problem ([`Problems::horizon`]) if that is shorter.
    pub within_horizons: bool,
    /// The seed. Episode `i` equals that of an environment with seed `seed + i` on the same problem.
    pub seed: u64,
    /// The number of threads; 0 counts as 1. It affects the running time, not the result.
    pub threads: usize,
    /// A time limit that replaces the number of episodes; `None` to run exactly [`episodes`](Self::episodes).
    pub duration: Option<Duration>,
    /// Whether episodes continue after reaching the goal, so that goals may be counted several times.
    pub through_goals: bool,
    /// Whether an infinite or NaN return stops the rollout with [`EpisodeFault::NonFinite`].
    pub require_finite: bool,
    /// Whether the means and the deviation of the returns also cover episodes that a broken state invariant ended.
    pub count_broken: bool,
}

impl Default for RolloutOptions {
    fn default() -> Self {
        Self {
            episodes: 100,
            steps: 10,
            within_horizons: false,
            seed: 0,
            threads: 1,
            duration: None,
            through_goals: false,
            require_finite: false,
            count_broken: false,
        }
    }
}

/// The statistics of a rollout, returned by [`roll_out`] and [`watch_roll_out`]. Returns are sums of rewards per
/// episode. Without episodes, the means are 0.
#[derive(Clone, PartialEq, Debug)]
pub struct Rollout {
    /// The number of problems in the set.
    pub problems: usize,
    /// The number of episodes that were run, including any that were cut off when the time was up.
    pub episodes: u64,
    /// The total number of steps.
    pub steps: u64,
    /// The elapsed time in seconds, without reading and compiling the problems.
    pub seconds: f64,
    /// The mean number of valid joint actions over the states in which the policy was asked for an action. For systems whose
    /// joint actions consist of several choices, it is the mean over a sample of at most 64 states from the first episode of
    /// each problem.
    pub mean_valid_actions: ActionCount,
    /// The number of steps from a state in which the goal does not hold to one in which it does.
    pub goals: u64,
    /// The number of episodes that reached a state that has no valid action and is not a goal state.
    pub dead_ends: u64,
    /// The number of steps that violated an action precondition ([`System::has_violated`]).
    pub violating_steps: u64,
    /// The number of episodes by the reason of their end.
    pub ends: EndCounts,
    /// The number of episodes that [`mean_return`](Self::mean_return), [`return_deviation`](Self::return_deviation) and
    /// [`mean_discounted_return`](Self::mean_discounted_return) cover: all but those that a broken state invariant ended,
    /// or all if [`RolloutOptions::count_broken`] is set. If there are none, the means are 0.
    pub counted: u64,
    /// The mean return per episode, the undiscounted sum of its rewards. Infinite or NaN if any return is.
    pub mean_return: f64,
    /// The sample standard deviation of the returns; 0 for fewer than two [counted](Self::counted) episodes, infinite
    /// if a square overflows, NaN if any return is infinite or NaN.
    pub return_deviation: f64,
    /// The mean return with rewards discounted by step ([`Problems::discount`]).
    pub mean_discounted_return: f64,
    /// The episodes with an infinite or NaN return; `None` if every return is finite.
    pub non_finite: Option<NonFinite>,
    /// A fingerprint of all trajectories, over names and values. All systems for the same problem agree on it.
    ///
    /// It is a sum over the episodes. Each term hashes the episode number, every step (the names of its choices, the number
    /// of valid choices, the reward), and the difference between the final and the initial state.
    pub digest: u64,
}

impl Rollout {
    fn new(
        problems: usize,
        totals: &Totals,
        mean_valid_actions: ActionCount,
        non_finite: Option<NonFinite>,
        seconds: f64,
    ) -> Self {
        Self {
            problems,
            episodes: totals.episodes,
            steps: totals.steps,
            seconds,
            mean_valid_actions,
            goals: totals.goals,
            dead_ends: totals.dead_ends,
            violating_steps: totals.violating_steps,
            ends: totals.ends,
            counted: totals.counted,
            mean_return: totals.mean_return(),
            return_deviation: totals.return_deviation(),
            mean_discounted_return: totals.mean_discounted_return(),
            non_finite,
            digest: totals.digest,
        }
    }

    /// Returns the number of steps per second of elapsed time, over all threads together; 0 if no time elapsed.
    /// Episodes that were cut off count with the steps they took.
    #[must_use]
    pub fn steps_per_second(&self) -> f64 {
        if self.seconds > 0.0 {
            self.steps as f64 / self.seconds
        } else {
            0.0
        }
    }
}

/// Runs episodes of `policy` over the problems in turn, on [`threads`](RolloutOptions::threads) threads, and returns
/// statistics. `progress` is called with the number of episodes finished since its last call. When `stop` becomes
/// true, running episodes are cut off and the result covers the work so far. Episode `i` is of the problem at `i`
/// modulo their number. `stop` is read after each episode and every 4096 steps, so some episodes begin even if it is
/// true from the start; `progress` may then count episodes that were not run. Several threads call `progress`.
///
/// # Errors
/// Fails if there is no problem, a problem is faulty, a step is refused, a return is not finite although
/// [`require_finite`](RolloutOptions::require_finite) is set, or a budget that [encloses](herbrand_limits::Budget::enclose)
/// the call is spent.
pub fn roll_out<P>(
    problems: &P,
    policy: &RolloutPolicy,
    options: &RolloutOptions,
    progress: &(dyn Fn(u64) + Sync),
    stop: &AtomicBool,
) -> Result<Rollout, P::Error>
where
    P: Problems<System: Fingerprinted>,
{
    let workers = (0..options.threads.max(1))
        .map(|_| worker(problems, policy, options))
        .collect::<Result<Vec<_>, _>>()?;
    let (totals, seconds) = run(workers, options, progress, stop)?;
    finish(problems, policy, options, &totals, seconds)
}

/// Like [`roll_out`], but on one thread whatever the options say. Calls `watch` once in every state, before the step,
/// with the episode number, the system, the reward of the step that led there (`None` at the start), and the joint action
/// chosen there, or `None` at the end of the episode. The
/// reported time includes that of `watch`.
///
/// # Errors
/// Like [`roll_out`].
pub fn watch_roll_out<P>(
    problems: &P,
    policy: &RolloutPolicy,
    options: &RolloutOptions,
    stop: &AtomicBool,
    mut watch: impl FnMut(u64, &P::System, Option<f64>, Option<&[Choice]>),
) -> Result<Rollout, P::Error>
where
    P: Problems<System: Fingerprinted>,
{
    let mut worker = worker(problems, policy, options)?;
    let start = Instant::now();
    let until = StopConditions {
        deadline: options.duration.map(|duration| start + duration),
        stop,
    };
    let end = until.deadline.map_or(options.episodes, |_| u64::MAX);
    for index in 0..end {
        worker.episode(index, until, |system, reward, joint| {
            watch(index, system, reward, joint)
        })?;
        if until.is_over()? || (options.require_finite && worker.totals().non_finite > 0) {
            break;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    finish(problems, policy, options, worker.totals(), seconds)
}

/// Computes the result from the totals. Reruns the first episode with a non-finite return to find the value that caused it.
fn finish<P>(
    problems: &P,
    policy: &RolloutPolicy,
    options: &RolloutOptions,
    totals: &Totals,
    seconds: f64,
) -> Result<Rollout, P::Error>
where
    P: Problems<System: Fingerprinted>,
{
    let non_finite = match totals.first_non_finite {
        None => None,
        Some(index) => Some(NonFinite {
            episodes: totals.non_finite,
            first: worker(problems, policy, options)?.first_non_finite(index)?,
        }),
    };
    match non_finite {
        Some(non_finite) if options.require_finite => {
            Err(P::Error::from(EpisodeFault::NonFinite(non_finite.first)))
        }
        non_finite => {
            let actions = if P::System::SINGLE_CHOICE {
                ActionCount::Finite(totals.valid as f64 / totals.states.max(1) as f64)
            } else {
                let episodes = totals.episodes.min(problems.len() as u64);
                worker(problems, policy, options)?.sample_counts(episodes)?
            };
            Ok(Rollout::new(problems.len(), totals, actions, non_finite, seconds))
        }
    }
}

/// Creates a worker with an episode for every problem; none is running.
fn worker<'a, P>(
    problems: &P,
    policy: &'a RolloutPolicy,
    options: &RolloutOptions,
) -> Result<Worker<'a, P>, P::Error>
where
    P: Problems<System: Fingerprinted>,
{
    if problems.is_empty() {
        return Err(P::Error::from(EpisodeFault::NoProblems {
            problems: problems.name().to_owned(),
        }));
    }
    let rules = |index| {
        let declared = problems.horizon(index).filter(|_| options.within_horizons);
        EpisodeRules {
            horizon: Some(declared.map_or(options.steps, |declared| declared.min(options.steps))),
            goal_ends: !options.through_goals,
            invalid: InvalidAction::Error,
            ..EpisodeRules::default()
        }
    };
    let episodes = (0..problems.len())
        .map(|index| Ok(Episode::new(problems.system(index)?, rules(index))))
        .collect::<Result<Vec<_>, P::Error>>()?;
    Ok(Worker::new(policy, problems, episodes, options))
}

/// The conditions under which a worker stops early.
#[derive(Clone, Copy)]
struct StopConditions<'a> {
    deadline: Option<Instant>,
    stop: &'a AtomicBool,
}

impl StopConditions<'_> {
    /// Fails if an enclosing budget is spent.
    fn is_over(self) -> Result<bool, EpisodeFault> {
        check_enclosing("rolling out")?;
        Ok(self.stop.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline))
    }
}

/// The numbers of the remaining episodes. Workers take runs of them.
struct Queue {
    next: AtomicU64,
    /// The number of episodes; unbounded if the limit is a duration.
    end: u64,
    /// The number of episodes per run.
    run: u64,
    /// The number of problems if runs are strands.
    strands: Option<u64>,
    stop: AtomicBool,
}

/// A run of episodes.
enum Run {
    /// Consecutive numbers: the problems take turns.
    Turns(std::ops::Range<u64>),
    /// The episodes of one problem: the numbers of a range, in steps of the number of problems.
    Strand(usize, std::ops::Range<u64>),
}

/// The least number of episodes of a strand, if there are as many; and the least number of its steps if the limit is a
/// duration.
const STRAND_EPISODES: u64 = 512;
const STRAND_STEPS: u64 = 1 << 17;

impl Queue {
    /// Creates the queue for workers like `worker`. Runs are strands if the policy is random and a system makes blocks.
    fn new<P>(options: &RolloutOptions, worker: Option<&Worker<'_, P>>) -> Self
    where
        P: Problems<System: Fingerprinted>,
    {
        let end = match options.duration {
            Some(_) => u64::MAX,
            None => options.episodes,
        };
        let (steps, threads) = (u64::from(options.steps.max(1)), options.threads.max(1) as u64);
        let may_block = options.steps > 0 && !options.require_finite && P::System::SINGLE_CHOICE;
        let random = worker.filter(|worker| may_block && worker.is_random());
        let strands = random.and_then(|worker| {
            let problems = worker.problems();
            let all = end.div_ceil(problems);
            let run = match options.duration {
                Some(_) => STRAND_EPISODES.max(STRAND_STEPS / steps),
                None => all.div_ceil(threads).max(STRAND_EPISODES.min(all)),
            };
            let lanes = usize::try_from(run).unwrap_or(usize::MAX);
            worker.has_blocks(lanes).then_some((problems, run))
        });
        // A run has about 4,096 steps, but at most an eighth of a worker's share, so that all workers stay busy.
        let run = (4096 / steps).min(end / (8 * threads)).max(1);
        Self {
            next: AtomicU64::new(0),
            end,
            run: strands.map_or(run, |(_, run)| run),
            strands: strands.map(|(problems, _)| problems),
            stop: AtomicBool::new(false),
        }
    }

    fn take(&self) -> Option<Run> {
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let Some(problems) = self.strands else {
                let start = self.next.fetch_add(self.run, Ordering::Relaxed);
                let end = self.end.min(start.saturating_add(self.run));
                return (start < self.end).then_some(Run::Turns(start..end));
            };
            let turn = self.next.fetch_add(1, Ordering::Relaxed);
            let (round, problem) = (turn / problems, turn % problems);
            let numbers = self.run.saturating_mul(problems);
            let first = round.saturating_mul(numbers);
            if first >= self.end {
                return None;
            }
            let start = first + problem;
            let end = self.end.min(first.saturating_add(numbers));
            if start < end {
                return Some(Run::Strand(problem as usize, start..end));
            }
        }
    }
}

/// Runs all workers in parallel, each on its own thread. The returned time spans from the first worker's start to the last
/// worker's end.
fn run<'a, P>(
    workers: Vec<Worker<'a, P>>,
    options: &RolloutOptions,
    progress: &(dyn Fn(u64) + Sync),
    stop: &AtomicBool,
) -> Result<(Totals, f64), P::Error>
where
    P: Problems<System: Fingerprinted>,
{
    let (queue, ready) = (
        &Queue::new(options, workers.first()),
        &Barrier::new(workers.len()),
    );
    let shifts = thread::scope(|scope| {
        let start = |worker: Worker<'a, P>| {
            scope.spawn(carry_over(move || {
                worker.shift(queue, ready, options.duration, progress, stop)
            }))
        };
        let threads: Vec<_> = workers.into_iter().map(start).collect();
        let shifts = threads.into_iter().map(|thread| match thread.join() {
            Ok(shift) => shift,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        shifts.collect::<Result<Vec<Shift>, P::Error>>()
    })?;
    let mut totals = Totals::default();
    shifts.iter().for_each(|shift| totals.add(&shift.totals));
    let start = shifts.iter().map(|shift| shift.start).min();
    let end = shifts.iter().map(|shift| shift.end).max();
    let time = end.zip(start).map_or(Duration::ZERO, |(end, start)| end - start);
    Ok((totals, time.as_secs_f64()))
}

/// The totals of one worker, and when it worked.
struct Shift {
    totals: Totals,
    start: Instant,
    end: Instant,
}
