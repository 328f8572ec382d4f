//! A single environment of a batch, with the state that the batch keeps for it.

use super::batch::{ActionRow, Lane};
use super::{Autoreset, BufferContents, Flags, MaskForm};
use crate::action::{ActionLayout, Choice, Joint, JointError};
use crate::batch_system::{BatchSystem, Job};
use crate::env::{Env, EpisodeStart};
use crate::episode::Step;
use crate::error::EpisodeFault;
use crate::observe::{Element, Observer, Written, set_packed};
use crate::problems::Problems;
use crate::system::{System, Transition};

/// An environment and the record of its rows.
// The fields that every step reads are adjacent.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Slot<P: Problems, O: Observer<P>> {
    note: Note,
    /// The maximum numbers of elements used by observations and masks, in this call and in the previous one.
    used: Used,
    before: Used,
    joint: Vec<Choice>,
    /// Whether the next step starts a new episode.
    over: bool,
    /// Whether the system has accepted the next joint action as a row.
    by_row: bool,
    masks: MaskForm,
    /// Whether the caller chose the action of the step.
    is_given: bool,
    /// The rules that the last step violated. Sampled actions violate none.
    violated: Vec<u32>,
    env: Env<P, O>,
}

/// A record of the last row written.
#[derive(Debug, Default)]
#[repr(C)]
struct Note {
    choices: Vec<Choice>,
    /// The positions of the ones in the mask, if it is at least [`WIDE`].
    offered: Vec<usize>,
    /// A buffer for a mask before it is packed.
    mask: Vec<u8>,
    /// The observer's own record.
    written: Written,
    /// The problem of the observation.
    problem: Option<usize>,
}

/// Masks of at least this many bytes are updated in place if their previous content is known: the bytes of the alternatives
/// that were valid are cleared, then those of the valid ones are set.
const WIDE: usize = 1024;

/// The number of elements of a row in use.
#[derive(Clone, Copy, Debug, Default)]
struct Used {
    observation: usize,
    mask: usize,
    /// The number of rows written.
    rows: usize,
}

impl Used {
    /// Marks rows whose content is unknown.
    const UNKNOWN: Self = Self {
        observation: usize::MAX,
        mask: usize::MAX,
        rows: usize::MAX,
    };
}

/// The options of a call, the same for all environments.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlotOptions {
    pub(super) autoreset: Autoreset,
    pub(super) rows: BufferContents,
}

/// The action of an environment in a call that steps several together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SlotAction {
    /// Starts a new episode.
    Begins,
    /// Takes a step that does not reach the system.
    Stays,
    /// Steps its system.
    Steps,
}

// The functions of a step are small and pass results on. All of them are inlined, here and in `Env`: out of line, each
// result would be written in parts and read as a whole, which stalls store forwarding.
impl<P: Problems, O: Observer<P>> Slot<P, O> {
    pub(super) fn new(env: Env<P, O>, masks: MaskForm) -> Self {
        Self {
            env,
            masks,
            over: false,
            joint: Vec::new(),
            by_row: false,
            is_given: false,
            violated: Vec::new(),
            used: Used::default(),
            before: Used::default(),
            note: Note::default(),
        }
    }

    pub(super) const fn env(&self) -> &Env<P, O> {
        &self.env
    }

    pub(super) fn violated(&self) -> &[u32] {
        &self.violated
    }

    /// Loads the memory that the next step reads ([`BatchSystem::prefetch`]).
    #[inline]
    pub(super) fn prefetch(&self) -> u64 {
        let note = self.note.written.words.first().copied().unwrap_or_default();
        self.env.prefetch() ^ note ^ self.before.rows as u64
    }

    /// Starts a call: the widths used so far become those of the previous call.
    #[inline]
    pub(super) fn turn_page(&mut self, options: SlotOptions) {
        match options.rows {
            // Every row will be written in full.
            BufferContents::Fresh => self.used = Used::default(),
            BufferContents::Kept if self.used.rows > 0 => self.before = std::mem::take(&mut self.used),
            BufferContents::Kept | BufferContents::Zeroed => {}
        }
    }

