//! Actions: the values, choices and joint actions that a step takes. Their fields are described by an [`ActionLayout`].

mod count;
mod layout;

use std::fmt;

pub use count::ActionCount;
pub use layout::{ActionField, ActionLayout, FieldDomain, JointError};
use smallvec::SmallVec;

/// The value of an action field, of the type of the field's [`FieldDomain`]. A [`Choice`] has one.
/// [`FieldDomain::value_of`] makes it from a number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FieldValue {
    /// An alternative of a discrete field, counted from 0. In PDDL, it is the number of a ground action.
    Discrete(u32),
    /// An integer.
    Int(i64),
    /// A real number.
    Real(f64),
}

impl FieldValue {
    /// Returns the value as a number. An integer beyond 2^53 is rounded.
    #[must_use]
    pub const fn number(self) -> f64 {
        match self {
            Self::Discrete(alternative) => alternative as f64,
            Self::Int(value) => value as f64,
            Self::Real(value) => value,
        }
    }

    /// Returns the value as an exact cell: an alternative or an integer as it is, and a real as its bits. The inverse of
    /// [`FieldDomain::number_in`].
    #[must_use]
    pub const fn to_cell(self) -> i64 {
        match self {
            Self::Discrete(alternative) => alternative as i64,
            Self::Int(value) => value,
            Self::Real(value) => value.to_bits() as i64,
        }
    }
}

/// Writes the number; an alternative is written as its index.
impl fmt::Display for FieldValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Discrete(place) => write!(f, "{place}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Real(value) => write!(f, "{value:?}"),
        }
    }
}

/// A value for one action field. A joint action is a list of choices, at most one per field. [`ActionLayout::fields`]
/// describes the fields. Pass one or a list of them to [`Env::step`](crate::Env::step).
/// [`System::choices`](crate::System::choices) lists valid ones, and
/// [`Described::parse_choice`](crate::Described::parse_choice) reads one from text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    /// The index of the field in the [`ActionLayout`].
    pub field: u32,
    /// The value of that field.
    pub value: FieldValue,
}

impl Choice {
    /// Creates the choice of an alternative of field 0, which is a whole action for a system with a single discrete
    /// field. No layout is asked whether the alternative exists.
    #[must_use]
    pub const fn discrete(alternative: u32) -> Self {
        Self {
            field: 0,
            value: FieldValue::Discrete(alternative),
        }
    }

    /// Returns the alternative if this choice sets field 0 to one, and `None` otherwise: the inverse of
    /// [`discrete`](Self::discrete).
    #[must_use]
    pub const fn alternative(self) -> Option<u32> {
        match self {
            Self {
                field: 0,
                value: FieldValue::Discrete(alternative),
            } => Some(alternative),
            _ => None,
        }
    }
}

/// An owned joint action: choices for distinct fields. [`Env::sample`](crate::Env::sample) returns one; a reference to
/// it converts to a [`Joint`].
pub type JointAction = SmallVec<[Choice; 2]>;

/// A borrowed joint action, the argument of [`Env::step`](crate::Env::step): a single choice or a slice of choices. A
/// [`Choice`], and a reference to a slice, a `Vec` or a [`JointAction`], convert to it by `into`.
///
/// Fields without a choice take their default values; a field without a default must have one. The empty list is
/// therefore the no-op if every field has a default.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Joint<'a> {
    /// A single choice.
    One(Choice),
    /// Choices for distinct fields.
    Many(&'a [Choice]),
}

impl Joint<'_> {
    /// Returns the choices as a slice.
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
