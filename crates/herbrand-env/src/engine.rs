//! The seam between episodes and what steps them.

use std::error::Error;
use std::fmt::Debug;

use herbrand_step::{Random, Transition};

/// A transition system at a current state: what an [`Episode`](crate::Episode) runs on.
///
/// Nothing here knows of a planning language. Actions are opaque numbers below [`action_count`](Self::action_count),
/// and one step takes a joint action: a list of them, of one for PDDL. All draws come from the generators that are
/// handed in, and are a function of the state and the generator alone.
pub trait Engine {
    /// A state that can be kept and returned to.
    type State: Clone + PartialEq + Debug;
    /// What can go wrong in a step.
    type Error: Error;

    /// Goes to an initial state, drawn from `chance` where it is not certain.
    ///
    /// # Errors
    /// When the draw has no result.
    fn reset(&mut self, chance: &mut Random) -> Result<(), Self::Error>;

    /// The current state.
    fn state(&self) -> &Self::State;

    /// Goes to `state`.
    ///
    /// # Errors
    /// When it is not a state of this system.
    fn set_state(&mut self, state: &Self::State) -> Result<(), Self::Error>;

    /// The number of single actions; it does not depend on the state.
    fn action_count(&self) -> usize;

    /// The number of actions that are valid now.
    fn valid_count(&self) -> usize;

    /// Puts the actions that are valid now into `into`, ascending, in place of what it held.
    fn valid_actions(&self, into: &mut Vec<AgentActionId>);

    /// Writes which actions are valid as one byte an action, 1 for valid; what `into` is longer is set to 0, what it
    /// is shorter is left out.
    fn write_mask(&self, into: &mut [u8]);

    /// Whether [`step`](Self::step) would find something to do for this joint action.
    fn is_valid(&self, joint: &[AgentActionId]) -> bool;

    /// Puts a joint action, drawn uniformly from the valid ones, into `into`; false when there is none.
    fn sample(&self, random: &mut Random, into: &mut Vec<AgentActionId>) -> bool;

    /// Carries out a joint action; outcomes are drawn from `chance`.
    ///
    /// # Errors
    /// When the action is not valid or its effect has no meaning. The state is then what it was.
    fn step(&mut self, joint: &[AgentActionId], chance: &mut Random) -> Result<Transition, Self::Error>;

    /// Whether the goal holds in the current state.
    fn is_goal(&self) -> bool;
}

/// Which engine steps planning problems. All have the same valid actions and make the same draws.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EngineKind {
    /// Grounded, or lifted where grounding crosses its limits.
    #[default]
    Automatic,
    /// All actions are grounded beforehand, and the valid ones kept from step to step: the fastest.
    Grounded,
    /// Nothing is grounded; the valid actions are kept from step to step by views
    /// ([`Upkeep::Kept`](herbrand_step::Upkeep::Kept)).
    Lifted,
    /// Nothing is grounded; `ascent` evaluates the domain's Datalog program for every state
    /// ([`Upkeep::Evaluated`](herbrand_step::Upkeep::Evaluated)): the reference.
    Datalog,
}

/// An action of the agent in one problem.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AgentActionId(u32);

impl AgentActionId {
    /// The id with this number.
    #[must_use]
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// The bare number.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// The number as an index into a list.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
