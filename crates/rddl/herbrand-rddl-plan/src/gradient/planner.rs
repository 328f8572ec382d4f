//! Straight-line plans by gradient ascent.

use std::sync::Arc;

use herbrand_core::{Choice, Random, uniform_unit};
use herbrand_distributions::RandomGenerator;
use herbrand_limits::Instant;
use herbrand_rddl_sim::simulate::{CompiledInstance, Preconditions, RddlSimulator, StepError, Values};

use super::adam::Adam;
use super::plans::Plans;
use super::program::Relaxed;
use super::squash::Squash;
use super::unroll::Unrolled;
use crate::plan::{
    BestPlans, Candidates, EpisodeSteps, HELD, HOLDS, PauseCondition, PlanOptions, StraightPlan, Trials,
    check_bytes, in_time, replans, steps, times,
};

/// The number of ascent steps between two trials of the plans by real steps. Trials cost less if the problem is
/// deterministic.
const TRIED_EVERY: u32 = 20;
const TRIED_EVERY_IF_CERTAIN: u32 = 4;

/// The number of ascent steps without a better plan after which half of the plans start again: from random points, and
/// near the best plan so far.
const PATIENCE: u32 = 100;

/// The sharpness that the steps have in the end, if none is given.
const SHARPNESS: f64 = 10.0;

/// The factor by which every second plan has sharper steps in the end.
const SHARPER: f64 = 10.0;

/// The distance from doing nothing at which plans with low rates start.
const NEAR: f64 = 0.1;

/// The part of the search after which the sharpness stays the same.
const SHARPENED: f64 = 0.75;

/// The distances from the best plan at which plans start again, in turn.
const NOISE: [f64; 4] = [0.5, 0.2, 0.1, 0.05];

/// The bytes of a parameter of a plan: with its gradient, its moving averages and its rounded value.
const PER_PARAMETER: usize = 8 * size_of::<f64>();

/// The number of scenarios, and the interval in trials, for finding out whether the problem is deterministic.
const ASKED_ON: usize = 8;
const ASKED_EVERY: u64 = 8;

/// A planner that improves straight-line plans by the gradient of their returns over relaxed steps (Gimelfarb, Taitler
/// and Sanner, "JaxPlan and GurobiPlan", 2024; Scaroni and others, "Planning by backprop", 2017).
///
/// Each ascent step is a step of Adam, followed by a projection to the bounds and to the number of fields that may be
/// set at once. Plans are rounded and tried by real steps. The best plan found is the result.
///
/// During the ascent, half of the plans have feedback, unless the number of fields that may be set is limited: an action is
/// also a linear function of the state, with the same gains in all steps. Their actions in a roll-out of real steps are
/// a straight-line plan. An unstable system can be steered that way, where the first actions of a fixed plan would decide
/// all later states.
///
/// ```
/// use std::sync::Arc;
/// use herbrand_limits::Budget;
/// use herbrand_rddl_plan::gradient::{GradientPlanner, Relaxed};
/// use herbrand_rddl_plan::plan::PlanOptions;
/// use herbrand_rddl_sim::suite::RddlSuite;
///
/// let suite = RddlSuite::bundled("rddl/mountain-car")?;
/// let compiled = suite.compiled(0)?;
/// let relaxed = Arc::new(Relaxed::new(&compiled.instance, &Budget::unlimited())?);
/// let options = PlanOptions { lookahead: Some(5), iterations: Some(10), ..PlanOptions::default() };
/// let plan = GradientPlanner::new(relaxed, options).plan(compiled.initial())?;
/// assert_eq!(plan.steps.len(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GradientPlanner {
    options: PlanOptions,
    trials: Trials,
    unrolled: Unrolled,
    squashes: Vec<Squash>,
    adam: Adam,
    random: Random,
    plans: Plans,
    /// Whether the scales of this problem were measured for the current lanes.
    calibrated: bool,
    /// Takes the real steps of plans with feedback; made on first use.
    simulator: Option<RddlSimulator>,
    /// By plan: the factor of the learning rate. Empty before the first search.
    rates: Vec<f64>,
    /// The number of steps of a plan. The plans have none before the first search.
    steps: usize,
    /// The number of ascent steps so far.
    ascents: u64,
    /// The number of trials so far.
    tries: u64,
    /// The number of ascent steps since the best plan became better, or since the last restart.
    waited: u32,
    restarts: u64,
    episode: EpisodeSteps,
    kept: BestPlans,
}

fn rate(options: &PlanOptions) -> f64 {
    options.rate.unwrap_or(0.1)
}

