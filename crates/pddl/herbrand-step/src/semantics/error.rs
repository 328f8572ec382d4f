//! Errors of compiling a task, of taking steps, and of parsing names.

use herbrand_datalog::QueriesError;
use herbrand_ground::{AtomId, GroundError, GroundTask, Signature, Vocabulary};
use herbrand_limits::BudgetExhausted;
use herbrand_pddl::ObjectId;
use herbrand_text::{counted, did_you_mean};
use thiserror::Error;

use crate::semantics::arithmetic::Fault;
use crate::semantics::explanation::{ActionExplanation, LiftedExplanation};
use crate::semantics::numbers::NumberFault;

/// The reason why a problem cannot be compiled into a simulator. If grounding exceeded a limit,
/// [`LiftedSimulator`](crate::LiftedSimulator) may still compile the problem. [`compile`](crate::compile) and
/// [`LiftedSimulator::compile`](crate::LiftedSimulator::compile) return it.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum CompileError {
    /// Grounding, or compiling into a lifted task, failed: see [`GroundError`].
    #[error(transparent)]
    Ground(#[from] GroundError),
    /// The queries over the lifted task's Datalog program could not be built. This does not happen for tasks made from
    /// PDDL.
    #[error(transparent)]
    Lifted(#[from] QueriesError),
}

/// The reason why a step or a query of a simulator or walker failed, or the enumeration of outcomes. The state is
/// unchanged. [`Walker::apply`](crate::Walker::apply), [`LiftedWalker::apply`](crate::LiftedWalker::apply) and the
/// functions that explain, sample or enumerate return it.
#[derive(Clone, PartialEq, Error, Debug)]
pub enum StepError {
    /// The action is not valid in a state of a ground task; the explanation names the failing conditions.
    #[error("{0}")]
    Invalid(ActionExplanation),
    /// The action is not valid in a state of a lifted task; the explanation names the failing conditions.
    #[error("{0}")]
    NotValid(Box<LiftedExplanation>),
    /// The operation exceeded the memory or time budget: a step or a state of a lifted task, or a determinization.
    #[error("{action}: {exhausted}")]
    Limit {
        /// The operation that exceeded the budget: the action, the initial or other state, or `the task`.
        action: String,
        /// The resource that ran out.
        #[source]
        exhausted: BudgetExhausted,
    },
    /// The conditions of an action hold, but an action that runs, or an end that comes next, forbids it now.
    #[error("{action} is not valid: {reason}")]
    NotNow {
        /// The action.
        action: String,
        /// Why not.
        reason: String,
    },
    /// The duration of a durative action is too long for the clock.
    #[error("{action} takes {time}, which is too long to be counted exactly")]
    TooLong {
        /// The action.
        action: String,
        /// Its duration, in the units of time of the domain.
        time: f64,
    },
    /// The lifted task has no action schema with this number.
    #[error("there is no action schema number {number}: the task has {schemas} schemas")]
    UnknownSchema {
        /// The unknown number.
        number: u32,
        /// The number of schemas of the task.
        schemas: usize,
    },
    /// An action of a lifted task has too few or too many arguments.
    #[error("`{schema}` takes {}, not {found}", counted(*.expected, "argument"))]
    Arity {
        /// The name of the schema.
        schema: String,
        /// The number of parameters of the schema.
        expected: usize,
        /// The number of arguments given.
        found: usize,
    },
    /// The lifted task has no object with this number.
    #[error("there is no object number {number}: the task has {objects} objects")]
    UnknownObject {
        /// The unknown number.
        number: u32,
        /// The number of objects of the task.
        objects: usize,
    },
    /// An argument of an action of a lifted task has the wrong type.
    #[error(transparent)]
    WrongType(Box<WrongType>),
    /// The ground task has no action with this number.
    #[error("there is no action number {number}: the task has {actions} actions")]
    UnknownAction {
        /// The unknown number.
        number: u32,
        /// The number of actions of the task.
        actions: usize,
    },
    /// An atom given to [`Simulator::state_from_atoms`](crate::Simulator::state_from_atoms) is no atom of the task,
    /// neither fluent nor derived.
    #[error("there is no fluent atom number {number}: the task has {fluents} fluent atoms")]
    UnknownAtom {
        /// The number of the atom.
        number: u32,
        /// The number of fluent atoms of the task.
        fluents: u32,
    },
    /// The state does not have the shape of this task's states, so it belongs to another task.
    #[error("the state belongs to another task")]
    ForeignState,
    /// A numeric effect reads or changes an undefined number.
    #[error("{action}: the effect on {effect} uses an undefined value")]
    UndefinedValue {
        /// The action in PDDL syntax, or `the initial state`.
        action: String,
        /// The numeric fluent that the effect assigns.
        effect: String,
    },
    /// A numeric effect divides by zero.
    #[error("{action}: the effect on {effect} divides by zero")]
    DivisionByZero {
        /// The action in PDDL syntax, or `the initial state`.
        action: String,
        /// The numeric fluent that the effect assigns.
        effect: String,
    },
    /// The result of a numeric effect is outside the range of 64-bit floating-point numbers.
    #[error("{action}: the effect on {effect} exceeds the range of 64-bit numbers")]
    Overflow {
        /// The action in PDDL syntax, or `the initial state`.
        action: String,
        /// The numeric fluent that the effect assigns.
        effect: String,
    },
    /// Several numeric effects of one action on the same number give different results in different orders.
    #[error("{action}: several effects on {effect} contradict each other")]
    ConflictingAssignments {
        /// The action in PDDL syntax, or `the initial state`.
        action: String,
        /// The numeric fluent that the effects assign.
        effect: String,
    },
    /// The action, or the initial state, has more combinations of draws than the limit allows. It can still be sampled.
    #[error("{action}: more than {limit} outcomes; sample them, or raise the limit")]
    TooManyOutcomes {
        /// The action in PDDL syntax, or `the initial state`.
        action: String,
        /// The limit, [`Options::outcome_limit`](crate::Options::outcome_limit).
        limit: usize,
    },
}

/// An argument that does not have the type of its parameter: the content of [`StepError::WrongType`] and
/// [`NameError::WrongType`]. [`find`](Self::find) makes one.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
#[error("{action}: {object} is not of type {expected}, the type of ?{parameter}")]
pub struct WrongType {
    /// The action in PDDL syntax.
    pub action: String,
    /// The name of the parameter.
    pub parameter: String,
    /// The object given as the argument.
    pub object: String,
    /// The types that the parameter allows, joined by `or`.
    pub expected: String,
}

impl WrongType {
    /// Returns the first of `arguments` that does not have the type of its parameter of `signature`; `None` if all fit.
    /// Missing arguments count as fitting, and surplus ones too.
    ///
    /// # Panics
    /// If an object is unknown.
    #[must_use]
    pub fn find(vocabulary: &Vocabulary, signature: &Signature, arguments: &[ObjectId]) -> Option<Self> {
        let mut given = signature.parameters.iter().zip(arguments);
        let ((parameter, types), &object) =
            given.find(|((_, types), object)| !vocabulary.fits(**object, types))?;
        let types = types.types().iter();
        let types: Vec<_> = types.map(|&id| vocabulary.type_of(id).name.as_str()).collect();
        Some(Self {
            action: vocabulary.term(&signature.name, arguments).to_string(),
            parameter: parameter.to_string(),
            object: vocabulary.object(object).to_owned(),
            expected: types.join(" or "),
        })
    }
}

impl StepError {
    #[cold]
    pub(crate) const fn limit(action: String, exhausted: BudgetExhausted) -> Self {
        Self::Limit { action, exhausted }
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
/// [`Simulator::parse_atom`](crate::Simulator::parse_atom),
/// [`Simulator::parse_action`](crate::Simulator::parse_action),
/// [`LiftedSimulator::parse_action`](crate::LiftedSimulator::parse_action) and [`NameError::of_action`] return it. An
/// atom or action that grounding found unreachable is among the reasons.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NameError {
    /// The text is empty, has unbalanced or nested parentheses, or text after them.
    #[error("`{text}` is not of the form (name argument …)")]
    Syntax {
        /// The text as given.
        text: String,
    },
    /// There is no predicate or action with this name.
    #[error("there is no {kind} `{name}`{}", did_you_mean(.suggestion.as_deref()))]
    UnknownHead {
        /// `predicate` or `action`.
        kind: &'static str,
        /// The unknown name.
        name: String,
        /// The most similar known name; `None` if none is similar.
        suggestion: Option<String>,
    },
    /// There is no object with this name.
    #[error("there is no object `{name}`{}", did_you_mean(.suggestion.as_deref()))]
    UnknownObject {
        /// The unknown name.
        name: String,
        /// The most similar known name; `None` if none is similar.
        suggestion: Option<String>,
    },
    /// The number of arguments is wrong.
    #[error("`{name}` takes {}, not {found}", counted(*.expected, "argument"))]
    Arity {
        /// The predicate or action.
        name: String,
        /// The number of parameters it has.
        expected: usize,
        /// The number of arguments given.
        found: usize,
    },
    /// An argument of the action has the wrong type.
    #[error(transparent)]
    WrongType(Box<WrongType>),
    /// The names are known, but the ground task has no such atom or action: the atom is static, it is false (or the action
    /// inapplicable) in every reachable state, or grounding dropped it because nothing reads it.
    #[error("{text} {}", if *.kind == "action" { "is valid in no reachable state" } else { "is static or unreachable" })]
    Unreachable {
        /// `atom` or `action`.
        kind: &'static str,
        /// The text as given.
        text: String,
    },
}
