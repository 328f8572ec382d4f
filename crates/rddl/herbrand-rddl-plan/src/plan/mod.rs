//! Planners for problems with arbitrary actions, based on many roll-outs at once.
//!
//! A plan is a joint action for each of the next steps. Random shooting samples plans and keeps the plan with the best
//! return. The cross-entropy method (Rubinstein and Kroese, "The Cross-Entropy Method", 2004) samples in rounds, each
//! closer to the best plans of the round before. All plans are tried on the same random numbers, so that they differ by
//! their actions and not by luck.
//!
//! ```
//! use std::sync::Arc;
//! use herbrand_rddl_plan::plan::{PlanOptions, SamplingPlanner};
//! use herbrand_rddl_sim::suite::RddlSuite;
//!
//! let suite = RddlSuite::bundled("rddl/mountain-car")?;
//! let compiled = Arc::clone(suite.compiled(0)?);
//! let options = PlanOptions { lookahead: Some(20), ..PlanOptions::default() };
//! let mut planner = SamplingPlanner::new(Arc::clone(&compiled), options);
//! let plan = planner.plan(compiled.initial())?;
//! assert_eq!(plan.steps.len(), 20);
//! # Ok::<(), herbrand_rddl_sim::suite::RddlError>(())
//! ```

mod agent;
mod compare;
mod episode;
mod joints;
mod law;
mod risk;
mod script;
mod shield;
mod trial;
mod uct;

use std::sync::Arc;
use std::time::Duration;

use herbrand_core::{Choice, Random, uniform_below, uniform_unit};
use herbrand_limits::Instant;
use herbrand_rddl_sim::simulate::{
    CompiledInstance, Preconditions, RddlSimulator, RolloutEnd, StepError, Values,
};

use crate::norm::TNorm;
use law::PlanDistribution;

pub(crate) use agent::replans;
pub use agent::{StraightLinePlanner, evaluate};

pub use compare::{AgentComparison, FollowPlan, compare, compare_evaluated};
pub(crate) use episode::EpisodeSteps;
pub use herbrand_core::{Agent, EvaluateOptions, Evaluation};
pub use risk::{Risk, UnknownRisk};
pub use script::{PlanTextError, parse_plan, plan_text};
pub use shield::Shield;
pub(crate) use trial::{
    BYTES, BestPlans, Candidates, HELD, PauseCondition, Trials, check_bytes, in_time, steps, times,
};
pub use uct::{Decision, Leaf, UctPlanner};

