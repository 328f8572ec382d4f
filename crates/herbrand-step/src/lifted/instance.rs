//! The effects of one action, ground for one state: conditions decided, draws still to be made.

use herbrand_datalog::{Database, Query, Symbol};
use herbrand_ground::{
    AtomId, Block, BlockId, ConditionId, Effects, ExpressionId, GroundAssignment, Guard, LiftedBlock,
    LiftedItem, LiftedLeaf,
};
use herbrand_pddl::{AssignOperator, Atom, FunctionId, InitialChance, InitialOutcome, ObjectId, PredicateId};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::numbers::{NumberTable, Scene, object};
use super::simulator::Inner;
use crate::arithmetic::Fault;

/// Ground effects of one action in one state, with names for their numbers. What was decided to happen stands under
/// conditions that hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Instance {
    pub(super) effects: Effects,
    pub(super) root: Option<BlockId>,
    /// By [`AtomId`].
    pub(super) atoms: Vec<(PredicateId, Vec<ObjectId>)>,
    numbers: BTreeMap<(PredicateId, Vec<ObjectId>), AtomId>,
    /// By [`ExpressionId`]: the right-hand sides, computed.
    pub(super) values: Vec<Result<f64, Fault>>,
}

/// Stands under all blocks of an instance: decided, and true.
const HOLDS: ConditionId = ConditionId::new(0);

/// A block in the making.
#[derive(Default)]
struct Parts {
    adds: Vec<AtomId>,
    deletes: Vec<AtomId>,
    assignments: Vec<GroundAssignment>,
    whens: Vec<(ConditionId, BlockId)>,
    draws: Vec<herbrand_ground::ChanceId>,
}

/// What the instance is made from.
pub(super) struct Instantiation<'a> {
    pub(super) inner: &'a Inner,
    pub(super) database: &'a Database,
    pub(super) numbers: &'a mut NumberTable,
    pub(super) instance: &'a mut Instance,
    /// By variable of the schema.
    pub(super) binding: Vec<ObjectId>,
}

impl Instance {
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    fn atom(&mut self, predicate: PredicateId, arguments: Vec<ObjectId>) -> AtomId {
        let next = AtomId::from_index(self.atoms.len());
        let id = *self.numbers.entry((predicate, arguments.clone())).or_insert(next);
        if id == next {
            self.atoms.push((predicate, arguments));
        }
        id
    }

    fn value(&mut self, value: Result<f64, Fault>) -> ExpressionId {
        self.values.push(value);
        ExpressionId::from_index(self.values.len() - 1)
    }

    fn finish(&mut self, parts: Parts) -> BlockId {
        self.effects.block(Block {
            adds: &parts.adds,
            deletes: &parts.deletes,
            assignments: &parts.assignments,
            whens: &parts.whens,
            draws: &parts.draws,
        })
    }

    /// What chance adds to the initial state.
    pub(super) fn initial(&mut self, chances: &[InitialChance], numbers: &mut NumberTable) {
        self.clear();
        let mut parts = Parts::default();
        self.initial_draws(chances, numbers, &mut parts);
        self.root = Some(self.finish(parts));
    }

    fn initial_draws(&mut self, chances: &[InitialChance], numbers: &mut NumberTable, parts: &mut Parts) {
        for chance in chances {
            let possible = chance
                .alternatives
                .iter()
                .filter(|(probability, _)| probability.value() > 0.0);
            let alternatives: Vec<_> = possible
                .map(|(probability, outcome)| (probability.value(), self.initial_outcome(outcome, numbers)))
                .collect();
            parts.draws.push(self.effects.chance(alternatives));
        }
    }

    fn initial_outcome(&mut self, outcome: &InitialOutcome, numbers: &mut NumberTable) -> BlockId {
        let mut parts = Parts::default();
        for fact in outcome.facts.iter() {
            parts
                .adds
                .push(self.atom(fact.predicate, fact.arguments.to_vec()));
        }
        for value in &outcome.values {
            parts.assignments.push(GroundAssignment {
                operator: AssignOperator::Assign,
                target: numbers.intern(value.function, &value.arguments),
                value: self.value(Ok(value.value.value())),
            });
        }
        self.initial_draws(&outcome.chances, numbers, &mut parts);
        self.finish(parts)
    }
}

