//! A compiled step.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use herbrand_limits::{Meter, Spent};

use super::emit;
use super::graph::{Graph, Table};
use super::instruction::{Instruction, Register};
use super::template::{Template, Workspace};
use super::term::{Kind, Node};

/// How many registers of each kind callers set before a run or read after it.
///
/// ```text
///   registers of one kind: | given (inputs, then outputs) | constants and temporaries |
///                          0                        layout.of(kind)
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// Registers of bools.
    pub bools: u32,
    /// Registers of ints.
    pub ints: u32,
    /// Registers of reals.
    pub reals: u32,
}

impl Layout {
    /// The number of a kind.
    #[must_use]
    pub const fn of(&self, kind: Kind) -> u32 {
        match kind {
            Kind::Bool => self.bools,
            Kind::Int => self.ints,
            Kind::Real => self.reals,
        }
    }

    /// How much memory the registers take.
    pub(super) const fn bytes(&self) -> u64 {
        self.bools as u64 + 8 * (self.ints as u64 + self.reals as u64)
    }

    /// Takes `count` more registers of a kind and returns the first.
    pub fn take(&mut self, kind: Kind, count: u32) -> u32 {
        let total = match kind {
            Kind::Bool => &mut self.bools,
            Kind::Int => &mut self.ints,
            Kind::Real => &mut self.reals,
        };
        let first = *total;
        *total += count;
        first
    }
}

/// A sequence of typed instructions that computes all values of a step. It is made from a [`Graph`] and does not change;
/// [`Registers`] hold the values.
#[derive(Clone, Debug)]
pub struct Tape {
    pub(super) layout: Layout,
    pub(super) instructions: Vec<Instruction>,
    pub(super) operands: Vec<Register>,
    /// What may fail: the number of the instruction and its node.
    pub(super) origins: Vec<(u32, Node)>,
    pub(super) templates: Vec<Arc<Template>>,
    /// What registers hold before any run.
    initial: Registers,
    constants: HashMap<(Kind, u64), Register, fxhash::FxBuildHasher>,
    /// The largest number of reals that a vector operation works on.
    scratch: usize,
    /// Whether a run takes so long that it asks the enclosing budgets first.
    pub(super) is_long: bool,
}

/// The number of operands and rows from which a tape is long: a run takes some ten microseconds.
const LONG: u64 = 1 << 14;

/// The registers of a tape: one flat array of each kind.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Registers {
    /// The bools.
    pub bools: Vec<bool>,
    /// The ints.
    pub ints: Vec<i64>,
    /// The reals.
    pub reals: Vec<f64>,
    pub(super) scratch: Vec<f64>,
    /// What templates work on.
    pub(super) work: Workspace,
}

impl Registers {
    fn bytes(&self) -> u64 {
        let words = self.ints.capacity() + self.reals.capacity() + self.scratch.capacity();
        (self.bools.capacity() + 8 * words) as u64 + self.work.bytes()
    }
}

impl Tape {
    /// Compiles a tape that writes each value of `outputs` to the register beside it, which lies within the layout and
    /// is of the value's kind. No other value writes to it, and no register is both input and output.
    ///
    /// What the work takes is charged to `meter`, and in the end what the tape holds.
    ///
    /// # Errors
    /// When the budget is spent.
    pub fn compile(
        graph: &Graph,
        layout: Layout,
        outputs: &[(Node, u32)],
        meter: &mut Meter,
    ) -> Result<Self, Spent> {
        let held = meter.held();
        let mut tape = emit::compile(graph, layout, outputs, meter)?;
        tape.scratch = tape.instructions.iter().map(scratch_of).max().unwrap_or(0);
        tape.initial.scratch = vec![0.0; tape.scratch];
        let mut work = tape.instructions.len() as u64 + tape.operands.len() as u64;
        for template in &tape.templates {
            template.fit(&mut tape.initial.work);
            work += template.rows();
        }
        tape.is_long = work >= LONG;
        meter.hold(held + tape.bytes());
        meter.check()?;
        Ok(tape)
    }

