//! One seed, three streams.

use herbrand_step::Random;

/// The random streams of an environment, all of one seed and independent of each other: drawing more from one
/// does not change what the others bring.
#[derive(Clone, Debug)]
pub struct Streams {
    /// Chooses the problem at a reset.
    pub problems: Random,
    /// Draws the initial state and the outcomes of actions.
    pub outcomes: Random,
    /// Samples actions.
    pub actions: Random,
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
        }
    }

    /// The streams as they are now, as bytes.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let streams = [&self.problems, &self.outcomes, &self.actions];
        streams.map(Random::to_bytes).concat()
    }

    /// The streams that [`to_bytes`](Self::to_bytes) wrote, and the bytes that follow; `None` if it wrote no such bytes.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (streams, rest) = bytes.split_first_chunk::<48>()?;
        let (streams, _) = streams.as_chunks::<16>();
        let [problems, outcomes, actions] = streams else {
            return None;
        };
        let streams = Self {
            problems: Random::from_bytes(*problems)?,
            outcomes: Random::from_bytes(*outcomes)?,
            actions: Random::from_bytes(*actions)?,
        };
        Some((streams, rest))
    }
}
