//! A step of many environments at once.

use herbrand_limits::{Meter, Spent};

use super::compiled::Layout;
use super::graph::Graph;
use super::lanes::{Block, Caches, Lanes, Surroundings};
use super::run::ValueError;
use super::term::{Kind, Node};
use crate::draw::{Draws, Generator, Site};

/// A program that computes values of a graph for many environments in one pass: every register is a row with one value per
/// environment, and every instruction a loop over rows. The values are those that a [`Tape`](super::Tape) computes for each
/// environment by itself, bit for bit.
///
/// ```
/// use herbrand_limits::Budget;
/// use herbrand_rddl::draw::Generator;
/// use herbrand_rddl::tape::{BatchTape, Binary, Graph, Kind, Layout};
///
/// let mut graph = Graph::new();
/// let (x, two) = (graph.input(Kind::Real, 0), graph.real(2.0));
/// let double = graph.binary(Binary::MulReal, x, two);
/// let inputs = Layout { reals: 1, ..Layout::default() };
/// let tape = BatchTape::compile(&graph, inputs, [&[double], &[]], 64, &mut Budget::unlimited().meter("compiling"))?;
///
/// let mut registers = tape.registers();
/// registers.reals_mut()[..3].copy_from_slice(&[1.0, 2.5, -4.0]);
/// tape.run_wide(&mut registers, &[Generator::from_key(7); 3])?;
/// let (_, row) = tape.results()[0];
/// assert_eq!(registers.reals()[row as usize * tape.width()..][..3], [2.0, 5.0, -8.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BatchTape {
    lanes: Lanes,
}

/// The registers of a [`BatchTape`]: one flat array of each kind, in which register `r` of environment `e` is at
/// `r × width + e`.
#[derive(Clone, Debug)]
pub struct BatchRegisters {
    block: Block,
    width: usize,
}

/// What draws in a batch follow from: the generator or quantile of each environment.
struct Around<'a, D> {
    draws: &'a [D],
}

/// Rows that are long enough make up for what an instruction costs by itself, about as much as it costs in 128 lanes: where a
/// first-level cache has room for too few of them, registers take a second-level cache of today.
const CACHES: Caches = Caches {
    first: 32 << 10,
    few: 512,
    second: 1 << 20,
    most: 512,
};

/// Within a batch there are no tables.
const NO_TABLE: &str = "tables are of templates";

impl<D: Draws> Surroundings for Around<'_, D> {
    #[inline(always)]
    fn draws(&self, lane: usize) -> &impl Draws {
        &self.draws[lane]
    }

    #[inline(always)]
    fn site(&self, number: u32, _lane: usize) -> Site {
        Site(number)
    }

    #[inline(always)]
    fn uniforms(&self, number: u32, into: &mut [f64]) {
        for (uniform, draws) in into.iter_mut().zip(self.draws) {
            *uniform = draws.uniform(Site(number));
        }
    }

    #[inline(always)]
    fn uniforms_of_two(&self, first: &[bool], [a, b]: [u32; 2], into: &mut [f64]) {
        for (uniform, (draws, &first)) in into.iter_mut().zip(self.draws.iter().zip(first)) {
            *uniform = draws.uniform_of_two(first, [a, b].map(Site));
        }
    }

    fn bool(&self, _table: u32, _lane: usize, _place: i64) -> bool {
        unreachable!("{NO_TABLE}")
    }

    fn int(&self, _table: u32, _lane: usize, _place: i64) -> i64 {
        unreachable!("{NO_TABLE}")
    }

    fn real(&self, _table: u32, _lane: usize, _place: i64) -> f64 {
        unreachable!("{NO_TABLE}")
    }
}