fn sharpness(options: &PlanOptions) -> f64 {
    options.sharpness.unwrap_or(SHARPNESS)
}

/// Returns the factor of the learning rate of each plan.
fn rates(candidates: usize) -> Vec<f64> {
    if candidates == 1 {
        return vec![1.0];
    }
    let last = (candidates - 1) as f64;
    let rate = |candidate| 10_f64.powf(3.0 * candidate as f64 / last - 2.0);
    (0..candidates).map(rate).collect()
}

/// Creates a simulator that takes every step.
fn simulator(compiled: &Arc<CompiledInstance>) -> RddlSimulator {
    RddlSimulator::new(Arc::clone(compiled), Preconditions::Ignored)
}

/// Takes up to `steps` real steps from a state; returns their number until the episode ends.
fn walk(
    simulator: &mut RddlSimulator,
    state: &Values,
    draws: RandomGenerator,
    steps: usize,
    mut act: impl FnMut(usize, &Values) -> Vec<Choice>,
) -> Result<usize, StepError> {
    simulator.go_to(state)?;
    for step in 0..steps {
        let joint = act(step, simulator.values());
        let arrival = simulator.advance(&joint, &draws.at_step(step as u64));
        if arrival.is_ok_and(|arrival| arrival.status.terminal || arrival.status.broken) {
            return Ok(step + 1);
        }
    }
    Ok(steps)
}

impl GradientPlanner {
    /// Creates a planner for the problem of `relaxed`. It has no plans until [`plan`](Self::plan) is called.
    #[must_use]
    pub fn new(relaxed: Arc<Relaxed>, options: PlanOptions) -> Self {
        let compiled = Arc::clone(relaxed.compiled());
        let squashes = Squash::all(compiled.actions());
        let most = compiled.actions().most();
        let plans = Plans::new(squashes.clone(), most, (0, 0, 0), 0, options.risk);
        Self {
            steps: steps(&compiled.instance, options.lookahead) as usize,
            episode: EpisodeSteps::new(&compiled.instance),
            trials: Trials::new(compiled, options.enforced, options.risk, options.seed),
            unrolled: Unrolled::new(relaxed, 0, sharpness(&options)),
            adam: Adam::new(0, rate(&options)),
            rates: Vec::new(),
            random: Random::new(options.seed).stream(0),
            plans,
            calibrated: false,
            simulator: None,
            squashes,
            options,
            ascents: 0,
            tries: 0,
            waited: 0,
            restarts: 0,
            kept: BestPlans::default(),
        }
    }

    /// Makes the plans and the lanes of their roll-outs, if the limit of memory allows them.
    pub(crate) fn prepare(&mut self) -> Result<(), StepError> {
        if self.plans.steps == self.steps && !self.rates.is_empty() {
            return Ok(());
        }
        let relaxed = Arc::clone(self.unrolled.relaxed());
        let compiled = relaxed.compiled();
        let (candidates, scenarios) = (
            self.options.candidates.unwrap_or(8).max(1),
            self.options.scenarios(),
        );
        let (states, fields) = (compiled.state.len(), self.squashes.len());
        // Feedback takes at most about as much time as the steps themselves.
        let has_feedback = self.plans.most >= fields && states.saturating_mul(fields) <= relaxed.len();
        let fluents = if has_feedback { states } else { 0 };
        let plans = times(&[
            self.steps.saturating_add(fluents),
            fields,
            candidates,
            PER_PARAMETER,
        ]);
        let lanes = candidates.saturating_mul(scenarios);
        let needed = plans
            .saturating_add(times(&[
                self.steps,
                fields.saturating_add(1),
                size_of::<f64>(),
                HELD,
            ]))
            .saturating_add(Unrolled::bytes(&relaxed, lanes, self.steps));
        check_bytes(self.options.bytes, needed)?;
        if self.rates.is_empty() {
            self.rates = rates(candidates);
            self.unrolled = Unrolled::new(relaxed, lanes, sharpness(&self.options));
            let shape = (candidates, scenarios, 0);
            let squashes = self.squashes.clone();
            self.plans = Plans::new(squashes, self.plans.most, shape, fluents, self.options.risk);
        }
        self.plans.set_steps(self.steps);
        self.adam = Adam::new(self.plans.parameters.len(), rate(&self.options));
        (0..self.steps).for_each(|step| self.begin_step(step));
        Ok(())
    }

    /// Initialises a step of all plans: the first plan does nothing, the others are random. Plans with low rates start
    /// close to doing nothing.
    fn begin_step(&mut self, step: usize) {
        for field in 0..self.squashes.len() {
            for candidate in 0..self.plans.candidates {
                let place = self.plans.place(step, field, candidate);
                self.plans.parameters[place] = self.first_parameter(step, field, candidate);
            }
        }
    }