    /// Marks the content of the rows as unknown, after a call that failed before its last row.
    #[cold]
    pub(super) fn lose_track(&mut self) {
        self.used = Used::UNKNOWN;
    }

    pub(super) fn begin(
        &mut self,
        start: EpisodeStart,
        options: SlotOptions,
        lane: Lane<'_, O::Element>,
    ) -> Result<(), P::Error> {
        let reset = self.env.reset_to(start.seed, start.problem)?;
        self.over = false;
        self.violated.clear();
        (*lane.reward, *lane.terminated, *lane.truncated) = (0.0, false, false);
        if let Some(flags) = lane.flags {
            *flags = reset.into();
        }
        self.observe(options, lane.observation, lane.mask)
    }

    #[inline(always)]
    pub(super) fn sample(&mut self, action: &mut ActionRow<'_>) -> Result<(), P::Error> {
        if self.over || !self.env.sample_into(&mut self.joint)? {
            self.joint.clear();
        }
        action.write(self.env.system()?.actions(), &self.joint);
        Ok(())
    }

    /// Steps by the action from `read`, or starts a new episode if the last one has ended.
    #[inline(always)]
    pub(super) fn step_given(
        &mut self,
        read: impl for<'j> FnOnce(&ActionLayout, &'j mut Vec<Choice>) -> Result<Joint<'j>, JointError>,
        options: SlotOptions,
        lane: Lane<'_, O::Element>,
    ) -> Result<(), P::Error> {
        if self.begins(options) {
            return self.begin(EpisodeStart::default(), options, lane);
        }
        let layout = self.env.system()?.actions();
        let joint = read(layout, &mut self.joint).map_err(EpisodeFault::from)?;
        self.is_given = true;
        let step = self.env.advance(joint.choices())?;
        self.show(step, options, lane)
    }

    /// Like [`step_given`](Self::step_given), but stops before the step of the system. Offers the action to the system as a
    /// row if there is one.
    pub(super) fn prepare_given(
        &mut self,
        row: Option<&[f64]>,
        read: impl for<'j> FnOnce(&ActionLayout, &'j mut Vec<Choice>) -> Result<Joint<'j>, JointError>,
        options: SlotOptions,
    ) -> Result<SlotAction, P::Error> {
        if self.begins(options) {
            return Ok(SlotAction::Begins);
        }
        self.is_given = true;
        if let Some(row) = row
            && self.env.accept_row(row)?
        {
            self.joint.clear();
            self.by_row = true;
            return Ok(SlotAction::Steps);
        }
        let layout = self.env.system()?.actions();
        if let Joint::One(choice) = read(layout, &mut self.joint).map_err(EpisodeFault::from)? {
            self.joint.clear();
            self.joint.push(choice);
        }
        self.prepare()
    }

    /// Like [`step_sampled`](Self::step_sampled), but stops before the step of the system.
    pub(super) fn prepare_sampled(
        &mut self,
        mut action: ActionRow<'_>,
        options: SlotOptions,
    ) -> Result<SlotAction, P::Error> {
        self.sample(&mut action)?;
        if self.begins(options) {
            return Ok(SlotAction::Begins);
        }
        self.is_given = false;
        self.prepare()
    }

    fn prepare(&mut self) -> Result<SlotAction, P::Error> {
        self.by_row = false;
        let admitted = self.env.admits(&self.joint)?;
        Ok(if admitted {
            SlotAction::Steps
        } else {
            SlotAction::Stays
        })
    }

    /// Returns the prepared step.
    pub(super) fn job(&mut self) -> Option<Job<'_, P::System>> {
        self.env.job(&self.joint, self.by_row)
    }

    /// Completes a call after a prepared [`SlotAction`], given the transition of the system if it was stepped. `outcome` is
    /// borrowed because a copy would be written in parts and read as a whole, which stalls store forwarding.
    pub(super) fn conclude(
        &mut self,
        turn: SlotAction,
        outcome: Option<&Transition>,
        options: SlotOptions,
        lane: Lane<'_, O::Element>,
    ) -> Result<(), P::Error> {
        if turn == SlotAction::Begins {
            return self.begin(EpisodeStart::default(), options, lane);
        }
        let step = self.env.conclude(outcome.copied())?;
        self.show(step, options, lane)
    }

    pub(super) fn step_sampled(
        &mut self,
        mut action: ActionRow<'_>,
        options: SlotOptions,
        lane: Lane<'_, O::Element>,
    ) -> Result<(), P::Error> {
        self.sample(&mut action)?;
        if self.begins(options) {
            return self.begin(EpisodeStart::default(), options, lane);
        }
        self.is_given = false;
        let step = self.env.advance(&self.joint)?;
        self.show(step, options, lane)
    }

    /// Returns whether the next step starts a new episode.
    fn begins(&self, options: SlotOptions) -> bool {
        self.over && options.autoreset == Autoreset::NextStep
    }

    /// Writes the results of a step, and starts a new episode if the step ended one and the options ask for it.
    #[inline(always)]
    fn show(&mut self, step: Step, options: SlotOptions, lane: Lane<'_, O::Element>) -> Result<(), P::Error> {
        *lane.reward = step.reward;
        *lane.terminated = step.terminated;
        *lane.truncated = step.truncated;
        self.over = step.ended();
        self.violated.clear();
        if step.applied && self.is_given {
            let (system, violated) = (self.env.system()?, &mut self.violated);
            // Finding them may repeat the step.
            if !system.offers_all() {
                system.each_violated(&mut |rule| violated.push(rule as u32));
            }
        }
        let mut flags = Flags {
            problem: self.env.problem().unwrap_or_default() as u32,
            ..Flags::from(step)
        };
        if self.over {
            flags.end = self.env.episode()?.end(&step);
        }
        if self.over && options.autoreset == Autoreset::SameStep {
            if let Some(last) = lane.final_observation {
                self.env.write_observation(last)?;
            }
            if let Some(last) = lane.final_flags {
                *last = flags;
            }
            flags = self.env.reset(None)?.into();
            self.over = false;
        }
        if let Some(into) = lane.flags {
            *into = flags;
        }
        self.observe(options, lane.observation, lane.mask)
    }

    /// Writes observation and mask, and clears the rest of both rows as far as needed.
    #[inline(always)]
    fn observe(
        &mut self,
        options: SlotOptions,
        observation: &mut [O::Element],
        mask: &mut [u8],
    ) -> Result<(), P::Error> {
        match options.rows {
            BufferContents::Fresh => {
                let used = self.env.write_used(observation)?;
                observation[used..].fill(O::Element::default());
                let width = self.write_mask(mask)?;
                mask[width..].fill(0);
                self.note.problem = None;
                self.count(used, width);
                Ok(())
            }
            BufferContents::Zeroed => {
                self.used = Used::UNKNOWN;
                self.env.write_used(observation)?;
                self.write_mask(mask)?;
                Ok(())
            }
            BufferContents::Kept => self.update(observation, mask),
        }
    }

    /// Updates rows that hold the output of the last call, using the record as far as it is valid.
    #[inline]
    fn update(&mut self, observation: &mut [O::Element], mask: &mut [u8]) -> Result<(), P::Error> {
        let (used, width) = if self.used.rows == 0 {
            self.forget();
            let used = self.env.rewrite(&mut self.note.written, observation)?;
            let width = self.update_mask(mask)?;
            self.note.problem = self.env.problem();
            (used, width)
        } else {
            // The record applies only if a call writes a single row per environment.
            let used = self.env.write_used(observation)?;
            (used, self.write_mask(mask)?)
        };
        clear(observation, used, self.before.observation);
        clear(mask, width, self.before.mask);
        self.count(used, width);
        Ok(())
    }

    /// Counts a written row and updates the maximum widths.
    #[inline]
    fn count(&mut self, observation: usize, mask: usize) {
        self.used.observation = self.used.observation.max(observation);
        self.used.mask = self.used.mask.max(mask);
        self.used.rows += 1;
    }

    /// Discards the record unless it describes the row: the last call wrote a single row, for the same problem.
    #[inline]
    fn forget(&mut self) {
        let known = self.before.rows == 1 && self.note.problem == self.env.problem();
        if !known {
            self.note.written.words.clear();
            self.note.problem = None;
        }
    }

    /// Writes the mask to the front of a row and returns its length.
    #[inline]
    fn write_mask(&mut self, mask: &mut [u8]) -> Result<usize, P::Error> {
        if self.masks == MaskForm::Packed {
            return self.write_packed_mask(mask);
        }
        let system = self.env.system()?;
        let width = system.actions().mask_len().min(mask.len());
        system.write_mask(&mut mask[..width]);
        Ok(width)
    }

    /// Writes the mask to the front of a row, one bit per alternative, and returns its length.
    fn write_packed_mask(&mut self, mask: &mut [u8]) -> Result<usize, P::Error> {
        let (system, note) = (self.env.system()?, &mut self.note);
        let alternatives = system.actions().mask_len();
        let width = alternatives.div_ceil(8).min(mask.len());
        let mask = &mut mask[..width];
        mask.fill(0);
        // With several fields, some alternatives are valid only together with others.
        if P::System::SINGLE_CHOICE && !system.offers_all() {
            system.choices(&mut note.choices);
            let valid = note.choices.iter().filter_map(|choice| choice.alternative());
            valid.for_each(|alternative| set_packed(mask, alternative as usize));
            return Ok(width);
        }
        note.mask.resize(alternatives, 0);
        system.write_mask(&mut note.mask);
        let valid = note.mask.iter().enumerate().filter(|(_, valid)| **valid == 1);
        valid.for_each(|(index, _)| set_packed(mask, index));
        Ok(width)
    }

    /// Updates a mask whose row matches the record, and returns its length.
    #[inline]
    fn update_mask(&mut self, mask: &mut [u8]) -> Result<usize, P::Error> {
        if self.masks == MaskForm::Packed {
            return self.write_packed_mask(mask);
        }
        let system = self.env.system()?;
        let layout = system.actions();
        let width = layout.mask_len().min(mask.len());
        let (mask, note) = (&mut mask[..width], &mut self.note);
        // If every alternative is always valid, the mask is constant and need not be written again.
        let is_constant = system.offers_all();
        if is_constant && note.problem.is_some() {
            return Ok(width);
        }
        // The choices are those that are valid alone. With several fields, others can be part of a valid joint action.
        if is_constant || width < WIDE || !P::System::SINGLE_CHOICE {
            system.write_mask(mask);
            return Ok(width);
        }
        match note.problem {
            Some(_) => note.offered.iter().for_each(|&index| mask[index] = 0),
            None => mask.fill(0),
        }
        system.choices(&mut note.choices);
        note.offered.clear();
        let indexes = note.choices.iter().filter_map(|choice| {
            let alternative = choice.alternative()? as usize;
            Some(layout.mask_offset(choice.field)? + alternative)
        });
        note.offered.extend(indexes.filter(|&index| index < width));
        note.offered.iter().for_each(|&index| mask[index] = 1);
        Ok(width)
    }
}

/// Clears the elements of a row after `used` that may be non-zero.
#[inline]
fn clear<E: Element>(row: &mut [E], used: usize, held: usize) {
    let held = held.min(row.len());
    if let Some(rest) = row.get_mut(used..held) {
        rest.fill(E::default());
    }
}
