//! Comparing a trace with the walks that its seed gives.

use herbrand_core::trace::{Seeded, Warning};
use herbrand_core::{Streams, System};
use rand::Rng;

use super::record::action;
use super::{DrawRule, RddlHeader, TraceLine};
use crate::simulate::RddlSimulator;

/// Compares the draws of a trace, and the actions if the header says so, with draws by its seed, up to the first difference.
/// Numbers `u` are compared with the rule of [`DrawRule::Quantiles`] if the header names that rule.
#[derive(Debug)]
pub(super) struct SeedCheck {
    seed: Option<u64>,
    seeded: Option<Seeded>,
    by_rule: bool,
    /// `None` if the rest of the walk is not compared.
    streams: Option<Streams>,
    /// The first differences.
    pub(super) warnings: Vec<Warning>,
}

impl SeedCheck {
    pub(super) fn of(header: &RddlHeader) -> Self {
        Self {
            seed: header.seed,
            seeded: header.seeded,
            by_rule: header.u.as_deref() == Some(DrawRule::IN_WORDS),
            streams: None,
            warnings: Vec::new(),
        }
    }

    /// Begins a walk.
    pub(super) fn begin_walk(&mut self, walk: u64) {
        self.streams = match (self.seed, self.seeded) {
            (Some(seed), Some(_)) => Some(Streams::new(seed.wrapping_add(walk))),
            _ => None,
        };
    }

    /// Compares the action and the draws of `line`; `simulator` is in its state.
    pub(super) fn compare(&mut self, simulator: &RddlSimulator, line: &TraceLine, number: usize) {
        if line.end.is_some() {
            return;
        }
        if let Some(u) = line.u
            && self.by_rule
            && u != DrawRule::quantile(line.walk, line.step)
        {
            self.by_rule = false;
            let message = format!("line {number} has another number than this rule gives");
            self.warnings.push(Warning::of_header("u", message));
        }
        if let Some(part) = self.differing(simulator, line) {
            let seed = self.seed.take().unwrap_or_default();
            self.streams = None;
            self.warnings.push(Warning::of_seed(seed, part, number));
        }
    }

    /// Returns the part of `line` that differs from a walk by the seed; `None` if there is no difference.
    fn differing(&mut self, simulator: &RddlSimulator, line: &TraceLine) -> Option<&'static str> {
        let streams = self.streams.as_mut()?;
        if self.seeded == Some(Seeded::Walks) {
            let mut joint = Vec::new();
            simulator.sample(&mut streams.actions, &mut joint);
            let sampled = action(simulator.compiled(), &joint);
            if line.action.as_ref() != Some(&sampled) {
                return Some("action");
            }
        }
        let key = line.key.as_ref()?;
        let drawn = format!("{:016x}", streams.outcomes.next_u64());
        (*key != drawn).then_some("`key`")
    }
}
