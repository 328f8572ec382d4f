//! Which actions have chance in them.

use herbrand_ground::{BlockId, Effects, GroundTask};

/// By action: whether its effect makes draws.
pub fn chancy_actions(task: &GroundTask) -> Vec<bool> {
    let effect = |id| task.actions.get(id).effect;
    task.actions
        .ids()
        .map(|id| draws(&task.effects, effect(id)))
        .collect()
}

fn draws(effects: &Effects, block: BlockId) -> bool {
    let block = effects.get(block);
    !block.draws.is_empty() || block.whens.iter().any(|&(_, inner)| draws(effects, inner))
}
