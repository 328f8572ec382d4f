//! The interface between a planning problem and its engine.

use std::cmp::Ordering;
use std::fmt::Debug;

use herbrand_core::Fact;
use herbrand_ground::Vocabulary;
use herbrand_pddl::{ObjectId, PredicateId};
use herbrand_step::{Random, StepError, StepRecord, Transition};

use crate::action::{AgentActionId, AgentActions};
use crate::config::Ambiguity;

/// An engine with a current state, and the agent actions that its operators carry out.
///
/// An *operator* is a schema of the domain with objects for its parameters. An *action* is a choice of the agent; one or
/// more operators carry it out. Both are ordered by declaration and then by objects, so the order is the same for every
/// engine.
pub trait Walk {
    /// A state, which can be stored and restored.
    type State: Clone + PartialEq + Debug + Send;
    /// An operator.
    type Operator: Clone + Ord + Debug;
    /// An agent action.
    type Action: Clone + Ord + Debug;

    /// Loads the start of each memory block that the next step reads, so that it is in the processor's cache by then. The
    /// return value is meaningless; it keeps the loads from being optimised away.
    #[inline]
    fn prefetch(&self) -> u64 {
        0
    }

    /// Enters an initial state.
    ///
    /// # Errors
    /// Fails if a draw has no result.
    fn reset(&mut self, chance: &mut Random) -> Result<(), StepError>;

    /// Returns the current state.
    fn state(&self) -> &Self::State;

    /// Sets the current state.
    ///
    /// # Errors
    /// Fails if `state` is not a state of this problem.
    fn set_state(&mut self, state: &Self::State) -> Result<(), StepError>;

    /// Returns whether the goal holds.
    fn is_goal(&self) -> bool;

    /// Returns the vocabulary of the problem.
    fn vocabulary(&self) -> &Vocabulary;

    /// Returns the declared agent actions; `None` if the operators are the actions.
    fn agent_actions(&self) -> Option<&AgentActions>;

    /// Passes the facts of the current state to `visit`.
    fn facts(&self, visit: &mut dyn FnMut(Fact<'_>));

    /// Returns the state in which exactly these atoms hold. Atoms that are unreachable in the problem are ignored.
    ///
    /// # Errors
    /// Fails if there is no such state.
    fn state_of(&self, atoms: &[(PredicateId, Vec<ObjectId>)]) -> Result<Self::State, StepError>;

    /// Returns the number of valid operators.
    fn valid_len(&self) -> usize;

    /// Iterates over the valid operators in ascending order.
    fn valid(&self) -> impl Iterator<Item = Self::Operator> + '_;

    /// Returns whether an operator is valid.
    fn is_valid(&self, operator: &Self::Operator) -> bool;

    /// Draws a valid operator uniformly; `None` if there are no valid operators.
    fn sample(&self, random: &mut Random) -> Option<Self::Operator>;

    /// Applies an operator.
    ///
    /// # Errors
    /// Fails if the operator is invalid or its effect is undefined. The state does not change then.
    fn apply(&mut self, operator: &Self::Operator, chance: &mut Random) -> Result<Transition, StepError>;

    /// Like [`apply`](Self::apply), with the same random draws, but also returns an account of the step.
    ///
    /// # Errors
    /// Like [`apply`](Self::apply).
    fn apply_explained(
        &mut self,
        operator: &Self::Operator,
        chance: &mut Random,
    ) -> Result<(Transition, StepRecord), StepError>;

    /// Returns the possible successor states of an operator; `None` if there are too many to list.
    ///
    /// # Errors
    /// Fails if the operator is invalid or its effect is undefined.
    fn successors(&mut self, operator: &Self::Operator) -> Result<Option<Vec<Self::State>>, StepError>;

    /// Returns the initial states; `None` if there are too many to list.
    fn initial_states(&mut self) -> Option<Vec<Self::State>>;

    /// Formats an operator in PDDL syntax.
    fn operator_text(&self, operator: &Self::Operator) -> String;

    /// Returns the treatment of actions that several operators fit.
    fn ambiguity(&self) -> Ambiguity {
        self.agent_actions()
            .map_or(Ambiguity::Error, AgentActions::ambiguity)
    }

    /// Compares two actions in the order in which they are drawn and listed: by declaration and then by objects, independent
    /// of their ids.
    fn order(&self, one: &Self::Action, other: &Self::Action) -> Ordering {
        one.cmp(other)
    }

    /// Returns the action that an operator carries out.
    fn action_of(&self, operator: &Self::Operator) -> Self::Action;

    /// Returns the id of an action.
    fn id(&self, action: &Self::Action) -> AgentActionId;

    /// Returns the action with this id.
    fn action(&self, id: AgentActionId) -> Option<Self::Action>;

    /// Returns the number of action ids.
    fn action_count(&self) -> usize;

    /// Formats an action in PDDL syntax.
    fn action_text(&self, action: &Self::Action) -> String;

    /// Formats an action of the suite for which the problem lacks objects, with the names of their places; `None` for other
    /// ids.
    fn absent_text(&self, id: AgentActionId) -> Option<String>;

    /// Parses an action in PDDL syntax; case and extra spaces are ignored.
    fn find_action(&self, text: &str) -> Option<Self::Action>;

    /// Parses an operator in PDDL syntax.
    fn find_operator(&self, text: &str) -> Option<Self::Operator>;

    /// Updates the derived data after a change of state. Returns whether every action is known to have at most one valid
    /// operator; then [`only`](Self::only) returns it. May return `false` without listing the valid operators.
    fn follow(&mut self) -> bool;

    /// Returns the single operator that may carry out an action now, if the last [`follow`](Self::follow) returned `true`.
    /// The operator itself may still be invalid.
    fn only(&self, action: &Self::Action) -> Option<Self::Operator>;
}
