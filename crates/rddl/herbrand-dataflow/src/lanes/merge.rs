//! Merges two draws into one if each lane needs only one of the two.
//!
//! ```text
//!   b3 = bernoulli r1, site 4
//!   b4 = bernoulli r2, site 5         ──▶        b5 = bernoulli   r1, site 4   where b0
//!   b5 = b3 where b0, else b4                                     r2, site 5   elsewhere
//! ```
//!
//! The random number of a draw depends only on its site. So choosing the site before the draw gives the same result as
//! choosing between two draws.

use fxhash::{FxHashMap, FxHashSet};
use herbrand_distributions::Draws;

use super::super::fault::ValueError;
use super::super::instruction::{Instruction, Register};
use super::super::layout::Layout;
use super::super::math::is_probability;
use super::super::operation::ValueType;
use super::fuse::remove;
use super::lookup::Table;
use super::regions::Regions;
use super::run::{All, apart};
use super::uses::Uses;
use super::{Constant, LaneFault, Lanes, Rows, RunContext, Step, Work};

/// One of two Bernoulli draws: the first if the condition holds, else the second.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct EitherDraw {
    pub(super) condition: Register,
    pub(super) probabilities: [Register; 2],
    sites: [u32; 2],
}

/// A draw that may be merged with another.
struct MergeableDraw {
    step: usize,
    probability: Register,
    site: u32,
}

/// Merges the operands of each choice between two draws that nothing else reads. `registers` is the number of registers.
pub(super) fn merge_draws(
    steps: &mut Vec<Step>,
    operands: &mut [Register],
    results: &[(ValueType, Register)],
    (constants, tables): (&[Constant], &[Table]),
    registers: Layout,
) {
    let bools = Uses::count(ValueType::Bool, steps, operands, results, registers.bools);
    let reals = Uses::count(ValueType::Real, steps, operands, results, registers.reals);
    let regions = Regions::new(steps);
    let reals_by_count = steps.iter().filter_map(|step| match step.work {
        Work::BoolLookup {
            kind: ValueType::Real,
            to,
            lookup,
        } => Some((to, &tables[lookup.table as usize])),
        _ => None,
    });
    let are_probabilities = reals_by_count.filter(|(_, table)| table.iter().copied().all(is_probability));
    let mut probabilities: FxHashSet<Register> = are_probabilities.map(|(to, _)| to).collect();
    let constants = constants
        .iter()
        .filter(|one| one.kind == ValueType::Real && is_probability(one.bits));
    probabilities.extend(constants.map(|one| one.register));
    let mut draws: FxHashMap<Register, MergeableDraw> = FxHashMap::default();
    let mut gone = vec![false; steps.len()];
    for (at, step) in steps.iter_mut().enumerate() {
        match step.work {
            Work::Plain(Instruction::Bernoulli(to, probability, site))
                if (bools.reads(to), bools.writes(to)) == (1, 1) && reals.writes(probability) <= 1 =>
            {
                let draw = MergeableDraw {
                    step: at,
                    probability,
                    site,
                };
                draws.insert(to, draw);
            }
            Work::Plain(Instruction::SelectBool(to, condition, a, b)) if bools.writes(condition) <= 1 => {
                let here = regions.of(at);
                // A draw that can fail must fail only in the lanes that choose it. If it was drawn ahead of the choice, it
                // stays.
                let fits = |draw: &&MergeableDraw| {
                    let there = regions.of(draw.step);
                    let is_chosen = there != here && regions.is_within(there, here);
                    is_chosen || probabilities.contains(&draw.probability)
                };
                let draw_of = |register| draws.get(register).filter(fits);
                let Some((a, b)) = draw_of(&a).zip(draw_of(&b)) else {
                    continue;
                };
                (gone[a.step], gone[b.step]) = (true, true);
                let either = EitherDraw {
                    condition,
                    probabilities: [a.probability, b.probability],
                    sites: [a.site, b.site],
                };
                *step = Step {
                    work: Work::Either(to, either),
                    mask: regions.mask(here),
                };
            }
            _ => {}
        }
    }
    remove(steps, &gone);
}

