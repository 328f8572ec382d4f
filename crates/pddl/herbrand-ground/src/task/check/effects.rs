//! The checks of blocks and draws.

use super::{InvalidTask, ensure, ensure_below, is_ascending};
use crate::task::{Block, BlockId, ChanceId, GroundTask};

/// The greatest nesting depth of blocks. All code that recurses over effects relies on it. The PDDL parser allows less.
const DEEPEST: usize = 500;

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
    let distribution = task.effects.draw(id).distribution;
    ensure(distribution.is_sound(), || {
        format!(
            "draw {} has probabilities of sum {}",
            id.number(),
            distribution.sum()
        )
    })
}

/// The forest of blocks.
struct Tree<'a> {
    task: &'a GroundTask,
    /// For each block, the nesting depth of the blocks inside it.
    depths: Vec<usize>,
    /// For each block, whether it is inside another one.
    placed: Vec<bool>,
    /// For each draw, whether it is in a block.
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
            for &inner in task.effects.draw(draw).blocks {
                self.place(inner, id)?;
            }
        }
        Ok(())
    }

    /// Records that `inner` is inside `outer`.
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
