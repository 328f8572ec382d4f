//! The buffers that a batch of environments writes into.

use rayon::prelude::*;

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

    /// The parts of the environments, in order. Sizes are at least 1.
    pub(super) fn lanes(&mut self, sizes: Sizes) -> impl Iterator<Item = Lane<'_>> {
        let observations = self.observations.chunks_mut(sizes.atoms);
        let masks = self.masks.chunks_mut(sizes.actions);
        let flags = self.terminated.iter_mut().zip(self.truncated.iter_mut());
        let last = self.final_observations.chunks_mut(sizes.atoms).map(Some);
        let last = last.chain(std::iter::repeat_with(|| None));
        let rows = observations.zip(masks).zip(self.rewards.iter_mut().zip(flags));
        rows.zip(last).map(lane)
    }

    /// [`lanes`](Self::lanes) in parallel.
    pub(super) fn parallel_lanes(&mut self, sizes: Sizes) -> impl IndexedParallelIterator<Item = Lane<'_>> {
        let count = self.rewards.len();
        let observations = self.observations.par_chunks_mut(sizes.atoms);
        let masks = self.masks.par_chunks_mut(sizes.actions);
        let flags = self.terminated.par_iter_mut().zip(self.truncated.par_iter_mut());
        let last = self.final_observations.par_chunks_mut(sizes.atoms).map(Some);
        let missing = count - last.len();
        let last = last.chain(rayon::iter::repeat_n((), missing).map(|()| None));
        let rows = observations
            .zip(masks)
            .zip(self.rewards.par_iter_mut().zip(flags));
        rows.zip(last).map(lane)
    }
}

/// One environment's row of each buffer.
type Row<'b> = (
    (
        (&'b mut [u8], &'b mut [u8]),
        (&'b mut f64, (&'b mut bool, &'b mut bool)),
    ),
    Option<&'b mut [u8]>,
);

fn lane<'b>(row: Row<'b>) -> Lane<'b> {
    let (((observation, mask), (reward, (terminated, truncated))), final_observation) = row;
    Lane {
        observation,
        mask,
        reward,
        terminated,
        truncated,
        final_observation,
    }
}
