//! The simulator of a problem.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use herbrand_core::{Choice, Status, Transition};
use herbrand_dataflow::{BatchRegisters, Registers, TapeFault, ValueError};
use herbrand_distributions::{DrawKey, Draws, Quantiles, RandomGenerator};
use herbrand_limits::check_enclosing;
use herbrand_rddl::{PvariableId, PvariableKind};

use super::batches::BatchOutputs;
use super::chance::NoDraws;
use super::compiled::{CompiledInstance, GroundFluents};
use super::error::StepError;
use super::joint::{LaneInputs, Nowhere, apply};
use super::preconditions::Preconditions;
use super::valid::{Query, ValidIn};
use super::values::{FluentValue, Values};

/// A compiled problem with a current state, which is stepped by joint actions.
///
/// Simulators of one problem share the compiled [`CompiledInstance`]. A step does not allocate.
/// [`System::step`](herbrand_core::System::step) and [`advance`](Self::advance) take a step; neither stops at the
/// horizon.
#[derive(Debug)]
pub struct RddlSimulator {
    pub(super) compiled: Arc<CompiledInstance>,
    preconditions: Preconditions,
    state: Values,
    status: Status,
    /// Whether an enclosing budget was exhausted before the status of the current state was known.
    is_unsettled: bool,
    registers: Registers,
    /// Behind a lock, so that queries about a state need no exclusive access.
    asides: Mutex<QueryRegisters>,
    /// Whether the current state is the result of a step.
    stepped: bool,
    /// Whether that step was a batch step that stored only the new state. Its other results are then computed on demand.
    is_lean: bool,
    /// The state before that step, and its joint action: choices, or a row if `is_by_row`.
    before: Values,
    is_by_row: bool,
    joint: Vec<Choice>,
    acted: Values,
    /// The joint action of the next step, if given as a row.
    taken: Values,
    /// The preconditions that the joint action of that step violated, if the defaults were carried out in its place.
    replaced: Vec<usize>,
    late: OnceLock<Box<Registers>>,
    /// The random numbers of the last attempted step.
    key: Option<DrawKey>,
}

/// Registers for queries that do not change the current state.
#[derive(Clone, Debug)]
pub(super) struct QueryRegisters {
    status: Registers,
    permission: Registers,
    /// By action fluent: the last joint action that set it.
    set_by: Vec<u64>,
    joint: u64,
    pub(super) valid: Query,
}

impl Clone for RddlSimulator {
    fn clone(&self) -> Self {
        Self {
            compiled: Arc::clone(&self.compiled),
            preconditions: self.preconditions,
            state: self.state.clone(),
            status: self.status,
            is_unsettled: self.is_unsettled,
            registers: self.registers.clone(),
            asides: Mutex::new(self.asides().clone()),
            stepped: self.stepped,
            is_lean: self.is_lean,
            before: self.before.clone(),
            joint: self.joint.clone(),
            is_by_row: self.is_by_row,
            acted: self.acted.clone(),
            taken: self.taken.clone(),
            replaced: self.replaced.clone(),
            late: self.late.clone(),
            key: self.key,
        }
    }
}

impl RddlSimulator {
    /// Creates a simulator of a compiled problem in its initial state. Then call [`advance`](Self::advance) or the
    /// methods of [`System`](herbrand_core::System).
    #[must_use]
    pub fn new(compiled: Arc<CompiledInstance>, preconditions: Preconditions) -> Self {
        let mut simulator = Self {
            state: compiled.initial.clone(),
            before: compiled.initial.clone(),
            joint: Vec::new(),
            is_by_row: false,
            acted: compiled.defaults.clone(),
            taken: compiled.defaults.clone(),
            replaced: Vec::new(),
            late: OnceLock::new(),
            is_lean: false,
            status: Status::default(),
            is_unsettled: false,
            registers: compiled.step.registers(),
            asides: Mutex::new(QueryRegisters::of(&compiled)),
            stepped: false,
            key: None,
            compiled,
            preconditions,
        };
        simulator.settle();
        simulator
    }

