//! What an agent sees.

mod element;
mod layout;

pub use element::{Element, ElementKind, Elements};
pub use layout::{ObservationField, ObservationLayout};

use std::fmt::Debug;

use crate::{Problems, Random};

/// A way of turning states into arrays of numbers.
///
/// A new state is first [attended](Self::attend) to, once, which updates what the agent remembers and makes all draws;
/// after that, [writing](Self::write) the observation is a function of state and memory, and may be repeated.
///
/// ```text
///   state ──attend (draws, once)──▶ memory
///     │                               │
///     └────────────── write ──────────┴──▶ one row of elements
/// ```
pub trait Observer<P: Problems>: Clone + Debug + Send + Sync {
    /// The type of one number.
    type Element: Element;

    /// What a row consists of, wide enough for every problem. Compiles all of them.
    ///
    /// # Errors
    /// When a problem is at fault.
    fn layout(&self, problems: &P) -> Result<ObservationLayout, P::Error>;

    /// Takes in a state that the system has just come to. The memory is empty at the start of an episode. Draws come from
    /// a stream of their own.
    fn attend(&self, _system: &P::System, _memory: &mut Memory, _random: &mut Random) {}

    /// Writes the observation of the current state to the front of `into`, and returns how many elements that took. What
    /// follows stays as it is. If `into` is too short, the observation is truncated.
    fn write(&self, system: &P::System, memory: &Memory, into: &mut [Self::Element]) -> usize;

    /// Does what [`write`](Self::write) does, where `into` holds what this observer wrote last of the same problem's episodes,
    /// if `written` is not empty: its note of what that was. An observer that takes notes writes only what changed.
    fn rewrite(
        &self,
        system: &P::System,
        memory: &Memory,
        _written: &mut Written,
        into: &mut [Self::Element],
    ) -> usize {
        self.write(system, memory, into)
    }
}

/// What an observer notes of a row that it has written: words whose meaning is its own. No words: nothing is known of the
/// row.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Written {
    /// The words.
    pub words: Vec<u64>,
}

/// What an agent remembers of its episode: words whose meaning is the observer's own.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    /// The words. Their number may grow during an episode.
    pub words: Vec<u64>,
}

/// Observations of no elements, for those who look at states themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Unobserved;

impl<P: Problems> Observer<P> for Unobserved {
    type Element = u8;

    fn layout(&self, _problems: &P) -> Result<ObservationLayout, P::Error> {
        Ok(ObservationLayout::default())
    }

    fn write(&self, _system: &P::System, _memory: &Memory, _into: &mut [u8]) -> usize {
        0
    }
}
