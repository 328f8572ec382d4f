//! The buffers that a batch of environments reads from and writes into.

use super::split::Split;
use crate::{ActionLayout, Choice, Element, JointError};

/// How wide the rows of a batch are, in elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Widths {
    /// Of an observation.
    pub observation: usize,
    /// Of an action mask.
    pub mask: usize,
    /// Of an action, where it is given as [`Actions::Rows`]: the number of fields.
    pub action: usize,
}

/// Buffers of the caller, each contiguous, with one row per environment.
#[derive(Debug)]
pub struct Batch<'a, E> {
    /// The observations after the step: environments × [`Widths::observation`].
    pub observations: &'a mut [E],
    /// The action masks after the step, 1 for a valid alternative: environments × [`Widths::mask`].
    pub masks: &'a mut [u8],
    /// The rewards.
    pub rewards: &'a mut [f64],
    /// Whether an episode ended in the problem's own terms.
    pub terminated: &'a mut [bool],
    /// Whether an episode was cut off.
    pub truncated: &'a mut [bool],
    /// What else there is to say about the step.
    pub marks: &'a mut [Marks],
    /// With [`Autoreset::SameStep`](crate::Autoreset::SameStep), the last observations of the episodes that ended in this
    /// step: environments × [`Widths::observation`], or empty if they are not wanted. Rows of other environments stay as
    /// they are.
    pub final_observations: &'a mut [E],
    /// What the observation and mask buffers hold before the call.
    pub rows: Rows,
}

/// What observation and mask buffers hold before a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Rows {
    /// Anything: all of each row is written.
    #[default]
    Fresh,
    /// What the last call of the same batch wrote. Then what lies beyond the current problem's width is left alone where
    /// it is known to be 0, so that a small problem does not pay for the widest one.
    Kept,
}

/// What there is to say about one environment after a step, apart from reward and end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Marks {
    /// The goal held in the state that the step led to.
    pub goal: bool,
    /// No action was valid there.
    pub dead_end: bool,
    /// The action was carried out; false for an ignored one, and for a step that began a new episode.
    pub applied: bool,
}

/// The actions of a batch, as the caller gives them.
#[derive(Clone, Copy, Debug)]
pub enum Actions<'a> {
    /// One alternative per environment, for systems with a single discrete field. [`NO_ACTION`] is no action.
    Alternatives(&'a [u32]),
    /// One row per environment with one number per field: environments × [`Widths::action`].
    Rows(&'a [f64]),
}

/// The actions of a batch, to be written.
#[derive(Debug)]
pub enum ActionsMut<'a> {
    /// As [`Actions::Alternatives`].
    Alternatives(&'a mut [u32]),
    /// As [`Actions::Rows`].
    Rows(&'a mut [f64]),
}

/// Stands for no action where an environment has none: in a dead end, and after the end of an episode.
pub const NO_ACTION: u32 = u32::MAX;

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

impl<'a> Actions<'a> {
    pub(super) const fn check(&self, count: usize, widths: Widths) -> Result<(), BufferError> {
        match self {
            Self::Alternatives(actions) => BufferError::check("actions", actions.len(), count),
            Self::Rows(rows) => BufferError::check("actions", rows.len(), count * widths.action),
        }
    }

    /// The joint action of the environment at `index`.
    pub(super) fn read(
        &self,
        index: usize,
        widths: Widths,
        layout: &ActionLayout,
        into: &mut Vec<Choice>,
    ) -> Result<(), JointError> {
        match self {
            Self::Alternatives(actions) => {
                into.clear();
                if actions[index] != NO_ACTION {
                    into.push(Choice::discrete(actions[index]));
                }
                Ok(())
            }
            Self::Rows(rows) => {
                let row = &rows[index * widths.action..][..layout.fields().len()];
                layout.read_row(row, into)
            }
        }
    }
}

impl ActionsMut<'_> {
    pub(super) const fn check(&self, count: usize, widths: Widths) -> Result<(), BufferError> {
        match self {
            Self::Alternatives(actions) => BufferError::check("actions", actions.len(), count),
            Self::Rows(rows) => BufferError::check("actions", rows.len(), count * widths.action),
        }
    }

    /// The rows, to be split.
    pub(super) const fn rows(&mut self, widths: Widths) -> ActionRows<'_> {
        match self {
            Self::Alternatives(actions) => ActionRows::Alternatives(actions),
            Self::Rows(rows) => ActionRows::Rows(rows, widths.action),
        }
    }
}

