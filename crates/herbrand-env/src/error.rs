//! What can go wrong with environments.

use std::path::{Path, PathBuf};

use herbrand_core::EpisodeFault;
use herbrand_ground::GroundError;
use herbrand_pddl::Faults;
use herbrand_step::CompileError;
use herbrand_text::did_you_mean;

use crate::{ConfigError, PlanningError, TooManyActions, TooManyAtoms, TooManyIds};

/// Why an environment could not be made or stepped.
#[derive(Debug, thiserror::Error)]
pub enum EnvError {
    /// A domain or problem text is at fault.
    #[error(transparent)]
    Faults(#[from] Faults),
    /// A problem could not be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The settings of a domain are at fault.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The agent has too many actions.
    #[error(transparent)]
    TooManyActions(#[from] TooManyActions),
    /// The problems of a suite cannot be numbered together.
    #[error(transparent)]
    TooManyIds(#[from] TooManyIds),
    /// A problem that is not grounded has too many atoms to number.
    #[error(transparent)]
    TooManyAtoms(#[from] TooManyAtoms),
    /// An observation is known for ground problems alone.
    #[error("observation `{observation}` needs the grounded engine")]
    NeedsGrounding {
        /// The name of the observation.
        observation: &'static str,
    },
    /// A state could not be drawn.
    #[cfg(feature = "png")]
    #[error(transparent)]
    Image(#[from] herbrand_render::ImageError),
    /// A step was refused.
    #[error(transparent)]
    Planning(#[from] PlanningError),
    /// What any episode refuses: a step after its end or before a reset, what is no action, a set without a problem.
    #[error(transparent)]
    Episode(#[from] EpisodeFault),
    /// No bundled domain has this name.
    #[error("there is no domain `{name}`{}", did_you_mean(.suggestion.as_deref()))]
    UnknownDomain {
        /// The name.
        name: String,
        /// The bundled domain of the nearest name.
        suggestion: Option<String>,
    },
    /// No problem of a suite has this name or place.
    #[error(
        "{suite} has no problem `{name}` among its {problems}{}{}",
        within(.range),
        did_you_mean(.suggestion.as_deref())
    )]
    UnknownProblem {
        /// The suite.
        suite: String,
        /// The name or place.
        name: String,
        /// How many problems there are.
        problems: usize,
        /// The names of the first and the last of them, such as `train/01 to test/10`; empty when there is none.
        range: String,
        /// The problem of the nearest name.
        suggestion: Option<String>,
    },
    /// Bytes are not a snapshot of an environment over the suite.
    #[error("these bytes are not a snapshot of an environment over this suite")]
    NotASnapshot,
    /// A file or folder cannot be read.
    #[error("{}: {error}", .path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A folder has levels, and one suite was asked for.
    #[error("{name} has several levels; choose one: {}", .levels.join(", "))]
    Levels {
        /// The folder.
        name: String,
        /// The names of the suites.
        levels: Vec<String>,
    },
    /// A folder holds no domain.
    #[error("{folder}: there is no `domain.pddl`")]
    NoDomain {
        /// The folder.
        folder: String,
    },
    /// A folder holds several domains beside each other.
    #[error("{folder} has {} domains: name the file of one ({})", .domains.len(), .domains.join(", "))]
    SeveralDomains {
        /// The folder.
        folder: String,
        /// The files of the domains.
        domains: Vec<String>,
    },
    /// What is recorded is one problem.
    #[error("a trace needs exactly one problem; {suite} has {problems}")]
    NotOneProblem {
        /// The suite.
        suite: String,
        /// How many problems it has.
        problems: usize,
    },
    /// A trace cannot be written.
    #[error("the trace cannot be written: {0}")]
    Recording(std::io::Error),
    /// A step of a plan is neither an operator nor an action of the agent.
    #[error("line {line} of the plan: {action} is not an action, or no reachable state allows it")]
    PlanStep {
        /// The line, from 1.
        line: usize,
        /// The step.
        action: String,
    },
    /// There must be one plan for each problem.
    #[error("{plans} plan(s) for {problems} problem(s)")]
    PlanCount {
        /// How many plans there are.
        plans: usize,
        /// How many problems there are.
        problems: usize,
    },
}

/// Where the problems begin and end, in parentheses.
fn within(range: &str) -> String {
    match range {
        "" => String::new(),
        range => format!(" ({range})"),
    }
}

impl EnvError {
    pub(crate) fn file(path: &Path, error: std::io::Error) -> Self {
        Self::File {
            path: path.to_owned(),
            error,
        }
    }

    /// Whether a problem has crossed a limit of grounding.
    #[must_use]
    pub fn is_grounding_limit(&self) -> bool {
        matches!(
            self,
            Self::Compile(CompileError::Ground(
                GroundError::Limit(_) | GroundError::Spent(_)
            ))
        )
    }
}
