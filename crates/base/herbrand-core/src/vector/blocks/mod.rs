//! Batches whose environments are lanes of blocks.
//!
//! A batch is cut into sections, each for one thread at a time. A section has decks: blocks of one problem with environments on
//! their lanes. An environment whose next episode has another problem moves to a lane of another deck.
//!
//! ```text
//!   environments   0 1 2 3 4 5 6 7 | 8 9 …       sections
//!   deck, problem 0    1 5 0 ·                    a lane each, in any order
//!   deck, problem 1    7 3 2 4
//! ```

mod deck;
mod section;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use herbrand_limits::check_enclosing;

use deck::Shape;
use section::{Common, Section};

use super::batch::{ActionRows, Actions, Lanes, Widths};
use super::split::Blocks;
use super::workers::Workers;
use super::{MaskForm, VecOptions};
use crate::batch_system::BatchSystem;
use crate::env::{Env, EpisodeStart};
use crate::error::EpisodeFault;
use crate::idle::IdleSystems;
use crate::observe::{Element, ElementKind, Observer};
use crate::problems::Problems;
use crate::system::System;

/// The most lanes of a section if there is one problem.
const MOST_LANES: usize = 512;

/// The fewest environments of a section, so that threads share the work of a small batch only if each gets whole words.
const FEWEST_LANES: usize = 64;

/// Environments on the lanes of blocks.
pub(super) struct BlockBatch<P: Problems, O: Observer<P>> {
    common: Common<P>,
    observer: O,
    sections: Vec<Section<P>>,
    count: usize,
    /// The number of environments per section.
    size: usize,
    /// Environments for callers who look at one, made on demand and dropped by the next call.
    views: Vec<OnceLock<Box<Env<P, O>>>>,
    /// Whether there may be any.
    is_viewed: AtomicBool,
}

impl<P: Problems, O: Observer<P>> BlockBatch<P, O> {
    /// Creates `count` environments; `None` if the observations are not bits, or a problem has no blocks for as many
    /// environments.
    pub(super) fn new(
        problems: &P,
        observer: &O,
        count: usize,
        options: VecOptions,
        widths: Widths,
        idle: &Arc<IdleSystems<P>>,
    ) -> Result<Option<Self>, P::Error> {
        let several = problems.len();
        if count == 0 || several == 0 || !P::System::SINGLE_CHOICE {
            return Ok(None);
        }
        let sections = options.threads.clamp(1, (count / FEWEST_LANES / several).max(1));
        let sections = if several == 1 {
            sections.max(count.div_ceil(MOST_LANES))
        } else {
            sections
        };
        let size = count.div_ceil(sections);
        // The number of environments of a problem varies by its square root, so that few blocks are too small.
        let mean = size.div_ceil(several);
        let lanes = if several == 1 {
            mean
        } else {
            mean + 3 * mean.isqrt()
        };
        let mut shapes = Vec::new();
        for index in 0..several {
            let system = problems.system(index)?;
            let shape = Self::shape(problems, observer, index, &system, options);
            let Some(shape) = shape.filter(|_| observer.check(&system).is_ok()) else {
                return Ok(None);
            };
            if system.block(lanes).is_none() {
                return Ok(None);
            }
            shapes.push(shape);
        }
        let common = Common {
            problems: problems.clone(),
            options: options.env,
            autoreset: options.autoreset,
            widths,
            packed_masks: options.masks == MaskForm::Packed,
            shapes,
            lanes,
            idle: Arc::clone(idle),
        };
        let sections = (0..count)
            .step_by(size)
            .map(|first| Section::new(size.min(count - first)));
        Ok(Some(Self {
            sections: sections.collect(),
            common,
            observer: observer.clone(),
            count,
            size,
            views: std::iter::repeat_with(OnceLock::new).take(count).collect(),
            is_viewed: AtomicBool::new(false),
        }))
    }

    /// Returns the data that all environments of a problem share; `None` if they cannot be lanes.
    fn shape(
        problems: &P,
        observer: &O,
        index: usize,
        system: &P::System,
        options: VecOptions,
    ) -> Option<Shape> {
        let layout = system.actions().clone();
        let is_single = layout.fields().len() == 1 && O::Element::KIND == ElementKind::U8;
        Some(Shape {
            row: observer.bit_row(system).filter(|_| is_single)?,
            mask: layout.mask_len(),
            layout,
            rules: options.env.rules(problems.horizon(index)),
        })
    }

