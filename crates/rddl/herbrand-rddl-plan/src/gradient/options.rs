//! The options of the planner of straight-line plans.

use std::time::Duration;

use crate::plan::{BYTES, Risk};

/// The options of a [`GradientPlanner`](super::GradientPlanner). By default 8 candidates, 4 scenarios, 200 iterations without a time limit, rate
/// 0.1, sharpness from 1 to 10, restarts after 100 ascent steps, not enforced, the mean as objective, seed 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GradientOptions {
    /// The number of steps of a plan. `None` means the horizon, or 100 if that is infinite.
    pub lookahead: Option<u32>,
    /// The number of plans that are improved in parallel, from different starting points. 0 counts as 1.
    pub candidates: usize,
    /// The number of random scenarios over which the gradient of each plan is averaged. 0 counts as 1. If the problem
    /// seems deterministic, one is used.
    pub scenarios: usize,
    /// The maximum number of ascent steps. 0 counts as 1.
    pub iterations: u32,
    /// The time limit of the ascent; `None` for no limit. The first ascent step and the final comparison of the best
    /// plans are not limited by it.
    pub time: Option<Duration>,
    /// The maximum size of the plans and of the relaxed roll-outs in bytes: a search that needs more fails with
    /// [`StepError::BudgetExhausted`](herbrand_rddl_sim::simulate::StepError::BudgetExhausted).
    pub bytes: u64,
    /// The learning rate. Numbers with two bounds are scaled to −1 … 1. With several plans, each plan has its own rate,
    /// spaced geometrically from 0.01 to 10 times this, because the best rate depends on the problem.
    pub rate: f64,
    /// The sharpness of relaxed steps, greater than 0. The larger it is, the closer they are to real steps, and the
    /// steeper. For a comparison it is divided by the mean distance of the compared numbers in the first roll-outs.
    pub sharpness: f64,
    /// The sharpness of the first ascent step, greater than 0; it goes geometrically to [`sharpness`](Self::sharpness)
    /// over three quarters of the iterations or of the time. Blunt steps have gradients far from a threshold. Every
    /// second plan goes from [`sharpness`](Self::sharpness) to ten times that instead, because blunt steps are wrong
    /// about long roll-outs. `None` means the same sharpness in all steps.
    pub first_sharpness: Option<f64>,
    /// The number of ascent steps without a better plan after which half of the plans start again: from random points,
    /// and near the best plan so far. `None` means that all plans go on.
    pub patience: Option<u32>,
    /// Whether a plan ends at a step that violates an action precondition. Plans that do so rank last, as do plans that break
    /// a state invariant. If not, the step is taken in spite of the violation.
    pub enforced: bool,
    /// The objective that is maximised, over the scenarios.
    pub risk: Risk,
    /// The seed of all random numbers.
    pub seed: u64,
}

impl Default for GradientOptions {
    /// Eight plans on four scenarios each, 200 ascent steps, sharpness from 1 to 10.
    fn default() -> Self {
        Self {
            lookahead: None,
            candidates: 8,
            scenarios: 4,
            iterations: 200,
            time: None,
            bytes: BYTES,
            rate: 0.1,
            sharpness: 10.0,
            first_sharpness: Some(1.0),
            patience: Some(100),
            enforced: false,
            risk: Risk::Neutral,
            seed: 0,
        }
    }
}
