//! The option that chooses what steps problems.

use herbrand::env::EngineKind;

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
