//! One expression for many bindings at once: each register is a row of values, one per lane.
//!
//! ```text
//!                 lane 0   lane 1   lane 2   …
//!   register 0  |   x0   |   x1   |   x2   |        inputs
//!   register 1  |   y0   |   y1   |   y2   |
//!   register 2  |    1   |    1   |    1   |        constants
//!   register 3  | x0+y0  | x1+y1  | x2+y2  |        one instruction fills a row
//! ```
//!
//! An instruction writes another row than those that it reads, so that its loop is over slices which do not overlap, and
//! the compiler makes vector instructions of it: of the widest kind that the processor has, where that is asked for
//! ([`Lanes::run_wide`]). There are no branches within a row: both sides of an `if` are computed, and a choice takes of
//! each lane what its condition asks for. What may be missing is computed under a mask, for the lanes alone that need it;
//! a branch that no lane takes is left out. A row holds one value after another ([`reuse`]), so that a block of lanes stays
//! in the first-level cache.

mod aligned;
mod angle;
mod chain;
mod dead;
mod draw;
mod emit;
mod functions;
mod fuse;
mod lane;
mod merge;
mod order;
mod regions;
mod reuse;
mod run;
mod share;
mod signs;
mod tally;
#[cfg(test)]
mod tests;
mod truths;
mod uses;

use herbrand_limits::{Meter, Spent};

use super::compiled::Layout;
use super::graph::Graph;
use super::instruction::{Instruction, Register};
use super::run::ValueError;
use super::term::{Kind, Node};
use crate::draw::{Draws, Site};
use aligned::Aligned;
use fuse::Fused;
use merge::Either;
pub(crate) use run::widest;
use signs::SignTest;
use tally::{Table, Tally};

/// A program over lanes for some values of a graph.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Lanes {
    steps: Vec<Step>,
    operands: Vec<Register>,
    /// Registers, each with the value that all its lanes hold.
    constants: Vec<Constant>,
    /// The tables that are read by bools.
    tables: Vec<Table>,
    /// How many registers there are of each kind: those of inputs, then constants, then all others.
    inputs: Layout,
    /// The inputs and constants.
    fixed: Layout,
    registers: Layout,
    /// How many lanes a register has.
    width: usize,
    /// The most reals that an instruction works on in one lane.
    scratch: usize,
    /// Whether anything is drawn.
    draws: bool,
    /// The rows of the values.
    results: Box<[(Kind, Register)]>,
}

/// An instruction, and the lanes that it is for: those in which a register is true, or all.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Step {
    work: Work,
    mask: Option<Register>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Work {
    /// As on a tape; a jump goes ahead unless a lane of its register is true.
    Plain(Instruction),
    /// Several operations on reals.
    Fused(Register, Fused),
    /// Sine and cosine of one angle.
    Angle {
        sine: Register,
        cosine: Register,
        of: Register,
    },
    /// A test of signs.
    Sign(Register, SignTest),
    /// One of two draws of bools.
    Either(Register, Either),
    /// A value of a table, read by bools.
    Tally { kind: Kind, to: Register, tally: Tally },
    /// The value of a table at the place that an int says.
    Lookup {
        kind: Kind,
        to: Register,
        table: u32,
        index: Register,
    },
}

/// A constant by its bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Constant {
    kind: Kind,
    register: Register,
    bits: u64,
}

/// The registers of lanes: one row after the other.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Block {
    pub(super) bools: Aligned<bool>,
    pub(super) ints: Aligned<i64>,
    pub(super) reals: Aligned<f64>,
    scratch: Vec<f64>,
    /// The uniform numbers of a draw, by lane.
    uniforms: Aligned<f64>,
    /// Lanes whose draws are on the flanks of a distribution, and where these are.
    beyond: Vec<u32>,
    flanks: Aligned<f64>,
}

