//! Constructors of numeric expressions.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::applied;
use crate::print::layout::Layout;

/// A numeric expression that refers to functions and terms by name. Numbers convert to expressions, and the operators `+`,
/// `-`, `*` and `/` combine expressions.
#[derive(Clone, Debug)]
#[must_use]
pub struct Expression(pub(super) Layout);

impl Expression {
    /// Returns the value of a function for the given arguments.
    pub fn value<'t>(function: &str, terms: impl IntoIterator<Item = &'t str>) -> Self {
        Self(applied(function, terms))
    }
}

impl From<f64> for Expression {
    fn from(number: f64) -> Self {
        Self(Layout::word(number.to_string()))
    }
}

impl From<i32> for Expression {
    fn from(number: i32) -> Self {
        Self(Layout::word(number.to_string()))
    }
}

macro_rules! operators {
    ($($operator:ident $method:ident $sign:literal),*) => {$(
        impl<E: Into<Expression>> $operator<E> for Expression {
            type Output = Self;

            fn $method(self, other: E) -> Self {
                Self(Layout::list($sign, vec![self.0, other.into().0]))
            }
        }
    )*};
}

operators!(Add add "+", Sub sub "-", Mul mul "*", Div div "/");

impl Neg for Expression {
    type Output = Self;

    fn neg(self) -> Self {
        Self(Layout::list("-", vec![self.0]))
    }
}
