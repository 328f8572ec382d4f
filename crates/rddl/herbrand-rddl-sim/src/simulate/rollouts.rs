//! Roll-outs: many episodes of one problem from one state, in lockstep.

use std::ops::Range;
use std::sync::Arc;

use herbrand_dataflow::{BatchRegisters, Registers, ValueType, widest};
use herbrand_limits::check_enclosing;
use smallvec::{SmallVec, smallvec};

use super::batches::Batch;
use super::chance::{LANES, RandomSource, Sources};
use super::compiled::CompiledInstance;
use super::error::StepError;
use super::values::Values;

/// The name of the pass in budget errors.
const PASS: &str = "rolling out";

/// The number of steps of a single roll-out between checks of the enclosing budgets. A step that takes long checks them
/// itself.
const STEPS_BETWEEN_CHECKS: u32 = 64;

/// The joint actions of one step for a block of consecutive roll-outs.
///
/// Passed to the callback of [`Rollouts::run`]. A value is set by the index of its ground action fluent. All other action
/// fluents have their defaults, in every step.
#[derive(Debug)]
pub struct RolloutActions<'a> {
    compiled: &'a CompiledInstance,
    bools: &'a mut [bool],
    ints: &'a mut [i64],
    reals: &'a mut [f64],
    /// The distance between the registers of consecutive rows.
    width: usize,
    /// The number of the first roll-out.
    first: usize,
    count: usize,
}

impl RolloutActions<'_> {
    /// Returns the indices, among all roll-outs of the run, of the roll-outs in the block.
    #[must_use]
    pub const fn rollouts(&self) -> Range<usize> {
        self.first..self.first + self.count
    }

    /// Sets the ground action fluent with this index, one number per roll-out of the block, in order. If there are
    /// fewer numbers, the rest keep their values. For a bool, any number except 0 is true. For ints and items, numbers
    /// are truncated towards zero, and limited to 64 bits; NaN is 0. Surplus numbers are ignored. Bounds and
    /// `max-nondef-actions` are not checked: the steps take such joint actions. `fluent` is an index into
    /// [`CompiledInstance::action`]. Panics if there is no such action fluent.
    pub fn set(&mut self, fluent: usize, values: impl IntoIterator<Item = f64>) {
        fn fill<T>(cells: &mut [T], values: impl IntoIterator<Item = f64>, as_cell: impl Fn(f64) -> T) {
            cells
                .iter_mut()
                .zip(values)
                .for_each(|(cell, value)| *cell = as_cell(value));
        }
        let section = &self.compiled.action.section;
        let row = section.register(fluent) as usize * self.width;
        let row = row..row + self.count;
        match section.kind(fluent) {
            ValueType::Bool => fill(&mut self.bools[row], values, |value| value != 0.0),
            ValueType::Int => fill(&mut self.ints[row], values, |value| value as i64),
            ValueType::Real => fill(&mut self.reals[row], values, |value| value),
        }
    }
}

/// The result of one roll-out, returned by [`Rollouts::run`].
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct RolloutEnd {
    /// The discounted sum of the roll-out's rewards; the first reward is not discounted. It may be infinite or NaN.
    pub total: f64,
    /// The number of steps taken, without a refused one; fewer than requested if the episode ended earlier.
    pub steps: u32,
    /// Whether the roll-out ended because a value of a step could not be computed, or because a step violated an action
    /// precondition, with [`Rollouts::enforcing_preconditions`].
    pub refused: bool,
    /// Whether the last step broke a state invariant, which ended the roll-out. The total includes its reward. Also set
    /// if the first state breaks one; then there is no step.
    pub broken: bool,
}

