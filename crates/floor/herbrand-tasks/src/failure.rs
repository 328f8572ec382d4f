//! The reasons why a task has no answer.

use std::error::Error;
use std::io;
use std::iter::successors;
use std::path::PathBuf;

use herbrand_collections::CollectionError;
use herbrand_core::TableError;
use herbrand_core::trace::{FileError, WalkError};
use herbrand_datalog::EvaluationError;
use herbrand_env::EnvError;
use herbrand_env::plan::PlanFormatError;
use herbrand_limits::BudgetExhausted;
use herbrand_pddlworld::WorldError;
use herbrand_plan::{ActionTableError, PlannerError, TaskError};
use herbrand_rddl_plan::exact::ExactPolicyError;
use herbrand_rddl_plan::planners::RddlPlannerError;
use herbrand_rddl_plan::space::RddlSpaceError;
use herbrand_rddl_sim::simulate::StepError;
use herbrand_rddl_sim::suite::RddlError;
use herbrand_sas::{SasCode, TranslateError};
use herbrand_text::{Faults, Unreadable};
use serde::Serialize;

use crate::any_error::{AnyError, ErrorKind};
use crate::schemas::SchemaGrounding;
use crate::word_error::WordError;

/// The reason why a task has no answer. [`kind`](Self::kind) returns the remedy.
#[derive(Debug, thiserror::Error)]
pub enum TaskFailure {
    /// A problem of any language is faulty, cannot be compiled or refused a step, or a text is no action.
    #[error(transparent)]
    Any(#[from] AnyError),
    /// Words name no problem.
    #[error(transparent)]
    Words(#[from] WordError),
    /// A file or folder cannot be read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// A file is too large for the memory limit.
    #[error("{exhausted} {}", .path.display())]
    Reading {
        /// The file.
        path: PathBuf,
        /// The limit.
        #[source]
        exhausted: BudgetExhausted,
    },
    /// The state space of a problem is incomplete.
    #[error("not all states were found: {0}")]
    Incomplete(String),
    /// The problems of a collection cannot be found.
    #[error(transparent)]
    Collection(#[from] CollectionError),
    /// The file of a trace cannot be read or written, or a line is faulty.
    #[error(transparent)]
    TraceFile(#[from] FileError),
    /// A trace cannot be followed.
    #[error(transparent)]
    Trace(Box<dyn Error + Send + Sync>),
    /// The problems are in a language that the task does not support.
    #[error("`{problems}` {is}, but {task} supports only {languages}")]
    Language {
        /// The name of the set of problems.
        problems: String,
        /// A predicate for the problems, such as "is in RDDL".
        is: &'static str,
        /// The task, or its option.
        task: String,
        /// The languages that the task supports.
        languages: &'static str,
    },
    /// The problems are not divided into training and test problems.
    #[error("`{problems}` {is} and has no {split} problems: leave --split out")]
    Split {
        /// The name of the set of problems.
        problems: String,
        /// A predicate for the problems, such as "is in RDDL".
        is: &'static str,
        /// The part that was asked for.
        split: herbrand_env::Split,
    },
    /// Problems have no observation of a name.
    #[error("{problems} {is}: --observe takes {modes}")]
    Observation {
        /// The name of the set of problems.
        problems: String,
        /// A predicate for the problems, such as "is in RDDL".
        is: &'static str,
        /// The names of their observations.
        modes: String,
    },
    /// A text is no name of an observation.
    #[error("{0}")]
    ObservationName(String),
    /// A set of problems has no observation as bits.
    #[error("{0} has fluents that are not Boolean: use --observe fluents")]
    NoBits(String),
    /// An option does not go with the rest of a request.
    #[error("--{option} {advice}")]
    Option {
        /// The name of the option.
        option: &'static str,
        /// The remedy, as the rest of the sentence.
        advice: String,
    },
    /// A task has no option of a name.
    #[error("{task} has no option `{name}`{advice}")]
    UnknownOption {
        /// The task.
        task: &'static str,
        /// The name.
        name: String,
        /// The name that was probably meant.
        advice: String,
    },
    /// A name is no planner for the language of the problem.
    #[error("--planner {name}{advice}")]
    Planner {
        /// The name.
        name: String,
        /// The known planners, or the name that was probably meant.
        advice: String,
    },
    /// A metric is not followed exactly, so that no optimum by it can be proven.
    #[error(
        "--optimal cannot prove an optimum by this metric: {0}; --planner astar-lmcut plans without a proof"
    )]
    Metric(String),
    /// Another program gave no valid plan.
    #[error(transparent)]
    External(#[from] PlannerError),
    /// The command of another program is faulty.
    #[cfg(feature = "external")]
    #[error(transparent)]
    Command(herbrand_plan::CommandError),
    /// A planner returned a plan that does not reach the goal.
    #[error("the planner returned a plan that does not reach the goal: this is a bug in the planner")]
    WrongPlan,
    /// A problem or its metric has no form as a finite-domain task, or the text of such a task is faulty.
    #[error(transparent)]
    Sas(Faults<SasCode>),
    /// A problem has no form as a finite-domain task.
    #[error(transparent)]
    Translate(TranslateError),
    /// A limit is reached.
    #[error("{0}")]
    Limit(#[from] BudgetExhausted),
    /// The joint actions of a problem in RDDL cannot be listed.
    #[error("{0}; use --planner cross-entropy, which needs no list of them")]
    Actions(TableError),
    /// A planner of RDDL cannot be made for a problem.
    #[error(transparent)]
    RddlPlanner(RddlPlannerError),
    /// A problem in RDDL has no finite state space.
    #[error("the problem has no finite state space: {0}")]
    NoSpace(#[source] RddlSpaceError),
    /// A problem is too large to be grounded.
    #[error("{error}")]
    TooManyActions {
        /// The limit.
        #[source]
        error: Box<EnvError>,
        /// The bounds of the schemas, which say why.
        bounds: Vec<SchemaGrounding>,
    },
    /// Options are not for RDDL. Contains them.
    #[error("{} {} for PDDL only", .0.join(" and "), if .0.len() == 1 { "is" } else { "are" })]
    OnlyPddl(Vec<&'static str>),
    /// A file would be too large. Contains the sentence.
    #[error("{0}")]
    TooLarge(String),
    /// A problem in RDDL has more states than the limits allow.
    #[error(
        "the problem has more states than half of --time and the memory allow: {found} were found; raise the limits, or use --planner {other}"
    )]
    TooManyStates {
        /// The number of states that were found.
        found: String,
        /// A planner that needs no list of the states.
        other: &'static str,
    },
    /// The result of a step has no value.
    #[error(
        "{0}\nhelp: exact takes all steps from all states, and needs the result of each: correct the formula, or exclude the step by an action precondition"
    )]
    Undefined(StepError),
    /// A problem in RDDL has no exact policy.
    #[error("{error}: use --planner {other}")]
    Exact {
        /// The reason.
        #[source]
        error: ExactPolicyError,
        /// A planner for such problems.
        other: &'static str,
    },
    /// The text of a plan is a policy.
    #[error("{0} is a policy, not a plan: `herbrand validate` evaluates it, and --policy follows it")]
    IsPolicy(String),
    /// A text is no policy.
    #[error("{0} is no policy: `herbrand plan --out` writes one, and --plan follows a plan")]
    NotPolicy(String),
    /// A text is no plan for a problem in PDDL.
    #[error(transparent)]
    Plan(#[from] PlanFormatError),
    /// A plan with times cannot be executed.
    #[error(transparent)]
    Timed(#[from] herbrand_oracle::OracleError),
    /// A text is no plan for a problem in RDDL.
    #[error(transparent)]
    Steps(#[from] herbrand_rddl_plan::plan::PlanTextError),
    /// An engine was asked for where there is only one.
    #[error("there is only one engine except for PDDL: leave --engine out")]
    Engine,
    /// The first episode of a rollout has a step that cannot be computed.
    #[error("{0}")]
    Episode(String),
    /// A text is no JSON of a policy or a query.
    #[error(transparent)]
    PolicyFile(#[from] serde_json::Error),
    /// A file is faulty.
    #[error("{name}: {failure}")]
    File {
        /// The name of the file.
        name: String,
        /// The fault.
        failure: Box<Self>,
    },
    /// A policy file has no policy.
    #[error("the policy has no network, no table and no actions")]
    EmptyPolicy,
    /// A policy file for PDDL does not fit the problem.
    #[error("the policy is for {problem} of {domain} and does not fit: {error}")]
    OtherProblem {
        /// The problem.
        problem: String,
        /// Its domain.
        domain: String,
        /// The reason.
        error: ActionTableError,
    },
    /// A policy file is for a problem with other fluents.
    #[error("the policy is for {problem} of {domain}, which has other fluents")]
    OtherFluents {
        /// The problem.
        problem: String,
        /// Its domain.
        domain: String,
    },
}

impl From<TaskError> for TaskFailure {
    fn from(error: TaskError) -> Self {
        match error {
            TaskError::Step(error) => EnvError::Planning(error.into()).into(),
            TaskError::BudgetExhausted(exhausted) => Self::Limit(exhausted),
        }
    }
}

/// The remedy for a failure. The exit status of the program follows from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FailureKind {
    /// Correct the texts or the request.
    Input,
    /// Raise a limit: one of time or memory ended the work before there was an answer.
    Limit,
    /// Mend the machine: a file, a disk or a network fails.
    System,
    /// Nothing: the caller cancelled the work.
    Interrupted,
}

impl FailureKind {
    /// Finds the kind of an error by the errors that are its [sources](Error::source): whether they are a limit, a
    /// cancellation, or an error of the operating system. All others are `Input`.
    #[must_use]
    pub fn of(error: &(dyn Error + 'static)) -> Self {
        if let Some(exhausted) = BudgetExhausted::behind(error) {
            return match exhausted {
                BudgetExhausted::Cancelled { .. } => Self::Interrupted,
                BudgetExhausted::Memory { .. } | BudgetExhausted::Time { .. } => Self::Limit,
            };
        }
        let own = |error: &(dyn Error + 'static)| match error.downcast_ref() {
            Some(EvaluationError::Memory { .. } | EvaluationError::Time { .. }) => Some(Self::Limit),
            _ => error.is::<io::Error>().then_some(Self::System),
        };
        let mut errors = successors(Some(error), |&error| error.source());
        errors.find_map(own).unwrap_or(Self::Input)
    }
}

impl From<io::Error> for TaskFailure {
    fn from(error: io::Error) -> Self {
        FileError::from(error).into()
    }
}

impl From<herbrand_env::trace::TraceError> for TaskFailure {
    fn from(error: herbrand_env::trace::TraceError) -> Self {
        use herbrand_env::trace::TraceError;
        match error {
            TraceError::Env(error) => error.into(),
            TraceError::File(error) => error.into(),
            error => Self::Trace(error.into()),
        }
    }
}

impl From<herbrand_rddl_sim::trace::TraceError> for TaskFailure {
    fn from(error: herbrand_rddl_sim::trace::TraceError) -> Self {
        use herbrand_rddl_sim::trace::TraceError;
        match error {
            TraceError::Env(error) => error.into(),
            TraceError::File(error) => error.into(),
            error => Self::Trace(error.into()),
        }
    }
}

impl From<WalkError<WorldError>> for TaskFailure {
    fn from(error: WalkError<WorldError>) -> Self {
        match error {
            WalkError::Problem(error) => error.into(),
            WalkError::File(error) => error.into(),
        }
    }
}

impl From<EnvError> for TaskFailure {
    fn from(error: EnvError) -> Self {
        Self::Any(error.into())
    }
}

impl From<RddlError> for TaskFailure {
    fn from(error: RddlError) -> Self {
        Self::Any(error.into())
    }
}

impl From<WorldError> for TaskFailure {
    fn from(error: WorldError) -> Self {
        Self::Any(error.into())
    }
}

impl TaskFailure {
    /// Returns the failure of an option that does not go with the rest of a request.
    pub(crate) fn option(option: &'static str, advice: &str) -> Self {
        let advice = advice.to_owned();
        Self::Option { option, advice }
    }

    /// Returns the failure with the name of the file whose text is faulty, where the failure itself does not tell it.
    #[must_use]
    pub fn in_file(self, name: &str) -> Self {
        match self {
            Self::Steps(_)
            | Self::PolicyFile(_)
            | Self::EmptyPolicy
            | Self::OtherFluents { .. }
            | Self::OtherProblem { .. } => Self::File {
                name: name.to_owned(),
                failure: Box::new(self),
            },
            failure => failure,
        }
    }

    /// Returns the failure in the words of fronts in which options are keywords: `t_norm` in place of `--t-norm`.
    #[must_use]
    pub fn with_keywords(&self) -> String {
        let word = |word: &str| match word.strip_prefix("--") {
            Some(option) => {
                let end = option.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
                let (name, rest) = option.split_at(end.unwrap_or(option.len()));
                format!("`{}`{rest}", name.replace('-', "_"))
            }
            None => word.to_owned(),
        };
        let text = self.to_string();
        text.split(' ').map(word).collect::<Vec<_>>().join(" ")
    }

    /// Returns the kind of the failure.
    #[must_use]
    pub fn kind(&self) -> FailureKind {
        match self {
            Self::TooManyStates { .. } | Self::Incomplete(_) => FailureKind::Limit,
            Self::File { failure, .. } => failure.kind(),
            other => FailureKind::of(other),
        }
    }
}

impl From<TaskFailure> for AnyError {
    fn from(failure: TaskFailure) -> Self {
        let kind = match failure.kind() {
            FailureKind::Limit | FailureKind::Interrupted => ErrorKind::Limit,
            FailureKind::Input | FailureKind::System => ErrorKind::Form,
        };
        match failure {
            TaskFailure::Any(error) => error,
            failure => Self::new(kind, failure.with_keywords()),
        }
    }
}
