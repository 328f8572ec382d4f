//! Plans for problems whose actions may be anything: found by roll-outs, many at once.
//!
//! A plan is a joint action for each of the next steps. Random shooting draws plans and keeps the one whose roll-outs pay most;
//! the cross-entropy method (Rubinstein and Kroese, "The Cross-Entropy Method", 2004) draws again and again, each time nearer to
//! the best ones of before. Every plan is tried on the same draws, so that plans differ by what they do and not by luck.
//!
//! ```
//! use std::sync::Arc;
//! use herbrand_rddl::plan::{PlanOptions, Planner};
//! use herbrand_rddl::suite::RddlSuite;
//!
//! let suite = RddlSuite::bundled("rddl/mountain-car")?;
//! let process = Arc::clone(suite.process(0)?);
//! let options = PlanOptions { lookahead: Some(20), ..PlanOptions::default() };
//! let mut planner = Planner::new(Arc::clone(&process), options);
//! let plan = planner.plan(process.initial())?;
//! assert_eq!(plan.steps.len(), 20);
//! # Ok::<(), herbrand_rddl::suite::RddlError>(())
//! ```

mod agent;
mod compare;
mod law;
mod script;
mod trial;
mod uct;

use std::sync::Arc;
use std::time::Duration;

use herbrand_core::{Choice, Random, uniform_below, uniform_unit};
use herbrand_limits::Instant;

use crate::simulate::{Process, StepError, Values};
use law::Law;

pub use agent::{Agent, EvaluateOptions, Evaluation, evaluate};
pub use compare::{Comparison, FollowPlan, compare};
pub use script::{OpenLoop, PlanTextError, Violations, parse_plan, plan_text};
pub(crate) use trial::{Candidates, Kept, Trials, Until, steps};
pub use uct::{Decision, Leaf, UctOptions, UctPlanner};

/// How plans are found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Method {
    /// Plans are drawn once more each time, and the best of all is kept.
    RandomShooting,
    /// Plans are drawn from what the best ones of before have in common.
    #[default]
    CrossEntropy,
}

/// How a [`Planner`] works.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlanOptions {
    /// How plans are found.
    pub method: Method,
    /// How many steps a plan has; as many as the horizon, but no more than 100, if nothing is said.
    pub lookahead: Option<u32>,
    /// How many plans are drawn at once.
    pub candidates: usize,
    /// How often that happens.
    pub iterations: u32,
    /// On how many different draws each plan is tried.
    pub scenarios: usize,
    /// Which part of the plans are the best ones.
    pub elite: f64,
    /// After how much time no more plans are drawn.
    pub time: Option<Duration>,
    /// Whether a plan ends where it violates an action precondition; such plans are the worst of all.
    pub enforced: bool,
    /// What all draws follow from.
    pub seed: u64,
}

/// For how many steps a draw holds, plan by plan.
const HOLDS: [usize; 8] = [1, 2, 1, 4, 1, 8, 2, 16];

impl Default for PlanOptions {
    /// Ten times 256 plans on four draws each, by cross-entropy; the best tenth counts.
    fn default() -> Self {
        Self {
            method: Method::default(),
            lookahead: None,
            candidates: 256,
            iterations: 10,
            scenarios: 4,
            elite: 0.1,
            time: None,
            enforced: false,
            seed: 0,
        }
    }
}

/// A joint action for each of the next steps.
#[derive(Clone, PartialEq, Debug)]
pub struct StraightPlan {
    /// The choices that differ from defaults, by step, ascending by field.
    pub steps: Vec<Vec<Choice>>,
    /// The mean of its discounted returns, on draws that it was not chosen by.
    pub mean: f64,
    /// The standard error of that mean.
    pub error: f64,
    /// How many steps were simulated to find it.
    pub simulated: u64,
}

/// A planner for a problem.
#[derive(Clone, Debug)]
pub struct Planner {
    trials: Trials,
    options: PlanOptions,
    /// How plans are drawn: by step, a law for each action field.
    laws: Vec<Vec<Law>>,
    random: Random,
    /// How many iterations there were, which have draws of their own each.
    rounds: u64,
    kept: Kept,
}