    /// Sets the effect of violated preconditions on all later steps, and returns the simulator. Its state stays the
    /// same.
    #[must_use]
    pub fn with_preconditions(mut self, preconditions: Preconditions) -> Self {
        self.preconditions = preconditions;
        // Answers about the valid joint actions depend on the mode.
        self.asides
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
            .valid = Query::default();
        self
    }

    /// Returns the compiled problem, which other simulators can share.
    #[must_use]
    pub const fn compiled(&self) -> &Arc<CompiledInstance> {
        &self.compiled
    }

    /// Returns the effect of violated action preconditions on steps.
    #[must_use]
    pub const fn preconditions(&self) -> Preconditions {
        self.preconditions
    }

    /// Returns the current state: the values of the state fluents, grouped as in [`CompiledInstance::state`], whose
    /// [`section`](GroundFluents::section) reads them. Pass a clone to [`go_to`](Self::go_to) to return to it.
    #[must_use]
    pub const fn values(&self) -> &Values {
        &self.state
    }

    /// Returns the status of the current state: whether the episode has ended and why. The horizon does not count here.
    /// If the status cannot be computed, the episode continues.
    #[must_use]
    pub const fn current_status(&self) -> Status {
        self.status
    }

    /// Returns the indices, from 0, of the state invariants that do not hold in the current state, in the order of the
    /// domain; [`Domain::invariant_text`](herbrand_rddl::Domain::invariant_text) has their text. Empty if all hold, or
    /// if they cannot be computed.
    #[must_use]
    pub fn broken_invariants(&self) -> Vec<usize> {
        let (compiled, mut asides) = (&self.compiled, self.asides());
        let registers = &mut asides.status;
        if !self.status.broken {
            return Vec::new();
        }
        match compiled.status_of(&self.state, registers) {
            Ok(_) => false_in(registers, &compiled.registers.invariants).collect(),
            Err(_) => Vec::new(),
        }
    }

    /// Resets the simulator to the initial state. The results of the last step are forgotten.
    pub fn restart(&mut self) {
        self.state.clone_from_values(&self.compiled.initial);
        self.settle();
    }

    /// Sets the current state to `state`. The results of the last step are forgotten.
    ///
    /// # Errors
    /// [`StepError::ForeignState`] if the state belongs to another problem, with another number of values of some kind.
    pub fn go_to(&mut self, state: &Values) -> Result<(), StepError> {
        if !self.compiled.state.section.fits(state) {
            return Err(StepError::ForeignState);
        }
        self.state.clone_from_values(state);
        self.settle();
        Ok(())
    }

    /// Recomputes the status of a state that is not the result of a step.
    fn settle(&mut self) {
        let compiled = &self.compiled;
        let asides = self.asides.get_mut().unwrap_or_else(PoisonError::into_inner);
        let registers = &mut asides.status;
        (self.stepped, self.is_lean, self.key) = (false, false, None);
        self.replaced.clear();
        let status = compiled.status_of(&self.state, registers);
        self.is_unsettled = status.is_err_and(|fault| matches!(fault.error, ValueError::BudgetExhausted(_)));
        self.status = status.unwrap_or_default();
    }

