//! Walking through the states of a lifted task.

use std::cell::OnceCell;

use herbrand_ground::{AtomId, BlockId, ConditionId, FunctionKind};
use herbrand_pddl::{Fact, FunctionId, ObjectId, PredicateId, SchemaId};
use rand::Rng;

use super::actions::{LiftedActionRef, LiftedActions};
use super::closure::{Change, Closure};
use super::found::Found;
use super::instance::{Instance, Instantiation, symbol};
use super::numbers::NumberTable;
use super::simulator::{Inner, LiftedSimulator, Upkeep, defined};
use super::state::LiftedState;
use super::tuples::AtomSet;
use crate::firing::Firing;
use crate::numbers::{NumberChange, NumberFault, Numbers};
use crate::random::uniform_below;
use crate::simulator::{Sampled, reward};
use crate::{StepError, Transition};

/// A current state of a lifted task with its valid actions and derived atoms, stepped in place: the lifted counterpart of
/// a [`Walker`](crate::Walker), with the same answers and the same draws.
#[derive(Clone, Debug)]
pub struct LiftedWalker {
    pub(super) simulator: LiftedSimulator,
    closure: Closure,
    atoms: AtomSet,
    derived: AtomSet,
    numbers: NumberTable,
    /// By comparison in an axiom and binding: whether it holds.
    tests: Vec<Vec<bool>>,
    pub(super) found: Found,
    pub(super) instance: Instance,
    pub(super) firing: Firing,
    pub(super) computed: Numbers,
    /// What the last step flipped.
    flips: Vec<Flip>,
    pub(super) stepped: bool,
    state: OnceCell<LiftedState>,
}

/// A fluent atom and whether it holds from now on.
type Flip = (PredicateId, Vec<ObjectId>, bool);

impl LiftedWalker {
    /// A walker in the initial state, without what chance adds to it.
    pub(super) fn new(simulator: &LiftedSimulator, upkeep: Upkeep) -> Self {
        let inner = &simulator.inner;
        let task = &inner.task;
        let arities = || {
            task.vocabulary
                .predicates
                .iter()
                .map(|p| p.signature.parameters.len())
        };
        let mut found = Found::new(inner);
        let mut derived = AtomSet::new(arities());
        let closure = Closure::new(inner, upkeep, |relation, tuple, holds| {
            found.note(inner, &mut derived, relation, tuple, holds);
        });
        let mut walker = Self {
            closure,
            atoms: AtomSet::new(arities()),
            derived,
            numbers: NumberTable::new(task),
            tests: task
                .tests
                .iter()
                .map(|test| vec![false; test.bindings.len()])
                .collect(),
            found,
            instance: Instance::default(),
            firing: Firing::default(),
            computed: Numbers::default(),
            flips: Vec::new(),
            stepped: false,
            state: OnceCell::new(),
            simulator: simulator.clone(),
        };
        walker.set_state(&inner.initial);
        walker
    }

    /// The simulator.
    #[must_use]
    pub fn simulator(&self) -> &LiftedSimulator {
        &self.simulator
    }

    /// The current state. It is put together when first asked for.
    #[must_use]
    pub fn state(&self) -> &LiftedState {
        self.state.get_or_init(|| LiftedState {
            atoms: self.atoms.sorted(),
            numbers: defined(&self.numbers),
        })
    }

    /// Goes to another state. Takes time for both states, and for what differs between them.
    pub fn set_state(&mut self, state: &LiftedState) {
        let mut there = AtomSet::new(
            self.simulator
                .vocabulary()
                .predicates
                .iter()
                .map(|p| p.signature.parameters.len()),
        );
        state
            .atoms()
            .for_each(|fact| there.set(fact.predicate, fact.arguments, true));
        let gone = self
            .atoms
            .iter()
            .filter(|(predicate, tuple)| !there.contains(*predicate, tuple));
        let mut flips: Vec<Flip> = gone
            .map(|(predicate, tuple)| (predicate, tuple.to_vec(), false))
            .collect();
        let come = state
            .atoms()
            .filter(|fact| !self.atoms.contains(fact.predicate, fact.arguments));
        flips.extend(come.map(|fact| (fact.predicate, fact.arguments.to_vec(), true)));
        let mut values = vec![None; self.numbers.ids().count()];
        for number in state.numbers() {
            let id = self.numbers.intern(number.function, &number.arguments);
            values.resize(values.len().max(id.index() + 1), None);
            values[id.index()] = Some(number.value());
        }
        self.computed.clear();
        for (id, after) in self.numbers.ids().zip(values) {
            let before = self.numbers.value(id);
            if before != after {
                self.computed.changes.push(NumberChange { id, before, after });
            }
        }
        self.go(flips, true);
        self.forget();
    }