/// The registers of lanes, while a program runs.
struct Rows<'b> {
    bools: &'b mut [bool],
    ints: &'b mut [i64],
    reals: &'b mut [f64],
    scratch: &'b mut [f64],
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

    /// Makes room for the registers of a program.
    pub(super) fn fit(&mut self, lanes: &Lanes) {
        let rows = |kind| lanes.registers.of(kind) as usize * lanes.width;
        self.bools.grow(rows(Kind::Bool), false);
        self.ints.grow(rows(Kind::Int), 0);
        self.reals.grow(rows(Kind::Real), 0.0);
        grow(&mut self.scratch, lanes.scratch, 0.0);
        self.uniforms.grow(lanes.width, 0.0);
        grow(&mut self.beyond, lanes.width, 0);
        self.flanks.grow(lanes.width, 0.0);
    }

    /// How much memory it takes.
    pub(super) const fn bytes(&self) -> u64 {
        let words = self.ints.capacity()
            + self.reals.capacity()
            + self.scratch.capacity()
            + self.uniforms.capacity()
            + self.flanks.capacity();
        (self.bools.capacity() + 4 * self.beyond.capacity() + 8 * words) as u64
    }
}

/// Makes a list at least so long.
pub(super) fn grow<T: Copy>(list: &mut Vec<T>, len: usize, value: T) {
    if list.len() < len {
        list.resize(len, value);
    }
}

/// What a program over lanes asks for: draws, and values of tables.
pub(super) trait Surroundings {
    /// The source of random numbers of a lane.
    fn draws(&self, lane: usize) -> &impl Draws;
    /// The site of a draw in a lane, by the number that the program has for it.
    fn site(&self, number: u32, lane: usize) -> Site;
    /// The uniform numbers of a draw in the first lanes.
    #[inline(always)]
    fn uniforms(&self, number: u32, into: &mut [f64]) {
        for (lane, uniform) in into.iter_mut().enumerate() {
            *uniform = self.draws(lane).uniform(self.site(number, lane));
        }
    }
    /// The uniform numbers of one of two draws in the first lanes: of the first where `first` holds.
    #[inline(always)]
    fn uniforms_of_two(&self, first: &[bool], [a, b]: [u32; 2], into: &mut [f64]) {
        for (lane, (uniform, &first)) in into.iter_mut().zip(first).enumerate() {
            let number = if first { a } else { b };
            *uniform = self.draws(lane).uniform(self.site(number, lane));
        }
    }
    /// The value of a table of bools at a place.
    fn bool(&self, table: u32, lane: usize, place: i64) -> bool;
    /// The value of a table of ints at a place.
    fn int(&self, table: u32, lane: usize, place: i64) -> i64;
    /// The value of a table of reals at a place.
    fn real(&self, table: u32, lane: usize, place: i64) -> f64;
}

/// How many bytes of registers there should be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Caches {
    /// The bytes that are at hand: so many lanes there are in any case.
    pub(super) first: usize,
    /// For fewer than so many lanes ...
    pub(super) few: usize,
    /// ... registers may take so many bytes.
    pub(super) second: usize,
    /// The most lanes.
    pub(super) most: usize,
}

/// Why lanes have no value, and the first such lane of the instruction that found out.
pub(super) type LaneFault = (usize, ValueError);

impl Lanes {
    /// The program for some values, which are its results, and for others without which there are no results. It has as many lanes as
    /// `caches` have room for. `inputs` are the registers of each kind that are filled before a run: they are the first. What the
    /// values need is neither an array nor a template.
    ///
    /// # Errors
    /// When the budget is spent.
    pub(super) fn compile(
        graph: &Graph,
        inputs: Layout,
        [values, needed]: [&[Node]; 2],
        caches: Caches,
        meter: &mut Meter,
    ) -> Result<Self, Spent> {
        emit::compile(graph, inputs, [values, needed], caches, meter)
    }

    /// How many lanes a run has at most.
    pub(super) const fn width(&self) -> usize {
        self.width
    }

    /// Whether anything is drawn.
    pub(super) const fn draws(&self) -> bool {
        self.draws
    }

    /// The rows of the values.
    pub(super) const fn results(&self) -> &[(Kind, Register)] {
        &self.results
    }

    /// How many registers there are of each kind.
    pub(super) const fn registers(&self) -> Layout {
        self.registers
    }

    /// How much memory it takes, about.
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
                Kind::Bool => block.bools[row].fill(bits != 0),
                Kind::Int => block.ints[row].fill(bits.cast_signed()),
                Kind::Real => block.reals[row].fill(f64::from_bits(bits)),
            }
        }
    }
}
