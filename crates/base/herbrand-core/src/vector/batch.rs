//! The buffers that a batch of environments reads and writes: actions, observations, masks, rewards and flags.

use herbrand_text::counted;

use super::split::{Lend, Lent, Split};
use crate::action::{ActionLayout, Choice, Joint, JointError};
use crate::env::Reset;
use crate::episode::{EpisodeEnd, Step};
use crate::observe::Element;

/// The row widths of a batch, in elements ([`VecEnv::widths`](crate::VecEnv::widths)). The caller allocates its
/// buffers by them. Each is at least 1, also if the problems need no element.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Widths {
    /// The width of an observation row.
    pub observation: usize,
    /// The width of an action mask, in bytes ([`MaskForm`](crate::MaskForm)).
    pub mask: usize,
    /// The width of an action given as [`Actions::Rows`]: the maximum number of fields.
    pub action: usize,
}

/// Output buffers of the caller for a call on a [`VecEnv`](crate::VecEnv). Each is contiguous, with one row per
/// environment, in order of environments; `rewards`, `terminated`, `truncated` and the flags have one element per
/// environment. `flags`, `final_observations` and `final_flags` may be empty; a buffer of another length is a
/// [`BufferError`]. `E` is the number type of the observer. [`VecEnv::collect`](crate::VecEnv::collect) takes several
/// rows per environment. There, row `i · steps + j` is that of step `j` of environment `i`, counted from 0.
#[derive(Debug)]
pub struct Batch<'a, E> {
    /// The observations after the step: environments × [`Widths::observation`].
    pub observations: &'a mut [E],
    /// The action masks after the step, 1 for a valid alternative: environments × [`Widths::mask`], in the form of
    /// [`VecOptions::masks`](crate::VecOptions::masks).
    pub masks: &'a mut [u8],
    /// The rewards of the step.
    pub rewards: &'a mut [f64],
    /// Whether each episode ended by the problem's own rules.
    pub terminated: &'a mut [bool],
    /// Whether each episode was cut off by its horizon or by a violated state invariant.
    pub truncated: &'a mut [bool],
    /// Flags of the states after the step; may be empty.
    pub flags: &'a mut [Flags],
    /// With [`Autoreset::SameStep`](crate::Autoreset::SameStep), the last observations of the episodes that ended in this
    /// step: environments × [`Widths::observation`]. May be empty. Rows of other environments are unchanged.
    pub final_observations: &'a mut [E],
    /// With [`Autoreset::SameStep`](crate::Autoreset::SameStep), the flags of those last states; may be empty.
    pub final_flags: &'a mut [Flags],
    /// The content of the observation and mask buffers before the call.
    pub rows: BufferContents,
}

/// The content of observation and mask buffers before a call. It determines which elements need to be written. It is
/// not checked: after a wrong value, stale elements remain. If in doubt, use `Fresh`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum BufferContents {
    /// The default. The content is arbitrary: every row is written in full.
    #[default]
    Fresh,
    /// Zeros, as in new memory: elements beyond the current problem's width are not written.
    Zeroed,
    /// The output of the last call of the same batch. Elements beyond the current problem's width are skipped if they are
    /// known to be 0, so small problems do not pay for the width of the largest.
    Kept,
}

/// Flags of an environment's state and of the step that led to it, one entry per environment in [`Batch::flags`]. Pass
/// an empty buffer if they are not needed. After a step with [`Autoreset::SameStep`](crate::Autoreset::SameStep) that
/// ended an episode, they are those of the new episode; [`Batch::final_flags`] has those of the old one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Flags {
    /// Whether the goal holds in the state.
    pub goal: bool,
    /// Whether no action is valid in the state, if the system reports that
    /// ([`Status::dead_end`](crate::Status::dead_end)).
    pub dead_end: bool,
    /// Whether the action was carried out; false in the first state of an episode.
    pub applied: bool,
    /// Why the step ended the episode; `None` if it did not.
    pub end: Option<EpisodeEnd>,
    /// The index of the current problem in the problem set.
    pub problem: u32,
}

/// Converts a step; `problem` is 0 and `end` is `None` because a step knows neither.
impl From<Step> for Flags {
    fn from(step: Step) -> Self {
        Self {
            goal: step.goal,
            dead_end: step.dead_end,
            applied: step.applied,
            end: None,
            problem: 0,
        }
    }
}

impl From<Reset> for Flags {
    fn from(reset: Reset) -> Self {
        Self {
            goal: reset.status.goal,
            dead_end: reset.status.dead_end,
            applied: false,
            end: None,
            problem: reset.problem as u32,
        }
    }
}

