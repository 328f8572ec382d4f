//! Evaluation of a graph for many lanes at once.

use herbrand_distributions::{Draws, RandomGenerator, Site};
use herbrand_limits::{BudgetExhausted, Meter};

use crate::fault::ValueError;
use crate::graph::Graph;
use crate::lanes::{Block, Caches, Lanes, RunContext};
use crate::layout::Layout;
use crate::operation::{NodeId, ValueType};

/// A program that evaluates nodes of a graph for many lanes in one pass. Each register is a row with one value per lane, and
/// each instruction is a loop over rows. Every lane gets the value that a [`Tape`](super::Tape) computes, bit for bit.
///
/// A lane is one evaluation with its own inputs and random numbers. [`compile`](Self::compile) returns a program, and
/// [`run`](Self::run) executes it.
///
/// ```
/// use herbrand_limits::Budget;
/// use herbrand_distributions::RandomGenerator;
/// use herbrand_dataflow::{BatchTape, BinaryOp, Graph, ValueType, Layout};
///
/// let mut graph = Graph::new();
/// let (x, two) = (graph.input(ValueType::Real, 0), graph.real(2.0));
/// let double = graph.binary(BinaryOp::MulReal, x, two);
/// let inputs = Layout { reals: 1, ..Layout::default() };
/// let tape = BatchTape::compile(&graph, inputs, [&[double], &[]], 64, &mut Budget::unlimited().meter("compiling"))?;
///
/// let mut registers = tape.registers();
/// registers.reals_mut()[..3].copy_from_slice(&[1.0, 2.5, -4.0]);
/// tape.run_wide(&mut registers, &[RandomGenerator::from_key(7); 3])?;
/// let (_, row) = tape.results()[0];
/// assert_eq!(registers.reals()[row as usize * tape.width()..][..3], [2.0, 5.0, -8.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BatchTape {
    lanes: Lanes,
}

/// The registers of a [`BatchTape`], returned by [`BatchTape::registers`]: one flat array per kind. Register `r` of lane `e`
/// is at index `r × width + e`.
#[derive(Clone, Debug)]
pub struct BatchRegisters {
    block: Block,
    width: usize,
}

/// The random numbers of a batch: one source per lane.
struct LaneDraws<'a, D> {
    draws: &'a [D],
}

/// The fixed cost of an instruction equals the work of about 128 lanes, so rows should be long. If fewer than 512 lanes fit
/// in the first-level cache, registers may take up a second-level cache of 1 MiB.
const CACHES: Caches = Caches {
    first: 32 << 10,
    few: 512,
    second: 1 << 20,
    most: 512,
};

/// A panic message: only templates have tables.
const NO_TABLE: &str = "tables are of templates";

