//! What agents see: vectors of numbers.

use herbrand_core::{Memory, ObservationField, ObservationLayout, Observer, Problems, Random};

use super::process::{Fluents, Process};
use super::simulator::RddlSimulator;
use super::values::Cell;
use crate::Range;

/// One number per ground fluent: the state, or the observed fluents of a partially observed problem. Bools are 0 and 1,
/// objects and enum values their places.
///
/// Before the first step of an episode nothing has been observed yet; all numbers of a partially observed problem are 0
/// then.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FluentVector;

/// One byte per ground fluent, 1 where it is true: what [`FluentVector`] shows of problems whose agents see nothing but bools, in an
/// eighth of the memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FluentBits {
    /// It is made by [`of`](Self::of) alone.
    _made: (),
}

impl FluentBits {
    /// The observer, if all that agents see of these problems is bools.
    ///
    /// # Errors
    /// When a problem is at fault.
    pub fn of<P: Problems<System = RddlSimulator>>(problems: &P) -> Result<Option<Self>, P::Error> {
        for index in 0..problems.len() {
            let system = problems.system(index)?;
            let process = system.process();
            let fluents = visible(process);
            if (0..fluents.len()).any(|at| process.range(fluents, at) != Range::Bool) {
                return Ok(None);
            }
        }
        Ok(Some(Self { _made: () }))
    }
}

/// The fluents that agents see.
fn visible(process: &Process) -> &Fluents {
    if process.is_partially_observed() {
        &process.observ
    } else {
        &process.state
    }
}

/// The parts of an observation: one per ground fluent, with its bounds.
#[must_use]
pub fn observation_fields(process: &Process) -> Vec<ObservationField> {
    let fluents = visible(process);
    let field = |at: usize| {
        let (low, high) = match process.range(fluents, at) {
            Range::Bool => (0.0, 1.0),
            Range::Int | Range::Real => (f64::NEG_INFINITY, f64::INFINITY),
            Range::Item(of) => (0.0, f64::from(process.instance.size(of)) - 1.0),
        };
        ObservationField {
            name: process.name(fluents, at),
            shape: Vec::new(),
            low,
            high,
        }
    };
    (0..fluents.len()).map(field).collect()
}

/// The fields of the problem with the most fluents, with bounds that hold for all problems. What a problem has no fluent for is 0.
fn layout<P: Problems<System = RddlSimulator>>(problems: &P) -> Result<ObservationLayout, P::Error> {
    let mut all = Vec::new();
    for index in 0..problems.len() {
        all.push(observation_fields(problems.system(index)?.process()));
    }
    let mut widest = Vec::new();
    for fields in &all {
        if fields.len() > widest.len() {
            widest.clone_from(fields);
        }
    }
    for (index, field) in widest.iter_mut().enumerate() {
        for fields in &all {
            let (low, high) = fields.get(index).map_or((0.0, 0.0), |one| (one.low, one.high));
            field.low = field.low.min(low);
            field.high = field.high.max(high);
        }
    }
    Ok(ObservationLayout::new(widest))
}

/// Keeps what the step that led here let the agent see: numbers, as their bits.
fn attend(system: &RddlSimulator, memory: &mut Memory) {
    let process = system.process();
    if process.is_partially_observed() {
        memory.words.clear();
        memory.words.resize(process.observ.len(), 0);
        system.write_observed(&mut memory.words);
    }
}

/// Writes what agents see, and returns how many cells that takes.
#[inline]
fn write<C: Cell>(system: &RddlSimulator, memory: &Memory, into: &mut [C]) -> usize {
    let process = system.process();
    let count = visible(process).len().min(into.len());
    let into = &mut into[..count];
    if process.is_partially_observed() {
        let words = memory.words.iter().copied().chain(std::iter::repeat(0));
        into.iter_mut()
            .zip(words)
            .for_each(|(cell, bits)| *cell = C::of_number(f64::from_bits(bits)));
    } else {
        process.state.section.write_cells(system.values(), into);
    }
    count
}

/// Observers that write cells of one type each.
macro_rules! observers {
    ($($observer:ty: $cell:ty),*) => {$(
        impl<P: Problems<System = RddlSimulator>> Observer<P> for $observer {
            type Element = $cell;

            fn layout(&self, problems: &P) -> Result<ObservationLayout, P::Error> {
                layout(problems)
            }

            fn attend(&self, system: &RddlSimulator, memory: &mut Memory, _random: &mut Random) {
                attend(system, memory);
            }

            fn write(&self, system: &RddlSimulator, memory: &Memory, into: &mut [$cell]) -> usize {
                write(system, memory, into)
            }
        }
    )*};
}

observers!(FluentVector: f64, FluentBits: u8);
