//! Instructions executed lane by lane.

use herbrand_distributions::Draws;

use super::super::fault::{ValueError, no_int};
use super::super::instruction::{Instruction, Register, scratch_of};
use super::super::math::{int_operation, rounding};
use super::super::matrix::vector;
use super::super::scratch::with_scratch;
use super::{LaneFault, Lanes, Rows, RunContext};

impl Lanes {
    /// Executes an instruction that draws or can fail, in the lanes of the mask.
    pub(super) fn masked(
        &self,
        instruction: &Instruction,
        mask: Option<Register>,
        block: &mut Rows<'_>,
        n: usize,
        around: &impl RunContext,
    ) -> Result<(), LaneFault> {
        for lane in 0..n {
            let needed = mask.is_none_or(|mask| block.bools[mask as usize * self.width + lane]);
            if needed {
                self.one_lane(instruction, block, lane, around)
                    .map_err(|error| (lane, error))?;
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn one_lane(
        &self,
        instruction: &Instruction,
        block: &mut Rows<'_>,
        lane: usize,
        around: &impl RunContext,
    ) -> Result<(), ValueError> {
        use Instruction as I;
        let Rows {
            bools,
            ints,
            reals,
            scratch,
            ..
        } = block;
        let at = |register: Register| register as usize * self.width + lane;
        let draws = around.draws(lane);
        match *instruction {
            I::Fail(why) => return Err(ValueError::Absent(why)),
            I::Rounding(op, to, a) => {
                ints[at(to)] = rounding(op, reals[at(a)]).ok_or(ValueError::NOT_WHOLE)?;
            }
            I::IntOperation(op, to, a, b) => {
                let value = int_operation(op, ints[at(a)], ints[at(b)]);
                ints[at(to)] = value.ok_or(ValueError::NoInt(no_int(op)))?;
            }
            I::Bernoulli(to, p, site) => {
                bools[at(to)] = draws.bernoulli(around.site(site, lane), reals[at(p)])?;
            }
            I::DrawReal(family, to, a, b, site) => {
                reals[at(to)] = draws.draw(around.site(site, lane), family, reals[at(a)], reals[at(b)])?;
            }
            I::DrawInt(family, to, a, b, site) => {
                let count = draws.draw(around.site(site, lane), family, reals[at(a)], reals[at(b)])?;
                ints[at(to)] = count as i64;
            }
            I::Choose(choice, to, list, site) => {
                let registers = self.list(list);
                let place = with_scratch(scratch, scratch_of(instruction), |weights| {
                    for (weight, &register) in weights.iter_mut().zip(registers) {
                        *weight = reals[at(register)];
                    }
                    draws.choose(around.site(site, lane), choice, weights)
                })?;
                ints[at(to)] = place as i64;
            }
            I::Vector(op, n, to, list, site) => {
                let (registers, n) = (self.list(list), n as usize);
                with_scratch(scratch, scratch_of(instruction), |scratch| {
                    for (given, &register) in scratch.iter_mut().zip(registers) {
                        *given = reals[at(register)];
                    }
                    let (given, rest) = scratch.split_at_mut(registers.len());
                    let (outputs, rest) = rest.split_at_mut(op.outputs(n));
                    vector(op, n, given, rest, outputs, draws, around.site(site, lane))?;
                    for (place, &output) in (0..).zip(&*outputs) {
                        reals[at(to + place)] = output;
                    }
                    Ok::<_, ValueError>(())
                })?;
            }
            _ => {}
        }
        Ok(())
    }
}