/// A simulator that runs many roll-outs of a problem in lockstep. A roll-out is an episode from a given state, with actions
/// that the caller chooses.
///
/// With [`RandomSource::Seed`], roll-out `i` visits the same states, bit for bit, as a single simulator with the draws
/// [`RandomGenerator::keyed(seed, i, step)`](herbrand_distributions::RandomGenerator::keyed).
///
/// ```
/// use std::sync::Arc;
/// use herbrand_rddl_sim::simulate::{RandomSource, Rollouts};
/// use herbrand_rddl_sim::suite::RddlSuite;
///
/// let suite = RddlSuite::bundled("rddl/cartpole-continuous")?;
/// let mut rollouts = Rollouts::new(Arc::clone(suite.compiled(0)?));
/// let start = rollouts.compiled().initial().clone();
/// // Two hundred carts, each pushed with a force of its own.
/// let ends = rollouts.run(&start, 200, 50, 0.99, RandomSource::Seed(1), |_, actions| {
///     let forces = actions.rollouts().map(|number| number as f64 / 100.0 - 1.0);
///     actions.set(0, forces);
/// })?;
/// assert_eq!(ends.len(), 200);
/// # Ok::<(), herbrand_rddl_sim::suite::RddlError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rollouts {
    compiled: Arc<CompiledInstance>,
    /// Whether a step that violates a precondition ends its roll-out.
    enforced: bool,
    /// The rows of a step's results on the batch tape; `None` for a problem without a batch tape.
    rows: Option<Rows>,
    ends: Vec<RolloutEnd>,
    /// The number of steps computed by the last run.
    computed: u64,
    /// Registers for single steps: after a batch step failed, or if there is no batch tape.
    single: Registers,
    /// Registers for the status of the first state.
    status: Registers,
}

/// The rows of a batch tape that roll-outs read.
#[derive(Clone, Debug)]
struct Rows {
    /// By state fluent: its kind, its row after the step and its register before the step.
    state: Vec<(ValueType, u32, u32)>,
    reward: u32,
    terminal: u32,
    sound: u32,
    preconditions: Vec<u32>,
}

/// Returns the batch tape of roll-outs. It computes preconditions only if they are enforced.
fn batch(compiled: &CompiledInstance, enforced: bool) -> Option<&Batch> {
    if enforced {
        compiled.batches.whole()
    } else {
        compiled.batches.lean()
    }
}

impl Rows {
    fn new(compiled: &CompiledInstance, enforced: bool) -> Option<Self> {
        batch(compiled, enforced).and_then(|batch| Self::of(compiled, batch, enforced))
    }

    fn of(compiled: &CompiledInstance, batch: &Batch, enforced: bool) -> Option<Self> {
        let row = |kind, register| batch.outputs.row(kind, register);
        let state = |at: usize| {
            let (before, after) = (&compiled.state.section, &compiled.next);
            let kind = after.kind(at);
            Some((kind, row(kind, after.register(at))?, before.register(at)))
        };
        let outcome = &compiled.registers;
        Some(Self {
            state: (0..compiled.state.len()).map(state).collect::<Option<_>>()?,
            reward: row(ValueType::Real, outcome.reward)?,
            terminal: row(ValueType::Bool, outcome.terminal)?,
            sound: row(ValueType::Bool, outcome.sound)?,
            preconditions: if enforced {
                let all = outcome.preconditions.clone();
                all.map(|register| row(ValueType::Bool, register))
                    .collect::<Option<_>>()?
            } else {
                Vec::new()
            },
        })
    }
}

/// The parameters shared by all roll-outs of a call.
#[derive(Clone, Copy)]
struct Terms<'a> {
    from: &'a Values,
    steps: u32,
    discount: f64,
    chance: RandomSource,
}

/// The result of a step.
struct Arrival {
    reward: f64,
    terminal: bool,
    broken: bool,
    violated: bool,
}

impl RolloutEnd {
    /// Counts a step. Returns whether the roll-out continues.
    fn count(&mut self, arrival: Option<&Arrival>, weight: f64, enforced: bool) -> bool {
        match arrival {
            Some(arrival) if !(enforced && arrival.violated) => {
                self.total += weight * arrival.reward;
                self.steps += 1;
                self.broken = arrival.broken;
                !arrival.terminal && !arrival.broken
            }
            _ => {
                self.refused = true;
                false
            }
        }
    }
}

