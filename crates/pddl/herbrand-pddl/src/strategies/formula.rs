//! Resolution of sketches to formulas and expressions.

use super::scope::{Scope, Standing, number};
use super::sketch::{ExpressionSketch, FormulaSketch};
use crate::model::{Expression, Formula, TypeUnion};

impl Scope<'_> {
    /// Returns the formula described by the sketch, at the given position of an enclosing formula.
    pub(super) fn formula(&mut self, sketch: &FormulaSketch, place: Standing) -> Formula {
        let all = |this: &mut Self, parts: &[FormulaSketch]| {
            parts.iter().map(|part| this.formula(part, place)).collect()
        };
        match sketch {
            FormulaSketch::Atom(atom) => self
                .readable_atom(atom, place)
                .map_or(Formula::TRUE, Formula::Atom),
            FormulaSketch::Equal(left, right) => {
                let terms = self.terms(&TypeUnion::either(Vec::new()));
                match (left.of(&terms), right.of(&terms)) {
                    (Some(&left), Some(&right)) => Formula::Equal(left, right),
                    _ => Formula::TRUE,
                }
            }
            FormulaSketch::Compare(comparison, left, right) => {
                let (left, right) = (self.expression(left), self.expression(right));
                Formula::Compare(*comparison, Box::new(left), Box::new(right))
            }
            FormulaSketch::Not(inner) => Formula::Not(Box::new(self.formula(inner, place.negation()))),
            FormulaSketch::And(parts) => Formula::And(all(self, parts)),
            FormulaSketch::Or(parts) => Formula::Or(all(self, parts)),
            FormulaSketch::Imply(premise, conclusion) => {
                let premise = self.formula(premise, place.negation());
                Formula::Imply(Box::new(premise), Box::new(self.formula(conclusion, place)))
            }
            FormulaSketch::Forall(variables, inner) => {
                let place = place.below(!place.negated);
                let (bound, inner) = self.within(variables, |this| this.formula(inner, place));
                Formula::Forall(bound, Box::new(inner))
            }
            FormulaSketch::Exists(variables, inner) => {
                let place = place.below(place.negated);
                let (bound, inner) = self.within(variables, |this| this.formula(inner, place));
                Formula::Exists(bound, Box::new(inner))
            }
        }
    }

    /// Returns the expression described by the sketch. It never reads the implicit function `reward`.
    pub(super) fn expression(&self, sketch: &ExpressionSketch) -> Expression {
        match sketch {
            ExpressionSketch::Number(value) => Expression::Number(number(*value)),
            ExpressionSketch::Fluent(term) => {
                let read = |id| !self.domain.function(id).implicit;
                self.function_term(term, read)
                    .map_or_else(|| Expression::Number(number(1)), Expression::Fluent)
            }
            ExpressionSketch::Apply(operator, operands) => {
                let operands = operands.iter().map(|operand| self.expression(operand));
                Expression::Apply(*operator, operands.collect())
            }
        }
    }
}
