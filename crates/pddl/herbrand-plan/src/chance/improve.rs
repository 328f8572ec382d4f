//! Policy iteration.

use herbrand_limits::{Budget, BudgetExhausted};

use super::model::Model;
use super::policy::StateValue;
use super::solve::{NONE, evaluate};

/// Probabilities with a smaller difference count as equal.
const SAME_PROBABILITY: f64 = 1e-10;

/// Costs with a smaller relative difference count as equal.
const SAME_COST: f64 = 1e-9;

/// Finds the best choice for every state, starting from `choices` where it has one. Returns the worth of each state, and the
/// number of policies that were evaluated.
///
/// This is policy iteration (Howard 1960) with two criteria: a choice is replaced by one with a higher probability of
/// reaching the goal, or with the same probability and a lower cost.
///
/// Every policy considered reaches the goal with positive probability from every state where some policy does. [`begin`]
/// establishes this, and improvement preserves it. To see this, suppose that the new choices never leave a set of states
/// without the goal. In this set, take the states with the highest old probability. Their choices were not replaced by the
/// first criterion, because a replacement would lead to a state with a higher probability. So they have their old choices,
/// which lead only to states with the same probability. Then the old choices did not leave these states either, which
/// contradicts the assumption. For the second criterion, the same argument applies to the states with the lowest cost.
///
/// If no choice can be replaced, the probability of no state is below the probability of any of its choices, so no policy
/// has a higher one. Likewise, no policy with this probability that reaches the goal wherever possible is cheaper. This also
/// holds for costs of 0, for which value iteration may converge below the cost of every policy.
pub(crate) fn improve(
    model: &Model<'_>,
    choices: &mut Vec<u32>,
    budget: &Budget,
) -> Result<(Vec<StateValue>, u32), BudgetExhausted> {
    begin(model, choices);
    let mut policies = 0;
    loop {
        policies += 1;
        let worths = evaluate(model, choices, budget)?;
        let mut changed = false;
        for state in 0..model.len() as u32 {
            if let Some(better) = better_choice(model, &worths, state) {
                choices[state as usize] = better;
                changed = true;
            }
        }
        if !changed {
            return Ok((worths, policies));
        }
        model.check(budget)?;
    }
}

/// Returns a choice that is better than the current worth of a state.
fn better_choice(model: &Model<'_>, worths: &[StateValue], state: u32) -> Option<u32> {
    if model.ends[state as usize].is_some() {
        return None;
    }
    let now = worths[state as usize];
    let worth_of = |choice: u32| {
        let mut worth = StateValue::NOTHING;
        for branch in model.branches(choice) {
            worth.add(branch.probability, branch.cost, worths[branch.state as usize]);
        }
        worth
    };
    let highest = model
        .choices(state)
        .map(|choice| worth_of(choice).probability)
        .fold(0.0, f64::max);
    let is_higher = highest > now.probability + SAME_PROBABILITY;
    let least = if is_higher { highest } else { now.probability } - SAME_PROBABILITY;
    let cheapest = model
        .choices(state)
        .map(|choice| (worth_of(choice), choice))
        .filter(|(worth, _)| worth.probability > 0.0 && worth.probability >= least)
        .min_by(|one, other| one.0.paid.total_cmp(&other.0.paid));
    let (worth, choice) = cheapest?;
    let is_cheaper = worth.paid < now.paid - SAME_COST * now.paid.abs().max(1.0);
    (is_higher || is_cheaper).then_some(choice)
}

/// Gives every state a choice from which the goal is reached with positive probability, if there is one. Existing choices
/// are kept if they have this property.
fn begin(model: &Model<'_>, choices: &mut Vec<u32>) {
    choices.resize(model.len(), NONE);
    let has_worth = |end: &Option<StateValue>| end.is_some_and(|worth| worth.probability > 0.0);
    let mut reaching: Vec<bool> = model.ends.iter().map(has_worth).collect();
    let all = model.predecessors(|state| model.choices(state));
    let mut kept: Vec<u32> = (0..model.len() as u32)
        .filter(|&state| reaching[state as usize])
        .collect();
    let mut open = Vec::new();
    let mut next = 0;
    loop {
        // States that reach the goal by their existing choice are processed before states that need a new one.
        let (state, own) = match kept.pop() {
            Some(state) => {
                open.push(state);
                (state, true)
            }
            None if next < open.len() => {
                next += 1;
                (open[next - 1], false)
            }
            None => break,
        };
        for &(before, choice) in all.of(state) {
            let index = before as usize;
            if model.ends[index].is_some() || reaching[index] || own && choices[index] != choice {
                continue;
            }
            reaching[index] = true;
            choices[index] = choice;
            kept.push(before);
        }
    }
    for (choice, reaching) in choices.iter_mut().zip(&reaching) {
        if !reaching {
            *choice = NONE;
        }
    }
    for (choice, end) in choices.iter_mut().zip(&model.ends) {
        if end.is_some() {
            *choice = NONE;
        }
    }
}