/// The options of the planners, and of the training of a policy. A planner ignores the options that it does not need, and
/// `None` is its own usual number. By default, 4 scenarios, an elite of 0.1, no time limit, 2^30 bytes, exploration 0.7,
/// random leaves, 10,000 actions, not enforced, the mean as objective, seed 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlanOptions {
    /// The number of steps of a plan, of UCT's walks, or of a roll-out in training. `None` means the horizon, or 100 if
    /// that is infinite.
    pub lookahead: Option<u32>,
    /// The number of plans sampled per round (usually 256), or improved by gradients in parallel, from different starting
    /// points (usually 8, and in a portfolio always). 0 counts as 1. A plan has a number per step and action field; if that
    /// makes more than 2²⁴ numbers in all, fewer plans are sampled, but at least 16.
    pub candidates: Option<usize>,
    /// The maximum number of rounds of sampling (usually 10), of ascent steps (200, or 300 in training), of turns that the
    /// two planners of a portfolio share (8), or of UCT's walks before each action (1,000). 0 counts as 1. A walk is one
    /// simulated episode from the current state, as long as the lookahead.
    pub iterations: Option<u32>,
    /// The number of random scenarios on which each plan is tried, and over which its gradient is averaged (usually
    /// [`SCENARIOS`](Self::SCENARIOS), or 16 roll-outs in training). A scenario is the random numbers of one roll-out; all
    /// plans are tried on the same scenarios. 0 counts as 1. If the problem seems deterministic, one is mostly used.
    pub scenarios: Option<usize>,
    /// The fraction of a round's plans, from 0 to 1, that count as its best, near which the next round is sampled. It is
    /// rounded up, and at least one plan counts. `None` samples all rounds alike: random shooting.
    pub elite: Option<f64>,
    /// The time limit of a search: of a plan, of one call of `act`, or of training. `None` for no limit. No round, ascent
    /// step or walk starts after it, except the first; the final comparison of the best plans comes after it. Each turn of
    /// a portfolio gets an equal part of it. Without, a turn is 10 rounds of cross-entropy, or 50 ascent steps.
    pub time: Option<Duration>,
    /// The maximum size in bytes of the plans and of relaxed roll-outs, or of the network in training: a search that needs
    /// more fails with [`StepError::BudgetExhausted`]. A portfolio leaves out the gradient first. UCT decides by the walks
    /// so far when its tree has this size.
    pub bytes: u64,
    /// The learning rate of gradient ascent (usually 0.1, or 0.01 in training). Numbers with two bounds are scaled to
    /// −1 … 1. With several plans, each plan has its own rate, spaced geometrically from 0.01 to 10 times this, because
    /// the best rate depends on the problem.
    pub rate: Option<f64>,
    /// The sharpness of relaxed steps, greater than 0. The larger it is, the closer they are to real steps, and the
    /// steeper. For a comparison it is divided by the mean distance of the compared numbers in the first roll-outs. `None`
    /// is 10 in training. In the search for plans it goes geometrically from 1 to 10 over three quarters of the iterations
    /// or of the time, because blunt steps have gradients far from a threshold; every second plan goes from 10 to 100
    /// instead, because blunt steps are wrong about long roll-outs.
    pub sharpness: Option<f64>,
    /// The conjunction of truth degrees in relaxed steps, where the planner makes these itself.
    pub norm: TNorm,
    /// For UCT, the exploration factor of the bound in UCB1, as a fraction of the range of the returns seen in a state. The
    /// larger it is, the more walks go to rarely taken actions.
    pub exploration: f64,
    /// For UCT, how a walk continues after a state that is new in the tree.
    pub leaf: Leaf,
    /// For UCT, the maximum number of joint actions that are listed, of the problem or else of a state
    /// ([`UctPlanner::new`]).
    pub most_actions: usize,
    /// Whether a plan ends at a step that violates an action precondition. Plans that do so rank last, as do plans that break
    /// a state invariant. UCT excludes such steps, and the trials of a policy in training correct them, by a [`Shield`]: use
    /// the policy with one then. If not, the step is taken in spite of the violation. UCT excludes it in any case where the
    /// joint actions of each state are listed or drawn.
    pub enforced: bool,
    /// The objective by which plans are compared and improved; UCT has none but the mean.
    pub risk: Risk,
    /// The seed of all random numbers.
    pub seed: u64,
}

impl PlanOptions {
    /// The usual number of [`scenarios`](field@Self::scenarios) of a plan.
    pub const SCENARIOS: usize = 4;

    /// Returns the number of scenarios of a plan, at least 1.
    pub(crate) fn scenarios(&self) -> usize {
        self.scenarios.unwrap_or(Self::SCENARIOS).max(1)
    }
}

impl Default for PlanOptions {
    /// The usual numbers, without a limit of time.
    fn default() -> Self {
        Self {
            lookahead: None,
            candidates: None,
            iterations: None,
            scenarios: None,
            elite: Some(0.1),
            time: None,
            bytes: BYTES,
            rate: None,
            sharpness: None,
            norm: TNorm::Product,
            exploration: 0.7,
            leaf: Leaf::Random,
            most_actions: 10_000,
            enforced: false,
            risk: Risk::Neutral,
            seed: 0,
        }
    }
}

/// The number of steps for which a sampled quantile is held, in turn by plan.
pub(crate) const HOLDS: [usize; 8] = [1, 2, 1, 4, 1, 8, 2, 16];

/// A plan: a joint action for each of the next steps, whatever the states (open-loop). Returned by the planners of this
/// crate. [`FollowPlan::new`] and [`plan_text`] take its steps.
#[derive(Clone, PartialEq, Debug)]
pub struct StraightPlan {
    /// For each step of the lookahead, the choices that differ from the defaults, ascending by field; empty to do
    /// nothing. A plan from a state in which the episode has ended has no steps.
    pub steps: Vec<Vec<Choice>>,
    /// The mean discounted return of the plan, whatever objective selected it, on random numbers that were not used to
    /// select it; NaN if an enclosing budget ended the search before this comparison. Negative infinity if one of the
    /// plan's steps was refused in it, or if its mean is not a number.
    pub mean: f64,
    /// The standard error of [`mean`](Self::mean). Meaningless if that is not finite.
    pub error: f64,
    /// The number of steps that were simulated to find the plan, with those of the final comparison and relaxed ones.
    pub simulated: u64,
}

