//! Register allocation: values whose lifetimes do not overlap share a row.

use super::super::instruction::{Instruction, NO_REGISTER, Register, Use};
use super::super::layout::Layout;
use super::super::operation::ValueType;
use super::{Step, Work};

/// A value per kind of register.
#[derive(Default)]
pub(super) struct ByKind<T>([T; 3]);

impl<T> ByKind<T> {
    pub(super) fn new(of: impl FnMut(ValueType) -> T) -> Self {
        Self([ValueType::Bool, ValueType::Int, ValueType::Real].map(of))
    }

    pub(super) const fn of(&mut self, kind: ValueType) -> &mut T {
        &mut self.0[kind as usize]
    }
}

/// Renumbers registers so that a value takes the row of a dead value. Returns the number of registers of each kind. The
/// first registers, `fixed`, are inputs and constants and keep their numbers. `before` is the number of registers before the
/// call.
///
/// A value lives from the first step that writes it to the last step that reads it. Jumps only go forward, so this holds
/// whether or not a branch is skipped. The row of a skipped branch then holds another value, but outside the branch only
/// lanes that took it read that row, and no lane did.
pub(super) fn reuse(
    steps: &mut [Step],
    operands: &mut [Register],
    results: &mut [(ValueType, Register)],
    fixed: Layout,
    before: Layout,
) -> Layout {
    let mut last = last_uses(steps, operands, results, before);
    let mut after = fixed;
    let mut homes = ByKind::new(|kind| {
        let mut homes = vec![NO_REGISTER; before.of(kind) as usize];
        (0..fixed.of(kind)).for_each(|register| homes[register as usize] = register);
        homes
    });
    for (first, count) in steps.iter().filter_map(vector_results) {
        let home = after.take(ValueType::Real, count);
        for place in 0..count {
            homes.of(ValueType::Real)[(first + place) as usize] = home + place;
            last.of(ValueType::Real)[(first + place) as usize] = NEVER;
        }
    }
    let mut free: ByKind<Vec<Register>> = ByKind::default();
    let mut dead = Vec::new();
    for (at, step) in (0..).zip(steps) {
        step.registers(operands, |kind, register, _| {
            let value = *register as usize;
            let home = &mut homes.of(kind)[value];
            if *home == NO_REGISTER {
                *home = free.of(kind).pop().unwrap_or_else(|| after.take(kind, 1));
            }
            *register = *home;
            let end = &mut last.of(kind)[value];
            if *end == at && value >= fixed.of(kind) as usize {
                *end = NEVER;
                dead.push((kind, *home));
            }
        });
        // Freed only after the step, so that no instruction writes a row that it reads.
        for (kind, home) in dead.drain(..) {
            free.of(kind).push(home);
        }
    }
    for (kind, register) in results {
        *register = homes.of(*kind)[*register as usize];
    }
    after
}

/// Marks a value whose row is not given to another value.
const NEVER: u32 = u32::MAX;

/// Returns, by kind and register, the last step that uses it.
fn last_uses(
    steps: &mut [Step],
    operands: &mut [Register],
    results: &[(ValueType, Register)],
    before: Layout,
) -> ByKind<Vec<u32>> {
    let mut last = ByKind::new(|kind| vec![0; before.of(kind) as usize]);
    for (at, step) in (0..).zip(steps) {
        step.registers(operands, |kind, register, _| {
            last.of(kind)[*register as usize] = at;
        });
    }
    for &(kind, register) in results {
        last.of(kind)[register as usize] = NEVER;
    }
    last
}

/// Returns the first result register of a vector operation and the number of results.
pub(super) fn vector_results(step: &Step) -> Option<(Register, u32)> {
    match step.work {
        Work::Plain(Instruction::Vector(op, n, to, ..)) => Some((to, op.outputs(n as usize) as u32)),
        _ => None,
    }
}

impl Step {
    /// Calls `visit` with each register that a step reads, then with its destination.
    pub(super) fn registers(
        &mut self,
        operands: &mut [Register],
        mut visit: impl FnMut(ValueType, &mut Register, Use),
    ) {
        if let Some(mask) = &mut self.mask {
            visit(ValueType::Bool, mask, Use::Read);
        }
        match &mut self.work {
            Work::Plain(instruction) => instruction.registers(operands, visit),
            Work::Fused(to, fused) => {
                for register in fused.reads() {
                    visit(ValueType::Real, register, Use::Read);
                }
                visit(ValueType::Real, to, Use::Write);
            }
            Work::Angle { sine, cosine, of } => {
                visit(ValueType::Real, of, Use::Read);
                visit(ValueType::Real, sine, Use::Write);
                visit(ValueType::Real, cosine, Use::Write);
            }
            Work::Sign(to, test) => {
                for register in test.reads() {
                    visit(ValueType::Real, register, Use::Read);
                }
                visit(ValueType::Bool, to, Use::Write);
            }
            Work::Either(to, either) => {
                visit(ValueType::Bool, &mut either.condition, Use::Read);
                for register in &mut either.probabilities {
                    visit(ValueType::Real, register, Use::Read);
                }
                visit(ValueType::Bool, to, Use::Write);
            }
            Work::BoolLookup { kind, to, lookup } => {
                for register in lookup.bools.of_mut(operands) {
                    visit(ValueType::Bool, register, Use::Read);
                }
                visit(*kind, to, Use::Write);
            }
            Work::Lookup { kind, to, index, .. } => {
                visit(ValueType::Int, index, Use::Read);
                visit(*kind, to, Use::Write);
            }
        }
    }
}
