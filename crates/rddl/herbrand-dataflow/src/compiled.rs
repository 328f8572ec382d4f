//! Compiled programs and their registers.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use crate::graph::Table;
use crate::instruction::{Instruction, Register, scratch_of};
use crate::layout::Layout;
use crate::operation::{NodeId, ValueType};
use crate::registers::{Registers, Workspace};
use crate::template::Template;

/// A sequence of typed instructions that evaluates the outputs of a [`Graph`](super::Graph). [`Tape::compile`] returns
/// it, and [`Tape::run`] executes it. It is immutable; [`Registers`] hold the values.
#[derive(Clone, Debug)]
pub struct Tape {
    pub(super) layout: Layout,
    pub(super) instructions: Vec<Instruction>,
    pub(super) operands: Vec<Register>,
    /// The instructions that can fail: the number of each and its node, in ascending order.
    pub(super) origins: Vec<(u32, NodeId)>,
    pub(super) templates: Vec<Arc<Template>>,
    /// The contents of the registers before any run.
    initial: Registers,
    constants: HashMap<(ValueType, u64), Register, fxhash::FxBuildHasher>,
    /// The most scratch reals that any instruction needs.
    scratch: usize,
    /// Whether a run takes so long that it asks the enclosing budgets first.
    pub(super) is_long: bool,
}

/// The number of operands and rows from which a tape is long: a run takes some ten microseconds.
const LONG: u64 = 1 << 14;
impl Tape {
    /// Reserves the working memory that the instructions need, once all of them are known.
    pub(super) fn finished(mut self) -> Self {
        self.keep_fallible_origins();
        self.scratch = self.instructions.iter().map(scratch_of).max().unwrap_or(0);
        let mut work = self.instructions.len() as u64 + self.operands.len() as u64;
        for template in &self.templates {
            template.fit(&mut self.initial.work);
            work += template.rows();
        }
        self.is_long = work >= LONG;
        self
    }

    /// Returns the approximate memory use of the tape in bytes, with the scratch memory of a run.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let lists = self.instructions.capacity() * size_of::<Instruction>()
            + self.operands.capacity() * size_of::<Register>()
            + self.origins.capacity() * size_of::<(u32, NodeId)>()
            + self.constants.capacity() * size_of::<((ValueType, u64), Register)>()
            + self.scratch * size_of::<f64>();
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

    /// Returns new registers for the tape, with its constants set. All others are zero or `false`.
    #[must_use]
    pub fn registers(&self) -> Registers {
        self.initial.clone()
    }

    /// Returns the number of registers of each kind that callers may access, as given to [`compile`](Self::compile).
    #[must_use]
    pub const fn layout(&self) -> Layout {
        self.layout
    }

    /// Returns the number of instructions of the tape.
    #[must_use]
    pub fn len(&self) -> usize {
        self.instructions.len()
    }

    /// Returns `true` if the tape has no instructions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.instructions.is_empty()
    }

    /// Returns the number of distinct [`Template`]s that the tape evaluates.
    #[must_use]
    pub fn templates(&self) -> usize {
        self.templates.len()
    }

    pub(super) fn temporaries(&mut self, kind: ValueType, count: usize) -> Register {
        match kind {
            ValueType::Bool => extended(&mut self.initial.bools, count, false),
            ValueType::Int => extended(&mut self.initial.ints, count, 0),
            ValueType::Real => extended(&mut self.initial.reals, count, 0.0),
        }
    }

    /// Appends the elements of a table as constants and returns the first register.
    pub(super) fn constants_of(&mut self, table: &Table) -> Register {
        match table {
            Table::Bools(all) => appended(&mut self.initial.bools, all),
            Table::Ints(all) => appended(&mut self.initial.ints, all),
            Table::Reals(all) => appended(&mut self.initial.reals, all),
        }
    }

    /// Returns the number of a template on this tape, adding it if it is new.
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
        let key = (ValueType::Bool, u64::from(value));
        *self
            .constants
            .entry(key)
            .or_insert_with(|| extended(initial, 1, value))
    }

    pub(super) fn constant_int(&mut self, value: i64) -> Register {
        let initial = &mut self.initial.ints;
        let key = (ValueType::Int, value.cast_unsigned());
        *self
            .constants
            .entry(key)
            .or_insert_with(|| extended(initial, 1, value))
    }

    pub(super) fn constant_real(&mut self, value: f64) -> Register {
        let initial = &mut self.initial.reals;
        let key = (ValueType::Real, value.to_bits());
        *self
            .constants
            .entry(key)
            .or_insert_with(|| extended(initial, 1, value))
    }

    /// Drops the origins of instructions that cannot fail.
    fn keep_fallible_origins(&mut self) {
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

    /// Returns the node of an instruction that can fail; `None` if it cannot.
    pub(super) fn origin(&self, instruction: u32) -> Option<NodeId> {
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

impl fmt::Display for Tape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, instruction) in self.instructions.iter().enumerate() {
            writeln!(f, "{number:>5} {instruction:?}")?;
        }
        Ok(())
    }
}
