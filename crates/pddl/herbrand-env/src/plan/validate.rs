//! Validation of plans by execution.

use std::collections::BTreeMap;

use herbrand_ground::{ActionId, NumericId};
use herbrand_step::{Outcome, Simulator, State, StepError};

use super::metric::{accumulators, metric};
use super::{ParsedPlan, SimultaneousSteps};

/// The result of executing a plan, returned by [`validate`]. A plan that fails is no error; [`failure`](Self::failure)
/// and [`missing`](Self::missing) say why, and [`is_valid`](Self::is_valid) sums it up.
#[derive(Clone, PartialEq, Debug)]
pub struct Validation {
    /// The number of steps of the plan. 0 for an empty plan, which is executed and may be valid.
    pub steps: usize,
    /// The probability that all steps can be executed; 0 or 1 in deterministic problems.
    pub executable: f64,
    /// The probability that all steps can be executed and the goal holds at the end.
    pub goal: f64,
    /// The value of the metric at the end; if several outcomes execute the plan, the mean over them by probability.
    /// `None` if there is no metric, no outcome executes the plan, or the metric has no finite value in one of them.
    pub metric: Option<f64>,
    /// The first step that cannot be executed in at least one of the possible outcomes; `None` if every step always can.
    pub failure: Option<PlanFailure>,
    /// The literals and comparisons of the goal that do not hold at the end, as PDDL; with several outcomes, in the most
    /// probable end that misses the goal. Empty if every end reaches the goal, if no outcome executes the whole plan, or if
    /// the goal holds in no reachable state.
    pub missing: Vec<String>,
}

/// A step of a plan that cannot be executed, and why. [`Validation::failure`] has the first one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanFailure {
    /// The number of the step in the plan, from 1.
    pub step: usize,
    /// The line of the step in the plan's text, from 1.
    pub line: usize,
    /// The operator of the step as the plan has it, in lower case; it may be unknown.
    pub action: String,
    /// The reason why the operator cannot be applied, as a sentence.
    pub reason: String,
}

impl Validation {
    /// Returns whether the plan reaches the goal with probability 1, up to rounding.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.goal > 1.0 - 1e-9
    }
}

/// The possible states after a prefix of the plan. Each has its probability, and the means of the accumulators multiplied by
/// the probability.
pub(super) type Ways = BTreeMap<State, Weight>;

#[derive(Clone, Debug)]
pub(super) struct Weight {
    probability: f64,
    accumulators: Vec<f64>,
}

/// Executes a plan of operators from the initial state, following all outcomes of probabilistic effects. Takes time
/// linear in the length of the plan times the number of simultaneously possible states. A step that is unknown,
/// cannot be executed, or has the time of a step that it is not independent of, is not an error: it is reported in [`Validation::failure`]. [`ParsedPlan::parse`] reads a plan.
/// Steps are operators; agent actions are unknown here.
///
/// # Errors
/// Fails if a numeric effect has no result, or if a step or the initial state has too many outcomes to enumerate.
pub fn validate(simulator: &Simulator, plan: &ParsedPlan) -> Result<Validation, StepError> {
    let mut failure = None;
    let mut ways = initial(simulator)?;
    let mut at_once = SimultaneousSteps::default();
    for (number, step) in (1..).zip(&plan.steps) {
        let mut fail = |reason: String| {
            failure.get_or_insert(PlanFailure {
                step: number,
                line: step.line,
                action: step.action.clone(),
                reason,
            });
        };
        ways = match simulator.parse_action(&step.action) {
            Ok(action) => match at_once.take(simulator.task(), step, action) {
                Ok(()) => advance(simulator, &ways, action, &mut fail)?,
                Err(error) => {
                    fail(error.to_string());
                    Ways::new()
                }
            },
            Err(error) => {
                fail(error.to_string());
                Ways::new()
            }
        };
    }
    // `sum` of an empty iterator would be −0.
    let sum =
        |ways: &mut dyn Iterator<Item = &Weight>| ways.fold(0.0, |sum, weight| sum + weight.probability);
    let (goals, misses): (Vec<_>, Vec<_>) = ways.iter().partition(|(state, _)| simulator.is_goal(state));
    let likeliest = misses
        .iter()
        .max_by(|(_, one), (_, other)| one.probability.total_cmp(&other.probability));
    let missing = likeliest.map(|(state, _)| simulator.explain_goal(state));
    Ok(Validation {
        steps: plan.steps.len(),
        executable: sum(&mut ways.values()),
        goal: sum(&mut goals.into_iter().map(|(_, weight)| weight)),
        metric: mean_metric(simulator, &ways, plan.steps.len()),
        failure,
        missing: missing
            .into_iter()
            .flatten()
            .map(|failure| failure.text)
            .collect(),
    })
}

pub(super) fn initial(simulator: &Simulator) -> Result<Ways, StepError> {
    let task = simulator.task();
    let start: Vec<_> = accumulators(task).collect();
    let mut ways = Ways::new();
    for outcome in simulator.initial_outcomes()? {
        let from = Weight {
            probability: 1.0,
            accumulators: start.clone(),
        };
        add(&mut ways, &from, outcome, task.state_numerics);
    }
    Ok(ways)
}

/// Returns the possible states after one more step. States in which the step cannot be executed are dropped.
pub(super) fn advance(
    simulator: &Simulator,
    ways: &Ways,
    action: ActionId,
    fail: &mut impl FnMut(String),
) -> Result<Ways, StepError> {
    let mut next = Ways::new();
    for (state, weight) in ways {
        match simulator.outcomes(state, action) {
            Ok(outcomes) => {
                for outcome in outcomes {
                    add(&mut next, weight, outcome, simulator.task().state_numerics);
                }
            }
            Err(error @ StepError::Invalid { .. }) => fail(error.to_string()),
            Err(error) => return Err(error),
        }
    }
    Ok(next)
}

fn add(ways: &mut Ways, from: &Weight, outcome: Outcome, first_accumulator: u32) {
    let share = outcome.probability;
    let probability = from.probability * share;
    let mut accumulators = from
        .accumulators
        .iter()
        .map(|value| value * share)
        .collect::<Vec<_>>();
    for (id, delta) in outcome.deltas {
        accumulators[(id.number() - first_accumulator) as usize] += delta * probability;
    }
    let to = ways.entry(outcome.state).or_insert_with(|| Weight {
        probability: 0.0,
        accumulators: vec![0.0; accumulators.len()],
    });
    to.probability += probability;
    for (sum, more) in to.accumulators.iter_mut().zip(accumulators) {
        *sum += more;
    }
}

pub(super) fn mean_metric(simulator: &Simulator, ways: &Ways, steps: usize) -> Option<f64> {
    let task = simulator.task();
    let mut mean = 0.0;
    let total: f64 = ways.values().map(|weight| weight.probability).sum();
    for (state, weight) in ways {
        let numeric = |id: NumericId| match id.number().checked_sub(task.state_numerics) {
            None => state.numeric(id),
            Some(index) => Some(weight.accumulators[index as usize] / weight.probability),
        };
        mean += metric(task, numeric, steps as f64, simulator.is_goal(state))? * weight.probability / total;
    }
    (!ways.is_empty()).then_some(mean)
}
