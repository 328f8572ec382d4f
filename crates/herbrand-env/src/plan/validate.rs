//! Executing a plan.

use std::collections::BTreeMap;

use herbrand_ground::{ActionId, NumericId};
use herbrand_step::{Outcome, Simulator, State, StepError};

use super::Plan;
use super::metric::{accumulators, metric};

/// What executing a plan came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Validation {
    /// How many steps the plan has.
    pub steps: usize,
    /// The probability that all steps can be executed; 0 or 1 without chance.
    pub executable: f64,
    /// The probability that the goal holds at the end.
    pub goal: f64,
    /// What the metric comes to at the end, if there is one and the plan can be executed; the mean of the ways in
    /// which it can go, if there are several.
    pub metric: Option<f64>,
    /// The first step that cannot be executed, in one of the ways in which it can go.
    pub failure: Option<PlanFailure>,
}

/// A step of a plan that cannot be executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanFailure {
    /// The step, from 1.
    pub step: usize,
    /// The line of the plan, from 1.
    pub line: usize,
    /// The operator.
    pub action: String,
    /// Why.
    pub reason: String,
}

impl Validation {
    /// Whether the plan reaches the goal for certain, up to rounding.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.goal > 1.0 - 1e-9
    }
}

/// The ways in which a plan can go so far: each state with its probability, and that times the mean of each
/// accumulator there.
type Ways = BTreeMap<State, Weight>;

#[derive(Clone, Debug)]
struct Weight {
    probability: f64,
    accumulators: Vec<f64>,
}

/// Executes a plan of operators from the initial state, in all ways in which chance can go. Takes time linear in the
/// length of the plan times the number of states that are possible at once.
///
/// # Errors
/// When an effect has no meaning, or chance has too many outcomes to follow.
pub fn validate(simulator: &Simulator, plan: &Plan) -> Result<Validation, StepError> {
    let mut failure = None;
    let mut ways = initial(simulator)?;
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
            Ok(action) => advance(simulator, &ways, action, &mut fail)?,
            Err(error) => {
                fail(error.to_string());
                Ways::new()
            }
        };
    }
    // `sum` of nothing would be −0.
    let sum =
        |ways: &mut dyn Iterator<Item = &Weight>| ways.fold(0.0, |sum, weight| sum + weight.probability);
    let goals = ways.iter().filter(|(state, _)| simulator.is_goal(state));
    Ok(Validation {
        steps: plan.steps.len(),
        executable: sum(&mut ways.values()),
        goal: sum(&mut goals.map(|(_, weight)| weight)),
        metric: mean_metric(simulator, &ways, plan.steps.len()),
        failure,
    })
}

fn initial(simulator: &Simulator) -> Result<Ways, StepError> {
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

/// The ways after one more step; those in which it cannot be taken end here.
fn advance(
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

fn mean_metric(simulator: &Simulator, ways: &Ways, steps: usize) -> Option<f64> {
    let task = simulator.task();
    let mut mean = 0.0;
    let total: f64 = ways.values().map(|weight| weight.probability).sum();
    for (state, weight) in ways {
        let numeric = |id: NumericId| match id.number().checked_sub(task.state_numerics) {
            None => state.numeric(id),
            Some(index) => Some(weight.accumulators[index as usize] / weight.probability),
        };
        mean += metric(task, numeric, steps, simulator.is_goal(state))? * weight.probability / total;
    }
    (!ways.is_empty()).then_some(mean)
}
