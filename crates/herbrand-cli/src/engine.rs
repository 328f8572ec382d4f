//! The option that chooses what steps problems.

use herbrand::env::{EngineKind, Suite};
use herbrand::step::Upkeep;

use crate::failure::Failure;

/// What steps problems.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, clap::ValueEnum)]
pub enum EngineName {
    /// Grounded, or lifted where grounding crosses its limits
    #[default]
    Automatic,
    /// All actions grounded beforehand: the fastest
    Grounded,
    /// Nothing grounded; what follows from a state is kept from step to step
    Lifted,
    /// Nothing grounded; ascent evaluates the Datalog program for every state
    Datalog,
}

impl From<EngineName> for EngineKind {
    fn from(engine: EngineName) -> Self {
        match engine {
            EngineName::Automatic => Self::Automatic,
            EngineName::Grounded => Self::Grounded,
            EngineName::Lifted => Self::Lifted,
            EngineName::Datalog => Self::Datalog,
        }
    }
}

impl EngineName {
    /// How a lifted engine keeps up with the states of the one problem of `suite`; `None` for the grounded engine.
    ///
    /// # Errors
    /// When the problem is at fault.
    pub fn upkeep(self, suite: &Suite) -> Result<Option<Upkeep>, Failure> {
        match self {
            Self::Grounded => Ok(None),
            Self::Lifted => Ok(Some(Upkeep::Kept)),
            Self::Datalog => Ok(Some(Upkeep::Evaluated)),
            Self::Automatic => match suite.instance(0) {
                Ok(_) => Ok(None),
                Err(error) if error.is_grounding_limit() => Ok(Some(Upkeep::Kept)),
                Err(error) => Err(error.into()),
            },
        }
    }
}
