//! Replaces expressions over a few bools and constants by lookup tables.
//!
//! ```text
//!   r2 = real of b0
//!   r3 = 0.75 where b1, else 0     ──▶      r4 = [0, 1, -0.75, 0.25] at b0 b1
//!   r4 = r2 - r3
//! ```

use fxhash::FxHashMap;

use super::super::instruction::{Instruction, Operands, Register};
use super::super::math::{real_function, real_operation};
use super::super::operation::{BinaryOp, MOST_COUNTED, UnaryOp, ValueType};
use super::lookup::{BoolLookup, IndexEncoding, Table};
use super::{Constant, Step, Work};

/// The maximum number of bools. A table has an entry for each of their combinations.
const MOST: usize = (MOST_COUNTED + 1).ilog2() as usize;

/// The fewest operations that a table replaces. Fewer cost no more than the table.
const LEAST: usize = 2;

/// A real that depends only on a few bools.
#[derive(Clone)]
struct Function {
    bools: Vec<Register>,
    /// The number of operations that compute it.
    operations: usize,
    /// The bits of its values. The first bool is the lowest bit of the position.
    values: Table,
}

impl Function {
    fn constant(bits: u64) -> Self {
        Self {
            bools: Vec::new(),
            operations: 0,
            values: [bits; MOST_COUNTED + 1],
        }
    }

    /// Returns the value if the bools `of` have the bits of `place`.
    fn at(&self, of: &[Register], place: usize) -> f64 {
        let bit = |bool: &Register| {
            of.iter()
                .position(|one| one == bool)
                .map_or(0, |at| place >> at & 1)
        };
        let own = self.bools.iter().rev().fold(0, |own, bool| own << 1 | bit(bool));
        f64::from_bits(self.values[own])
    }

    /// Composes an operation with functions; `None` if the result depends on more than [`MOST`] bools.
    fn of(bool: Option<Register>, inner: &[&Self], value: impl Fn(bool, &[f64]) -> f64) -> Option<Self> {
        let mut bools: Vec<Register> = bool.into_iter().collect();
        let all = inner.iter().flat_map(|function| &function.bools);
        for &one in all {
            if !bools.contains(&one) {
                bools.push(one);
            }
        }
        if bools.len() > MOST {
            return None;
        }
        let mut values = Table::default();
        for (place, bits) in values.iter_mut().enumerate() {
            let all: Vec<f64> = inner.iter().map(|function| function.at(&bools, place)).collect();
            *bits = value(place & 1 == 1, &all).to_bits();
        }
        Some(Self {
            bools,
            operations: inner
                .iter()
                .fold(1, |sum, function| sum.saturating_add(function.operations)),
            values,
        })
    }
}

/// Replaces functions of a few bools by table lookups. The steps that computed them become dead. Each register must belong
/// to one node of the graph: if several branches write it, they write the same value.
pub(super) fn look_up_truths(
    steps: &mut [Step],
    operands: &mut Vec<Register>,
    constants: &[Constant],
    tables: &mut Vec<Table>,
) {
    let mut numbers: FxHashMap<Table, u32> = tables.iter().copied().zip(0..).collect();
    let constants = constants.iter().filter(|one| one.kind == ValueType::Real);
    let mut functions: FxHashMap<Register, Function> = constants
        .map(|one| (one.register, Function::constant(one.bits)))
        .collect();
    for step in steps {
        let Work::Plain(instruction) = step.work else {
            continue;
        };
        let Some((to, function)) = function(&instruction, &functions) else {
            continue;
        };
        if function.operations >= LEAST {
            let start = operands.len() as u32;
            operands.extend_from_slice(&function.bools);
            let bools = Operands {
                start,
                len: function.bools.len() as u32,
            };
            let table = *numbers.entry(function.values).or_insert_with(|| {
                tables.push(function.values);
                tables.len() as u32 - 1
            });
            step.work = Work::BoolLookup {
                kind: ValueType::Real,
                to,
                lookup: BoolLookup {
                    by: IndexEncoding::Bits,
                    bools,
                    table,
                },
            };
        }
        functions.insert(to, function);
    }
}

/// Returns the destination of an instruction and its value as a function of bools; `None` if it is not such a function.
fn function(
    instruction: &Instruction,
    functions: &FxHashMap<Register, Function>,
) -> Option<(Register, Function)> {
    use Instruction as I;
    let two = |to: Register, op: BinaryOp, a: Register, b: Register| {
        let inner = [functions.get(&a)?, functions.get(&b)?];
        Some((
            to,
            Function::of(None, &inner, |_, all| real_operation(op, all[0], all[1]))?,
        ))
    };
    match *instruction {
        I::BoolToReal(to, a) => {
            let value = |first: bool, _: &[f64]| f64::from(u8::from(first));
            Some((to, Function::of(Some(a), &[], value)?))
        }
        I::SelectReal(to, c, a, b) => {
            let inner = [functions.get(&a)?, functions.get(&b)?];
            let value = |first: bool, all: &[f64]| if first { all[0] } else { all[1] };
            Some((to, Function::of(Some(c), &inner, value)?))
        }
        I::RealFunction(op @ (UnaryOp::NegReal | UnaryOp::AbsReal), to, a) => {
            let inner = [functions.get(&a)?];
            Some((
                to,
                Function::of(None, &inner, |_, all| real_function(op, all[0]))?,
            ))
        }
        I::AddReal(to, a, b) => two(to, BinaryOp::AddReal, a, b),
        I::SubReal(to, a, b) => two(to, BinaryOp::SubReal, a, b),
        I::MulReal(to, a, b) => two(to, BinaryOp::MulReal, a, b),
        I::DivReal(to, a, b) => two(to, BinaryOp::DivReal, a, b),
        I::MinReal(to, a, b) => two(to, BinaryOp::MinReal, a, b),
        I::MaxReal(to, a, b) => two(to, BinaryOp::MaxReal, a, b),
        _ => None,
    }
}