    /// Takes a step: carries out a joint action in the current state with the random numbers of `draws`. `joint` has
    /// the choices that differ from the defaults. A step from a state in which the episode has ended is taken as well.
    ///
    /// # Errors
    /// Fails if the joint action is malformed, if preconditions refuse it ([`Preconditions::Refused`]), if a value
    /// cannot be computed, or if an enclosing budget is exhausted. The state is unchanged then.
    pub fn advance(&mut self, joint: &[Choice], draws: &impl Draws) -> Result<Transition, StepError> {
        self.begin(draws.key());
        let compiled = &self.compiled;
        compiled.state.section.load(&self.state, &mut self.registers);
        compiled
            .action
            .section
            .load(&compiled.defaults, &mut self.registers);
        let asides = self.asides.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Err(fault) = apply(compiled, joint, &mut self.registers, asides) {
            self.stepped = false;
            return Err(fault.into_error(compiled, joint));
        }
        match self.run(draws) {
            // A precondition may exclude joint actions whose results cannot be computed.
            Err(error @ StepError::Value { .. }) if self.preconditions.decide_steps() => {
                self.replaced = self.would_violate(joint)?;
                if self.replaced.is_empty() {
                    return Err(error);
                }
                self.arrive(draws)
            }
            result => result,
        }
    }

    /// Carries out the joint action stored as a row, with a generator keyed by one random word.
    ///
    /// # Errors
    /// Fails like [`advance`](Self::advance).
    pub(super) fn advance_taken(&mut self, word: u64) -> Result<Transition, StepError> {
        let draws = RandomGenerator::from_key(word);
        self.begin(draws.key());
        let compiled = &self.compiled;
        compiled.state.section.load(&self.state, &mut self.registers);
        compiled.action.section.load(&self.taken, &mut self.registers);
        self.run(&draws)
    }

    /// Takes the step whose inputs are in the registers.
    fn run(&mut self, draws: &impl Draws) -> Result<Transition, StepError> {
        if self.is_unsettled {
            let key = self.key;
            self.settle();
            self.key = key;
            check_enclosing("computing the status of a state")?;
        }
        self.compute(draws)?;
        self.list_violated();
        self.arrive(draws)
    }

    /// Computes the results of a step from the inputs in the registers.
    fn compute(&mut self, draws: &impl Draws) -> Result<(), StepError> {
        let ran = self.compiled.step.run(&mut self.registers, draws);
        ran.map_err(|fault| {
            self.stepped = false;
            self.replaced.clear();
            self.compiled.value_error(fault)
        })
    }

    /// Lists the preconditions that the computed step violated, if they decide it.
    fn list_violated(&mut self) {
        if self.preconditions.decide_steps() {
            self.replaced.extend(violated_in(&self.compiled, &self.registers));
        }
    }

    /// Forgets the results of the last step. `key` is the source of the next step's random numbers.
    fn begin(&mut self, key: Option<DrawKey>) {
        (self.key, self.is_lean) = (key, false);
        self.replaced.clear();
    }

    /// Returns the problem and the joint action stored as a row.
    pub(super) fn taken_mut(&mut self) -> (&CompiledInstance, &mut Values) {
        (&self.compiled, &mut self.taken)
    }

    /// Returns the joint action stored as a row.
    pub(super) const fn taken(&self) -> &Values {
        &self.taken
    }

    /// Moves to the next state in the registers. If the list of violated preconditions that decide the step is not
    /// empty, the step is refused, or computed once more with the defaults and the same random numbers.
    ///
    /// # Errors
    /// Fails if the step is refused. The state is unchanged then.
    fn arrive(&mut self, draws: &impl Draws) -> Result<Transition, StepError> {
        if let Some(&first) = self.replaced.first() {
            let compiled = &self.compiled;
            if self.preconditions == Preconditions::Refused {
                let error = compiled.violation(first);
                self.stepped = false;
                self.replaced.clear();
                return Err(error);
            }
            compiled.state.section.load(&self.state, &mut self.registers);
            compiled
                .action
                .section
                .load(&compiled.defaults, &mut self.registers);
            self.compute(draws)?;
        }
        let compiled = &self.compiled;
        compiled.next.store(&self.registers, &mut self.state);
        self.stepped = true;
        self.status = status(compiled, &self.registers);
        let reward = self.registers.reals[compiled.registers.reward as usize];
        Ok(Transition {
            reward,
            status: self.status,
        })
    }