impl StraightPlan {
    /// Returns the plan for a state in which an episode has ended, because it is terminal or breaks an invariant: it has
    /// no steps. `None` for other states.
    pub(crate) fn after_end(
        compiled: &Arc<CompiledInstance>,
        state: &Values,
    ) -> Result<Option<Self>, StepError> {
        let mut simulator = RddlSimulator::new(Arc::clone(compiled), Preconditions::Ignored);
        simulator.go_to(state)?;
        let status = simulator.current_status();
        Ok((status.terminal || status.broken).then(|| Self {
            steps: Vec::new(),
            mean: 0.0,
            error: 0.0,
            simulated: 0,
        }))
    }

    /// Returns the first joint action, for an agent that replans: no choices if the plan is empty.
    pub(crate) fn into_first(self) -> Option<Vec<Choice>> {
        Some(self.steps.into_iter().next().unwrap_or_default())
    }
}

/// A planner that samples plans, by random shooting or the cross-entropy method. It is an [`Agent`] that replans in each
/// state.
#[derive(Clone, Debug)]
pub struct SamplingPlanner {
    trials: Trials,
    options: PlanOptions,
    /// The sampling distributions: by step, then by action field. Empty before the first search.
    laws: Vec<Vec<PlanDistribution>>,
    /// The number of steps of a plan.
    steps: usize,
    random: Random,
    /// The number of rounds so far. Each round has its own random numbers.
    rounds: u64,
    episode: EpisodeSteps,
    kept: BestPlans,
}

/// The number of plans per round that are compared with the plans kept so far.
const COMPARED: usize = 2;

/// The maximum number of numbers in the plans of a round, and the number of plans that are sampled nevertheless.
const MOST_NUMBERS: usize = 1 << 24;
const FEWEST_CANDIDATES: usize = 16;

impl SamplingPlanner {
    /// Creates a planner for a problem. It has no plans until [`plan`](Self::plan) is called.
    #[must_use]
    pub fn new(compiled: Arc<CompiledInstance>, options: PlanOptions) -> Self {
        Self {
            steps: steps(&compiled.instance, options.lookahead) as usize,
            episode: EpisodeSteps::new(&compiled.instance),
            trials: Trials::new(compiled, options.enforced, options.risk, options.seed),
            options,
            laws: Vec::new(),
            random: Random::new(options.seed).stream(0),
            rounds: 0,
            kept: BestPlans::default(),
        }
    }

    /// Makes the distributions of all steps, if the limit of memory allows the plans.
    fn prepare(&mut self) -> Result<(), StepError> {
        let fields = self.trials.compiled().actions().fields().len();
        let plans = self.candidate_count() + HELD;
        let of_field = times(&[plans, size_of::<f64>()]) + size_of::<PlanDistribution>() as u64;
        let of_step = (fields as u64).saturating_mul(of_field) + HELD as u64;
        let ends = times(&[plans, self.options.scenarios(), size_of::<RolloutEnd>()]);
        let needed = of_step.saturating_mul(self.steps as u64).saturating_add(ends);
        check_bytes(self.options.bytes, needed)?;
        let fresh = self.initial_laws();
        self.laws.resize(self.steps, fresh);
        Ok(())
    }

    /// Returns the number of plans of a round.
    fn candidate_count(&self) -> usize {
        let fields = self.trials.compiled().actions().fields().len();
        let affordable = MOST_NUMBERS / fields.saturating_mul(self.steps).max(1);
        let count = self.options.candidates.unwrap_or(256).max(1);
        count.min(affordable.max(FEWEST_CANDIDATES))
    }

    /// Returns the initial distributions. They set about as many fields as may be set at once, but at most half of the
    /// fields.
    fn initial_laws(&self) -> Vec<PlanDistribution> {
        let layout = self.trials.compiled().actions();
        let count = layout.fields().len().max(1) as f64;
        let often = (layout.most() as f64 / count).min(0.5);
        layout
            .fields()
            .iter()
            .map(|field| PlanDistribution::initial(field, often))
            .collect()
    }

