//! Checking of numeric expressions, numbers and probabilities.

use herbrand_text::Place;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use super::context::CheckContext;
use super::number::{self, NumberFault};
use super::scope::Scope;
use crate::diagnostic::Code;
use crate::model::{Expression, FunctionTerm, Number, Probability, Special};
use crate::syntax::ast::{self, Atom, Literal};
use crate::syntax::{Known, Word};

impl Scope<'_, '_> {
    pub(super) fn expression(&mut self, expression: &ast::Expression) -> Expression {
        self.expression_with(expression, false)
    }

    /// Resolves an expression of a metric, which may contain the predefined quantities.
    pub(super) fn metric_expression(&mut self, expression: &ast::Expression) -> Expression {
        self.expression_with(expression, true)
    }

    fn expression_with(&mut self, expression: &ast::Expression, in_metric: bool) -> Expression {
        if !self.world.faults.charge(size_of::<Expression>()) {
            return ZERO;
        }
        match expression {
            ast::Expression::Number(argument) => {
                let span = argument.span;
                Expression::Number(self.world.number(Literal { span }))
            }
            ast::Expression::Apply(operator, operands) => {
                let operands = operands
                    .iter()
                    .map(|operand| self.expression_with(operand, in_metric))
                    .collect();
                Expression::Apply(*operator, operands)
            }
            ast::Expression::Call(term) => self.fluent(term, in_metric),
            ast::Expression::Term(argument) if self.is_duration(argument) => {
                Expression::Special(Special::Duration)
            }
            ast::Expression::Term(argument) if argument.is_variable => {
                self.world
                    .faults
                    .report(Code::NumberExpected, "expected a number, found a variable", |d| {
                        d.primary(
                            argument.span,
                            "a variable is an object, which has no numeric value",
                        )
                    });
                ZERO
            }
            ast::Expression::Term(argument) => {
                let name = Word {
                    symbol: argument.symbol,
                    span: argument.span,
                };
                self.fluent(
                    &Atom {
                        name,
                        arguments: 0..0,
                        span: argument.span,
                    },
                    in_metric,
                )
            }
        }
    }

    fn fluent(&mut self, term: &Atom, in_metric: bool) -> Expression {
        let special = match Known::of(term.name.symbol) {
            Some(Known::TotalTime) => Some(Special::TotalTime),
            Some(Known::GoalAchieved) => Some(Special::GoalAchieved),
            Some(Known::GoalProbability) => Some(Special::GoalProbability),
            _ => None,
        };
        if let Some(special) = special
            && in_metric
            && term.arguments.is_empty()
            && self.world.known_function(term.name.symbol).is_none()
        {
            return Expression::Special(special);
        }
        self.function_term(term).map_or(ZERO, Expression::Fluent)
    }

    pub(super) fn function_term(&mut self, term: &Atom) -> Option<FunctionTerm> {
        let id = self.world.function(term.name)?;
        let parameters = self.world.function_parameters(id);
        let place = self
            .world
            .domain
            .functions
            .get(id.index())
            .map_or(Place::NOWHERE, |f| f.place);
        if !self.world.check_arity(term, "function", parameters, place) {
            return None;
        }
        let arguments = self.terms(term, parameters)?;
        Some(FunctionTerm {
            function: id,
            arguments,
            place: Place::at(term.span),
        })
    }
}

/// The replacement for a faulty expression.
const ZERO: Expression = Expression::Number(Number::ZERO);

impl CheckContext<'_> {
    /// Returns the value of a literal. A faulty literal is reported and counts as zero.
    pub(super) fn number(&mut self, literal: Literal) -> Number {
        let text = &self.source.text()[literal.span.range()];
        number::number(text).unwrap_or_else(|fault| {
            self.report_number(fault, literal, Code::NumberOutOfRange);
            Number::ZERO
        })
    }

    /// Returns the value of a literal. A faulty literal is reported and counts as zero.
    pub(super) fn probability(&mut self, literal: Literal) -> Probability {
        let text = &self.source.text()[literal.span.range()];
        number::probability(text).unwrap_or_else(|fault| {
            self.report_number(fault, literal, Code::InvalidProbability);
            Probability::ZERO
        })
    }

    fn report_number(&mut self, fault: NumberFault, literal: Literal, code: Code) {
        let text = &self.source.text()[literal.span.range()];
        match fault {
            NumberFault::OutOfRange => {
                self.faults.report(Code::NumberOutOfRange, format!("number out of range: `{text}`"), |d| {
                    d.primary(literal.span, "too large, or too many digits")
                        .note("numbers are double-precision, and probabilities are fractions of 64-bit integers")
                });
            }
            NumberFault::ZeroDenominator => self.faults.report(code, "division by zero", |d| {
                d.primary(literal.span, "the denominator is zero")
            }),
            NumberFault::NotAProbability => {
                self.faults
                    .report(code, format!("`{text}` is not a probability"), |d| {
                        d.primary(literal.span, "a probability is a number from 0 to 1")
                    });
            }
        }
    }

    /// Reports alternatives whose probabilities sum to more than 1.
    pub(super) fn check_sum(&mut self, alternatives: &[(Literal, Probability)]) {
        let mut sum = BigRational::zero();
        for (_, p) in alternatives {
            // The common denominator may grow with each term, so each addition checks the budget.
            if self.faults.meter().check().is_err() {
                return;
            }
            sum += BigRational::new_raw(p.numerator().into(), p.denominator().into());
        }
        let Some((last, rest)) = alternatives.split_last() else {
            return;
        };
        let excess = &sum - BigRational::one();
        if excess <= BigRational::zero() {
            return;
        }
        let rounded = excess <= BigRational::new_raw(1.into(), ROUNDING.into());
        let (code, help) = if rounded {
            (
                Code::RescaledProbabilities,
                "they are divided by their sum; a fraction such as `1/3` is exact",
            )
        } else {
            (
                Code::ProbabilitySum,
                "the alternatives of one draw exclude each other: their probabilities add up to at most 1",
            )
        };
        let sum = sum.to_f64().unwrap_or(f64::INFINITY);
        self.faults
            .report(code, format!("the probabilities add up to {sum}"), |mut d| {
                d = d.primary(last.0.span, "with this one, the sum exceeds 1");
                for (literal, _) in rest.iter().take(8) {
                    d = d.label(literal.span, "");
                }
                d.help(help)
            });
    }
}

/// The sum of probabilities may exceed 1 by 1 / `ROUNDING`, because decimals such as `0.333333333334` are rounded.
const ROUNDING: u64 = 1_000_000_000;