impl Rollouts {
    /// Creates a simulator of roll-outs for a compiled problem. Then call [`run`](Self::run).
    #[must_use]
    pub fn new(compiled: Arc<CompiledInstance>) -> Self {
        Self {
            single: compiled.step.registers(),
            status: compiled.status.registers(),
            rows: Rows::new(&compiled, false),
            compiled,
            enforced: false,
            ends: Vec::new(),
            computed: 0,
        }
    }

    /// Sets whether a step that violates an action precondition ends its roll-out; by default it is taken. Returns the
    /// simulator.
    #[must_use]
    pub fn enforcing_preconditions(mut self, enforced: bool) -> Self {
        if self.enforced != enforced {
            self.enforced = enforced;
            self.rows = Rows::new(&self.compiled, enforced);
        }
        self
    }

    /// Returns the compiled problem of the roll-outs.
    #[must_use]
    pub const fn compiled(&self) -> &Arc<CompiledInstance> {
        &self.compiled
    }

    /// Returns the number of roll-outs that are stepped together in one pass; 1 for a problem without a batch tape.
    #[must_use]
    pub fn width(&self) -> usize {
        let batch = self.rows.as_ref().and(batch(&self.compiled, self.enforced));
        batch.map_or(1, |batch| batch.tape.width())
    }

    /// Returns the number of steps that the last [`run`](Self::run) computed. The roll-outs of a pass continue until the
    /// last one ends, so this includes steps of roll-outs that had already ended. It is 0 before the first run.
    #[must_use]
    pub const fn computed_steps(&self) -> u64 {
        self.computed
    }

