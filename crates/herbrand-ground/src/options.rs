//! How to ground.

use herbrand_datalog::EvaluatorKind;
use herbrand_limits::Limits;

/// How to ground.
#[derive(Clone, Default, Debug)]
pub struct GroundOptions {
    /// How much memory and time grounding may take, from the domain's normal form on; memory includes what the ground
    /// task will take up. Without limits the operating system has the last word.
    pub limits: Limits,
    /// Which atoms the task keeps.
    pub atoms: KeptAtoms,
    /// Who evaluates the relaxed program. The task is the same.
    pub evaluator: EvaluatorKind,
}

/// Which atoms a ground task keeps of those that some state could make true.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum KeptAtoms {
    /// All: an observation shows what nothing depends on too.
    #[default]
    All,
    /// Those that preconditions, effects or the goal depend on: [`GroundTask::only_relevant`](crate::GroundTask::only_relevant).
    /// Walks have the same actions, draws, goals and rewards, in smaller and fewer states.
    Relevant,
}

impl GroundOptions {
    /// No limits: the operating system has the last word.
    #[must_use]
    pub fn unlimited() -> Self {
        Self {
            limits: Limits::default(),
            atoms: KeptAtoms::All,
            evaluator: EvaluatorKind::default(),
        }
    }
}
