//! One seed, four streams.

use crate::Random;

/// The random streams of an environment, all derived from one seed and independent of each other: drawing more from one
/// does not change what the others give.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Streams {
    /// Chooses the problem at a reset.
    pub problems: Random,
    /// Draws the initial state and the outcomes of actions.
    pub outcomes: Random,
    /// Samples actions.
    pub actions: Random,
    /// Draws observations where they are not a function of the state.
    pub observations: Random,
}

impl Streams {
    /// The streams of `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let root = Random::new(seed);
        Self {
            problems: root.stream(0),
            outcomes: root.stream(1),
            actions: root.stream(2),
            observations: root.stream(3),
        }
    }
}