    /// Runs `count` roll-outs of at most `steps` steps from the state `from`, and returns the result of each, in order.
    /// Rewards are multiplied by `discount` per step, and `chance` is the source of random numbers.
    ///
    /// `act` sets the joint actions of a step, given the step's number from 0, for a block of consecutive roll-outs. It
    /// is called for every step of one block before the next block. With a `count` of 0 there are no results. A roll-out
    /// ends by a termination condition, a broken state invariant or a refused step; the horizon of the instance does not
    /// count. From a state that already [ends an episode](herbrand_core::Status::is_final), no roll-out takes a step.
    ///
    /// # Errors
    /// [`StepError::ForeignState`] if the state belongs to another problem. [`StepError::BudgetExhausted`] if a budget that
    /// [encloses](herbrand_limits::Budget::enclose) the call is exhausted. A step that cannot be computed is no error: it
    /// ends its roll-out ([`RolloutEnd::refused`]).
    pub fn run(
        &mut self,
        from: &Values,
        count: usize,
        steps: u32,
        discount: f64,
        chance: RandomSource,
        mut act: impl FnMut(u32, &mut RolloutActions<'_>),
    ) -> Result<&[RolloutEnd], StepError> {
        let compiled = Arc::clone(&self.compiled);
        if !compiled.state.section.fits(from) {
            return Err(StepError::ForeignState);
        }
        self.ends.clear();
        self.computed = 0;
        self.ends.resize(count, RolloutEnd::default());
        let status = compiled.status_of(from, &mut self.status);
        if let Ok(status) = status
            && status.is_final()
        {
            self.ends.iter_mut().for_each(|end| end.broken = status.broken);
            return Ok(&self.ends);
        }
        let terms = Terms {
            from,
            steps,
            discount,
            chance,
        };
        match batch(&compiled, self.enforced).zip(self.rows.take()) {
            Some((batch, rows)) => {
                let mut registers = batch.take();
                let width = batch.tape.width();
                for first in (0..count).step_by(width) {
                    let part = first..count.min(first + width);
                    self.block(batch, &rows, &mut registers, part, terms, &mut act);
                }
                batch.put_back(registers);
                self.rows = Some(rows);
            }
            None => {
                for number in 0..count {
                    check_enclosing(PASS)?;
                    self.alone(number, terms, &mut act);
                }
            }
        }
        check_enclosing(PASS)?;
        Ok(&self.ends)
    }

    /// Runs the roll-outs of a block.
    fn block(
        &mut self,
        batch: &Batch,
        rows: &Rows,
        registers: &mut BatchRegisters,
        part: Range<usize>,
        terms: Terms<'_>,
        act: &mut impl FnMut(u32, &mut RolloutActions<'_>),
    ) {
        let compiled = Arc::clone(&self.compiled);
        let (width, count) = (registers.width(), part.len());
        compiled.state.section.load_lanes(terms.from, registers);
        let mut lanes = LaneEnds::new(count);
        let mut sources = Sources::new(terms.chance, part.clone());
        let mut weight = 1.0;
        for step in 0..terms.steps {
            // `run` returns the error, and the results are discarded.
            if check_enclosing(PASS).is_err() {
                break;
            }
            compiled
                .action
                .section
                .load_lanes(compiled.no_action(), registers);
            let (bools, ints, reals) = registers.rows_mut();
            act(
                step,
                &mut RolloutActions {
                    compiled: &compiled,
                    bools,
                    ints,
                    reals,
                    width,
                    first: part.start,
                    count,
                },
            );
            if sources.run(batch, registers, step).is_err() {
                self.one_by_one(batch, registers, part.clone(), terms.chance, step, &mut lanes);
            }
            self.computed += count as u64;
            lanes.count(rows, registers, weight, step, self.enforced);
            if !lanes.running.contains(&true) {
                break;
            }
            weight *= terms.discount;
            for &(kind, from, to) in &rows.state {
                let (from, to) = (from as usize * width, to as usize * width);
                let from = from..from + count;
                match kind {
                    ValueType::Bool => registers.bools_mut().copy_within(from, to),
                    ValueType::Int => registers.ints_mut().copy_within(from, to),
                    ValueType::Real => registers.reals_mut().copy_within(from, to),
                }
            }
        }
        for (end, lane) in self.ends[part].iter_mut().zip(0..) {
            *end = lanes.end(lane, terms.steps);
        }
    }

    /// Retries the step of each lane individually. Lanes whose step fails are refused.
    fn one_by_one(
        &mut self,
        batch: &Batch,
        registers: &mut BatchRegisters,
        part: Range<usize>,
        chance: RandomSource,
        step: u32,
        lanes: &mut LaneEnds,
    ) {
        let inputs = [&self.compiled.state.section, &self.compiled.action.section];
        for (lane, number) in part.enumerate() {
            if !lanes.running[lane] {
                continue;
            }
            for section in inputs {
                section.take_lane(registers, lane, &mut self.single);
            }
            let draws = chance.draws(number, step);
            if self.compiled.step.run(&mut self.single, &draws).is_ok() {
                batch.outputs.put(&self.single, lane, registers);
            } else {
                lanes.refuse(lane, step);
            }
        }
    }

    /// Runs one roll-out without a batch tape.
    fn alone(&mut self, number: usize, terms: Terms<'_>, act: &mut impl FnMut(u32, &mut RolloutActions<'_>)) {
        let compiled = Arc::clone(&self.compiled);
        let (registers, end) = (&mut self.single, &mut self.ends[number]);
        let mut state = terms.from.clone();
        let mut weight = 1.0;
        for step in 0..terms.steps {
            // `run` returns the error, and the results are discarded.
            if step.is_multiple_of(STEPS_BETWEEN_CHECKS) && check_enclosing(PASS).is_err() {
                break;
            }
            compiled.state.section.load(&state, registers);
            compiled.action.section.load(compiled.no_action(), registers);
            act(
                step,
                &mut RolloutActions {
                    compiled: &compiled,
                    bools: &mut registers.bools,
                    ints: &mut registers.ints,
                    reals: &mut registers.reals,
                    width: 1,
                    first: number,
                    count: 1,
                },
            );
            let draws = terms.chance.draws(number, step);
            self.computed += 1;
            let arrival = match compiled.step.run(registers, &draws) {
                Ok(()) => Some(Arrival::of(&compiled, registers)),
                Err(_) => None,
            };
            if !end.count(arrival.as_ref(), weight, self.enforced) {
                break;
            }
            weight *= terms.discount;
            compiled.next.store(registers, &mut state);
        }
    }
}

/// The progress of the roll-outs of a block.
struct LaneEnds {
    running: SmallVec<[bool; LANES]>,
    totals: SmallVec<[f64; LANES]>,
    /// By lane that has ended: the number of steps taken.
    steps: SmallVec<[u32; LANES]>,
    refused: SmallVec<[bool; LANES]>,
    broken: SmallVec<[bool; LANES]>,
}

impl LaneEnds {
    fn new(count: usize) -> Self {
        Self {
            running: smallvec![true; count],
            totals: smallvec![0.0; count],
            steps: smallvec![0; count],
            refused: smallvec![false; count],
            broken: smallvec![false; count],
        }
    }

