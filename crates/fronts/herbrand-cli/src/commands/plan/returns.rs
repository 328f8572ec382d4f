//! The returns of a plan in RDDL beside those of two baselines.

use std::fmt::Write as _;
use std::sync::Arc;

use herbrand::core::EpisodeEnd;
use herbrand::rddl::Horizon;
use herbrand::rddl::plan::{AgentComparison, EvaluateOptions, Evaluation, PlanOptions, UctPlanner};
use herbrand::rddl::simulate::{CompiledInstance, RddlSimulator, StepError};
use serde::Serialize;

use crate::output::{NonFiniteReturns, counted, fixed, non_finite_as_text, return_name};
use crate::violations::Faults;

/// Discounted returns of the plan, and of two baselines in the same episodes: no actions, and random actions.
#[derive(Serialize)]
pub(super) struct PlanReturns {
    /// The maximum number of steps per episode: the length of the plan.
    steps: u32,
    /// The horizon of the problem; `None` if it is infinite.
    horizon: Option<u32>,
    discount: f64,
    /// The number of episodes. Their random draws are not those by which the plan was chosen.
    episodes: usize,
    #[serde(flatten)]
    own: Mean,
    /// The episodes whose return is infinite or NaN; `None` if every return is finite.
    non_finite: Option<NonFiniteReturns>,
    #[serde(flatten)]
    faults: Faults,
    nothing: Baseline,
    random: Baseline,
}

/// A mean return.
#[derive(Serialize)]
struct Mean {
    #[serde(rename = "mean_discounted_return", serialize_with = "non_finite_as_text")]
    mean_return: f64,
    #[serde(serialize_with = "non_finite_as_text")]
    standard_error: f64,
}

/// The returns of doing nothing or of random actions.
#[derive(Serialize)]
struct Baseline {
    #[serde(flatten)]
    mean: Mean,
    /// The mean difference between the plan's return and the baseline's in the same episode, and its standard error.
    #[serde(serialize_with = "non_finite_as_text")]
    gain: f64,
    #[serde(serialize_with = "non_finite_as_text")]
    gain_error: f64,
    /// The number of episodes that a broken state invariant ended.
    broken_episodes: u64,
    /// The mean difference in the episodes that no broken invariant ended; `None` if there are none.
    #[serde(skip)]
    sound_gain: Option<f64>,
}

