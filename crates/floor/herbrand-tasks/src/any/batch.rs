//! Batches of environments in any language.

use herbrand_core::{
    Actions, ActionsMut, Batch, BufferContents, Element, Elements, EpisodeStart, Flags, Observer, VecEnv,
};
use herbrand_env::ActionArrays;

use super::playable::{LanguageFeatures, Playable};
use crate::any_error::{AnyError, ErrorKind};
use crate::step_faults::BrokenInvariant;

/// Environments over problems of any language that are stepped together: a [`VecEnv`]. The methods fail for the reasons of its
/// methods, and if a buffer has another element type than the observations.
pub trait AnyBatch: Send {
    /// Starts an episode in each environment that has an entry other than `None`.
    fn reset_each(
        &mut self,
        starts: &[Option<EpisodeStart>],
        buffers: AnyBuffers<'_>,
    ) -> Result<(), AnyError>;

    /// Takes an action in every environment.
    fn step(&mut self, actions: Actions<'_>, buffers: AnyBuffers<'_>) -> Result<(), AnyError>;

    /// Takes `steps` random valid steps in every environment.
    fn collect(
        &mut self,
        steps: usize,
        actions: ActionsMut<'_>,
        buffers: AnyBuffers<'_>,
    ) -> Result<(), AnyError>;

    /// Draws a valid action for every environment.
    fn sample(&mut self, actions: ActionsMut<'_>) -> Result<(), AnyError>;

    /// Returns the rules that the last step of an environment violated.
    fn violated(&self, index: usize) -> &[u32];

    /// Returns the invariant that the current state of an environment breaks.
    fn broken(&self, index: usize) -> Option<usize>;

    /// Returns the index of the problem of each environment.
    fn problems(&self) -> Vec<Option<usize>>;

    /// Returns the valid actions of all environments, a row each.
    fn action_arrays(&self) -> Result<ActionArrays, AnyError>;
}

/// The buffers of a [`Batch`] whose element type is known only at run time.
pub struct AnyBuffers<'a> {
    /// The observations.
    pub observations: Elements<'a>,
    /// The action masks.
    pub masks: &'a mut [u8],
    /// The rewards.
    pub rewards: &'a mut [f64],
    /// Whether each episode was terminated.
    pub terminated: &'a mut [bool],
    /// Whether each episode was truncated.
    pub truncated: &'a mut [bool],
    /// The flags of each step.
    pub flags: &'a mut [Flags],
    /// The last observations of the episodes that ended.
    pub final_observations: Elements<'a>,
    /// The flags of the steps that ended episodes.
    pub final_flags: &'a mut [Flags],
    /// The contents of the rows before the call.
    pub rows: BufferContents,
}

impl<'a> AnyBuffers<'a> {
    fn typed<E: Element>(self) -> Result<Batch<'a, E>, AnyError> {
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

/// Returns the elements as those of an observer.
pub(super) fn elements<E: Element>(elements: Elements<'_>) -> Result<&mut [E], AnyError> {
    let other = || {
        AnyError::new(
            ErrorKind::Form,
            "the array is of another type than the observation",
        )
    };
    E::of(elements).ok_or_else(other)
}

/// Appends the valid actions of a state to `into`, as the next row.
pub(super) fn add_actions(features: &dyn LanguageFeatures, into: &mut ActionArrays) -> Result<(), AnyError> {
    let none = "the actions of this language have no arrays of arguments";
    let added = features.write_actions(into);
    added
        .then_some(())
        .ok_or_else(|| AnyError::new(ErrorKind::Lacking, none))
}

impl<P: Playable, O: Observer<P> + 'static> AnyBatch for VecEnv<P, O> {
    fn reset_each(
        &mut self,
        starts: &[Option<EpisodeStart>],
        buffers: AnyBuffers<'_>,
    ) -> Result<(), AnyError> {
        Ok(Self::reset_each(self, starts, &mut buffers.typed()?)?)
    }

    fn step(&mut self, actions: Actions<'_>, buffers: AnyBuffers<'_>) -> Result<(), AnyError> {
        Ok(Self::step(self, actions, &mut buffers.typed()?)?)
    }

    fn collect(
        &mut self,
        steps: usize,
        actions: ActionsMut<'_>,
        buffers: AnyBuffers<'_>,
    ) -> Result<(), AnyError> {
        Ok(Self::collect(self, steps, actions, &mut buffers.typed()?)?)
    }

    fn sample(&mut self, actions: ActionsMut<'_>) -> Result<(), AnyError> {
        Ok(Self::sample(self, actions)?)
    }

    fn violated(&self, index: usize) -> &[u32] {
        Self::violated(self, index)
    }

    fn broken(&self, index: usize) -> Option<usize> {
        let env = self.env(index)?;
        let features = env.problems().features(env.problem()?, env.system().ok()?);
        features.broken().first().map(BrokenInvariant::index)
    }

    fn problems(&self) -> Vec<Option<usize>> {
        (0..self.len()).map(|index| self.problem(index)).collect()
    }

    fn action_arrays(&self) -> Result<ActionArrays, AnyError> {
        let mut arrays = ActionArrays::default();
        for env in (0..self.len()).filter_map(|index| self.env(index)) {
            let system = env.system().map_err(Into::into)?;
            let index = env.problem().unwrap_or_default();
            add_actions(&*env.problems().features(index, system), &mut arrays)?;
        }
        Ok(arrays)
    }
}
