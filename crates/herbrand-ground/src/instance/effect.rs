//! Ground effects.

use std::sync::Arc;

use herbrand_pddl::Variable;

use super::binding::Binding;
use super::condition::{self, GroundConjunction, Grounded, Value};
use super::expression::Expressions;
use crate::normal::{NormalBlock, NormalItem, NormalLeaf};
use crate::{AtomId, BlockId, BlockParts, ChanceId, Conditions, Distribution, Effects, GroundAssignment};

/// Writes ground effects.
pub(super) struct EffectWriter<'a, 'w> {
    pub(super) grounded: &'a Grounded<'a>,
    pub(super) scope: &'a [Variable],
    pub(super) expressions: &'w mut Expressions,
    pub(super) conditions: &'w mut Conditions,
    pub(super) effects: &'w mut Effects,
    /// Emptied parts, whose buffers are used again.
    pub(super) spare: Vec<BlockParts>,
}

/// What the firing of an action's rule already tells of its effect, so that it need not be looked up.
#[derive(Clone, Copy, Default)]
pub(super) struct Known<'a> {
    /// The unconditional adds in the order of the leaves, when all are known.
    pub(super) adds: Option<&'a [AtomId]>,
    /// The unconditional deletes in the order of the leaves, where they are known.
    pub(super) deletes: &'a [Option<AtomId>],
}

impl EffectWriter<'_, '_> {
    /// Writes the block that `normal` comes down to.
    pub(super) fn block(&mut self, normal: &NormalBlock, binding: &mut Binding, known: Known<'_>) -> BlockId {
        let parts = self.parts(normal, binding, known);
        self.finish(parts)
    }

    fn parts(&mut self, normal: &NormalBlock, binding: &mut Binding, mut known: Known<'_>) -> BlockParts {
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
                        // A list that grows has its old and its new place for a moment.
                        let held = self.effects.bytes() + self.conditions.bytes() + 3 * parts.bytes();
                        grounded.ranges.hold(held);
                    });
            }
        }
        parts
    }

    /// One instance of a conditional item: what of its condition is decided already is left out.
    fn conditional(&mut self, item: &NormalItem, binding: &mut Binding, parts: &mut BlockParts) {
        match self
            .grounded
            .condition(&item.condition, self.scope, binding, self.expressions)
        {
            Value::Never => {}
            // A draw keeps its place behind a condition that always holds, so that the order of draws is that of the text.
            Value::Always if item.draws() => {
                self.inner(item, binding, vec![GroundConjunction::default()], parts);
            }
            Value::Always => self.leaves(item, binding, &mut Known::default(), parts),
            Value::Depends(disjuncts) => self.inner(item, binding, disjuncts, parts),
        }
    }

    /// A block of its own for the leaves of an item, unless they change nothing.
    fn inner(
        &mut self,
        item: &NormalItem,
        binding: &mut Binding,
        disjuncts: Vec<GroundConjunction>,
        parts: &mut BlockParts,
    ) {
        let mut inner = self.spare.pop().unwrap_or_default();
        self.leaves(item, binding, &mut Known::default(), &mut inner);
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
        known: &mut Known<'_>,
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

    /// The distribution. It stays as it is where nothing that it may do matters: what is drawn must not depend on how the
    /// task was grounded.
    fn draw(
        &mut self,
        distribution: &Arc<Distribution>,
        alternatives: &[NormalBlock],
        binding: &mut Binding,
    ) -> ChanceId {
        let blocks = alternatives
            .iter()
            .map(|block| {
                let parts = self.parts(block, binding, Known::default());
                self.finish(parts)
            })
            .collect::<Vec<_>>();
        self.effects.chance(Arc::clone(distribution), blocks)
    }

    /// The atom, unless no reachable state makes it true: then deleting it changes nothing. (What a reachable action
    /// adds is reachable.)
    fn atom(&self, atom: &herbrand_pddl::Atom, binding: &Binding) -> Option<AtomId> {
        match self.grounded.atom(atom, binding) {
            Value::Depends(id) => Some(id),
            Value::Always | Value::Never => None,
        }
    }

    /// Writes a block. A delete of what the block adds has no effect, for the add wins.
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