    /// Goes to an initial state, drawn where chance has a part in it.
    ///
    /// # Errors
    /// When drawn numeric effects have no result; then the state stays.
    pub fn reset(&mut self, rng: &mut (impl Rng + ?Sized)) -> Result<(), StepError> {
        let simulator = self.simulator.clone();
        let before = (!simulator.task().chances.is_empty()).then(|| self.state().clone());
        self.set_state(simulator.initial_state());
        let Some(before) = before else { return Ok(()) };
        self.instance
            .initial(&simulator.task().chances, &mut self.numbers);
        if let Err(error) = self.draw(rng, || "the initial state".to_owned()) {
            self.set_state(&before);
            return Err(error);
        }
        let flips = self.net();
        self.go(flips, false);
        self.forget();
        Ok(())
    }

    /// Whether an atom of a fluent or derived predicate is true.
    #[must_use]
    pub fn holds(&self, predicate: PredicateId, arguments: &[ObjectId]) -> bool {
        self.atoms.contains(predicate, arguments) || self.derived.contains(predicate, arguments)
    }

    /// The value of a function; `None` when it is undefined or not part of states.
    #[must_use]
    pub fn numeric(&self, function: FunctionId, arguments: &[ObjectId]) -> Option<f64> {
        self.numbers.find(function, arguments)
    }

    /// The derived atoms that are true, in no particular order; those of auxiliary predicates are not among them.
    pub fn derived(&self) -> impl Iterator<Item = Fact<'_>> {
        self.derived
            .iter()
            .map(|(predicate, arguments)| Fact { predicate, arguments })
    }

    /// The valid actions.
    #[must_use]
    pub fn valid(&self) -> &LiftedActions {
        &self.found.valid
    }

    /// A valid action, each with the same probability, or none in a dead end: the one that a grounded walker in the same
    /// state draws from the same generator.
    pub fn sample(&self, rng: &mut (impl Rng + ?Sized)) -> Option<LiftedActionRef<'_>> {
        let len = u32::try_from(self.valid().len()).ok()?;
        if len == 0 {
            return None;
        }
        self.valid().nth(uniform_below(rng, len) as usize)
    }

    /// Whether the goal holds.
    #[must_use]
    pub fn is_goal(&self) -> bool {
        self.found.goal
    }

    /// Takes an action, as [`Walker::apply`](crate::Walker::apply) does.
    ///
    /// # Errors
    /// When the action is not valid, or a numeric effect has no result; then nothing changes, but draws from `rng` may
    /// have been made.
    pub fn apply(
        &mut self,
        schema: SchemaId,
        arguments: &[ObjectId],
        rng: &mut (impl Rng + ?Sized),
    ) -> Result<Transition, StepError> {
        self.instantiate(schema, arguments)?;
        let simulator = self.simulator.clone();
        let probability = self.draw(rng, || name(&simulator.inner, schema, arguments))?;
        let flips = self.net();
        self.go(flips, false);
        self.stepped = true;
        Ok(Transition {
            reward: self.reward(),
            goal: self.found.goal,
            probability,
        })
    }

    /// Takes back the last [`apply`](Self::apply). False, and nothing changes, when there is none.
    pub fn undo(&mut self) -> bool {
        if !std::mem::replace(&mut self.stepped, false) {
            return false;
        }
        let mut flips = std::mem::take(&mut self.flips);
        flips.iter_mut().for_each(|(_, _, holds)| *holds = !*holds);
        flips.sort_by_key(|(_, _, holds)| *holds);
        self.computed.reverse();
        self.go(flips, false);
        self.forget();
        true
    }

    /// The fluent atoms that the last [`apply`](Self::apply) changed, each with whether it holds now; none after going to
    /// a state in another way.
    pub fn changes(&self) -> impl Iterator<Item = (Fact<'_>, bool)> {
        self.flips.iter().map(|(predicate, arguments, holds)| {
            let fact = Fact {
                predicate: *predicate,
                arguments,
            };
            (fact, *holds)
        })
    }

    /// Makes the instance of a valid action in the current state.
    pub(super) fn instantiate(&mut self, schema: SchemaId, arguments: &[ObjectId]) -> Result<(), StepError> {
        let inner = &self.simulator.inner;
        if !self.found.valid.contains(schema, arguments) {
            return Err(StepError::NotValid {
                action: name(inner, schema, arguments),
            });
        }
        let action = &inner.task.actions[schema.index()];
        let mut binding = arguments.to_vec();
        binding.resize(action.variables as usize, ObjectId::new(0));
        Instantiation {
            inner,
            database: self.closure.database(),
            numbers: &mut self.numbers,
            instance: &mut self.instance,
            binding,
        }
        .run(&action.effect);
        Ok(())
    }

    pub(super) fn root(&self) -> BlockId {
        self.instance.root.unwrap_or(BlockId::new(0))
    }

    /// Makes the draws of the instance; the probability of what was drawn.
    fn draw(&mut self, rng: &mut (impl Rng + ?Sized), action: impl Fn() -> String) -> Result<f64, StepError> {
        let mut decide = Sampled {
            holds: |_: ConditionId| true,
            chance: self.simulator.options().chance,
            rng,
            probability: 1.0,
        };
        self.firing.clear();
        self.firing.collect(
            &self.instance.effects,
            self.instance.root.unwrap_or(BlockId::new(0)),
            &mut decide,
        );
        let probability = decide.probability;
        self.compute(&action)?;
        Ok(probability)
    }

    /// What the numeric effects that were collected come to.
    pub(super) fn compute(&mut self, action: &impl Fn() -> String) -> Result<(), StepError> {
        let Self {
            computed,
            numbers,
            firing,
            instance,
            simulator,
            ..
        } = self;
        let values = &instance.values;
        computed.clear();
        let mut fault = None;
        for assignment in &firing.assignments {
            match values[assignment.value.index()] {
                Ok(value) => computed.push(assignment.target, assignment.operator, value),
                Err(reason) => fault = fault.or(Some((assignment.target, NumberFault::Value(reason)))),
            }
        }
        let kinds = &simulator.task().functions;
        let accumulates = |id| kinds[numbers.name(id).0.index()] == FunctionKind::Accumulator;
        let result = fault.map_or_else(|| computed.combine(accumulates, |id| numbers.value(id)), Err);
        result.map_err(|(target, fault)| {
            let (function, arguments) = numbers.name(target);
            let vocabulary = simulator.vocabulary();
            let effect = vocabulary
                .term(&vocabulary.function(function).name, arguments)
                .to_string();
            StepError::number(action(), effect, fault)
        })
    }

    /// The atoms that what was collected flips: deletes, then adds.
    pub(super) fn net(&mut self) -> Vec<Flip> {
        let mut literals = Vec::new();
        self.firing.net(&mut literals);
        let flip = |literal: &u32| {
            let (predicate, arguments) = &self.instance.atoms[AtomId::new(literal / 2).index()];
            let holds = literal.is_multiple_of(2);
            (self.atoms.contains(*predicate, arguments) != holds)
                .then(|| (*predicate, arguments.clone(), holds))
        };
        let mut flips: Vec<Flip> = literals.iter().filter_map(flip).collect();
        flips.sort_by_key(|(_, _, holds)| *holds);
        flips
    }

    pub(super) fn reward(&mut self) -> f64 {
        let task = &self.simulator.inner.task;
        let id = task.reward.map(|function| self.numbers.intern(function, &[]));
        reward(id, task.goal_reward, &self.computed, self.found.goal)
    }

    /// Forgets the last step.
    fn forget(&mut self) {
        self.stepped = false;
        self.flips.clear();
        self.computed.clear();
    }

    /// Flips atoms, changes numbers as computed, and follows: tests, derived atoms, valid actions, goal. Tests are all
    /// looked at if `afresh`.
    pub(super) fn go(&mut self, flips: Vec<Flip>, afresh: bool) {
        let inner = &self.simulator.inner;
        let mut changes: Vec<Change> = Vec::with_capacity(flips.len());
        for (predicate, arguments, holds) in &flips {
            self.atoms.set(*predicate, arguments, *holds);
            let tuple = arguments.iter().copied().map(symbol).collect();
            changes.push((inner.task.relations[predicate.index()], tuple, *holds));
        }
        for change in &self.computed.changes {
            self.numbers.set(change.id, change.after);
        }
        let numbers_changed = afresh || !self.computed.changes.is_empty();
        if numbers_changed {
            test(inner, &self.numbers, &mut self.tests, &mut changes);
        }
        let Self {
            closure,
            found,
            derived,
            ..
        } = self;
        closure.update(inner, &changes, |relation, tuple, holds| {
            found.note(inner, derived, relation, tuple, holds);
        });
        found.settle(inner, &self.numbers);
        self.flips = flips;
        self.state.take();
    }
}

