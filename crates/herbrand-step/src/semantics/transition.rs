//! What a step comes to.

/// What a step gives back.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Transition {
    /// The reward.
    pub reward: f64,
    /// Whether the goal holds in the new state.
    pub goal: bool,
    /// The probability of the draws that were made; 1 without chance. Other draws may lead to the same state.
    pub probability: f64,
}