    /// How much memory it takes, about.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let lists = self.instructions.capacity() * size_of::<Instruction>()
            + self.operands.capacity() * size_of::<Register>()
            + self.origins.capacity() * size_of::<(u32, Node)>()
            + self.constants.capacity() * size_of::<((Kind, u64), Register)>();
        lists as u64 + self.initial.bytes()
    }

    pub(super) fn new(layout: Layout) -> Self {
        Self {
            layout,
            instructions: Vec::new(),
            operands: Vec::new(),
            origins: Vec::new(),
            initial: Registers {
                bools: vec![false; layout.bools as usize],
                ints: vec![0; layout.ints as usize],
                reals: vec![0.0; layout.reals as usize],
                scratch: Vec::new(),
                work: Workspace::default(),
            },
            templates: Vec::new(),
            constants: HashMap::default(),
            scratch: 0,
            is_long: false,
        }
    }

    /// Registers with the tape's constants, zero or false elsewhere.
    #[must_use]
    pub fn registers(&self) -> Registers {
        self.initial.clone()
    }

    /// The registers that callers use.
    #[must_use]
    pub const fn layout(&self) -> Layout {
        self.layout
    }

    /// The number of instructions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.instructions.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.instructions.is_empty()
    }

    /// The number of templates.
    #[must_use]
    pub fn templates(&self) -> usize {
        self.templates.len()
    }

    pub(super) fn temporaries(&mut self, kind: Kind, count: usize) -> Register {
        match kind {
            Kind::Bool => extended(&mut self.initial.bools, count, false),
            Kind::Int => extended(&mut self.initial.ints, count, 0),
            Kind::Real => extended(&mut self.initial.reals, count, 0.0),
        }
    }

    /// The first register of constants.
    pub(super) fn constants_of(&mut self, table: &Table) -> Register {
        match table {
            Table::Bools(all) => appended(&mut self.initial.bools, all),
            Table::Ints(all) => appended(&mut self.initial.ints, all),
            Table::Reals(all) => appended(&mut self.initial.reals, all),
        }
    }

    /// The number of a template on this tape.
    pub(super) fn template(&mut self, template: &Arc<Template>) -> u32 {
        let known = self.templates.iter().position(|one| Arc::ptr_eq(one, template));
        let number = known.unwrap_or_else(|| {
            self.templates.push(Arc::clone(template));
            self.templates.len() - 1
        });
        number as u32
    }

    pub(super) fn constant_bool(&mut self, value: bool) -> Register {
        let initial = &mut self.initial.bools;
        let key = (Kind::Bool, u64::from(value));
        *self
            .constants
            .entry(key)
            .or_insert_with(|| extended(initial, 1, value))
    }

    pub(super) fn constant_int(&mut self, value: i64) -> Register {
        let initial = &mut self.initial.ints;
        let key = (Kind::Int, value.cast_unsigned());
        *self
            .constants
            .entry(key)
            .or_insert_with(|| extended(initial, 1, value))
    }

    pub(super) fn constant_real(&mut self, value: f64) -> Register {
        let initial = &mut self.initial.reals;
        let key = (Kind::Real, value.to_bits());
        *self
            .constants
            .entry(key)
            .or_insert_with(|| extended(initial, 1, value))
    }

    /// Forgets the nodes of instructions that cannot fail.
    pub(super) fn keep_fallible_origins(&mut self) {
        let instructions = &self.instructions;
        self.origins.retain(|&(at, _)| {
            matches!(
                instructions[at as usize],
                Instruction::Fail(_)
                    | Instruction::Rounding(..)
                    | Instruction::IntOperation(..)
                    | Instruction::Bernoulli(..)
                    | Instruction::DrawInt(..)
                    | Instruction::DrawReal(..)
                    | Instruction::Choose(..)
                    | Instruction::Vector(..)
                    | Instruction::Template(..)
            )
        });
        self.origins.shrink_to_fit();
    }

    /// The node that an instruction computes, if it may fail.
    pub(super) fn origin(&self, instruction: u32) -> Option<Node> {
        let found = self
            .origins
            .binary_search_by_key(&instruction, |&(at, _)| at)
            .ok()?;
        Some(self.origins[found].1)
    }
}

fn appended<T: Copy>(registers: &mut Vec<T>, values: &[T]) -> Register {
    let first = registers.len() as Register;
    registers.extend_from_slice(values);
    first
}

fn extended<T: Copy>(registers: &mut Vec<T>, count: usize, value: T) -> Register {
    let first = registers.len() as Register;
    registers.resize(registers.len() + count, value);
    first
}

/// How many reals of scratch an instruction needs: its operands, its results and as much again.
pub(super) fn scratch_of(instruction: &Instruction) -> usize {
    match *instruction {
        Instruction::Vector(op, n, _, list, _) => {
            let n = n as usize;
            list.len as usize + op.outputs(n) + 2 * n * n
        }
        Instruction::Choose(_, _, list, _) => list.len as usize,
        _ => 0,
    }
}

impl fmt::Display for Tape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, instruction) in self.instructions.iter().enumerate() {
            writeln!(f, "{number:>5} {instruction:?}")?;
        }
        Ok(())
    }
}
