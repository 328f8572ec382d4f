//! Comparisons of numbers in the relaxation.
//!
//! A comparison is treated as a test of the difference between its sides: `x ≥ y + 3` tests whether `x − y − 3` is at least
//! 0. A numeric effect that adds constants to a linear difference shifts it by a known amount. A shift in the right
//! direction achieves the fact, and a shift in the other direction cannot. Any other effect on a number of the comparison
//! (an assignment, a scaling, an amount that depends on the state) may achieve it. The additive heuristic counts how often a
//! shift must be applied (Scala, Haslum and Thiébaux 2016, "Heuristics for numeric planning via subgoaling").

use herbrand_ground::{GroundAssignment, GroundComparison};
use herbrand_pddl::{AssignOperator, Comparison};

use crate::linear::{Linear, Variable};

/// The influence of a block's numeric effects on a comparison.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Movement {
    /// They cannot make it true.
    Never,
    /// They may make it true in one application.
    Possible,
    /// They shift the difference between its sides by this amount, in the right direction.
    Shift(f64),
}

/// Sums that are smaller than this fraction of the amounts added may be rounding errors, so their sign is not trusted.
const ROUNDING: f64 = 1e-9;

/// Returns the influence of `assignments`, the numeric effects of one block, on a comparison with this difference between
/// its sides.
pub(super) fn movement(
    comparison: GroundComparison,
    difference: Option<&Linear>,
    assignments: &[GroundAssignment],
    forms: &[Option<Linear>],
) -> Movement {
    let Some(difference) = difference else {
        return Movement::Possible;
    };
    let (mut amount, mut size) = (0.0_f64, 0.0_f64);
    for assignment in assignments {
        let factor = difference.factor(Variable::Fluent(assignment.target));
        if factor == 0.0 {
            continue;
        }
        let constant = forms[assignment.value.index()]
            .as_ref()
            .and_then(Linear::as_constant);
        let by = match (assignment.operator, constant) {
            (AssignOperator::Increase, Some(value)) => factor * value,
            (AssignOperator::Decrease, Some(value)) => -factor * value,
            _ => return Movement::Possible,
        };
        amount += by;
        size += by.abs();
    }
    match size {
        0.0 => Movement::Never,
        _ if amount.abs() <= size * ROUNDING => Movement::Possible,
        _ if needs(comparison).allows(amount) => Movement::Shift(amount),
        _ => Movement::Never,
    }
}

/// The condition on the difference between a comparison's sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Need {
    Below,
    AtMost,
    Zero,
    Other,
    AtLeast,
    Above,
}

fn needs(comparison: GroundComparison) -> Need {
    let [need, opposite] = match comparison.comparison {
        Comparison::Less => [Need::Below, Need::AtLeast],
        Comparison::LessOrEqual => [Need::AtMost, Need::Above],
        Comparison::Equal => [Need::Zero, Need::Other],
        Comparison::GreaterOrEqual => [Need::AtLeast, Need::Below],
        Comparison::Greater => [Need::Above, Need::AtMost],
    };
    if comparison.negated { opposite } else { need }
}

impl Need {
    /// Returns whether shifts by this amount, applied often enough, may achieve the condition.
    fn allows(self, amount: f64) -> bool {
        match self {
            Self::Below | Self::AtMost => amount < 0.0,
            Self::Zero | Self::Other => true,
            Self::AtLeast | Self::Above => amount > 0.0,
        }
    }
}

/// The largest number of repetitions returned.
const MOST: f64 = 1e6;

/// Returns how many shifts by `amount` lead from the difference `from` to a difference that satisfies the comparison; at
/// least 1.
pub(super) fn repetitions(comparison: GroundComparison, from: f64, amount: f64) -> u32 {
    let steps = -from / amount;
    let count = match needs(comparison) {
        Need::Below | Need::Above => steps.floor() + 1.0,
        Need::AtMost | Need::AtLeast => steps.ceil(),
        Need::Zero => steps.round(),
        Need::Other => 1.0,
    };
    count.clamp(1.0, MOST) as u32
}

#[cfg(test)]
mod tests {
    use herbrand_ground::ExpressionId;

    use super::*;

    fn comparison(comparison: Comparison, negated: bool) -> GroundComparison {
        GroundComparison {
            negated,
            comparison,
            left: ExpressionId::new(0),
            right: ExpressionId::new(0),
        }
    }

    #[test]
    fn shifts_are_counted_up_to_where_the_comparison_holds() {
        for (kind, negated, from, amount, expected) in [
            (Comparison::GreaterOrEqual, false, -7.0, 2.0, 4),
            (Comparison::GreaterOrEqual, false, -8.0, 2.0, 4),
            (Comparison::Greater, false, -8.0, 2.0, 5),
            (Comparison::Less, true, -8.0, 2.0, 4),
            (Comparison::LessOrEqual, false, 3.0, -1.0, 3),
            (Comparison::Less, false, 3.0, -1.0, 4),
            (Comparison::Equal, false, 3.0, -1.0, 3),
            (Comparison::Equal, false, 3.0, 1.0, 1),
            (Comparison::Equal, true, 0.0, 5.0, 1),
        ] {
            let comparison = comparison(kind, negated);
            assert_eq!(
                repetitions(comparison, from, amount),
                expected,
                "{comparison:?} from {from}"
            );
        }
    }
}
