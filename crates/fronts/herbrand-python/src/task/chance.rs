//! Detection of probabilistic actions.

use herbrand_ground::{BlockId, Effects, GroundTask};

/// Returns for each action whether its effect makes random draws.
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
