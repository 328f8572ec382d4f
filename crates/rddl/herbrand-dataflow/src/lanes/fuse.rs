//! Fuses two or three operations on reals into one instruction, so that intermediate results stay in processor registers.
//!
//! ```text
//!   r5 = r1 * r2                        r5 = r1 * r2
//!   r6 = r5 + r3    ──▶  r6 = (r1 * r2) + r3        r6 = r3 * r4   ──▶  r7 = (r1 * r2) - (r3 * r4)
//!                                       r7 = r5 - r6
//! ```
//!
//! A value is absorbed if it is read once, by another operation, and is not a result. Each operation is still rounded
//! separately, in the original order, so all bits stay the same.

use std::ops::Range;

use super::super::instruction::{Instruction, Register};
use super::super::operation::ValueType;
use super::run::Others;
use super::uses::Uses;
use super::{Step, Work};

/// A fusible operation on reals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Arithmetic {
    Add,
    Sub,
    Mul,
}

/// Fused operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Fused {
    /// (a ∘ b) ∘ c.
    First {
        outer: Arithmetic,
        inner: Arithmetic,
        of: [Register; 3],
    },
    /// a ∘ (b ∘ c).
    Second {
        outer: Arithmetic,
        inner: Arithmetic,
        of: [Register; 3],
    },
    /// (a ∘ b) ∘ (c ∘ d).
    Both {
        outer: Arithmetic,
        inner: [Arithmetic; 2],
        of: [Register; 4],
    },
}

/// Returns the operation, the destination and the operands of a fusible instruction; `None` for any other instruction.
const fn arithmetic(work: &Work) -> Option<(Arithmetic, Register, [Register; 2])> {
    match *work {
        Work::Plain(Instruction::AddReal(to, a, b)) => Some((Arithmetic::Add, to, [a, b])),
        Work::Plain(Instruction::SubReal(to, a, b)) => Some((Arithmetic::Sub, to, [a, b])),
        Work::Plain(Instruction::MulReal(to, a, b)) => Some((Arithmetic::Mul, to, [a, b])),
        _ => None,
    }
}

/// Fuses operations. Every register except inputs must be written once, before it is read. `reals` is the number of real
/// registers, and `constants` is the range of constant registers. Jump targets are preserved.
pub(super) fn fuse(
    steps: &mut Vec<Step>,
    operands: &mut [Register],
    results: &[(ValueType, Register)],
    reals: u32,
    constants: &Range<Register>,
) {
    let uses = Uses::count(ValueType::Real, steps, operands, results, reals);
    let mut writer: Vec<Option<usize>> = vec![None; reals as usize];
    for (at, step) in steps.iter().enumerate() {
        if let Some((_, to, _)) = arithmetic(&step.work) {
            writer[to as usize] = Some(at);
        }
    }
    let mut gone = vec![false; steps.len()];
    for at in 0..steps.len() {
        let Some((outer, to, [a, b])) = arithmetic(&steps[at].work) else {
            continue;
        };
        let inner = |register: Register| {
            let from = writer[register as usize].filter(|_| uses.reads(register) == 1)?;
            let (operation, _, of) = arithmetic(&steps[from].work)?;
            Some((from, operation, of))
        };
        let (fused, taken) = match (inner(a), inner(b)) {
            (Some((one, f, [w, x])), Some((two, g, [y, z]))) => {
                let of = [w, x, y, z];
                (
                    Fused::Both {
                        outer,
                        inner: [f, g],
                        of,
                    },
                    [Some(one), Some(two)],
                )
            }
            (Some((one, inner, [x, y])), None) => (
                Fused::First {
                    outer,
                    inner,
                    of: [x, y, b],
                },
                [Some(one), None],
            ),
            (None, Some((two, inner, [x, y]))) => (
                Fused::Second {
                    outer,
                    inner,
                    of: [a, x, y],
                },
                [Some(two), None],
            ),
            (None, None) => continue,
        };
        taken.into_iter().flatten().for_each(|from| gone[from] = true);
        let fused = fused.with_constants_first(constants);
        steps[at].work = Work::Fused(to, fused);
    }
    remove(steps, &gone);
}

/// Removes steps. A jump to a removed step goes to the next remaining one.
pub(super) fn remove(steps: &mut Vec<Step>, gone: &[bool]) {
    let mut places = Vec::with_capacity(gone.len() + 1);
    let mut kept = 0;
    for &gone in gone {
        places.push(kept);
        kept += u32::from(!gone);
    }
    places.push(kept);
    for step in &mut *steps {
        if let Work::Plain(Instruction::JumpUnless(_, to)) = &mut step.work {
            *to = places[*to as usize];
        }
    }
    let mut at = 0;
    steps.retain(|_| {
        at += 1;
        !gone[at - 1]
    });
}

