//! The result of a step.

/// The result of a step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Transition {
    /// The reward.
    pub reward: f64,
    /// Whether the goal holds in the new state.
    pub goal: bool,
    /// The probability of the draws made; 1 without chance. The total probability of the new state may be higher, as other
    /// draws may lead to it too.
    pub probability: f64,
}
