//! Orders steps depth first, each value right before its use, so that fewer rows are live at once.
//!
//! ```text
//!   r5 = r0 * r1       r5 = r0 * r1
//!   r6 = r2 * r3  ──▶  r7 = r5 + r4      One row is enough for r5 and r6, which take turns.
//!   r7 = r5 + r4       r6 = r2 * r3
//!   r8 = r6 + r4       r8 = r6 + r4
//! ```
//!
//! Graphs often list one property of all objects, then the next property of all objects. In that order, one row per object
//! is live at the same time. In depth-first order, all properties of one object are computed before the next object.

use std::ops::Range;

use fxhash::{FxHashMap, FxHashSet};

use super::super::instruction::{Instruction, Register, Use};
use super::super::operation::ValueType;
use super::reuse::vector_results;
use super::{Step, Work};

/// A unit of reordering: a step, or a jump with all steps that it jumps over.
struct Unit {
    /// The position before reordering.
    start: usize,
    end: usize,
}

/// Returns the steps in depth-first order: each right after the last of its operands.
pub(super) fn by_depth(steps: &mut [Step], operands: &mut [Register]) -> Vec<Step> {
    let all = 0..steps.len();
    let mut ordered = Vec::with_capacity(steps.len());
    order(steps, operands, all, &mut ordered);
    ordered
}

/// Orders the steps of a range, and recursively the steps within each jump.
fn order(steps: &mut [Step], operands: &mut [Register], range: Range<usize>, ordered: &mut Vec<Step>) {
    let units = units(steps, range);
    let needs = needs(steps, operands, &units);
    let mut is_needed = vec![false; units.len()];
    needs.iter().flatten().for_each(|&unit| is_needed[unit] = true);
    let mut done = vec![false; units.len()];
    // The units on the path from the root, each with the number of its dependencies visited so far.
    let mut path: Vec<(usize, usize)> = Vec::new();
    for last in (0..units.len()).filter(|&unit| !is_needed[unit]) {
        path.push((last, 0));
        while let Some((unit, looked_at)) = path.last_mut() {
            if let Some(&need) = needs[*unit].get(*looked_at) {
                *looked_at += 1;
                if !done[need] {
                    path.push((need, 0));
                }
                continue;
            }
            let unit = *unit;
            path.pop();
            if !std::mem::replace(&mut done[unit], true) {
                emit(steps, operands, &units[unit], ordered);
            }
        }
    }
}

/// Splits a range into units.
fn units(steps: &[Step], range: Range<usize>) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let end = match steps[at].work {
            Work::Plain(Instruction::JumpUnless(_, to)) => (to as usize).max(at + 1),
            _ => at + 1,
        };
        units.push(Unit { start: at, end });
        at = end;
    }
    units
}

/// Returns, for each unit, the earlier units that must stay before it: it reads a register that they write, or writes a
/// register that they read or write.
fn needs(steps: &mut [Step], operands: &mut [Register], units: &[Unit]) -> Vec<Vec<usize>> {
    #[derive(Default)]
    struct RegisterUses {
        writers: Vec<usize>,
        readers: Vec<usize>,
    }
    let mut touched: FxHashMap<(ValueType, Register), RegisterUses> = FxHashMap::default();
    let mut needs = Vec::with_capacity(units.len());
    for (number, unit) in units.iter().enumerate() {
        let mut of = Vec::new();
        for step in &mut steps[unit.start..unit.end] {
            let mut touch = |kind: ValueType, register: Register, used: Use| {
                let touched = touched.entry((kind, register)).or_default();
                of.extend_from_slice(&touched.writers);
                let by = match used {
                    Use::Read => &mut touched.readers,
                    Use::Write => {
                        of.extend_from_slice(&touched.readers);
                        &mut touched.writers
                    }
                };
                if by.last() != Some(&number) {
                    by.push(number);
                }
            };
            if let Some((first, count)) = vector_results(step) {
                (first..first + count).for_each(|register| touch(ValueType::Real, register, Use::Write));
            }
            step.registers(operands, |kind, register, used| touch(kind, *register, used));
        }
        let mut seen = FxHashSet::default();
        of.retain(|&need| need != number && seen.insert(need));
        needs.push(of);
    }
    needs
}

fn emit(steps: &mut [Step], operands: &mut [Register], unit: &Unit, ordered: &mut Vec<Step>) {
    let first = steps[unit.start];
    ordered.push(first);
    if let Work::Plain(Instruction::JumpUnless(mask, _)) = first.work {
        let at = ordered.len() - 1;
        order(steps, operands, unit.start + 1..unit.end, ordered);
        ordered[at].work = Work::Plain(Instruction::JumpUnless(mask, ordered.len() as u32));
    }
}

#[cfg(test)]
mod tests {
    use herbrand_limits::Budget;

    use super::super::{Caches, Lanes, Work};
    use crate::{BinaryOp, Graph, Layout, ValueType};

    #[test]
    fn objects_take_turns_in_few_rows() {
        // First one value of each object, then the next one.
        let mut graph = Graph::new();
        let inputs = Layout {
            reals: 20,
            ..Layout::default()
        };
        let mut values: Vec<_> = (0..20)
            .map(|register| graph.input(ValueType::Real, register))
            .collect();
        let start = values.clone();
        for op in [
            BinaryOp::DivReal,
            BinaryOp::MaxReal,
            BinaryOp::DivReal,
            BinaryOp::MinReal,
        ] {
            for (value, other) in values.iter_mut().zip(start.iter().rev()) {
                *value = graph.binary(op, *value, *other);
            }
        }
        let compared: Vec<_> = values
            .iter()
            .zip(&start)
            .map(|(value, start)| graph.binary(BinaryOp::LtReal, *value, *start))
            .collect();
        let caches = Caches {
            first: 1 << 15,
            few: 64,
            second: 1 << 15,
            most: 64,
        };
        let mut meter = Budget::unlimited().meter("test");
        let lanes = Lanes::compile(&graph, inputs, [&compared, &[]], caches, &mut meter).unwrap();
        assert_eq!(lanes.registers().reals, 20 + 2);
        let divided = |work: &Work| format!("{work:?}").contains("DivReal");
        assert!(
            !divided(&lanes.steps[1].work) && divided(&lanes.steps[2].work),
            "{:?}",
            lanes.steps
        );
    }
}