macro_rules! with {
    ($operation:expr, |$f:ident| $body:expr) => {
        match $operation {
            Arithmetic::Add => {
                let $f = |a: f64, b: f64| a + b;
                $body
            }
            Arithmetic::Sub => {
                let $f = |a: f64, b: f64| a - b;
                $body
            }
            Arithmetic::Mul => {
                let $f = |a: f64, b: f64| a * b;
                $body
            }
        }
    };
}

impl Fused {
    /// Returns the registers that are read.
    pub(super) fn reads(&mut self) -> &mut [Register] {
        match self {
            Self::First { of, .. } | Self::Second { of, .. } => of,
            Self::Both { of, .. } => of,
        }
    }

    /// Puts the constant factor of each of two products first.
    fn with_constants_first(mut self, constants: &Range<Register>) -> Self {
        if let Self::Both {
            inner: [Arithmetic::Mul, Arithmetic::Mul],
            of: [a, b, c, d],
            ..
        } = &mut self
        {
            for (first, second) in [(a, b), (c, d)] {
                if constants.contains(second) {
                    std::mem::swap(first, second);
                }
            }
        }
        self
    }

    /// Fills a row. `constants` are the registers with the same number in all lanes.
    #[inline(always)]
    pub(super) fn fill(self, out: &mut [f64], rows: &Others<'_, f64>, constants: &Range<Register>) {
        match self {
            Self::First { outer, inner, of } => {
                with!(outer, |f| with!(inner, |g| three(
                    out,
                    rows,
                    of,
                    constants,
                    |a, b, c| f(g(a, b), c)
                )));
            }
            Self::Second { outer, inner, of } => {
                with!(outer, |f| with!(inner, |g| three(
                    out,
                    rows,
                    of,
                    constants,
                    |a, b, c| f(a, g(b, c))
                )));
            }
            Self::Both {
                outer,
                inner: [Arithmetic::Mul, Arithmetic::Mul],
                of: [a, b, c, d],
            } => {
                with!(outer, |f| four(
                    out,
                    rows,
                    [a, b, c, d],
                    constants,
                    |a, b, c, d| f(a * b, c * d)
                ));
            }
            Self::Both { outer, inner, of } => {
                let [a, b, c, d] = of.map(|register| rows.row(register));
                with!(outer, |f| with!(inner[0], |g| with!(inner[1], |h| {
                    let pairs = a.iter().zip(b).zip(c.iter().zip(d));
                    for (out, ((&a, &b), (&c, &d))) in out.iter_mut().zip(pairs) {
                        *out = f(g(a, b), h(c, d));
                    }
                })));
            }
        }
    }
}

/// Applies an operation to three rows. If one of them is constant, only its first lane is read.
#[inline(always)]
fn three(
    out: &mut [f64],
    rows: &Others<'_, f64>,
    of: [Register; 3],
    constants: &Range<Register>,
    f: impl Fn(f64, f64, f64) -> f64,
) {
    let [a, b, c] = of.map(|register| rows.row(register));
    let [is_a, is_b, is_c] = of.map(|register| constants.contains(&register));
    match (a.first(), b.first(), c.first()) {
        (Some(&a), ..) if is_a => two(out, b, c, |b, c| f(a, b, c)),
        (_, Some(&b), _) if is_b => two(out, a, c, |a, c| f(a, b, c)),
        (.., Some(&c)) if is_c => two(out, a, b, |a, b| f(a, b, c)),
        _ => {
            for (out, ((&a, &b), &c)) in out.iter_mut().zip(a.iter().zip(b).zip(c)) {
                *out = f(a, b, c);
            }
        }
    }
}

/// Applies an operation to two pairs of rows. If the first row of a pair is constant, only its first lane is read.
#[inline(always)]
fn four(
    out: &mut [f64],
    rows: &Others<'_, f64>,
    of: [Register; 4],
    constants: &Range<Register>,
    f: impl Fn(f64, f64, f64, f64) -> f64,
) {
    let [a, b, c, d] = of.map(|register| rows.row(register));
    let is_constant = |register: Register| constants.contains(&register);
    match (a.first(), c.first()) {
        (Some(&a), Some(&c)) if is_constant(of[0]) && is_constant(of[2]) => {
            two(out, b, d, |b, d| f(a, b, c, d))
        }
        _ => {
            let pairs = a.iter().zip(b).zip(c.iter().zip(d));
            for (out, ((&a, &b), (&c, &d))) in out.iter_mut().zip(pairs) {
                *out = f(a, b, c, d);
            }
        }
    }
}

#[inline(always)]
fn two(out: &mut [f64], a: &[f64], b: &[f64], f: impl Fn(f64, f64) -> f64) {
    for (out, (&a, &b)) in out.iter_mut().zip(a.iter().zip(b)) {
        *out = f(a, b);
    }
}

