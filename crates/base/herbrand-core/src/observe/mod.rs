//! Observations: the arrays of numbers by which an agent sees states, and the observers that write them.

mod bits;
mod element;
mod layout;

pub use bits::BitRow;
pub(crate) use bits::{set_packed, write_bytes};
pub use element::{Element, ElementKind, Elements};
pub use layout::{ObservationField, ObservationLayout};

use std::fmt::Debug;

use crate::problems::Problems;
use crate::random::Random;

/// Turns states into arrays of numbers. [`Env::observed`](crate::Env::observed) and
/// [`VecEnv::new`](crate::VecEnv::new) take one.
///
/// Each new state is first passed once to [`attend`](Self::attend), which updates the agent's memory and makes all random
/// draws. Afterwards [`write`](Self::write) is a function of state and memory and may be called repeatedly.
///
/// ```text
///   state ──attend (draws, once)──▶ memory
///     │                               │
///     └────────────── write ──────────┴──▶ one row of elements
/// ```
pub trait Observer<P: Problems>: Clone + Debug + Send + Sync {
    /// The number type of the observation.
    type Element: Element;

    /// Returns the layout of a row that fits the observations of every problem. Compiles all problems.
    ///
    /// # Errors
    /// Fails if a problem is faulty. It also fails if compiling a problem exceeds a limit, or if a problem has no such
    /// observation.
    fn layout(&self, problems: &P) -> Result<ObservationLayout, P::Error>;

    /// Checks that the observer can observe the states of a problem; `system` is a system of that problem, in any
    /// state. Environments call it when they enter a problem. The default accepts every problem.
    ///
    /// # Errors
    /// Fails if the observer was not made for the problem.
    fn check(&self, _system: &P::System) -> Result<(), P::Error> {
        Ok(())
    }

    /// Returns the form of the rows of a problem if their elements are bytes with bits of the state, and the observer has no
    /// memory; `system` is a system of the problem, in any state. Batches of many environments are then stepped in blocks
    /// ([`SystemBlock`](crate::SystemBlock)). The default returns `None`.
    fn bit_row(&self, _system: &P::System) -> Option<BitRow> {
        None
    }

    /// Updates the memory for a newly entered state. The memory is empty at the start of an episode. `random` is a
    /// stream used only for observations. The default implementation does nothing, for observations that are a function
    /// of the state. Also called after a state was set, with the memory as it is; not called after a step that was not
    /// carried out.
    fn attend(&self, _system: &P::System, _memory: &mut Memory, _random: &mut Random) {}

    /// Writes the observation of the current state to the front of `into` and returns its length in elements. The rest
    /// of `into` is unchanged. If `into` is too short, the observation is truncated. The length returned is then that
    /// of `into`. It may differ between problems, up to the length of the [`layout`](Self::layout).
    fn write(&self, system: &P::System, memory: &Memory, into: &mut [Self::Element]) -> usize;

    /// Like [`write`](Self::write), but may write only the elements that changed. If `written` is not empty, `into`
    /// holds the observation that this observer last wrote for the same problem, and `written` is the observer's record
    /// of it. The observer then updates `written`. The default implementation writes everything and leaves `written`
    /// empty.
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

/// An observer's record of a row that it has written, in a format of its own, so that [`Observer::rewrite`] need not
/// write every element. Empty if nothing is known about the row. A [`VecEnv`](crate::VecEnv) keeps one per environment
/// and empties it when the row is no longer known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Written {
    /// The record as words.
    pub words: Vec<u64>,
}

/// An observer's memory of the current episode, in a format of its own, such as the last reading of a noisy sensor.
/// Each reset empties it. The environment passes it to [`Observer::attend`] and [`Observer::write`];
/// [`Env::memory`](crate::Env::memory) returns it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    /// The memory as words. Their number may grow during an episode.
    pub words: Vec<u64>,
}

/// An observer whose rows are empty, for agents that inspect states directly. Use [`Env::state`](crate::Env::state) or
/// [`Env::system`](crate::Env::system) to inspect them. [`Env::new`](crate::Env::new) uses it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Unobserved;

impl<P: Problems> Observer<P> for Unobserved {
    type Element = u8;

    fn layout(&self, _problems: &P) -> Result<ObservationLayout, P::Error> {
        Ok(ObservationLayout::default())
    }

    fn bit_row(&self, _system: &P::System) -> Option<BitRow> {
        Some(BitRow::default())
    }

    fn write(&self, _system: &P::System, _memory: &Memory, _into: &mut [u8]) -> usize {
        0
    }
}
