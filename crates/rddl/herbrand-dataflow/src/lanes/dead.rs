//! Dead code elimination. A step that can fail is kept even if its value is unused, because its failure ends the run.

use super::super::instruction::{Instruction, Register, Use};
use super::super::layout::Layout;
use super::super::operation::{BinaryOp, UnaryOp, ValueType};
use super::fuse::remove;
use super::reuse::ByKind;
use super::{Step, Work};

/// Removes dead steps, and jumps over nothing. Also removes the masks of steps that have a value in every lane. `registers`
/// is the number of registers.
pub(super) fn remove_dead(
    steps: &mut Vec<Step>,
    operands: &mut [Register],
    results: &[(ValueType, Register)],
    registers: Layout,
) {
    let mut read = ByKind::new(|kind| vec![false; registers.of(kind) as usize]);
    for &(kind, register) in results {
        read.of(kind)[register as usize] = true;
    }
    let mut gone = vec![false; steps.len()];
    for at in (0..steps.len()).rev() {
        let step = &mut steps[at];
        let total = is_total(&step.work);
        if total {
            step.mask = None;
        }
        let mut used = !total;
        step.registers(operands, |kind, register, how| {
            used |= how == Use::Write && read.of(kind)[*register as usize];
        });
        if let Work::Plain(Instruction::JumpUnless(_, to)) = step.work {
            used = gone[at + 1..to as usize].contains(&false);
        }
        gone[at] = !used;
        if used {
            steps[at].registers(operands, |kind, register, how| {
                read.of(kind)[*register as usize] |= how == Use::Read;
            });
        }
    }
    remove(steps, &gone);
}

/// Returns whether an instruction has a value in every lane and draws no random number.
const fn is_total(work: &Work) -> bool {
    use Instruction as I;
    !matches!(
        work,
        Work::Sign(..)
            | Work::Either(..)
            | Work::Plain(
                I::Fail(_)
                    | I::Jump(_)
                    | I::JumpUnless(..)
                    | I::Rounding(
                        UnaryOp::Round | UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Sign,
                        ..
                    )
                    | I::IntOperation(BinaryOp::DivInt | BinaryOp::ModInt | BinaryOp::PowInt, ..)
                    | I::Bernoulli(..)
                    | I::DrawReal(..)
                    | I::DrawInt(..)
                    | I::Choose(..)
                    | I::Vector(..)
            )
    )
}
