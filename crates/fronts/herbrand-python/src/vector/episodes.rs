//! The running episodes of a batch: which environments must begin a new one, and statistics of returns and lengths.

use std::ops::Range;
use std::time::Instant;

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The number of environments that are looked at together for episodes that begin or end.
const TOGETHER: usize = 16;

/// The running episodes of a batch.
pub struct RunningEpisodes {
    /// Whether the next step of an environment begins an episode in place of taking its action.
    begins: Vec<bool>,
    next_step: bool,
    /// The number of steps of the batch so far.
    steps: i64,
    statistics: Option<Statistics>,
}

/// The statistics since the start of each episode.
struct Statistics {
    returns: Vec<f64>,
    /// The number of steps of the batch before the first step of the episode.
    before: Vec<i64>,
    began: Vec<Instant>,
}

/// The episodes that ended in a call.
#[derive(Default)]
pub struct EndedEpisodes {
    any: bool,
    /// Their statistics in the order of the steps; empty if statistics are off.
    statistics: Vec<EndedEpisode>,
}

/// The statistics of an episode that ended.
struct EndedEpisode {
    environment: usize,
    reward: f64,
    length: i64,
    seconds: f64,
}

impl RunningEpisodes {
    /// Creates the episodes of `count` environments. With `next_step` the step after the end of an episode begins the next
    /// one. With `statistics` returns and lengths are recorded.
    pub fn new(count: usize, next_step: bool, statistics: bool) -> Self {
        Self {
            begins: vec![false; count],
            next_step,
            steps: 0,
            statistics: statistics.then(|| Statistics {
                returns: vec![0.0; count],
                before: vec![0; count],
                began: vec![Instant::now(); count],
            }),
        }
    }

    /// Records that episodes begin in the environments that `which` marks.
    pub fn begin(&mut self, which: &[bool]) {
        let now = Instant::now();
        for (environment, _) in which.iter().enumerate().filter(|(_, begins)| **begins) {
            self.begins[environment] = false;
            if let Some(statistics) = &mut self.statistics {
                statistics.begin(environment, self.steps, now);
            }
        }
    }

    /// Records `steps` steps of every environment, with one row per environment and step. Writes whether each row is a step,
    /// and returns the episodes that ended.
    pub fn step(
        &mut self,
        steps: usize,
        rewards: &[f64],
        terminated: &[bool],
        truncated: &[bool],
        stepped: &mut [bool],
    ) -> EndedEpisodes {
        let now = Instant::now();
        let mut over = EndedEpisodes::default();
        stepped.fill(true);
        for step in 0..steps {
            self.steps += 1;
            if let Some(statistics) = &mut self.statistics {
                let rewards = rewards[step..].iter().step_by(steps);
                for (total, reward) in statistics.returns.iter_mut().zip(rewards) {
                    *total += reward;
                }
            }
            for start in (0..self.begins.len()).step_by(TOGETHER) {
                let environments = start..self.begins.len().min(start + TOGETHER);
                if steps == 1 && !self.changes(environments.clone(), terminated, truncated) {
                    continue;
                }
                for environment in environments {
                    let row = environment * steps + step;
                    let (begins, ended) = (self.begins[environment], terminated[row] | truncated[row]);
                    if begins | ended {
                        stepped[row] = !begins;
                        self.change(environment, begins, ended, now, &mut over);
                    }
                }
            }
        }
        over
    }

    /// Returns whether an episode begins or ends in one step of these environments.
    fn changes(&self, environments: Range<usize>, terminated: &[bool], truncated: &[bool]) -> bool {
        let any = |flags: &[bool]| {
            flags[environments.clone()]
                .iter()
                .fold(false, |any, &flag| any | flag)
        };
        any(&self.begins) | any(terminated) | any(truncated)
    }

    /// Records that an episode begins, ends, or does both in a step of an environment, after its reward was added.
    fn change(
        &mut self,
        environment: usize,
        begins: bool,
        ended: bool,
        now: Instant,
        over: &mut EndedEpisodes,
    ) {
        self.begins[environment] = ended && self.next_step;
        over.any |= ended;
        let Some(statistics) = &mut self.statistics else {
            return;
        };
        if begins {
            statistics.begin(environment, self.steps, now);
        }
        if ended {
            over.statistics.push(statistics.end(environment, self.steps, now));
            if !self.next_step {
                statistics.begin(environment, self.steps, now);
            }
        }
    }
}

impl Statistics {
    /// Begins an episode after `steps` steps of the batch.
    fn begin(&mut self, environment: usize, steps: i64, now: Instant) {
        self.returns[environment] = 0.0;
        self.before[environment] = steps;
        self.began[environment] = now;
    }

    /// Returns the statistics of an episode that ends with step number `steps` of the batch.
    fn end(&self, environment: usize, steps: i64, now: Instant) -> EndedEpisode {
        EndedEpisode {
            environment,
            reward: self.returns[environment],
            length: steps - self.before[environment],
            seconds: now.duration_since(self.began[environment]).as_secs_f64(),
        }
    }
}

/// Whether an episode ended in a step, and the statistics of the ended episodes.
pub type InStep<'py> = (bool, Option<Bound<'py, PyDict>>);

/// Returns whether an episode ended in one step, and the statistics of the ended episodes in the format of Gymnasium's wrapper
/// `RecordEpisodeStatistics`; None if no episode ended or statistics are off. The arrays have one element per environment:
/// `r` the sum of rewards, `l` the number of steps, `t` the seconds. Other environments have 0.
pub fn in_step<'py>(py: Python<'py>, count: usize, ended: &EndedEpisodes) -> PyResult<InStep<'py>> {
    let episodes = &ended.statistics;
    if episodes.is_empty() {
        return Ok((ended.any, None));
    }
    let (mut rewards, mut lengths, mut seconds) = (vec![0.0; count], vec![0; count], vec![0.0; count]);
    for ended in episodes {
        rewards[ended.environment] = ended.reward;
        lengths[ended.environment] = ended.length;
        seconds[ended.environment] = (ended.seconds * 1e6).round() / 1e6;
    }
    let summary = PyDict::new(py);
    summary.set_item(pyo3::intern!(py, "r"), PyArray1::from_vec(py, rewards))?;
    summary.set_item(pyo3::intern!(py, "l"), PyArray1::from_vec(py, lengths))?;
    summary.set_item(pyo3::intern!(py, "t"), PyArray1::from_vec(py, seconds))?;
    Ok((true, Some(summary)))
}

/// The returns and the lengths of episodes, as arrays.
pub type Lists<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<i64>>);

/// Returns the returns and the lengths of episodes in their order.
pub fn in_order<'py>(py: Python<'py>, ended: &EndedEpisodes) -> Lists<'py> {
    let rewards = ended.statistics.iter().map(|one| one.reward);
    let lengths = ended.statistics.iter().map(|one| one.length);
    (PyArray1::from_iter(py, rewards), PyArray1::from_iter(py, lengths))
}