#[cfg(test)]
mod tests {
    use herbrand_limits::Budget;
    use proptest::prelude::*;

    use super::super::super::graph::Graph;
    use super::super::super::layout::Layout;
    use super::super::super::operation::{BinaryOp, ValueType};
    use super::super::{Block, Caches, Lanes, Work};
    use crate::BatchTape;
    use crate::Tape;
    use herbrand_distributions::Quantiles;

    const CACHES: Caches = Caches {
        first: 1 << 15,
        few: 256,
        second: 1 << 18,
        most: 256,
    };

    fn compiled(graph: &Graph, inputs: Layout, values: &[crate::NodeId]) -> Lanes {
        Lanes::compile(
            graph,
            inputs,
            [values, &[]],
            CACHES,
            &mut Budget::unlimited().meter("test"),
        )
        .unwrap()
    }

    fn fused(lanes: &Lanes) -> usize {
        lanes
            .steps
            .iter()
            .filter(|step| matches!(step.work, Work::Fused(..)))
            .count()
    }

    #[test]
    fn what_is_read_once_is_taken_in() {
        let mut graph = Graph::new();
        let x: Vec<_> = (0..4)
            .map(|register| graph.input(ValueType::Real, register))
            .collect();
        let one = graph.binary(BinaryOp::MulReal, x[0], x[1]);
        let two = graph.binary(BinaryOp::AddReal, x[2], x[3]);
        let both = graph.binary(BinaryOp::SubReal, one, two);
        let inputs = Layout {
            reals: 4,
            ..Layout::default()
        };
        let lanes = compiled(&graph, inputs, &[both]);
        assert_eq!((lanes.steps.len(), fused(&lanes)), (1, 1));
        // Results, and values that are read twice, stay.
        let lanes = compiled(&graph, inputs, &[both, one]);
        assert_eq!((lanes.steps.len(), fused(&lanes)), (2, 1));
        let square = graph.binary(BinaryOp::MulReal, one, one);
        let lanes = compiled(&graph, inputs, &[square]);
        assert_eq!((lanes.steps.len(), fused(&lanes)), (2, 0));
        let mut block = Block::default();
        block.fit(&lanes);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        /// Random chains of operations, evaluated in lanes and by a tape.
        #[test]
        fn fused_chains_have_the_values_of_single_operations(
            chain in prop::collection::vec((0..5_usize, any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..30),
            asked in prop::collection::vec(any::<prop::sample::Index>(), 1..4),
            numbers in prop::collection::vec(prop_oneof![-5.0..5.0_f64, Just(f64::INFINITY), Just(0.0), Just(1e300)], 12),
        ) {
            let mut graph = Graph::new();
            let mut nodes: Vec<_> = (0..4).map(|register| graph.input(ValueType::Real, register)).collect();
            for (op, a, b) in chain {
                let op = [BinaryOp::AddReal, BinaryOp::SubReal, BinaryOp::MulReal, BinaryOp::DivReal, BinaryOp::MinReal][op];
                let (a, b) = (nodes[a.index(nodes.len())], nodes[b.index(nodes.len())]);
                nodes.push(graph.binary(op, a, b));
            }
            let values: Vec<_> = asked.iter().map(|one| nodes[4 + one.index(nodes.len() - 4)]).collect();
            let inputs = Layout { reals: 4, ..Layout::default() };
            let mut meter = Budget::unlimited().meter("test");
            let batch = BatchTape::compile(&graph, inputs, [&values, &[]], 256, &mut meter).unwrap();
            let mut rows = batch.registers();
            for lane in 0..3 {
                for register in 0..4 {
                    rows.reals_mut()[register * batch.width() + lane] = numbers[register * 3 + lane];
                }
            }
            batch.run(&mut rows, &[Quantiles::at(0.5); 3]).unwrap();
            let outputs: Vec<_> = values.iter().copied().zip(4..).collect();
            let layout = Layout { reals: 4 + values.len() as u32, ..Layout::default() };
            let tape = Tape::compile(&graph, layout, &outputs, &mut meter).unwrap();
            for lane in 0..3 {
                let mut registers = tape.registers();
                for register in 0..4 {
                    registers.reals[register] = numbers[register * 3 + lane];
                }
                tape.run(&mut registers, &Quantiles::at(0.5)).unwrap();
                for (at, &(_, row)) in batch.results().iter().enumerate() {
                    let (found, expected) = (rows.reals()[row as usize * batch.width() + lane], registers.reals[4 + at]);
                    prop_assert!(
                        found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan(),
                        "{found} is not {expected}"
                    );
                }
            }
        }
    }
}
