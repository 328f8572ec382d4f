//! Comparison of agents with baselines: doing nothing, and random actions.

use herbrand_core::{Agent, Choice, EvaluateOptions, Evaluation, Random, Streams, System};
use herbrand_rddl_sim::simulate::{RddlSimulator, StepError, Values};

use super::agent::evaluate;

/// The returns of an agent and of two baselines, doing nothing and random actions, in episodes with the same random
/// numbers. Returned by [`compare`]. [`Evaluation::difference`] compares two of them.
#[derive(Clone, PartialEq, Debug)]
pub struct AgentComparison {
    /// The evaluation of the agent.
    pub agent: Evaluation,
    /// The evaluation of doing nothing in every step.
    pub nothing: Evaluation,
    /// The evaluation of random joint actions, sampled by [`System::sample`] of [`RddlSimulator`].
    pub random: Evaluation,
}

/// Evaluates an agent, doing nothing, and random actions on the same episodes, as [`evaluate`](fn@super::evaluate)
/// does.
///
/// ```
/// use std::sync::Arc;
/// use herbrand_rddl_plan::plan::{EvaluateOptions, FollowPlan, PlanOptions, SamplingPlanner, compare};
/// use herbrand_rddl_sim::suite::RddlSuite;
///
/// let suite = RddlSuite::bundled("rddl/elevators")?;
/// let compiled = suite.compiled(0)?;
/// let options = PlanOptions { lookahead: Some(5), candidates: Some(16), iterations: Some(2), ..PlanOptions::default() };
/// let plan = SamplingPlanner::new(Arc::clone(compiled), options).plan(compiled.initial())?;
/// let options = EvaluateOptions { steps: 5, episodes: 20, ..EvaluateOptions::default() };
/// let paid = compare(&mut suite.simulator(0)?, &mut FollowPlan::new(plan.steps), &options)?;
/// let (gain, error) = paid.agent.difference(&paid.nothing);
/// println!("{gain} ± {error} more than doing nothing");
/// # Ok::<(), herbrand_rddl_sim::suite::RddlError>(())
/// ```
///
/// # Errors
/// Fails like [`evaluate`](fn@super::evaluate).
pub fn compare(
    simulator: &mut RddlSimulator,
    agent: &mut (impl Agent<RddlSimulator> + ?Sized),
    options: &EvaluateOptions,
) -> Result<AgentComparison, StepError> {
    let agent = evaluate(simulator, agent, options)?;
    compare_evaluated(simulator, agent, options)
}

/// Compares an agent that was evaluated with these options, perhaps in fewer episodes, with doing nothing and random
/// actions in the same episodes.
///
/// # Errors
/// Fails like [`evaluate`](fn@super::evaluate).
pub fn compare_evaluated(
    simulator: &mut RddlSimulator,
    agent: Evaluation,
    options: &EvaluateOptions,
) -> Result<AgentComparison, StepError> {
    let options = &EvaluateOptions {
        episodes: agent.returns.len() as u32,
        ..*options
    };
    let mut random = RandomAgent {
        simulator: simulator.clone(),
        next: options.seed,
        random: Random::new(options.seed),
    };
    Ok(AgentComparison {
        agent,
        nothing: evaluate(simulator, &mut FollowPlan::new(Vec::new()), options)?,
        random: evaluate(simulator, &mut random, options)?,
    })
}

/// An agent that follows a plan regardless of the states. After the end of the plan it does nothing. Each episode
/// begins with the first step. [`evaluate`](fn@super::evaluate) and [`compare`] run it.
#[derive(Clone, Debug)]
pub struct FollowPlan {
    steps: Vec<Vec<Choice>>,
    /// The number of steps taken in the current episode.
    elapsed: usize,
}

impl FollowPlan {
    /// Creates an agent from a plan with one entry per step: the action fluents to set and their values. All other
    /// action fluents have their defaults. The values are not checked here; [`evaluate`] ends an episode at a step that
    /// the simulator refuses.
    #[must_use]
    pub const fn new(steps: Vec<Vec<Choice>>) -> Self {
        Self { steps, elapsed: 0 }
    }
}

impl Agent<RddlSimulator> for FollowPlan {
    fn begin(&mut self) {
        self.elapsed = 0;
    }

    fn act(&mut self, _: &Values) -> Result<Option<Vec<Choice>>, StepError> {
        let joint = self.steps.get(self.elapsed).cloned().unwrap_or_default();
        self.elapsed += 1;
        Ok(Some(joint))
    }
}

/// Takes the random joint actions of an environment with the seed of the episode.
struct RandomAgent {
    simulator: RddlSimulator,
    /// The seed of the next episode.
    next: u64,
    random: Random,
}

impl Agent<RddlSimulator> for RandomAgent {
    fn begin(&mut self) {
        self.random = Streams::new(self.next).actions;
        self.next = self.next.wrapping_add(1);
    }

    fn act(&mut self, state: &Values) -> Result<Option<Vec<Choice>>, StepError> {
        self.simulator.go_to(state)?;
        let mut joint = Vec::new();
        self.simulator.sample(&mut self.random, &mut joint);
        Ok(Some(joint))
    }
}
