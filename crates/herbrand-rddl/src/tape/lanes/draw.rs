//! Draws in all lanes at once.

use super::super::instruction::{Instruction, Register};
use super::functions::log;
use super::run::apart;
use super::{Block, Lanes, Surroundings};
use crate::draw::{Family, normal_centre, normal_flank, normal_quantile};

impl Lanes {
    /// Makes a draw in all lanes, needed or not, if that is a vector instruction and no lane's parameters are out of range;
    /// false otherwise. A draw is a function of its lane and its site, so that one too many does no harm.
    #[inline(always)]
    pub(super) fn drawn(
        &self,
        instruction: &Instruction,
        block: &mut Block,
        n: usize,
        around: &impl Surroundings,
    ) -> bool {
        match *instruction {
            Instruction::Bernoulli(to, p, site) => self.bernoulli(block, [to, p], site, n, around),
            Instruction::DrawReal(Family::Uniform, to, a, b, site) => {
                self.uniform(block, [to, a, b], site, n, around)
            }
            Instruction::DrawReal(Family::Normal, to, a, b, site) => {
                self.normal(block, [to, a, b], site, n, around)
            }
            _ => false,
        }
    }

    #[inline(always)]
    fn row<'b>(&self, reals: &'b [f64], register: Register, n: usize) -> &'b [f64] {
        &reals[register as usize * self.width..][..n]
    }

    #[inline(always)]
    fn bernoulli(
        &self,
        block: &mut Block,
        [to, p]: [Register; 2],
        site: u32,
        n: usize,
        around: &impl Surroundings,
    ) -> bool {
        let p = self.row(&block.reals, p, n);
        if !p.iter().fold(true, |all, p| all & ((*p >= 0.0) & (*p <= 1.0))) {
            return false;
        }
        let uniforms = &mut block.uniforms[..n];
        around.uniforms(site, uniforms);
        let out = &mut block.bools[to as usize * self.width..][..n];
        for (out, (u, p)) in out.iter_mut().zip(uniforms.iter().zip(p)) {
            *out = u <= p;
        }
        true
    }

    #[inline(always)]
    fn uniform(
        &self,
        block: &mut Block,
        [to, low, high]: [Register; 3],
        site: u32,
        n: usize,
        around: &impl Surroundings,
    ) -> bool {
        let (out, others) = apart(&mut block.reals, to, self.width, n);
        let (low, high) = (others.row(low), others.row(high));
        let bounds = low.iter().zip(high);
        if !bounds.fold(true, |all, (low, high)| all & (low <= high)) {
            return false;
        }
        let uniforms = &mut block.uniforms[..n];
        around.uniforms(site, uniforms);
        let rows = uniforms.iter().zip(low.iter().zip(high));
        for (out, (u, (low, high))) in out.iter_mut().zip(rows) {
            *out = low + u * (high - low);
        }
        true
    }

    /// The middle of the distribution and its flanks are rational functions; a draw beyond them, one of 10¹⁰, is made by
    /// itself.
    #[inline(always)]
    fn normal(
        &self,
        block: &mut Block,
        [to, mean, variance]: [Register; 3],
        site: u32,
        n: usize,
        around: &impl Surroundings,
    ) -> bool {
        let (out, others) = apart(&mut block.reals, to, self.width, n);
        let (mean, variance) = (others.row(mean), others.row(variance));
        if !variance.iter().fold(true, |all, one| all & (*one >= 0.0)) {
            return false;
        }
        let uniforms = &mut block.uniforms[..n];
        around.uniforms(site, uniforms);
        // Three loops without a choice between long computations, which would become branches.
        for (out, u) in out.iter_mut().zip(&*uniforms) {
            *out = normal_centre(u - 0.5);
        }
        let flanks = &mut block.flanks[..n];
        let mut all = true;
        for (flank, &u) in flanks.iter_mut().zip(&*uniforms) {
            let centred = u - 0.5;
            let tail = if centred < 0.0 { u } else { 1.0 - u };
            let (logarithm, holds) = log(tail);
            let r = (-logarithm).sqrt();
            all &= (centred.abs() <= 0.425) | (holds & (r <= 5.0));
            *flank = normal_flank(r).copysign(centred);
        }
        let rows = uniforms.iter().zip(&*flanks).zip(mean.iter().zip(variance));
        for (out, ((u, &flank), (mean, variance))) in out.iter_mut().zip(rows) {
            let is_centre = (u - 0.5).abs() <= 0.425;
            let value = if is_centre { *out } else { flank };
            *out = mean + variance.sqrt() * value;
        }
        if !all {
            for (lane, out) in out.iter_mut().enumerate() {
                *out = mean[lane] + variance[lane].sqrt() * normal_quantile(uniforms[lane]);
            }
        }
        true
    }
}
