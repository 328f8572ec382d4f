//! The result of a step of a ground or lifted task.

/// The result of a step: its reward, whether it reached the goal, and the probability of its draws.
/// [`Walker::apply`](crate::Walker::apply) and [`LiftedWalker::apply`](crate::LiftedWalker::apply) return it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StepResult {
    /// The reward of the step. If the task has a reward fluent or a goal reward, it is the change of the former plus
    /// the latter for entering the goal. Otherwise it is 1 for entering the goal and 0 for any other step. A step
    /// enters the goal if the goal holds after it but not before.
    pub reward: f64,
    /// Whether the goal holds in the new state.
    pub goal: bool,
    /// The probability of the draws made in this step; 1 if the action has no chance, or with
    /// [`Chance::MostLikely`](crate::Chance::MostLikely). Other draws may lead to the same state, so the total
    /// probability of reaching it may be higher.
    pub probability: f64,
}