/// Looks at the comparisons in axioms anew; those that turn round are changes of the program's input.
fn test(inner: &Inner, numbers: &NumberTable, held: &mut [Vec<bool>], changes: &mut Vec<Change>) {
    let mut binding = Vec::new();
    for (test, held) in inner.task.tests.iter().zip(held) {
        let variables = test.variables.iter().map(|variable| variable.index() + 1).max();
        binding.resize(variables.unwrap_or(0), ObjectId::new(0));
        for (objects, held) in test.bindings.iter().zip(held) {
            for (variable, object) in test.variables.iter().zip(objects) {
                binding[variable.index()] = *object;
            }
            let holds = inner.scene(numbers, &binding).holds(&test.comparison);
            if std::mem::replace(held, holds) != holds {
                let tuple = objects.iter().copied().map(symbol).collect();
                changes.push((test.relation, tuple, holds));
            }
        }
        binding.clear();
    }
}

/// An action as PDDL writes it.
pub(super) fn name(inner: &Inner, schema: SchemaId, arguments: &[ObjectId]) -> String {
    let known = inner.task.vocabulary.schemas.get(schema.index());
    match known.filter(|_| {
        arguments
            .iter()
            .all(|o| o.index() < inner.task.vocabulary.objects.len())
    }) {
        Some(signature) => inner.task.vocabulary.term(&signature.name, arguments).to_string(),
        None => format!("action {schema:?} {arguments:?}"),
    }
}
