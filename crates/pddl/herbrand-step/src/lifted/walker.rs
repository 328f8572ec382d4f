//! Stepping a current state of a lifted task.

use std::cell::OnceCell;

use fixedbitset::FixedBitSet;
use herbrand_core::uniform_below;
use herbrand_datalog::View;
use herbrand_ground::{AtomId, BlockId, ConditionId, FunctionKind, NumericId, TruthSource};
use herbrand_limits::{Budget, BudgetExhausted, Meter, outside};
use herbrand_pddl::{AtomRef, FunctionId, ObjectId, PredicateId, SchemaId};
use rand::Rng;

use super::actions::{LiftedActionRef, LiftedActions};
use super::applicable::ApplicableActions;
use super::atoms::AtomTable;
use super::closure::{Changes, view};
use super::instance::{Instance, Instantiation};
use super::numbers::NumberTable;
use super::simulator::LiftedSimulator;
use super::state::LiftedState;
use super::tables::Inner;
use super::tuples::symbol;
use crate::semantics::chance::Sampled;
use crate::semantics::error::StepError;
use crate::semantics::firing::Firing;
use crate::semantics::numbers::reward;
use crate::semantics::numbers::{NumberChange, NumberFault, Numbers};
use crate::semantics::transition::StepResult;

/// A current state of a lifted task with its valid actions and derived atoms, stepped in place. It is the lifted
/// counterpart of a [`Walker`](crate::Walker), with the same answers and the same draws. [`LiftedSimulator::walker`]
/// creates one. Call [`sample`](Self::sample) or [`valid`](Self::valid) for an action, and [`apply`](Self::apply) to
/// take it.
#[derive(Clone, Debug)]
pub struct LiftedWalker {
    pub(super) simulator: LiftedSimulator,
    /// The facts that follow from the state.
    pub(super) view: Box<View>,
    pub(super) atoms: AtomTable,
    pub(super) derived: AtomTable,
    pub(super) numbers: NumberTable,
    /// For each comparison in an axiom and each of its bindings, whether it holds.
    tests: Vec<Vec<bool>>,
    pub(super) found: ApplicableActions,
    pub(super) instance: Instance,
    pub(super) firing: Firing,
    pub(super) computed: Numbers,
    /// The fluent atoms that the last step changed.
    flips: Vec<Flip>,
    buffers: Buffers,
    pub(super) stepped: bool,
    state: OnceCell<LiftedState>,
    /// Measures the memory and time of a step against the limits.
    pub(super) meter: Meter,
}

/// A fluent atom and its new truth value.
type Flip = (AtomId, bool);

/// Buffers that are reused from step to step.
#[derive(Clone, Debug, Default)]
struct Buffers {
    binding: Vec<ObjectId>,
    literals: Vec<u32>,
    /// The fluent atoms that the current step changes.
    flips: Vec<Flip>,
    changes: Changes,
}

impl LiftedSimulator {
    /// Creates a walker in the initial state as the problem declares it. If the initial state is random, call
    /// [`LiftedWalker::reset`] to draw one.
    ///
    /// # Errors
    /// Fails with [`StepError::Limit`] if deriving the facts of the initial state exceeds a limit of the options.
    pub fn walker(&self) -> Result<LiftedWalker, StepError> {
        let walker = LiftedWalker::new(self);
        walker.map_err(|exhausted| StepError::limit(INITIAL.to_owned(), exhausted))
    }
}

impl LiftedWalker {
    /// Creates a walker in the initial state as the problem declares it, without random effects.
    fn new(simulator: &LiftedSimulator) -> Result<Self, BudgetExhausted> {
        let inner = &simulator.inner;
        let mut meter = Budget::new(simulator.options().step).meter(FOLLOWING);
        let Derived { view, derived, found } = Derived::new(inner, &mut meter)?;
        let mut walker = Self {
            view,
            atoms: no_atoms(inner),
            derived,
            numbers: NumberTable::new(&inner.task),
            tests: Vec::new(),
            found,
            instance: Instance::default(),
            firing: Firing::default(),
            computed: Numbers::default(),
            flips: Vec::new(),
            buffers: Buffers::default(),
            stepped: false,
            state: OnceCell::new(),
            meter,
            simulator: simulator.clone(),
        };
        for fact in inner.initial.atoms() {
            let atom = walker.atoms.number(fact.predicate, fact.arguments);
            walker.atoms.set(atom, true);
        }
        for number in inner.initial.numbers() {
            let id = walker.numbers.intern(number.function, &number.arguments);
            walker.numbers.set(id, Some(number.value()));
        }
        walker.follow()?;
        Ok(walker)
    }