/// The actions of a batch, one per environment, as the caller passes them to [`VecEnv::step`](crate::VecEnv::step).
/// Slices, arrays and `Vec`s of `u32` and of `f64` convert to them. An alternative is one of field 0. Numbers of a row
/// beyond the fields of the current problem are ignored; a value outside the domain makes that environment fail.
#[derive(Clone, Copy, Debug)]
pub enum Actions<'a> {
    /// One alternative per environment, for systems with a single discrete field, counted from 0.
    Alternatives(&'a [u32]),
    /// One row per environment, with one number per field: environments × [`Widths::action`].
    Rows(&'a [f64]),
    /// Like [`Rows`](Self::Rows), with exact cells ([`FieldDomain::number_in`](crate::FieldDomain::number_in)).
    Cells(&'a [i64]),
}

/// Output buffers for the actions that a batch samples, one per environment, in the same layouts as [`Actions`].
/// [`VecEnv::sample`](crate::VecEnv::sample) and the sampling steps take them. Numbers of a row beyond the fields of
/// the current problem are set to 0.
#[derive(Debug)]
pub enum ActionsMut<'a> {
    /// Like [`Actions::Alternatives`]. For systems with several fields, use rows: an alternative here is that of the
    /// first choice, or 0 if that is not of field 0.
    Alternatives(&'a mut [u32]),
    /// Like [`Actions::Rows`].
    Rows(&'a mut [f64]),
    /// Like [`Actions::Cells`].
    Cells(&'a mut [i64]),
}

macro_rules! actions {
    ($($element:ty => $kind:ident),*) => {$(
        impl<'a> From<&'a [$element]> for Actions<'a> {
            fn from(actions: &'a [$element]) -> Self {
                Self::$kind(actions)
            }
        }

        impl<'a> From<&'a Vec<$element>> for Actions<'a> {
            fn from(actions: &'a Vec<$element>) -> Self {
                Self::$kind(actions)
            }
        }

        impl<'a, const N: usize> From<&'a [$element; N]> for Actions<'a> {
            fn from(actions: &'a [$element; N]) -> Self {
                Self::$kind(actions)
            }
        }

        impl<'a, const N: usize> From<&'a mut [$element; N]> for ActionsMut<'a> {
            fn from(actions: &'a mut [$element; N]) -> Self {
                Self::$kind(actions)
            }
        }

        impl<'a> From<&'a mut [$element]> for Actions<'a> {
            fn from(actions: &'a mut [$element]) -> Self {
                Self::$kind(actions)
            }
        }

        impl<'a> From<&'a mut [$element]> for ActionsMut<'a> {
            fn from(actions: &'a mut [$element]) -> Self {
                Self::$kind(actions)
            }
        }

        impl<'a> From<&'a mut Vec<$element>> for ActionsMut<'a> {
            fn from(actions: &'a mut Vec<$element>) -> Self {
                Self::$kind(actions)
            }
        }
    )*};
}

actions!(u32 => Alternatives, f64 => Rows);

