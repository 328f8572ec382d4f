//! Returns that are infinite or NaN, and where they come from.

use std::fmt;

/// Episodes whose return is infinite or NaN.
#[derive(Clone, PartialEq, Debug)]
pub struct NonFinite {
    /// How many there are.
    pub episodes: u64,
    /// The first value that is infinite or NaN in the first of these episodes.
    pub first: NonFiniteValue,
}

/// A value that is infinite or NaN.
#[derive(Clone, PartialEq, Debug)]
pub struct NonFiniteValue {
    /// The number of the episode, from 0.
    pub episode: u64,
    /// The index of the episode's problem.
    pub problem: usize,
    /// The number of the step that computed the value, from 1; 0 for a value of the initial state.
    pub step: u32,
    /// The state variable, `reward`, or, if all rewards are finite and their sum is not, `return` or `discounted return`.
    pub name: String,
    /// The value.
    pub value: f64,
}

impl fmt::Display for NonFiniteValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = match self.value {
            value if value.is_nan() => "NaN",
            value if value > 0.0 => "∞",
            _ => "-∞",
        };
        let Self {
            episode, step, name, ..
        } = self;
        match step {
            0 => write!(f, "`{name}` is {value} in the initial state of episode {episode}"),
            _ => write!(f, "step {step} of episode {episode} makes `{name}` {value}"),
        }
    }
}
