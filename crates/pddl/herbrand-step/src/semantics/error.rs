//! Errors of compiling a task, of taking steps, and of parsing names.

use herbrand_datalog::QueriesError;
use herbrand_ground::{AtomId, GroundError, GroundTask};
use herbrand_limits::Spent;
use herbrand_text::{counted, did_you_mean};
use thiserror::Error;

use crate::semantics::arithmetic::Fault;
use crate::semantics::explanation::{Explanation, LiftedExplanation};
use crate::semantics::numbers::NumberFault;

/// The reason why a problem cannot be compiled.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum CompileError {
    /// Grounding failed.
    #[error(transparent)]
    Ground(#[from] GroundError),
    /// The queries over the lifted task's Datalog program could not be built.
    #[error(transparent)]
    Lifted(#[from] QueriesError),
}

/// The reason why a step, or the enumeration of its outcomes, failed. The state is unchanged.
#[derive(Clone, PartialEq, Error, Debug)]
pub enum StepError {
    /// The action is not valid in the state.
    #[error("{0}")]
    Invalid(Explanation),
    /// The action is not valid in a state of a lifted task.
    #[error("{0}")]
    NotValid(Box<LiftedExplanation>),
    /// The operation exceeded the memory or time budget: a step or a state of a lifted task, or a determinization.
    #[error("{action}: {spent}")]
    Limit {
        /// The operation that exceeded the budget: the action, the initial or other state, or `the task`.
        action: String,
        /// The resource that ran out.
        spent: Spent,
    },
    /// The lifted task has no action schema with this number.
    #[error("there is no action schema number {number}: the task has {schemas} schemas")]
    UnknownSchema {
        /// The number.
        number: u32,
        /// The number of schemas.
        schemas: usize,
    },
    /// An action of a lifted task has too few or too many arguments.
    #[error("`{schema}` takes {}, not {found}", counted(*.expected, "argument"))]
    Arity {
        /// The schema.
        schema: String,
        /// The number of parameters of the schema.
        expected: usize,
        /// The number of arguments given.
        found: usize,
    },
    /// The lifted task has no object with this number.
    #[error("there is no object number {number}: the task has {objects} objects")]
    UnknownObject {
        /// The number.
        number: u32,
        /// The number of objects.
        objects: usize,
    },
    /// An argument of an action of a lifted task has the wrong type.
    #[error(transparent)]
    WrongType(Box<WrongType>),
    /// The task has no action with this number.
    #[error("there is no action number {number}: the task has {actions} actions")]
    UnknownAction {
        /// The number.
        number: u32,
        /// The number of actions.
        actions: usize,
    },
    /// An atom to be made true is not a fluent atom of the task.
    #[error("there is no fluent atom number {number}: the task has {fluents} fluent atoms")]
    UnknownAtom {
        /// The number.
        number: u32,
        /// The number of fluent atoms.
        fluents: u32,
    },
    /// The state does not have the shape of this task's states, so it belongs to another task.
    #[error("the state belongs to another task")]
    ForeignState,
    /// A numeric effect reads or changes an undefined number.
    #[error("{action}: the effect on {effect} uses an undefined value")]
    UndefinedValue {
        /// The action.
        action: String,
        /// The numeric fluent that the effect assigns.
        effect: String,
    },
    /// A numeric effect divides by zero.
    #[error("{action}: the effect on {effect} divides by zero")]
    DivisionByZero {
        /// The action.
        action: String,
        /// The numeric fluent that the effect assigns.
        effect: String,
    },
    /// The result of a numeric effect is outside the range of 64-bit floating-point numbers.
    #[error("{action}: the effect on {effect} exceeds the range of 64-bit numbers")]
    Overflow {
        /// The action.
        action: String,
        /// The numeric fluent that the effect assigns.
        effect: String,
    },
    /// Several numeric effects of one action on the same number give different results in different orders.
    #[error("{action}: several effects on {effect} contradict each other")]
    ConflictingAssignments {
        /// The action.
        action: String,
        /// The numeric fluent that the effects assign.
        effect: String,
    },
    /// The action has more combinations of draws than the limit allows. It can still be sampled.
    #[error("{action}: more than {limit} outcomes; sample them, or raise the limit")]
    TooManyOutcomes {
        /// The action.
        action: String,
        /// The limit.
        limit: usize,
    },
}

/// An argument that does not have the type of its parameter.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
#[error("{action}: {object} is not of type {expected}, the type of ?{parameter}")]
pub struct WrongType {
    /// The action.
    pub action: String,
    /// The parameter.
    pub parameter: String,
    /// The object given as the argument.
    pub object: String,
    /// The type of the parameter.
    pub expected: String,
}

impl StepError {
    #[cold]
    pub(crate) const fn limit(action: String, spent: Spent) -> Self {
        Self::Limit { action, spent }
    }

    /// Returns the error for a numeric effect of `action` on the number `effect`.
    #[cold]
    pub(crate) fn number(action: String, effect: String, fault: NumberFault) -> Self {
        match fault {
            NumberFault::Value(Fault::Undefined) => Self::UndefinedValue { action, effect },
            NumberFault::Value(Fault::DivisionByZero) => Self::DivisionByZero { action, effect },
            NumberFault::Value(Fault::Overflow) => Self::Overflow { action, effect },
            NumberFault::Conflict => Self::ConflictingAssignments { action, effect },
        }
    }

    #[cold]
    pub(crate) fn unknown_atom(task: &GroundTask, atom: AtomId) -> Self {
        Self::UnknownAtom {
            number: atom.number(),
            fluents: task.fluents,
        }
    }
}

/// The reason why a text does not name an atom or action of a task.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NameError {
    /// The text is not a name followed by arguments in parentheses.
    #[error("`{text}` is not of the form (name argument …)")]
    Syntax {
        /// The text.
        text: String,
    },
    /// There is no predicate or action with this name.
    #[error("there is no {kind} `{name}`{}", did_you_mean(.suggestion.as_deref()))]
    UnknownHead {
        /// `predicate` or `action`.
        kind: &'static str,
        /// The name.
        name: String,
        /// The name that may be meant.
        suggestion: Option<String>,
    },
    /// There is no object with this name.
    #[error("there is no object `{name}`{}", did_you_mean(.suggestion.as_deref()))]
    UnknownObject {
        /// The name.
        name: String,
        /// The name that may be meant.
        suggestion: Option<String>,
    },
    /// The number of arguments is wrong.
    #[error("`{name}` takes {}, not {found}", counted(*.expected, "argument"))]
    Arity {
        /// The predicate or action.
        name: String,
        /// The number of parameters.
        expected: usize,
        /// The number of arguments given.
        found: usize,
    },
    /// The names are known, but the ground task has no such atom or action: the atom is static, it is false (or the action
    /// inapplicable) in every reachable state, or grounding dropped it because nothing reads it.
    #[error("{text} is static or unreachable")]
    Unreachable {
        /// The text.
        text: String,
    },
}