    /// Writes a joint action to the inputs of a lane that holds the defaults. Returns `false` if the joint action is
    /// malformed.
    pub(super) fn load_joint(&mut self, joint: &[Choice], inputs: &mut LaneInputs<'_>) -> bool {
        let compiled = &self.compiled;
        let asides = self.asides.get_mut().unwrap_or_else(PoisonError::into_inner);
        apply(compiled, joint, inputs, asides).is_ok()
    }

    /// Moves to the next state in a lane of a batch. `word` is the key of the step's random numbers.
    ///
    /// # Errors
    /// Fails if preconditions refuse the step. The state is unchanged then.
    pub(super) fn arrive_by_lane(
        &mut self,
        word: u64,
        lane: usize,
        batch: &BatchRegisters,
        outputs: &BatchOutputs,
    ) -> Result<Transition, StepError> {
        self.begin(Some(DrawKey::Word(word)));
        outputs.store(batch, lane, &mut self.registers);
        self.list_violated();
        self.arrive(&RandomGenerator::from_key(word))
    }

    /// Leaves the current state by a batch step that stores only the new state. `word` is the key of its random numbers. If
    /// `joint` is `None`, the joint action is the one stored as a row.
    pub(super) fn depart(&mut self, word: u64, joint: Option<&[Choice]>) {
        self.begin(Some(DrawKey::Word(word)));
        std::mem::swap(&mut self.state, &mut self.before);
        self.is_by_row = joint.is_none();
        if self.is_by_row {
            std::mem::swap(&mut self.taken, &mut self.acted);
        }
        self.joint.clear();
        self.joint.extend_from_slice(joint.unwrap_or_default());
        self.late.take();
        (self.stepped, self.is_lean) = (true, true);
    }

    /// Returns the values to which the new state is written after [`depart`](Self::depart).
    pub(super) const fn values_mut(&mut self) -> &mut Values {
        &mut self.state
    }

    /// Finishes a batch step, given its reward, whether the episode ends, and whether the invariants hold.
    pub(super) const fn arrive_at(&mut self, (reward, terminal, sound): (f64, bool, bool)) -> Transition {
        let status = Status {
            goal: false,
            terminal,
            dead_end: false,
            broken: !sound,
        };
        self.status = status;
        Transition { reward, status }
    }

    /// Returns the registers after the last step, recomputing the step if it stored only the new state.
    fn outcome(&self) -> &Registers {
        if !self.is_lean {
            return &self.registers;
        }
        self.late.get_or_init(|| {
            let compiled = &self.compiled;
            let mut registers = Box::new(self.registers.clone());
            compiled.state.section.load(&self.before, &mut registers);
            let actions = if self.is_by_row {
                &self.acted
            } else {
                &compiled.defaults
            };
            compiled.action.section.load(actions, &mut registers);
            let applied = apply(compiled, &self.joint, &mut *registers, &mut self.asides()).is_ok();
            let word = match self.key {
                Some(DrawKey::Word(word)) => word,
                _ => 0,
            };
            let ran = compiled
                .step
                .run(&mut registers, &RandomGenerator::from_key(word));
            debug_assert!(applied && ran.is_ok(), "the step has been taken");
            registers
        })
    }

    /// Like [`advance`](Self::advance), with a generator keyed by one random word, [`RandomGenerator::from_key`]. The
    /// same word in the same state gives the same outcome.
    ///
    /// # Errors
    /// Fails like [`advance`](Self::advance). The state is unchanged then.
    pub fn advance_by(&mut self, joint: &[Choice], word: u64) -> Result<Transition, StepError> {
        self.advance(joint, &RandomGenerator::from_key(word))
    }

