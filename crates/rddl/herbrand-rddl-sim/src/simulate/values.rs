//! Values of ground fluents and their registers.

use std::ops::Range;

use herbrand_dataflow::{BatchRegisters, Layout, Registers, ValueType};
use smallvec::SmallVec;

use super::batches::MOST_TOGETHER;
use super::turn;

/// One item per environment of a pass.
pub(crate) type Lanes<T> = SmallVec<[T; MOST_TOGETHER]>;

/// The value of a ground fluent. Objects and enum values are their positions in declaration order, from 0.
/// [`number`](Self::number) converts it to a real. [`FluentRegisters::get`] and
/// [`RddlSimulator::fluent`](super::RddlSimulator::fluent) return one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FluentValue {
    /// A bool.
    Bool(bool),
    /// An int, an object or an enum value.
    Int(i64),
    /// A real.
    Real(f64),
}

impl FluentValue {
    /// Returns the kind of registers that hold the value.
    #[must_use]
    pub const fn kind(self) -> ValueType {
        match self {
            Self::Bool(_) => ValueType::Bool,
            Self::Int(_) => ValueType::Int,
            Self::Real(_) => ValueType::Real,
        }
    }

    /// Returns the value as a number. Bools are 0 and 1; ints above 2^53 are rounded.
    #[must_use]
    pub fn number(self) -> f64 {
        match self {
            Self::Bool(value) => f64::from(u8::from(value)),
            Self::Int(value) => value as f64,
            Self::Real(value) => value,
        }
    }
}

/// The element type of an observation.
pub(super) trait Cell: Copy {
    fn of_bool(value: bool) -> Self;
    fn of_int(value: i64) -> Self;
    fn of_real(value: f64) -> Self;

    /// Reads a word that a value of this kind was written to ([`Cell`] of `u64`).
    fn of_word(kind: ValueType, word: u64) -> Self {
        match kind {
            ValueType::Bool => Self::of_bool(word != 0),
            ValueType::Int => Self::of_int(word as i64),
            ValueType::Real => Self::of_real(f64::from_bits(word)),
        }
    }
}

/// The number.
impl Cell for f64 {
    fn of_bool(value: bool) -> Self {
        Self::from(u8::from(value))
    }

    fn of_int(value: i64) -> Self {
        value as Self
    }

    fn of_real(value: f64) -> Self {
        value
    }
}

/// The integer, 0 or 1 for a bool, and the bits of a real.
impl Cell for i64 {
    fn of_bool(value: bool) -> Self {
        Self::from(value)
    }

    fn of_int(value: i64) -> Self {
        value
    }

    fn of_real(value: f64) -> Self {
        value.to_bits() as Self
    }
}

/// The bits of the `i64`.
impl Cell for u64 {
    fn of_bool(value: bool) -> Self {
        Self::from(value)
    }

    fn of_int(value: i64) -> Self {
        value as Self
    }

    fn of_real(value: f64) -> Self {
        value.to_bits()
    }
}

/// 0 or 1: whether the bool is true, or the number is not 0.
impl Cell for u8 {
    fn of_bool(value: bool) -> Self {
        Self::from(value)
    }

    fn of_int(value: i64) -> Self {
        Self::from(value != 0)
    }

    fn of_real(value: f64) -> Self {
        Self::from(value != 0.0)
    }
}

/// The values of a list of ground fluents, such as a state, grouped by kind. A [`FluentRegisters`] gives the position
/// of each fluent: read them by [`FluentRegisters::get`]. States come from
/// [`RddlSimulator::values`](super::RddlSimulator::values) and
/// [`CompiledInstance::initial`](super::CompiledInstance::initial).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Values {
    pub(super) bools: Box<[bool]>,
    pub(super) ints: Box<[i64]>,
    pub(super) reals: Box<[f64]>,
}

impl Values {
    /// Returns the number of values of all kinds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bools.len() + self.ints.len() + self.reals.len()
    }

    /// Returns `true` if there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The places of a list of ground fluents in the registers of a tape, and in [`Values`].
/// [`GroundFluents::section`](super::GroundFluents::section) returns those of a problem. Each kind has consecutive
/// registers, so that all values of a kind are copied at once:
///
/// ```text
///   fluents      f0: real   f1: bool   f2: real   f3: int
///   bools        … | f1 | …
///   ints         … | f3 | …
///   reals        … | f0 | f2 | …
/// ```
#[derive(Clone, Debug, Default)]
pub struct FluentRegisters {
    /// By fluent: its kind and its position among the fluents of that kind.
    places: Vec<(ValueType, u32)>,
    /// Runs of consecutive fluents of one kind: the kind, the position of the first, and the length.
    runs: Vec<(ValueType, u32, u32)>,
    first: Layout,
    count: Layout,
}