impl BatchTape {
    /// The program for `values`, and for `needed`: a run has no values where one of these has none, although they are not among its
    /// results. The first registers of each kind, as many as `inputs` says, are those of [`Graph::input`]. What the values need is
    /// neither an array nor a template. A run is for no more than `most` environments.
    ///
    /// # Errors
    /// When the budget is spent.
    pub fn compile(
        graph: &Graph,
        inputs: Layout,
        [values, needed]: [&[Node]; 2],
        most: usize,
        meter: &mut Meter,
    ) -> Result<Self, Spent> {
        let caches = Caches {
            most: most.min(CACHES.most),
            ..CACHES
        };
        Ok(Self {
            lanes: Lanes::compile(graph, inputs, [values, needed], caches, meter)?,
        })
    }

    /// How many environments a run has at most.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.lanes.width()
    }

    /// Whether a run draws: if not, it does not matter what `draws` are.
    #[must_use]
    pub const fn draws(&self) -> bool {
        self.lanes.draws()
    }

    /// The kinds and registers of the values, in the order in which they were asked for.
    #[must_use]
    pub const fn results(&self) -> &[(Kind, u32)] {
        self.lanes.results()
    }

    /// How many registers there are of each kind.
    #[must_use]
    pub const fn layout(&self) -> Layout {
        self.lanes.registers()
    }

    /// How much memory registers take.
    #[must_use]
    pub const fn bytes_of_registers(&self) -> u64 {
        self.layout().bytes() * self.width() as u64
    }

    /// Registers with the program's constants.
    #[must_use]
    pub fn registers(&self) -> BatchRegisters {
        let mut block = Block::default();
        block.fit(&self.lanes);
        self.lanes.begin(&mut block);
        BatchRegisters {
            block,
            width: self.lanes.width(),
        }
    }

    /// Computes the values of the first environments, one for each of `draws`, which are no more than the width. Inputs stay
    /// as they are; nothing is allocated.
    ///
    /// # Errors
    /// When an environment has no value for what it needs: its place, and why. Registers that are not inputs then hold
    /// anything.
    pub fn run(&self, registers: &mut BatchRegisters, draws: &[impl Draws]) -> Result<(), BatchFault> {
        let around = Around { draws };
        let run = self.lanes.run(&mut registers.block, draws.len(), &around);
        run.map_err(BatchFault::from)
    }

    /// As [`run`](Self::run), with the generator alone and the widest vector instructions of the processor. The values are the
    /// same, bit for bit.
    ///
    /// # Errors
    /// As for [`run`](Self::run).
    pub fn run_wide(&self, registers: &mut BatchRegisters, draws: &[Generator]) -> Result<(), BatchFault> {
        let around = Around { draws };
        let run = self.lanes.run_wide(&mut registers.block, draws.len(), &around);
        run.map_err(BatchFault::from)
    }
}

/// Why a batch has no values.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("environment {environment}: {error}")]
pub struct BatchFault {
    /// The first environment that the failing instruction found to have no value.
    pub environment: usize,
    /// Why.
    pub error: ValueError,
}

impl From<(usize, ValueError)> for BatchFault {
    fn from((environment, error): (usize, ValueError)) -> Self {
        Self { environment, error }
    }
}

impl BatchRegisters {
    /// The number of environments that there is room for.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// The bools.
    #[must_use]
    pub fn bools(&self) -> &[bool] {
        &self.block.bools
    }

    /// The ints.
    #[must_use]
    pub fn ints(&self) -> &[i64] {
        &self.block.ints
    }

    /// The reals.
    #[must_use]
    pub fn reals(&self) -> &[f64] {
        &self.block.reals
    }

    /// The bools, of which only inputs may be changed.
    pub fn bools_mut(&mut self) -> &mut [bool] {
        &mut self.block.bools
    }

    /// The ints, of which only inputs may be changed.
    pub fn ints_mut(&mut self) -> &mut [i64] {
        &mut self.block.ints
    }

    /// The reals, of which only inputs may be changed.
    pub fn reals_mut(&mut self) -> &mut [f64] {
        &mut self.block.reals
    }

    /// All three.
    pub fn rows_mut(&mut self) -> (&mut [bool], &mut [i64], &mut [f64]) {
        let Block {
            bools, ints, reals, ..
        } = &mut self.block;
        (bools, ints, reals)
    }
}
