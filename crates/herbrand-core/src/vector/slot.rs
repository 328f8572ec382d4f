//! One environment of a batch.

use super::batch::{ActionRow, Lane};
use super::{Autoreset, Flags, Rows};
use crate::{
    ActionLayout, Choice, Element, Env, EpisodeFault, Job, Joint, JointError, Observer, Problems, Step,
    System, Transition, Written,
};

/// One environment, and what its rows hold.
// What every step reads is kept together.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Slot<P: Problems, O: Observer<P>> {
    note: Note,
    /// The most elements of observations and masks that this call has used, and the last one.
    used: Used,
    before: Used,
    joint: Vec<Choice>,
    /// Whether the next step begins a new episode.
    over: bool,
    /// Whether the system has the joint action of the next step as a row.
    by_row: bool,
    env: Env<P, O>,
}

/// What is known of the last row that was written.
#[derive(Debug, Default)]
#[repr(C)]
struct Note {
    choices: Vec<Choice>,
    /// The bytes of the mask that are 1, where it is a wide one.
    offered: Vec<usize>,
    /// The observer's own note.
    written: Written,
    /// The problem whose observation it is.
    problem: Option<usize>,
}

/// A mask of this many bytes or more is updated by its valid alternatives alone, if its previous content is known.
const WIDE: usize = 1024;

/// How many elements of a row are in use.
#[derive(Clone, Copy, Debug, Default)]
struct Used {
    observation: usize,
    mask: usize,
    /// How many rows were written.
    rows: usize,
}

impl Used {
    /// Rows that may hold anything.
    const UNKNOWN: Self = Self {
        observation: usize::MAX,
        mask: usize::MAX,
        rows: usize::MAX,
    };
}

/// What holds for all environments of a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlotOptions {
    pub(super) autoreset: Autoreset,
    pub(super) rows: Rows,
}

/// What an environment does in a call that steps several together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    /// It begins a new episode.
    Begins,
    /// It takes a step that does not reach the system.
    Stays,
    /// Its system takes a step.
    Steps,
}

// A step is a chain of small calls that hand results on. All of them are inlined, here and in `Env`, even where a program has many
// kinds of batches: out of line, each result is written piece by piece and read as a whole, which makes the processor wait.
impl<P: Problems, O: Observer<P>> Slot<P, O> {
    pub(super) fn new(env: Env<P, O>) -> Self {
        Self {
            env,
            over: false,
            joint: Vec::new(),
            by_row: false,
            used: Used::default(),
            before: Used::default(),
            note: Note::default(),
        }
    }

    pub(super) const fn env(&self) -> &Env<P, O> {
        &self.env
    }

    /// Reads what the next step reads ([`System::touch`]).
    #[inline]
    pub(super) fn touch(&self) -> u64 {
        let note = self.note.written.words.first().copied().unwrap_or_default();
        self.env.touch() ^ note ^ self.before.rows as u64
    }

    /// A new call begins: what was written so far is what the rows hold.
    #[inline]
    pub(super) fn turn_page(&mut self, options: SlotOptions) {
        match options.rows {
            // Every row will be written to its end.
            Rows::Fresh => self.used = Used::default(),
            Rows::Kept if self.used.rows > 0 => self.before = std::mem::take(&mut self.used),
            Rows::Kept | Rows::Zeroed => {}
        }
    }

    /// The call ended before its last row: what the rows hold is not known.
    #[cold]
    pub(super) fn lose_track(&mut self) {
        self.used = Used::UNKNOWN;
    }

    pub(super) fn begin(
        &mut self,
        seed: Option<u64>,
        options: SlotOptions,
        lane: Lane<'_, O::Element>,
    ) -> Result<(), P::Error> {
        let reset = self.env.reset(seed)?;
        self.over = false;
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

    /// Steps by the action that `read` gives, unless the step begins a new episode.
    #[inline(always)]
    pub(super) fn step_given(
        &mut self,
        read: impl for<'j> FnOnce(&ActionLayout, &'j mut Vec<Choice>) -> Result<Joint<'j>, JointError>,
        options: SlotOptions,
        lane: Lane<'_, O::Element>,
    ) -> Result<(), P::Error> {
        if self.begins(options) {
            return self.begin(None, options, lane);
        }
        let layout = self.env.system()?.actions();
        let joint = read(layout, &mut self.joint).map_err(EpisodeFault::from)?;
        let step = self.env.advance(joint.choices())?;
        self.show(step, options, lane)
    }

