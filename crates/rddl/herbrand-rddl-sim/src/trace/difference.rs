//! Differences between a trace and this engine.

use std::fmt;

/// A step of a trace with different results in this engine, with its position. [`Replay`](super::Replay) contains the first
/// one.
#[derive(Clone, PartialEq, Debug)]
pub struct Mismatch {
    /// The line of the trace that has the step, counted from 1; the header is line 1.
    pub line: usize,
    /// The number of the walk in the trace, counted from 0. A walk is one recorded episode.
    pub walk: u64,
    /// The number of the step in its walk, counted from 0.
    pub step: u64,
    /// All differences of the step.
    pub differences: Vec<Difference>,
}

/// A difference between a recorded step and the same step in this engine. [`Mismatch::differences`] lists them.
#[derive(Clone, PartialEq, Debug)]
pub enum Difference {
    /// A different value: of a fluent, of the reward, of the violated preconditions, of the end of the episode, or of the
    /// number of values of a group of fluents.
    Value {
        /// The name of the ground fluent, or the key in the line.
        name: String,
        /// The recorded value.
        recorded: String,
        /// The value in this engine.
        here: String,
    },
    /// The walk does not begin in the initial state: this fluent differs.
    Start {
        /// The name of the ground fluent.
        name: String,
        /// The recorded value.
        recorded: String,
        /// The value in the initial state of the problem.
        here: String,
    },
    /// This engine refuses the recorded step, for the given reason.
    Refused(String),
    /// The step was refused when it was recorded, but this engine takes it.
    Accepted {
        /// The error in the trace.
        recorded: String,
    },
    /// This engine does not have the recorded action, for the given reason.
    Action(String),
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { name, recorded, here } => {
                write!(f, "{name} is {here} here, and {recorded} in the trace")
            }
            Self::Start { name, recorded, here } => {
                write!(f, "{name} is {here} initially, and {recorded} in the trace")
            }
            Self::Refused(error) => write!(f, "the step is refused here: {error}"),
            Self::Accepted { recorded } => {
                write!(f, "the step is taken here, and refused in the trace: {recorded}")
            }
            Self::Action(fault) => write!(f, "the recorded action has no meaning here: {fault}"),
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// The maximum number of differences shown.
        const SHOWN: usize = 12;
        let Self { line, walk, step, .. } = self;
        write!(f, "line {line} (walk {walk}, step {step}):")?;
        match &*self.differences {
            [one] => write!(f, " {one}"),
            all => {
                let mut shown = all.iter().take(SHOWN);
                shown.try_for_each(|one| write!(f, "\n  {one}"))?;
                match all.len() {
                    count if count > SHOWN => write!(f, "\n  … ({count} in all)"),
                    _ => Ok(()),
                }
            }
        }
    }
}
