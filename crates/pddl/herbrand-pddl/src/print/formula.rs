//! Printing of formulas, numeric expressions and effects.

use super::layout::Layout;
use super::terms::{self, Names};
use crate::model::{Atom, Effect, Expression, Formula, FunctionTerm, Probability, Term, VariableId};

impl Names<'_> {
    pub(super) fn formula(&self, formula: &Formula) -> Layout {
        match formula {
            Formula::Atom(atom) => self.atom(atom),
            Formula::Equal(a, b) => self.equality(*a, *b),
            Formula::Compare(comparison, a, b) => {
                let operands = vec![self.expression(a), self.expression(b)];
                Layout::list(comparison.symbol(), operands)
            }
            Formula::Not(body) => Layout::list("not", vec![self.formula(body)]),
            Formula::And(parts) => Layout::list("and", self.formulas(parts)),
            Formula::Or(parts) => Layout::list("or", self.formulas(parts)),
            Formula::Imply(a, b) => Layout::clause("imply", vec![self.formula(a), self.formula(b)]),
            Formula::Forall(variables, body) => self.quantified("forall", variables, self.formula(body)),
            Formula::Exists(variables, body) => self.quantified("exists", variables, self.formula(body)),
        }
    }

    /// Prints a precondition with the agent's atom as its first conjunct.
    pub(super) fn precondition(&self, precondition: &Formula, agent: Option<&Atom>) -> Layout {
        let Some(agent) = agent else {
            return self.formula(precondition);
        };
        let mut parts = vec![self.atom(agent)];
        match precondition {
            // If only one conjunct is left beside the agent's atom, the parser makes it the whole precondition. So a
            // conjunction of one is kept as a nested `and`.
            Formula::And(rest) if rest.len() != 1 => parts.extend(self.formulas(rest)),
            rest => parts.push(self.formula(rest)),
        }
        Layout::list("and", parts)
    }

    fn formulas(&self, parts: &[Formula]) -> Vec<Layout> {
        parts.iter().map(|part| self.formula(part)).collect()
    }

    pub(super) fn atom(&self, atom: &Atom) -> Layout {
        self.applied(&self.domain.predicate(atom.predicate).name, &atom.arguments)
    }

    fn equality(&self, a: Term, b: Term) -> Layout {
        Layout::word(format!("(= {} {})", self.term(a), self.term(b)))
    }

    fn quantified(&self, word: &str, variables: &[VariableId], body: Layout) -> Layout {
        let variables: Vec<_> = variables
            .iter()
            .map(|id| self.variables[id.index()].clone())
            .collect();
        let variables = terms::typed_variables(&variables, self.domain, false);
        Layout::list(format!("{word} ({variables})"), vec![body])
    }

    fn function_term(&self, term: &FunctionTerm) -> Layout {
        self.applied(&self.domain.function(term.function).name, &term.arguments)
    }

    pub(super) fn expression(&self, expression: &Expression) -> Layout {
        match expression {
            Expression::Number(number) => Layout::word(number.to_string()),
            Expression::Fluent(term) => self.function_term(term),
            Expression::Apply(operator, operands) => {
                let operands = operands.iter().map(|operand| self.expression(operand));
                Layout::list(operator.symbol(), operands.collect())
            }
            Expression::Special(special) => Layout::word(special.symbol()),
        }
    }

    pub(super) fn effect(&self, effect: &Effect) -> Layout {
        match effect {
            Effect::And(parts) => Layout::list("and", parts.iter().map(|part| self.effect(part)).collect()),
            Effect::Add(atom) => self.atom(atom),
            Effect::Delete(atom) => Layout::list("not", vec![self.atom(atom)]),
            Effect::Assign(assignment) => {
                let operands = vec![
                    self.function_term(&assignment.target),
                    self.expression(&assignment.value),
                ];
                Layout::list(assignment.operator.symbol(), operands)
            }
            Effect::Forall(variables, body) => self.quantified("forall", variables, self.effect(body)),
            Effect::When(condition, body) => {
                Layout::clause("when", vec![self.formula(condition), self.effect(body)])
            }
            Effect::Probabilistic(alternatives) => {
                let alternatives = alternatives.iter();
                chance(alternatives.map(|(probability, effect)| (*probability, self.effect(effect))))
            }
        }
    }
}

/// `(probabilistic p alternative …)`
pub(super) fn chance(alternatives: impl Iterator<Item = (Probability, Layout)>) -> Layout {
    let pairs = alternatives
        .map(|(probability, alternative)| Layout::pair(terms::probability(probability), alternative));
    Layout::list("probabilistic", pairs.collect())
}
