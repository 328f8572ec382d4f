//! The buffers that a batch of environments writes into.

use super::split::Split;
use crate::{Reset, Sizes, Step};

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
    /// What else there is to know of the state after the step; empty if it is not wanted.
    pub flags: &'a mut [Flags],
    /// With [`Autoreset::SameStep`](crate::Autoreset::SameStep), the last states of the episodes that ended in this
    /// step: environments × atoms; empty if they are not wanted. Rows of other environments stay as they are.
    pub final_observations: &'a mut [u8],
    /// With [`Autoreset::SameStep`](crate::Autoreset::SameStep), the flags of those last states; empty if they are not
    /// wanted.
    pub final_flags: &'a mut [Flags],
}

/// What is known of an environment's state and of the step that led there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flags {
    /// Whether the goal holds.
    pub goal: bool,
    /// Whether no action is valid.
    pub dead_end: bool,
    /// Whether the action was carried out; false where an episode has just begun.
    pub applied: bool,
}

impl From<Step> for Flags {
    fn from(step: Step) -> Self {
        Self {
            goal: step.goal,
            dead_end: step.dead_end,
            applied: step.applied,
        }
    }
}

impl From<Reset> for Flags {
    fn from(reset: Reset) -> Self {
        Self {
            goal: reset.goal,
            dead_end: reset.dead_end,
            applied: false,
        }
    }
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
    pub(super) flags: Option<&'b mut Flags>,
    pub(super) final_observation: Option<&'b mut [u8]>,
    pub(super) final_flags: Option<&'b mut Flags>,
}

impl Batch<'_> {
    /// Whether every buffer has the right length for `count` environments.
    pub(super) fn check(&self, count: usize, sizes: Sizes) -> Result<(), BufferError> {
        BufferError::check("observations", self.observations.len(), count * sizes.atoms)?;
        BufferError::check("masks", self.masks.len(), count * sizes.actions)?;
        BufferError::check("rewards", self.rewards.len(), count)?;
        BufferError::check("terminated", self.terminated.len(), count)?;
        BufferError::check("truncated", self.truncated.len(), count)?;
        let optional = |buffer, found, expected| match found {
            0 => Ok(()),
            _ => BufferError::check(buffer, found, expected),
        };
        optional("flags", self.flags.len(), count)?;
        optional(
            "final_observations",
            self.final_observations.len(),
            count * sizes.atoms,
        )?;
        optional("final_flags", self.final_flags.len(), count)
    }

    /// The same buffers, to be parted. Sizes are at least 1.
    pub(super) fn rows(&mut self, sizes: Sizes) -> Rows<'_> {
        Rows {
            observations: self.observations,
            masks: self.masks,
            rewards: self.rewards,
            terminated: self.terminated,
            truncated: self.truncated,
            flags: self.flags,
            final_observations: self.final_observations,
            final_flags: self.final_flags,
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
    flags: &'b mut [Flags],
    final_observations: &'b mut [u8],
    final_flags: &'b mut [Flags],
    sizes: Sizes,
}

/// The two parts of a buffer that is empty if it is not wanted.
fn split_optional<T>(buffer: &mut [T], at: usize) -> (&mut [T], &mut [T]) {
    let at = at.min(buffer.len());
    buffer.split_at_mut(at)
}

/// The elements of a buffer, or nothing for ever where it is not wanted.
fn optional<'b, T>(buffer: impl Iterator<Item = &'b mut T>) -> impl Iterator<Item = Option<&'b mut T>>
where
    T: ?Sized + 'b,
{
    buffer.map(Some).chain(std::iter::repeat_with(|| None))
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
        let (flags, later_flags) = split_optional(self.flags, count);
        let (final_observations, later_final_observations) =
            split_optional(self.final_observations, count * sizes.atoms);
        let (final_flags, later_final_flags) = split_optional(self.final_flags, count);
        let first = Self {
            observations,
            masks,
            rewards,
            terminated,
            truncated,
            flags,
            final_observations,
            final_flags,
            sizes,
        };
        let rest = Self {
            observations: later_observations,
            masks: later_masks,
            rewards: later_rewards,
            terminated: later_terminated,
            truncated: later_truncated,
            flags: later_flags,
            final_observations: later_final_observations,
            final_flags: later_final_flags,
            sizes,
        };
        (first, rest)
    }

    fn items(self) -> impl Iterator<Item = Lane<'b>> {
        let observations = self.observations.chunks_mut(self.sizes.atoms);
        let masks = self.masks.chunks_mut(self.sizes.actions);
        let ends = self.terminated.iter_mut().zip(self.truncated);
        let rows = observations.zip(masks).zip(self.rewards.iter_mut().zip(ends));
        let flags = optional(self.flags.iter_mut());
        let last = optional(self.final_observations.chunks_mut(self.sizes.atoms));
        let last = last.zip(optional(self.final_flags.iter_mut()));
        rows.zip(flags.zip(last)).map(
            |(((observation, mask), (reward, (terminated, truncated))), (flags, last))| Lane {
                observation,
                mask,
                reward,
                terminated,
                truncated,
                flags,
                final_observation: last.0,
                final_flags: last.1,
            },
        )
    }
}
