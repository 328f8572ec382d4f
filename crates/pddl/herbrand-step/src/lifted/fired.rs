//! Recording the effects and changes of a lifted step.

use std::collections::BTreeSet;

use herbrand_ground::{ConditionId, Distribution, LiftedAction, LiftedBlock, LiftedItem, LiftedLeaf};
use herbrand_pddl::{Assignment, AtomRef, ObjectId, SchemaId, VariableId};
use rand::Rng;

use super::atoms::AtomTable;
use super::instance::{Instance, Instantiation};
use super::names::FormulaNames;
use super::numbers::with_objects;
use super::walker::{LiftedWalker, name};
use crate::semantics::chance::Decide;
use crate::semantics::chance::Sampled;
use crate::semantics::error::StepError;
use crate::semantics::fired::{EffectRecord, NumberRecord, StepRecord};
use crate::semantics::tape::Tape;
use crate::semantics::transition::StepResult;

impl LiftedWalker {
    /// Takes an action like [`apply`](Self::apply), with the same draws, and also returns a record of the step, like
    /// [`Walker::apply_explained`](crate::Walker::apply_explained). Conditional effects that did not happen are left out,
    /// because they are never instantiated. It takes additional time linear in the number of derived atoms.
    ///
    /// # Errors
    /// The same as for [`apply`](Self::apply).
    pub fn apply_explained(
        &mut self,
        schema: SchemaId,
        arguments: &[ObjectId],
        rng: &mut (impl Rng + ?Sized),
    ) -> Result<(StepResult, StepRecord), StepError> {
        if !self.valid().contains(schema, arguments) {
            return Err(self.refuse(schema, arguments));
        }
        let mut tape = Tape::new(rng);
        let effects = self.tell(schema, arguments, &mut tape)?;
        let before = self.derived.clone();
        let transition = self.apply(schema, arguments, &mut tape.play())?;
        let vocabulary = self.simulator().vocabulary();
        let text = |fact: AtomRef<'_>| {
            let name = &vocabulary.predicate(fact.predicate).signature.name;
            vocabulary.term(name, fact.arguments).to_string()
        };
        let flipped = |sign: bool| {
            let facts = self.changes().filter(move |(_, holds)| *holds == sign);
            facts.map(|(fact, _)| text(fact)).collect()
        };
        let newly = |now: &AtomTable, before: &AtomTable, holds: bool| {
            let atoms = now.iter().map(|atom| now.name(atom));
            let new = atoms.filter(|fact| !before.contains(fact.predicate, fact.arguments));
            new.map(|fact| (text(fact), holds)).collect::<Vec<_>>()
        };
        let number = |id| {
            let (function, arguments) = self.numbers.name(id);
            let name = &vocabulary.function(function).name;
            vocabulary.term(name, arguments).to_string()
        };
        let numbers = self.computed.changes.iter().map(|change| NumberRecord {
            number: number(change.id),
            before: change.before,
            after: change.after,
        });
        let deltas = self.computed.deltas.iter();
        let fired = StepRecord {
            action: name(&self.simulator.inner, schema, arguments),
            effects,
            added: flipped(true),
            deleted: flipped(false),
            derived: [
                newly(&self.derived, &before, true),
                newly(&before, &self.derived, false),
            ]
            .concat(),
            numbers: numbers.collect(),
            deltas: deltas.map(|&(id, delta)| (number(id), delta)).collect(),
        };
        Ok((transition, fired.sorted()))
    }

    /// Records the effects of a valid action in the current state. Draws take the same words from `rng` as the step will.
    fn tell(
        &mut self,
        schema: SchemaId,
        arguments: &[ObjectId],
        rng: &mut impl Rng,
    ) -> Result<Vec<EffectRecord>, StepError> {
        let simulator = self.simulator.clone();
        let action = &simulator.task().actions[schema.index()];
        let mut binding = arguments.to_vec();
        binding.resize(action.scope.len(), ObjectId::new(0));
        self.begin("telling its effects");
        let mut explainer = Explainer {
            action,
            making: Instantiation {
                inner: &simulator.inner,
                guards: &simulator.inner.prepared.guards,
                database: self.view.database(),
                atoms: &mut self.atoms,
                numbers: &mut self.numbers,
                instance: &mut Instance::default(),
                binding: &mut binding,
                meter: &mut self.meter,
            },
            bound: (0..action.arity).map(VariableId::new).collect(),
            decide: Sampled {
                holds: |_: ConditionId| true,
                chance: simulator.options().chance,
                rng,
                probability: 1.0,
            },
        };
        let effects = explainer.block(&action.effect);
        self.meter
            .check()
            .map_err(|exhausted| StepError::limit(name(&simulator.inner, schema, arguments), exhausted))?;
        Ok(effects)
    }
}

