//! Ids of agent actions.

use herbrand_core::{Choice, Joint};

/// The id of an agent action within a problem: a number from 0 to [`ActionSpace::len`](crate::ActionSpace::len) − 1.
/// Steps take it, and masks are indexed by it. [`ActionSpace::parse`](crate::ActionSpace::parse) and
/// [`Planning::valid_actions`](crate::Planning::valid_actions) return ids. On the lifted engine the ids may differ;
/// see [`Lifted::numbering`](crate::Lifted::numbering).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AgentActionId(u32);

impl AgentActionId {
    /// Creates the id with this number. Any number is accepted; a step with an id that has no action fails.
    #[must_use]
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// Returns the action that a [`Choice`] of a joint action takes. A planning problem has one discrete field, whose
    /// alternatives are the action ids. `None` if the choice has an integer or a real value. Whether an action has the
    /// id is not checked.
    #[must_use]
    pub const fn of(choice: Choice) -> Option<Self> {
        match choice.alternative() {
            Some(number) => Some(Self(number)),
            None => None,
        }
    }

    /// Returns the id as a number.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Returns the id as an index, such as its element in an action mask. It equals [`number`](Self::number).
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<AgentActionId> for Choice {
    fn from(action: AgentActionId) -> Self {
        Self::discrete(action.0)
    }
}

impl From<AgentActionId> for Joint<'_> {
    fn from(action: AgentActionId) -> Self {
        Self::One(action.into())
    }
}
