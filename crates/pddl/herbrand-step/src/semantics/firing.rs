//! Collecting the effects of an action that happen in a state.

use herbrand_ground::{AtomId, BlockId, Effects, GroundAssignment};

use crate::semantics::chance::Decide;

/// The effects of one action after its conditions and draws are decided. The lists may contain an atom several times.
#[derive(Clone, Default, Debug)]
pub(crate) struct Firing {
    pub(crate) adds: Vec<AtomId>,
    pub(crate) deletes: Vec<AtomId>,
    /// In the order of the text, depth first.
    pub(crate) assignments: Vec<GroundAssignment>,
}

impl Firing {
    pub(crate) fn clear(&mut self) {
        self.adds.clear();
        self.deletes.clear();
        self.assignments.clear();
    }

    /// Appends the literals that hold after the action whatever held before, each once. Adds override deletes.
    pub(crate) fn net(&mut self, literals: &mut Vec<u32>) {
        for atoms in [&mut self.adds, &mut self.deletes] {
            atoms.sort_unstable();
            atoms.dedup();
        }
        literals.extend(self.adds.iter().map(|atom| atom.number() * 2));
        let lost = self
            .deletes
            .iter()
            .filter(|atom| self.adds.binary_search(atom).is_err());
        literals.extend(lost.map(|atom| atom.number() * 2 + 1));
    }

    /// Appends the effects of `block`, without those of nested blocks.
    pub(crate) fn add(&mut self, effects: &Effects, block: BlockId) {
        let block = effects.get(block);
        self.adds.extend_from_slice(block.adds);
        self.deletes.extend_from_slice(block.deletes);
        self.assignments.extend_from_slice(block.assignments);
    }

    /// Appends the effects of `block` and of all nested blocks that happen. The recursion is as deep as the input nests
    /// effects, which the parser limits.
    pub(crate) fn collect(&mut self, effects: &Effects, block: BlockId, decide: &mut impl Decide) {
        self.add(effects, block);
        for &(condition, inner) in effects.get(block).whens {
            if decide.holds(condition) {
                self.collect(effects, inner, decide);
            }
        }
        for &draw in effects.get(block).draws {
            let draw = effects.draw(draw);
            if let Some(drawn) = decide.draw(draw.distribution) {
                self.collect(effects, draw.blocks[drawn], decide);
            }
        }
    }
}