    /// Returns the parameter with which a plan starts. Some plans hold a random number for several steps, like those of
    /// [`SamplingPlanner`](crate::plan::SamplingPlanner).
    fn first_parameter(&mut self, step: usize, field: usize, candidate: usize) -> f64 {
        let squash = self.squashes[field];
        let idle = squash.parameter(squash.default());
        let random = 2.0 * uniform_unit(&mut self.random) - 1.0;
        if candidate == 0 {
            return idle;
        }
        if !step.is_multiple_of(HOLDS[candidate % HOLDS.len()]) {
            return self.plans.parameters[self.plans.place(step - 1, field, candidate)];
        }
        match squash {
            Squash::Bool { .. } => 0.3 * idle + random,
            Squash::Between { .. } if 2 * candidate <= self.plans.candidates => {
                squash.project(idle + NEAR * random)
            }
            Squash::Between { .. } => random,
            Squash::Open { .. } => squash.project(idle + random),
        }
    }

    /// Starts every second plan again: in turn at a random point, and near the best plan. Of the latter, some keep the first
    /// steps of the best plan.
    fn start_again(&mut self, state: &Values) -> Result<(), StepError> {
        let best = self.kept.best().map(|(_, plan)| plan.clone());
        let fields = self.squashes.len();
        let ran = match &best {
            Some(plan) => self.length(state, plan)?,
            None => 0,
        };
        for candidate in (1..self.plans.candidates).step_by(2) {
            let turn = candidate / 2 + self.restarts as usize;
            let noise = NOISE[turn / 2 % NOISE.len()];
            let near = best.as_ref().filter(|_| turn.is_multiple_of(2));
            let hold = HOLDS[turn / 2 % HOLDS.len()];
            let mut held = vec![0.0; fields];
            let kept = match near {
                Some(_) if turn.is_multiple_of(4) => (uniform_unit(&mut self.random) * ran as f64) as usize,
                _ => 0,
            };
            self.plans.forget_feedback(candidate);
            for step in 0..self.plans.steps {
                for field in 0..fields {
                    let place = self.plans.place(step, field, candidate);
                    self.plans.parameters[place] = match near {
                        Some(plan) => {
                            if step >= kept && step % hold == 0 {
                                held[field] = noise * (2.0 * uniform_unit(&mut self.random) - 1.0);
                            }
                            let squash = self.squashes[field];
                            squash.project(squash.parameter(plan[step * fields + field]) + held[field])
                        }
                        None => self.first_parameter(step, field, candidate),
                    };
                }
            }
        }
        self.adam = Adam::new(self.plans.parameters.len(), rate(&self.options));
        self.plans.means.clear();
        self.restarts += 1;
        Ok(())
    }

    /// Returns the number of real steps that a plan takes until the episode ends.
    fn length(&mut self, state: &Values, plan: &[f64]) -> Result<usize, StepError> {
        let (steps, fields) = (self.plans.steps, self.squashes.len());
        let draws = RandomGenerator::of_environment(self.options.seed, 0);
        let trials = &self.trials;
        let simulator = self.simulator.get_or_insert_with(|| simulator(trials.compiled()));
        walk(simulator, state, draws, steps, |step, _| {
            trials.as_joint(&plan[step * fields..][..fields])
        })
    }

    /// Rounds plans to valid joint actions. The actions of plans with feedback are those of a roll-out of real steps.
    fn rounded(&mut self, state: &Values, of_means: bool) -> Result<Candidates, StepError> {
        let Self { plans, trials, .. } = self;
        let parameters = if of_means { &plans.means } else { &plans.parameters };
        let mut candidates = plans.rounded(parameters);
        let draws = RandomGenerator::of_environment(self.options.seed, 0);
        for candidate in (0..plans.candidates).filter(|&candidate| plans.feeds(candidate)) {
            let simulator = self.simulator.get_or_insert_with(|| simulator(trials.compiled()));
            let section = trials.compiled().state.section();
            let mut act = |step: usize, values: &Values| {
                let number = |fluent| section.get(values, fluent).number();
                let joint = plans.joint(parameters, (step, candidate), number);
                candidates.set(step, candidate, &joint);
                trials.as_joint(&joint)
            };
            let ran = walk(simulator, state, draws, plans.steps, &mut act)?;
            for step in ran..plans.steps {
                act(step, simulator.values());
            }
        }
        Ok(candidates)
    }