impl FluentRegisters {
    /// Creates a section for fluents of these kinds, in order, and reserves registers for them in `layout`, after those
    /// that it has: its counts grow. For callers that compile tapes of their own, with
    /// [`Tape::compile`](herbrand_dataflow::Tape::compile).
    pub fn take(layout: &mut Layout, kinds: impl IntoIterator<Item = ValueType>) -> Self {
        let mut count = Layout::default();
        let places: Vec<(ValueType, u32)> = kinds
            .into_iter()
            .map(|kind| (kind, count.take(kind, 1)))
            .collect();
        let alike = places.chunk_by(|one, other| one.0 == other.0);
        let runs = alike.map(|run| (run[0].0, run[0].1, run.len() as u32)).collect();
        let first = Layout {
            bools: layout.take(ValueType::Bool, count.bools),
            ints: layout.take(ValueType::Int, count.ints),
            reals: layout.take(ValueType::Real, count.reals),
        };
        Self {
            places,
            runs,
            first,
            count,
        }
    }

    /// Returns the number of fluents in the section.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns `true` if the section has no fluents.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns the kind of the fluent with this index. Items are ints. Panics if there is no such fluent.
    #[must_use]
    pub fn kind(&self, fluent: usize) -> ValueType {
        self.places[fluent].0
    }

    /// Returns the register of the first fluent of a kind.
    pub(super) const fn first(&self, kind: ValueType) -> u32 {
        self.first.of(kind)
    }

    /// Returns the index of the register that holds the fluent with this index, among the
    /// [`Registers`] of its [`kind`](Self::kind). Panics if there is no such fluent.
    #[must_use]
    pub fn register(&self, fluent: usize) -> u32 {
        let (kind, place) = self.places[fluent];
        self.first.of(kind) + place
    }

    /// Returns values for the fluents of the section, all `false` or 0. [`set`](Self::set) changes them.
    #[must_use]
    pub fn values(&self) -> Values {
        Values {
            bools: vec![false; self.count.bools as usize].into(),
            ints: vec![0; self.count.ints as usize].into(),
            reals: vec![0.0; self.count.reals as usize].into(),
        }
    }

    /// Returns whether `values` can be values of this section: whether it has the right number of values of each kind.
    /// Values of another problem may fit too.
    #[must_use]
    pub fn fits(&self, values: &Values) -> bool {
        values.bools.len() == self.count.bools as usize
            && values.ints.len() == self.count.ints as usize
            && values.reals.len() == self.count.reals as usize
    }

    /// Returns the value of the fluent with index `fluent` of this section in `values`. Panics if there is no such
    /// fluent, or if `values` has too few values of the fluent's kind (see [`fits`](Self::fits)).
    #[must_use]
    pub fn get(&self, values: &Values, fluent: usize) -> FluentValue {
        let (kind, place) = self.places[fluent];
        match kind {
            ValueType::Bool => FluentValue::Bool(values.bools[place as usize]),
            ValueType::Int => FluentValue::Int(values.ints[place as usize]),
            ValueType::Real => FluentValue::Real(values.reals[place as usize]),
        }
    }

    /// Sets the value of the fluent with index `fluent` of this section, converted to its kind. Bools convert to ints,
    /// and all kinds to reals. Returns `false` and changes nothing for any other conversion. Panics if there is no such
    /// fluent, or if `values` has too few values of the fluent's kind (see [`fits`](Self::fits)).
    pub fn set(&self, values: &mut Values, fluent: usize, value: FluentValue) -> bool {
        let (kind, place) = self.places[fluent];
        let place = place as usize;
        match (kind, value) {
            (ValueType::Bool, FluentValue::Bool(value)) => values.bools[place] = value,
            (ValueType::Int, FluentValue::Int(value)) => values.ints[place] = value,
            (ValueType::Int, FluentValue::Bool(value)) => values.ints[place] = i64::from(value),
            (ValueType::Real, value) => values.reals[place] = value.number(),
            _ => return false,
        }
        true
    }

    pub(super) fn range(&self, kind: ValueType) -> Range<usize> {
        let first = self.first.of(kind) as usize;
        first..first + self.count.of(kind) as usize
    }

    /// Writes the values to cells, in the order of the fluents.
    pub(super) fn write_cells<C: Cell>(&self, values: &Values, into: &mut [C]) {
        let Values { bools, ints, reals } = values;
        self.write_runs(Layout::default(), (bools, ints, reals), into);
    }

    /// Like [`write_cells`](Self::write_cells), but from registers.
    pub(super) fn write_register_cells<C: Cell>(&self, registers: &Registers, into: &mut [C]) {
        let Registers {
            bools, ints, reals, ..
        } = registers;
        self.write_runs(self.first, (bools, ints, reals), into);
    }

    fn write_runs<C: Cell>(
        &self,
        start: Layout,
        (bools, ints, reals): (&[bool], &[i64], &[f64]),
        into: &mut [C],
    ) {
        fn write<V: Copy, C>(values: &[V], into: &mut [C], cell: impl Fn(V) -> C) {
            into.iter_mut()
                .zip(values)
                .for_each(|(to, &value)| *to = cell(value));
        }
        let mut rest = into;
        for &(kind, place, len) in &self.runs {
            let (part, later) = rest.split_at_mut((len as usize).min(rest.len()));
            rest = later;
            let from = (start.of(kind) + place) as usize;
            match kind {
                ValueType::Bool => write(&bools[from..], part, C::of_bool),
                ValueType::Int => write(&ints[from..], part, C::of_int),
                ValueType::Real => write(&reals[from..], part, C::of_real),
            }
        }
    }

