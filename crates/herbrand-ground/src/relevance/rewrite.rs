//! The task without what does not matter.

use std::sync::Arc;

use herbrand_pddl::Facts;

use super::Relevance;
use crate::normal::u32_len;
use crate::{
    Actions, AtomId, Block, BlockId, ChanceId, ConditionId, Conditions, ConjunctionId, Draw, Effects,
    GroundAction, GroundAxiom, GroundTask, Literal,
};

/// The task with what matters alone, renumbered in the same order.
pub(super) fn rewrite(task: GroundTask, relevance: &Relevance) -> GroundTask {
    let numbers = renumber(&relevance.atoms);
    let mut atoms = Facts::default();
    for (atom, _) in task
        .atoms
        .iter()
        .zip(&numbers)
        .filter(|(_, number)| number.is_some())
    {
        atoms.push(atom.predicate, atom.arguments);
    }
    let conditions = KeptConditions::of(&task, relevance, &numbers);
    let mut writer = EffectWriter {
        task: &task,
        relevance,
        numbers: &numbers,
        conditions: &conditions,
        effects: Effects::default(),
    };
    let mut actions = Actions::default();
    for id in task.actions.ids() {
        let action = task.actions.get(id);
        actions.push(GroundAction {
            precondition: conditions.id(action.precondition),
            effect: writer.block(action.effect),
            ..action
        });
    }
    let initial_chance = writer.block(task.initial_chance);
    let effects = writer.effects;
    let (axioms, strata) = axioms(&task, &numbers, &conditions);
    let is_kept = |index: &usize| relevance.atoms[*index];
    let fluents = u32_len((0..task.fluent_count()).filter(is_kept).count());
    let initial = task
        .initial
        .iter()
        .filter_map(|atom| numbers[atom.index()])
        .collect();
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

/// The new number of each atom that is kept.
fn renumber(kept: &[bool]) -> Vec<Option<AtomId>> {
    let mut next = 0;
    let number = |&kept: &bool| {
        kept.then(|| {
            next += 1;
            AtomId::from_index(next - 1)
        })
    };
    kept.iter().map(number).collect()
}

/// The axioms of relevant atoms, and where their strata end.
fn axioms(
    task: &GroundTask,
    numbers: &[Option<AtomId>],
    conditions: &KeptConditions,
) -> (Vec<GroundAxiom>, Vec<u32>) {
    let (mut axioms, mut strata) = (Vec::new(), Vec::new());
    for stratum in task.strata() {
        axioms.extend(stratum.iter().filter_map(|axiom| {
            let (head, body) = (
                numbers[axiom.head.index()]?,
                conditions.places[axiom.body.index()]?,
            );
            Some(GroundAxiom { head, body })
        }));
        strata.push(u32_len(axioms.len()));
    }
    strata.dedup();
    strata.retain(|&end| end > 0);
    (axioms, strata)
}

/// The conditions that are read, and the bodies of the axioms of relevant atoms.
struct KeptConditions {
    conditions: Conditions,
    /// The new id of each condition that is read.
    ids: Vec<Option<ConditionId>>,
    /// The new id of each conjunction that is kept.
    places: Vec<Option<ConjunctionId>>,
}

impl KeptConditions {
    fn of(task: &GroundTask, relevance: &Relevance, numbers: &[Option<AtomId>]) -> Self {
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
                // All atoms of what is kept are relevant.
                let literals = conjunction.literals.iter().filter_map(|literal| {
                    let positive = Literal::positive(numbers[literal.atom().index()]?);
                    Some(if literal.is_negative() {
                        positive.negated()
                    } else {
                        positive
                    })
                });
                let comparisons = conjunction.comparisons.iter().copied();
                this.places[place.index()] = Some(this.conditions.conjunction(literals, comparisons));
            }
            if read || this.conditions.len() > before {
                this.ids[id.index()] = Some(this.conditions.finish());
            }
        }
        this
    }

    /// The new id of a condition that is read.
    fn id(&self, old: ConditionId) -> ConditionId {
        self.ids[old.index()].expect("what is read is kept")
    }
}

/// Writes the effects that matter.
struct EffectWriter<'a> {
    task: &'a GroundTask,
    relevance: &'a Relevance,
    numbers: &'a [Option<AtomId>],
    conditions: &'a KeptConditions,
    effects: Effects,
}

impl EffectWriter<'_> {
    /// Writes what matters of a block.
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
        let renumbered = |atoms: &[AtomId]| -> Vec<AtomId> {
            atoms
                .iter()
                .filter_map(|atom| self.numbers[atom.index()])
                .collect()
        };
        let (adds, deletes) = (renumbered(block.adds), renumbered(block.deletes));
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
        let Draw { distribution, blocks } = self.task.effects.draw(id);
        let written: Vec<_> = blocks.iter().map(|&inner| self.block(inner)).collect();
        self.effects.chance(Arc::clone(distribution), written)
    }
}
