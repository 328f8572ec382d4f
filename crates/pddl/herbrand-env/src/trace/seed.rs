//! Comparing a trace with the walks that its seed gives.

use herbrand_core::trace::{Seeded, Warning};
use herbrand_core::{Described, Streams, System};

use super::follow::Follower;
use super::{Header, Visit};
use crate::planning::{Planning, SteppingEngine};

/// Compares the outcomes of a trace, and the actions if it says so, with outcomes drawn by its seed, up to the first
/// difference.
///
/// It steps the engine that follows the trace, which returns to a recorded state before it compares anything.
pub(super) struct SeedCheck<W: SteppingEngine> {
    seed: u64,
    seeded: Option<Seeded>,
    /// `None` if the rest of the walk is not compared.
    streams: Option<Streams>,
    /// The state that the seed gives for the next line.
    expected: Option<W::State>,
    /// The first difference.
    pub(super) warning: Option<Warning>,
}

impl<W: SteppingEngine> SeedCheck<W> {
    pub(super) const fn of(header: &Header) -> Self {
        Self {
            seed: header.seed,
            seeded: header.seeded,
            streams: None,
            expected: None,
            warning: None,
        }
    }

    /// Begins a walk with the initial state that the seed gives.
    pub(super) fn begin_walk(&mut self, planning: &mut Planning<W>, walk: u64) {
        self.end_walk();
        if self.seeded.is_none() || self.warning.is_some() {
            return;
        }
        let mut streams = Streams::new(self.seed.wrapping_add(walk));
        if planning.reset(&mut streams.outcomes).is_ok() {
            self.expected = Some(planning.state().clone());
            self.streams = Some(streams);
        }
    }

    /// The state that the seed gives for the next line, if it is compared.
    pub(super) const fn expected(&self) -> Option<&W::State> {
        self.expected.as_ref()
    }

    /// Leaves out the rest of the walk.
    pub(super) fn end_walk(&mut self) {
        self.streams = None;
        self.expected = None;
    }

    /// Compares the state of `engine`, which is the recorded one, with the state that the seed gives.
    pub(super) fn compare_state(&mut self, engine: &Follower<W>, visit: &Visit, line: usize) {
        let Some(expected) = self.expected.take() else {
            return;
        };
        if engine.planning.state() != &expected {
            self.differ(
                if visit.step == 0 {
                    "initial state"
                } else {
                    "outcome"
                },
                line,
            );
        }
    }

    /// Takes the recorded step with the outcome that the seed gives, and compares the action.
    pub(super) fn step(&mut self, planning: &mut Planning<W>, visit: &Visit, line: usize) {
        let (Some(streams), Some(chosen)) = (&mut self.streams, &visit.chosen) else {
            return;
        };
        let mut joint = Vec::new();
        if self.seeded == Some(Seeded::Walks) {
            planning.sample(&mut streams.actions, &mut joint);
            let sampled = joint.first().map(|&choice| planning.choice_text(choice));
            if sampled.as_ref() != Some(chosen) {
                return self.differ("action", line);
            }
        } else {
            joint.extend(planning.parse_choice(chosen));
        }
        match planning.step(&joint, &mut streams.outcomes) {
            Ok(_) => self.expected = Some(planning.state().clone()),
            Err(_) => self.end_walk(),
        }
    }

    fn differ(&mut self, part: &str, line: usize) {
        self.end_walk();
        self.warning = Some(Warning::of_seed(self.seed, part, line));
    }
}
