//! Ground effects: a flat tree of blocks with explicit distributions.

use std::sync::Arc;

use herbrand_pddl::AssignOperator;

use super::{AtomId, BlockId, ChanceId, ConditionId, Distribution, ExpressionId, NumericId, Rows};

/// The ground effects of a task, as a tree of blocks in flat lists. [`GroundTask::effects`](crate::GroundTask::effects)
/// holds them.
///
/// A block is a set of simultaneous effects: added and deleted atoms, numeric effects, conditional blocks, and draws.
/// Conditions and right-hand sides are evaluated in the state before the action. Over the whole action, deletes are applied
/// before adds. All draws are independent of each other.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Effects {
    adds: Rows<AtomId>,
    deletes: Rows<AtomId>,
    assignments: Rows<GroundAssignment>,
    whens: Rows<(ConditionId, BlockId)>,
    draws: Rows<ChanceId>,
    /// For each draw, the blocks of its alternatives.
    alternatives: Rows<BlockId>,
    /// For each draw, its distribution. Draws from the same place in the text share one.
    distributions: Vec<Arc<Distribution>>,
}

/// A draw of at most one of several blocks; only the drawn block happens. [`Effects::draw`] returns it.
#[derive(Clone, Copy, Debug)]
pub struct BlockDraw<'a> {
    /// The probabilities of the blocks.
    pub distribution: &'a Arc<Distribution>,
    /// The blocks, one per alternative of the distribution.
    pub blocks: &'a [BlockId],
}

/// A block of effects that happen together ([`Effects::get`]).
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Block<'a> {
    /// The atoms that become true, ascending and without repetition.
    pub adds: &'a [AtomId],
    /// The atoms that become false unless the same action adds them, ascending and without repetition.
    pub deletes: &'a [AtomId],
    /// The numeric effects, in the order of the text.
    pub assignments: &'a [GroundAssignment],
    /// Blocks that happen if their condition held in the state before the action.
    pub whens: &'a [(ConditionId, BlockId)],
    /// The draws, each made independently.
    pub draws: &'a [ChanceId],
}

/// A [`Block`] under construction, whose memory can be reused for the next block. Pass its [`block`](Self::block) to
/// [`Effects::block`], then [`clear`](Self::clear) it.
#[derive(Clone, Debug, Default)]
pub struct BlockParts {
    /// See [`Block::adds`].
    pub adds: Vec<AtomId>,
    /// See [`Block::deletes`].
    pub deletes: Vec<AtomId>,
    /// See [`Block::assignments`].
    pub assignments: Vec<GroundAssignment>,
    /// See [`Block::whens`].
    pub whens: Vec<(ConditionId, BlockId)>,
    /// See [`Block::draws`].
    pub draws: Vec<ChanceId>,
}

impl BlockParts {
    /// Returns the effects collected so far as a block.
    #[must_use]
    pub fn block(&self) -> Block<'_> {
        Block {
            adds: &self.adds,
            deletes: &self.deletes,
            assignments: &self.assignments,
            whens: &self.whens,
            draws: &self.draws,
        }
    }

    /// Removes all effects and keeps the memory.
    pub fn clear(&mut self) {
        self.adds.clear();
        self.deletes.clear();
        self.assignments.clear();
        self.whens.clear();
        self.draws.clear();
    }

    /// Returns the memory of the lists in bytes, including unused capacity.
    #[must_use]
    pub fn bytes(&self) -> usize {
        (self.adds.capacity() + self.deletes.capacity()) * size_of::<AtomId>()
            + self.assignments.capacity() * size_of::<GroundAssignment>()
            + self.whens.capacity() * size_of::<(ConditionId, BlockId)>()
            + self.draws.capacity() * size_of::<ChanceId>()
    }

    /// Returns whether no effects have been collected.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.adds.is_empty()
            && self.deletes.is_empty()
            && self.assignments.is_empty()
            && self.whens.is_empty()
            && self.draws.is_empty()
    }
}

