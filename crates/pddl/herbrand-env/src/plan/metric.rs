//! The metric of a plan.

use herbrand_ground::{GroundExpression, GroundTask, NumericId};
use herbrand_pddl::{ArithmeticOperator, Special};

/// Evaluates the metric of `task` at the end of a plan that takes `time`, or as many steps. `None` if there is no metric or it has no value: it
/// refers to an undefined fluent, divides by zero, or is the probability of reaching the goal.
pub(crate) fn metric(
    task: &GroundTask,
    numeric: impl Fn(NumericId) -> Option<f64>,
    time: f64,
    goal: bool,
) -> Option<f64> {
    let (_, root) = task.metric?;
    // Operands precede the nodes that use them.
    let mut values = Vec::<Option<f64>>::with_capacity(root.index() + 1);
    for node in &task.expressions[..=root.index()] {
        let value = match *node {
            GroundExpression::Number(number) => Some(number),
            GroundExpression::Fluent(id) => numeric(id),
            GroundExpression::Special(Special::TotalTime) => Some(time),
            GroundExpression::Special(Special::GoalAchieved) => Some(f64::from(u8::from(goal))),
            GroundExpression::Undefined
            | GroundExpression::Special(Special::Duration | Special::GoalProbability) => None,
            GroundExpression::Apply(operator, left, right) => {
                let sides = values[left.index()].zip(values[right.index()]);
                sides.and_then(|(left, right)| apply(operator, left, right))
            }
        };
        values.push(value);
    }
    values[root.index()]
}

/// Iterates over the initial values of the accumulators of `task`.
pub(crate) fn accumulators(task: &GroundTask) -> impl Iterator<Item = f64> + '_ {
    let accumulators = task.numerics.iter().skip(task.state_numerics as usize);
    accumulators.map(|numeric| numeric.initial.unwrap_or(0.0))
}

fn apply(operator: ArithmeticOperator, left: f64, right: f64) -> Option<f64> {
    let value = match operator {
        ArithmeticOperator::Add => left + right,
        ArithmeticOperator::Subtract => left - right,
        ArithmeticOperator::Multiply => left * right,
        ArithmeticOperator::Divide => left / right,
        ArithmeticOperator::Negate => -left,
    };
    value.is_finite().then_some(value)
}
