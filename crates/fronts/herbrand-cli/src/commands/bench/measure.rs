//! Measures Herbrand's own speed.

use std::time::Instant;

use herbrand::core::{RolloutOptions, RolloutPolicy};
use herbrand::tasks::AnyProblems;

use super::Bench;
use crate::commands::rollout::Measure;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::problem::CommandWords;

/// The number of rounds. The fastest round counts, because other processes can slow a round but not speed it up.
const ROUNDS: u32 = 5;

impl Bench {
    /// Measures the steps per second of the random policy on one thread.
    pub(super) fn measure(&self, problems: &AnyProblems, interrupt: Interrupt) -> Result<f64, Failure> {
        let mut fastest = 0.0_f64;
        for _ in 0..ROUNDS {
            let options = RolloutOptions {
                steps: self.steps,
                seed: self.seed,
                duration: Some(self.seconds / ROUNDS),
                ..RolloutOptions::default()
            };
            let measure = Measure {
                engine: self.engine.into(),
                options: &options,
                policy: &RolloutPolicy::Random,
                stop: interrupt.flag(),
            };
            let round = measure.plain(problems, &|_| ())?;
            fastest = fastest.max(round.steps_per_second());
            if interrupt.is_pressed() {
                break;
            }
        }
        Ok(fastest)
    }

    /// Measures the seconds from a problem's files to its first step, as the mean over the problems of a suite. Repeats the
    /// measurement while time remains and returns the minimum. `words` are the command-line words that name the suite.
    pub(super) fn first_step(
        &self,
        words: &CommandWords,
        suite: &AnyProblems,
        interrupt: Interrupt,
    ) -> Result<f64, Failure> {
        let begin = Instant::now();
        let mut least = f64::INFINITY;
        for _ in 0..ROUNDS {
            let start = Instant::now();
            let suites = words.read(self.limits.limits())?;
            let all: usize = suites.iter().map(AnyProblems::len).sum();
            let read = start.elapsed().as_secs_f64() / all.max(1) as f64;
            if let Some(fresh) = suites.iter().find(|fresh| fresh.name() == suite.name()) {
                least = least.min(read + self.first_steps(fresh, interrupt)? / fresh.len().max(1) as f64);
            }
            if interrupt.is_pressed() || begin.elapsed() > self.seconds {
                break;
            }
        }
        Ok(least)
    }

    /// Compiles every problem of a freshly read suite, takes one step in each, and returns the total seconds.
    fn first_steps(&self, suite: &AnyProblems, interrupt: Interrupt) -> Result<f64, Failure> {
        let options = RolloutOptions {
            episodes: suite.len() as u64,
            steps: 1,
            seed: self.seed,
            ..RolloutOptions::default()
        };
        let measure = Measure {
            engine: self.engine.into(),
            options: &options,
            policy: &RolloutPolicy::Random,
            stop: interrupt.flag(),
        };
        let start = Instant::now();
        measure.plain(suite, &|_| ())?;
        Ok(start.elapsed().as_secs_f64())
    }
}
