//! Policy iteration.

use herbrand_limits::{Budget, Spent};

use super::model::Model;
use super::policy::Worth;
use super::solve::{NONE, evaluate};

/// Probabilities that differ by less are taken for equal.
const SAME_PROBABILITY: f64 = 1e-10;

/// Costs that differ by a smaller share of themselves are taken for equal.
const SAME_COST: f64 = 1e-9;

/// Finds the best choice for every state, beginning with `choices` as far as it has some, and what each state is worth then.
///
/// Policy iteration (Howard 1960) by two criteria: a choice is replaced by one with a higher probability of the goal, or with
/// the same probability and a lower payment.
///
/// It begins with a policy that reaches the goal with positive probability wherever one does, and goes on with such ones. By
/// the first criterion: take a set of states that the new choices do not lead out of, and in it the states of the highest
/// old probability. Their choices are old ones, for a new one would lead to something higher, and lead to such states only;
/// so the old choices did not lead out of them, against what was assumed. By the second one, likewise with the lowest
/// payment. When nothing can be replaced, the probability of no state is below that of any of its choices, so that no policy
/// has a higher one; and no policy with this probability that reaches the goal where it can pays less. This holds with costs of 0
/// too, where value iteration may end below the cost of every policy.
pub(crate) fn improve(
    model: &Model<'_>,
    choices: &mut Vec<u32>,
    budget: &Budget,
) -> Result<Vec<Worth>, Spent> {
    begin(model, choices);
    loop {
        let worths = evaluate(model, choices, budget)?;
        let mut changed = false;
        for state in 0..model.len() as u32 {
            if let Some(better) = better_choice(model, &worths, state) {
                choices[state as usize] = better;
                changed = true;
            }
        }
        if !changed {
            return Ok(worths);
        }
        model.check(budget)?;
    }
}

/// A choice of a state that is better than the one that gives what the state is worth.
fn better_choice(model: &Model<'_>, worths: &[Worth], state: u32) -> Option<u32> {
    if model.ends[state as usize].is_some() {
        return None;
    }
    let now = worths[state as usize];
    let worth_of = |choice: u32| {
        let mut worth = Worth::NOTHING;
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

/// Gives every state a choice from which the goal is reached with positive probability, if there is one. The choices that it
/// has stay as far as they do that.
fn begin(model: &Model<'_>, choices: &mut Vec<u32>) {
    choices.resize(model.len(), NONE);
    let has_worth = |end: &Option<Worth>| end.is_some_and(|worth| worth.probability > 0.0);
    let mut reaching: Vec<bool> = model.ends.iter().map(has_worth).collect();
    let all = model.predecessors(|state| model.choices(state));
    let mut kept: Vec<u32> = (0..model.len() as u32)
        .filter(|&state| reaching[state as usize])
        .collect();
    let mut open = Vec::new();
    let mut next = 0;
    loop {
        // States whose own choice leads on come before those that need one.
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
