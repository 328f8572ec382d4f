//! Computes the sine and the cosine of one angle together, because they share most of the work.

use fxhash::FxHashMap;

use super::super::instruction::{Instruction, Register};
use super::super::operation::UnaryOp;
use super::fuse::remove;
use super::regions::Regions;
use super::{Lanes, Rows, Step, Work, functions};

/// Merges the sine and the cosine of the same register in the same region of the program into one step. It replaces the
/// first of the two.
pub(super) fn pair_angles(steps: &mut Vec<Step>) {
    let regions = Regions::new(steps);
    let mut waiting: FxHashMap<(Register, u32), (usize, UnaryOp, Register)> = FxHashMap::default();
    let mut gone = vec![false; steps.len()];
    for at in 0..steps.len() {
        let Work::Plain(Instruction::RealFunction(function @ (UnaryOp::Sin | UnaryOp::Cos), to, of)) =
            steps[at].work
        else {
            continue;
        };
        let place = (of, regions.of(at));
        match waiting.get(&place) {
            Some(&(first, other, with)) if other != function => {
                let (sine, cosine) = if function == UnaryOp::Sin {
                    (to, with)
                } else {
                    (with, to)
                };
                steps[first].work = Work::Angle { sine, cosine, of };
                gone[at] = true;
                waiting.remove(&place);
            }
            _ => {
                waiting.insert(place, (at, function, to));
            }
        }
    }
    remove(steps, &gone);
}

impl Lanes {
    /// Computes the sines and cosines of a row.
    #[inline(always)]
    pub(super) fn angle(&self, [sine, cosine, of]: [Register; 3], block: &mut Rows<'_>, n: usize) {
        let row = |register: Register| register as usize * self.width..register as usize * self.width + n;
        if let Ok([sines, cosines, angles]) = block.reals.get_disjoint_mut([row(sine), row(cosine), row(of)])
        {
            functions::fill_both(angles, sines, cosines);
        }
    }
}
