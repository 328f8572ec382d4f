//! The passes over an emitted program.

use super::super::instruction::{Instruction, Register};
use super::super::layout::Layout;
use super::super::operation::ValueType;
use super::angle::pair_angles;
use super::chain::chain;
use super::dead::remove_dead;
use super::fuse::fuse;
use super::merge::merge_draws;
use super::order::by_depth;
use super::reuse::reuse;
use super::share::share;
use super::signs::test_signs;
use super::truths::look_up_truths;
use super::{Caches, Constant, Lanes, Step, Table, Work};

/// The minimum number of lanes.
const NARROWEST: usize = 32;

/// A program in the order of its graph, with one row per value.
pub(crate) struct Draft {
    /// The steps.
    pub(crate) steps: Vec<Step>,
    /// The lists of operands.
    pub(crate) operands: Vec<Register>,
    /// Registers with the same value in all lanes.
    pub(crate) constants: Vec<Constant>,
    /// Tables that are indexed by bools.
    pub(crate) tables: Vec<Table>,
    /// The number of input registers.
    pub(crate) inputs: Layout,
    /// The number of input and constant registers.
    pub(crate) fixed: Layout,
    /// The number of registers.
    pub(crate) count: Layout,
    /// The kinds and rows of the results.
    pub(crate) results: Box<[(ValueType, Register)]>,
}

impl Draft {
    /// Makes the program faster and smaller. The number of lanes is as many as `caches` allow.
    pub(crate) fn finish(self, caches: Caches) -> Lanes {
        let Self {
            mut steps,
            mut operands,
            constants,
            mut tables,
            inputs,
            fixed,
            count,
            mut results,
        } = self;
        let own = inputs.reals..fixed.reals;
        share(&mut steps, &mut operands, &mut results, count);
        test_signs(&mut steps, &mut operands, &results, &constants, count);
        merge_draws(&mut steps, &mut operands, &results, (&constants, &tables), count);
        look_up_truths(&mut steps, &mut operands, &constants, &mut tables);
        remove_dead(&mut steps, &mut operands, &results, count);
        chain(&mut steps, &mut operands, &results, count.bools);
        pair_angles(&mut steps);
        fuse(&mut steps, &mut operands, &results, count.reals, &own);
        let registers = place(&mut steps, &mut operands, &mut results, fixed, count);
        Lanes {
            draws: steps.iter().any(|step| draws(&step.work)),
            steps,
            operands,
            constants,
            tables,
            registers,
            // Constant rows do not count, because loops read only their first lane.
            width: width(registers.bytes() + inputs.bytes() - fixed.bytes(), caches),
            inputs,
            fixed,
            results,
        }
    }
}

/// Assigns rows to values, in the order of steps that needs less memory: the order of the graph or the order by depth.
/// Returns the number of rows.
fn place(
    steps: &mut Vec<Step>,
    operands: &mut Vec<Register>,
    results: &mut Box<[(ValueType, Register)]>,
    fixed: Layout,
    before: Layout,
) -> Layout {
    let mut ordered = (by_depth(steps, operands), operands.clone(), results.clone());
    let deep = reuse(&mut ordered.0, &mut ordered.1, &mut ordered.2, fixed, before);
    let plain = reuse(steps, operands, results, fixed, before);
    if deep.bytes() < plain.bytes() {
        (*steps, *operands, *results) = ordered;
        return deep;
    }
    plain
}

/// Returns whether an instruction draws random numbers.
pub(super) const fn draws(work: &Work) -> bool {
    use Instruction as I;
    matches!(
        work,
        Work::Either(..)
            | Work::Plain(
                I::Bernoulli(..) | I::DrawReal(..) | I::DrawInt(..) | I::Choose(..) | I::Vector(..)
            )
    )
}

/// Returns the number of lanes, a power of 2, if each takes `bytes`.
fn width(bytes: u64, caches: Caches) -> usize {
    let bytes = (bytes as usize).max(1);
    let fitting = (caches.first / bytes).max(caches.few.min(caches.second / bytes));
    (1_usize << fitting.max(1).ilog2()).clamp(NARROWEST, caches.most.max(NARROWEST))
}