/// How many of the plans of an iteration are compared with those that are kept.
const COMPARED: usize = 2;

impl Planner {
    /// A planner that has no plan yet.
    #[must_use]
    pub fn new(process: Arc<Process>, options: PlanOptions) -> Self {
        let mut planner = Self {
            trials: Trials::new(process, options.enforced, options.seed),
            options,
            laws: Vec::new(),
            random: Random::new(options.seed).stream(0),
            rounds: 0,
            kept: Kept::default(),
        };
        planner.begin();
        planner
    }

    /// The laws that know nothing: they set about as many fields as may be set at once, up to half of them.
    fn initial_laws(&self) -> Vec<Law> {
        let layout = self.process().actions();
        let count = layout.fields().len().max(1) as f64;
        let often = (layout.most() as f64 / count).min(0.5);
        layout
            .fields()
            .iter()
            .map(|field| Law::initial(field, often))
            .collect()
    }

    /// A plan for the steps from a state on.
    ///
    /// # Errors
    /// [`StepError::ForeignState`] for a state that is not one of the problem.
    pub fn plan(&mut self, state: &Values) -> Result<StraightPlan, StepError> {
        let time = self.options.time.map(|time| Instant::now() + time);
        self.forget();
        let iterations = self.options.iterations.max(1);
        self.search(state, Until { iterations, time })?;
        let plans = self.finalists();
        self.choose(state, &plans)
    }

    /// The plan that pays most on draws that none was chosen by.
    pub(crate) fn choose(&mut self, state: &Values, plans: &[Vec<f64>]) -> Result<StraightPlan, StepError> {
        self.trials.choose(state, plans, self.laws.len())
    }

    /// Forgets what it kept of another state.
    pub(crate) fn forget(&mut self) {
        self.trials.forget();
        (self.rounds, self.kept) = (0, Kept::default());
    }

    /// Looks for better plans; once at least.
    pub(crate) fn search(&mut self, state: &Values, until: Until) -> Result<(), StepError> {
        let count = self.options.candidates.max(1);
        let fields = self.process().actions().fields().len();
        let mut candidates = Candidates::new(count, fields, self.laws.len());
        let scenarios = self.options.scenarios.max(1);
        for iteration in 0..until.iterations {
            if iteration > 0 && until.is_late() {
                break;
            }
            self.draw(&mut candidates);
            let scores = self.trials.score(state, &candidates, scenarios, self.rounds)?;
            self.rounds += 1;
            let mut order: Vec<usize> = (0..count).collect();
            // The first of equals stays first, so that the result does not depend on how sorting is done.
            order.sort_by(|&one, &other| scores[other].0.total_cmp(&scores[one].0));
            // The leaders of a round owe some of it to its draws: what is kept was best on the same draws as all others.
            let leaders = order.iter().take(COMPARED);
            let leaders: Vec<Vec<f64>> = leaders.map(|&leader| candidates.take(leader)).collect();
            let leaders = self
                .trials
                .candidates(leaders.iter().map(Vec::as_slice), self.laws.len());
            self.trials.compare(state, &leaders, &mut self.kept)?;
            if self.options.method == Method::CrossEntropy {
                let elite = ((count as f64 * self.options.elite).ceil() as usize).clamp(1, count);
                self.learn(&candidates, &order[..elite]);
            }
        }
        Ok(())
    }

    /// The best plan so far, with its mean return on the draws that plans are compared on.
    pub(crate) fn best(&self) -> Option<&(f64, Vec<f64>)> {
        self.kept.best()
    }

    /// Looks around a plan from now on; `width` is how far, as a part of all there is.
    pub(crate) fn centre(&mut self, plan: &[f64], width: f64) {
        for (law, &number) in self.laws.iter_mut().flatten().zip(plan) {
            law.centre(number, width);
        }
    }

    pub(crate) const fn trials(&mut self) -> &mut Trials {
        &mut self.trials
    }

