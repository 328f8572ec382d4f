//! Walking through the states of a lifted task.

use std::cell::OnceCell;

use fxhash::FxHashMap;
use herbrand_datalog::{RelationId, Symbol};
use herbrand_ground::{AtomId, BlockId, ConditionId, FunctionKind, NumericId, Way};
use herbrand_pddl::{Fact, FunctionId, ObjectId, PredicateId, SchemaId};
use rand::Rng;

use super::actions::{LiftedActionRef, LiftedActions};
use super::closure::{Change, Closure};
use super::instance::{Instance, Instantiation, symbol};
use super::numbers::NumberTable;
use super::simulator::{Inner, LiftedSimulator, Role, Upkeep, defined};
use super::state::LiftedState;
use super::tuples::{AtomSet, SortedTuples, TupleTable};
use crate::firing::{Firing, combinations, likeliest};
use crate::numbers::{NumberChange, NumberFault, Numbers};
use crate::random::uniform_below;
use crate::simulator::{Sampled, reward};
use crate::{Chance, StepError, Transition};

/// A current state of a lifted task with its valid actions and derived atoms, stepped in place: the lifted counterpart of
/// a [`Walker`](crate::Walker), with the same answers and the same draws.
#[derive(Clone, Debug)]
pub struct LiftedWalker {
    simulator: LiftedSimulator,
    closure: Closure,
    atoms: AtomSet,
    derived: AtomSet,
    numbers: NumberTable,
    /// By comparison in an axiom and binding: whether it holds.
    tests: Vec<Vec<bool>>,
    found: Found,
    instance: Instance,
    firing: Firing,
    computed: Numbers,
    /// What the last step flipped.
    flips: Vec<Flip>,
    stepped: bool,
    state: OnceCell<LiftedState>,
}

/// What the closure has found.
#[derive(Clone, Debug)]
struct Found {
    valid: LiftedActions,
    /// By schema: the actions that are valid whatever the numbers. Unused where no way of the schema compares any.
    plain: Vec<SortedTuples>,
    /// By candidate relation.
    candidates: Vec<TupleTable>,
    /// Whether the goal holds whatever the numbers, and whether it holds.
    plain_goal: bool,
    goal: bool,
}

/// A fluent atom and whether it holds from now on.
type Flip = (PredicateId, Vec<ObjectId>, bool);

