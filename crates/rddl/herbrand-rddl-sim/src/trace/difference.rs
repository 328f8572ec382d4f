//! Differences between a trace and this engine.

use std::fmt;

/// All differences between a recorded step and the same step in this engine. [`Replay`](super::Replay) has those of the
/// first step with any. `Display` joins them by semicolons.
#[derive(Clone, PartialEq, Debug)]
pub struct StepDifferences(pub Vec<Difference>);

/// A difference between a recorded step and the same step in this engine.
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

impl fmt::Display for StepDifferences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<_> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&texts.join("; "))
    }
}
