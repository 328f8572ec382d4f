//! Conditions.

use std::ops::Not;

use super::{Expression, Types, applied, term, variables};
use crate::print::layout::Layout;

/// A condition, by names.
#[derive(Clone, Debug)]
#[must_use]
pub struct Formula(pub(super) Layout);

impl Formula {
    /// The atom is true.
    pub fn atom<'t>(predicate: &str, terms: impl IntoIterator<Item = &'t str>) -> Self {
        Self(applied(predicate, terms))
    }

    /// Both terms name one object.
    pub fn equal(a: &str, b: &str) -> Self {
        Self(Layout::list(
            "=",
            vec![Layout::word(term(a)), Layout::word(term(b))],
        ))
    }

    /// All of these.
    pub fn and(parts: impl IntoIterator<Item = Self>) -> Self {
        Self(Layout::list(
            "and",
            parts.into_iter().map(|part| part.0).collect(),
        ))
    }

    /// One of these at least.
    pub fn or(parts: impl IntoIterator<Item = Self>) -> Self {
        Self(Layout::list("or", parts.into_iter().map(|part| part.0).collect()))
    }

    /// `then` holds if this does.
    pub fn implies(self, then: Self) -> Self {
        Self(Layout::clause("imply", vec![self.0, then.0]))
    }

    /// For all objects of the variables' types.
    pub fn forall<'n, T: Into<Types>>(bound: impl IntoIterator<Item = (&'n str, T)>, body: Self) -> Self {
        Self(Layout::list(
            format!("forall ({})", variables(bound)),
            vec![body.0],
        ))
    }

    /// For some objects of the variables' types.
    pub fn exists<'n, T: Into<Types>>(bound: impl IntoIterator<Item = (&'n str, T)>, body: Self) -> Self {
        Self(Layout::list(
            format!("exists ({})", variables(bound)),
            vec![body.0],
        ))
    }

    /// `a < b`
    pub fn less(a: impl Into<Expression>, b: impl Into<Expression>) -> Self {
        Self::compare("<", a.into(), b.into())
    }

    /// `a ≤ b`
    pub fn at_most(a: impl Into<Expression>, b: impl Into<Expression>) -> Self {
        Self::compare("<=", a.into(), b.into())
    }

    /// `a > b`
    pub fn greater(a: impl Into<Expression>, b: impl Into<Expression>) -> Self {
        Self::compare(">", a.into(), b.into())
    }

    /// `a ≥ b`
    pub fn at_least(a: impl Into<Expression>, b: impl Into<Expression>) -> Self {
        Self::compare(">=", a.into(), b.into())
    }

    /// The numbers are equal.
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
