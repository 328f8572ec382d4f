//! The interface between a planning problem and its engine.

use std::cmp::Ordering;
use std::fmt::Debug;

use herbrand_core::{ActionValidity, Fact, SystemBlock};
use herbrand_ground::Vocabulary;
use herbrand_pddl::{ObjectId, PredicateId};
use herbrand_step::{Random, StepError, StepRecord, StepResult};

use crate::action::{AgentActionId, AgentActions};
use crate::config::Ambiguity;
use crate::error::PlanningError;

use crate::time::Agenda;

use super::Planning;

/// An engine with a current state, and the agent actions that its operators carry out. [`Grounded`](crate::Grounded)
/// and [`Lifted`](crate::Lifted) implement it; [`Planning::on`] makes a system of one.
///
/// An *operator* is a schema of the domain with objects for its parameters. An *action* is a choice of the agent; one or
/// more operators carry it out. Both are ordered by declaration and then by objects, so the order is the same for every
/// engine.
pub trait SteppingEngine {
    /// A state, which can be stored and restored.
    type State: Clone + PartialEq + Debug + Send + 'static;
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

    /// Enters an initial state, drawn by `chance` if there are several.
    ///
    /// # Errors
    /// Fails if a draw has no result or, on the lifted engine, if deriving the facts of the state exceeds a limit.
    fn reset(&mut self, chance: &mut Random) -> Result<(), StepError>;

    /// Returns the current state.
    fn state(&self) -> &Self::State;

    /// Sets the current state to a stored one.
    ///
    /// # Errors
    /// The grounded engine fails if the state has another size than those of this problem; the lifted engine does not
    /// check it, and fails if deriving its facts exceeds a limit. The current state does not change then.
    fn set_state(&mut self, state: &Self::State) -> Result<(), StepError>;

    /// Returns whether the goal holds in the current state.
    fn is_goal(&self) -> bool;

    /// Returns the names of the problem's schemas, predicates and objects.
    fn vocabulary(&self) -> &Vocabulary;

    /// Returns the declared agent actions; `None` if the operators are the actions.
    fn agent_actions(&self) -> Option<&AgentActions>;