    /// As [`step_given`](Self::step_given), up to the step of the system, which may take the action as a row if it is one.
    pub(super) fn prepare_given(
        &mut self,
        row: Option<&[f64]>,
        read: impl for<'j> FnOnce(&ActionLayout, &'j mut Vec<Choice>) -> Result<Joint<'j>, JointError>,
        options: SlotOptions,
    ) -> Result<Turn, P::Error> {
        if self.begins(options) {
            return Ok(Turn::Begins);
        }
        if let Some(row) = row
            && self.env.takes_row(row)?
        {
            self.joint.clear();
            self.by_row = true;
            return Ok(Turn::Steps);
        }
        let layout = self.env.system()?.actions();
        if let Joint::One(choice) = read(layout, &mut self.joint).map_err(EpisodeFault::from)? {
            self.joint.clear();
            self.joint.push(choice);
        }
        self.prepare()
    }

    /// As [`step_sampled`](Self::step_sampled), up to the step of the system.
    pub(super) fn prepare_sampled(
        &mut self,
        mut action: ActionRow<'_>,
        options: SlotOptions,
    ) -> Result<Turn, P::Error> {
        self.sample(&mut action)?;
        if self.begins(options) {
            return Ok(Turn::Begins);
        }
        self.prepare()
    }

    fn prepare(&mut self) -> Result<Turn, P::Error> {
        self.by_row = false;
        let admitted = self.env.admits(&self.joint)?;
        Ok(if admitted { Turn::Steps } else { Turn::Stays })
    }

    /// The step that was prepared.
    pub(super) fn job(&mut self) -> Option<Job<'_, P::System>> {
        self.env.job(&self.joint, self.by_row)
    }

    /// Does what is left of a call after [`Turn`]; `outcome` is that of the step that the system has taken. It is lent: a copy is
    /// written piece by piece and read as a whole, which makes the processor wait.
    pub(super) fn conclude(
        &mut self,
        turn: Turn,
        outcome: Option<&Transition>,
        options: SlotOptions,
        lane: Lane<'_, O::Element>,
    ) -> Result<(), P::Error> {
        if turn == Turn::Begins {
            return self.begin(None, options, lane);
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
            return self.begin(None, options, lane);
        }
        let step = self.env.advance(&self.joint)?;
        self.show(step, options, lane)
    }

    /// Whether the next step begins a new episode.
    fn begins(&self, options: SlotOptions) -> bool {
        self.over && options.autoreset == Autoreset::NextStep
    }

    /// Writes what a step led to, and begins a new episode where that is due.
    #[inline(always)]
    fn show(&mut self, step: Step, options: SlotOptions, lane: Lane<'_, O::Element>) -> Result<(), P::Error> {
        *lane.reward = step.reward;
        *lane.terminated = step.terminated;
        *lane.truncated = step.truncated;
        let mut flags = Flags {
            problem: self.env.problem().unwrap_or_default() as u32,
            ..Flags::from(step)
        };
        self.over = step.ended();
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

    /// Writes observation and mask, and clears what the rows held beyond them.
    #[inline(always)]
    fn observe(
        &mut self,
        options: SlotOptions,
        observation: &mut [O::Element],
        mask: &mut [u8],
    ) -> Result<(), P::Error> {
        match options.rows {
            Rows::Fresh => {
                let used = self.env.write_used(observation)?;
                observation[used..].fill(O::Element::default());
                let system = self.env.system()?;
                system.write_mask(mask);
                let width = system.actions().mask_len().min(mask.len());
                self.note.problem = None;
                self.count(used, width);
                Ok(())
            }
            Rows::Zeroed => {
                self.used = Used::UNKNOWN;
                self.env.write_used(observation)?;
                self.write_mask(mask)?;
                Ok(())
            }
            Rows::Kept => self.update(observation, mask),
        }
    }

    /// Brings rows up to date that hold what the last call wrote, as far as that is known.
    #[inline]
    fn update(&mut self, observation: &mut [O::Element], mask: &mut [u8]) -> Result<(), P::Error> {
        let (used, width) = if self.used.rows == 0 {
            self.forget();
            let used = self.env.rewrite(&mut self.note.written, observation)?;
            let width = self.update_mask(mask)?;
            self.note.problem = self.env.problem();
            (used, width)
        } else {
            // A note is of use where a call writes a single row.
            let used = self.env.write_used(observation)?;
            (used, self.write_mask(mask)?)
        };
        clear(observation, used, self.before.observation);
        clear(mask, width, self.before.mask);
        self.count(used, width);
        Ok(())
    }

    /// Counts a row that was written, of which this much is in use.
    #[inline]
    fn count(&mut self, observation: usize, mask: usize) {
        self.used.observation = self.used.observation.max(observation);
        self.used.mask = self.used.mask.max(mask);
        self.used.rows += 1;
    }

    /// Drops the note, unless the row holds what it says: the last call wrote a single row, and both are of one problem.
    #[inline]
    fn forget(&mut self) {
        let known = self.before.rows == 1 && self.note.problem == self.env.problem();
        if !known {
            self.note.written.words.clear();
            self.note.problem = None;
        }
    }

    /// Writes the mask to the front of a row, and returns its length.
    #[inline]
    fn write_mask(&self, mask: &mut [u8]) -> Result<usize, P::Error> {
        let system = self.env.system()?;
        let width = system.actions().mask_len().min(mask.len());
        system.write_mask(&mut mask[..width]);
        Ok(width)
    }

    /// Writes the mask into a row that holds what the note says, and returns its length.
    #[inline]
    fn update_mask(&mut self, mask: &mut [u8]) -> Result<usize, P::Error> {
        let system = self.env.system()?;
        let layout = system.actions();
        let width = layout.mask_len().min(mask.len());
        let (mask, note) = (&mut mask[..width], &mut self.note);
        // Where every alternative is valid in every state, the row may hold that already.
        let is_constant = system.is_unrestricted();
        if is_constant && note.problem.is_some() {
            return Ok(width);
        }
        if is_constant || width < WIDE {
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

/// Clears what a row holds from the end of its use to where it may hold something.
#[inline]
fn clear<E: Element>(row: &mut [E], used: usize, held: usize) {
    let held = held.min(row.len());
    if let Some(rest) = row.get_mut(used..held) {
        rest.fill(E::default());
    }
}
