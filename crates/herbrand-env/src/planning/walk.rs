//! What a planning problem needs of the engine that steps it.

use std::cmp::Ordering;
use std::fmt::Debug;

use herbrand_core::Fact;
use herbrand_ground::Vocabulary;
use herbrand_pddl::{ObjectId, PredicateId};
use herbrand_step::{Fired, Random, StepError, Transition};

use crate::{AgentActionId, AgentActions, Ambiguity};

/// An engine at a current state, with the agent's actions that its operators carry out.
///
/// An *operator* is a schema of the domain with objects for its parameters. An *action* is what the agent chooses; one or
/// more operators carry it out. Both are ordered as they are declared, then by their objects: that order is the same for
/// every engine.
pub trait Walk {
    /// A state that can be kept and returned to.
    type State: Clone + PartialEq + Debug + Send;
    /// An operator.
    type Operator: Clone + Ord + Debug;
    /// An action of the agent.
    type Action: Clone + Ord + Debug;

    /// Reads the beginning of each piece of memory that the next step reads, so that the processor has it at hand by
    /// then. What comes back means nothing.
    #[inline]
    fn touch(&self) -> u64 {
        0
    }

    /// Goes to an initial state.
    ///
    /// # Errors
    /// When a draw has no result.
    fn reset(&mut self, chance: &mut Random) -> Result<(), StepError>;

    /// The current state.
    fn state(&self) -> &Self::State;

    /// Goes to `state`.
    ///
    /// # Errors
    /// When it is not a state of this problem.
    fn set_state(&mut self, state: &Self::State) -> Result<(), StepError>;

    /// Whether the goal holds.
    fn is_goal(&self) -> bool;

    /// The names of the problem's domain.
    fn vocabulary(&self) -> &Vocabulary;

    /// The agent's declared actions; `None` when the operators are the actions.
    fn agent_actions(&self) -> Option<&AgentActions>;

    /// Shows what holds now.
    fn facts(&self, visit: &mut dyn FnMut(Fact<'_>));

    /// The state in which these atoms hold and no others; those that the problem cannot make true are left out.
    ///
    /// # Errors
    /// When there is no such state.
    fn state_of(&self, atoms: &[(PredicateId, Vec<ObjectId>)]) -> Result<Self::State, StepError>;

    /// How many operators are valid now.
    fn valid_len(&self) -> usize;

    /// The operators that are valid now, ascending.
    fn valid(&self) -> impl Iterator<Item = Self::Operator> + '_;

    /// Whether an operator is valid now.
    fn is_valid(&self, operator: &Self::Operator) -> bool;

    /// A valid operator, drawn uniformly.
    fn sample(&self, random: &mut Random) -> Option<Self::Operator>;

    /// Applies an operator.
    ///
    /// # Errors
    /// When it is not valid, or its effect has no meaning. The state does not change then.
    fn apply(&mut self, operator: &Self::Operator, chance: &mut Random) -> Result<Transition, StepError>;

    /// Applies an operator as [`apply`](Self::apply) does, with the same draws, and gives an account of the step.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    fn apply_explained(
        &mut self,
        operator: &Self::Operator,
        chance: &mut Random,
    ) -> Result<(Transition, Fired), StepError>;

    /// The distribution of the states that an operator leads to; `None` if there are too many to list.
    ///
    /// # Errors
    /// When it is not valid, or its effect has no meaning.
    fn successors(&mut self, operator: &Self::Operator) -> Result<Option<Vec<Self::State>>, StepError>;

    /// The initial states; `None` if there are too many to list.
    fn initial_states(&mut self) -> Option<Vec<Self::State>>;

    /// An operator as PDDL writes it.
    fn operator_text(&self, operator: &Self::Operator) -> String;

    /// What happens when several operators fit an action.
    fn ambiguity(&self) -> Ambiguity {
        self.agent_actions()
            .map_or(Ambiguity::Error, AgentActions::ambiguity)
    }

    /// The order in which actions are drawn and listed: as they are declared, then by their objects, whatever their
    /// numbers.
    fn order(&self, one: &Self::Action, other: &Self::Action) -> Ordering {
        one.cmp(other)
    }

    /// The action that an operator carries out.
    fn action_of(&self, operator: &Self::Operator) -> Self::Action;

    /// The number of an action.
    fn id(&self, action: &Self::Action) -> AgentActionId;

    /// The action with this number.
    fn action(&self, id: AgentActionId) -> Option<Self::Action>;

    /// How many action numbers there are.
    fn action_count(&self) -> usize;

    /// An action as PDDL writes it.
    fn action_text(&self, action: &Self::Action) -> String;

    /// An action of the suite that the problem has no objects for, with their places; `None` for other numbers.
    fn absent_text(&self, id: AgentActionId) -> Option<String>;

    /// The action that `text` writes as PDDL does; case and spaces do not matter.
    fn find_action(&self, text: &str) -> Option<Self::Action>;

    /// The operator that `text` writes as PDDL does.
    fn find_operator(&self, text: &str) -> Option<Self::Operator>;

    /// Keeps up with a change of state. True if no two valid operators carry out one action now, as far as is known
    /// without listing them; then [`only`](Self::only) says which one does.
    fn follow(&mut self) -> bool;

    /// The one operator that may carry out an action now, after [`follow`](Self::follow) was true. Whether it is valid need
    /// not be known yet.
    fn only(&self, action: &Self::Action) -> Option<Self::Operator>;
}
