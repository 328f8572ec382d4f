//! Enumeration of the combinations of draws of one action.

use herbrand_ground::{BlockId, ChanceId, ConditionId, Effects};

/// All combinations of draws of an action: the probability of each and the effect blocks that happen.
pub(crate) type Combinations = Vec<(f64, Vec<BlockId>)>;

/// Enumerates the combinations of draws of `block`, with its conditions decided by `holds`, in the order of the text. `None`
/// if there are more than `limit`.
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

/// The blocks that happen if `holds` decides the conditions of `block` and every draw takes its most likely alternative.
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
        let draw = effects.draw(draw);
        if let Some(likely) = draw.distribution.most_likely() {
            blocks.extend(likeliest(effects, draw.blocks[likely], holds));
        }
    }
    blocks
}

/// The combinations of one draw. All combinations without effects are merged into one.
fn alternatives(
    effects: &Effects,
    draw: ChanceId,
    holds: &impl Fn(ConditionId) -> bool,
    limit: usize,
) -> Option<Combinations> {
    let draw = effects.draw(draw);
    let mut all = Combinations::new();
    let mut nothing = draw.distribution.rest();
    for (alternative, &block) in draw.blocks.iter().enumerate() {
        let probability = draw.distribution.share(alternative);
        if probability == 0.0 {
            continue;
        }
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
