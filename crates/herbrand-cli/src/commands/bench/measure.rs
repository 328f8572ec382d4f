//! Our side of the measurement.

use std::time::Duration;

use herbrand::core::{Policy, RolloutOptions};

use super::Bench;
use crate::commands::rollout::Measure;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::problems::Problems;

/// The rounds of which the fastest counts: other work on the machine slows some of them.
const ROUNDS: u32 = 5;

impl Bench {
    /// Steps a second by the random policy on one thread.
    pub(super) fn measure(&self, problems: &Problems, interrupt: Interrupt) -> Result<f64, Failure> {
        let mut fastest = 0.0_f64;
        for _ in 0..ROUNDS {
            let options = RolloutOptions {
                steps: self.steps,
                seed: self.seed,
                duration: Some(Duration::from_secs_f64(self.seconds / f64::from(ROUNDS))),
                ..RolloutOptions::default()
            };
            let measure = Measure {
                engine: self.engine.into(),
                options: &options,
                policy: &Policy::Random,
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
}
