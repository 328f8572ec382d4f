//! Straight-line plans by gradient ascent.

use std::sync::Arc;
use std::time::Duration;

use herbrand_core::{Choice, Random, uniform_unit};
use herbrand_distributions::RandomGenerator;
use herbrand_limits::Instant;
use herbrand_rddl_sim::simulate::{RddlSimulator, StepError, Values};

use super::adam::Adam;
use super::program::Relaxed;
use super::squash::{Squash, along_limit, limit, settle};
use super::unroll::{Acting, Unrolled};
use crate::plan::{
    Agent, BestPlans, Candidates, HOLDS, PauseCondition, Risk, StraightLinePlanner, StraightPlan, Trials,
    in_time, steps,
};

/// The options of a [`GradientPlanner`]. By default 8 candidates, 4 scenarios, 200 iterations without a time limit, rate
/// 0.1, sharpness from 1 to 10, restarts after 100 ascent steps, not enforced, the mean as objective, seed 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GradientOptions {
    /// The number of steps of a plan. `None` means the horizon, or 100 if that is infinite.
    pub lookahead: Option<u32>,
    /// The number of plans that are improved in parallel, from different starting points. 0 counts as 1.
    pub candidates: usize,
    /// The number of random scenarios over which the gradient of each plan is averaged. 0 counts as 1. If the problem
    /// seems deterministic, one is used.
    pub scenarios: usize,
    /// The maximum number of ascent steps. 0 counts as 1.
    pub iterations: u32,
    /// The time limit of the ascent; `None` for no limit. The first ascent step and the final comparison of the best
    /// plans are not limited by it.
    pub time: Option<Duration>,
    /// The learning rate. Numbers with two bounds are scaled to −1 … 1. With several plans, each plan has its own rate,
    /// spaced geometrically from 0.01 to 10 times this, because the best rate depends on the problem.
    pub rate: f64,
    /// The sharpness of relaxed steps, greater than 0. The larger it is, the closer they are to real steps, and the
    /// steeper.
    pub sharpness: f64,
    /// The sharpness of the first ascent step, greater than 0; it goes geometrically to [`sharpness`](Self::sharpness)
    /// over three quarters of the iterations or of the time. Blunt steps have gradients far from a threshold. `None`
    /// means the same sharpness in all steps.
    pub first_sharpness: Option<f64>,
    /// The number of ascent steps without a better plan after which half of the plans start again: from random points,
    /// and near the best plan so far. `None` means that all plans go on.
    pub patience: Option<u32>,
    /// Whether a plan ends at a step that violates an action precondition. Plans that do so rank last. If not, the step
    /// is taken in spite of the violation.
    pub enforced: bool,
    /// The objective that is maximised, over the scenarios.
    pub risk: Risk,
    /// The seed of all random numbers.
    pub seed: u64,
}

impl Default for GradientOptions {
    /// Eight plans on four scenarios each, 200 ascent steps, sharpness from 1 to 10.
    fn default() -> Self {
        Self {
            lookahead: None,
            candidates: 8,
            scenarios: 4,
            iterations: 200,
            time: None,
            rate: 0.1,
            sharpness: 10.0,
            first_sharpness: Some(1.0),
            patience: Some(100),
            enforced: false,
            risk: Risk::Neutral,
            seed: 0,
        }
    }
}

/// The number of ascent steps between two trials of the plans by real steps.
const TRIED_EVERY: u32 = 20;

/// The decay per ascent step of the moving average of a plan.
const MEAN_DECAY: f64 = 0.98;

/// The distance from doing nothing at which plans with low rates start.
const NEAR: f64 = 0.1;

/// The part of the search after which the sharpness stays the same.
const SHARPENED: f64 = 0.75;

/// The distances from the best plan at which plans start again, in turn.
const NOISE: [f64; 4] = [0.5, 0.2, 0.1, 0.05];

/// The number of scenarios, and the interval in trials, for finding out whether the problem is deterministic.
const ASKED_ON: usize = 8;
const ASKED_EVERY: u64 = 8;

