//! The option that chooses an engine.

use herbrand::env::EngineKind;

/// The engine that steps problems.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, clap::ValueEnum)]
pub enum EngineName {
    /// Grounded, in blocks where faster; lifted if grounding exceeds the limits
    #[default]
    Automatic,
    /// Grounds all actions first; steps one copy at a time
    Grounded,
    /// Grounds all actions first; random rollouts step blocks of up to 512 copies
    Sliced,
    /// Grounds nothing; joins the changed facts with ascent from step to step
    Lifted,
}

impl From<EngineName> for EngineKind {
    fn from(engine: EngineName) -> Self {
        match engine {
            EngineName::Automatic => Self::Automatic,
            EngineName::Grounded => Self::Grounded,
            EngineName::Sliced => Self::Sliced,
            EngineName::Lifted => Self::Lifted,
        }
    }
}
