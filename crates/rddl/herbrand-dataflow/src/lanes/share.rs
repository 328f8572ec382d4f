//! Common subexpression elimination for steps.
//!
//! Equal nodes of a graph are already shared unless they can fail. If such a value has been computed for at least the
//! same lanes, a second computation is redundant: a failure of the first would have ended the run.
//!
//! ```text
//!   i1 = sign r4                      i1 = sign r4
//!   b2 = i1 == i3          ──▶        b2 = i1 == i3
//!   i5 = sign r4
//!   b6 = i5 == i7                     b6 = i1 == i7
//! ```

use fxhash::FxHashMap;

use super::super::instruction::{Instruction, Register, Use};
use super::super::layout::Layout;
use super::super::operation::ValueType;
use super::fuse::remove;
use super::regions::Regions;
use super::reuse::ByKind;
use super::{Step, Work};

/// Removes steps whose value an earlier step has computed. Only registers that a single step writes are shared, and no
/// inputs. `registers` is the number of registers.
pub(super) fn share(
    steps: &mut Vec<Step>,
    operands: &mut [Register],
    results: &mut [(ValueType, Register)],
    registers: Layout,
) {
    let mut writes = ByKind::new(|kind| vec![0_u32; registers.of(kind) as usize]);
    for step in steps.iter_mut() {
        step.registers(operands, |kind, register, used| {
            writes.of(kind)[*register as usize] += u32::from(used == Use::Write);
        });
    }
    let mut same = ByKind::new(|kind| (0..registers.of(kind)).collect::<Vec<_>>());
    let regions = Regions::new(steps);
    let mut known: FxHashMap<Work, (u32, Register)> = FxHashMap::default();
    let mut gone = vec![false; steps.len()];
    for (at, step) in steps.iter_mut().enumerate() {
        let mut written = None;
        let mut once = true;
        step.registers(operands, |kind, register, used| {
            *register = same.of(kind)[*register as usize];
            once &= writes.of(kind)[*register as usize] <= 1;
            if used == Use::Write {
                written = Some((kind, *register));
            }
        });
        let (Some((kind, register)), true) = (written, once && is_function(&step.work)) else {
            continue;
        };
        let mut key = *step;
        key.registers(operands, |_, register, used| {
            if used == Use::Write {
                *register = 0;
            }
        });
        let here = regions.of(at);
        match known.get(&key.work) {
            Some(&(region, value)) if regions.is_within(here, region) => {
                same.of(kind)[register as usize] = value;
                gone[at] = true;
            }
            _ => {
                known.insert(key.work, (here, register));
            }
        }
    }
    for (kind, register) in results {
        *register = same.of(*kind)[*register as usize];
    }
    remove(steps, &gone);
}

/// Returns whether the instruction depends only on a few registers, so that its position does not matter.
const fn is_function(work: &Work) -> bool {
    use Instruction as I;
    !matches!(
        work,
        Work::Lookup { .. }
            | Work::BoolLookup { .. }
            | Work::Either(..)
            | Work::Plain(
                I::Fail(_)
                    | I::Jump(_)
                    | I::JumpUnless(..)
                    | I::GatherBool(..)
                    | I::GatherInt(..)
                    | I::GatherReal(..)
                    | I::All(..)
                    | I::Any(..)
                    | I::Count(..)
                    | I::SumInt(..)
                    | I::SumReal(..)
                    | I::SumProducts(..)
                    | I::ProductReal(..)
                    | I::Place(..)
                    | I::Bernoulli(..)
                    | I::DrawReal(..)
                    | I::DrawInt(..)
                    | I::Choose(..)
                    | I::Vector(..)
            )
    )
}
