//! Ground effects.

use std::sync::Arc;

use herbrand_pddl::Variable;

use super::binding::Binding;
use super::condition::{self, GroundConjunction, Grounded, Value};
use super::expression::Expressions;
use crate::normal::{NormalBlock, NormalItem, NormalLeaf};
use crate::task::{
    AtomId, BlockId, BlockParts, ChanceId, Conditions, Distribution, Effects, GroundAssignment,
};

/// Writes ground effects.
pub(super) struct EffectWriter<'a, 'w> {
    pub(super) grounded: &'a Grounded<'a>,
    pub(super) scope: &'a [Variable],
    pub(super) expressions: &'w mut Expressions,
    pub(super) conditions: &'w mut Conditions,
    pub(super) effects: &'w mut Effects,
    /// Empty parts whose buffers are reused.
    pub(super) spare: Vec<BlockParts>,
}

/// The part of an effect that the firing of an action's rule already determines, so that no lookup is needed.
#[derive(Clone, Copy, Default)]
pub(super) struct KnownEffects<'a> {
    /// The unconditional adds in the order of the leaves; `None` if they are not known.
    pub(super) adds: Option<&'a [AtomId]>,
    /// The unconditional deletes in the order of the leaves; `None` for each unknown one.
    pub(super) deletes: &'a [Option<AtomId>],
}

impl EffectWriter<'_, '_> {
    /// Grounds the block `normal` and returns its id.
    pub(super) fn block(
        &mut self,
        normal: &NormalBlock,
        binding: &mut Binding,
        known: KnownEffects<'_>,
    ) -> BlockId {
        let parts = self.parts(normal, binding, known);
        self.finish(parts)
    }

    fn parts(
        &mut self,
        normal: &NormalBlock,
        binding: &mut Binding,
        mut known: KnownEffects<'_>,
    ) -> BlockParts {
        let mut parts = self.spare.pop().unwrap_or_default();
        for item in normal {
            if item.is_unconditional() {
                self.leaves(item, binding, &mut known, &mut parts);
            } else {
                let grounded = self.grounded;
                grounded
                    .ranges
                    .for_each(&item.variables, self.scope, binding, &mut |binding| {
                        self.conditional(item, binding, &mut parts);
                        // A growing list exists twice for a moment.
                        let held = self.effects.bytes() + self.conditions.bytes() + 3 * parts.bytes();
                        grounded.ranges.hold(held);
                    });
            }
        }
        parts
    }

    /// Adds one instance of a conditional item. Decided parts of its condition are left out.
    fn conditional(&mut self, item: &NormalItem, binding: &mut Binding, parts: &mut BlockParts) {
        match self
            .grounded
            .condition(&item.condition, self.scope, binding, self.expressions)
        {
            Value::Never => {}
            // A draw stays inside its conditional block even if the condition always holds, so that draws keep the order of
            // the text.
            Value::Always if item.draws() => {
                self.inner(item, binding, vec![GroundConjunction::default()], parts);
            }
            Value::Always => self.leaves(item, binding, &mut KnownEffects::default(), parts),
            Value::Depends(disjuncts) => self.inner(item, binding, disjuncts, parts),
        }
    }

    /// Adds a conditional block for the leaves of an item, unless they change nothing.
    fn inner(
        &mut self,
        item: &NormalItem,
        binding: &mut Binding,
        disjuncts: Vec<GroundConjunction>,
        parts: &mut BlockParts,
    ) {
        let mut inner = self.spare.pop().unwrap_or_default();
        self.leaves(item, binding, &mut KnownEffects::default(), &mut inner);
        if inner.is_empty() {
            return self.spare.push(inner);
        }
        let condition = condition::write(self.conditions, disjuncts);
        let block = self.finish(inner);
        parts.whens.push((condition, block));
    }

    fn leaves(
        &mut self,
        item: &NormalItem,
        binding: &mut Binding,
        known: &mut KnownEffects<'_>,
        parts: &mut BlockParts,
    ) {
        for leaf in &item.leaves {
            match leaf {
                NormalLeaf::Add(atom) => match known.adds.and_then(|adds| adds.split_first()) {
                    Some((&first, rest)) => {
                        known.adds = Some(rest);
                        parts.adds.push(first);
                    }
                    None => parts.adds.extend(self.atom(atom, binding)),
                },
                NormalLeaf::Delete(atom) => {
                    let first = known.deletes.split_first();
                    known.deletes = first.map_or(known.deletes, |(_, rest)| rest);
                    match first {
                        Some((&Some(id), _)) => parts.deletes.push(id),
                        _ => parts.deletes.extend(self.atom(atom, binding)),
                    }
                }
                NormalLeaf::Assign(assignment) => parts.assignments.push(GroundAssignment {
                    operator: assignment.operator,
                    target: self.expressions.fluent(&assignment.target, binding),
                    value: self.expressions.expression(&assignment.value, binding),
                }),
                NormalLeaf::Draw {
                    distribution,
                    alternatives,
                } => parts.draws.push(self.draw(distribution, alternatives, binding)),
            }
        }
    }

    /// Adds a draw. It is never simplified, even if it has no effect: random choices must not depend on grounding.
    fn draw(
        &mut self,
        distribution: &Arc<Distribution>,
        alternatives: &[NormalBlock],
        binding: &mut Binding,
    ) -> ChanceId {
        let blocks = alternatives
            .iter()
            .map(|block| {
                let parts = self.parts(block, binding, KnownEffects::default());
                self.finish(parts)
            })
            .collect::<Vec<_>>();
        self.effects.chance(Arc::clone(distribution), blocks)
    }

    /// Returns the id of an atom; `None` if it never changes. Deleting an unreachable atom has no effect, and every atom
    /// that a reachable action adds is reachable.
    fn atom(&self, atom: &herbrand_pddl::Atom, binding: &Binding) -> Option<AtomId> {
        match self.grounded.atom(atom, binding) {
            Value::Depends(id) => Some(id),
            Value::Always | Value::Never => None,
        }
    }

    /// Writes a block. Deletes of atoms that the block adds are removed, because adds take precedence.
    fn finish(&mut self, mut parts: BlockParts) -> BlockId {
        parts.adds.sort_unstable();
        parts.adds.dedup();
        parts.deletes.sort_unstable();
        parts.deletes.dedup();
        parts
            .deletes
            .retain(|atom| parts.adds.binary_search(atom).is_err());
        let block = self.effects.block(parts.block());
        parts.clear();
        self.spare.push(parts);
        block
    }
}
