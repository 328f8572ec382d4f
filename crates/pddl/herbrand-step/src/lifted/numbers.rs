//! Numeric fluents of lifted tasks, and expressions over them.

use herbrand_ground::{FunctionKind, LiftedTask, NormalComparison, NumericId};
use herbrand_pddl::{ArithmeticOperator, Comparison, Expression, FunctionId, FunctionTerm, ObjectId, Term};

use super::state::LiftedNumber;
use super::tuples::{Numbering, Tuple};
use crate::semantics::arithmetic::{Fault, apply, compare};

/// Numbered function terms with their values. Terms are numbered on first use.
#[derive(Clone, Debug)]
pub(super) struct NumberTable {
    names: Numbering,
    values: Vec<Option<f64>>,
}

impl NumberTable {
    pub(super) fn new(task: &LiftedTask) -> Self {
        let functions = &task.vocabulary.functions;
        Self {
            names: Numbering::new(functions.iter().map(|function| function.parameters.len())),
            values: Vec::new(),
        }
    }

    /// Returns the number of a term, after adding it as undefined if it is new.
    pub(super) fn intern(&mut self, function: FunctionId, arguments: &[ObjectId]) -> NumericId {
        let number = self.names.number(function.index(), arguments);
        self.values.resize(self.names.len(), None);
        NumericId::from_index(number)
    }

    /// The bytes used by the terms and their values.
    pub(super) const fn bytes(&self) -> u64 {
        self.names.bytes() + (3 * self.values.len() * size_of::<Option<f64>>()) as u64
    }

    pub(super) fn name(&self, id: NumericId) -> (FunctionId, &[ObjectId]) {
        let (function, arguments) = self.names.name(id.index());
        (FunctionId::from_index(function), arguments)
    }

    pub(super) fn value(&self, id: NumericId) -> Option<f64> {
        self.values[id.index()]
    }

    pub(super) fn set(&mut self, id: NumericId, value: Option<f64>) {
        self.values[id.index()] = value;
    }

    pub(super) fn find(&self, function: FunctionId, arguments: &[ObjectId]) -> Option<f64> {
        self.values[self.names.find(function.index(), arguments)?]
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = NumericId> + use<> {
        (0..self.values.len()).map(NumericId::from_index)
    }

    /// Returns the terms that have a value, ascending by function and arguments.
    pub(super) fn defined(&self) -> Vec<LiftedNumber> {
        let number = |id| {
            let (function, arguments) = self.name(id);
            Some(LiftedNumber::new(function, arguments, self.value(id)?))
        };
        let mut numbers: Vec<_> = self.ids().filter_map(number).collect();
        numbers.sort_unstable();
        numbers
    }
}

/// The context in which expressions are evaluated: the values of functions and the objects bound to variables.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) kinds: &'a [FunctionKind],
    pub(super) constants: &'a NumberTable,
    pub(super) numbers: &'a NumberTable,
    /// The object of each variable.
    pub(super) binding: &'a [ObjectId],
}

/// Calls `see` with the objects of terms. Returning the objects instead would copy them while they are still being stored,
/// which takes longer than storing them.
#[inline]
pub(super) fn with_objects<R>(terms: &[Term], binding: &[ObjectId], see: impl FnOnce(&[ObjectId]) -> R) -> R {
    let mut objects = Tuple::from_elem(ObjectId::new(0), terms.len());
    for (object, term) in objects.iter_mut().zip(terms) {
        *object = match *term {
            Term::Object(object) => object,
            Term::Variable(variable) => binding[variable.index()],
        };
    }
    see(&objects)
}

impl Scene<'_> {
    /// Returns the value of an expression. Operands are evaluated from left to right. A negation of `x` is computed as
    /// `0 - x`.
    pub(super) fn value(&self, expression: &Expression) -> Result<f64, Fault> {
        match expression {
            Expression::Number(number) => Ok(number.value()),
            // Metric quantities such as the total time have no value inside an episode.
            Expression::Special(_) => Err(Fault::Undefined),
            Expression::Fluent(term) => self.term(term).ok_or(Fault::Undefined),
            Expression::Apply(ArithmeticOperator::Negate, operands) => {
                let operand = operands.first().map_or(Ok(0.0), |operand| self.value(operand))?;
                apply(ArithmeticOperator::Subtract, 0.0, operand)
            }
            Expression::Apply(operator, operands) => {
                let mut operands = operands.iter().map(|operand| self.value(operand));
                let first = operands.next().unwrap_or(Ok(0.0))?;
                operands.try_fold(first, |left, right| apply(*operator, left, right?))
            }
        }
    }

    fn term(&self, term: &FunctionTerm) -> Option<f64> {
        with_objects(&term.arguments, self.binding, |arguments| {
            match self.kinds[term.function.index()] {
                FunctionKind::Static => self.constants.find(term.function, arguments),
                FunctionKind::Fluent => self.numbers.find(term.function, arguments),
                FunctionKind::Accumulator => None,
            }
        })
    }

    /// Returns whether a comparison holds. If either side is undefined, the comparison is false before negation.
    pub(super) fn holds(&self, comparison: &NormalComparison) -> bool {
        let sides = |kind: Comparison| {
            Ok(compare(
                kind,
                self.value(&comparison.left)?,
                self.value(&comparison.right)?,
            ))
        };
        let holds: Result<bool, Fault> = sides(comparison.comparison);
        holds.unwrap_or(false) != comparison.negated
    }
}