/// One possible successor of a lifted state.
#[derive(Clone, PartialEq, Debug)]
pub struct LiftedOutcome {
    /// Its probability, above 0 and at most 1.
    pub probability: f64,
    /// The successor.
    pub state: LiftedState,
    /// The reward of this transition.
    pub reward: f64,
    /// Whether the goal holds in the successor.
    pub goal: bool,
}

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
        let schemas = || task.actions.iter().map(|action| action.arity as usize);
        let candidate = |(whose, way): &(Option<SchemaId>, usize)| {
            TupleTable::new(ways(inner, *whose)[*way].variables.len())
        };
        let mut found = Found {
            valid: LiftedActions::new(schemas()),
            plain: schemas().map(SortedTuples::new).collect(),
            candidates: inner.candidates.iter().map(candidate).collect(),
            plain_goal: false,
            goal: false,
        };
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

    /// The distribution of successors, as [`Simulator::outcomes`](crate::Simulator::outcomes) gives it. The state stays.
    ///
    /// # Errors
    /// When the action is not valid, has too many outcomes, or a numeric effect has no result in one of them.
    pub fn outcomes(
        &mut self,
        schema: SchemaId,
        arguments: &[ObjectId],
    ) -> Result<Vec<LiftedOutcome>, StepError> {
        self.instantiate(schema, arguments)?;
        let simulator = self.simulator.clone();
        let options = simulator.options();
        let (effects, root) = (&self.instance.effects, self.root());
        let all = match options.chance {
            Chance::Drawn => combinations(effects, root, &|_| true, options.outcome_limit),
            Chance::MostLikely => Some(vec![(1.0, likeliest(effects, root, &|_| true))]),
        };
        let action = || name(&simulator.inner, schema, arguments);
        let all = all.ok_or_else(|| StepError::TooManyOutcomes {
            action: action(),
            limit: options.outcome_limit,
        })?;
        let total: f64 = all.iter().map(|(probability, _)| probability).sum();
        let (mut outcomes, mut places) = (Vec::new(), FxHashMap::default());
        let instance = std::mem::take(&mut self.instance);
        for (probability, blocks) in all {
            self.firing.clear();
            blocks
                .into_iter()
                .for_each(|block| self.firing.add(&instance.effects, block));
            self.instance.clone_from(&instance);
            self.compute(&action)?;
            let share = probability / total;
            let (state, reward, goal, deltas) = self.look();
            match places.entry((state.clone(), deltas)) {
                std::collections::hash_map::Entry::Occupied(place) => {
                    let outcome: &mut LiftedOutcome = &mut outcomes[*place.get()];
                    outcome.probability += share;
                }
                std::collections::hash_map::Entry::Vacant(place) => {
                    place.insert(outcomes.len());
                    outcomes.push(LiftedOutcome {
                        probability: share,
                        state,
                        reward,
                        goal,
                    });
                }
            }
        }
        Ok(outcomes)
    }

    /// Goes where the effects that were collected lead, looks, and comes back.
    fn look(&mut self) -> (LiftedState, f64, bool, Vec<(NumericId, u64)>) {
        let deltas = self
            .computed
            .deltas
            .iter()
            .map(|&(id, delta)| (id, delta.to_bits()))
            .collect();
        let flips = self.net();
        self.go(flips, false);
        self.stepped = true;
        let seen = (self.state().clone(), self.reward(), self.found.goal, deltas);
        self.undo();
        seen
    }

    /// Makes the instance of a valid action in the current state.
    fn instantiate(&mut self, schema: SchemaId, arguments: &[ObjectId]) -> Result<(), StepError> {
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

    fn root(&self) -> BlockId {
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
    fn compute(&mut self, action: &impl Fn() -> String) -> Result<(), StepError> {
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
    fn net(&mut self) -> Vec<Flip> {
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

    fn reward(&mut self) -> f64 {
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
    fn go(&mut self, flips: Vec<Flip>, afresh: bool) {
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

/// The ways of a schema, or of the goal.
fn ways(inner: &Inner, whose: Option<SchemaId>) -> &[Way] {
    whose.map_or(&inner.task.goal, |schema| {
        &inner.task.actions[schema.index()].ways
    })
}

/// An action as PDDL writes it.
fn name(inner: &Inner, schema: SchemaId, arguments: &[ObjectId]) -> String {
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

impl Found {
    /// Takes note of a derived fact that begins or ceases to hold.
    fn note(
        &mut self,
        inner: &Inner,
        derived: &mut AtomSet,
        relation: RelationId,
        tuple: &[Symbol],
        holds: bool,
    ) {
        let role = inner.roles[relation.index()];
        if role == Role::Other {
            return;
        }
        let mut buffer = [ObjectId::new(0); 8];
        let long: Vec<ObjectId>;
        let objects = match buffer.get_mut(..tuple.len()) {
            Some(objects) => {
                let symbols = objects.iter_mut().zip(tuple);
                symbols.for_each(|(object, symbol)| *object = ObjectId::new(symbol.number()));
                &*objects
            }
            None => {
                long = tuple
                    .iter()
                    .map(|symbol| ObjectId::new(symbol.number()))
                    .collect();
                &long
            }
        };
        match role {
            Role::Other => {}
            Role::Derived(predicate) => derived.set(predicate, objects, holds),
            Role::Goal => self.plain_goal = holds,
            Role::Candidate(index) if holds => {
                self.candidates[index].insert(objects);
            }
            Role::Candidate(index) => self.candidates[index].remove(objects),
            Role::Applicable(schema) if compares(inner, schema) => {
                self.plain[schema.index()].set(objects, holds)
            }
            Role::Applicable(schema) => self.valid.schemas[schema.index()].set(objects, holds),
        }
    }

    /// Decides what depends on numbers.
    fn settle(&mut self, inner: &Inner, numbers: &NumberTable) {
        self.goal = self.plain_goal;
        if inner.candidates.is_empty() {
            return;
        }
        let Self {
            valid,
            plain,
            candidates,
            goal,
            ..
        } = self;
        for (schema, plain) in plain.iter().enumerate() {
            if compares(inner, SchemaId::from_index(schema)) {
                valid.schemas[schema].clone_from(plain);
            }
        }
        for (&(whose, way), tuples) in inner.candidates.iter().zip(candidates) {
            let way = &ways(inner, whose)[way];
            let size = way.variables.iter().map(|variable| variable.index() + 1).max();
            let mut binding = vec![ObjectId::new(0); size.unwrap_or(0)];
            for tuple in tuples.iter() {
                for (variable, object) in way.variables.iter().zip(tuple) {
                    binding[variable.index()] = *object;
                }
                let scene = inner.scene(numbers, &binding);
                if !way.comparisons.iter().all(|comparison| scene.holds(comparison)) {
                    continue;
                }
                match whose {
                    Some(schema) => {
                        let arity = inner.task.actions[schema.index()].arity as usize;
                        valid.schemas[schema.index()].set(&binding[..arity], true);
                    }
                    None => *goal = true,
                }
            }
        }
    }
}

/// Whether some way of a schema compares numbers.
fn compares(inner: &Inner, schema: SchemaId) -> bool {
    inner.task.actions[schema.index()]
        .ways
        .iter()
        .any(|way| !way.comparisons.is_empty())
}
