//! Which engine steps planning problems.

/// Which engine steps planning problems. All have the same valid actions and make the same draws.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EngineKind {
    /// Grounded, or lifted where grounding crosses its limits.
    #[default]
    Automatic,
    /// All actions are grounded beforehand, and the valid ones kept from step to step: the fastest.
    Grounded,
    /// Nothing is grounded; the valid actions are kept from step to step by views
    /// ([`Maintenance::Incremental`](herbrand_step::Maintenance::Incremental)).
    Lifted,
    /// Nothing is grounded; `ascent` evaluates the domain's Datalog program for every state
    /// ([`Maintenance::FromScratch`](herbrand_step::Maintenance::FromScratch)): the reference.
    Datalog,
}