    pub(super) const fn len(&self) -> usize {
        self.count
    }

    /// Returns an environment in the state of a lane.
    pub(super) fn env(&self, index: usize) -> Option<&Env<P, O>> {
        let view = self.views.get(index)?;
        let (section, env) = (&self.sections[index / self.size], index % self.size);
        if view.get().is_none() {
            let (problems, idle) = (self.common.problems.clone(), Arc::clone(&self.common.idle));
            let mut made = Env::sharing(problems, self.observer.clone(), self.common.options, idle).ok()?;
            if let Some(saved) = section.snapshot(env) {
                made.restore(&saved).ok()?;
            }
            self.is_viewed.store(true, Ordering::Relaxed);
            return Some(view.get_or_init(|| Box::new(made)));
        }
        view.get().map(Box::as_ref)
    }

    /// Starts episodes in the environments for which `start` returns how.
    pub(super) fn reset(
        &mut self,
        workers: &Workers,
        start: impl Fn(usize) -> Option<EpisodeStart> + Sync,
        rows: Lanes<'_, O::Element>,
    ) -> Option<(usize, P::Error)> {
        self.for_each(workers, 1, rows, |common, section, first, mut rows| {
            section.reset(common, first, |env| start(first + env), &mut rows)
        })
    }

    pub(super) fn sample(&mut self, workers: &Workers, actions: ActionRows<'_>) -> Option<(usize, P::Error)> {
        self.for_each(workers, 1, actions, |common, section, first, mut actions| {
            section.sample(common, first, &mut actions)
        })
    }

    pub(super) fn step(
        &mut self,
        workers: &Workers,
        actions: Actions<'_>,
        rows: Lanes<'_, O::Element>,
    ) -> Option<(usize, P::Error)> {
        self.for_each(workers, 1, rows, |common, section, first, mut rows| {
            section.step_given(common, first, &actions, &mut rows)
        })
    }

    /// Takes `steps` sampled steps. With a `pass`, budgets that enclose the call are checked in every step.
    pub(super) fn collect(
        &mut self,
        workers: &Workers,
        steps: usize,
        actions: ActionRows<'_>,
        rows: Lanes<'_, O::Element>,
        pass: Option<&'static str>,
    ) -> Option<(usize, P::Error)> {
        let check = || match pass {
            Some(pass) => Ok(check_enclosing(pass).map_err(EpisodeFault::from)?),
            None => Ok(()),
        };
        self.for_each(
            workers,
            steps,
            (actions, rows),
            |common, section, first, (mut actions, mut rows)| {
                section.step_sampled(common, first, steps, (&mut actions, &mut rows), check)
            },
        )
    }

    /// Calls `work` for every section, with the index of its first environment and with its items. Each environment has `steps`
    /// items. Returns the failure with the smallest index.
    fn for_each<S: super::split::Split>(
        &mut self,
        workers: &Workers,
        steps: usize,
        of_all: S,
        work: impl Fn(&Common<P>, &mut Section<P>, usize, S) -> Result<(), (usize, P::Error)> + Sync,
    ) -> Option<(usize, P::Error)> {
        if std::mem::take(self.is_viewed.get_mut()) {
            self.views.iter_mut().for_each(|view| drop(view.take()));
        }
        let (common, size) = (&self.common, self.size);
        let items = Blocks {
            of_all,
            count: self.count * steps,
            size: size * steps,
        };
        let sections = self.sections.as_mut_slice();
        let work =
            |index: usize, (section, items): (&mut Section<P>, S)| work(common, section, index * size, items);
        let count = sections.len();
        let failed = workers.for_each_in_order(1, count, (sections, items), work);
        failed.map(|(_, failure)| failure)
    }

    /// Returns the problem of an environment; `None` before its first episode.
    pub(super) fn problem(&self, index: usize) -> Option<usize> {
        self.sections.get(index / self.size)?.problem(index % self.size)
    }
}

impl<P: Problems, O: Observer<P>> fmt::Debug for BlockBatch<P, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockBatch")
            .field("environments", &self.count)
            .finish_non_exhaustive()
    }
}