/// A ground numeric effect: a numeric fluent gets a new value, computed in the state before the action.
/// [`Block::assignments`] lists them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GroundAssignment {
    /// The assignment operator.
    pub operator: AssignOperator,
    /// The numeric fluent that changes.
    pub target: NumericId,
    /// The right-hand side.
    pub value: ExpressionId,
}

impl Effects {
    /// Removes all blocks and draws and keeps the memory. Their ids are given to later blocks and draws.
    pub fn clear(&mut self) {
        self.adds.clear();
        self.deletes.clear();
        self.assignments.clear();
        self.whens.clear();
        self.draws.clear();
        self.alternatives.clear();
        self.distributions.clear();
    }

    /// Appends a block and returns its id. Inner blocks and draws must be appended before; nothing is checked here
    /// ([`GroundTask::check`](crate::GroundTask::check) does).
    pub fn block(&mut self, block: Block<'_>) -> BlockId {
        self.deletes.push(block.deletes.iter().copied());
        self.assignments.push(block.assignments.iter().copied());
        self.whens.push(block.whens.iter().copied());
        self.draws.push(block.draws.iter().copied());
        BlockId::from_index(self.adds.push(block.adds.iter().copied()))
    }

    /// Appends a draw, given by its distribution and one block per alternative, and returns its id, for
    /// [`Block::draws`]. The number of blocks is checked in debug builds only.
    pub fn chance(
        &mut self,
        distribution: Arc<Distribution>,
        blocks: impl IntoIterator<Item = BlockId>,
    ) -> ChanceId {
        let id = ChanceId::from_index(self.alternatives.push(blocks));
        debug_assert_eq!(self.alternatives.row(id.index()).len(), distribution.len());
        self.distributions.push(distribution);
        id
    }

    /// Returns the block with this id.
    ///
    /// # Panics
    /// If there is no such block.
    #[must_use]
    #[inline]
    pub fn get(&self, id: BlockId) -> Block<'_> {
        let index = id.index();
        Block {
            adds: self.adds.row(index),
            deletes: self.deletes.row(index),
            assignments: self.assignments.row(index),
            whens: self.whens.row(index),
            draws: self.draws.row(index),
        }
    }

    /// Returns the draw with this id.
    ///
    /// # Panics
    /// If there is no such draw.
    #[must_use]
    pub fn draw(&self, id: ChanceId) -> BlockDraw<'_> {
        BlockDraw {
            distribution: &self.distributions[id.index()],
            blocks: self.alternatives.row(id.index()),
        }
    }

    /// Returns the number of draws of the task.
    #[must_use]
    pub fn chances(&self) -> usize {
        self.alternatives.len()
    }

    /// Calls `change` with every numeric effect.
    pub(crate) fn for_each_assignment_mut(&mut self, change: impl FnMut(&mut GroundAssignment)) {
        self.assignments.items_mut().iter_mut().for_each(change);
    }

    /// Removes the numeric effects for which `keep` returns `false`.
    pub(crate) fn retain_assignments(&mut self, keep: impl Fn(&GroundAssignment) -> bool) {
        let mut kept = Rows::default();
        for block in 0..self.len() {
            let own = self.assignments.row(block).iter().copied();
            kept.push(own.filter(|assignment| keep(assignment)));
        }
        self.assignments = kept;
    }

    /// Returns the total number of adds, deletes, numeric effects, conditional blocks and alternatives of draws in all
    /// blocks.
    #[must_use]
    pub fn size(&self) -> usize {
        self.adds.items().len()
            + self.deletes.items().len()
            + self.assignments.items().len()
            + self.whens.items().len()
            + self.alternatives.items().len()
    }

    /// Returns the number of blocks of the task.
    #[must_use]
    pub fn len(&self) -> usize {
        self.adds.len()
    }

    /// Returns whether there is no block.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.adds.is_empty()
    }

    /// Returns the size of the effects in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.adds.bytes()
            + self.deletes.bytes()
            + self.assignments.bytes()
            + self.whens.bytes()
            + self.draws.bytes()
            + self.alternatives.bytes()
            + self.distributions.capacity() * size_of::<Arc<Distribution>>()
    }
}