    /// Returns the indices, from 0, of the action preconditions that the joint action of the last step violated;
    /// state-action constraints follow the preconditions. Empty after a reset or a refused step (see
    /// [`would_violate`](Self::would_violate)), and if preconditions are ignored.
    pub fn violated(&self) -> impl Iterator<Item = usize> + '_ {
        let told = self.preconditions != Preconditions::Ignored && self.replaced.is_empty();
        let of_step = told.then(|| self.violated_by_step());
        self.replaced.iter().copied().chain(of_step.into_iter().flatten())
    }

    /// Returns whether the joint action of the last step violated an action precondition, so that the defaults were carried
    /// out in its place ([`Preconditions::Replaced`]).
    #[must_use]
    pub const fn has_replaced(&self) -> bool {
        !self.replaced.is_empty()
    }

    /// Returns the indices of the preconditions that the joint action carried out by the last step violated.
    pub(crate) fn violated_by_step(&self) -> impl Iterator<Item = usize> + '_ {
        let stepped = self.stepped;
        violated_in(&self.compiled, self.outcome()).filter(move |_| stepped)
    }

    /// Returns the reward of the last step; `None` after a reset. Also `None` if the last step was refused.
    #[must_use]
    pub fn last_reward(&self) -> Option<f64> {
        let reward = self.compiled.registers.reward as usize;
        self.stepped.then(|| self.outcome().reals[reward])
    }

    /// Returns the key of the random numbers of the last step, taken or refused; `None` if there was no step, or if its
    /// draws have no key.
    #[must_use]
    pub const fn last_key(&self) -> Option<DrawKey> {
        self.key
    }

    /// Returns the value of the intermediate or derived fluent with this index in the last step; `None` after a reset.
    /// Also `None` if the last step was refused. `fluent` is an index into [`CompiledInstance::interm`]. Panics if a
    /// step was taken and there is no such fluent.
    #[must_use]
    pub fn interm(&self, fluent: usize) -> Option<FluentValue> {
        self.stepped
            .then(|| self.compiled.interm.section.read(self.outcome(), fluent))
    }

    /// Returns the registers after a step without actions from the current state, whose derived fluents are those of this state.
    /// `None` if a value cannot be computed.
    pub(super) fn idle_step(&self) -> Option<Registers> {
        let compiled = &self.compiled;
        let mut registers = compiled.step.registers();
        compiled.state.section.load(&self.state, &mut registers);
        compiled.action.section.load(&compiled.defaults, &mut registers);
        compiled.step.run(&mut registers, &Quantiles::at(0.5)).ok()?;
        Some(registers)
    }

    /// Returns the value of the observ fluent with this index after the last step; `None` after a reset. Also `None` if
    /// the last step was refused. `fluent` is an index into [`CompiledInstance::observ`]. Panics if a step was taken
    /// and there is no such fluent.
    #[must_use]
    pub fn observed(&self, fluent: usize) -> Option<FluentValue> {
        self.stepped
            .then(|| self.compiled.observ.section.read(self.outcome(), fluent))
    }

    /// Writes the observ fluents after the last step as words. Writes nothing after a reset.
    pub(super) fn write_observed(&self, into: &mut [u64]) {
        if self.stepped {
            let section = &self.compiled.observ.section;
            section.write_register_cells(self.outcome(), into);
        }
    }

    /// Returns the first ground fluent, or the reward, that is infinite or NaN after the last step, in order of evaluation.
    /// After a reset, only state fluents are checked.
    pub(super) fn first_non_finite(&self) -> Option<(String, f64)> {
        let compiled = &self.compiled;
        let domain = &compiled.instance.domain;
        let of_fluents =
            |fluents: &GroundFluents, of: PvariableId, read: &dyn Fn(usize) -> Option<FluentValue>| {
                let first = fluents.first(of)?;
                let mut places = first..first + compiled.instance.count(of) as usize;
                places.find_map(|fluent| match read(fluent) {
                    Some(FluentValue::Real(value)) if !value.is_finite() => {
                        Some((compiled.name(fluents, fluent), value))
                    }
                    _ => None,
                })
            };
        let heads = domain.levels.iter().flatten().map(|&id| domain.cpf(id).head);
        let mut fluents = heads.filter_map(|head| match domain.pvariable(head).kind {
            PvariableKind::State => of_fluents(&compiled.state, head, &|at| Some(self.fluent(at))),
            PvariableKind::Observ => of_fluents(&compiled.observ, head, &|at| self.observed(at)),
            _ => of_fluents(&compiled.interm, head, &|at| self.interm(at)),
        });
        let reward = || self.last_reward().filter(|reward| !reward.is_finite());
        fluents
            .next()
            .or_else(|| reward().map(|reward| ("reward".to_owned(), reward)))
    }

    /// Returns the value of the state fluent with this index in the current state. `fluent` is an index into
    /// [`CompiledInstance::state`]. Panics if there is no such fluent.
    #[must_use]
    pub fn fluent(&self, fluent: usize) -> FluentValue {
        self.compiled.state.section.get(&self.state, fluent)
    }

    /// Returns the indices, from 0, of the action preconditions that a joint action would violate in the current state,
    /// whatever the mode; state-action constraints follow the preconditions. Nothing changes. Empty if the action violates
    /// none.
    ///
    /// # Errors
    /// Fails if the joint action is malformed, or a condition cannot be computed.
    pub fn would_violate(&self, joint: &[Choice]) -> Result<Vec<usize>, StepError> {
        let compiled = &self.compiled;
        let mut asides = self.asides();
        let mut registers = self.loaded(&mut asides);
        let applied = apply(compiled, joint, &mut registers, &mut asides);
        let run = compiled.permission.run(&mut registers, &NoDraws);
        let violated = violated_in(compiled, &registers).collect();
        asides.permission = registers;
        applied.map_err(|fault| fault.into_error(compiled, joint))?;
        run.map_err(|fault| compiled.value_error(fault))?;
        Ok(violated)
    }

    /// Returns whether a step in the current state accepts a joint action: whether it is well formed and, if preconditions
    /// refuse steps, violates none.
    pub(super) fn allows(&self, joint: &[Choice]) -> bool {
        match self.preconditions {
            Preconditions::Refused => self.permits(joint),
            _ => self.is_well_formed(joint),
        }
    }

    /// Returns whether a joint action is well formed and, unless preconditions are ignored, violates none in the current
    /// state.
    pub(super) fn permits(&self, joint: &[Choice]) -> bool {
        let compiled = &self.compiled;
        // Loading the state takes time for every fluent.
        if self.preconditions == Preconditions::Ignored || compiled.precondition_count() == 0 {
            return self.is_well_formed(joint);
        }
        let mut asides = self.asides();
        let mut registers = self.loaded(&mut asides);
        let allowed = apply(compiled, joint, &mut registers, &mut asides).is_ok()
            && compiled.permission.run(&mut registers, &NoDraws).is_ok()
            && violated_in(compiled, &registers).next().is_none();
        asides.permission = registers;
        allowed
    }

    fn is_well_formed(&self, joint: &[Choice]) -> bool {
        apply(&self.compiled, joint, &mut Nowhere, &mut self.asides()).is_ok()
    }

    /// Like [`CompiledInstance::samples_exactly`], for the current state, in which more preconditions may be covered. If
    /// preconditions are ignored, joint actions are drawn from all within the bounds of their fields; then it is `true`, unless the set of them is too large to be compiled or an
    /// enclosing budget is exhausted.
    #[must_use]
    pub fn samples_exactly(&self) -> bool {
        self.valid().is_some_and(|valid| valid.is_exact())
    }

    /// Returns the set of joint actions that masks and samples contain in the current state; `None` if it cannot be
    /// compiled.
    pub(super) fn valid(&self) -> Option<ValidIn<'_>> {
        let valid = self.compiled.valid(self.preconditions)?;
        Some(valid.in_state(&self.compiled, &self.state))
    }

    /// Takes out the registers of the permission tape and loads the current state and the defaults.
    fn loaded(&self, asides: &mut QueryRegisters) -> Registers {
        let mut registers = std::mem::take(&mut asides.permission);
        let compiled = &self.compiled;
        compiled.state.section.load(&self.state, &mut registers);
        compiled.action.section.load(&compiled.defaults, &mut registers);
        registers
    }

    pub(super) fn asides(&self) -> MutexGuard<'_, QueryRegisters> {
        self.asides.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CompiledInstance {
    /// Computes the status of a state that is not the result of a step. `registers` are those of the status tape, and hold
    /// its results afterwards. Conditions draw no random numbers. They can fail only in a power of an int; then neither
    /// condition is known.
    pub(super) fn status_of(&self, state: &Values, registers: &mut Registers) -> Result<Status, TapeFault> {
        self.state.section.load(state, registers);
        self.status.run(registers, &NoDraws)?;
        Ok(status(self, registers))
    }

    /// Writes a state and a joint action to the inputs of a tape.
    pub(crate) fn load(
        &self,
        state: &Values,
        joint: &[Choice],
        registers: &mut Registers,
    ) -> Result<(), StepError> {
        if !self.state.section.fits(state) {
            return Err(StepError::ForeignState);
        }
        self.state.section.load(state, registers);
        self.action.section.load(&self.defaults, registers);
        let mut asides = QueryRegisters::of(self);
        apply(self, joint, registers, &mut asides).map_err(|fault| fault.into_error(self, joint))
    }

    /// Returns the next state in the registers of a step, and its reward.
    pub(crate) fn outcome(&self, registers: &Registers) -> (Values, f64) {
        let mut state = self.initial.clone();
        self.next.store(registers, &mut state);
        (state, registers.reals[self.registers.reward as usize])
    }

    pub(crate) fn value_error(&self, fault: TapeFault) -> StepError {
        if let ValueError::BudgetExhausted(exhausted) = fault.error {
            return exhausted.into();
        }
        let (owner, place) = match fault.node {
            Some(node) => self.owner(node, fault.value),
            None => ("a value".to_owned(), None),
        };
        StepError::Value {
            owner,
            place,
            error: fault.error,
        }
    }
}

