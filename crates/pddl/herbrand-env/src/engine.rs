//! The engines that step planning problems.

/// The engine that steps planning problems, for [`Suite::on`](crate::Suite::on). The engines differ in speed and memory
/// only: all have the same valid actions and make the same random draws.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EngineKind {
    /// The grounded engine, or the lifted one if grounding exceeds its limits.
    #[default]
    Automatic,
    /// Grounds all actions beforehand and updates the valid ones incrementally. The fastest engine.
    Grounded,
    /// Grounds nothing and updates the valid actions by incremental views
    /// ([`Maintenance::Incremental`](herbrand_step::Maintenance::Incremental)).
    Lifted,
    /// Grounds nothing and evaluates the domain's Datalog program with `ascent` in every state
    /// ([`Maintenance::FromScratch`](herbrand_step::Maintenance::FromScratch)). The reference engine.
    Datalog,
}
