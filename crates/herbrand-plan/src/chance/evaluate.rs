//! The exact value of a policy.

use herbrand_limits::Budget;

use super::exact::value;
use super::model::Model;
use super::policy::{Policy, PolicyValue};
use super::solve::{self, NONE};
use super::task::ChanceTask;
use crate::task::TaskError;

/// What a policy comes to, from all states that it reaches: exactly, rounding apart. Each state is asked about once, in the
/// order of breadth-first search.
///
/// # Errors
/// When the policy cannot say what to do, takes an action that is not valid, or the budget is spent.
pub fn evaluate(
    task: &ChanceTask,
    policy: &mut dyn Policy,
    budget: &Budget,
) -> Result<PolicyValue, TaskError> {
    let optimal = policy.value().is_some_and(|value| value.optimal);
    let mut model = Model::new(task)?;
    let given = task.given_states();
    let mut next = 0;
    while next < model.len() as u32 {
        model.check(budget)?;
        let walker = model.go_to(next)?;
        if walker.is_goal() {
            model.expand(next, |_| false)?;
        } else {
            let state = given.of(walker.state())?;
            let action = policy.act(&state)?;
            model.expand(next, |valid| Some(valid) == action)?;
        }
        next += 1;
    }
    let first = |state: u32| model.choices(state).next().unwrap_or(NONE);
    let choices: Vec<u32> = (0..model.len() as u32).map(first).collect();
    let worths = solve::evaluate(&model, &choices, budget)?;
    Ok(value(&model, &worths, optimal))
}
