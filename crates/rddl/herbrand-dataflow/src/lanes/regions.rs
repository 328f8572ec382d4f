//! The regions of a program: nested ranges of steps that are jumped over together.

use super::super::instruction::{Instruction, Register};
use super::{Step, Work};

/// The region of each step: the whole program, or the innermost range of steps that a jump skips.
///
/// ```text
///   0  b1 = …                  region 0
///   1  jump unless b1, to 5    region 0
///   2    r2 = …                region 1
///   3    jump unless b3, to 5  region 1
///   4      r4 = …              region 2, within 1
///   5  r6 = …                  region 0
/// ```
pub(super) struct Regions {
    /// By region: its parent.
    around: Vec<u32>,
    /// By region: the mask of its lanes.
    masks: Vec<Option<Register>>,
    /// By step: its region.
    of: Vec<u32>,
}

impl Regions {
    pub(super) fn new(steps: &[Step]) -> Self {
        let (mut around, mut masks, mut of) = (vec![0], vec![None], Vec::with_capacity(steps.len()));
        // The regions that contain the current step, outermost first, with their ends.
        let mut open = vec![(0, u32::MAX)];
        for (at, step) in (0..).zip(steps) {
            while open.last().is_some_and(|&(_, end)| end <= at) {
                open.pop();
            }
            let (here, _) = open[open.len() - 1];
            of.push(here);
            if let Work::Plain(Instruction::JumpUnless(mask, end)) = step.work {
                open.push((around.len() as u32, end));
                around.push(here);
                masks.push(Some(mask));
            }
        }
        Self { around, masks, of }
    }

    /// Returns the region of a step.
    pub(super) fn of(&self, step: usize) -> u32 {
        self.of[step]
    }

    /// Returns the register in whose lanes the region runs; `None` for all lanes.
    pub(super) fn mask(&self, region: u32) -> Option<Register> {
        self.masks[region as usize]
    }

    /// Returns whether `inner` is `outer` or nested in it. If so, whenever `inner` runs, the earlier steps of `outer` have
    /// run.
    pub(super) fn is_within(&self, mut inner: u32, outer: u32) -> bool {
        // A region has a higher number than its parent.
        while inner > outer {
            inner = self.around[inner as usize];
        }
        inner == outer
    }
}