/// The estimated bytes per recorded effect.
const TOLD: u64 = 512;

/// A draw still to be made: the probabilities and the effects of its alternatives.
type PendingDraw<'l> = (&'l Distribution, &'l [LiftedBlock]);

/// Visits effects in the order in which a step decides them: conditional effects first, then draws.
struct Explainer<'a, D> {
    action: &'a LiftedAction,
    making: Instantiation<'a>,
    /// The variables that are currently bound.
    bound: Vec<VariableId>,
    decide: D,
}

impl<D: Decide> Explainer<'_, D> {
    fn block(&mut self, block: &LiftedBlock) -> Vec<EffectRecord> {
        let (mut effects, mut guarded, mut draws) = (Vec::new(), Vec::new(), Vec::new());
        for item in block {
            match &item.guards {
                None => self.leaves(&item.leaves, &mut effects, &mut draws),
                Some(guards) => {
                    for objects in self.making.happening(item, guards) {
                        if !self.making.meter.charge(TOLD * item.leaves.len() as u64) {
                            break;
                        }
                        self.happens(item, &objects, &mut guarded);
                    }
                }
            }
        }
        effects.append(&mut guarded);
        self.draws(&draws, &mut effects);
        effects
    }

    /// Records the effects of an item for one binding of its variables.
    fn happens(&mut self, item: &LiftedItem, objects: &[ObjectId], into: &mut Vec<EffectRecord>) {
        for (variable, object) in item.variables.iter().zip(objects) {
            self.making.binding[variable.index()] = *object;
        }
        self.bound.extend(&item.variables);
        let condition = self.condition(item);
        let (mut effects, mut draws) = (Vec::new(), Vec::new());
        self.leaves(&item.leaves, &mut effects, &mut draws);
        self.draws(&draws, &mut effects);
        self.bound.truncate(self.bound.len() - item.variables.len());
        match condition.as_str() {
            "(and)" => into.append(&mut effects),
            _ => into.push(EffectRecord::When {
                condition,
                held: true,
                effects,
            }),
        }
    }

    /// Records the deterministic effects, and collects the draws for later.
    fn leaves<'l>(
        &mut self,
        leaves: &'l [LiftedLeaf],
        effects: &mut Vec<EffectRecord>,
        draws: &mut Vec<PendingDraw<'l>>,
    ) {
        let (mut adds, mut deletes, mut assignments) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        for leaf in leaves {
            match leaf {
                LiftedLeaf::Add(atom) => adds.extend([self.words(|words| words.literal(atom, false))]),
                LiftedLeaf::Delete(atom) => deletes.extend([self.words(|words| words.literal(atom, false))]),
                LiftedLeaf::Assign(assignment) => assignments.push(self.assignment(assignment)),
                LiftedLeaf::Draw {
                    distribution,
                    alternatives,
                } => draws.push((distribution, alternatives)),
            }
        }
        effects.extend(EffectRecord::certain(adds, deletes));
        effects.append(&mut assignments);
    }

    fn draws(&mut self, draws: &[PendingDraw<'_>], into: &mut Vec<EffectRecord>) {
        for (distribution, alternatives) in draws {
            let drawn = self.decide.draw(distribution);
            into.push(EffectRecord::draw(distribution, drawn, |one| {
                self.block(&alternatives[one])
            }));
        }
    }

    fn assignment(&self, assignment: &Assignment) -> EffectRecord {
        let making = &self.making;
        let scene = making.inner.scene(making.numbers, making.binding);
        let target = &assignment.target;
        let vocabulary = &making.inner.task.vocabulary;
        with_objects(&target.arguments, making.binding, |arguments| {
            let name = vocabulary.term(&vocabulary.function(target.function).name, arguments);
            EffectRecord::assign(assignment.operator, &name, scene.value(&assignment.value))
        })
    }

    fn condition(&self, item: &LiftedItem) -> String {
        self.words(|words| words.condition(&item.condition))
    }

    fn words(&self, say: impl FnOnce(&FormulaNames<'_>) -> String) -> String {
        let mut binding = vec![None; self.making.binding.len()];
        for variable in &self.bound {
            binding[variable.index()] = Some(self.making.binding[variable.index()]);
        }
        say(&FormulaNames {
            vocabulary: &self.making.inner.task.vocabulary,
            variables: &self.action.scope,
            binding: &binding,
        })
    }
}
