//! The effects of one action, grounded for one state: conditions are decided, draws are still to be made.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use herbrand_datalog::{Database, Query, RuleId, Symbol};
use herbrand_ground::{
    AtomId, BlockId, BlockParts, ConditionId, Distribution, Effects, ExpressionId, GroundAssignment, Guard,
    LiftedBlock, LiftedItem, LiftedLeaf,
};
use herbrand_limits::Meter;
use herbrand_pddl::{AssignOperator, Atom, InitialChance, InitialOutcome, ObjectId};
use smallvec::SmallVec;

use super::atoms::AtomTable;
use super::numbers::{NumberTable, with_objects};
use super::tables::Inner;
use super::tuples::{Tuple, symbol};
use crate::semantics::arithmetic::Fault;

/// The ground effects of one action in one state. Atoms and numbers are numbered by the walker's tables. Conditional effects
/// that happen have the condition `HOLDS`.
#[derive(Clone, Debug, Default)]
pub(super) struct Instance {
    pub(super) effects: Effects,
    pub(super) root: Option<BlockId>,
    /// The computed right-hand sides, indexed by [`ExpressionId`].
    pub(super) values: Vec<Result<f64, Fault>>,
    /// Cleared parts for reuse.
    spare: Vec<BlockParts>,
}

/// The condition of all conditional effects in an instance; it is always true.
const HOLDS: ConditionId = ConditionId::new(0);

/// The estimated bytes per leaf of a conditional effect.
const BLOCK: u64 = 64;

/// The inputs and outputs of an instantiation.
pub(super) struct Instantiation<'a> {
    pub(super) inner: &'a Inner,
    /// The query of each guard, over the database.
    pub(super) guards: &'a BTreeMap<RuleId, Query>,
    pub(super) database: &'a Database,
    pub(super) atoms: &'a mut AtomTable,
    pub(super) numbers: &'a mut NumberTable,
    pub(super) instance: &'a mut Instance,
    /// The object of each variable of the schema.
    pub(super) binding: &'a mut [ObjectId],
    /// The meter that is charged for the instance. Instantiation stops when its limit is reached.
    pub(super) meter: &'a mut Meter,
}

impl Instance {
    pub(super) fn clear(&mut self) {
        self.effects.clear();
        self.root = None;
        self.values.clear();
    }

    fn value(&mut self, value: Result<f64, Fault>) -> ExpressionId {
        self.values.push(value);
        ExpressionId::from_index(self.values.len() - 1)
    }

    fn parts(&mut self) -> BlockParts {
        self.spare.pop().unwrap_or_default()
    }

    fn finish(&mut self, mut parts: BlockParts) -> BlockId {
        let block = self.effects.block(parts.block());
        parts.clear();
        self.spare.push(parts);
        block
    }

    /// Instantiates the random part of the initial state.
    pub(super) fn initial(
        &mut self,
        chances: &[InitialChance],
        atoms: &mut AtomTable,
        numbers: &mut NumberTable,
    ) {
        self.clear();
        let mut parts = self.parts();
        self.initial_draws(chances, atoms, numbers, &mut parts);
        self.root = Some(self.finish(parts));
    }

    fn initial_draws(
        &mut self,
        chances: &[InitialChance],
        atoms: &mut AtomTable,
        numbers: &mut NumberTable,
        parts: &mut BlockParts,
    ) {
        for chance in chances {
            let alternatives = &chance.alternatives;
            let possible = || {
                alternatives
                    .iter()
                    .filter(|(probability, _)| !probability.is_zero())
            };
            if possible().next().is_none() {
                continue;
            }
            let distribution = Distribution::of(possible().map(|(probability, _)| *probability));
            let blocks: Vec<_> = possible()
                .map(|(_, outcome)| self.initial_outcome(outcome, atoms, numbers))
                .collect();
            parts
                .draws
                .push(self.effects.chance(Arc::new(distribution), blocks));
        }
    }

    fn initial_outcome(
        &mut self,
        outcome: &InitialOutcome,
        atoms: &mut AtomTable,
        numbers: &mut NumberTable,
    ) -> BlockId {
        let mut parts = self.parts();
        let facts = outcome.facts.iter();
        parts
            .adds
            .extend(facts.map(|fact| atoms.number(fact.predicate, fact.arguments)));
        for value in &outcome.values {
            parts.assignments.push(GroundAssignment {
                operator: AssignOperator::Assign,
                target: numbers.intern(value.function, &value.arguments),
                value: self.value(Ok(value.value.value())),
            });
        }
        self.initial_draws(&outcome.chances, atoms, numbers, &mut parts);
        self.finish(parts)
    }
}