    /// Calls `visit` once for each fact that holds in the current state, including static and derived ones, and for
    /// each defined number of the state.
    fn facts(&self, visit: &mut dyn FnMut(Fact<'_>));

    /// Returns the state in which exactly these fluent atoms hold, for [`set_state`](Self::set_state). Atoms of other
    /// predicates are ignored, and on the grounded engine also those that are unreachable. Numbers have their initial
    /// values. The current state does not change.
    ///
    /// # Errors
    /// Fails if there is no such state; neither [`Grounded`](crate::Grounded) nor [`Lifted`](crate::Lifted) fails.
    fn state_of(&self, atoms: &[(PredicateId, Vec<ObjectId>)]) -> Result<Self::State, StepError>;

    /// Returns what runs in the current state; `None` if the problem has no time.
    fn agenda(&self) -> Option<Agenda>;

    /// Returns the number of operators that are valid in the current state.
    fn valid_len(&self) -> usize;

    /// Iterates over the operators that are valid in the current state, in ascending order.
    fn valid(&self) -> impl Iterator<Item = Self::Operator> + '_;

    /// Returns whether an operator is valid in the current state. An operator of another problem may cause a panic.
    fn is_valid(&self, operator: &Self::Operator) -> bool;

    /// Draws a valid operator uniformly; `None` if there are no valid operators.
    fn sample(&self, random: &mut Random) -> Option<Self::Operator>;

    /// Applies an operator to the current state. `chance` draws the outcomes of probabilistic effects.
    ///
    /// # Errors
    /// Fails if the operator is invalid or its effect is undefined. The state does not change then.
    fn apply(&mut self, operator: &Self::Operator, chance: &mut Random) -> Result<StepResult, StepError>;

    /// Like [`apply`](Self::apply), with the same random draws, but also returns a record of the effects, draws and
    /// changes.
    ///
    /// # Errors
    /// Fails like [`apply`](Self::apply).
    fn apply_explained(
        &mut self,
        operator: &Self::Operator,
        chance: &mut Random,
    ) -> Result<(StepResult, StepRecord), StepError>;

    /// Returns the possible successors of the current state under an operator; `None` if there are too many to list.
    /// The current state does not change.
    ///
    /// # Errors
    /// Fails if the operator is invalid or its effect is undefined.
    fn successors(&mut self, operator: &Self::Operator) -> Result<Option<Vec<Self::State>>, StepError>;

    /// Explains why an agent action is or is not valid in the current state of `planning`.
    ///
    /// # Errors
    /// Fails if there is no such action, or if several valid operators carry it out and that makes it invalid. Fails
    /// if no operator can ever carry it out or, on the lifted engine with declared actions, none can now.
    fn explain(planning: &Planning<Self>, action: AgentActionId) -> Result<ActionValidity, PlanningError>
    where
        Self: Sized;

    /// Makes a block of copies of a problem, as [`BatchSystem::block`](herbrand_core::BatchSystem::block) does; none by
    /// default.
    fn block(planning: &Planning<Self>, lanes: usize) -> Option<Box<dyn SystemBlock<State = Self::State>>>
    where
        Self: Sized,
    {
        let _ = (planning, lanes);
        None
    }

    /// Returns the possible initial states, one if the initial state is not random; `None` if there are too many to
    /// list, or if a draw has no result.
    fn initial_states(&mut self) -> Option<Vec<Self::State>>;

    /// Formats an operator in PDDL syntax.
    fn operator_text(&self, operator: &Self::Operator) -> String;

    /// Returns how a step resolves an action that several valid operators carry out: the setting of the declared
    /// actions, [`Ambiguity::Error`] without any.
    fn ambiguity(&self) -> Ambiguity {
        self.agent_actions()
            .map_or(Ambiguity::Error, AgentActions::ambiguity)
    }

    /// Compares two actions in the order in which they are drawn and listed: by declaration and then by objects, independent
    /// of their ids.
    fn order(&self, one: &Self::Action, other: &Self::Action) -> Ordering {
        one.cmp(other)
    }

    /// Returns the action that an operator carries out. An operator of another problem may cause a panic.
    fn action_of(&self, operator: &Self::Operator) -> Self::Action;

    /// Returns the id of an action, creating one if ids are given as actions are encountered. An action of another
    /// problem may panic.
    fn id(&self, action: &Self::Action) -> AgentActionId;

    /// Returns the action with this id; `None` if no action has it. For an action that only larger problems of the
    /// suite have, the lifted engine returns `None`, the grounded one an action that is never valid.
    fn action(&self, id: AgentActionId) -> Option<Self::Action>;

    /// Returns the number of action ids; masks have this length. It is 2^32 - 1 on the lifted engine without
    /// [numbering](crate::Lifted::numbering), which has no masks.
    fn action_count(&self) -> usize;

    /// Formats an action in PDDL syntax.
    fn action_text(&self, action: &Self::Action) -> String;

    /// Formats an action that only larger problems of the suite have, with the names of places
    /// ([`SuiteIds`](crate::SuiteIds)) for the missing objects. `None` for all other ids.
    fn absent_text(&self, id: AgentActionId) -> Option<String>;

    /// Parses an action in PDDL syntax, ignoring case and extra spaces; `None` if there is no such action. The grounded
    /// engine finds what [`ActionSpace::find`](crate::ActionSpace::find) finds; the lifted one, every type-correct
    /// action or, without [numbering](crate::Lifted::numbering), every action with the right number of arguments.
    fn find_action(&self, text: &str) -> Option<Self::Action>;

    /// Parses an operator in PDDL syntax; `None` if there is no such operator. The grounded engine finds only operators
    /// that some reachable state allows.
    fn find_operator(&self, text: &str) -> Option<Self::Operator>;

    /// Updates the derived data after a change of state; [`Planning`] calls it. Returns whether every action is known
    /// to have at most one valid operator; then [`only`](Self::only) returns it. It may return `false` although each
    /// action has at most one: an engine need not list the valid operators to find out.
    fn follow(&mut self) -> bool;

    /// Returns the single operator that may carry out an action now, if the last [`follow`](Self::follow) returned
    /// `true`. The operator itself may still be invalid. `None` if no operator can.
    fn only(&self, action: &Self::Action) -> Option<Self::Operator>;
}
