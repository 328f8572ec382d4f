//! The random streams of an environment, derived from one seed.

use crate::random::Random;

/// The random streams of an environment. All are derived from one seed and independent: drawing from one does not
/// affect the others. [`Env::streams`](crate::Env::streams) returns those of an environment.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Streams {
    /// Draws the problem at a reset.
    pub problems: Random,
    /// Draws initial states and the outcomes of actions.
    pub outcomes: Random,
    /// Draws sampled actions.
    pub actions: Random,
    /// Draws observations that are not a function of the state.
    pub observations: Random,
}

impl Streams {
    /// Creates the streams of a seed, at their start. [`Env::reset`](crate::Env::reset) with that seed does it.
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

    /// Returns the streams of a seed that episodes of one known problem draw from: `outcomes` and `actions`.
    pub(crate) fn of_episode(seed: u64) -> (Random, Random) {
        let root = Random::new(seed);
        (root.stream(1), root.stream(2))
    }
}