    /// Ends a lane whose step number `step` failed or is forbidden.
    fn refuse(&mut self, lane: usize, step: u32) {
        (self.running[lane], self.refused[lane], self.steps[lane]) = (false, true, step);
    }

    /// Counts step number `step` in the running lanes.
    fn count(&mut self, rows: &Rows, registers: &BatchRegisters, weight: f64, step: u32, enforced: bool) {
        let count = self.running.len();
        let row = |register: u32| register as usize * registers.width();
        let bools = |register: u32| &registers.bools()[row(register)..][..count];
        if enforced {
            for &precondition in &rows.preconditions {
                let holds = bools(precondition);
                for (lane, holds) in holds.iter().enumerate() {
                    if self.running[lane] && !holds {
                        self.refuse(lane, step);
                    }
                }
            }
        }
        let rewards = &registers.reals()[row(rows.reward)..][..count];
        let (terminal, sound) = (bools(rows.terminal), bools(rows.sound));
        let (running, totals) = (&self.running[..], &mut self.totals[..]);
        let some_ended = widest(
            #[inline(always)]
            || {
                for (total, (&running, &reward)) in totals.iter_mut().zip(running.iter().zip(rewards)) {
                    *total = if running { *total + weight * reward } else { *total };
                }
                let over = running.iter().zip(terminal.iter().zip(sound));
                over.fold(false, |any, (running, (terminal, sound))| {
                    any | (running & (terminal | !sound))
                })
            },
        );
        if some_ended {
            for lane in 0..count {
                if self.running[lane] && (terminal[lane] || !sound[lane]) {
                    (self.running[lane], self.steps[lane]) = (false, step + 1);
                    self.broken[lane] = !sound[lane];
                }
            }
        }
    }

    /// Returns the result of a lane after at most `steps` steps.
    fn end(&self, lane: usize, steps: u32) -> RolloutEnd {
        RolloutEnd {
            total: self.totals[lane],
            steps: if self.running[lane] {
                steps
            } else {
                self.steps[lane]
            },
            refused: self.refused[lane],
            broken: self.broken[lane],
        }
    }
}

impl Arrival {
    fn of(compiled: &CompiledInstance, registers: &Registers) -> Self {
        let outcome = &compiled.registers;
        let holds =
            &registers.bools[outcome.preconditions.start as usize..outcome.preconditions.end as usize];
        Self {
            reward: registers.reals[outcome.reward as usize],
            terminal: registers.bools[outcome.terminal as usize],
            broken: !registers.bools[outcome.sound as usize],
            violated: holds.contains(&false),
        }
    }
}
