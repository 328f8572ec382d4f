//! Linear forms of numeric expressions.

use herbrand_ground::{ExpressionId, GroundExpression, GroundTask, NumericId};
use herbrand_pddl::{ArithmeticOperator, Special};

/// A constant plus multiples of variables.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Linear {
    /// The variables, ascending, with non-zero factors.
    pub(crate) terms: Vec<(Variable, f64)>,
    pub(crate) constant: f64,
}

/// A variable of a linear form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Variable {
    /// A numeric fluent.
    Fluent(NumericId),
    /// The number of steps of a plan (`total-time`).
    Steps,
}

/// The largest number of terms. Longer sums count as not linear, so that the forms of a task take linear space.
const MOST_TERMS: usize = 64;

impl Linear {
    fn number(constant: f64) -> Self {
        Self {
            terms: Vec::new(),
            constant,
        }
    }

    fn variable(variable: Variable) -> Self {
        Self {
            terms: vec![(variable, 1.0)],
            constant: 0.0,
        }
    }

    /// Returns the value if the form is a constant.
    pub(crate) fn as_constant(&self) -> Option<f64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// Returns the factor of a variable, 0 if it does not occur.
    pub(crate) fn factor(&self, variable: Variable) -> f64 {
        let found = self.terms.binary_search_by_key(&variable, |term| term.0);
        found.map_or(0.0, |index| self.terms[index].1)
    }

    /// Returns the sum of this form and `factor` times another; `None` if it is not finite or too long.
    pub(crate) fn plus(&self, other: &Self, factor: f64) -> Option<Self> {
        let mut terms = self.terms.clone();
        for &(variable, multiple) in &other.terms {
            match terms.binary_search_by_key(&variable, |term| term.0) {
                Ok(index) => terms[index].1 += factor * multiple,
                Err(index) => terms.insert(index, (variable, factor * multiple)),
            }
        }
        terms.retain(|term| term.1 != 0.0);
        let constant = self.constant + factor * other.constant;
        let sum = Self { terms, constant };
        (sum.terms.len() <= MOST_TERMS && sum.is_finite()).then_some(sum)
    }

    /// Returns `factor` times this form; `None` if it is not finite.
    pub(crate) fn times(&self, factor: f64) -> Option<Self> {
        Self::default().plus(self, factor)
    }

    fn is_finite(&self) -> bool {
        self.constant.is_finite() && self.terms.iter().all(|term| term.1.is_finite())
    }
}

/// Returns the linear form of each expression of a task; `None` for expressions without one.
pub(crate) fn linear_forms(task: &GroundTask) -> Vec<Option<Linear>> {
    let mut forms: Vec<Option<Linear>> = Vec::with_capacity(task.expressions.len());
    for expression in &task.expressions {
        // The operands of an expression precede it in the list.
        forms.push(form(&forms, *expression));
    }
    forms
}

fn form(forms: &[Option<Linear>], expression: GroundExpression) -> Option<Linear> {
    let side = |id: ExpressionId| forms[id.index()].as_ref();
    match expression {
        GroundExpression::Number(number) => Some(Linear::number(number)),
        GroundExpression::Fluent(id) => Some(Linear::variable(Variable::Fluent(id))),
        GroundExpression::Special(Special::TotalTime) => Some(Linear::variable(Variable::Steps)),
        GroundExpression::Undefined | GroundExpression::Special(_) => None,
        GroundExpression::Apply(operator, left, right) => {
            let (left, right) = (side(left)?, side(right)?);
            match operator {
                ArithmeticOperator::Add => left.plus(right, 1.0),
                ArithmeticOperator::Subtract => left.plus(right, -1.0),
                ArithmeticOperator::Multiply => match (left.as_constant(), right.as_constant()) {
                    (Some(factor), _) => right.times(factor),
                    (_, Some(factor)) => left.times(factor),
                    (None, None) => None,
                },
                ArithmeticOperator::Divide => left.times(1.0 / right.as_constant()?),
                ArithmeticOperator::Negate => left.times(-1.0),
            }
        }
    }
}
