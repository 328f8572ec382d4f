//! Ids of agent actions.

use herbrand_core::{Choice, Joint};

/// The id of an agent action within a problem: a number from 0 to [`ActionSpace::len`](crate::ActionSpace::len) − 1. Steps
/// take it, and masks are indexed by it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AgentActionId(u32);

impl AgentActionId {
    /// Creates the id with this number.
    #[must_use]
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// Returns the action of a choice in the terms of `herbrand_core`. A planning problem has one discrete field, whose
    /// alternatives are the actions. `None` if the choice is for a field of numbers.
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

    /// Returns the id as an index.
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
