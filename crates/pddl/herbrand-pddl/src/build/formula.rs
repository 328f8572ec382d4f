//! Constructors of conditions.

use std::ops::Not;

use super::{Expression, Types, applied, term, variables};
use crate::print::layout::Layout;

/// A condition that refers to predicates, functions and terms by name. The operator `!` negates it.
#[derive(Clone, Debug)]
#[must_use]
pub struct Formula(pub(super) Layout);

impl Formula {
    /// Returns the condition that the atom is true.
    pub fn atom<'t>(predicate: &str, terms: impl IntoIterator<Item = &'t str>) -> Self {
        Self(applied(predicate, terms))
    }

    /// Returns the condition that both terms denote the same object.
    pub fn equal(a: &str, b: &str) -> Self {
        Self(Layout::list(
            "=",
            vec![Layout::word(term(a)), Layout::word(term(b))],
        ))
    }

    /// Returns the conjunction of the conditions.
    pub fn and(parts: impl IntoIterator<Item = Self>) -> Self {
        Self(Layout::list(
            "and",
            parts.into_iter().map(|part| part.0).collect(),
        ))
    }

    /// Returns the disjunction of the conditions.
    pub fn or(parts: impl IntoIterator<Item = Self>) -> Self {
        Self(Layout::list("or", parts.into_iter().map(|part| part.0).collect()))
    }

    /// Returns the condition that `then` holds if this condition does.
    pub fn implies(self, then: Self) -> Self {
        Self(Layout::clause("imply", vec![self.0, then.0]))
    }

    /// Returns the condition that `body` holds for all objects of the variables' types.
    pub fn forall<'n, T: Into<Types>>(bound: impl IntoIterator<Item = (&'n str, T)>, body: Self) -> Self {
        Self(Layout::list(
            format!("forall ({})", variables(bound)),
            vec![body.0],
        ))
    }

    /// Returns the condition that `body` holds for at least one combination of objects of the variables' types.
    pub fn exists<'n, T: Into<Types>>(bound: impl IntoIterator<Item = (&'n str, T)>, body: Self) -> Self {
        Self(Layout::list(
            format!("exists ({})", variables(bound)),
            vec![body.0],
        ))
    }

    /// Returns the condition `a < b`.
    pub fn less(a: impl Into<Expression>, b: impl Into<Expression>) -> Self {
        Self::compare("<", a.into(), b.into())
    }

    /// Returns the condition `a ≤ b`.
    pub fn at_most(a: impl Into<Expression>, b: impl Into<Expression>) -> Self {
        Self::compare("<=", a.into(), b.into())
    }

    /// Returns the condition `a > b`.
    pub fn greater(a: impl Into<Expression>, b: impl Into<Expression>) -> Self {
        Self::compare(">", a.into(), b.into())
    }

    /// Returns the condition `a ≥ b`.
    pub fn at_least(a: impl Into<Expression>, b: impl Into<Expression>) -> Self {
        Self::compare(">=", a.into(), b.into())
    }

    /// Returns the condition that both numbers are equal.
    pub fn same_number(a: impl Into<Expression>, b: impl Into<Expression>) -> Self {
        Self::compare("=", a.into(), b.into())
    }

    fn compare(sign: &str, a: Expression, b: Expression) -> Self {
        Self(Layout::list(sign, vec![a.0, b.0]))
    }
}

impl Not for Formula {
    type Output = Self;

    fn not(self) -> Self {
        Self(Layout::list("not", vec![self.0]))
    }
}
