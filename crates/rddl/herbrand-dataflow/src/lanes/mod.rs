//! Programs over lanes: each register is a row of values, one per lane, so an expression is evaluated for many bindings at
//! once.
//!
//! ```text
//!                 lane 0   lane 1   lane 2   …
//!   register 0  |   x0   |   x1   |   x2   |        inputs
//!   register 1  |   y0   |   y1   |   y2   |
//!   register 2  |    1   |    1   |    1   |        constants
//!   register 3  | x0+y0  | x1+y1  | x2+y2  |        one instruction fills a row
//! ```
//!
//! An instruction never writes a row that it reads. So its loop is over disjoint slices, and the compiler vectorises it.
//! [`Lanes::run_wide`] uses the widest vector instructions of the processor.
//!
//! There are no branches within a row: both sides of an `if` are computed, and a selection picks one per lane. Instructions
//! that can fail run under a mask, only for the lanes that need them. A branch that no lane takes is jumped over. Rows are
//! reused for several values ([`reuse`]), so that a block of lanes stays in the first-level cache.

mod aligned;
mod angle;
mod chain;
mod dead;
mod draft;
mod draw;
mod functions;
mod fuse;
mod lane;
mod lookup;
mod merge;
mod order;
mod regions;
mod reuse;
mod run;
mod share;
mod signs;
#[cfg(test)]
mod tests;
mod truths;
mod uses;

use herbrand_distributions::{Draws, Site};

use crate::fault::ValueError;
use crate::instruction::{Instruction, Register};
use crate::layout::Layout;
use crate::operation::ValueType;
use crate::scratch::grow;
use aligned::Aligned;
use fuse::Fused;
use merge::EitherDraw;
use signs::SignTest;

pub(super) use draft::Draft;
pub(super) use lookup::{BoolLookup, IndexEncoding, Table};
pub use run::widest;

/// A program over lanes that evaluates nodes of a graph.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Lanes {
    steps: Vec<Step>,
    operands: Vec<Register>,
    /// Registers with the same value in all lanes.
    constants: Vec<Constant>,
    /// Tables that are indexed by bools.
    tables: Vec<Table>,
    /// The number of input registers. Registers are ordered: inputs, constants, all others.
    inputs: Layout,
    /// The number of input and constant registers.
    fixed: Layout,
    registers: Layout,
    /// The number of lanes per register.
    width: usize,
    /// Whether the program draws random numbers.
    draws: bool,
    /// The kinds and rows of the results.
    results: Box<[(ValueType, Register)]>,
}

/// An instruction with the lanes that it applies to: the lanes in which the mask is true, or all.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Step {
    pub(super) work: Work,
    pub(super) mask: Option<Register>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Work {
    /// The instruction as on a tape. `JumpUnless` jumps unless its register is true in some lane.
    Plain(Instruction),
    /// Several operations on reals.
    Fused(Register, Fused),
    /// The sine and cosine of one angle.
    Angle {
        sine: Register,
        cosine: Register,
        of: Register,
    },
    /// A test of signs.
    Sign(Register, SignTest),
    /// One of two Bernoulli draws.
    Either(Register, EitherDraw),
    /// An element of a table indexed by bools.
    BoolLookup {
        kind: ValueType,
        to: Register,
        lookup: BoolLookup,
    },
    /// An element of a template's table at a computed position.
    Lookup {
        kind: ValueType,
        to: Register,
        table: u32,
        index: Register,
    },
}

/// A constant, stored as bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Constant {
    pub(super) kind: ValueType,
    pub(super) register: Register,
    pub(super) bits: u64,
}

/// The registers of a program over lanes, row after row.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Block {
    pub(super) bools: Aligned<bool>,
    pub(super) ints: Aligned<i64>,
    pub(super) reals: Aligned<f64>,
    scratch: Vec<f64>,
    /// The uniform random numbers of a draw, by lane.
    uniforms: Aligned<f64>,
    /// The lanes whose draws are in the tails of a distribution, and the distances of those draws from their end.
    beyond: Vec<u32>,
    flanks: Aligned<f64>,
}

/// Borrowed registers of a running program.
struct Rows<'b> {
    bools: &'b mut [bool],
    ints: &'b mut [i64],
    reals: &'b mut [f64],
    scratch: &'b mut Vec<f64>,
    uniforms: &'b mut [f64],
    beyond: &'b mut [u32],
    flanks: &'b mut [f64],
}

