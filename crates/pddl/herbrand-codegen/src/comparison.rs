//! Translation of numeric comparisons to Rust functions.

use herbrand_ground::NormalComparison;
use herbrand_pddl::{ArithmeticOperator, Domain, Expression, FunctionId, Term};

use crate::name::Identifiers;

/// A Rust function that evaluates a comparison. It returns `None` if a side is undefined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Comparison {
    pub(crate) name: String,
    pub(crate) parameters: Vec<String>,
    /// The body of the function.
    pub(crate) body: String,
}

/// A function of the domain applied to arguments.
pub(crate) type Value = (FunctionId, Vec<Term>);

/// Returns the function values that a comparison reads, from left to right, without duplicates.
pub(crate) fn values(comparison: &NormalComparison) -> Vec<Value> {
    let mut values = Vec::new();
    let mut see = |inner: &Expression| {
        if let Expression::Fluent(term) = inner {
            let value = (term.function, term.arguments.clone());
            if !values.contains(&value) {
                values.push(value);
            }
        }
    };
    comparison.left.walk(&mut see);
    comparison.right.walk(&mut see);
    values
}

impl Comparison {
    /// Translates a comparison. The parameters are its [`values`]. Negation is ignored.
    pub(crate) fn of(domain: &Domain, name: String, comparison: &NormalComparison) -> Self {
        let values = values(comparison);
        let mut identifiers = Identifiers::default();
        let parameters: Vec<_> = values
            .iter()
            .map(|(function, _)| identifiers.add(domain.function(*function).name.as_str()))
            .collect();
        let [left, right] =
            [&comparison.left, &comparison.right].map(|side| text(side, &values, &parameters));
        let symbol = match comparison.comparison {
            herbrand_pddl::Comparison::Equal => "==",
            other => other.symbol(),
        };
        Self {
            name,
            parameters,
            body: format!("Some({left} {symbol} {right})"),
        }
    }
}

/// Translates an expression to Rust, given the names of the values that it reads. Operands are evaluated from left to right.
fn text(expression: &Expression, values: &[Value], names: &[String]) -> String {
    let operand = |expression| text(expression, values, names);
    match expression {
        Expression::Number(number) => format!("{:?}", number.value()),
        // A quantity of the metric, such as the total time, has no value in a state.
        Expression::Special(_) => "None::<f64>?".to_owned(),
        Expression::Fluent(term) => {
            let same =
                |(function, arguments): &&Value| *function == term.function && *arguments == term.arguments;
            let name = values
                .iter()
                .zip(names)
                .find(|(value, _)| same(value))
                .map(|(_, name)| name.clone());
            name.unwrap_or_default()
        }
        Expression::Apply(ArithmeticOperator::Negate, operands) => {
            let negated = operands.first().map(operand).unwrap_or_default();
            format!("self::finite(0.0 - {negated})?")
        }
        Expression::Apply(operator, operands) => {
            let folded = operands.iter().map(operand).reduce(|left, right| match operator {
                ArithmeticOperator::Divide => format!("self::quotient({left}, {right})?"),
                _ => format!("self::finite({left} {operator} {right})?"),
            });
            folded.unwrap_or_default()
        }
    }
}