    /// Searches for a plan from `state` and returns the best plan that this call found, or the plan that does nothing
    /// if that is better. The sampling distributions start as the last call left them; [`begin`](Agent::begin) resets
    /// them. The random numbers go on, so a second call may give another plan. To act in each state, use the planner as
    /// an [`Agent`].
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
        let iterations = self.options.iterations.unwrap_or(10).max(1);
        self.search(state, PauseCondition { iterations, time })?;
        let plans = self.finalists();
        self.choose(state, &plans)
    }

    /// Returns the plan with the best utility on random numbers that were not used to select any plan.
    pub(crate) fn choose(&mut self, state: &Values, plans: &[Vec<f64>]) -> Result<StraightPlan, StepError> {
        self.trials.choose(state, plans, self.laws.len())
    }

    /// Forgets the results for a previous state.
    pub(crate) fn forget(&mut self) {
        self.trials.forget();
        (self.rounds, self.kept) = (0, BestPlans::default());
    }

    /// Searches for better plans, for at least one round. A round in which an enclosing budget runs out of time ends the
    /// search.
    pub(crate) fn search(&mut self, state: &Values, until: PauseCondition) -> Result<(), StepError> {
        in_time(self.go_through_rounds(state, until)).map(drop)
    }

    fn go_through_rounds(&mut self, state: &Values, until: PauseCondition) -> Result<(), StepError> {
        self.prepare()?;
        let fields = self.trials.compiled().actions().fields().len();
        let count = self.candidate_count();
        let mut candidates = Candidates::new(count, fields, self.laws.len());
        let scenarios = self.options.scenarios();
        for iteration in 0..until.iterations {
            if iteration > 0 && until.is_late() {
                break;
            }
            self.draw(&mut candidates);
            let scores = self
                .trials
                .score(state, &mut candidates, scenarios, self.rounds)?;
            self.rounds += 1;
            let mut order: Vec<usize> = (0..count).collect();
            // A stable sort: ties keep their order, so the result does not depend on the sorting algorithm.
            order.sort_by(|&one, &other| scores[other].utility.total_cmp(&scores[one].utility));
            // The leaders of a round are partly lucky. The kept plans are compared on common random numbers.
            let leaders = order.iter().take(COMPARED);
            let leaders: Vec<Vec<f64>> = leaders.map(|&leader| candidates.take(leader)).collect();
            let mut leaders = self
                .trials
                .candidates(leaders.iter().map(Vec::as_slice), self.laws.len());
            self.trials.compare(state, &mut leaders, &mut self.kept)?;
            if let Some(elite) = self.options.elite {
                let elite = ((count as f64 * elite).ceil() as usize).clamp(1, count);
                self.learn(&candidates, &order[..elite]);
            }
        }
        Ok(())
    }

    /// Returns the best plan so far, with its utility on the common random numbers.
    pub(crate) fn best(&self) -> Option<&(f64, Vec<f64>)> {
        self.kept.best()
    }

    /// Centres the distributions on a plan. `width` is the spread, as a fraction of the initial spread.
    pub(crate) fn centre(&mut self, plan: &[f64], width: f64) {
        for (law, &number) in self.laws.iter_mut().flatten().zip(plan) {
            law.centre(number, width);
        }
    }

    pub(crate) const fn trials(&mut self) -> &mut Trials {
        &mut self.trials
    }

    /// Samples plans that set no more fields at once than allowed.
    ///
    /// In most plans a sample is held for several steps. Independent noise in every step would average out where many
    /// steps in one direction are needed to get anywhere (Pinneri and others, "Sample-efficient cross-entropy method
    /// for real-time planning", 2020).
    fn draw(&mut self, candidates: &mut Candidates) {
        let compiled = Arc::clone(self.trials.compiled());
        let layout = compiled.actions();
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

    /// Fits the distributions to the best plans.
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

    /// Returns the best plans found, doing nothing, and the most typical plan of the distributions.
    pub(crate) fn finalists(&mut self) -> Vec<Vec<f64>> {
        let most = self.trials.compiled().actions().most();
        let idle: Vec<f64> = self
            .laws
            .iter()
            .flatten()
            .map(PlanDistribution::default)
            .collect();
        let mut typical: Vec<f64> = self
            .laws
            .iter()
            .flatten()
            .map(PlanDistribution::typical)
            .collect();
        let fields = self.trials.compiled().actions().fields().len();
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
        let mut plans = self.kept.take_beside(idle);
        if self.options.elite.is_some() {
            plans.push(typical);
        }
        plans
    }

    /// Resets the distributions.
    pub(crate) fn reset(&mut self) {
        self.steps = steps(&self.trials.compiled().instance, self.options.lookahead) as usize;
        self.laws.clear();
    }

    /// Ends plans after `steps` steps at the latest, but not before the first.
    pub(crate) fn end_after(&mut self, steps: usize) {
        self.steps = self.steps.min(steps.max(1));
        self.laws.truncate(self.steps);
    }

    /// Shifts the distributions by one step, for the next state.
    pub(crate) fn go_on(&mut self) {
        if self.laws.is_empty() {
            return;
        }
        self.laws.rotate_left(1);
        let fresh = self.initial_laws();
        if let Some(last) = self.laws.last_mut() {
            *last = fresh;
        }
        // A certain choice may be wrong in the next state.
        self.laws.iter_mut().flatten().for_each(PlanDistribution::loosen);
    }
}

replans!(SamplingPlanner);
