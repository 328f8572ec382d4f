//! Constructors of effects.

use super::{Chance, Expression, Formula, Types, applied, chance, variables};
use crate::print::layout::Layout;

/// An effect that refers to predicates, functions and terms by name.
#[derive(Clone, Debug)]
#[must_use]
pub struct Effect(pub(super) Layout);

impl Effect {
    /// Returns an effect that makes the atom true.
    pub fn add<'t>(predicate: &str, terms: impl IntoIterator<Item = &'t str>) -> Self {
        Self(applied(predicate, terms))
    }

    /// Returns an effect that makes the atom false.
    pub fn delete<'t>(predicate: &str, terms: impl IntoIterator<Item = &'t str>) -> Self {
        Self(Layout::list("not", vec![applied(predicate, terms)]))
    }

    /// Returns the conjunction of the effects.
    pub fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        Self(Layout::list(
            "and",
            parts.into_iter().map(|part| part.0).collect(),
        ))
    }

    /// Returns the universal effect: `body` for all combinations of objects of the variables' types.
    pub fn forall<'n, T: Into<Types>>(bound: impl IntoIterator<Item = (&'n str, T)>, body: Self) -> Self {
        Self(Layout::list(
            format!("forall ({})", variables(bound)),
            vec![body.0],
        ))
    }

    /// Returns the conditional effect: `effect` if `condition` holds before the action.
    pub fn when(condition: Formula, effect: Self) -> Self {
        Self(Layout::clause("when", vec![condition.0, effect.0]))
    }

    /// Returns a probabilistic effect: at most one of the alternatives, drawn with its probability. If the probabilities sum
    /// to less than 1, nothing happens with the remaining probability.
    pub fn chance<C: Into<Chance>>(alternatives: impl IntoIterator<Item = (C, Self)>) -> Self {
        Self(chance(alternatives.into_iter().map(|(p, effect)| (p, effect.0))))
    }

    /// Returns an effect that assigns the value to the function.
    pub fn assign(target: Expression, value: impl Into<Expression>) -> Self {
        Self::change("assign", target, value.into())
    }

    /// Returns an effect that increases the function by `value`.
    pub fn increase(target: Expression, value: impl Into<Expression>) -> Self {
        Self::change("increase", target, value.into())
    }

    /// Returns an effect that decreases the function by `value`.
    pub fn decrease(target: Expression, value: impl Into<Expression>) -> Self {
        Self::change("decrease", target, value.into())
    }

    /// Returns an effect that multiplies the function by `value`.
    pub fn scale_up(target: Expression, value: impl Into<Expression>) -> Self {
        Self::change("scale-up", target, value.into())
    }

    /// Returns an effect that divides the function by `value`.
    pub fn scale_down(target: Expression, value: impl Into<Expression>) -> Self {
        Self::change("scale-down", target, value.into())
    }

    fn change(word: &str, target: Expression, value: Expression) -> Self {
        Self(Layout::list(word, vec![target.0, value.0]))
    }
}
