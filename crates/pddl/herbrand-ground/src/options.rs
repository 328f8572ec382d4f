//! The options of grounding: limits and atoms to keep.

use herbrand_limits::Limits;

/// The options of grounding a problem, passed to [`ground`](crate::ground) and [`explain`](crate::explain()). By
/// default there are no limits, and all atoms are kept.
#[derive(Clone, Default, Debug)]
pub struct GroundOptions {
    /// The limits of memory and time, from the normal form of the domain on. [`ground_within`](crate::ground_within)
    /// ignores them. The memory includes the ground task. Without limits, only the operating system ends a run. No
    /// limits by default.
    pub limits: Limits,
    /// The atoms that the task keeps.
    pub atoms: KeptAtoms,
}

/// The choice of the reachable atoms that a ground task keeps: a value of [`GroundOptions::atoms`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum KeptAtoms {
    /// The default: all of them, so that observations include atoms that nothing depends on.
    #[default]
    All,
    /// Only atoms on which preconditions, effects or the goal depend:
    /// [`GroundTask::only_relevant`](crate::GroundTask::only_relevant). Runs have the same actions, draws, goals and
    /// rewards, but fewer and smaller states.
    Relevant,
}

impl GroundOptions {
    /// Returns options without limits: only the operating system ends a run. They equal the default.
    #[must_use]
    pub fn unlimited() -> Self {
        Self {
            limits: Limits::default(),
            atoms: KeptAtoms::All,
        }
    }
}