    /// Copies values to registers.
    pub(crate) fn load(&self, values: &Values, registers: &mut Registers) {
        registers.bools[self.range(ValueType::Bool)].copy_from_slice(&values.bools);
        registers.ints[self.range(ValueType::Int)].copy_from_slice(&values.ints);
        registers.reals[self.range(ValueType::Real)].copy_from_slice(&values.reals);
    }

    /// Copies values to a lane of a batch.
    pub(super) fn load_lane(&self, values: &Values, lane: usize, batch: &mut BatchRegisters) {
        fn spread<T: Copy>(from: &[T], to: &mut [T], first: u32, width: usize, lane: usize) {
            let rows = to[first as usize * width..].chunks_exact_mut(width);
            for (&value, row) in from.iter().zip(rows) {
                row[lane] = value;
            }
        }
        let width = batch.width();
        spread(&values.bools, batch.bools_mut(), self.first.bools, width, lane);
        spread(&values.ints, batch.ints_mut(), self.first.ints, width, lane);
        spread(&values.reals, batch.reals_mut(), self.first.reals, width, lane);
    }

    /// Copies one set of values to each of the first lanes of a batch. Numbers are copied row by row, because neighbours in
    /// a row share a cache line.
    pub(super) fn load_each(&self, values: &[&Values], batch: &mut BatchRegisters) {
        /// Writes a row for each position in all of `from`.
        fn spread<T: Copy>(from: &[&[T]], to: &mut [T], first: u32, width: usize) {
            let Some(count) = from.first().map(|values| values.len()) else {
                return;
            };
            let rows = to[first as usize * width..].chunks_exact_mut(width);
            for (at, row) in rows.take(count).enumerate() {
                row.iter_mut()
                    .zip(from)
                    .for_each(|(cell, values)| *cell = values[at]);
            }
        }
        let width = batch.width();
        let (bools, ints, reals) = batch.rows_mut();
        let from: Lanes<&[bool]> = values.iter().map(|values| &*values.bools).collect();
        let first = self.first.bools as usize * width;
        let rows = &mut bools[first..][..self.count.bools as usize * width];
        turn::states_to_rows(&from, rows, width);
        let from: Lanes<&[i64]> = values.iter().map(|values| &*values.ints).collect();
        spread(&from, ints, self.first.ints, width);
        let from: Lanes<&[f64]> = values.iter().map(|values| &*values.reals).collect();
        spread(&from, reals, self.first.reals, width);
    }

    /// Copies the values of a lane of a batch to the registers of a single environment.
    pub(super) fn take_lane(&self, batch: &BatchRegisters, lane: usize, registers: &mut Registers) {
        let width = batch.width();
        for &(kind, place) in &self.places {
            let to = (self.first.of(kind) + place) as usize;
            let from = to * width + lane;
            match kind {
                ValueType::Bool => registers.bools[to] = batch.bools()[from],
                ValueType::Int => registers.ints[to] = batch.ints()[from],
                ValueType::Real => registers.reals[to] = batch.reals()[from],
            }
        }
    }

    /// Copies values to all lanes of a batch.
    pub(super) fn load_lanes(&self, values: &Values, batch: &mut BatchRegisters) {
        fn fill<T: Copy>(from: &[T], to: &mut [T], first: u32, width: usize) {
            let rows = to[first as usize * width..].chunks_exact_mut(width);
            from.iter().zip(rows).for_each(|(&value, row)| row.fill(value));
        }
        let width = batch.width();
        fill(&values.bools, batch.bools_mut(), self.first.bools, width);
        fill(&values.ints, batch.ints_mut(), self.first.ints, width);
        fill(&values.reals, batch.reals_mut(), self.first.reals, width);
    }

    /// Copies values from registers.
    pub(super) fn store(&self, registers: &Registers, values: &mut Values) {
        values
            .bools
            .copy_from_slice(&registers.bools[self.range(ValueType::Bool)]);
        values
            .ints
            .copy_from_slice(&registers.ints[self.range(ValueType::Int)]);
        values
            .reals
            .copy_from_slice(&registers.reals[self.range(ValueType::Real)]);
    }

    /// Returns the value of a fluent in registers.
    #[must_use]
    pub(crate) fn read(&self, registers: &Registers, fluent: usize) -> FluentValue {
        let register = self.register(fluent) as usize;
        match self.kind(fluent) {
            ValueType::Bool => FluentValue::Bool(registers.bools[register]),
            ValueType::Int => FluentValue::Int(registers.ints[register]),
            ValueType::Real => FluentValue::Real(registers.reals[register]),
        }
    }
}
