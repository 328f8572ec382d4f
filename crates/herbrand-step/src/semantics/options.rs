//! What can be set about a simulator.

use herbrand_datalog::EvaluatorKind;
use herbrand_limits::Limits;

/// What can be set about a simulator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// The largest number of combinations of chance that [`Simulator::outcomes`](crate::Simulator::outcomes) enumerates for one action.
    pub outcome_limit: usize,
    /// How walkers keep the valid actions.
    pub matching: Matching,
    /// How chance is resolved.
    pub chance: Chance,
    /// Which derived atoms walkers keep.
    pub derived: Derived,
    /// What a lifted walker may use: the bytes are those of its state with all that follows from it and of the effects of
    /// one action, the time is that of one step. A gibibyte, unless set; what belongs to a ground task was made within the
    /// limits of grounding.
    pub step: Limits,
    /// Who evaluates the program of a lifted walker that has it [evaluated](crate::Maintenance::FromScratch) for every state. The
    /// answers are the same.
    pub evaluator: EvaluatorKind,
}

/// Which derived atoms walkers keep from step to step. All can be asked for in any case.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Derived {
    /// Those that some action or the goal depends on: the first question about another one in a state computes all anew.
    #[default]
    Needed,
    /// All of them: for walks that look at every state.
    All,
}

/// How chance is resolved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Chance {
    /// Outcomes are drawn with their probabilities.
    #[default]
    Drawn,
    /// Every draw takes its most likely alternative (the first on ties), so each action has exactly one outcome.
    MostLikely,
}

/// How walkers keep the valid actions from step to step. The answers are the same, and so are the draws.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Matching {
    /// The way that promises to be quicker for the task.
    #[default]
    Automatic,
    /// By counting, for 64 actions at a time, what each lacks.
    Counting,
    /// By watching, for each invalid action, one thing that it lacks: for large tasks in which many actions need the
    /// same things.
    Watching,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            outcome_limit: 65_536,
            matching: Matching::Automatic,
            chance: Chance::Drawn,
            derived: Derived::Needed,
            evaluator: EvaluatorKind::default(),
            step: Limits {
                bytes: Some(1 << 30),
                time: None,
            },
        }
    }
}