impl Mean {
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
                mean: Mean::of(other.mean_and_error()),
                gain,
                gain_error,
                broken_episodes: other.broken.as_ref().map_or(0, |broken| broken.episodes),
                sound_gain: sound_gain(agent, other),
            }
        };
        let faults = Faults::of(simulator, options, agent)?;
        let compiled = simulator.compiled();
        Ok(Self {
            steps: options.steps,
            horizon: match compiled.instance.horizon {
                Horizon::Steps(steps) => Some(steps),
                Horizon::Infinite => None,
            },
            discount: compiled.instance.discount,
            episodes: agent.returns.len(),
            own: Mean::of(agent.mean_and_error()),
            non_finite: (agent.non_finite.as_ref())
                .map(|some| NonFiniteReturns::of(problem.to_owned(), some)),
            faults,
            nothing: baseline(nothing),
            random: baseline(random),
        })
    }

    /// Returns the mean return, its standard error, and the mean returns of doing nothing and of random actions, as text.
    pub(super) fn cells(&self) -> [String; 4] {
        [
            self.own.mean_return,
            self.own.standard_error,
            self.nothing.mean.mean_return,
            self.random.mean.mean_return,
        ]
        .map(|value| fixed(value, 4))
    }

    /// Formats the report as comments below a plan.
    pub(super) fn text(&self) -> String {
        let horizon = self
            .horizon
            .map_or_else(|| "infinite".to_owned(), |steps| steps.to_string());
        let discount = match self.discount {
            1.0 => String::new(),
            discount => format!(", discount {discount}"),
        };
        let Mean {
            mean_return,
            standard_error,
        } = &self.own;
        let name = return_name(self.discount);
        let mut text = format!(
            "; mean {name} {}, standard error {}: {} of {}, horizon {horizon}{discount}\n",
            fixed(*mean_return, 4),
            fixed(*standard_error, 4),
            counted(self.episodes as u64, "episode"),
            counted(self.steps.into(), "step"),
        );
        for (baseline_name, baseline) in [("doing nothing", &self.nothing), ("random actions", &self.random)]
        {
            let less = if baseline.gain < 0.0 { "more" } else { "less" };
            let mean = fixed(baseline.mean.mean_return, 4);
            let broken = match baseline.broken_episodes {
                0 => String::new(),
                broken => format!("; a broken state invariant ends {}", counted(broken, "episode")),
            };
            if !baseline.gain.is_finite() {
                let _ = writeln!(text, "; {baseline_name}: mean {name} {mean}{broken}");
                continue;
            }
            let _ = writeln!(
                text,
                "; {baseline_name}: mean {name} {mean}, standard error {}: {} {less}, standard error of the difference {}{broken}",
                fixed(baseline.mean.standard_error, 4),
                fixed(baseline.gain.abs(), 4),
                fixed(baseline.gain_error, 4),
            );
        }
        if let Some(non_finite) = &self.non_finite {
            let _ = writeln!(text, "; {}", non_finite.sentence(self.episodes as u64));
        }
        for sentence in self.faults.sentences() {
            let _ = writeln!(text, "; {sentence}");
        }
        text
    }

    /// Returns whether the results of a step could not be computed, or the mean return is no number.
    pub(super) const fn has_failures(&self) -> bool {
        self.faults.has_failures() || self.own.mean_return.is_nan()
    }

    /// Prints a warning for each kind of fault.
    pub(super) fn warn(&self) {
        if let Some(non_finite) = &self.non_finite {
            anstream::eprintln!("warning: {}", non_finite.sentence(self.episodes as u64));
        }
        for sentence in self.faults.sentences() {
            anstream::eprintln!("warning: {sentence}");
        }
    }

    /// Prints a warning if preconditions are violated or invariants broken in some of the episodes: the few scenarios by which
    /// a plan is chosen seldom have such outcomes. `scenarios` is their number if it was given.
    pub(super) fn warn_if_rare(&self, scenarios: Option<u32>) {
        let tried = scenarios.map_or(PlanOptions::SCENARIOS as u64, u64::from);
        if self.faults.is_rare(self.episodes as u64) {
            anstream::eprintln!(
                "help: the plan was chosen by {}: with more --scenarios, such outcomes count",
                counted(tried, "scenario")
            );
        }
    }

    /// Prints a warning if the plan or policy `what` has no better return than doing nothing or random actions. `cure` is what
    /// to try; by default, a planner that selects an action in every state.
    pub(super) fn warn_if_idle(&self, compiled: &Arc<CompiledInstance>, what: &str, cure: Option<&str>) {
        let is_sound = self.non_finite.is_none() && !self.faults.has_failures();
        // A broken invariant shortens an episode, which changes its return.
        let gain = |baseline: &Baseline| baseline.sound_gain.unwrap_or(f64::INFINITY);
        let baselines = match (gain(&self.nothing) > 0.0, gain(&self.random) >= 0.0) {
            (true, true) => return,
            (false, true) => "doing nothing",
            (true, false) => "random actions",
            (false, false) => "doing nothing or random actions",
        };
        if !is_sound || compiled.action.is_empty() {
            return;
        }
        let cure = cure.map_or_else(
            || {
                let is_countable = UctPlanner::new(Arc::clone(compiled), PlanOptions::default()).is_ok();
                let other = if is_countable { "uct" } else { "replan" };
                format!("try --planner {other}, which selects an action in every state")
            },
            str::to_owned,
        );
        anstream::eprintln!("warning: {what} is no better than {baselines}: {cure}");
    }
}
