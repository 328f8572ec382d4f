//! Random draws in all lanes at once.

use herbrand_distributions::{Family, normal_centre, normal_flank, normal_quantile};

use super::super::instruction::{Instruction, Register};
use super::super::operation::ValueType;
use super::functions::log;
use super::run::apart;
use super::{Lanes, Rows, RunContext};

impl Lanes {
    /// Draws in all lanes, masked or not, if there is a vectorised loop for this draw and the parameters of every lane are
    /// in range. Returns `false` otherwise. A draw depends only on its lane and its site, so superfluous draws change
    /// nothing.
    #[inline(always)]
    pub(super) fn drawn(
        &self,
        instruction: &Instruction,
        block: &mut Rows<'_>,
        n: usize,
        around: &impl RunContext,
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
        block: &mut Rows<'_>,
        [to, p]: [Register; 2],
        site: u32,
        n: usize,
        around: &impl RunContext,
    ) -> bool {
        let p = self.row(block.reals, p, n);
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
        block: &mut Rows<'_>,
        [to, low, high]: [Register; 3],
        site: u32,
        n: usize,
        around: &impl RunContext,
    ) -> bool {
        let (out, others) = apart(block.reals, to, self.width, n);
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

    #[inline(always)]
    fn normal(
        &self,
        block: &mut Rows<'_>,
        [to, mean, variance]: [Register; 3],
        site: u32,
        n: usize,
        around: &impl RunContext,
    ) -> bool {
        let (out, others) = apart(block.reals, to, self.width, n);
        let is_constant = self.is_constant(ValueType::Real, variance);
        let (mean, variance) = (others.row(mean), others.row(variance));
        if !variance.iter().fold(true, |all, one| all & (*one >= 0.0)) {
            return false;
        }
        let uniforms = &mut block.uniforms[..n];
        around.uniforms(site, uniforms);
        standard_normals(uniforms, out, block.beyond, block.flanks);
        match variance.first() {
            // A square root takes as long as several multiplications.
            Some(variance) if is_constant => {
                let deviation = variance.sqrt();
                for (out, mean) in out.iter_mut().zip(mean) {
                    *out = mean + deviation * *out;
                }
            }
            _ => {
                for (out, (mean, variance)) in out.iter_mut().zip(mean.iter().zip(variance)) {
                    *out = mean + variance.sqrt() * *out;
                }
            }
        }
        true
    }
}

/// The number of tail values computed per block.
const FLANKS: usize = 8;

/// Writes the quantiles of the standard normal distribution. The centre is a rational function of the uniform number,
/// computed in all lanes. The tails (|u − ½| > 0.425, 15 % of draws) are rational functions of √(−ln p). They are collected
/// and computed side by side. If a draw lies even further out (1 in 10¹⁰), all tail values are recomputed by the scalar
/// function.
///
/// ```text
///   lane       0    1    2    3    4    5   …
///   uniform   .30  .04  .61  .52  .97  .44  …
///   middle     ×    ×    ×    ×    ×    ×         computed in all lanes
///   beyond     1    4   …                         the lanes in the tails
///   flanks    .04  .03  …                         distance from 0 or 1, then the quantile
/// ```
#[inline(always)]
fn standard_normals(uniforms: &[f64], out: &mut [f64], beyond: &mut [u32], flanks: &mut [f64]) {
    for (out, u) in out.iter_mut().zip(uniforms) {
        *out = normal_centre(u - 0.5);
    }
    let beyond = &mut beyond[..uniforms.len()];
    let mut count = 0;
    for (lane, u) in (0..).zip(uniforms) {
        beyond[count] = lane;
        count += usize::from((u - 0.5).abs() > 0.425);
    }
    let beyond = &beyond[..count];
    let flanks = &mut flanks[..count.next_multiple_of(FLANKS)];
    for (flank, &lane) in flanks.iter_mut().zip(beyond) {
        let u = uniforms[lane as usize];
        *flank = if u - 0.5 < 0.0 { u } else { 1.0 - u };
    }
    // Pad the last block with any tail value.
    flanks[count..].fill(0.05);
    let mut all = true;
    for flank in &mut *flanks {
        let (logarithm, holds) = log(*flank);
        let root = (-logarithm).sqrt();
        all &= holds & (root <= 5.0);
        *flank = normal_flank(root);
    }
    for (&lane, flank) in beyond.iter().zip(flanks) {
        let u = uniforms[lane as usize];
        out[lane as usize] = if all {
            flank.copysign(u - 0.5)
        } else {
            normal_quantile(u)
        };
    }
}