    /// Returns the simulator of the walker's task.
    #[must_use]
    pub fn simulator(&self) -> &LiftedSimulator {
        &self.simulator
    }

    /// Returns the current state. It is assembled on first use after a change.
    #[must_use]
    pub fn state(&self) -> &LiftedState {
        self.state.get_or_init(|| LiftedState {
            atoms: self.atoms.sorted(),
            numbers: self.numbers.defined(),
        })
    }

    /// Moves to another state. Takes time proportional to the sizes of both states and to the changes of derived facts.
    /// The step before can no longer be undone. `state` must be a state of this task, which is not checked: this may
    /// panic for another.
    ///
    /// # Errors
    /// Fails with [`StepError::Limit`] if the facts derived from the state exceed a limit of
    /// [`Options::step`](crate::Options::step). The current state is then unchanged.
    pub fn set_state(&mut self, state: &LiftedState) -> Result<(), StepError> {
        let gone = self.go_to(state);
        gone.map_err(|exhausted| StepError::limit("the state".to_owned(), exhausted))
    }

    fn go_to(&mut self, state: &LiftedState) -> Result<(), BudgetExhausted> {
        self.begin(FOLLOWING);
        let mut there = FixedBitSet::new();
        for fact in state.atoms() {
            let atom = self.atoms.number(fact.predicate, fact.arguments).index();
            there.grow_and_insert(atom);
        }
        let flips = &mut self.buffers.flips;
        let gone = self.atoms.iter().filter(|atom| !there.contains(atom.index()));
        flips.extend(gone.map(|atom| (atom, false)));
        let come = there
            .ones()
            .map(AtomId::from_index)
            .filter(|atom| !self.atoms.holds(*atom));
        flips.extend(come.map(|atom| (atom, true)));
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
        self.go(true)?;
        self.forget();
        Ok(())
    }

    /// Returns to an earlier state, ignoring the limits.
    pub(super) fn return_to(&mut self, state: &LiftedState) {
        // Without limits this cannot fail.
        let _ = self.without_limits(|walker| walker.go_to(state));
    }

