//! The result of replaying a trace.

use std::fmt;

use super::Warning;

/// The result of replaying a trace in any language, where `D` tells a difference. The trace agrees with this engine if
/// [`first`](Self::first) is `None`. [`replay`](super::replay) and the replayers of the languages return it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay<D> {
    /// The number of states in the trace that were compared or accepted, over all walks. In RDDL, the number of steps.
    pub states: u64,
    /// The number of differences between the trace and this engine; a state may have several.
    pub mismatches: u64,
    /// The first difference; `None` if there is no difference.
    pub first: Option<Mismatch<D>>,
    /// The number of states accepted without comparison, because the preceding step has too many outcomes to enumerate or
    /// was not understood.
    pub unverified: u64,
    /// How many of the `unverified` states follow an action that is unknown or invalid in the domain.
    pub not_understood: u64,
    /// Keys that the format does not have, and header values that differ from the problem, by line. Also the first
    /// outcome or action that the seed of the trace does not give. They do not count as mismatches.
    pub warnings: Vec<Warning>,
}

/// A difference between a trace and its replay, with its position in the trace. [`Replay::first`] is the first one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch<D> {
    /// The line of the trace, counted from 1, which is the header.
    pub line: usize,
    /// The number of the walk (a recorded episode) in the trace, counted from 0. A difference in the header has walk 0
    /// and step 0.
    pub walk: u64,
    /// The number of the step within the walk, counted from 0.
    pub step: u64,
    /// How the trace and this engine differ there.
    pub difference: D,
}

impl<D> Default for Replay<D> {
    /// Nothing is replayed yet.
    fn default() -> Self {
        Self {
            states: 0,
            mismatches: 0,
            first: None,
            unverified: 0,
            not_understood: 0,
            warnings: Vec::new(),
        }
    }
}

impl<D> Replay<D> {
    /// Counts a difference at a line of the trace, and keeps it if it is the first.
    pub fn add(&mut self, line: usize, (walk, step): (u64, u64), difference: D) {
        self.mismatches += 1;
        self.first.get_or_insert(Mismatch {
            line,
            walk,
            step,
            difference,
        });
    }
}

impl<D: fmt::Display> fmt::Display for Mismatch<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            line,
            walk,
            step,
            difference,
        } = self;
        write!(f, "line {line} (walk {walk}, step {step}): {difference}")
    }
}