impl<D: Draws> RunContext for LaneDraws<'_, D> {
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
    /// Compiles a program for the nodes `values`, whose values become the results, and `needed`. The nodes in `needed` are
    /// not results, but a run fails if one of them fails.
    ///
    /// The first registers of each kind are the inputs ([`Graph::input`]); `inputs` gives their number. Neither the
    /// nodes nor their operands may be arrays or templates. `most` is the maximum number of lanes per run. The program
    /// may take fewer lanes at a time, and a few more if `most` is tiny: [`width`](Self::width) tells how many. Charges
    /// the memory of the compilation to `meter`; afterwards only that of the program remains charged.
    ///
    /// # Errors
    /// Fails if the budget of `meter` is exhausted.
    pub fn compile(
        graph: &Graph,
        inputs: Layout,
        [values, needed]: [&[NodeId]; 2],
        most: usize,
        meter: &mut Meter,
    ) -> Result<Self, BudgetExhausted> {
        let caches = Caches {
            most: most.min(CACHES.most),
            ..CACHES
        };
        Ok(Self {
            lanes: Lanes::compile(graph, inputs, [values, needed], caches, meter)?,
        })
    }

    /// Returns the maximum number of lanes per run of the program, which is also the length of a row of registers.
    #[inline]
    #[must_use]
    pub const fn width(&self) -> usize {
        self.lanes.width()
    }

    /// Returns whether a run may draw random numbers: `true` also for every vector operation. If not, only the length
    /// of the argument `draws` of [`run`](Self::run) matters.
    #[inline]
    #[must_use]
    pub const fn draws(&self) -> bool {
        self.lanes.draws()
    }

    /// Returns the kind and the register of each result, in the order of the argument `values` of
    /// [`compile`](Self::compile).
    #[inline]
    #[must_use]
    pub const fn results(&self) -> &[(ValueType, u32)] {
        self.lanes.results()
    }

    /// Returns the number of registers of each kind that the program uses: inputs, constants and all others.
    #[must_use]
    pub const fn layout(&self) -> Layout {
        self.lanes.registers()
    }

    /// Returns the memory that [`registers`](Self::registers) takes, in bytes.
    #[must_use]
    pub const fn bytes_of_registers(&self) -> u64 {
        self.layout().bytes() * self.width() as u64
    }

    /// Returns new registers for the program, with its constants set. They belong to this program; those of another one
    /// give a panic or meaningless values.
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

    /// Evaluates the program in the first lanes, one per element of `draws`, which is the lane's source of random numbers.
    /// Panics or gives unspecified values for more lanes than [`width`](Self::width). Set the inputs in `registers` first;
    /// afterwards, [`results`](Self::results) says where the values are. Inputs are not changed, and nothing is allocated.
    ///
    /// # Errors
    /// Fails if a value or a needed node has no value in some lane, or if an enclosing budget is exhausted, which only
    /// operations on large matrices check. All registers except inputs and constants then have unspecified contents.
    pub fn run(&self, registers: &mut BatchRegisters, draws: &[impl Draws]) -> Result<(), BatchFault> {
        let around = LaneDraws { draws };
        let run = self.lanes.run(&mut registers.block, draws.len(), &around);
        run.map_err(BatchFault::from)
    }

    /// Like [`run`](Self::run), but uses the widest vector instructions of the processor (AVX2 or AVX-512) and takes
    /// generators only. The values are the same, bit for bit.
    ///
    /// # Errors
    /// Fails like [`run`](Self::run).
    pub fn run_wide(
        &self,
        registers: &mut BatchRegisters,
        draws: &[RandomGenerator],
    ) -> Result<(), BatchFault> {
        let around = LaneDraws { draws };
        let run = self.lanes.run_wide(&mut registers.block, draws.len(), &around);
        run.map_err(BatchFault::from)
    }
}

/// The reason why a run of a batch failed, and in which lane. Returned by [`BatchTape::run`] and [`BatchTape::run_wide`].
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("lane {lane}: {error}")]
pub struct BatchFault {
    /// The first lane in which the failing instruction has no value.
    pub lane: usize,
    /// The reason why the lane has no value.
    pub error: ValueError,
}

impl From<(usize, ValueError)> for BatchFault {
    fn from((lane, error): (usize, ValueError)) -> Self {
        Self { lane, error }
    }
}

impl BatchRegisters {
    /// Returns the maximum number of lanes, which is the length of a row.
    #[inline]
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Returns the bool registers of all lanes, row by row: register `r` of lane `e` is at `r × width + e`.
    #[inline]
    #[must_use]
    pub fn bools(&self) -> &[bool] {
        &self.block.bools
    }

    /// Returns the int registers of all lanes, indexed like [`bools`](Self::bools).
    #[inline]
    #[must_use]
    pub fn ints(&self) -> &[i64] {
        &self.block.ints
    }

    /// Returns the real registers of all lanes, indexed like [`bools`](Self::bools).
    #[inline]
    #[must_use]
    pub fn reals(&self) -> &[f64] {
        &self.block.reals
    }

    /// Returns the bool registers of all lanes, to set inputs; indexed like [`bools`](Self::bools). Only inputs may be
    /// changed.
    #[inline]
    pub fn bools_mut(&mut self) -> &mut [bool] {
        &mut self.block.bools
    }

    /// Returns the int registers of all lanes, to set inputs; indexed like [`bools`](Self::bools). Only inputs may be
    /// changed.
    #[inline]
    pub fn ints_mut(&mut self) -> &mut [i64] {
        &mut self.block.ints
    }

    /// Returns the real registers of all lanes, to set inputs; indexed like [`bools`](Self::bools). Only inputs may be
    /// changed.
    #[inline]
    pub fn reals_mut(&mut self) -> &mut [f64] {
        &mut self.block.reals
    }

    /// Returns the registers of all kinds at once: bools, ints and reals, each indexed like [`bools`](Self::bools). Only
    /// inputs may be changed.
    #[inline]
    pub fn rows_mut(&mut self) -> (&mut [bool], &mut [i64], &mut [f64]) {
        let Block {
            bools, ints, reals, ..
        } = &mut self.block;
        (bools, ints, reals)
    }
}
