//! Options of the simulators of ground and lifted tasks.

use herbrand_limits::Limits;

/// Options of a [`Simulator`](crate::Simulator) or [`LiftedSimulator`](crate::LiftedSimulator). Pass it to
/// [`Simulator::with_options`](crate::Simulator::with_options) or
/// [`LiftedSimulator::with_options`](crate::LiftedSimulator::with_options).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// The largest number of combinations of draws, per action or for the initial state, that
    /// [`Simulator::outcomes`](crate::Simulator::outcomes) and its like enumerate; 65,536 by default. With more, they
    /// fail.
    pub outcome_limit: usize,
    /// How walkers of ground tasks maintain the valid actions; [`Matching::Automatic`] by default. Lifted tasks ignore it.
    pub matching: Matching,
    /// How chance is resolved; [`Chance::Drawn`] by default.
    pub chance: Chance,
    /// Which derived atoms walkers of ground tasks maintain; [`Derived::Needed`] by default. Lifted tasks ignore it and
    /// maintain all.
    pub derived: Derived,
    /// The limits of a lifted walker. The byte limit covers its state with everything derived from it, and the effects of
    /// one action; the time limit covers one step. The default is one gibibyte and no time limit. Ground tasks ignore it:
    /// their memory was limited during grounding.
    pub step: Limits,
}

/// Which derived atoms walkers maintain from step to step. All atoms can be queried in either case. A field of
/// [`Options`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Derived {
    /// The default: only atoms that some action or the goal depends on. The first query of another atom in a state
    /// recomputes all derived atoms.
    #[default]
    Needed,
    /// All atoms: for callers that inspect every state.
    All,
}

/// How the probabilistic effects of an action, or of the initial state, are resolved. A field of [`Options`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Chance {
    /// The default: outcomes are drawn with their probabilities.
    #[default]
    Drawn,
    /// Every draw takes its most likely alternative (the first on ties), so each action has exactly one outcome. If no
    /// change is likelier than every alternative, the draw has no effect. Nothing is taken from the random generator.
    MostLikely,
}

/// How walkers of ground tasks maintain the valid actions from step to step. It affects neither the answers nor the
/// draws. A field of [`Options`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Matching {
    /// The default: the method that is estimated to be faster for the task.
    #[default]
    Automatic,
    /// Counts the unsatisfied literals of each precondition, 64 preconditions at a time.
    Counting,
    /// Watches one unsatisfied literal of each invalid action: for large tasks in which many actions share preconditions.
    Watching,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            outcome_limit: 65_536,
            matching: Matching::Automatic,
            chance: Chance::Drawn,
            derived: Derived::Needed,
            step: Limits {
                bytes: Some(1 << 30),
                time: None,
            },
        }
    }
}
