//! Blocks and draws.

use super::{InvalidTask, ensure, ensure_below, is_ascending};
use crate::{Block, BlockId, ChanceId, GroundTask};

/// How deep blocks may be nested: everything that recurses over an effect relies on it. Text nests less deep.
const DEEPEST: usize = 500;

/// What the sum of probabilities may be above 1 by rounding.
const SLACK: f64 = 1e-8;

pub(super) fn check(task: &GroundTask) -> Result<(), InvalidTask> {
    ensure_below("block", task.initial_chance.index(), task.effects.len())?;
    let mut tree = Tree {
        task,
        depths: vec![0; task.effects.len()],
        placed: vec![false; task.effects.len()],
        drawn: vec![false; task.effects.chances()],
    };
    for id in (0..task.effects.chances()).map(ChanceId::from_index) {
        distribution(task, id)?;
    }
    (0..task.effects.len()).try_for_each(|index| tree.block(BlockId::from_index(index)))
}

fn distribution(task: &GroundTask, id: ChanceId) -> Result<(), InvalidTask> {
    let probabilities = || {
        task.effects
            .alternatives(id)
            .iter()
            .map(|&(probability, _)| probability)
    };
    let sum: f64 = probabilities().sum();
    ensure(probabilities().all(|p| p >= 0.0) && sum <= 1.0 + SLACK, || {
        format!("draw {} has probabilities of sum {sum}", id.number())
    })
}

/// Blocks as nodes of trees.
struct Tree<'a> {
    task: &'a GroundTask,
    /// By block: how deep the blocks inside it are nested.
    depths: Vec<usize>,
    /// By block: whether it stands in another one.
    placed: Vec<bool>,
    /// By draw: whether it stands in a block.
    drawn: Vec<bool>,
}

impl Tree<'_> {
    fn block(&mut self, id: BlockId) -> Result<(), InvalidTask> {
        let task = self.task;
        let Block {
            adds,
            deletes,
            whens,
            draws,
            ..
        } = task.effects.get(id);
        for atoms in [adds, deletes] {
            for atom in atoms {
                ensure_below("fluent", atom.index(), task.fluent_count())?;
            }
            let ordered = is_ascending(atoms);
            ensure(ordered, || {
                format!("block {} sets atoms out of order", id.number())
            })?;
        }
        for &(condition, inner) in whens {
            ensure_below("condition", condition.index(), task.conditions.ids().len())?;
            self.place(inner, id)?;
        }
        for &draw in draws {
            ensure_below("draw", draw.index(), self.drawn.len())?;
            let twice = std::mem::replace(&mut self.drawn[draw.index()], true);
            ensure(!twice, || {
                format!("draw {} stands in several blocks", draw.number())
            })?;
            for &(_, inner) in task.effects.alternatives(draw) {
                self.place(inner, id)?;
            }
        }
        Ok(())
    }

    /// Notes that one block stands in another.
    fn place(&mut self, inner: BlockId, outer: BlockId) -> Result<(), InvalidTask> {
        let early = inner < outer;
        ensure(early, || {
            format!(
                "block {} stands in the earlier block {}",
                inner.number(),
                outer.number()
            )
        })?;
        let twice = std::mem::replace(&mut self.placed[inner.index()], true);
        ensure(!twice, || {
            format!("block {} stands in several others", inner.number())
        })?;
        let depth = self.depths[inner.index()] + 1;
        ensure(depth <= DEEPEST, || {
            format!("blocks nested more than {DEEPEST} deep")
        })?;
        let outer = &mut self.depths[outer.index()];
        *outer = depth.max(*outer);
        Ok(())
    }
}