/// The actions of environments that follow each other.
pub(super) enum ActionRows<'b> {
    Alternatives(&'b mut [u32]),
    Rows(&'b mut [f64], usize),
}

/// The action of one environment.
pub(super) enum ActionRow<'b> {
    Alternative(&'b mut u32),
    Row(&'b mut [f64]),
}

impl ActionRow<'_> {
    /// Writes a joint action, or that there is none.
    pub(super) fn write(&mut self, layout: &ActionLayout, joint: Option<&[Choice]>) {
        match self {
            Self::Alternative(action) => {
                let first = joint.and_then(<[Choice]>::first);
                **action = first.and_then(|choice| choice.alternative()).unwrap_or(NO_ACTION);
            }
            Self::Row(row) => {
                row.fill(0.0);
                layout.write_row(joint.unwrap_or_default(), row);
            }
        }
    }
}

impl<'b> Split for ActionRows<'b> {
    type Item = ActionRow<'b>;

    fn split_at(self, count: usize) -> (Self, Self) {
        match self {
            Self::Alternatives(actions) => {
                let (first, rest) = actions.split_at_mut(count);
                (Self::Alternatives(first), Self::Alternatives(rest))
            }
            Self::Rows(rows, width) => {
                let (first, rest) = rows.split_at_mut(count * width);
                (Self::Rows(first, width), Self::Rows(rest, width))
            }
        }
    }

    fn items(self) -> impl Iterator<Item = ActionRow<'b>> {
        let (alternatives, rows, width) = match self {
            Self::Alternatives(actions) => (actions, &mut [][..], 1),
            Self::Rows(rows, width) => (&mut [][..], rows, width.max(1)),
        };
        let rows = rows.chunks_mut(width).map(ActionRow::Row);
        alternatives.iter_mut().map(ActionRow::Alternative).chain(rows)
    }
}

/// One environment's part of the buffers.
pub(super) struct Lane<'b, E> {
    pub(super) observation: &'b mut [E],
    pub(super) mask: &'b mut [u8],
    pub(super) reward: &'b mut f64,
    pub(super) terminated: &'b mut bool,
    pub(super) truncated: &'b mut bool,
    pub(super) marks: &'b mut Marks,
    pub(super) final_observation: Option<&'b mut [E]>,
}

impl<E: Element> Batch<'_, E> {
    /// Whether every buffer has the right length for `count` environments.
    pub(super) fn check(&self, count: usize, widths: Widths) -> Result<(), BufferError> {
        let observations = count * widths.observation;
        BufferError::check("observations", self.observations.len(), observations)?;
        BufferError::check("masks", self.masks.len(), count * widths.mask)?;
        BufferError::check("rewards", self.rewards.len(), count)?;
        BufferError::check("terminated", self.terminated.len(), count)?;
        BufferError::check("truncated", self.truncated.len(), count)?;
        BufferError::check("marks", self.marks.len(), count)?;
        match self.final_observations.len() {
            0 => Ok(()),
            found => BufferError::check("final_observations", found, observations),
        }
    }

    /// The same buffers, to be split. Widths are at least 1.
    pub(super) fn lanes(&mut self, widths: Widths) -> Lanes<'_, E> {
        Lanes {
            observations: self.observations,
            masks: self.masks,
            rewards: self.rewards,
            terminated: self.terminated,
            truncated: self.truncated,
            marks: self.marks,
            final_observations: self.final_observations,
            widths,
        }
    }
}

/// The rows of some environments that follow each other.
pub(super) struct Lanes<'b, E> {
    observations: &'b mut [E],
    masks: &'b mut [u8],
    rewards: &'b mut [f64],
    terminated: &'b mut [bool],
    truncated: &'b mut [bool],
    marks: &'b mut [Marks],
    final_observations: &'b mut [E],
    widths: Widths,
}

impl<'b, E: Element> Split for Lanes<'b, E> {
    type Item = Lane<'b, E>;

    fn split_at(self, count: usize) -> (Self, Self) {
        let widths = self.widths;
        let (observations, later_observations) = self.observations.split_at_mut(count * widths.observation);
        let (masks, later_masks) = self.masks.split_at_mut(count * widths.mask);
        let (rewards, later_rewards) = self.rewards.split_at_mut(count);
        let (terminated, later_terminated) = self.terminated.split_at_mut(count);
        let (truncated, later_truncated) = self.truncated.split_at_mut(count);
        let (marks, later_marks) = self.marks.split_at_mut(count);
        let last = match self.final_observations.len() {
            0 => 0,
            _ => count * widths.observation,
        };
        let (final_observations, later_final_observations) = self.final_observations.split_at_mut(last);
        let first = Self {
            observations,
            masks,
            rewards,
            terminated,
            truncated,
            marks,
            final_observations,
            widths,
        };
        let rest = Self {
            observations: later_observations,
            masks: later_masks,
            rewards: later_rewards,
            terminated: later_terminated,
            truncated: later_truncated,
            marks: later_marks,
            final_observations: later_final_observations,
            widths,
        };
        (first, rest)
    }

    fn items(self) -> impl Iterator<Item = Lane<'b, E>> {
        let observations = self.observations.chunks_mut(self.widths.observation);
        let masks = self.masks.chunks_mut(self.widths.mask);
        let flags = self.terminated.iter_mut().zip(self.truncated).zip(self.marks);
        let last = self.final_observations.chunks_mut(self.widths.observation);
        let last = last.map(Some).chain(std::iter::repeat_with(|| None));
        let rows = observations.zip(masks).zip(self.rewards.iter_mut().zip(flags));
        rows.zip(last).map(
            |(((observation, mask), (reward, ((terminated, truncated), marks))), final_observation)| Lane {
                observation,
                mask,
                reward,
                terminated,
                truncated,
                marks,
                final_observation,
            },
        )
    }
}
