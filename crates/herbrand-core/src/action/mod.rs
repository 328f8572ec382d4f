//! Actions: what can be chosen in one step, and how a choice is written down.

mod count;
mod layout;

use std::fmt;

pub use count::ActionCount;
pub use layout::{ActionField, ActionLayout, Domain, JointError};
use smallvec::SmallVec;

/// The value of one action field.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// One of the alternatives of a discrete field, from 0.
    Discrete(u32),
    /// A value of an integer field.
    Int(i64),
    /// A value of a real field.
    Real(f64),
}

/// Writes the number: the place of an alternative, an int or a real.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Discrete(place) => write!(f, "{place}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Real(value) => write!(f, "{value:?}"),
        }
    }
}

/// A value for one action field: the unit that a joint action consists of.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    /// The field, by its place in the [`ActionLayout`].
    pub field: u32,
    /// The value.
    pub value: Value,
}

impl Choice {
    /// An alternative of the first field: the whole action of a system with a single discrete field.
    #[must_use]
    pub const fn discrete(alternative: u32) -> Self {
        Self {
            field: 0,
            value: Value::Discrete(alternative),
        }
    }

    /// The alternative, if this is one of the first field.
    #[must_use]
    pub const fn alternative(self) -> Option<u32> {
        match self {
            Self {
                field: 0,
                value: Value::Discrete(alternative),
            } => Some(alternative),
            _ => None,
        }
    }
}

/// A joint action as a value: choices for different fields.
pub type JointAction = SmallVec<[Choice; 2]>;

/// A joint action as callers give it: a single choice, or a list of them.
///
/// Fields that no choice names keep their default values, so an empty list is the action of doing nothing where the
/// layout allows that.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Joint<'a> {
    /// One choice.
    One(Choice),
    /// Choices for different fields.
    Many(&'a [Choice]),
}

impl Joint<'_> {
    /// The choices.
    #[must_use]
    pub const fn choices(&self) -> &[Choice] {
        match self {
            Self::One(choice) => std::slice::from_ref(choice),
            Self::Many(choices) => choices,
        }
    }
}

impl From<Choice> for Joint<'_> {
    fn from(choice: Choice) -> Self {
        Self::One(choice)
    }
}

impl<'a> From<&'a [Choice]> for Joint<'a> {
    fn from(choices: &'a [Choice]) -> Self {
        Self::Many(choices)
    }
}

impl<'a> From<&'a Vec<Choice>> for Joint<'a> {
    fn from(choices: &'a Vec<Choice>) -> Self {
        Self::Many(choices)
    }
}

impl<'a> From<&'a JointAction> for Joint<'a> {
    fn from(choices: &'a JointAction) -> Self {
        Self::Many(choices)
    }
}