impl QueryRegisters {
    fn of(compiled: &CompiledInstance) -> Self {
        Self {
            status: compiled.status.registers(),
            permission: compiled.permission.registers(),
            set_by: vec![0; compiled.action.len()],
            joint: 0,
            valid: Query::default(),
        }
    }

    /// Begins a joint action that sets no field.
    pub(super) const fn begin_joint(&mut self) {
        self.joint += 1;
    }

    /// Sets a field in the current joint action. Returns `false` if it was already set.
    #[inline]
    pub(super) fn mark(&mut self, field: u32) -> bool {
        let set_by = &mut self.set_by[field as usize];
        std::mem::replace(set_by, self.joint) != self.joint
    }
}

impl Values {
    /// Copies values of the same section without allocating.
    fn clone_from_values(&mut self, other: &Self) {
        self.bools.copy_from_slice(&other.bools);
        self.ints.copy_from_slice(&other.ints);
        self.reals.copy_from_slice(&other.reals);
    }
}

fn status(compiled: &CompiledInstance, registers: &Registers) -> Status {
    Status {
        terminal: registers.bools[compiled.registers.terminal as usize],
        broken: !registers.bools[compiled.registers.sound as usize],
        ..Status::default()
    }
}

fn violated_in<'a>(
    compiled: &'a CompiledInstance,
    registers: &'a Registers,
) -> impl Iterator<Item = usize> + use<'a> {
    false_in(registers, &compiled.registers.preconditions)
}

/// Returns the positions, within a range of registers, of the bools that are false.
fn false_in<'a>(
    registers: &'a Registers,
    range: &std::ops::Range<u32>,
) -> impl Iterator<Item = usize> + use<'a> {
    let holds = &registers.bools[range.start as usize..range.end as usize];
    holds
        .iter()
        .enumerate()
        .filter(|(_, holds)| !**holds)
        .map(|(number, _)| number)
}