/// Returns `a` if `first` holds, else `b`. Written with bit masks because the compiler turns a plain choice into a choice of
/// addresses, which makes the loop slow.
#[inline(always)]
const fn one_of(first: bool, a: f64, b: f64) -> f64 {
    let mask = (first as u64).wrapping_neg();
    f64::from_bits((a.to_bits() & mask) | (b.to_bits() & !mask))
}

impl Lanes {
    /// Makes one of two draws in each lane.
    ///
    /// # Errors
    /// Fails if the parameter of a lane of the mask is not a probability.
    #[inline(always)]
    pub(super) fn either(
        &self,
        to: Register,
        either: EitherDraw,
        mask: Option<Register>,
        block: &mut Rows<'_>,
        n: usize,
        around: &impl RunContext,
    ) -> Result<(), LaneFault> {
        let EitherDraw {
            condition,
            probabilities,
            sites,
        } = either;
        let (out, others) = apart(block.bools, to, self.width, n);
        let condition = others.row(condition);
        let reals = All {
            array: block.reals,
            width: self.width,
            lanes: n,
        };
        let [a, b] = probabilities.map(|register| reals.row(register));
        let uniforms = &mut block.uniforms[..n];
        around.uniforms_of_two(condition, sites, uniforms);
        let mut all = true;
        let sides = condition.iter().zip(a.iter().zip(b));
        for (out, (u, (&first, (&a, &b)))) in out.iter_mut().zip(uniforms.iter().zip(sides)) {
            let p = one_of(first, a, b);
            *out = *u <= p;
            all &= (0.0..=1.0).contains(&p);
        }
        if all {
            return Ok(());
        }
        for lane in 0..n {
            if mask.is_none_or(|mask| others.row(mask)[lane]) {
                let (p, site) = if condition[lane] {
                    (a[lane], sites[0])
                } else {
                    (b[lane], sites[1])
                };
                let drawn = around.draws(lane).bernoulli(around.site(site, lane), p);
                out[lane] = drawn.map_err(|error| (lane, ValueError::from(error)))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use herbrand_limits::Budget;

    use super::super::draft::draws;
    use super::super::{Caches, Lanes, Step, Work};
    use crate::{Graph, Layout, ValueType};
    use herbrand_distributions::Site;

    #[test]
    fn a_choice_between_draws_is_one_draw() {
        let mut graph = Graph::new();
        let inputs = Layout {
            bools: 2,
            reals: 1,
            ..Layout::default()
        };
        let conditions = [0, 1].map(|register| graph.input(ValueType::Bool, register));
        let probabilities = [graph.input(ValueType::Real, 0), graph.real(0.5), graph.real(0.25)];
        let mut sites = (0..).map(Site);
        let [a, b, c] = probabilities.map(|p| graph.bernoulli(p, sites.next().unwrap_or(Site(0))));
        let inner = graph.select(conditions[1], a, b);
        let value = graph.select(conditions[0], inner, c);
        let caches = Caches {
            first: 1 << 15,
            few: 64,
            second: 1 << 15,
            most: 64,
        };
        let compiled = |values: &[_], needed: &[_]| {
            let mut meter = Budget::unlimited().meter("test");
            Lanes::compile(&graph, inputs, [values, needed], caches, &mut meter).unwrap()
        };
        let count = |lanes: &Lanes| {
            let steps = lanes.steps.iter();
            let drawing = steps.filter(|step| draws(&step.work));
            let (merged, others): (Vec<&Step>, Vec<&Step>) =
                drawing.partition(|step| matches!(step.work, Work::Either(..)));
            (merged.len(), others.len())
        };
        assert_eq!(count(&compiled(&[inner], &[])), (1, 0));
        assert_eq!(count(&compiled(&[value], &[])), (1, 1));
        // Draws that something else reads, or whose failure must end the run, stay.
        assert_eq!(count(&compiled(&[inner, b], &[])), (0, 2));
        assert_eq!(count(&compiled(&[inner], &[a])), (0, 2));
    }
}