    /// Returns the generators of the lanes for the next ascent step.
    fn environments(&self) -> Vec<RandomGenerator> {
        let (seed, scenarios) = (
            self.options.seed ^ (self.ascents << 20),
            self.plans.scenarios as u64,
        );
        let lanes = 0..self.unrolled.lanes() as u64;
        lanes
            .map(|lane| RandomGenerator::of_environment(seed, lane % scenarios))
            .collect()
    }

    /// Measures the scales of this problem in roll-outs of the plans.
    fn calibrate(&mut self, state: &Values) {
        let (steps, environments) = (self.plans.steps, self.environments());
        self.unrolled
            .calibrate(state, steps, &environments, &mut self.plans);
        self.trials.count((self.unrolled.lanes() * steps) as u64);
        // Gains are in units of the first scales.
        if self.ascents == 0 {
            let lanes = self.unrolled.lanes();
            for (fluent, scale) in self.plans.scales.iter_mut().enumerate() {
                let of_step = |step| &self.unrolled.state(step)[fluent * lanes..][..lanes];
                let values = (0..=steps).flat_map(of_step);
                let most = values.fold(0.0, |most: f64, value| most.max(value.abs()));
                *scale = if most > 0.0 && most.is_finite() {
                    1.0 / most
                } else {
                    1.0
                };
            }
        }
        self.calibrated = true;
    }

    /// Sets the sharpness after a part of the search, from 0 to 1. Every second plan has sharper steps.
    fn sharpen(&mut self, part: f64) {
        let part = (part / SHARPENED).min(1.0);
        let by_plan = match self.options.sharpness {
            Some(same) => [same, same],
            None => [SHARPNESS.powf(part), SHARPNESS * SHARPER.powf(part)],
        };
        let lanes = self
            .unrolled
            .sharpness_mut()
            .chunks_exact_mut(self.plans.scenarios);
        for (candidate, lanes) in lanes.enumerate() {
            lanes.fill(by_plan[candidate % 2]);
        }
    }

    /// Searches for a plan from `state` and returns the best plan that this call found, or the plan that does nothing
    /// if that is better. The ascent starts from the plans that the last call left; [`begin`](crate::plan::Agent::begin)
    /// reinitialises them. To act in each state, use the planner as an [`Agent`](crate::plan::Agent).
    ///
    /// # Errors
    /// [`StepError::ForeignState`] if the state belongs to another problem. [`StepError::BudgetExhausted`] if an
    /// enclosing budget is cancelled; if its time is over, the best plan so far is returned.
    pub fn plan(&mut self, state: &Values) -> Result<StraightPlan, StepError> {
        if let Some(plan) = StraightPlan::after_end(self.trials.compiled(), state)? {
            return Ok(plan);
        }
        let time = self.options.time.map(|time| Instant::now() + time);
        self.forget();
        let iterations = self.options.iterations.unwrap_or(200).max(1);
        self.search(state, PauseCondition { iterations, time })?;
        let plans = self.finalists();
        self.trials.choose(state, &plans, self.plans.steps)
    }

    /// Forgets the results for a previous state.
    pub(crate) fn forget(&mut self) {
        self.trials.forget();
        (self.ascents, self.tries, self.kept) = (0, 0, BestPlans::default());
        (self.waited, self.calibrated) = (0, false);
    }

    /// Improves the plans. Trials for which an enclosing budget has no time left end the search.
    pub(crate) fn search(&mut self, state: &Values, until: PauseCondition) -> Result<(), StepError> {
        in_time(self.ascend(state, until)).map(drop)
    }

    fn ascend(&mut self, state: &Values, until: PauseCondition) -> Result<(), StepError> {
        if !self.trials.compiled().state.section().fits(state) {
            return Err(StepError::ForeignState);
        }
        self.prepare()?;
        let steps = self.plans.steps;
        let begin = Instant::now();
        for iteration in 0..until.iterations {
            if iteration > 0 && until.is_late() {
                break;
            }
            let every = if self.trials.is_certain() {
                TRIED_EVERY_IF_CERTAIN
            } else {
                TRIED_EVERY
            };
            if iteration % every == 0 {
                let before = self.kept.best().map(|best| best.0);
                self.try_out(state)?;
                self.waited = if self.kept.best().map(|best| best.0) > before {
                    0
                } else {
                    self.waited + every
                };
                if self.waited >= PATIENCE {
                    self.waited = 0;
                    self.start_again(state)?;
                }
            }
            if !self.calibrated {
                self.calibrate(state);
            }
            let part = f64::from(iteration) / f64::from(until.iterations);
            let part = match until.time {
                Some(time) => {
                    let whole = (time - begin).as_secs_f64();
                    part.max(begin.elapsed().as_secs_f64() / whole.max(f64::MIN_POSITIVE))
                }
                None => part,
            };
            self.sharpen(part);
            let environments = self.environments();
            self.ascents += 1;
            self.plans.gradients.fill(0.0);
            self.unrolled
                .differentiate(state, steps, &environments, &mut self.plans);
            self.trials.count((self.unrolled.lanes() * steps) as u64);
            self.plans.keep_to_limit();
            let Plans {
                parameters,
                gradients,
                ..
            } = &mut self.plans;
            self.adam.ascend_each(parameters, gradients, &self.rates);
            self.plans.project();
            self.plans.average();
        }
        self.try_out(state)
    }

