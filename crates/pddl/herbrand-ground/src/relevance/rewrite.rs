//! The removal of irrelevant atoms, conditions and effects from a task.

use std::sync::Arc;

use super::Relevance;
use crate::task::renumber::Renumbering;
use crate::task::{
    Block, BlockDraw, BlockId, ChanceId, ConditionId, Conditions, ConjunctionId, Effects, GroundAction,
    GroundActions, GroundTask,
};

/// Returns the task with the relevant parts only, renumbered in the same order.
pub(super) fn rewrite(task: GroundTask, relevance: &Relevance) -> GroundTask {
    let numbers = Renumbering::new(0, &relevance.atoms);
    let (atoms, fluents) = numbers.atoms(&task);
    let conditions = KeptConditions::of(&task, relevance, &numbers);
    let mut writer = EffectWriter {
        task: &task,
        relevance,
        numbers: &numbers,
        conditions: &conditions,
        effects: Effects::default(),
    };
    let mut actions = GroundActions::default();
    for (_, action) in task.actions.iter() {
        actions.push(GroundAction {
            precondition: conditions.id(action.precondition),
            effect: writer.block(action.effect),
            ..action
        });
    }
    let initial_chance = writer.block(task.initial_chance);
    let effects = writer.effects;
    let (axioms, strata) = numbers.axioms(&task, &conditions.places);
    let initial = numbers.all(&task.initial);
    let goal = conditions.id(task.goal);
    GroundTask {
        atoms,
        fluents,
        conditions: conditions.conditions,
        effects,
        actions,
        axioms,
        strata,
        initial,
        initial_chance,
        goal,
        ..task
    }
}

/// The conditions of relevant parts, and the bodies of the axioms of relevant atoms.
struct KeptConditions {
    conditions: Conditions,
    /// The new id of each condition that is kept.
    ids: Vec<Option<ConditionId>>,
    /// The new id of each conjunction that is kept.
    places: Vec<Option<ConjunctionId>>,
}

impl KeptConditions {
    fn of(task: &GroundTask, relevance: &Relevance, numbers: &Renumbering) -> Self {
        let mut is_body = vec![false; task.conditions.len()];
        for axiom in task
            .axioms
            .iter()
            .filter(|axiom| relevance.atoms[axiom.head.index()])
        {
            is_body[axiom.body.index()] = true;
        }
        let mut this = Self {
            conditions: Conditions::default(),
            ids: vec![None; task.conditions.ids().len()],
            places: vec![None; task.conditions.len()],
        };
        for id in task.conditions.ids() {
            let read = relevance.conditions[id.index()];
            let before = this.conditions.len();
            for place in task
                .conditions
                .conjunctions(id)
                .filter(|place| read || is_body[place.index()])
            {
                let conjunction = task.conditions.get(place);
                // All atoms of a kept conjunction are relevant.
                let literals = conjunction
                    .literals
                    .iter()
                    .filter_map(|&literal| numbers.literal(literal));
                let comparisons = conjunction.comparisons.iter().copied();
                this.places[place.index()] = Some(this.conditions.conjunction(literals, comparisons));
            }
            if read || this.conditions.len() > before {
                this.ids[id.index()] = Some(this.conditions.finish());
            }
        }
        this
    }

    /// Returns the new id of a condition that is kept.
    fn id(&self, old: ConditionId) -> ConditionId {
        self.ids[old.index()].expect("what is read is kept")
    }
}

/// Writes the relevant effects.
struct EffectWriter<'a> {
    task: &'a GroundTask,
    relevance: &'a Relevance,
    numbers: &'a Renumbering,
    conditions: &'a KeptConditions,
    effects: Effects,
}

impl EffectWriter<'_> {
    /// Writes the relevant part of a block.
    fn block(&mut self, id: BlockId) -> BlockId {
        let block = self.task.effects.get(id);
        let relevance = self.relevance;
        let kept = block
            .whens
            .iter()
            .filter(|(_, inner)| relevance.blocks[inner.index()]);
        let whens: Vec<_> = kept
            .map(|&(condition, inner)| (self.conditions.id(condition), self.block(inner)))
            .collect();
        let draws: Vec<_> = block.draws.iter().map(|&draw| self.chance(draw)).collect();
        let (adds, deletes) = (self.numbers.all(block.adds), self.numbers.all(block.deletes));
        self.effects.block(Block {
            adds: &adds,
            deletes: &deletes,
            assignments: block.assignments,
            whens: &whens,
            draws: &draws,
        })
    }

    /// Writes a draw with all its alternatives.
    fn chance(&mut self, id: ChanceId) -> ChanceId {
        let BlockDraw { distribution, blocks } = self.task.effects.draw(id);
        let written: Vec<_> = blocks.iter().map(|&inner| self.block(inner)).collect();
        self.effects.chance(Arc::clone(distribution), written)
    }
}
