//! The buffers that a batch of environments writes into.

use super::split::Split;
use crate::Sizes;

/// Buffers of the caller, each contiguous, with one row an environment.
#[derive(Debug)]
pub struct Batch<'a> {
    /// The state after the step, one byte an atom: environments × atoms.
    pub observations: &'a mut [u8],
    /// Which actions are valid then, one byte an action: environments × actions.
    pub masks: &'a mut [u8],
    /// The rewards.
    pub rewards: &'a mut [f64],
    /// Whether an episode ended in the problem's own terms.
    pub terminated: &'a mut [bool],
    /// Whether the horizon cut an episode off.
    pub truncated: &'a mut [bool],
    /// With [`Autoreset::SameStep`](crate::Autoreset::SameStep), the last states of the episodes that ended in this
    /// step: environments × atoms; empty if they are not wanted. Rows of other environments stay as they are.
    pub final_observations: &'a mut [u8],
}

/// A buffer is too short or too long.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{buffer}` has {found} elements, not {expected}")]
pub struct BufferError {
    /// The buffer.
    pub buffer: &'static str,
    /// How long it should be.
    pub expected: usize,
    /// How long it is.
    pub found: usize,
}

impl BufferError {
    pub(super) const fn check(buffer: &'static str, found: usize, expected: usize) -> Result<(), Self> {
        if found == expected {
            return Ok(());
        }
        Err(Self {
            buffer,
            expected,
            found,
        })
    }
}

/// One environment's part of the buffers.
pub(super) struct Lane<'b> {
    pub(super) observation: &'b mut [u8],
    pub(super) mask: &'b mut [u8],
    pub(super) reward: &'b mut f64,
    pub(super) terminated: &'b mut bool,
    pub(super) truncated: &'b mut bool,
    pub(super) final_observation: Option<&'b mut [u8]>,
}

impl Batch<'_> {
    /// Whether every buffer has the right length for `count` environments.
    pub(super) fn check(&self, count: usize, sizes: Sizes) -> Result<(), BufferError> {
        BufferError::check("observations", self.observations.len(), count * sizes.atoms)?;
        BufferError::check("masks", self.masks.len(), count * sizes.actions)?;
        BufferError::check("rewards", self.rewards.len(), count)?;
        BufferError::check("terminated", self.terminated.len(), count)?;
        BufferError::check("truncated", self.truncated.len(), count)?;
        match self.final_observations.len() {
            0 => Ok(()),
            found => BufferError::check("final_observations", found, count * sizes.atoms),
        }
    }

    /// The same buffers, to be parted. Sizes are at least 1.
    pub(super) fn rows(&mut self, sizes: Sizes) -> Rows<'_> {
        Rows {
            observations: self.observations,
            masks: self.masks,
            rewards: self.rewards,
            terminated: self.terminated,
            truncated: self.truncated,
            final_observations: self.final_observations,
            sizes,
        }
    }
}

/// The rows of some environments that follow each other.
pub(super) struct Rows<'b> {
    observations: &'b mut [u8],
    masks: &'b mut [u8],
    rewards: &'b mut [f64],
    terminated: &'b mut [bool],
    truncated: &'b mut [bool],
    final_observations: &'b mut [u8],
    sizes: Sizes,
}

impl<'b> Split for Rows<'b> {
    type Item = Lane<'b>;

    fn split_at(self, count: usize) -> (Self, Self) {
        let sizes = self.sizes;
        let (observations, later_observations) = self.observations.split_at_mut(count * sizes.atoms);
        let (masks, later_masks) = self.masks.split_at_mut(count * sizes.actions);
        let (rewards, later_rewards) = self.rewards.split_at_mut(count);
        let (terminated, later_terminated) = self.terminated.split_at_mut(count);
        let (truncated, later_truncated) = self.truncated.split_at_mut(count);
        let last = match self.final_observations.len() {
            0 => 0,
            _ => count * sizes.atoms,
        };
        let (final_observations, later_final_observations) = self.final_observations.split_at_mut(last);
        let first = Self {
            observations,
            masks,
            rewards,
            terminated,
            truncated,
            final_observations,
            sizes,
        };
        let rest = Self {
            observations: later_observations,
            masks: later_masks,
            rewards: later_rewards,
            terminated: later_terminated,
            truncated: later_truncated,
            final_observations: later_final_observations,
            sizes,
        };
        (first, rest)
    }

    fn items(self) -> impl Iterator<Item = Lane<'b>> {
        let observations = self.observations.chunks_mut(self.sizes.atoms);
        let masks = self.masks.chunks_mut(self.sizes.actions);
        let flags = self.terminated.iter_mut().zip(self.truncated);
        let last = self.final_observations.chunks_mut(self.sizes.atoms).map(Some);
        let last = last.chain(std::iter::repeat_with(|| None));
        let rows = observations.zip(masks).zip(self.rewards.iter_mut().zip(flags));
        rows.zip(last).map(
            |(((observation, mask), (reward, (terminated, truncated))), final_observation)| Lane {
                observation,
                mask,
                reward,
                terminated,
                truncated,
                final_observation,
            },
        )
    }
}
