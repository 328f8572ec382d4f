//! The first of some problems, opened in its language.

use herbrand_env::{EngineKind, Engines};
use herbrand_limits::Limits;

use crate::any::{self, AnyError, AnyProblem, ErrorKind, Internals, open};
use crate::failure::TaskFailure;
use crate::problems::AnyProblems;

impl AnyProblems {
    /// Opens the first problem. In PDDL, it is grounded.
    ///
    /// # Errors
    /// Fails if the problem is faulty.
    pub fn open(self) -> Result<Box<dyn AnyProblem>, AnyError> {
        match self {
            Self::Pddl(suite) => open(suite),
            Self::Rddl(suite) => open(suite),
            Self::World(worlds) => open(worlds),
        }
    }

    /// Opens the first problem, to be stepped by an engine: only PDDL has several.
    ///
    /// # Errors
    /// Fails if the problem is faulty, or the engine does not fit.
    pub fn open_on(self, engine: EngineKind) -> Result<Box<dyn AnyProblem>, TaskFailure> {
        self.takes_engine(engine)?;
        Ok(match self {
            Self::Pddl(suite) => match suite.on(engine)? {
                Engines::Grounded(suite) => open(suite),
                Engines::Lifted(suite) => open(suite),
            },
            other => other.open(),
        }?)
    }

    /// Returns the Datalog program of the first problem as text, with at most `listed` lines per section.
    ///
    /// # Errors
    /// Fails if the language does not compile to Datalog, or if a limit is reached.
    pub fn program(&self, listed: usize, limits: &Limits) -> Result<Internals, AnyError> {
        match self {
            Self::Pddl(suite) => any::pddl_program(suite, listed),
            Self::Rddl(suite) => any::rddl_program(suite, listed, limits),
            Self::World(_) => {
                let none = "this language has no Datalog program";
                Err(AnyError::new(ErrorKind::Lacking, none))
            }
        }
    }
}