/// A planner that improves straight-line plans by the gradient of their returns over relaxed steps (Gimelfarb, Taitler
/// and Sanner, "JaxPlan and GurobiPlan", 2024; Scaroni and others, "Planning by backprop", 2017).
///
/// Each ascent step is a step of Adam, followed by a projection to the bounds and to the number of fields that may be
/// set at once. Plans are rounded and tried by real steps. The best plan found is the result.
///
/// ```
/// use std::sync::Arc;
/// use herbrand_limits::Budget;
/// use herbrand_rddl_plan::gradient::{GradientOptions, GradientPlanner, Relaxed};
/// use herbrand_rddl_sim::suite::RddlSuite;
///
/// let suite = RddlSuite::bundled("rddl/mountain-car")?;
/// let compiled = suite.compiled(0)?;
/// let relaxed = Arc::new(Relaxed::new(&compiled.instance, &Budget::unlimited())?);
/// let options = GradientOptions { lookahead: Some(5), iterations: 10, ..GradientOptions::default() };
/// let plan = GradientPlanner::new(relaxed, options).plan(compiled.initial())?;
/// assert_eq!(plan.steps.len(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GradientPlanner {
    options: GradientOptions,
    trials: Trials,
    unrolled: Unrolled,
    squashes: Vec<Squash>,
    adam: Adam,
    random: Random,
    plans: Plans,
    /// By plan: the factor of the learning rate.
    rates: Vec<f64>,
    /// The number of ascent steps so far.
    ascents: u64,
    /// The number of trials so far.
    tries: u64,
    /// The number of ascent steps since the best plan became better, or since the last restart.
    waited: u32,
    restarts: u64,
    kept: BestPlans,
}

/// The parameters of plans, by step, field and plan.
#[derive(Clone, Debug)]
struct Plans {
    parameters: Vec<f64>,
    /// Moving averages of the parameters. In stochastic problems they are tried too, because single ascent steps follow
    /// their own draws.
    means: Vec<f64>,
    gradients: Vec<f64>,
    squashes: Vec<Squash>,
    candidates: usize,
    scenarios: usize,
    steps: usize,
    risk: Risk,
}

impl Plans {
    fn place(&self, step: usize, field: usize, candidate: usize) -> usize {
        (step * self.squashes.len() + field) * self.candidates + candidate
    }

    /// Updates the moving averages of the parameters.
    fn average(&mut self) {
        if self.means.is_empty() {
            self.means.clone_from(&self.parameters);
        }
        for (mean, parameter) in self.means.iter_mut().zip(&self.parameters) {
            *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * parameter;
        }
    }
}

impl Acting for Plans {
    fn act(&mut self, step: usize, _state: &[f64], actions: &mut [f64]) {
        let lanes = self.candidates * self.scenarios;
        for (field, row) in actions.chunks_exact_mut(lanes).enumerate() {
            for (candidate, cells) in row.chunks_exact_mut(self.scenarios).enumerate() {
                let parameter = self.parameters[self.place(step, field, candidate)];
                cells.fill(self.squashes[field].value(parameter).0);
            }
        }
    }

    fn learn(&mut self, step: usize, _state: &[f64], gradient: &[f64], _state_gradient: &mut [f64]) {
        let lanes = self.candidates * self.scenarios;
        for (field, row) in gradient.chunks_exact(lanes).enumerate() {
            for (candidate, cells) in row.chunks_exact(self.scenarios).enumerate() {
                let place = self.place(step, field, candidate);
                let slope = self.squashes[field].value(self.parameters[place]).1;
                let sum: f64 = cells.iter().filter(|one| one.is_finite()).sum();
                self.gradients[place] += slope * sum / self.scenarios as f64;
            }
        }
    }

