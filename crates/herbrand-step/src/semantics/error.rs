//! What can go wrong: in compiling, in a step, in names.

use herbrand_datalog::QueriesError;
use herbrand_ground::{AtomId, GroundError, GroundTask};
use herbrand_limits::Spent;
use thiserror::Error;

use crate::semantics::arithmetic::Fault;
use crate::semantics::explanation::{Explanation, LiftedExplanation};
use crate::semantics::numbers::NumberFault;

/// Why a problem cannot be compiled.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum CompileError {
    /// It cannot be grounded.
    #[error(transparent)]
    Ground(#[from] GroundError),
    /// Its program cannot be asked.
    #[error(transparent)]
    Lifted(#[from] QueriesError),
}

/// Why a step, or the enumeration of its outcomes, was refused. Nothing has changed then.
#[derive(Clone, PartialEq, Error, Debug)]
pub enum StepError {
    /// The action is not valid in the state.
    #[error("{0}")]
    Invalid(Explanation),
    /// The action is not valid in a state of a lifted task.
    #[error("{0}")]
    NotValid(Box<LiftedExplanation>),
    /// A step of a lifted task, a state, or a task in which each outcome is an action takes more than the budget.
    #[error("{action}: {spent}")]
    Limit {
        /// The action, which state it is, or `the task`.
        action: String,
        /// What was spent.
        spent: Spent,
    },
    /// A lifted task has no action schema of this number.
    #[error("there is no action schema number {number}: the task has {schemas} schemas")]
    UnknownSchema {
        /// The number.
        number: u32,
        /// How many schemas there are.
        schemas: usize,
    },
    /// An action of a lifted task has too few or too many arguments.
    #[error("`{schema}` takes {expected} arguments, not {found}")]
    Arity {
        /// The schema.
        schema: String,
        /// How many arguments it takes.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A lifted task has no object of this number.
    #[error("there is no object number {number}: the task has {objects} objects")]
    UnknownObject {
        /// The number.
        number: u32,
        /// How many objects there are.
        objects: usize,
    },
    /// An argument of an action of a lifted task is of a wrong type.
    #[error(transparent)]
    WrongType(Box<WrongType>),
    /// No action of the task has this number.
    #[error("there is no action number {number}: the task has {actions} actions")]
    UnknownAction {
        /// The number.
        number: u32,
        /// How many actions there are.
        actions: usize,
    },
    /// An atom that is not a fluent of the task was to be made true.
    #[error("there is no fluent atom number {number}: the task has {fluents} fluent atoms")]
    UnknownAtom {
        /// The number.
        number: u32,
        /// How many fluent atoms there are.
        fluents: u32,
    },
    /// The state belongs to a task of another shape.
    #[error("the state belongs to another task")]
    ForeignState,
    /// A numeric effect reads or changes a number that is undefined.
    #[error("{action}: the effect on {effect} uses an undefined value")]
    UndefinedValue {
        /// The action.
        action: String,
        /// The numeric fluent that was to change.
        effect: String,
    },
    /// A numeric effect divides by zero.
    #[error("{action}: the effect on {effect} divides by zero")]
    DivisionByZero {
        /// The action.
        action: String,
        /// The numeric fluent that was to change.
        effect: String,
    },
    /// A number leaves the range of 64-bit floating-point numbers.
    #[error("{action}: the effect on {effect} goes beyond the range of 64-bit numbers")]
    Overflow {
        /// The action.
        action: String,
        /// The numeric fluent that was to change.
        effect: String,
    },
    /// Several numeric effects of one action give different results for one number in different orders.
    #[error("{action}: several effects on {effect} contradict each other")]
    ConflictingAssignments {
        /// The action.
        action: String,
        /// The numeric fluent that was to change.
        effect: String,
    },
    /// There are more combinations of chance than the set limit; they can still be sampled.
    #[error("{action}: more than {limit} outcomes; sample them, or raise the limit")]
    TooManyOutcomes {
        /// The action.
        action: String,
        /// The limit.
        limit: usize,
    },
}

/// An argument that is not of the type that its parameter asks for.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
#[error("{action}: {object} is not of type {expected}, as ?{parameter} asks for")]
pub struct WrongType {
    /// The action.
    pub action: String,
    /// The parameter.
    pub parameter: String,
    /// The object that was given for it.
    pub object: String,
    /// The type that the parameter asks for.
    pub expected: String,
}

impl StepError {
    #[cold]
    pub(crate) const fn limit(action: String, spent: Spent) -> Self {
        Self::Limit { action, spent }
    }

    /// The error for a numeric effect of `action` on the number `effect`.
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

/// Why a text names no atom or action of a task.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NameError {
    /// The text is not a name followed by arguments in parentheses.
    #[error("`{text}` is not of the form (name argument …)")]
    Syntax {
        /// The text.
        text: String,
    },
    /// No predicate or action is called so.
    #[error("there is no {kind} `{name}`")]
    UnknownHead {
        /// `predicate` or `action`.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// No object is called so.
    #[error("there is no object `{name}`")]
    UnknownObject {
        /// The name.
        name: String,
    },
    /// The number of arguments is wrong.
    #[error("`{name}` takes {expected} arguments, not {found}")]
    Arity {
        /// The predicate or action.
        name: String,
        /// How many arguments it takes.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// The names are right, but the atom never changes, no reachable state makes it true or applicable, or the task was
    /// ground without it because nothing reads it.
    #[error("{text} is static or out of reach")]
    Unreachable {
        /// The text.
        text: String,
    },
}
