//! Checks constructs that bind variables: aggregations, quantifiers, `argmax`, `Discrete_{…}`, `det`.

use herbrand_text::nearest;

use super::call::choice;
use super::formula::Context;
use super::lint;
use crate::diagnostic::Code;
use crate::model::{Aggregation, Expression, Extremum, Node, Quantifier, Range, VariableId};
use crate::syntax::ast::{self, TypedVariable, Word};

/// The construct named by the word before `_{…}`.
#[derive(Clone, Copy)]
enum Binder {
    Aggregate(Aggregation),
    Quantify(Quantifier),
    Extreme(Extremum),
    Choose(herbrand_distributions::WeightKind),
    Determinant,
}

impl Binder {
    fn find(name: &str) -> Option<Self> {
        Aggregation::find(name)
            .map(Self::Aggregate)
            .or_else(|| Quantifier::find(name).map(Self::Quantify))
            .or_else(|| Extremum::find(name).map(Self::Extreme))
            .or_else(|| choice(name).map(Self::Choose))
            .or_else(|| (name == "det").then_some(Self::Determinant))
    }

    /// Returns the number of variables that it binds; `None` for one or more.
    const fn arity(self) -> Option<usize> {
        match self {
            Self::Aggregate(_) | Self::Quantify(_) => None,
            Self::Extreme(_) | Self::Choose(_) => Some(1),
            Self::Determinant => Some(2),
        }
    }
}

impl Context<'_, '_> {
    /// `name_{?x : t, …} body`
    pub(super) fn binder(
        &mut self,
        syntax: &ast::Expression<'_>,
        word: Word<'_>,
        typed: &[TypedVariable<'_>],
        body: &ast::Expression<'_>,
    ) -> Option<Expression> {
        let Some(binder) = Binder::find(word.text) else {
            self.unknown_binder(word);
            return None;
        };
        lint::greedy_body(word.text, body, self.faults);
        let wanted = binder.arity().unwrap_or(typed.len().max(1));
        if typed.len() != wanted {
            self.arity(syntax, word, wanted, typed.len());
            return None;
        }
        let variables = self.bind_all(typed)?;
        // Draws are numbered before the draws inside them.
        let drawn = match binder {
            Binder::Choose(_) => {
                let inner = variables[0];
                Some(self.draw(syntax.span, None, Some(inner)))
            }
            _ => None,
        };
        let checked = match binder {
            Binder::Quantify(_) => self.needed(body, Range::Bool),
            _ => self.number(body),
        };
        self.unbind(variables.len());
        let body = Box::new(checked?);
        let is_unknown = |&variable| self.domain.is_unknown(self.type_of_variable(variable));
        if variables.iter().any(is_unknown) {
            return None;
        }
        let (node, range) = match binder {
            Binder::Quantify(quantifier) => (Node::Quantify(quantifier, variables, body), Range::Bool),
            Binder::Aggregate(aggregation) => {
                let range = match aggregation {
                    Aggregation::Average => Range::Real,
                    _ => body.range.max(Range::Int),
                };
                (Node::Aggregate(aggregation, variables, body), range)
            }
            Binder::Extreme(extremum) => {
                let variable = variables[0];
                let range = Range::Item(self.type_of_variable(variable));
                (Node::Extreme(extremum, variable, body), range)
            }
            Binder::Choose(choice) => {
                let variable = variables[0];
                let range = Range::Item(self.type_of_variable(variable));
                (Node::DiscreteOver(drawn?, choice, variable, body), range)
            }
            Binder::Determinant => {
                let rows: [VariableId; 2] = variables.try_into().ok()?;
                self.square(syntax, rows)?;
                (Node::Determinant(rows, body), Range::Real)
            }
        };
        Some(Self::at(syntax, node, range))
    }

    fn unknown_binder(&mut self, word: Word<'_>) {
        let names = Aggregation::ALL.iter().map(|one| one.as_str());
        let names = names.chain(Quantifier::ALL.iter().map(|one| one.as_str()));
        let names = names.chain(Extremum::ALL.iter().map(|one| one.as_str()));
        let meant = nearest(word.text, names.chain(["det", "Discrete", "UnnormDiscrete"]));
        self.faults.report(
            Code::UnknownFunction,
            format!("unknown aggregation `{}`", word.text),
            |d| d.primary(word.span, "no such aggregation").suggest(meant),
        );
    }
}
