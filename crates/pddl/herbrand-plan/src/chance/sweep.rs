//! Value iteration.

use herbrand_limits::{Budget, BudgetExhausted};

use super::model::Model;
use super::policy::StateValue;
use super::solve::NONE;

/// Sweeps end when no value changes by more than this; costs relative to their size if that is above 1.
const RESIDUAL: f64 = 1e-11;

/// Choices whose probabilities differ by less count as equal. It is greater than [`RESIDUAL`], so that the best choice of
/// the last sweep is among them.
const SAME_PROBABILITY: f64 = 1e-10;

/// The number of sweeps after which probabilities, or costs, are left as they are.
const MOST: u32 = 10_000;

/// The result of value iteration.
pub(crate) struct Swept {
    /// The choice of each state that is best by the values of the last sweep.
    pub(crate) choices: Vec<u32>,
    /// The number of sweeps over all states.
    pub(crate) sweeps: u32,
    /// The greatest change of a value in the last sweep.
    pub(crate) residual: f64,
}

/// Finds good choices by value iteration (Bellman 1957) with two criteria: sweeps over all states improve the probabilities
/// of reaching the goal, from 0; then further sweeps improve the costs, from 0, among the choices that keep the
/// probability.
///
/// All values of a sweep are computed from those of the sweep before. So after `n` sweeps, the probability of a state is
/// the highest one of reaching the goal within `n` steps.
///
/// The choices may be wrong if values converge slowly, or if there are costs of 0: [`improve`](super::improve::improve)
/// corrects them.
pub(crate) fn value_iteration(model: &Model<'_>, budget: &Budget) -> Result<Swept, BudgetExhausted> {
    let mut values: Vec<StateValue> = (0..model.len())
        .map(|state| model.ends[state].unwrap_or(StateValue::NOTHING))
        .collect();
    let mut swept = Swept {
        choices: vec![NONE; model.len()],
        sweeps: 0,
        residual: 0.0,
    };
    let open: Vec<u32> = (0..model.len() as u32)
        .filter(|&state| model.ends[state as usize].is_none())
        .collect();
    let probability = |values: &[StateValue], choice: u32| backup(model, values, choice).probability;
    let probabilities = sweep_until_still(&mut values, &open, budget, |values, state| StateValue {
        probability: model
            .choices(state)
            .map(|choice| probability(values, choice))
            .fold(0.0, f64::max),
        paid: 0.0,
    })?;
    let keeping: Vec<Vec<u32>> = open
        .iter()
        .map(|&state| {
            let least = values[state as usize].probability - SAME_PROBABILITY;
            let keeps = |&choice: &u32| {
                let probability = probability(&values, choice);
                probability > 0.0 && probability >= least
            };
            model.choices(state).filter(keeps).collect()
        })
        .collect();
    let choices = &mut swept.choices;
    let mut place = vec![0; model.len()];
    for (index, &state) in open.iter().enumerate() {
        place[state as usize] = index;
    }
    let costs = sweep_until_still(&mut values, &open, budget, |values, state| {
        let paid = |choice: u32| (backup(model, values, choice).paid, choice);
        let cheapest = keeping[place[state as usize]]
            .iter()
            .map(|&choice| paid(choice))
            .min_by(|one, other| one.0.total_cmp(&other.0));
        let before = values[state as usize];
        let Some((paid, choice)) = cheapest else {
            return before;
        };
        choices[state as usize] = choice;
        StateValue { paid, ..before }
    })?;
    swept.sweeps = probabilities.0 + costs.0;
    swept.residual = probabilities.1.max(costs.1);
    Ok(swept)
}

/// Returns the value of a choice by the values of its successors.
fn backup(model: &Model<'_>, values: &[StateValue], choice: u32) -> StateValue {
    let mut value = StateValue::NOTHING;
    for branch in model.branches(choice) {
        value.add(branch.probability, branch.cost, values[branch.state as usize]);
    }
    value
}

/// Replaces each value of the open states by the result of `new` from all values, sweep by sweep, until they are still. Returns
/// the number of sweeps, and the greatest change in the last one.
fn sweep_until_still(
    values: &mut [StateValue],
    open: &[u32],
    budget: &Budget,
    mut new: impl FnMut(&[StateValue], u32) -> StateValue,
) -> Result<(u32, f64), BudgetExhausted> {
    let mut residual = 0.0;
    for sweep in 1..=MOST {
        budget.check("sweeping over the states", 0)?;
        let next: Vec<StateValue> = open.iter().map(|&state| new(values, state)).collect();
        residual = 0.0_f64;
        for (&state, next) in open.iter().zip(next) {
            let old = std::mem::replace(&mut values[state as usize], next);
            residual = residual
                .max((next.probability - old.probability).abs())
                .max((next.paid - old.paid).abs() / next.paid.abs().max(1.0));
        }
        if residual <= RESIDUAL {
            return Ok((sweep, residual));
        }
    }
    Ok((MOST, residual))
}
