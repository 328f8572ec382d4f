//! Values and their ranges.

use super::TypeId;

/// The range of values of a fluent or an expression, RDDL's word for a type of values.
/// [`Pvariable::range`](super::Pvariable::range) and [`Expression::range`](super::Expression::range) have one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Range {
    /// `bool`.
    Bool,
    /// `int`: 64 bits with wrapping arithmetic.
    Int,
    /// `real`: an IEEE 754 double. NaN and infinities propagate.
    Real,
    /// The values of an enum, or the objects of an object type.
    Item(TypeId),
}

impl Range {
    /// Returns `true` for `bool`, `int` and `real`. In arithmetic, true counts as 1 and false as 0.
    #[must_use]
    pub const fn is_numeric(self) -> bool {
        !matches!(self, Self::Item(_))
    }

    /// Returns whether values of this range convert implicitly to the range `wider`; `true` if the ranges are equal. Bool
    /// converts to int and int to real, never the reverse; items convert only to their own type.
    #[must_use]
    pub fn widens_to(self, wider: Self) -> bool {
        match (self, wider) {
            (Self::Item(a), Self::Item(b)) => a == b,
            (Self::Item(_), _) | (_, Self::Item(_)) => false,
            _ => self <= wider,
        }
    }

    /// Returns the narrowest range to which both ranges convert; `None` if there is no such range. An item type joins
    /// with itself only.
    #[must_use]
    pub fn join(self, other: Self) -> Option<Self> {
        if self.widens_to(other) {
            Some(other)
        } else if other.widens_to(self) {
            Some(self)
        } else {
            None
        }
    }

    /// Returns the default value of a fluent without a stated default: `false`, 0 or the first item.
    #[must_use]
    pub const fn zero(self) -> Value {
        match self {
            Self::Bool => Value::Bool(false),
            Self::Int => Value::Int(0),
            Self::Real => Value::Real(0.0),
            Self::Item(_) => Value::Item(0),
        }
    }
}

/// A value of a fluent or an expression. An item is a position in its type; the type is known from the [`Range`] only.
/// [`Instance::values`](super::Instance::values) returns values, and [`Instance::show`](super::Instance::show) writes
/// one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A real number.
    Real(f64),
    /// An enum value or an object: its position in its type.
    Item(u32),
}

impl Value {
    /// Converts the value to `range` if its own range implicitly converts to that range ([`Range::widens_to`]).
    /// Otherwise returns the value unchanged. An int beyond 2^53 is rounded when it becomes a real.
    #[must_use]
    pub const fn widened(self, range: Range) -> Self {
        match (self, range) {
            (Self::Bool(b), Range::Int) => Self::Int(b as i64),
            (Self::Bool(b), Range::Real) => Self::Real(b as u8 as f64),
            (Self::Int(i), Range::Real) => Self::Real(i as f64),
            _ => self,
        }
    }
}