impl Block {
    fn rows(&mut self) -> Rows<'_> {
        Rows {
            bools: &mut self.bools,
            ints: &mut self.ints,
            reals: &mut self.reals,
            scratch: &mut self.scratch,
            uniforms: &mut self.uniforms,
            beyond: &mut self.beyond,
            flanks: &mut self.flanks,
        }
    }

    /// Grows the block to the size that a program needs.
    pub(super) fn fit(&mut self, lanes: &Lanes) {
        let rows = |kind| lanes.registers.of(kind) as usize * lanes.width;
        self.bools.grow(rows(ValueType::Bool), false);
        self.ints.grow(rows(ValueType::Int), 0);
        self.reals.grow(rows(ValueType::Real), 0.0);
        self.uniforms.grow(lanes.width, 0.0);
        grow(&mut self.beyond, lanes.width, 0);
        self.flanks.grow(lanes.width, 0.0);
    }

    /// Returns the memory use in bytes.
    pub(super) const fn bytes(&self) -> u64 {
        let words = self.ints.capacity()
            + self.reals.capacity()
            + self.scratch.capacity()
            + self.uniforms.capacity()
            + self.flanks.capacity();
        (self.bools.capacity() + 4 * self.beyond.capacity() + 8 * words) as u64
    }
}

/// The context of a run: random numbers and tables.
pub(super) trait RunContext {
    /// Returns the source of random numbers of a lane.
    fn draws(&self, lane: usize) -> &impl Draws;
    /// Returns the site of a draw in a lane. `number` is the draw's number in the program.
    fn site(&self, number: u32, lane: usize) -> Site;
    /// Writes the uniform random numbers of a draw in the first lanes.
    #[inline(always)]
    fn uniforms(&self, number: u32, into: &mut [f64]) {
        for (lane, uniform) in into.iter_mut().enumerate() {
            *uniform = self.draws(lane).uniform(self.site(number, lane));
        }
    }
    /// Writes the uniform random number of one of two draws per lane: of the first draw if `first` holds, else of the
    /// second.
    #[inline(always)]
    fn uniforms_of_two(&self, first: &[bool], [a, b]: [u32; 2], into: &mut [f64]) {
        for (lane, (uniform, &first)) in into.iter_mut().zip(first).enumerate() {
            let number = if first { a } else { b };
            *uniform = self.draws(lane).uniform(self.site(number, lane));
        }
    }
    /// Returns the element of a table of bools.
    fn bool(&self, table: u32, lane: usize, place: i64) -> bool;
    /// Returns the element of a table of ints.
    fn int(&self, table: u32, lane: usize, place: i64) -> i64;
    /// Returns the element of a table of reals.
    fn real(&self, table: u32, lane: usize, place: i64) -> f64;
}

/// Cache sizes in bytes and limits on the number of lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Caches {
    /// The preferred size of all registers.
    pub(super) first: usize,
    /// If fewer than this many lanes fit in `first` bytes, …
    pub(super) few: usize,
    /// … up to `few` lanes may take this many bytes.
    pub(super) second: usize,
    /// The maximum number of lanes.
    pub(super) most: usize,
}

/// The reason of a failure, with the first lane in which the failing instruction has no value.
pub(super) type LaneFault = (usize, ValueError);

impl Lanes {
    /// Returns the maximum number of lanes per run.
    pub(super) const fn width(&self) -> usize {
        self.width
    }

    /// Returns whether the program draws random numbers.
    pub(super) const fn draws(&self) -> bool {
        self.draws
    }

    /// Returns the kinds and rows of the results.
    pub(super) const fn results(&self) -> &[(ValueType, Register)] {
        &self.results
    }

    /// Returns the number of registers of each kind.
    pub(super) const fn registers(&self) -> Layout {
        self.registers
    }

    /// Returns the approximate memory use in bytes.
    pub(super) const fn bytes(&self) -> u64 {
        (self.steps.capacity() * size_of::<Step>()
            + self.operands.capacity() * size_of::<Register>()
            + self.constants.capacity() * size_of::<Constant>()
            + self.tables.capacity() * size_of::<Table>()) as u64
    }

    /// Fills the rows of constants.
    pub(super) fn begin(&self, block: &mut Block) {
        for &Constant { kind, register, bits } in &self.constants {
            let row = register as usize * self.width..(register as usize + 1) * self.width;
            match kind {
                ValueType::Bool => block.bools[row].fill(bits != 0),
                ValueType::Int => block.ints[row].fill(bits.cast_signed()),
                ValueType::Real => block.reals[row].fill(f64::from_bits(bits)),
            }
        }
    }
}