    /// Draws plans, none of which sets more fields at once than is allowed.
    ///
    /// A draw holds for several steps in most plans, for as many in all of a plan: noise that is new in every step
    /// averages out where it takes many steps in one direction to get anywhere (Pinneri and others, "Sample-efficient
    /// cross-entropy method for real-time planning", 2020).
    fn draw(&mut self, candidates: &mut Candidates) {
        let process = Arc::clone(self.process());
        let layout = process.actions();
        let mut set = Vec::new();
        let mut held = vec![0.0; candidates.count * candidates.fields];
        for (step, laws) in self.laws.iter().enumerate() {
            for candidate in 0..candidates.count {
                set.clear();
                let is_new = step % HOLDS[candidate % HOLDS.len()] == 0;
                for (field, law) in laws.iter().enumerate() {
                    let u = &mut held[candidate * candidates.fields + field];
                    if is_new {
                        *u = uniform_unit(&mut self.random);
                    }
                    let number = law.at(*u);
                    let place = candidates.place(step, field, candidate);
                    candidates.numbers[place] = number;
                    if number != law.default() {
                        set.push(field);
                    }
                }
                while set.len() > layout.most() {
                    let out = uniform_below(&mut self.random, set.len() as u32);
                    let field = set.swap_remove(out as usize);
                    let place = candidates.place(step, field, candidate);
                    candidates.numbers[place] = laws[field].default();
                }
            }
        }
    }

    /// Moves the laws towards the best plans.
    fn learn(&mut self, candidates: &Candidates, elite: &[usize]) {
        let mut numbers = Vec::with_capacity(elite.len());
        for (step, laws) in self.laws.iter_mut().enumerate() {
            for (field, law) in laws.iter_mut().enumerate() {
                numbers.clear();
                let first = (step * candidates.fields + field) * candidates.count;
                numbers.extend(
                    elite
                        .iter()
                        .map(|candidate| candidates.numbers[first + candidate]),
                );
                law.learn(&numbers);
            }
        }
    }

    /// The best plans that were met, the one that is typical of what was learned, and doing nothing.
    pub(crate) fn finalists(&mut self) -> Vec<Vec<f64>> {
        let most = self.process().actions().most();
        let idle: Vec<f64> = self.laws.iter().flatten().map(Law::default).collect();
        let mut typical: Vec<f64> = self.laws.iter().flatten().map(Law::typical).collect();
        let fields = self.process().actions().fields().len();
        for (numbers, laws) in typical.chunks_mut(fields.max(1)).zip(&self.laws) {
            let set = numbers
                .iter()
                .zip(laws)
                .filter(|(number, law)| **number != law.default());
            let over = set.count().saturating_sub(most);
            let extra = numbers
                .iter_mut()
                .zip(laws)
                .filter(|(number, law)| **number != law.default());
            extra.take(over).for_each(|(number, law)| *number = law.default());
        }
        let mut plans = self.kept.take();
        if self.options.method == Method::CrossEntropy {
            plans.push(typical);
        }
        plans.push(idle);
        plans
    }

    /// Keeps what was learned for the next state, one step on.
    pub(crate) fn go_on(&mut self) {
        if self.laws.is_empty() {
            return;
        }
        self.laws.rotate_left(1);
        let fresh = self.initial_laws();
        if let Some(last) = self.laws.last_mut() {
            *last = fresh;
        }
        // What was certain may be otherwise in the next state.
        self.laws.iter_mut().flatten().for_each(Law::loosen);
    }
}

impl Agent for Planner {
    fn process(&self) -> &Arc<Process> {
        self.trials.process()
    }

    /// Forgets what plans were good so far.
    fn begin(&mut self) {
        let steps = steps(self.process(), self.options.lookahead);
        let fields = self.initial_laws();
        self.laws = vec![fields; steps as usize];
    }

    /// The action that a plan from a state on begins with. What was learned is kept, one step on, for the next state.
    fn act(&mut self, state: &Values) -> Result<Vec<Choice>, StepError> {
        let mut plan = self.plan(state)?;
        self.go_on();
        Ok(if plan.steps.is_empty() {
            Vec::new()
        } else {
            plan.steps.swap_remove(0)
        })
    }
}
