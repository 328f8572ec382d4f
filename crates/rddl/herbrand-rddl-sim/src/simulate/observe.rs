//! Observers that write what agents see as vectors of numbers.

use herbrand_core::{Memory, ObservationField, ObservationLayout, Observer, Problems, Random};
use herbrand_rddl::Range;

use super::compiled::{CompiledInstance, GroundFluents};
use super::simulator::RddlSimulator;
use super::values::Cell;

/// An observer that writes one number per ground fluent: the state fluents, or the observ fluents of a partially observed
/// problem. Bools are 0 and 1. Objects and enum values are their positions in declaration order.
///
/// In a partially observed problem all numbers are 0 before the first step of an episode. In a suite, the vector has the
/// length of the problem with the most fluents; missing fluents are 0. Pass it to
/// [`RddlEnv::observed`](herbrand_core::Env::observed).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FluentVector;

/// An observer that writes one byte per ground fluent, 1 if it is true, else 0. It contains the same as
/// [`FluentVector`] in an eighth of the memory, but supports only problems whose visible fluents are all bools.
/// [`of`](Self::of) creates it; pass it to [`RddlEnv::observed`](herbrand_core::Env::observed).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FluentBits {
    /// Ensures that it is created by [`of`](Self::of) only.
    _made: (),
}

impl FluentBits {
    /// Creates the observer for all of `problems`, such as an [`RddlSuite`](crate::suite::RddlSuite); `None` if agents
    /// see a fluent that is not a bool in one of them. Use [`FluentVector`] then.
    ///
    /// # Errors
    /// Fails if a problem cannot be loaded or compiled.
    pub fn of<P: Problems<System = RddlSimulator>>(problems: &P) -> Result<Option<Self>, P::Error> {
        for index in 0..problems.len() {
            let system = problems.system(index)?;
            let compiled = system.compiled();
            let fluents = visible(compiled);
            if (0..fluents.len()).any(|at| compiled.range(fluents, at) != Range::Bool) {
                return Ok(None);
            }
        }
        Ok(Some(Self { _made: () }))
    }
}

/// An observer that writes one `i64` per ground fluent: what [`FluentVector`] writes, but all integers exactly, and reals as
/// their bits ([`f64::to_bits`]). Pass it to [`RddlEnv::observed`](herbrand_core::Env::observed).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExactFluents;

/// Returns the fluents that agents see.
fn visible(compiled: &CompiledInstance) -> &GroundFluents {
    if compiled.is_partially_observed() {
        &compiled.observ
    } else {
        &compiled.state
    }
}

/// Returns the fields of a [`FluentVector`] observation of a problem: one per visible ground fluent, with its name and
/// its bounds, in the order of [`CompiledInstance::observ`] if the problem is partially observed, else of
/// [`CompiledInstance::state`]. Ints and reals have no bounds: their ends are infinite.
#[must_use]
pub fn observation_fields(compiled: &CompiledInstance) -> Vec<ObservationField> {
    let fluents = visible(compiled);
    let field = |at: usize| {
        let (low, high) = match compiled.range(fluents, at) {
            Range::Bool => (0.0, 1.0),
            Range::Int | Range::Real => (f64::NEG_INFINITY, f64::INFINITY),
            Range::Item(of) => (0.0, f64::from(compiled.instance.size(of)) - 1.0),
        };
        ObservationField {
            name: compiled.name(fluents, at),
            shape: Vec::new(),
            low,
            high,
        }
    };
    (0..fluents.len()).map(field).collect()
}

/// Returns the fields of the problem with the most fluents, with bounds that hold for all problems. Missing fluents are 0.
fn layout<P: Problems<System = RddlSimulator>>(problems: &P) -> Result<ObservationLayout, P::Error> {
    let mut all = Vec::new();
    for index in 0..problems.len() {
        all.push(observation_fields(problems.system(index)?.compiled()));
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

/// Stores the observation of the last step as words.
fn attend(system: &RddlSimulator, memory: &mut Memory) {
    let compiled = system.compiled();
    if compiled.is_partially_observed() {
        memory.words.clear();
        memory.words.resize(compiled.observ.len(), 0);
        system.write_observed(&mut memory.words);
    }
}

/// Writes the observation and returns the number of cells written.
#[inline]
fn write<C: Cell>(system: &RddlSimulator, memory: &Memory, into: &mut [C]) -> usize {
    let compiled = system.compiled();
    let count = visible(compiled).len().min(into.len());
    let into = &mut into[..count];
    if compiled.is_partially_observed() {
        let words = memory.words.iter().copied().chain(std::iter::repeat(0));
        for ((at, cell), word) in into.iter_mut().enumerate().zip(words) {
            *cell = C::of_word(compiled.observ.section.kind(at), word);
        }
    } else {
        compiled.state.section.write_cells(system.values(), into);
    }
    count
}

/// Observers, each with its cell type.
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

observers!(FluentVector: f64, FluentBits: u8, ExactFluents: i64);