/// The error that a buffer passed by the caller has the wrong length. The call has changed nothing then. The calls of a
/// [`VecEnv`](crate::VecEnv) return it, as [`VecError::Buffer`](crate::VecError::Buffer).
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{buffer}` has {}, not {expected}", counted(*.found, "element"))]
pub struct BufferError {
    /// The name of the buffer, such as `rewards`.
    pub buffer: &'static str,
    /// The required length in elements.
    pub expected: usize,
    /// The actual length in elements.
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
            Self::Cells(cells) => BufferError::check("actions", cells.len(), count * widths.action),
        }
    }

    /// Returns the row of numbers of the environment at `index`; `None` if actions have another form.
    pub(super) fn row(&self, index: usize, widths: Widths) -> Option<&[f64]> {
        match self {
            Self::Alternatives(_) | Self::Cells(_) => None,
            Self::Rows(rows) => Some(&rows[index * widths.action..][..widths.action]),
        }
    }

    /// Reads the joint action of the environment at `index`. `room` stores the choices of a row.
    #[inline(always)]
    pub(super) fn read<'j>(
        &self,
        index: usize,
        widths: Widths,
        layout: &ActionLayout,
        room: &'j mut Vec<Choice>,
    ) -> Result<Joint<'j>, JointError> {
        match self {
            Self::Alternatives(actions) => Ok(Choice::discrete(actions[index]).into()),
            Self::Rows(rows) => {
                let row = &rows[index * widths.action..][..layout.fields().len()];
                layout.read_row(row, room)?;
                Ok(Joint::Many(room))
            }
            Self::Cells(cells) => {
                layout.read_cells(&cells[index * widths.action..][..widths.action], room)?;
                Ok(Joint::Many(room))
            }
        }
    }
}

impl<'b> ActionsMut<'b> {
    pub(super) const fn check(&self, count: usize, widths: Widths) -> Result<(), BufferError> {
        match self {
            Self::Alternatives(actions) => BufferError::check("actions", actions.len(), count),
            Self::Rows(rows) => BufferError::check("actions", rows.len(), count * widths.action),
            Self::Cells(cells) => BufferError::check("actions", cells.len(), count * widths.action),
        }
    }

    /// Converts the actions to a form that can be split.
    pub(super) const fn rows(self, widths: Widths) -> ActionRows<'b> {
        match self {
            Self::Alternatives(actions) => ActionRows::Alternatives(actions),
            Self::Rows(rows) => ActionRows::Rows(rows, widths.action),
            Self::Cells(cells) => ActionRows::Cells(cells, widths.action),
        }
    }
}

/// The actions of consecutive environments.
pub(super) enum ActionRows<'b> {
    Alternatives(&'b mut [u32]),
    Rows(&'b mut [f64], usize),
    Cells(&'b mut [i64], usize),
}

/// The action of one environment.
pub(super) enum ActionRow<'b> {
    Alternative(&'b mut u32),
    Row(&'b mut [f64]),
    Cells(&'b mut [i64]),
}

impl ActionRow<'_> {
    /// Writes a joint action.
    #[inline]
    pub(super) fn write(&mut self, layout: &ActionLayout, joint: &[Choice]) {
        match self {
            Self::Alternative(action) => {
                let alternative = joint.first().and_then(|choice| choice.alternative());
                **action = alternative.unwrap_or(0);
            }
            Self::Row(row) => {
                row.fill(0.0);
                layout.write_row(joint, row);
            }
            Self::Cells(cells) => {
                cells.fill(0);
                layout.write_cells(joint, cells);
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
            Self::Cells(cells, width) => {
                let (first, rest) = cells.split_at_mut(count * width);
                (Self::Cells(first, width), Self::Cells(rest, width))
            }
        }
    }

    fn items(self) -> impl Iterator<Item = ActionRow<'b>> {
        let (mut alternatives, mut rows, mut cells, mut of_each) = (&mut [][..], &mut [][..], &mut [][..], 1);
        match self {
            Self::Alternatives(actions) => alternatives = actions,
            Self::Rows(all, width) => (rows, of_each) = (all, width.max(1)),
            Self::Cells(all, width) => (cells, of_each) = (all, width.max(1)),
        }
        let rows = rows.chunks_mut(of_each).map(ActionRow::Row);
        let cells = cells.chunks_mut(of_each).map(ActionRow::Cells);
        alternatives
            .iter_mut()
            .map(ActionRow::Alternative)
            .chain(rows)
            .chain(cells)
    }
}

impl<'s> Lent<'s> for ActionRows<'_> {
    type One = ActionRow<'s>;
    type Several = ActionRows<'s>;
}

impl Lend for ActionRows<'_> {
    #[inline]
    fn lend(&mut self, index: usize) -> ActionRow<'_> {
        match self {
            Self::Alternatives(actions) => ActionRow::Alternative(&mut actions[index]),
            Self::Rows(rows, width) => ActionRow::Row(&mut rows[index * *width..][..*width]),
            Self::Cells(cells, width) => ActionRow::Cells(&mut cells[index * *width..][..*width]),
        }
    }

    #[inline]
    fn lend_several(&mut self, first: usize, count: usize) -> ActionRows<'_> {
        match self {
            Self::Alternatives(actions) => ActionRows::Alternatives(&mut actions[first..][..count]),
            Self::Rows(rows, width) => {
                ActionRows::Rows(&mut rows[first * *width..][..count * *width], *width)
            }
            Self::Cells(cells, width) => {
                ActionRows::Cells(&mut cells[first * *width..][..count * *width], *width)
            }
        }
    }
}

/// The output buffers of one environment.
pub(super) struct Lane<'b, E> {
    pub(super) observation: &'b mut [E],
    pub(super) mask: &'b mut [u8],
    pub(super) reward: &'b mut f64,
    pub(super) terminated: &'b mut bool,
    pub(super) truncated: &'b mut bool,
    pub(super) flags: Option<&'b mut Flags>,
    pub(super) final_observation: Option<&'b mut [E]>,
    pub(super) final_flags: Option<&'b mut Flags>,
}

impl<E: Element> Batch<'_, E> {
    /// Checks the length of every buffer for `count` environments.
    pub(super) fn check(&self, count: usize, widths: Widths) -> Result<(), BufferError> {
        let observations = count * widths.observation;
        BufferError::check("observations", self.observations.len(), observations)?;
        BufferError::check("masks", self.masks.len(), count * widths.mask)?;
        BufferError::check("rewards", self.rewards.len(), count)?;
        BufferError::check("terminated", self.terminated.len(), count)?;
        BufferError::check("truncated", self.truncated.len(), count)?;
        let optional = |buffer, found, expected| match found {
            0 => Ok(()),
            _ => BufferError::check(buffer, found, expected),
        };
        optional("flags", self.flags.len(), count)?;
        optional("final_observations", self.final_observations.len(), observations)?;
        optional("final_flags", self.final_flags.len(), count)
    }

    /// Borrows the buffers in a form that can be split. Widths must be at least 1.
    pub(super) fn lanes(&mut self, widths: Widths) -> Lanes<'_, E> {
        Lanes {
            observations: self.observations,
            masks: self.masks,
            rewards: self.rewards,
            terminated: self.terminated,
            truncated: self.truncated,
            flags: self.flags,
            final_observations: self.final_observations,
            final_flags: self.final_flags,
            widths,
        }
    }
}

/// The output buffers of consecutive environments.
pub(super) struct Lanes<'b, E> {
    pub(super) observations: &'b mut [E],
    pub(super) masks: &'b mut [u8],
    pub(super) rewards: &'b mut [f64],
    pub(super) terminated: &'b mut [bool],
    pub(super) truncated: &'b mut [bool],
    pub(super) flags: &'b mut [Flags],
    pub(super) final_observations: &'b mut [E],
    pub(super) final_flags: &'b mut [Flags],
    pub(super) widths: Widths,
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
        let (flags, later_flags) = split_optional(self.flags, count);
        let (final_observations, later_final_observations) =
            split_optional(self.final_observations, count * widths.observation);
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
            widths,
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
            widths,
        };
        (first, rest)
    }

    fn items(self) -> impl Iterator<Item = Lane<'b, E>> {
        let observations = self.observations.chunks_mut(self.widths.observation);
        let masks = self.masks.chunks_mut(self.widths.mask);
        let ends = self.terminated.iter_mut().zip(self.truncated);
        let rows = observations.zip(masks).zip(self.rewards.iter_mut().zip(ends));
        // An optional buffer that is empty yields `None` for every lane.
        let (mut flags, mut final_flags) = (self.flags.iter_mut(), self.final_flags.iter_mut());
        let mut final_observations = self.final_observations.chunks_mut(self.widths.observation);
        rows.map(
            move |((observation, mask), (reward, (terminated, truncated)))| Lane {
                observation,
                mask,
                reward,
                terminated,
                truncated,
                flags: flags.next(),
                final_observation: final_observations.next(),
                final_flags: final_flags.next(),
            },
        )
    }
}

impl<'s, E: Element> Lent<'s> for Lanes<'_, E> {
    type One = Lane<'s, E>;
    type Several = Lanes<'s, E>;
}

impl<E: Element> Lend for Lanes<'_, E> {
    #[inline]
    fn lend(&mut self, index: usize) -> Lane<'_, E> {
        let Widths {
            observation, mask, ..
        } = self.widths;
        Lane {
            observation: &mut self.observations[index * observation..][..observation],
            mask: &mut self.masks[index * mask..][..mask],
            reward: &mut self.rewards[index],
            terminated: &mut self.terminated[index],
            truncated: &mut self.truncated[index],
            // An optional buffer may be empty.
            flags: self.flags.get_mut(index),
            final_observation: self
                .final_observations
                .get_mut(index * observation..(index + 1) * observation),
            final_flags: self.final_flags.get_mut(index),
        }
    }

    #[inline]
    fn lend_several(&mut self, first: usize, count: usize) -> Lanes<'_, E> {
        let widths = self.widths;
        let range = |width: usize| first * width..(first + count) * width;
        let (observations, each) = (range(widths.observation), range(1));
        Lanes {
            observations: &mut self.observations[observations.clone()],
            masks: &mut self.masks[range(widths.mask)],
            rewards: &mut self.rewards[each.clone()],
            terminated: &mut self.terminated[each.clone()],
            truncated: &mut self.truncated[each.clone()],
            flags: self.flags.get_mut(each.clone()).unwrap_or_default(),
            final_observations: self.final_observations.get_mut(observations).unwrap_or_default(),
            final_flags: self.final_flags.get_mut(each).unwrap_or_default(),
            widths,
        }
    }
}

/// Splits a buffer that may be empty because it is optional.
fn split_optional<T>(buffer: &mut [T], at: usize) -> (&mut [T], &mut [T]) {
    let at = at.min(buffer.len());
    buffer.split_at_mut(at)
}