    fn without_limits<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let unlimited = Budget::unlimited().meter(FOLLOWING);
        let meter = std::mem::replace(&mut self.meter, unlimited);
        let done = outside(|| work(self));
        self.meter = meter;
        done
    }

    /// Starts the meter for a pass: memory starts at the bytes held now, and time at zero.
    pub(super) fn begin(&mut self, pass: &'static str) {
        self.meter.restart(self.held());
        self.meter.name(pass);
    }

    /// The bytes of the state, of the facts derived from it, and of all numbered atoms and terms.
    pub(super) fn held(&self) -> u64 {
        let tables = self.atoms.bytes() + self.derived.bytes() + self.numbers.bytes();
        self.view.bytes() + self.found.bytes() + tables
    }

    /// Moves to an initial state, drawn if it is random; otherwise nothing is drawn. With
    /// [`Chance::MostLikely`](crate::Chance::MostLikely) it is the most likely one, and nothing is drawn either. The step
    /// before can no longer be undone.
    ///
    /// # Errors
    /// Fails if a drawn numeric effect has no result, or with [`StepError::Limit`] if a limit is exceeded. The state is
    /// then unchanged, but words may have been drawn from `rng`.
    pub fn reset(&mut self, rng: &mut (impl Rng + ?Sized)) -> Result<(), StepError> {
        let simulator = self.simulator.clone();
        let before = (!simulator.task().chances.is_empty()).then(|| self.state().clone());
        self.set_state(simulator.initial_state())?;
        let Some(before) = before else { return Ok(()) };
        self.instance
            .initial(&simulator.task().chances, &mut self.atoms, &mut self.numbers);
        if let Err(fault) = self.draw(rng) {
            self.return_to(&before);
            return Err(self.fault(INITIAL.to_owned(), fault));
        }
        self.net();
        if let Err(exhausted) = self.go(false) {
            self.return_to(&before);
            return Err(StepError::limit(INITIAL.to_owned(), exhausted));
        }
        self.forget();
        Ok(())
    }

    /// Returns whether an atom is true in the current state, be it static, fluent or derived. `false` for objects that the
    /// task does not have, or a wrong number of them. Panics if the task does not have the predicate.
    #[must_use]
    pub fn holds(&self, predicate: PredicateId, arguments: &[ObjectId]) -> bool {
        let task = &self.simulator.inner.task;
        match task.truth_source(predicate) {
            TruthSource::Fluent => self.atoms.contains(predicate, arguments),
            TruthSource::Derived => self.derived.contains(predicate, arguments),
            TruthSource::Static | TruthSource::StaticDerived => {
                let tuple: Vec<_> = arguments.iter().map(|&object| symbol(object)).collect();
                let relation = task.relations[predicate.index()];
                self.view.database().contains(relation, &tuple)
            }
        }
    }

    /// Returns the current value of a function term; `None` if it is undefined, or if terms of this function are not
    /// part of states. Panics if the task does not have the function.
    #[must_use]
    pub fn numeric(&self, function: FunctionId, arguments: &[ObjectId]) -> Option<f64> {
        self.numbers.find(function, arguments)
    }

    /// Returns the derived atoms that are true in the current state, in no particular order, without atoms of auxiliary
    /// predicates, which the normal form added.
    pub fn derived(&self) -> impl Iterator<Item = AtomRef<'_>> {
        self.derived.iter().map(|atom| self.derived.name(atom))
    }

    /// Returns the set of actions that are valid in the current state, ascending by schema and arguments.
    #[must_use]
    pub fn valid(&self) -> &LiftedActions {
        &self.found.valid
    }

    /// Draws a valid action uniformly; `None` in a dead end. Pass its schema and arguments to [`apply`](Self::apply). A
    /// grounded walker in the same state draws the same action from the same generator. Usually one word is drawn; in a
    /// dead end, none.
    pub fn sample(&self, rng: &mut (impl Rng + ?Sized)) -> Option<LiftedActionRef<'_>> {
        let len = u32::try_from(self.valid().len()).ok()?;
        if len == 0 {
            return None;
        }
        self.valid().nth(uniform_below(rng, len) as usize)
    }

    /// Returns whether the goal holds in the current state. Always `false` if the problem has no goal.
    #[must_use]
    pub fn is_goal(&self) -> bool {
        self.found.goal
    }

    /// Takes a valid action of a schema and its arguments, like [`Walker::apply`](crate::Walker::apply): the current
    /// state becomes the successor.
    ///
    /// # Errors
    /// Fails if the action is unknown ([`StepError::UnknownSchema`] and others) or not valid ([`StepError::NotValid`]),
    /// if a numeric effect has no result, or with [`StepError::Limit`] if a limit is exceeded. The state is then
    /// unchanged, but words may have been drawn from `rng`. After the last two, the step before can no longer be
    /// undone.
    pub fn apply(
        &mut self,
        schema: SchemaId,
        arguments: &[ObjectId],
        rng: &mut (impl Rng + ?Sized),
    ) -> Result<StepResult, StepError> {
        self.instantiate(schema, arguments)?;
        let probability = self
            .draw(rng)
            .map_err(|fault| self.fault(name(&self.simulator.inner, schema, arguments), fault))?;
        self.net();
        let from_goal = self.found.goal;
        self.go(false).map_err(|exhausted| {
            StepError::limit(name(&self.simulator.inner, schema, arguments), exhausted)
        })?;
        self.stepped = true;
        Ok(StepResult {
            reward: self.reward(from_goal),
            goal: self.found.goal,
            probability,
        })
    }

    /// Returns by how much the last [`apply`](Self::apply) changed an accumulator, such as the total cost, which is not part
    /// of states; 0 if the current state was reached in another way.
    #[must_use]
    pub fn delta(&self, function: FunctionId, arguments: &[ObjectId]) -> f64 {
        let deltas = self.computed.deltas.iter();
        let mut own = deltas.filter(|(id, _)| self.numbers.name(*id) == (function, arguments));
        own.next().map_or(0.0, |(_, delta)| *delta)
    }

    /// Changes atoms and numbers of the state, as no action does. Each atom may occur once. Atoms that are not fluent
    /// are ignored. The step before can no longer be undone.
    ///
    /// # Errors
    /// Fails with [`StepError::Limit`] if a limit is exceeded. The state is then unchanged.
    pub fn write(
        &mut self,
        atoms: &[(AtomRef<'_>, bool)],
        numbers: &[(FunctionId, &[ObjectId], Option<f64>)],
    ) -> Result<(), StepError> {
        self.begin(FOLLOWING);
        self.buffers.flips.clear();
        self.computed.clear();
        for (fact, holds) in atoms {
            let task = &self.simulator.inner.task;
            if task.truth_source(fact.predicate) == TruthSource::Fluent {
                let atom = self.atoms.number(fact.predicate, fact.arguments);
                if self.atoms.holds(atom) != *holds {
                    self.buffers.flips.push((atom, *holds));
                }
            }
        }
        for &(function, arguments, after) in numbers {
            let id = self.numbers.intern(function, arguments);
            let before = self.numbers.value(id);
            if before != after {
                self.computed.changes.push(NumberChange { id, before, after });
            }
        }
        let gone = self.go(false);
        self.forget();
        gone.map_err(|exhausted| StepError::limit("the state".to_owned(), exhausted))
    }

    /// Undoes the last [`apply`](Self::apply) and returns `true`. Returns `false` and changes nothing if the current
    /// state was not reached by `apply`, if that step was already undone, or if [`outcomes`](Self::outcomes) or an
    /// `apply` that failed came after it. Limits do not apply to undoing. Only one step can be undone; words drawn by it
    /// are not given back to the generator.
    pub fn undo(&mut self) -> bool {
        if !std::mem::replace(&mut self.stepped, false) {
            return false;
        }
        let back = self.flips.iter().rev().map(|&(atom, holds)| (atom, !holds));
        self.buffers.flips.extend(back);
        self.computed.reverse();
        // The state was held before, so without limits this cannot fail.
        let _ = self.without_limits(|walker| walker.go(false));
        self.forget();
        true
    }

    /// Returns the fluent atoms changed by the last [`apply`](Self::apply), each with its new truth value: first those
    /// that became false, then those that became true. Derived atoms and numbers are not included. Empty if the current
    /// state was reached in another way.
    pub fn changes(&self) -> impl Iterator<Item = (AtomRef<'_>, bool)> {
        self.flips
            .iter()
            .map(|&(atom, holds)| (self.atoms.name(atom), holds))
    }

    /// Instantiates the effects of a valid action in the current state.
    pub(super) fn instantiate(&mut self, schema: SchemaId, arguments: &[ObjectId]) -> Result<(), StepError> {
        if !self.found.valid.contains(schema, arguments) {
            return Err(self.refuse(schema, arguments));
        }
        self.begin("making its effects ground");
        let inner = &self.simulator.inner;
        let action = &inner.task.actions[schema.index()];
        let binding = &mut self.buffers.binding;
        binding.clear();
        binding.extend_from_slice(arguments);
        binding.resize(action.scope.len(), ObjectId::new(0));
        Instantiation {
            inner,
            guards: &inner.prepared.guards,
            database: self.view.database(),
            atoms: &mut self.atoms,
            numbers: &mut self.numbers,
            instance: &mut self.instance,
            binding,
            meter: &mut self.meter,
        }
        .run(&action.effect);
        let checked = self.meter.check();
        checked.map_err(|exhausted| StepError::limit(name(inner, schema, arguments), exhausted))
    }

    pub(super) fn root(&self) -> BlockId {
        self.instance.root.unwrap_or(BlockId::new(0))
    }

    /// Makes the draws of the instance, and returns the probability of the result.
    fn draw(&mut self, rng: &mut (impl Rng + ?Sized)) -> Result<f64, (NumericId, NumberFault)> {
        let mut decide = Sampled {
            holds: |_: ConditionId| true,
            chance: self.simulator.options().chance,
            rng,
            probability: 1.0,
        };
        self.firing.clear();
        let root = self.root();
        self.firing.collect(&self.instance.effects, root, &mut decide);
        let probability = decide.probability;
        self.compute()?;
        Ok(probability)
    }

    /// Combines the collected numeric effects. An error contains the number it concerns.
    pub(super) fn compute(&mut self) -> Result<(), (NumericId, NumberFault)> {
        let Self {
            computed,
            numbers,
            firing,
            instance,
            simulator,
            ..
        } = self;
        computed.clear();
        let mut fault = None;
        for assignment in &firing.assignments {
            match instance.values[assignment.value.index()] {
                Ok(value) => computed.push(assignment.target, assignment.operator, value),
                Err(reason) => fault = fault.or(Some((assignment.target, NumberFault::Value(reason)))),
            }
        }
        let kinds = &simulator.task().functions;
        let accumulates = |id| kinds[numbers.name(id).0.index()] == FunctionKind::Accumulator;
        fault.map_or_else(|| computed.combine(accumulates, |id| numbers.value(id)), Err)
    }

    /// Returns the error for a numeric effect without a result. The last step is forgotten, as its numeric changes were
    /// overwritten.
    #[cold]
    pub(super) fn fault(&mut self, action: String, (target, fault): (NumericId, NumberFault)) -> StepError {
        self.forget();
        let (function, arguments) = self.numbers.name(target);
        let vocabulary = self.simulator.vocabulary();
        let effect = vocabulary.term(&vocabulary.function(function).name, arguments);
        StepError::number(action, effect.to_string(), fault)
    }

    /// Determines which atoms the collected effects change: deletes, then adds.
    pub(super) fn net(&mut self) {
        let Buffers { literals, flips, .. } = &mut self.buffers;
        literals.clear();
        self.firing.net(literals);
        for holds in [false, true] {
            let atoms = literals
                .iter()
                .filter(|literal| literal.is_multiple_of(2) == holds)
                .map(|literal| AtomId::new(literal / 2));
            let changed = atoms.filter(|&atom| self.atoms.holds(atom) != holds);
            flips.extend(changed.map(|atom| (atom, holds)));
        }
    }

    /// Returns the reward of the step just taken; `from_goal` is whether the goal held before it.
    pub(super) fn reward(&mut self, from_goal: bool) -> f64 {
        let task = &self.simulator.inner.task;
        let id = task.reward.map(|function| self.numbers.intern(function, &[]));
        let enters_goal = self.found.goal && !from_goal;
        reward(id, task.goal_reward, self.computed.change_of(id), enters_goal)
    }

    /// Forgets the last step, so that it can no longer be undone.
    fn forget(&mut self) {
        self.stepped = false;
        self.flips.clear();
        self.computed.clear();
    }

    /// Applies the pending flips and the computed numeric changes, and updates everything that depends on them: tests,
    /// derived atoms, valid actions, goal. Tests are re-evaluated only if numbers changed or `afresh` is set. If the budget
    /// is exceeded, the state is restored, but the last step is forgotten.
    pub(super) fn go(&mut self, afresh: bool) -> Result<(), BudgetExhausted> {
        self.meter.name(FOLLOWING);
        let inner = &self.simulator.inner;
        let Buffers { flips, changes, .. } = &mut self.buffers;
        changes.clear();
        for &(atom, holds) in &*flips {
            self.atoms.set(atom, holds);
            let fact = self.atoms.name(atom);
            changes.push(
                inner.task.relations[fact.predicate.index()],
                fact.arguments,
                holds,
            );
        }
        for change in &self.computed.changes {
            self.numbers.set(change.id, change.after);
        }
        let numbers_changed = afresh || !self.computed.changes.is_empty();
        if numbers_changed {
            test(inner, &self.numbers, &mut self.tests, changes);
        }
        let Self {
            view,
            found,
            derived,
            meter,
            ..
        } = self;
        let followed = view.update_within(changes.iter(), meter, |meter, relation, tuple, holds| {
            found.note(inner, derived, relation, tuple, holds, meter);
        });
        if let Err(exhausted) = followed {
            self.take_back();
            return Err(exhausted);
        }
        found.settle(inner, &self.numbers);
        std::mem::swap(&mut self.flips, flips);
        flips.clear();
        self.state.take();
        Ok(())
    }

    /// Reverts the pending flips and numeric changes, and recomputes everything derived from the state.
    #[cold]
    fn take_back(&mut self) {
        for (atom, holds) in self.buffers.flips.drain(..).rev() {
            self.atoms.set(atom, !holds);
        }
        for change in self.computed.changes.iter().rev() {
            self.numbers.set(change.id, change.before);
        }
        self.forget();
        // The state was held before, so without limits this cannot fail.
        let _ = self.without_limits(Self::start_again);
    }

    /// Recomputes everything derived from the atoms and numbers.
    fn start_again(&mut self) -> Result<(), BudgetExhausted> {
        let empty = Derived::new(&self.simulator.inner, &mut self.meter)?;
        (self.view, self.derived, self.found) = (empty.view, empty.derived, empty.found);
        self.follow()
    }

    /// Adds all atoms and numbers to the view of a state without any.
    fn follow(&mut self) -> Result<(), BudgetExhausted> {
        self.begin(FOLLOWING);
        let inner = &self.simulator.inner;
        let changes = &mut self.buffers.changes;
        changes.clear();
        for fact in self.atoms.iter().map(|atom| self.atoms.name(atom)) {
            let relation = inner.task.relations[fact.predicate.index()];
            changes.push(relation, fact.arguments, true);
        }
        let tests = inner.task.tests.iter();
        self.tests = tests.map(|test| vec![false; test.bindings.len()]).collect();
        test(inner, &self.numbers, &mut self.tests, changes);
        let Self { found, derived, .. } = self;
        self.view.update_within(
            changes.iter(),
            &mut self.meter,
            |meter, relation, tuple, holds| {
                found.note(inner, derived, relation, tuple, holds, meter);
            },
        )?;
        self.found.settle(inner, &self.numbers);
        self.state.take();
        Ok(())
    }
}

/// Everything that a walker derives from its state.
struct Derived {
    view: Box<View>,
    derived: AtomTable,
    found: ApplicableActions,
}

impl Derived {
    /// Derives everything from a state without fluent atoms.
    fn new(inner: &Inner, meter: &mut Meter) -> Result<Self, BudgetExhausted> {
        let (mut derived, mut found) = (no_atoms(inner), ApplicableActions::new(inner));
        let view = view(inner, meter, |meter, relation, tuple| {
            found.note(inner, &mut derived, relation, tuple, true, meter);
        })?;
        Ok(Self {
            view: Box::new(view),
            derived,
            found,
        })
    }
}

/// The name of this pass in errors about an exceeded budget.
const FOLLOWING: &str = "working out the facts and all valid actions of a state";

/// The name of the initial state in errors.
pub(super) const INITIAL: &str = "the initial state";

/// Creates an empty table for the predicates of a task.
fn no_atoms(inner: &Inner) -> AtomTable {
    let predicates = inner.task.vocabulary.predicates.iter();
    AtomTable::new(predicates.map(|predicate| predicate.signature.parameters.len()))
}

/// Re-evaluates the comparisons in axioms. Comparisons that change their truth value are changes of the program's input.
fn test(inner: &Inner, numbers: &NumberTable, held: &mut [Vec<bool>], changes: &mut Changes) {
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
                changes.push(test.relation, objects, holds);
            }
        }
        binding.clear();
    }
}

/// Formats an action in PDDL syntax.
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
