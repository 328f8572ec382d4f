//! Sets of problems, in whatever language they are written.

use herbrand_core::{Catalogue as _, Problems as _};
use herbrand_env::{EngineKind, EnvError, EpisodeFault, Split, Suite};
use herbrand_pddlworld::Worlds;
use herbrand_rddl_sim::simulate::Preconditions;
use herbrand_rddl_sim::suite::RddlSuite;

use crate::failure::TaskFailure;

/// A set of problems of one domain, in any language. Clones share the problems.
#[derive(Clone, Debug)]
pub enum AnyProblems {
    /// Problems in PDDL.
    Pddl(Suite),
    /// Instances in RDDL.
    Rddl(RddlSuite),
    /// A domain under edit.
    World(Worlds),
}

impl AnyProblems {
    /// Returns the name of the set.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Pddl(suite) => suite.name(),
            Self::Rddl(suite) => suite.name(),
            Self::World(worlds) => worlds.name(),
        }
    }

    /// Returns the name of the set to show to people.
    #[must_use]
    pub fn title(&self) -> &str {
        match self {
            Self::Pddl(suite) => suite.title(),
            other => other.name(),
        }
    }

    /// Returns the effect of a violated action precondition; the default for other languages than RDDL.
    #[must_use]
    pub fn preconditions(&self) -> Preconditions {
        match self {
            Self::Rddl(suite) => suite.preconditions(),
            _ => Preconditions::default(),
        }
    }

    /// Returns a description of the domain in one sentence; empty if it has none.
    #[must_use]
    pub fn description(&self) -> &str {
        match self {
            Self::Pddl(suite) => &suite.config().description,
            _ => "",
        }
    }

    /// Returns the name of the problem at `index`; empty if the index is out of range.
    #[must_use]
    pub fn problem_name(&self, index: usize) -> String {
        let name = match self {
            Self::Pddl(suite) => herbrand_core::Problems::problem_name(suite, index),
            Self::Rddl(suite) => herbrand_core::Problems::problem_name(suite, index),
            Self::World(worlds) => worlds.problem_name(index),
        };
        name.unwrap_or_default()
    }

    /// Returns the name of the problem at `index` with its part of the set, such as `train/01`; empty if the index is out of
    /// range.
    #[must_use]
    pub fn full_problem_name(&self, index: usize) -> String {
        match self {
            Self::Pddl(suite) => suite.full_problem_name(index).unwrap_or_default(),
            other => other.problem_name(index),
        }
    }

    /// Returns the number of problems in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Pddl(suite) => suite.len(),
            Self::Rddl(suite) => suite.len(),
            Self::World(worlds) => worlds.len(),
        }
    }

    /// Returns whether the set has no problem.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the set of the problems that these names or positions select, in this order. The worlds of a domain under edit
    /// stay as they are.
    ///
    /// # Errors
    /// Fails if one of them matches no problem.
    pub fn select(&self, names: &[impl AsRef<str>]) -> Result<Self, TaskFailure> {
        let names = names.iter().map(AsRef::as_ref);
        Ok(match self {
            Self::Pddl(suite) => {
                let indices: Result<Vec<_>, _> = names.map(|name| suite.index_of(name)).collect();
                Self::Pddl(suite.select(&indices?)?)
            }
            Self::Rddl(suite) => {
                let indices: Result<Vec<_>, _> = names.map(|name| suite.index_of(name)).collect();
                Self::Rddl(suite.select(&indices?)?)
            }
            Self::World(worlds) => Self::World(worlds.clone()),
        })
    }

    /// Returns the set of the training or of the test problems.
    ///
    /// # Errors
    /// Fails if the set has no training and test problems.
    pub fn split(&self, split: Split) -> Result<Self, TaskFailure> {
        match self {
            Self::Pddl(suite) => Ok(Self::Pddl(suite.split(split))),
            other => Err(TaskFailure::Split {
                problems: other.name().to_owned(),
                is: other.is(),
                split,
            }),
        }
    }

    /// Returns the set that contains only the problem at `index`, from 0.
    ///
    /// # Errors
    /// Fails if the index is out of range.
    pub fn only(&self, index: usize) -> Result<Self, TaskFailure> {
        Ok(match self {
            Self::Pddl(suite) => Self::Pddl(suite.only(index)?),
            Self::Rddl(suite) => Self::Rddl(suite.only(index)?),
            Self::World(worlds) => Self::World(worlds.only(index)?),
        })
    }

    /// Returns the set that contains only the first problem.
    ///
    /// # Errors
    /// Fails if the set is empty.
    pub fn first(&self) -> Result<Self, TaskFailure> {
        match self {
            Self::Pddl(suite) if suite.is_empty() => Err(EnvError::from(EpisodeFault::NoProblems {
                problems: suite.name().to_owned(),
            })
            .into()),
            other => other.only(0),
        }
    }

    /// Returns the greatest horizon that the settings or the instances declare, as the maximum number of steps of an episode; 100
    /// for problems without one.
    #[must_use]
    pub fn longest(&self) -> u32 {
        const NO_HORIZON: u32 = 100;
        let of = |horizons: &mut dyn Iterator<Item = Option<u32>>| {
            let horizons = horizons.map(|horizon| horizon.unwrap_or(NO_HORIZON));
            horizons.max().unwrap_or(NO_HORIZON)
        };
        match self {
            Self::Pddl(suite) => suite.config().horizon.unwrap_or(NO_HORIZON),
            Self::Rddl(suite) => of(&mut (0..suite.len()).map(|index| suite.horizon(index))),
            Self::World(worlds) => of(&mut (0..worlds.len()).map(|index| worlds.horizon(index))),
        }
    }

    /// Checks that the problems can be stepped by an engine: only PDDL has several.
    ///
    /// # Errors
    /// Fails if they cannot.
    pub fn takes_engine(&self, engine: EngineKind) -> Result<(), TaskFailure> {
        match self {
            Self::Rddl(_) | Self::World(_) if engine != EngineKind::Automatic => Err(TaskFailure::Engine),
            _ => Ok(()),
        }
    }

    /// Returns the same problems with this effect of a violated action precondition, in RDDL.
    ///
    /// # Errors
    /// Fails if the set is in another language.
    pub fn with_preconditions(&self, effect: Preconditions) -> Result<Self, TaskFailure> {
        match self {
            Self::Rddl(suite) => Ok(Self::Rddl(suite.clone().with_preconditions(effect))),
            _ => Err(TaskFailure::option(
                "preconditions",
                "supports only RDDL: in PDDL, an action whose precondition does not hold is not valid",
            )),
        }
    }

    /// Returns whether random actions are exactly uniform over the valid ones. They are in PDDL, and in RDDL unless a
    /// precondition restricts reals or is too large.
    ///
    /// # Errors
    /// Fails if a problem cannot be compiled.
    pub fn samples_exactly(&self) -> Result<bool, TaskFailure> {
        let Self::Rddl(suite) = self else { return Ok(true) };
        for index in 0..suite.len() {
            if !suite.simulator(index)?.samples_exactly() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the suite of PDDL problems, for the task `what`, which supports only PDDL.
    ///
    /// # Errors
    /// Fails if the set is in another language.
    pub fn pddl(self, what: &str) -> Result<Suite, TaskFailure> {
        match self {
            Self::Pddl(suite) if !suite.is_ground() => Ok(suite),
            other => Err(other.unsupported(what, "PDDL")),
        }
    }

    /// Returns the failure of the task `what`, which supports only problems in `languages`.
    #[must_use]
    pub fn unsupported(&self, what: &str, languages: &'static str) -> TaskFailure {
        TaskFailure::Language {
            problems: self.name().to_owned(),
            is: self.is(),
            task: what.to_owned(),
            languages,
        }
    }

    /// Returns what the problems are: a verb with a noun.
    pub(crate) fn is(&self) -> &'static str {
        match self {
            Self::Pddl(suite) if suite.is_ground() => "is a finite-domain task",
            Self::Pddl(_) => "is in PDDL",
            Self::Rddl(_) => "is in RDDL",
            Self::World(_) => "is a domain under edit",
        }
    }
}
