//! Effects.

use super::{Chance, Expression, Formula, Types, applied, chance, variables};
use crate::print::layout::Layout;

/// An effect, by names.
#[derive(Clone, Debug)]
#[must_use]
pub struct Effect(pub(super) Layout);

impl Effect {
    /// The atom becomes true.
    pub fn add<'t>(predicate: &str, terms: impl IntoIterator<Item = &'t str>) -> Self {
        Self(applied(predicate, terms))
    }

    /// The atom becomes false.
    pub fn delete<'t>(predicate: &str, terms: impl IntoIterator<Item = &'t str>) -> Self {
        Self(Layout::list("not", vec![applied(predicate, terms)]))
    }

    /// All of these.
    pub fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        Self(Layout::list(
            "and",
            parts.into_iter().map(|part| part.0).collect(),
        ))
    }

    /// For all objects of the variables' types.
    pub fn forall<'n, T: Into<Types>>(bound: impl IntoIterator<Item = (&'n str, T)>, body: Self) -> Self {
        Self(Layout::list(
            format!("forall ({})", variables(bound)),
            vec![body.0],
        ))
    }

    /// If the condition holds before the action.
    pub fn when(condition: Formula, effect: Self) -> Self {
        Self(Layout::clause("when", vec![condition.0, effect.0]))
    }

    /// One of the alternatives; nothing with what is left of 1.
    pub fn chance<C: Into<Chance>>(alternatives: impl IntoIterator<Item = (C, Self)>) -> Self {
        Self(chance(alternatives.into_iter().map(|(p, effect)| (p, effect.0))))
    }

    /// The function gets a value.
    pub fn assign(target: Expression, value: impl Into<Expression>) -> Self {
        Self::change("assign", target, value.into())
    }

    /// The function grows by a value.
    pub fn increase(target: Expression, value: impl Into<Expression>) -> Self {
        Self::change("increase", target, value.into())
    }

    /// The function shrinks by a value.
    pub fn decrease(target: Expression, value: impl Into<Expression>) -> Self {
        Self::change("decrease", target, value.into())
    }

    /// The function is multiplied by a value.
    pub fn scale_up(target: Expression, value: impl Into<Expression>) -> Self {
        Self::change("scale-up", target, value.into())
    }

    /// The function is divided by a value.
    pub fn scale_down(target: Expression, value: impl Into<Expression>) -> Self {
        Self::change("scale-down", target, value.into())
    }

    fn change(word: &str, target: Expression, value: Expression) -> Self {
        Self(Layout::list(word, vec![target.0, value.0]))
    }
}