    fn weigh(&mut self, returns: &[f64], weights: &mut [f64]) {
        if self.risk == Risk::Neutral {
            return;
        }
        let weights = weights.chunks_exact_mut(self.scenarios);
        for (returns, weights) in returns.chunks_exact(self.scenarios).zip(weights) {
            self.risk.weights(returns, weights);
            weights
                .iter_mut()
                .for_each(|weight| *weight *= returns.len() as f64);
        }
    }
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

impl GradientPlanner {
    /// Creates a planner for the problem of `relaxed`. It has no plans until [`plan`](Self::plan) is called.
    #[must_use]
    pub fn new(relaxed: Arc<Relaxed>, options: GradientOptions) -> Self {
        let compiled = Arc::clone(relaxed.compiled());
        let (candidates, scenarios) = (options.candidates.max(1), options.scenarios.max(1));
        let squashes = Squash::all(compiled.actions());
        let steps = steps(&compiled, options.lookahead) as usize;
        let count = steps * squashes.len() * candidates;
        let mut planner = Self {
            trials: Trials::new(compiled, options.enforced, options.risk, options.seed),
            unrolled: Unrolled::new(relaxed, candidates * scenarios, options.sharpness),
            adam: Adam::new(count, options.rate),
            rates: rates(candidates),
            random: Random::new(options.seed).stream(0),
            plans: Plans {
                parameters: vec![0.0; count],
                means: Vec::new(),
                gradients: vec![0.0; count],
                squashes: squashes.clone(),
                candidates,
                scenarios,
                steps,
                risk: options.risk,
            },
            squashes,
            options,
            ascents: 0,
            tries: 0,
            waited: 0,
            restarts: 0,
            kept: BestPlans::default(),
        };
        (0..steps).for_each(|step| planner.begin_step(step));
        planner
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

    /// Starts every second plan again: in turn at a random point, and near the best plan.
    fn start_again(&mut self) {
        let best = self.kept.best().map(|(_, plan)| plan.clone());
        let fields = self.squashes.len();
        for candidate in (1..self.plans.candidates).step_by(2) {
            let turn = candidate / 2 + self.restarts as usize;
            let noise = NOISE[turn / 2 % NOISE.len()];
            let near = best.as_ref().filter(|_| turn.is_multiple_of(2));
            let hold = HOLDS[turn / 2 % HOLDS.len()];
            let mut held = vec![0.0; fields];
            for step in 0..self.plans.steps {
                for field in 0..fields {
                    let place = self.plans.place(step, field, candidate);
                    self.plans.parameters[place] = match near {
                        Some(plan) => {
                            if step % hold == 0 {
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
        self.adam = Adam::new(self.plans.parameters.len(), self.options.rate);
        self.plans.means.clear();
        self.restarts += 1;
    }

    /// Returns the sharpness after a part of the search, from 0 to 1.
    fn sharpness(&self, part: f64) -> f64 {
        let last = self.options.sharpness;
        let first = self.options.first_sharpness.unwrap_or(last);
        first * (last / first).powf((part / SHARPENED).min(1.0))
    }

    /// Searches for a plan from `state` and returns the best plan that this call found, or the plan that does nothing
    /// if that is better. The ascent starts from the plans that the last call left; [`begin`](Agent::begin)
    /// reinitialises them. To act in each state, use the planner as an [`Agent`].
    ///
    /// # Errors
    /// [`StepError::ForeignState`] if the state belongs to another problem. [`StepError::BudgetExhausted`] if an
    /// enclosing budget is cancelled; if its time is over, the best plan so far is returned.
    pub fn plan(&mut self, state: &Values) -> Result<StraightPlan, StepError> {
        let time = self.options.time.map(|time| Instant::now() + time);
        self.forget();
        let iterations = self.options.iterations.max(1);
        self.search(state, PauseCondition { iterations, time })?;
        let plans = self.finalists();
        self.trials.choose(state, &plans, self.plans.steps)
    }

    /// Forgets the results for a previous state.
    pub(crate) fn forget(&mut self) {
        self.trials.forget();
        (self.ascents, self.tries, self.kept) = (0, 0, BestPlans::default());
        self.waited = 0;
    }

    /// Improves the plans. Trials for which an enclosing budget has no time left end the search.
    pub(crate) fn search(&mut self, state: &Values, until: PauseCondition) -> Result<(), StepError> {
        in_time(self.ascend(state, until)).map(drop)
    }

    fn ascend(&mut self, state: &Values, until: PauseCondition) -> Result<(), StepError> {
        if !self.trials.compiled().state.section().fits(state) {
            return Err(StepError::ForeignState);
        }
        let steps = self.plans.steps;
        let begin = Instant::now();
        for iteration in 0..until.iterations {
            if iteration > 0 && until.is_late() {
                break;
            }
            if iteration % TRIED_EVERY == 0 {
                let before = self.kept.best().map(|best| best.0);
                self.try_out(state)?;
                self.waited = if self.kept.best().map(|best| best.0) > before {
                    0
                } else {
                    self.waited + TRIED_EVERY
                };
                if self
                    .options
                    .patience
                    .is_some_and(|patience| self.waited >= patience.max(TRIED_EVERY))
                {
                    self.waited = 0;
                    self.start_again();
                }
            }
            let part = f64::from(iteration) / f64::from(until.iterations);
            let part = match until.time {
                Some(time) => {
                    let whole = (time - begin).as_secs_f64();
                    part.max(begin.elapsed().as_secs_f64() / whole.max(f64::MIN_POSITIVE))
                }
                None => part,
            };
            self.unrolled.set_sharpness(self.sharpness(part));
            let scenarios = self.plans.scenarios as u64;
            let environments: Vec<RandomGenerator> = (0..self.unrolled.lanes() as u64)
                .map(|lane| {
                    RandomGenerator::of_environment(
                        self.options.seed ^ (self.ascents << 20),
                        lane % scenarios,
                    )
                })
                .collect();
            self.ascents += 1;
            self.plans.gradients.fill(0.0);
            self.unrolled
                .differentiate(state, steps, &environments, &mut self.plans);
            self.trials.count((self.unrolled.lanes() * steps) as u64);
            self.keep_to_limit();
            let Plans {
                parameters,
                gradients,
                ..
            } = &mut self.plans;
            self.adam.ascend_each(parameters, gradients, &self.rates);
            self.project();
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
    pub(crate) fn adopt(&mut self, plan: &[f64]) {
        let fields = self.squashes.len();
        for (place, &value) in plan.iter().enumerate() {
            let (step, field) = (place / fields, place % fields);
            for candidate in (0..self.plans.candidates).step_by(2) {
                let place = self.plans.place(step, field, candidate);
                self.plans.parameters[place] = self.squashes[field].parameter(value);
            }
        }
        self.adam = Adam::new(self.plans.parameters.len(), self.options.rate);
        self.plans.means.clear();
    }

    pub(crate) const fn trials(&mut self) -> &mut Trials {
        &mut self.trials
    }

    /// Removes from the gradients the component that would exceed the number of fields that may be set at once.
    fn keep_to_limit(&mut self) {
        let (fields, most) = (self.squashes.len(), self.trials.compiled().actions().most());
        if most >= fields {
            return;
        }
        let (mut parameters, mut gradient) = (vec![0.0; fields], vec![0.0; fields]);
        for step in 0..self.plans.steps {
            for candidate in 0..self.plans.candidates {
                for field in 0..fields {
                    let place = self.plans.place(step, field, candidate);
                    parameters[field] = self.plans.parameters[place];
                    gradient[field] = self.plans.gradients[place];
                }
                along_limit(&self.squashes, most, &parameters, &mut gradient);
                for (field, &gradient) in gradient.iter().enumerate() {
                    let place = self.plans.place(step, field, candidate);
                    self.plans.gradients[place] = gradient;
                }
            }
        }
    }

    /// Projects the parameters to the allowed region.
    fn project(&mut self) {
        let (fields, most) = (self.squashes.len(), self.trials.compiled().actions().most());
        let mut of_step = vec![0.0; fields];
        for step in 0..self.plans.steps {
            for candidate in 0..self.plans.candidates {
                for (field, parameter) in of_step.iter_mut().enumerate() {
                    let place = self.plans.place(step, field, candidate);
                    *parameter = self.squashes[field].project(self.plans.parameters[place]);
                }
                limit(&self.squashes, most, &mut of_step);
                for (field, &parameter) in of_step.iter().enumerate() {
                    let place = self.plans.place(step, field, candidate);
                    self.plans.parameters[place] = parameter;
                }
            }
        }
    }

    /// Rounds all plans, tries them by real steps, and keeps the best plans so far.
    fn try_out(&mut self, state: &Values) -> Result<(), StepError> {
        let mut candidates = self.rounded(&self.plans.parameters);
        if self.tries.is_multiple_of(ASKED_EVERY) {
            self.trials.score(state, &mut candidates, ASKED_ON, self.tries)?;
            self.lay_out();
        }
        self.tries += 1;
        self.trials.compare(state, &mut candidates, &mut self.kept)?;
        if !self.trials.is_certain() && !self.plans.means.is_empty() {
            let mut means = self.rounded(&self.plans.means);
            self.trials.compare(state, &mut means, &mut self.kept)?;
        }
        Ok(())
    }

    /// Rounds plans to valid joint actions.
    fn rounded(&self, parameters: &[f64]) -> Candidates {
        let (fields, steps, count) = (self.squashes.len(), self.plans.steps, self.plans.candidates);
        let most = self.trials.compiled().actions().most();
        let mut candidates = Candidates::new(count, fields, steps);
        let mut joint = vec![0.0; fields];
        for step in 0..steps {
            for candidate in 0..count {
                for (field, value) in joint.iter_mut().enumerate() {
                    let parameter = parameters[self.plans.place(step, field, candidate)];
                    *value = self.squashes[field].value(parameter).0;
                }
                settle(&self.squashes, most, &mut joint);
                for (field, &value) in joint.iter().enumerate() {
                    let place = candidates.place(step, field, candidate);
                    candidates.numbers[place] = value;
                }
            }
        }
        candidates
    }

    /// Uses a single scenario for gradients if the problem is deterministic.
    fn lay_out(&mut self) {
        let scenarios = if self.trials.is_certain() {
            1
        } else {
            self.options.scenarios.max(1)
        };
        if scenarios != self.plans.scenarios {
            self.plans.scenarios = scenarios;
            let relaxed = Arc::clone(self.unrolled.relaxed());
            self.unrolled = Unrolled::new(relaxed, self.plans.candidates * scenarios, self.options.sharpness);
        }
    }

    /// Shifts the plans by one step, for the next state.
    pub(crate) fn go_on(&mut self) {
        let per_step = self.squashes.len() * self.plans.candidates;
        if per_step > 0 && self.plans.steps > 0 {
            self.plans.parameters.rotate_left(per_step);
            self.begin_step(self.plans.steps - 1);
            self.adam = Adam::new(self.plans.parameters.len(), self.options.rate);
            self.plans.means.clear();
        }
    }
}

impl Agent<RddlSimulator> for GradientPlanner {
    /// Reinitialises all plans.
    fn begin(&mut self) {
        self.adam = Adam::new(self.plans.parameters.len(), self.options.rate);
        self.plans.means.clear();
        (0..self.plans.steps).for_each(|step| self.begin_step(step));
    }

    /// Returns the first joint action of a plan from a state. The plans are shifted by one step, for the next state.
    fn act(&mut self, state: &Values) -> Result<Option<Vec<Choice>>, StepError> {
        let plan = self.plan(state)?;
        self.go_on();
        Ok(plan.into_first())
    }
}

impl StraightLinePlanner for GradientPlanner {
    fn plan(&mut self, state: &Values) -> Result<StraightPlan, StepError> {
        Self::plan(self, state)
    }
}
