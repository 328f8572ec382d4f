//! The checks of numbers and expressions.

use herbrand_pddl::{ArithmeticOperator, AssignOperator};

use super::{InvalidTask, ensure, ensure_below};
use crate::task::{BlockId, ExpressionId, GroundExpression, GroundTask, NumericId};

/// The greatest factor by which the expressions may grow if shared nodes are copied, which is how they are evaluated. In
/// real tasks the factor is small.
const LONGEST: u64 = 256;

pub(super) fn check(task: &GroundTask) -> Result<(), InvalidTask> {
    let numerics = task.numerics.len();
    ensure(task.state_numerics as usize <= numerics, || {
        format!("{} of {numerics} numbers in a state", task.state_numerics)
    })?;
    let initial = task.numerics.iter().filter_map(|numeric| numeric.initial);
    initial.chain(task.goal_reward).try_for_each(finite)?;
    if let Some(reward) = task.reward {
        ensure_below("number", reward.index(), numerics)?;
    }
    if let Some((_, metric)) = task.metric {
        ensure_below("expression", metric.index(), task.expressions.len())?;
    }
    let nodes = Nodes::of(task)?;
    uses(task, &nodes)
}

fn finite(number: f64) -> Result<(), InvalidTask> {
    ensure(number.is_finite(), || format!("the number {number}"))
}

/// Properties of the expressions.
struct Nodes {
    /// For each expression, whether it reads an accumulator.
    counts: Vec<bool>,
    /// For each expression, its number of nodes if shared nodes are copied.
    sizes: Vec<u64>,
}

impl Nodes {
    fn of(task: &GroundTask) -> Result<Self, InvalidTask> {
        let mut this = Self {
            counts: Vec::with_capacity(task.expressions.len()),
            sizes: Vec::with_capacity(task.expressions.len()),
        };
        for (index, node) in task.expressions.iter().enumerate() {
            let (counts, size) = match *node {
                GroundExpression::Number(value) => {
                    finite(value)?;
                    (false, 1)
                }
                GroundExpression::Fluent(id) => {
                    ensure_below("number", id.index(), task.numerics.len())?;
                    (is_accumulator(task, id), 1)
                }
                GroundExpression::Undefined | GroundExpression::Special(_) => (false, 1),
                GroundExpression::Apply(operator, left, right) => {
                    let (left, right) = (left.index(), right.index());
                    let ordered = left.max(right) < index && operator != ArithmeticOperator::Negate;
                    ensure(ordered, || {
                        format!("expression {index} has operands that are none")
                    })?;
                    let size = this.sizes[left].saturating_add(this.sizes[right]);
                    (this.counts[left] || this.counts[right], size.saturating_add(1))
                }
            };
            this.counts.push(counts);
            this.sizes.push(size);
        }
        Ok(this)
    }
}

fn is_accumulator(task: &GroundTask, id: NumericId) -> bool {
    id.number() >= task.state_numerics
}

/// Checks the expressions in comparisons, effects and the metric.
fn uses(task: &GroundTask, nodes: &Nodes) -> Result<(), InvalidTask> {
    let mut used = vec![false; nodes.sizes.len()];
    let mut read = |id: ExpressionId| {
        ensure_below("expression", id.index(), nodes.sizes.len())?;
        used[id.index()] = true;
        ensure(!nodes.counts[id.index()], || {
            format!("expression {} reads an accumulator", id.number())
        })
    };
    for comparison in task
        .conditions
        .iter()
        .flat_map(|conjunction| conjunction.comparisons)
    {
        read(comparison.left)?;
        read(comparison.right)?;
    }
    for id in (0..task.effects.len()).map(BlockId::from_index) {
        for assignment in task.effects.get(id).assignments {
            ensure_below("number", assignment.target.index(), task.numerics.len())?;
            read(assignment.value)?;
            let shifts = matches!(
                assignment.operator,
                AssignOperator::Increase | AssignOperator::Decrease
            );
            ensure(shifts || !is_accumulator(task, assignment.target), || {
                format!("accumulator {} is set or scaled", assignment.target.number())
            })?;
        }
    }
    if let Some((_, metric)) = task.metric {
        used[metric.index()] = true;
    }
    let written = nodes.sizes.iter().zip(used).filter(|(_, used)| *used);
    let length = written.fold(0_u64, |sum, (&size, _)| sum.saturating_add(size));
    ensure(length <= LONGEST * nodes.sizes.len() as u64, || {
        "expressions that are too long when written out".to_owned()
    })
}
