//! Flattens nested conjunctions and nested disjunctions.
//!
//! ```text
//!   b4 = b1 and b2
//!   b5 = b4 and b3         ──▶        b6 = all of b1, b2, b3, b0
//!   b6 = b0 and b5
//! ```
//!
//! A junction is absorbed if its result is read once, by a junction of the same kind in the same region, and is not a result
//! of the program.

use super::super::instruction::{Instruction, Operands, Register};
use super::super::operation::ValueType;
use super::fuse::remove;
use super::regions::Regions;
use super::uses::Uses;
use super::{Step, Work};

/// A conjunction, or a disjunction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Junction {
    All,
    Any,
}

/// Returns the kind, the destination and the operands of a junction; `None` for any other instruction.
fn junction(work: &Work, operands: &[Register]) -> Option<(Junction, Register, Vec<Register>)> {
    let list = |list: Operands| operands[list.start as usize..][..list.len as usize].to_vec();
    match *work {
        Work::Plain(Instruction::And(to, a, b)) => Some((Junction::All, to, vec![a, b])),
        Work::Plain(Instruction::Or(to, a, b)) => Some((Junction::Any, to, vec![a, b])),
        Work::Plain(Instruction::All(to, all)) => Some((Junction::All, to, list(all))),
        Work::Plain(Instruction::Any(to, all)) => Some((Junction::Any, to, list(all))),
        _ => None,
    }
}

/// A junction that another one may absorb.
struct Open {
    step: usize,
    junction: Junction,
    region: u32,
    list: Vec<Register>,
}

/// Flattens each tree of conjunctions or of disjunctions into one step. `bools` is the number of bool registers.
pub(super) fn chain(
    steps: &mut Vec<Step>,
    operands: &mut Vec<Register>,
    results: &[(ValueType, Register)],
    bools: u32,
) {
    let uses = Uses::count(ValueType::Bool, steps, operands, results, bools);
    let regions = Regions::new(steps);
    let mut open: Vec<Option<Open>> = (0..bools).map(|_| None).collect();
    let mut gone = vec![false; steps.len()];
    for (at, step) in steps.iter_mut().enumerate() {
        let Some((junction, to, of)) = junction(&step.work, operands) else {
            continue;
        };
        let region = regions.of(at);
        let mut list = Vec::with_capacity(of.len());
        let mut taken = false;
        for register in of {
            let inner = &mut open[register as usize];
            let fits = |inner: &mut Open| inner.junction == junction && inner.region == region;
            match inner.take_if(fits) {
                Some(mut inner) => {
                    gone[inner.step] = true;
                    taken = true;
                    if inner.list.len() > list.len() {
                        std::mem::swap(&mut inner.list, &mut list);
                    }
                    list.append(&mut inner.list);
                }
                None => list.push(register),
            }
        }
        if taken {
            let all = Operands {
                start: operands.len() as u32,
                len: list.len() as u32,
            };
            // The operand list of the inner junction is no longer used.
            operands.extend_from_slice(&list);
            step.work = Work::Plain(match junction {
                Junction::All => Instruction::All(to, all),
                Junction::Any => Instruction::Any(to, all),
            });
        }
        if uses.reads(to) == 1 && uses.writes(to) == 1 {
            open[to as usize] = Some(Open {
                step: at,
                junction,
                region,
                list,
            });
        }
    }
    remove(steps, &gone);
}