impl Instantiation<'_> {
    /// Instantiates an effect.
    pub(super) fn run(&mut self, effect: &LiftedBlock) {
        self.instance.clear();
        self.instance.root = Some(self.block(effect));
    }

    /// Instantiates a block. Each conditional item gets a nested block, so draws are made in the same order as in a ground
    /// task.
    fn block(&mut self, block: &LiftedBlock) -> BlockId {
        let mut parts = self.instance.parts();
        for item in block {
            match &item.guards {
                None => self.leaves(item, &mut parts),
                Some(guards) => self.guarded(item, guards, &mut parts),
            }
        }
        self.instance.finish(parts)
    }

    /// Returns the bindings of the item's variables for which at least one of its guards holds, ascending.
    pub(super) fn happening(&mut self, item: &LiftedItem, guards: &[Guard]) -> SmallVec<[Tuple; 4]> {
        let mut found: SmallVec<[Tuple; 4]> = SmallVec::new();
        for guard in guards {
            let one = self.bindings(guard, |binding| {
                let tuple = item.variables.iter().map(|variable| binding[variable.index()]);
                found.push(tuple.collect());
                if item.variables.is_empty() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
            if one.is_break() {
                break;
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn guarded(&mut self, item: &LiftedItem, guards: &[Guard], parts: &mut BlockParts) {
        for objects in self.happening(item, guards) {
            if !self.meter.charge(BLOCK * item.leaves.len() as u64) {
                return;
            }
            for (variable, object) in item.variables.iter().zip(objects) {
                self.binding[variable.index()] = object;
            }
            let mut inner = self.instance.parts();
            self.leaves(item, &mut inner);
            let block = self.instance.finish(inner);
            parts.whens.push((HOLDS, block));
        }
    }

    /// Calls `see` with every binding for which a guard holds.
    fn bindings(
        &mut self,
        guard: &Guard,
        mut see: impl FnMut(&[ObjectId]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(query) = self.guards.get(&guard.rule) else {
            return ControlFlow::Continue(());
        };
        let known = &guard.variables[..guard.given];
        let given: SmallVec<[Symbol; 8]> = known
            .iter()
            .map(|variable| symbol(self.binding[variable.index()]))
            .collect();
        let (inner, numbers, binding) = (self.inner, &*self.numbers, &mut *self.binding);
        query.for_each_within(self.database, &given, self.meter, |meter, symbols| {
            // Accounts for a growing list, whose old and new allocation exist at the same time.
            if !meter.charge(3 * size_of::<Tuple>() as u64) {
                return ControlFlow::Break(());
            }
            for (variable, symbol) in guard.variables.iter().zip(symbols) {
                binding[variable.index()] = ObjectId::new(symbol.number());
            }
            let scene = inner.scene(numbers, binding);
            if guard.comparisons.iter().all(|comparison| scene.holds(comparison)) {
                see(binding)
            } else {
                ControlFlow::Continue(())
            }
        })
    }

    fn leaves(&mut self, item: &LiftedItem, parts: &mut BlockParts) {
        for leaf in &item.leaves {
            match leaf {
                LiftedLeaf::Add(atom) => parts.adds.push(self.atom(atom)),
                LiftedLeaf::Delete(atom) => parts.deletes.push(self.atom(atom)),
                LiftedLeaf::Assign(assignment) => {
                    let scene = self.inner.scene(self.numbers, self.binding);
                    let value = scene.value(&assignment.value);
                    let target = &assignment.target;
                    let target = with_objects(&target.arguments, self.binding, |arguments| {
                        self.numbers.intern(target.function, arguments)
                    });
                    parts.assignments.push(GroundAssignment {
                        operator: assignment.operator,
                        target,
                        value: self.instance.value(value),
                    });
                }
                LiftedLeaf::Draw {
                    distribution,
                    alternatives,
                } => {
                    let blocks: SmallVec<[_; 4]> =
                        alternatives.iter().map(|block| self.block(block)).collect();
                    let distribution = Arc::clone(distribution);
                    parts
                        .draws
                        .push(self.instance.effects.chance(distribution, blocks));
                }
            }
        }
    }

    fn atom(&mut self, atom: &Atom) -> AtomId {
        with_objects(&atom.arguments, self.binding, |arguments| {
            self.atoms.number(atom.predicate, arguments)
        })
    }
}
