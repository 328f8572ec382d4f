//! Measures Herbrand's own speed.

use std::time::Instant;

use herbrand::core::Rollout;
use herbrand::env::ActionMode;
use herbrand::tasks::open::ProblemWords;
use herbrand::tasks::rollout::{RolloutQuery, roll_out_any};
use herbrand::tasks::{AnyProblems, Run};

use super::Bench;
use crate::failure::Failure;
use crate::input;
use crate::interrupt::Interrupt;

/// The number of rounds. The fastest round counts, because other processes can slow a round but not speed it up.
const ROUNDS: u32 = 5;

impl Bench {
    /// Measures the steps per second of the random policy on one thread.
    pub(super) fn measure(&self, problems: &AnyProblems, interrupt: Interrupt) -> Result<f64, Failure> {
        let mut fastest = 0.0_f64;
        for _ in 0..ROUNDS {
            let query = RolloutQuery {
                engine: self.engine.into(),
                steps: Some(self.steps),
                duration: Some(self.seconds / ROUNDS),
                ..RolloutQuery::default()
            };
            let round = self.rolled_out(problems, &query, interrupt)?;
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
        words: &ProblemWords,
        suite: &AnyProblems,
        interrupt: Interrupt,
    ) -> Result<f64, Failure> {
        let begin = Instant::now();
        let mut least = f64::INFINITY;
        for _ in 0..ROUNDS {
            let start = Instant::now();
            let suites = input::opener(ActionMode::Declared, self.limits.limits()).sets(words, None)?;
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
        let query = RolloutQuery {
            engine: self.engine.into(),
            episodes: Some(suite.len() as u64),
            steps: Some(1),
            ..RolloutQuery::default()
        };
        let start = Instant::now();
        self.rolled_out(suite, &query, interrupt)?;
        Ok(start.elapsed().as_secs_f64())
    }

    /// Rolls out the random policy until Ctrl-C.
    fn rolled_out(
        &self,
        problems: &AnyProblems,
        query: &RolloutQuery,
        interrupt: Interrupt,
    ) -> Result<Rollout, Failure> {
        let run = Run {
            seed: self.seed,
            stop: Some(interrupt.flag()),
            ..Run::default()
        };
        Ok(roll_out_any(problems, query, &run)?)
    }
}
