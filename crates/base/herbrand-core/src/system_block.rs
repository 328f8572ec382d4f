//! Many copies of one system, stepped together.

use crate::random::Random;

/// Many copies of one system, its *lanes*, which are stepped together: in one block of memory, so that they share the work
/// that is the same for all. Every lane has the states, choices, rewards and draws that the system has alone.
/// [`BatchSystem::block`](crate::BatchSystem::block) makes one, for systems whose joint actions are single choices
/// ([`System::SINGLE_CHOICE`](crate::System::SINGLE_CHOICE)) and whose steps never fail.
///
/// Sets of lanes are words: lane `i` is bit `i % 64` of word `i / 64`; bits beyond the last lane are 0 in the sets of a caller.
/// Lists by lane, such as generators, have an entry for every bit of these words.
///
/// ```text
///   reset(which) ──▶ goals, dead_ends        lanes that are dead ends are not sampled
///   sample(which) ─▶ counts, choice_hashes
///   step() ────────▶ rewards, goals, dead_ends
/// ```
pub trait SystemBlock: Send {
    /// Returns the number of lanes, a multiple of 64.
    fn lanes(&self) -> usize;

    /// Moves lanes to initial states, as [`System::reset`](crate::System::reset) does.
    fn reset(&mut self, which: &[u64], chance: &mut [Random]);

    /// Returns the lanes in which the goal holds.
    fn goals(&self) -> &[u64];

    /// Returns the lanes in which no joint action is valid.
    fn dead_ends(&self) -> &[u64];

    /// Draws a valid joint action for each of some lanes, as [`System::sample`](crate::System::sample) does, for the next
    /// [`step`](Self::step). None of them may be a dead end.
    fn sample(&mut self, which: &[u64], random: &mut [Random]);

    /// Returns the number of valid choices of each lane at the last [`sample`](Self::sample); 0 for a lane that was not
    /// sampled.
    fn counts(&self) -> &[u32];

    /// Returns the hash of the choice that the last [`sample`](Self::sample) drew in each lane
    /// ([`Fingerprinted::choice_hash`](crate::Fingerprinted::choice_hash)). For a lane that was not sampled, it has no meaning.
    fn choice_hashes(&self) -> &[u64];

    /// Carries out the joint actions of the last [`sample`](Self::sample); other lanes do not change.
    fn step(&mut self, chance: &mut [Random]);

    /// Returns the reward of the last [`step`](Self::step) in each lane; 0 for a lane that did not change.
    fn rewards(&self) -> &[f64];

    /// Calls `visit` with each of some lanes, ascending, and the fingerprint of its state
    /// ([`Fingerprinted::state_hash`](crate::Fingerprinted::state_hash)).
    fn state_hashes(&mut self, which: &[u64], visit: &mut dyn FnMut(usize, u64));
}
