//! Type-erased vector environments.

use herbrand_core::{Actions, ActionsMut, Batch, BufferContents, Element, Elements, Flags, Observer, VecEnv};

use super::{ErasedResult, Language, Refused, refuse};

/// A vector environment over problems of any language.
pub trait AnyBatch: Send {
    /// Starts an episode in every environment.
    fn reset(&mut self, seed: Option<u64>, buffers: Buffers<'_>) -> ErasedResult<()>;

    /// Starts an episode in the environments that `which` marks.
    fn reset_some(&mut self, which: &[bool], buffers: Buffers<'_>) -> ErasedResult<()>;

    /// Takes an action in every environment.
    fn step(&mut self, actions: Actions<'_>, buffers: Buffers<'_>) -> ErasedResult<()>;

    /// Takes `steps` random valid steps in every environment.
    fn collect(&mut self, steps: usize, actions: ActionsMut<'_>, buffers: Buffers<'_>) -> ErasedResult<()>;

    /// Draws a valid action for every environment.
    fn sample(&mut self, actions: ActionsMut<'_>) -> ErasedResult<()>;

    /// Returns the rules that the last step of an environment violated.
    fn violated(&self, index: usize) -> &[u32];

    /// Returns the invariant that the current state of an environment breaks.
    fn broken(&self, index: usize) -> Option<usize>;

    /// Returns the index of the problem of each environment.
    fn problems(&self) -> Vec<Option<usize>>;
}

/// The buffers of a [`Batch`] whose element type is known only at run time.
pub struct Buffers<'a> {
    pub observations: Elements<'a>,
    pub masks: &'a mut [u8],
    pub rewards: &'a mut [f64],
    pub terminated: &'a mut [bool],
    pub truncated: &'a mut [bool],
    pub flags: &'a mut [Flags],
    pub final_observations: Elements<'a>,
    pub final_flags: &'a mut [Flags],
    pub rows: BufferContents,
}

impl<'a> Buffers<'a> {
    fn typed<E: Element>(self) -> ErasedResult<Batch<'a, E>> {
        let elements = |elements| {
            E::of(elements).ok_or_else(|| {
                refuse(Refused {
                    class: "ValueError",
                    text: "the array is of another type than the observation".to_owned(),
                })
            })
        };
        Ok(Batch {
            observations: elements(self.observations)?,
            masks: self.masks,
            rewards: self.rewards,
            terminated: self.terminated,
            truncated: self.truncated,
            flags: self.flags,
            final_observations: elements(self.final_observations)?,
            final_flags: self.final_flags,
            rows: self.rows,
        })
    }
}

impl<P: Language, O: Observer<P> + 'static> AnyBatch for VecEnv<P, O> {
    fn reset(&mut self, seed: Option<u64>, buffers: Buffers<'_>) -> ErasedResult<()> {
        Self::reset(self, seed, &mut buffers.typed()?).map_err(refuse)
    }

    fn reset_some(&mut self, which: &[bool], buffers: Buffers<'_>) -> ErasedResult<()> {
        Self::reset_some(self, which, &mut buffers.typed()?).map_err(refuse)
    }

    fn step(&mut self, actions: Actions<'_>, buffers: Buffers<'_>) -> ErasedResult<()> {
        Self::step(self, actions, &mut buffers.typed()?).map_err(refuse)
    }

    fn collect(&mut self, steps: usize, actions: ActionsMut<'_>, buffers: Buffers<'_>) -> ErasedResult<()> {
        Self::collect(self, steps, actions, &mut buffers.typed()?).map_err(refuse)
    }

    fn sample(&mut self, actions: ActionsMut<'_>) -> ErasedResult<()> {
        Self::sample(self, actions).map_err(refuse)
    }

    fn violated(&self, index: usize) -> &[u32] {
        Self::violated(self, index)
    }

    fn broken(&self, index: usize) -> Option<usize> {
        let system = self.env(index)?.system().ok()?;
        P::broken_invariant(system)
    }

    fn problems(&self) -> Vec<Option<usize>> {
        (0..self.len()).map(|index| self.problem(index)).collect()
    }
}
