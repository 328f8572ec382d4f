//! Which effects of an action happen in a state.

use herbrand_ground::{AtomId, BlockId, ChanceId, ConditionId, Effects, GroundAssignment};

use crate::alternatives::most_likely;

/// The effects of one action that happen: conditions decided, draws made. Atoms may be named several times.
#[derive(Clone, Default, Debug)]
pub(crate) struct Firing {
    pub(crate) adds: Vec<AtomId>,
    pub(crate) deletes: Vec<AtomId>,
    /// In the order of the text, depth first.
    pub(crate) assignments: Vec<GroundAssignment>,
}

/// What decides which blocks happen: the old state and chance.
pub(crate) trait Decide {
    /// Whether a condition holds before the action.
    fn holds(&self, condition: ConditionId) -> bool;

    /// The block that a draw brings about, if any.
    fn draw(&mut self, alternatives: &[(f64, BlockId)]) -> Option<BlockId>;
}

impl Firing {
    pub(crate) fn clear(&mut self) {
        self.adds.clear();
        self.deletes.clear();
        self.assignments.clear();
    }

    /// Appends the literals that hold afterwards whatever held before, each once: what is added stays.
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

    /// Adds the effects of `block` itself, without the blocks inside it.
    pub(crate) fn add(&mut self, effects: &Effects, block: BlockId) {
        let block = effects.get(block);
        self.adds.extend_from_slice(block.adds);
        self.deletes.extend_from_slice(block.deletes);
        self.assignments.extend_from_slice(block.assignments);
    }

    /// Adds the effects of `block` and of all blocks inside it that happen. Blocks are as deep as the input nests
    /// them, which the parser bounds.
    pub(crate) fn collect(&mut self, effects: &Effects, block: BlockId, decide: &mut impl Decide) {
        self.add(effects, block);
        for &(condition, inner) in effects.get(block).whens {
            if decide.holds(condition) {
                self.collect(effects, inner, decide);
            }
        }
        for &draw in effects.get(block).draws {
            if let Some(inner) = decide.draw(effects.alternatives(draw)) {
                self.collect(effects, inner, decide);
            }
        }
    }
}

/// What the probabilities of `draw` leave to no change. Less than a billionth is rounding.
pub(crate) fn remainder(alternatives: &[(f64, BlockId)]) -> f64 {
    let rest = 1.0
        - alternatives
            .iter()
            .map(|&(probability, _)| probability)
            .sum::<f64>();
    if rest < 1e-9 { 0.0 } else { rest }
}

/// All combinations of chance of an action, as lists of the blocks that happen, with their probabilities.
pub(crate) type Combinations = Vec<(f64, Vec<BlockId>)>;

/// The combinations that `block` can bring about when `holds` decides its conditions, in the order of the text;
/// `None` when there are more than `limit`.
pub(crate) fn combinations(
    effects: &Effects,
    block: BlockId,
    holds: &impl Fn(ConditionId) -> bool,
    limit: usize,
) -> Option<Combinations> {
    let mut all = vec![(1.0, vec![block])];
    for &(condition, inner) in effects.get(block).whens {
        if holds(condition) {
            all = product(all, combinations(effects, inner, holds, limit)?, limit)?;
        }
    }
    for &draw in effects.get(block).draws {
        all = product(all, alternatives(effects, draw, holds, limit)?, limit)?;
    }
    Some(all)
}

/// The blocks that happen when `holds` decides the conditions of `block` and every draw falls out in its most likely
/// way.
pub(crate) fn likeliest(
    effects: &Effects,
    block: BlockId,
    holds: &impl Fn(ConditionId) -> bool,
) -> Vec<BlockId> {
    let mut blocks = vec![block];
    for &(_, inner) in effects
        .get(block)
        .whens
        .iter()
        .filter(|(condition, _)| holds(*condition))
    {
        blocks.extend(likeliest(effects, inner, holds));
    }
    for &draw in effects.get(block).draws {
        if let Some(inner) = most_likely(effects.alternatives(draw)) {
            blocks.extend(likeliest(effects, inner, holds));
        }
    }
    blocks
}

/// The combinations of one draw. All those that change nothing are one.
fn alternatives(
    effects: &Effects,
    draw: ChanceId,
    holds: &impl Fn(ConditionId) -> bool,
    limit: usize,
) -> Option<Combinations> {
    let given = effects.alternatives(draw);
    let mut all = Combinations::new();
    let mut nothing = remainder(given);
    for &(probability, block) in given.iter().filter(|&&(probability, _)| probability > 0.0) {
        for (share, blocks) in combinations(effects, block, holds, limit)? {
            if blocks.iter().all(|&block| is_inert(effects, block)) {
                nothing += probability * share;
            } else {
                all.push((probability * share, blocks));
            }
        }
    }
    if nothing > 0.0 {
        all.push((nothing, Vec::new()));
    }
    (all.len() <= limit).then_some(all)
}

fn is_inert(effects: &Effects, block: BlockId) -> bool {
    let block = effects.get(block);
    block.adds.is_empty() && block.deletes.is_empty() && block.assignments.is_empty()
}

fn product(left: Combinations, right: Combinations, limit: usize) -> Option<Combinations> {
    if left.len().checked_mul(right.len())? > limit {
        return None;
    }
    let pairs = left.iter().flat_map(|(p, first)| {
        right
            .iter()
            .map(move |(q, second)| (p * q, [first.as_slice(), second].concat()))
    });
    Some(pairs.collect())
}
