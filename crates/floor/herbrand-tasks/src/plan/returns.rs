//! The returns of a plan in RDDL beside those of two baselines.

use std::sync::Arc;

use herbrand_core::EpisodeEnd;
use herbrand_rddl::Horizon;
use herbrand_rddl_plan::plan::{AgentComparison, EvaluateOptions, Evaluation, PlanOptions, UctPlanner};
use herbrand_rddl_sim::simulate::{CompiledInstance, RddlSimulator, StepError};
use serde::Serialize;

use crate::numbers::{NonFiniteReturns, counted, non_finite_as_text};
use crate::step_faults::StepFaults;

/// Discounted returns of the plan, and of two baselines in the same episodes: no actions, and random actions.
#[derive(Clone, Debug, Serialize)]
pub struct PlanReturns {
    /// The maximum number of steps per episode: the length of the plan.
    pub steps: u32,
    /// The horizon of the problem; `None` if it is infinite.
    pub horizon: Option<u32>,
    /// The discount of the problem.
    pub discount: f64,
    /// The number of episodes. Their random draws are not those by which the plan was chosen.
    pub episodes: usize,
    /// The return of the plan.
    #[serde(flatten)]
    pub own: MeanReturn,
    /// The episodes whose return is infinite or NaN; `None` if every return is finite.
    pub non_finite: Option<NonFiniteReturns>,
    /// The violated preconditions, broken invariants and failed steps.
    #[serde(flatten)]
    pub faults: StepFaults,
    /// The returns of doing nothing.
    pub nothing: Baseline,
    /// The returns of random actions.
    pub random: Baseline,
}

/// A mean return.
#[derive(Clone, Debug, Serialize)]
pub struct MeanReturn {
    /// The mean.
    #[serde(rename = "mean_discounted_return", serialize_with = "non_finite_as_text")]
    pub mean_return: f64,
    /// Its standard error.
    #[serde(serialize_with = "non_finite_as_text")]
    pub standard_error: f64,
}

/// The returns of doing nothing or of random actions.
#[derive(Clone, Debug, Serialize)]
pub struct Baseline {
    /// The mean return.
    #[serde(flatten)]
    pub mean: MeanReturn,
    /// The mean difference between the plan's return and the baseline's in the same episode, and its standard error.
    #[serde(serialize_with = "non_finite_as_text")]
    pub gain: f64,
    /// The standard error of the difference.
    #[serde(serialize_with = "non_finite_as_text")]
    pub gain_error: f64,
    /// The number of episodes that a broken state invariant ended.
    pub broken_episodes: u64,
    /// The mean difference in the episodes that no broken invariant ended; `None` if there are none.
    #[serde(skip)]
    sound_gain: Option<f64>,
}

impl MeanReturn {
    fn of((mean_return, standard_error): (f64, f64)) -> Self {
        Self {
            mean_return,
            standard_error,
        }
    }
}

/// Returns the mean difference of the returns of two evaluations, in the episodes that a broken invariant ends in neither;
/// `None` if there are none.
fn sound_gain(one: &Evaluation, other: &Evaluation) -> Option<f64> {
    let is_sound = |end: &Option<EpisodeEnd>| *end != Some(EpisodeEnd::Invariant);
    let ends = one.ends.iter().zip(&other.ends);
    let returns = one.returns.iter().zip(&other.returns);
    let gains: Vec<f64> = ends
        .zip(returns)
        .filter(|((one, other), _)| is_sound(one) && is_sound(other))
        .map(|(_, (one, other))| one - other)
        .collect();
    (!gains.is_empty()).then(|| gains.iter().sum::<f64>() / gains.len() as f64)
}

impl PlanReturns {
    /// Creates the report of a comparison that `simulator` ran with these options.
    ///
    /// # Errors
    /// Fails if the time limit of the command is reached.
    pub(super) fn of(
        simulator: &mut RddlSimulator,
        problem: &str,
        options: &EvaluateOptions,
        comparison: &AgentComparison,
    ) -> Result<Self, StepError> {
        let AgentComparison {
            agent,
            nothing,
            random,
        } = comparison;
        let baseline = |other: &Evaluation| {
            let (gain, gain_error) = agent.difference(other);
            Baseline {
                mean: MeanReturn::of(other.mean_and_error()),
                gain,
                gain_error,
                broken_episodes: other.broken.as_ref().map_or(0, |broken| broken.episodes),
                sound_gain: sound_gain(agent, other),
            }
        };
        let faults = StepFaults::of(simulator, options, agent)?;
        let compiled = simulator.compiled();
        Ok(Self {
            steps: options.steps,
            horizon: match compiled.instance.horizon {
                Horizon::Steps(steps) => Some(steps),
                Horizon::Infinite => None,
            },
            discount: compiled.instance.discount,
            episodes: agent.returns.len(),
            own: MeanReturn::of(agent.mean_and_error()),
            non_finite: (agent.non_finite.as_ref())
                .map(|some| NonFiniteReturns::of(problem.to_owned(), some)),
            faults,
            nothing: baseline(nothing),
            random: baseline(random),
        })
    }

    /// Returns whether the results of a step could not be computed, or the mean return is no number.
    #[must_use]
    pub const fn has_failures(&self) -> bool {
        self.faults.has_failures() || self.own.mean_return.is_nan()
    }

    /// Returns a sentence for each kind of fault.
    pub(super) fn fault_warnings(&self) -> Vec<String> {
        let non_finite = self.non_finite.as_ref();
        let non_finite = non_finite.map(|some| some.sentence(self.episodes as u64));
        non_finite.into_iter().chain(self.faults.sentences()).collect()
    }

    /// Returns advice if preconditions are violated or invariants broken in some of the episodes: the few scenarios by which
    /// a plan is chosen seldom have such outcomes. `scenarios` is their number if it was given.
    pub(super) fn rare_advice(&self, scenarios: Option<u32>) -> Option<String> {
        let tried = scenarios.map_or(PlanOptions::SCENARIOS as u64, u64::from);
        let is_rare = self.faults.is_rare(self.episodes as u64);
        is_rare.then(|| {
            format!(
                "the plan was chosen by {}: with more --scenarios, such outcomes count",
                counted(tried, "scenario")
            )
        })
    }

    /// Returns a warning if the plan or policy `what` has no better return than doing nothing or random actions. `cure` is what
    /// to try; by default, a planner that selects an action in every state.
    pub(super) fn idle_warning(
        &self,
        compiled: &Arc<CompiledInstance>,
        what: &str,
        cure: Option<&str>,
    ) -> Option<String> {
        let is_sound = self.non_finite.is_none() && !self.faults.has_failures();
        // A broken invariant shortens an episode, which changes its return.
        let gain = |baseline: &Baseline| baseline.sound_gain.unwrap_or(f64::INFINITY);
        let baselines = match (gain(&self.nothing) > 0.0, gain(&self.random) >= 0.0) {
            (true, true) => return None,
            (false, true) => "doing nothing",
            (true, false) => "random actions",
            (false, false) => "doing nothing or random actions",
        };
        if !is_sound || compiled.action.is_empty() {
            return None;
        }
        let cure = cure.map_or_else(
            || {
                let is_countable = UctPlanner::new(Arc::clone(compiled), PlanOptions::default()).is_ok();
                let other = if is_countable { "uct" } else { "replan" };
                format!("try --planner {other}, which selects an action in every state")
            },
            str::to_owned,
        );
        Some(format!("{what} is no better than {baselines}: {cure}"))
    }
}