    /// Returns the best plan so far, with its mean return on the common scenarios.
    pub(crate) fn best(&self) -> Option<&(f64, Vec<f64>)> {
        self.kept.best()
    }

    /// Returns the best plans found, and doing nothing.
    pub(crate) fn finalists(&mut self) -> Vec<Vec<f64>> {
        let steps = 0..self.plans.steps;
        let idle = steps.flat_map(|_| self.squashes.iter().map(Squash::default));
        self.kept.take_beside(idle.collect())
    }

    /// Replaces every second plan by this one.
    pub(crate) fn adopt(&mut self, plan: &[f64]) -> Result<(), StepError> {
        self.prepare()?;
        let fields = self.squashes.len();
        for (place, &value) in plan.iter().enumerate() {
            let (step, field) = (place / fields, place % fields);
            for candidate in (0..self.plans.candidates).step_by(2) {
                let place = self.plans.place(step, field, candidate);
                self.plans.parameters[place] = self.squashes[field].parameter(value);
            }
        }
        let replaced = (0..self.plans.candidates).step_by(2);
        replaced.for_each(|candidate| self.plans.forget_feedback(candidate));
        self.adam = Adam::new(self.plans.parameters.len(), rate(&self.options));
        self.plans.means.clear();
        Ok(())
    }

    pub(crate) const fn trials(&mut self) -> &mut Trials {
        &mut self.trials
    }

    /// Rounds all plans, tries them by real steps, and keeps the best plans so far.
    fn try_out(&mut self, state: &Values) -> Result<(), StepError> {
        let mut candidates = self.rounded(state, false)?;
        if self.tries.is_multiple_of(ASKED_EVERY) {
            self.trials.score(state, &mut candidates, ASKED_ON, self.tries)?;
            self.lay_out();
        }
        self.tries += 1;
        self.trials.compare(state, &mut candidates, &mut self.kept)?;
        if !self.trials.is_certain() && !self.plans.means.is_empty() {
            let mut means = self.rounded(state, true)?;
            self.trials.compare(state, &mut means, &mut self.kept)?;
        }
        Ok(())
    }

    /// Uses a single scenario for gradients if the problem is deterministic.
    fn lay_out(&mut self) {
        let scenarios = if self.trials.is_certain() {
            1
        } else {
            self.options.scenarios()
        };
        if scenarios != self.plans.scenarios {
            (self.plans.scenarios, self.calibrated) = (scenarios, false);
            let relaxed = Arc::clone(self.unrolled.relaxed());
            self.unrolled = Unrolled::new(
                relaxed,
                self.plans.candidates * scenarios,
                sharpness(&self.options),
            );
        }
    }

    /// Reinitialises all plans.
    pub(crate) fn reset(&mut self) {
        self.steps = steps(&self.trials.compiled().instance, self.options.lookahead) as usize;
        self.plans.set_steps(0);
        (0..self.plans.candidates).for_each(|candidate| self.plans.forget_feedback(candidate));
    }

    /// Ends the plans after `steps` steps at the latest, but not before the first.
    pub(crate) fn end_after(&mut self, steps: usize) {
        self.steps = self.steps.min(steps.max(1));
        if self.steps < self.plans.steps {
            self.plans.set_steps(self.steps);
            self.adam = Adam::new(self.plans.parameters.len(), rate(&self.options));
        }
    }

    /// Shifts the plans by one step, for the next state.
    pub(crate) fn go_on(&mut self) {
        let per_step = self.squashes.len() * self.plans.candidates;
        if per_step > 0 && self.plans.steps > 0 {
            self.plans.of_steps_mut().rotate_left(per_step);
            self.begin_step(self.plans.steps - 1);
            self.adam = Adam::new(self.plans.parameters.len(), rate(&self.options));
            self.plans.means.clear();
        }
    }
}

replans!(GradientPlanner);
