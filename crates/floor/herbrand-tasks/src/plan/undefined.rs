//! Undefined numeric values, and effects without a result, that may be the reason why there is no plan.

use herbrand_env::Suite;
use herbrand_ground::{ActionId, GroundComparison, GroundExpression, GroundTask, NumericId};
use herbrand_pddl::{self as pddl, Code, Comparison};
use herbrand_step::Simulator;

use crate::failure::TaskFailure;

/// Returns a sentence for each numeric value that actions read but that may be undefined: either it never gets a value, or
/// an effect must assign it first. Also returns one for each action whose effects on a number contradict each other.
pub(super) fn undefined_values(suite: &Suite, simulator: &Simulator) -> Result<Vec<String>, TaskFailure> {
    let problem = suite.parse_problem(0)?;
    let missing = pddl::undefined_values(suite.domain(), &problem, false);
    let mut sentences: Vec<_> = missing.iter().map(|one| one.message().to_owned()).collect();
    let contradicting = pddl::doubts(suite.domain(), false);
    let contradicting = contradicting
        .iter()
        .filter(|one| one.code() == Code::ContradictingNumbers);
    sentences.extend(contradicting.map(|one| one.message().to_owned()));
    let task = simulator.task();
    let mut seen: Vec<NumericId> = Vec::new();
    for (action, value) in awaited(task) {
        if !seen.contains(&value) {
            seen.push(value);
            sentences.push(format!(
                "`{}` has no initial value, and `{}` is not valid until it has one",
                task.display_numeric(value),
                task.display_action(action),
            ));
        }
    }
    Ok(sentences)
}

/// Returns the actions whose precondition requires a number to be defined, each with that number.
fn awaited(task: &GroundTask) -> impl Iterator<Item = (ActionId, NumericId)> {
    let of_action = move |action: ActionId| {
        let ways = task
            .conditions
            .conjunctions(task.actions.get(action).precondition);
        let comparisons = ways.flat_map(|way| task.conditions.get(way).comparisons);
        comparisons.filter_map(move |one| Some((action, asked(task, one)?)))
    };
    task.actions.ids().flat_map(of_action)
}

/// The numeric fluent whose value a comparison tests for existence: `(= (f) (f))`.
fn asked(task: &GroundTask, one: &GroundComparison) -> Option<NumericId> {
    if one.comparison != Comparison::Equal || one.left != one.right {
        return None;
    }
    match task.expressions[one.left.index()] {
        GroundExpression::Fluent(id) => Some(id),
        _ => None,
    }
}