impl Instantiation<'_> {
    /// Makes the instance of an effect.
    pub(super) fn run(&mut self, effect: &LiftedBlock) {
        self.instance.clear();
        self.instance.root = Some(self.block(effect));
    }

    /// Items that are decided by the state come first, each in a block of its own: so draws are made in the order in which
    /// a ground task makes them.
    fn block(&mut self, block: &LiftedBlock) -> BlockId {
        let mut parts = Parts::default();
        for item in block {
            match &item.guards {
                None => self.leaves(item, &mut parts),
                Some(guards) => self.guarded(item, guards, &mut parts),
            }
        }
        self.instance.finish(parts)
    }

    fn guarded(&mut self, item: &LiftedItem, guards: &[Guard], parts: &mut Parts) {
        let mut found = Vec::new();
        for guard in guards {
            self.bindings(item, guard, &mut found);
            if item.variables.is_empty() && !found.is_empty() {
                break;
            }
        }
        found.sort_unstable();
        found.dedup();
        for objects in found {
            for (variable, object) in item.variables.iter().zip(objects) {
                self.binding[variable.index()] = object;
            }
            let mut inner = Parts::default();
            self.leaves(item, &mut inner);
            let block = self.instance.finish(inner);
            parts.whens.push((HOLDS, block));
        }
    }

    /// Adds the bindings of the item's variables for which a guard holds.
    fn bindings(&mut self, item: &LiftedItem, guard: &Guard, found: &mut Vec<Vec<ObjectId>>) {
        let Some(&query) = self.inner.guards.get(&guard.rule) else {
            return;
        };
        let query: Query = query;
        let known = &guard.variables[..guard.given];
        let given: Vec<_> = known
            .iter()
            .map(|variable| symbol(self.binding[variable.index()]))
            .collect();
        let Self {
            inner,
            database,
            numbers,
            binding,
            ..
        } = self;
        let _ = query.for_each(database, &given, |symbols| {
            for (variable, symbol) in guard.variables.iter().zip(symbols) {
                binding[variable.index()] = ObjectId::new(symbol.number());
            }
            let scene = inner.scene(numbers, binding);
            if guard.comparisons.iter().all(|comparison| scene.holds(comparison)) {
                found.push(
                    item.variables
                        .iter()
                        .map(|variable| binding[variable.index()])
                        .collect(),
                );
                if item.variables.is_empty() {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
    }

    fn leaves(&mut self, item: &LiftedItem, parts: &mut Parts) {
        for leaf in &item.leaves {
            match leaf {
                LiftedLeaf::Add(atom) => parts.adds.push(self.atom(atom)),
                LiftedLeaf::Delete(atom) => parts.deletes.push(self.atom(atom)),
                LiftedLeaf::Assign(assignment) => {
                    let value = self
                        .inner
                        .scene(self.numbers, &self.binding)
                        .value(&assignment.value);
                    let target = &assignment.target;
                    let arguments = self.objects(&target.arguments);
                    parts.assignments.push(GroundAssignment {
                        operator: assignment.operator,
                        target: self.number(target.function, &arguments),
                        value: self.instance.value(value),
                    });
                }
                LiftedLeaf::Draw(alternatives) => {
                    let alternatives: Vec<_> = alternatives
                        .iter()
                        .map(|(probability, block)| (*probability, self.block(block)))
                        .collect();
                    parts.draws.push(self.instance.effects.chance(alternatives));
                }
            }
        }
    }

    fn number(&mut self, function: FunctionId, arguments: &[ObjectId]) -> herbrand_ground::NumericId {
        self.numbers.intern(function, arguments)
    }

    fn objects(&self, terms: &[herbrand_pddl::Term]) -> Vec<ObjectId> {
        terms.iter().map(|&term| object(term, &self.binding)).collect()
    }

    fn atom(&mut self, atom: &Atom) -> AtomId {
        let arguments = self.objects(&atom.arguments);
        self.instance.atom(atom.predicate, arguments)
    }
}

/// The Datalog constant of an object.
pub(super) fn symbol(object: ObjectId) -> Symbol {
    Symbol::new(object.number())
}

impl<'a> Inner {
    /// What expressions read.
    pub(super) fn scene(&'a self, numbers: &'a NumberTable, binding: &'a [ObjectId]) -> Scene<'a> {
        Scene {
            kinds: &self.task.functions,
            constants: &self.constants,
            numbers,
            binding,
        }
    }
}
