//! The engines that step planning problems.

/// The engine that steps planning problems, for [`Suite::on`](crate::Suite::on). The engines differ in speed and
/// memory only: all have the same valid actions and make the same random draws. Ids of actions and atoms may differ
/// unless the suite shares ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EngineKind {
    /// The default: the grounded engine, with blocks of copies where they are expected to be faster, or the lifted one
    /// for the whole suite if grounding one of its problems exceeds the limits of
    /// [`Suite::with_limits`](crate::Suite::with_limits).
    #[default]
    Automatic,
    /// Grounds all actions beforehand and updates the valid ones incrementally. The fastest engine for a single environment. A
    /// problem that exceeds the limits fails when it is first used.
    Grounded,
    /// The grounded engine, and for the episodes of a random policy and for a [`VecEnv`](crate::VecEnv) that observes bits of
    /// the state, blocks of up to 512 copies of a problem that are stepped together, one bit per copy
    /// ([`SlicedWalker`](herbrand_step::SlicedWalker)). A suite with a problem that does not fit is refused.
    /// [`Automatic`](Self::Automatic) makes blocks where they are expected to be faster.
    Sliced,
    /// Grounds nothing and updates the valid actions by an `ascent` program, which joins the changed facts with the facts
    /// that hold ([`LiftedWalker`](herbrand_step::LiftedWalker)).
    Lifted,
}
