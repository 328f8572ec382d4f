//! Errors of environments over PDDL problems.

mod planning;

use std::path::{Path, PathBuf};

use herbrand_core::{EpisodeFault, UnknownProblem};
use herbrand_ground::GroundError;
use herbrand_pddl::{Faults, LoadError};
use herbrand_step::CompileError;
use herbrand_text::did_you_mean;

use crate::action::TooManyActions;
use crate::action::ids::TooManyIds;
use crate::atoms::TooManyAtoms;
use crate::config::ConfigError;

pub use planning::PlanningError;

/// The reason why a suite, an environment or an observer could not be created, or an environment not be stepped.
#[derive(Debug, thiserror::Error)]
pub enum EnvError {
    /// The text of a domain or problem is faulty, or a visibility condition in the settings.
    #[error(transparent)]
    Faults(#[from] Faults),
    /// A problem could not be compiled, for example because grounding exceeds a limit
    /// ([`is_grounding_limit`](Self::is_grounding_limit)).
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The settings of a domain are faulty, or its action predicates.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A problem has too many agent actions to be numbered.
    #[error(transparent)]
    TooManyActions(#[from] TooManyActions),
    /// There are too many actions or atoms to be numbered over all problems of a suite.
    #[error(transparent)]
    TooManyIds(#[from] TooManyIds),
    /// A problem that is not grounded has too many atoms to be numbered.
    #[error(transparent)]
    TooManyAtoms(#[from] TooManyAtoms),
    /// The observation is only available for ground problems.
    /// [`ObservationMode::lifted_observer`](crate::ObservationMode::lifted_observer) returns it.
    #[error("observation `{observation}` needs the grounded engine")]
    NeedsGrounding {
        /// The name of the observation.
        observation: &'static str,
    },
    /// The problem is a ground task without schemas ([`Suite::from_ground`](crate::Suite::from_ground)).
    #[error("`{problem}` is a ground task, and {needs} needs schemas")]
    NeedsSchemas {
        /// The name of the problem.
        problem: String,
        /// The operation that needs schemas.
        needs: &'static str,
    },
    /// The problem has durative actions or timed literals.
    #[error("`{problem}` takes time, and {what} has no clock")]
    Time {
        /// The name of the problem.
        problem: String,
        /// The part of Herbrand without a clock.
        what: &'static str,
    },
    /// A state could not be drawn as a picture.
    #[cfg(feature = "png")]
    #[error(transparent)]
    Image(#[from] herbrand_render::ImageError),
    /// A step was refused, such as one with an invalid action.
    #[error(transparent)]
    Planning(#[from] PlanningError),
    /// An error common to all episodes: a step after the end or before a reset, a malformed row of a
    /// [`VecEnv`](crate::VecEnv), an empty set of problems, or in a rollout an infinite return or a spent budget.
    #[error(transparent)]
    Episode(#[from] EpisodeFault),
    /// There is no bundled domain of this name, or it has levels and the name selects none. `Registry` returns it.
    #[error("there is no domain `{name}`{}", did_you_mean(.suggestion.as_deref()))]
    UnknownDomain {
        /// The unknown name.
        name: String,
        /// The bundled domain with the most similar name; `None` if no name is similar.
        suggestion: Option<String>,
    },
    /// A suite has no problem of this name or position.
    #[error(transparent)]
    UnknownProblem(#[from] UnknownProblem),
    /// The bytes are not a snapshot of an environment over the suite.
    /// [`PlanningEnv::unpack`](crate::PlanningEnv::unpack) returns it.
    #[error("these bytes are not a snapshot of an environment over this suite")]
    NotASnapshot,
    /// A file or folder could not be read. [`Suite::from_path`](crate::Suite::from_path) and
    /// [`SuiteFiles::from_path`](crate::SuiteFiles::from_path) return it and the next three. Also made from a
    /// [`LoadError`].
    #[error("{}: {error}", .path.display())]
    File {
        /// The path of the file or folder.
        path: PathBuf,
        /// The cause.
        error: std::io::Error,
    },
    /// A folder contains several levels (subfolders of `levels`, each a suite of its own), where a single suite is
    /// required.
    #[error("{name} has several levels; choose one: {}", .levels.join(", "))]
    Levels {
        /// The folder.
        name: String,
        /// The names of the levels.
        levels: Vec<String>,
    },
    /// A folder contains no domain.
    #[error("{folder}: there is no `domain.pddl`")]
    NoDomain {
        /// The folder.
        folder: String,
    },
    /// A folder contains several domains.
    #[error("{folder} has {} domains: name the file of one ({})", .domains.len(), .domains.join(", "))]
    SeveralDomains {
        /// The folder.
        folder: String,
        /// The file names of the domains.
        domains: Vec<String>,
    },
    /// A trace records a single problem, but the suite has several or none.
    /// [`rollout_recorded`](crate::rollout_recorded) returns it.
    #[error("a trace needs exactly one problem; {suite} has {problems}")]
    NotOneProblem {
        /// The name of the suite.
        suite: String,
        /// The number of problems.
        problems: usize,
    },
    /// A step of a plan is neither an operator nor an agent action. [`plan_policy`](crate::plan_policy) returns it.
    #[error("line {line} of the plan: {action} is not an action, or no reachable state allows it")]
    PlanStep {
        /// The line, counted from 1.
        line: usize,
        /// The text of the step.
        action: String,
    },
    /// A step of a plan has the time of a step that it is not independent of. [`plan_policy`](crate::plan_policy) returns it.
    #[error("line {line} of the plan: {reason}")]
    SimultaneousSteps {
        /// The line, counted from 1.
        line: usize,
        /// How the steps depend on their order.
        reason: herbrand_step::OrderError,
    },
    /// A problem does not fit the bit-sliced engine, which [`EngineKind::Sliced`](crate::EngineKind::Sliced) asks for.
    #[error("problem `{problem}` cannot be stepped in blocks: {reason}")]
    Sliced {
        /// The name of the problem.
        problem: String,
        /// Why it does not fit.
        reason: herbrand_step::SlicedError,
    },
    /// The number of plans given to [`plan_policy`](crate::plan_policy) differs from the number of problems.
    #[error("{plans} plan(s) for {problems} problem(s)")]
    PlanCount {
        /// The number of plans.
        plans: usize,
        /// The number of problems.
        problems: usize,
    },
}

impl From<LoadError> for EnvError {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Io(unreadable) => Self::File {
                path: unreadable.path,
                error: unreadable.error,
            },
            LoadError::Faults(faults) => Self::Faults(faults),
        }
    }
}

impl EnvError {
    pub(crate) fn file(path: &Path, error: std::io::Error) -> Self {
        Self::File {
            path: path.to_owned(),
            error,
        }
    }

    /// Returns whether the error is that grounding a problem exceeded a limit. The lifted engine may then still step
    /// it. `true` also if the budget of the computation was cancelled or exhausted before the grounding; `false` for
    /// too many declared agent actions.
    #[must_use]
    pub fn is_grounding_limit(&self) -> bool {
        matches!(
            self,
            Self::Compile(CompileError::Ground(
                GroundError::Limit(_) | GroundError::BudgetExhausted(_)
            ))
        )
    }
}
