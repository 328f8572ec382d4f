//! Evaluation of expressions.

use herbrand_rddl::{
    Aggregation, Connective, Expression, Extremum, Formula, Lambda, Node, Quantifier, Range, Value,
    VariableId,
};

use super::arithmetic::{binary, compare, number, unary};
use super::chance::Chance;
use super::error::RddlEvaluationError;
use super::matrix;
use super::world::StepEnvironment;

type Evaluated = Result<Value, RddlEvaluationError>;

impl<C: Chance> StepEnvironment<'_, C> {
    /// Returns the value of an expression of `formula`, widened to the expression's range. `items` are the values of the
    /// variables.
    pub(super) fn evaluate(
        &self,
        formula: &Formula,
        expression: &Expression,
        items: &mut Vec<u32>,
    ) -> Evaluated {
        let value = match &expression.node {
            Node::Literal(value) => *value,
            Node::Variable(id) => Value::Item(items[id.index()]),
            Node::Fluent(id, time, arguments) => {
                let mut row = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    row.push(item(self.evaluate(formula, argument, items)?));
                }
                self.value(*id, *time, self.instance.ground_number(*id, &row))?
            }
            Node::Unary(operator, operand) => unary(
                *operator,
                self.evaluate(formula, operand, items)?,
                expression.range,
            )?,
            Node::Binary(first, rest) => {
                let (mut value, mut range) = (self.evaluate(formula, first, items)?, first.range);
                for (operator, operand) in rest {
                    range = operator.range([range, operand.range]);
                    value = binary(*operator, value, self.evaluate(formula, operand, items)?, range)?;
                }
                value
            }
            Node::Compare(comparison, operands) => {
                let a = self.evaluate(formula, &operands[0], items)?;
                let b = self.evaluate(formula, &operands[1], items)?;
                Value::Bool(compare(*comparison, a, b))
            }
            Node::Connect(connective, operands) => {
                Value::Bool(self.connect(formula, *connective, operands, items)?)
            }
            Node::If(parts) => {
                let branch = if self.truth(formula, &parts[0], items)? {
                    &parts[1]
                } else {
                    &parts[2]
                };
                self.evaluate(formula, branch, items)?
            }
            Node::Switch {
                subject,
                cases,
                default,
            } => {
                let subject = item(self.evaluate(formula, subject, items)?);
                let case = cases.iter().find(|case| case.item == subject);
                match case.map(|case| &case.body).or(default.as_deref()) {
                    Some(branch) => self.evaluate(formula, branch, items)?,
                    None => expression.range.zero(),
                }
            }
            Node::Aggregate(aggregation, variables, body) => {
                self.aggregate(formula, *aggregation, variables, body, expression.range, items)?
            }
            Node::Quantify(quantifier, variables, body) => {
                Value::Bool(self.quantify(formula, *quantifier, variables, body, items)?)
            }
            Node::Extreme(extremum, variable, body) => {
                Value::Item(self.extreme(formula, *extremum, *variable, body, items)?)
            }
            Node::Determinant(variables, body) => {
                let elements = self.elements(formula, variables, body, items)?;
                Value::Real(matrix::determinant(elements))
            }
            Node::Matrix(function, outer, lambda) => {
                let [row, column] = outer.map(|id| items[id.index()] as usize);
                let Lambda { variables, body } = &**lambda;
                let elements = self.elements(formula, variables, body, items)?;
                let result = matrix::apply(*function, elements)?;
                Value::Real(result[row][column])
            }
            Node::KronDelta(value) | Node::DiracDelta(value) => self.evaluate(formula, value, items)?,
            Node::Bernoulli(..)
            | Node::Draw(..)
            | Node::Discrete { .. }
            | Node::DiscreteOver(..)
            | Node::Vector(..) => self.draw(formula, expression, items)?,
        };
        Ok(value.widened(expression.range))
    }

    pub(super) fn truth(
        &self,
        formula: &Formula,
        expression: &Expression,
        items: &mut Vec<u32>,
    ) -> Result<bool, RddlEvaluationError> {
        Ok(self.evaluate(formula, expression, items)? == Value::Bool(true))
    }

    pub(super) fn real(
        &self,
        formula: &Formula,
        expression: &Expression,
        items: &mut Vec<u32>,
    ) -> Result<f64, RddlEvaluationError> {
        Ok(number(self.evaluate(formula, expression, items)?))
    }

    fn connect(
        &self,
        formula: &Formula,
        connective: Connective,
        operands: &[Expression],
        items: &mut Vec<u32>,
    ) -> Result<bool, RddlEvaluationError> {
        let (first, rest) = operands.split_at(1);
        let mut truth = self.truth(formula, &first[0], items)?;
        for operand in rest {
            truth = match (connective, truth) {
                (Connective::And, false) => false,
                (Connective::Or, true) | (Connective::Implies, false) => true,
                (Connective::Equivalent, first) => self.truth(formula, operand, items)? == first,
                _ => self.truth(formula, operand, items)?,
            };
        }
        Ok(truth)
    }

    /// Calls `visit` for all combinations of items of the variables, with the last variable changing fastest. Stops when
    /// `visit` returns `false`, and then returns `false`.
    pub(super) fn each(
        &self,
        formula: &Formula,
        variables: &[VariableId],
        items: &mut Vec<u32>,
        visit: &mut impl FnMut(&Self, &mut Vec<u32>) -> Result<bool, RddlEvaluationError>,
    ) -> Result<bool, RddlEvaluationError> {
        let Some((&first, rest)) = variables.split_first() else {
            return visit(self, items);
        };
        for item in 0..self.instance.size(formula.variable(first).of) {
            items[first.index()] = item;
            if !self.each(formula, rest, items, visit)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn aggregate(
        &self,
        formula: &Formula,
        aggregation: Aggregation,
        variables: &[VariableId],
        body: &Expression,
        range: Range,
        items: &mut Vec<u32>,
    ) -> Evaluated {
        let mut values = Vec::new();
        self.each(formula, variables, items, &mut |world, items| {
            values.push(world.evaluate(formula, body, items)?);
            Ok(true)
        })?;
        if aggregation == Aggregation::Average {
            let sum: f64 = values.iter().fold(0.0, |sum, &value| sum + number(value));
            return Ok(Value::Real(sum / values.len() as f64));
        }
        use herbrand_rddl::Binary;
        let (operator, start) = match aggregation {
            Aggregation::Sum => (Binary::Add, Some(Value::Int(0))),
            Aggregation::Product => (Binary::Multiply, Some(Value::Int(1))),
            Aggregation::Minimum => (Binary::Min, None),
            _ => (Binary::Max, None),
        };
        let mut values = values.into_iter().map(|value| value.widened(range));
        let start = start.map(|start| start.widened(range)).or_else(|| values.next());
        let start = start.ok_or(RddlEvaluationError::Empty)?;
        values.try_fold(start, |so_far, value| binary(operator, so_far, value, range))
    }

    fn quantify(
        &self,
        formula: &Formula,
        quantifier: Quantifier,
        variables: &[VariableId],
        body: &Expression,
        items: &mut Vec<u32>,
    ) -> Result<bool, RddlEvaluationError> {
        let is_all = quantifier == Quantifier::Forall;
        let went_on = self.each(formula, variables, items, &mut |world, items| {
            Ok(world.truth(formula, body, items)? == is_all)
        })?;
        Ok(went_on == is_all)
    }

    fn extreme(
        &self,
        formula: &Formula,
        extremum: Extremum,
        variable: VariableId,
        body: &Expression,
        items: &mut Vec<u32>,
    ) -> Result<u32, RddlEvaluationError> {
        let mut best: Option<(u32, f64)> = None;
        self.each(formula, &[variable], items, &mut |world, items| {
            let value = world.real(formula, body, items)?;
            let is_better = match (best, extremum) {
                (None, _) => true,
                (Some((_, best)), Extremum::ArgMax) => value > best || value.is_nan(),
                (Some((_, best)), Extremum::ArgMin) => value < best || value.is_nan(),
            };
            if is_better {
                best = Some((items[variable.index()], value));
            }
            Ok(!value.is_nan())
        })?;
        best.map(|(item, _)| item).ok_or(RddlEvaluationError::Empty)
    }

    /// Returns the elements of a square matrix, row by row.
    fn elements(
        &self,
        formula: &Formula,
        variables: &[VariableId],
        body: &Expression,
        items: &mut Vec<u32>,
    ) -> Result<matrix::Rows, RddlEvaluationError> {
        let size = self.instance.size(formula.variable(variables[0]).of) as usize;
        let mut flat = Vec::with_capacity(size * size);
        self.each(formula, variables, items, &mut |world, items| {
            flat.push(world.real(formula, body, items)?);
            Ok(true)
        })?;
        Ok(flat.chunks(size.max(1)).map(<[f64]>::to_vec).collect())
    }
}

/// Returns the item of a value; 0 if the value is not an item.
pub(super) const fn item(value: Value) -> u32 {
    match value {
        Value::Item(item) => item,
        _ => 0,
    }
}
