//! Many copies of one system, stepped together.

use crate::random::Random;

/// A bit of an observation row: an element of [`BitRow::bits`](crate::BitRow::bits), which [`SystemBlock::write_bits`]
/// writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowBit {
    /// Always 0.
    Zero,
    /// Always 1.
    One,
    /// A bit of the state, by the number that the blocks of the system give it.
    State(u32),
}

/// Many copies of one system, its *lanes*, which are stepped together: in one block of memory, so that they share the work
/// that is the same for all. Every lane has the states, choices, rewards and draws that the system has alone.
/// [`BatchSystem::block`](crate::BatchSystem::block) makes one, for systems whose joint actions are single choices of one
/// discrete field ([`System::SINGLE_CHOICE`](crate::System::SINGLE_CHOICE)) and whose valid steps never fail.
///
/// Sets of lanes are words: lane `i` is bit `i % 64` of word `i / 64`; bits beyond the last lane are 0 in the sets of a caller.
/// Lists by lane, such as generators, have an entry for every bit of these words.
///
/// ```text
///   reset(which) ─────────▶ goals, dead_ends
///   sample(which) ────────▶ choices, counts, choice_hashes      or choose(which, alternatives) ──▶ refused
///   step() ───────────────▶ rewards, goals, dead_ends
///   write_bits(), write_masks()                                 rows of all lanes
/// ```
pub trait SystemBlock: Send {
    /// The states of the system.
    type State;

    /// Returns the number of lanes, a multiple of 64.
    fn lanes(&self) -> usize;

    /// Moves the lanes of the set `which` to initial states, as [`System::reset`](crate::System::reset) does, drawing
    /// from the generators `chance`, one by lane. Their choices are forgotten.
    fn reset(&mut self, which: &[u64], chance: &mut [Random]);

    /// Returns the set of the lanes in which the goal holds.
    fn goals(&self) -> &[u64];

    /// Returns the set of the lanes in which no joint action is valid.
    fn dead_ends(&self) -> &[u64];

    /// Draws a valid joint action for each lane of the set `which`, from its generator in `random`, as
    /// [`System::sample`](crate::System::sample) does, for the next [`step`](Self::step). In a dead end, nothing is
    /// chosen.
    fn sample(&mut self, which: &[u64], random: &mut [Random]);

    /// Returns the alternative that the last [`sample`](Self::sample) drew in each lane, by lane. For a lane that was
    /// not sampled or is a dead end, it has no meaning.
    fn choices(&mut self) -> &[u32];

    /// Computes what [`counts`](Self::counts) and [`choice_hashes`](Self::choice_hashes) return, after a
    /// [`sample`](Self::sample) and before the [`step`](Self::step).
    fn describe_choices(&mut self);

    /// Returns the number of valid choices of each lane, by lane, before the last [`sample`](Self::sample); 0 for a
    /// lane that was not sampled.
    fn counts(&self) -> &[u32];

    /// Returns the hash of the choice that the last [`sample`](Self::sample) drew in each lane
    /// ([`Fingerprinted::choice_hash`](crate::Fingerprinted::choice_hash)). For a lane that was not sampled, it has no meaning.
    fn choice_hashes(&self) -> &[u64];

    /// Chooses an alternative, given by lane in `alternatives`, in each lane of the set `which` for the next
    /// [`step`](Self::step), and forgets all other choices. Writes the lanes in which the alternative is not valid to
    /// `refused`; they choose nothing.
    fn choose(&mut self, which: &[u64], alternatives: &[u32], refused: &mut [u64]);

    /// Carries out the choices, drawing outcomes from the generators `chance`, one by lane. Lanes that have no choice
    /// do not change.
    fn step(&mut self, chance: &mut [Random]);

    /// Returns the reward of the last [`step`](Self::step) in each lane; 0 for a lane that did not change.
    fn rewards(&self) -> &[f64];

    /// Returns the state of a lane, counted from 0. Panics if there is no such lane.
    fn state(&self, lane: usize) -> Self::State;

    /// Writes a row of bits for every lane to `rows`, in the order of the lanes, each in whole words with the lowest
    /// bit first.
    fn write_bits(&mut self, bits: &[RowBit], rows: &mut [u64]);

    /// Writes the action mask of every lane to `rows`, in the form of [`write_bits`](Self::write_bits), with one bit per
    /// alternative.
    fn write_masks(&mut self, rows: &mut [u64]);

    /// Calls `visit` with each lane of the set `which`, ascending, and the fingerprint of its state
    /// ([`Fingerprinted::state_hash`](crate::Fingerprinted::state_hash)).
    fn state_hashes(&mut self, which: &[u64], visit: &mut dyn FnMut(usize, u64));
}
