//! Checking of conditions: preconditions, goals, effect conditions and bodies of derivation rules.

use super::scope::Scope;
use herbrand_text::Span;

use crate::diagnostic::Code;
use crate::model::{Comparison, Formula};
use crate::requirements::Requirement;
use crate::syntax::ast::{self, Expression};

impl Scope<'_, '_> {
    /// Resolves a formula. Faulty parts are reported and replaced by [`Formula::TRUE`], as is everything once the budget is
    /// exhausted.
    pub(super) fn formula(&mut self, formula: &ast::Formula) -> Formula {
        if !self.world.faults.charge(size_of::<Formula>()) {
            return Formula::TRUE;
        }
        match formula {
            ast::Formula::Atom(atom) => {
                if self.is_agent_action(atom) {
                    self.misplaced_agent_action(atom);
                }
                self.atom(atom).map_or(Formula::TRUE, Formula::Atom)
            }
            ast::Formula::Compare(comparison, operands, span) => {
                self.comparison(*comparison, operands, *span)
            }
            ast::Formula::Not(body, span) => {
                // `(not (= …))` needs only `:equality`.
                if !matches!(**body, ast::Formula::Compare(..)) {
                    self.world
                        .features
                        .note(Requirement::NegativePreconditions, *span);
                }
                Formula::Not(Box::new(self.formula(body)))
            }
            ast::Formula::And(parts) => Formula::And(self.formulas(parts)),
            ast::Formula::Or(parts, span) => {
                self.world
                    .features
                    .note(Requirement::DisjunctivePreconditions, *span);
                Formula::Or(self.formulas(parts))
            }
            ast::Formula::Imply(operands, span) => {
                self.world
                    .features
                    .note(Requirement::DisjunctivePreconditions, *span);
                let [left, right] = &**operands;
                Formula::Imply(Box::new(self.formula(left)), Box::new(self.formula(right)))
            }
            ast::Formula::Forall(variables, body, span) => {
                self.world
                    .features
                    .note(Requirement::UniversalPreconditions, *span);
                let bound = self.bind(variables);
                let body = self.formula(body);
                self.release(&bound);
                Formula::Forall(bound.variables, Box::new(body))
            }
            ast::Formula::Exists(variables, body, span) => {
                self.world
                    .features
                    .note(Requirement::ExistentialPreconditions, *span);
                let bound = self.bind(variables);
                let body = self.formula(body);
                self.release(&bound);
                Formula::Exists(bound.variables, Box::new(body))
            }
            ast::Formula::At(moment, body, span) => {
                self.misplaced_time(*moment, Some(*span));
                self.formula(body)
            }
        }
    }

    fn formulas(&mut self, parts: &[ast::Formula]) -> Vec<Formula> {
        parts.iter().map(|part| self.formula(part)).collect()
    }

    /// Checks a comparison. `=` compares objects if both operands are variables or names of objects, and numbers otherwise.
    fn comparison(&mut self, comparison: Comparison, operands: &[Expression; 2], span: Span) -> Formula {
        let [left, right] = operands;
        if let (Comparison::Equal, Some(a), Some(b)) = (comparison, self.object(left), self.object(right)) {
            self.world.features.note(Requirement::Equality, span);
            let (a, b) = (self.term(a), self.term(b));
            return match (a, b) {
                (Some(a), Some(b)) => Formula::Equal(a, b),
                _ => Formula::TRUE,
            };
        }
        self.world.features.note(Requirement::NumericFluents, span);
        let (left, right) = (self.expression(left), self.expression(right));
        Formula::Compare(comparison, Box::new(left), Box::new(right))
    }

    /// Returns an operand of `=` if it is an object rather than a number. A number is one if an object has its name.
    fn object(&self, operand: &Expression) -> Option<ast::Argument> {
        let is_declared = |argument: &ast::Argument| self.world.tables.objects.get(argument.symbol).is_some();
        let (argument, is_object) = match operand {
            Expression::Number(argument) => (argument, is_declared(argument)),
            Expression::Term(argument) if self.is_duration(argument) => return None,
            Expression::Term(argument) => {
                let is_function = || self.world.known_function(argument.symbol).is_some();
                (
                    argument,
                    argument.is_variable || is_declared(argument) || !is_function(),
                )
            }
            _ => return None,
        };
        is_object.then_some(*argument)
    }

    pub(super) fn misplaced_agent_action(&mut self, atom: &ast::Atom) {
        let name = self.world.name(atom.name);
        self.world.faults.report(
            Code::MisplacedAgentAction,
            format!("`{name}` is an action of the agent"),
            |d| {
                d.primary(
                    atom.span,
                    "it is not part of the state, so no condition can refer to it here",
                )
                .help("write it once, as a conjunct of a precondition")
            },
        );
    }
}
