//! Values and the ranges that they come from.

use super::TypeId;

/// The values that a fluent or an expression can have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Range {
    /// `bool`.
    Bool,
    /// `int`: 64 bits, arithmetic wraps around.
    Int,
    /// `real`: a double of IEEE 754; NaN and infinities travel.
    Real,
    /// The values of an enum or the objects of an object type.
    Item(TypeId),
}

impl Range {
    /// Whether it is `bool`, `int` or `real`, so that there is arithmetic on it: true counts as 1, false as 0.
    #[must_use]
    pub const fn is_numeric(self) -> bool {
        !matches!(self, Self::Item(_))
    }

    /// Whether a value of this range is used as it is, or widened, where `wider` is asked for: bool widens to int and int
    /// to real, never the other way round.
    #[must_use]
    pub fn widens_to(self, wider: Self) -> bool {
        match (self, wider) {
            (Self::Item(a), Self::Item(b)) => a == b,
            (Self::Item(_), _) | (_, Self::Item(_)) => false,
            _ => self <= wider,
        }
    }

    /// The narrowest range that both widen to.
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

    /// The value of a fluent with this range that states no default: false, 0, or the first item.
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

/// A value of a fluent or an expression.
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
    /// The value widened to `range`, which its own range must widen to: other values are returned as they are.
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
