//! Agents and their evaluation.

use herbrand_core::{Agent, EvaluateOptions, Evaluation};
use herbrand_rddl_sim::simulate::{RddlSimulator, StepError, Values};

use super::StraightPlan;

/// An agent that searches for a straight-line plan in a state, and acts by the first step of a new one. It never gives
/// up.
pub trait StraightLinePlanner: Agent<RddlSimulator> {
    /// Searches for a plan from a state and returns the best one found.
    ///
    /// # Errors
    /// [`StepError::ForeignState`] if the state belongs to another problem. [`StepError::BudgetExhausted`] if an
    /// enclosing budget is cancelled; if its time is over, the best plan so far is returned.
    fn plan(&mut self, state: &Values) -> Result<StraightPlan, StepError>;
}

/// Makes a planner an agent that plans again in every state. It needs the field `episode` and the methods `plan`, `reset`,
/// `end_after` and `go_on`.
macro_rules! replans {
    ($Planner:ty) => {
        impl $crate::plan::Agent<RddlSimulator> for $Planner {
            /// Forgets the plans of the last episode.
            fn begin(&mut self) {
                self.episode.restart();
                self.reset();
            }

            /// Returns the first joint action of a plan from a state. The plan ends at the horizon, counted from the start of
            /// the episode. The results of the search are shifted by one step, for the next state.
            fn act(&mut self, state: &Values) -> Result<Option<Vec<Choice>>, StepError> {
                let step = self.episode.count();
                if step.begins {
                    self.reset();
                }
                self.end_after(step.left as usize);
                let plan = self.plan(state)?;
                self.go_on();
                Ok(plan.into_first())
            }
        }

        impl $crate::plan::StraightLinePlanner for $Planner {
            fn plan(&mut self, state: &Values) -> Result<StraightPlan, StepError> {
                Self::plan(self, state)
            }
        }
    };
}
pub(crate) use replans;

/// Runs an agent in episodes on a simulator, as [`herbrand_core::evaluate()`] does, with the discount factor of its
/// problem. Violated preconditions have the effect that the simulator has for them. A step that it refuses ends its
/// episode. So does one whose results cannot be computed, and the return is then -∞ ([`Evaluation::failures`]).
///
/// ```
/// use std::sync::Arc;
/// use herbrand_rddl_plan::plan::{EvaluateOptions, PlanOptions, SamplingPlanner, evaluate};
/// use herbrand_rddl_sim::suite::RddlSuite;
///
/// let suite = RddlSuite::bundled("rddl/mountain-car")?;
/// let options = PlanOptions { lookahead: Some(5), candidates: Some(8), iterations: Some(1), ..PlanOptions::default() };
/// let mut planner = SamplingPlanner::new(Arc::clone(suite.compiled(0)?), options);
/// let options = EvaluateOptions { steps: 4, episodes: 2, ..EvaluateOptions::default() };
/// let paid = evaluate(&mut suite.simulator(0)?, &mut planner, &options)?;
/// assert_eq!((paid.returns.len(), paid.first.len()), (2, 4));
/// # Ok::<(), herbrand_rddl_sim::suite::RddlError>(())
/// ```
///
/// # Errors
/// Fails like [`Agent::act`], and if an enclosing budget is exhausted.
pub fn evaluate(
    simulator: &mut RddlSimulator,
    agent: &mut (impl Agent<RddlSimulator> + ?Sized),
    options: &EvaluateOptions,
) -> Result<Evaluation, StepError> {
    let discount = simulator.compiled().instance.discount;
    let is_fatal = |error: &StepError| matches!(error, StepError::BudgetExhausted(_));
    herbrand_core::evaluate(simulator, agent, options, discount, is_fatal)
}
