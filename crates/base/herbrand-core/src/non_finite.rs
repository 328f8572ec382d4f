//! Infinite or NaN returns, and the values that caused them.

use std::fmt;

/// Statistics of the episodes of a rollout with an infinite or NaN return
/// ([`Rollout::non_finite`](crate::Rollout::non_finite)).
#[derive(Clone, PartialEq, Debug)]
pub struct NonFinite {
    /// The number of such episodes.
    pub episodes: u64,
    /// The first infinite or NaN value in the one of these episodes with the smallest number.
    pub first: NonFiniteValue,
}

/// An infinite or NaN value in an episode of a rollout, with the step that computed it. [`NonFinite::first`] and
/// [`EpisodeFault::NonFinite`](crate::EpisodeFault::NonFinite) have one.
#[derive(Clone, PartialEq, Debug)]
pub struct NonFiniteValue {
    /// The number of the episode, counted from 0.
    pub episode: u64,
    /// The index of the episode's problem in the set that was rolled out, counted from 0.
    pub problem: usize,
    /// The number of the step that computed the value, counted from 1; 0 if the value belongs to the initial state. For
    /// a sum of rewards, the last step of the episode.
    pub step: u32,
    /// The name of the state variable or of another value of the step, such as a derived fluent, or `reward`: the first
    /// in the order of computation. If all rewards are finite but their sum is not, `return` or `discounted return`;
    /// [`evaluate()`](crate::evaluate()), which knows only discounted sums, calls them `return`.
    pub name: String,
    /// The value: infinite or NaN.
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
