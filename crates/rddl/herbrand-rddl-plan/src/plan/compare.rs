//! Comparison of agents with baselines: doing nothing, and random actions.

use std::sync::Arc;

use herbrand_core::{Choice, Random, System};
use herbrand_rddl_sim::simulate::{CompiledInstance, RddlSimulator, StepError, Values};

use super::agent::{Agent, EvaluateOptions, Evaluation, evaluate};

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
/// let options = PlanOptions { lookahead: Some(5), candidates: 16, iterations: 2, ..PlanOptions::default() };
/// let plan = SamplingPlanner::new(Arc::clone(compiled), options).plan(compiled.initial())?;
/// let mut agent = FollowPlan::new(Arc::clone(compiled), plan.steps);
/// let paid = compare(&mut agent, EvaluateOptions { steps: 5, episodes: 20, ..EvaluateOptions::default() })?;
/// let (gain, error) = paid.agent.difference(&paid.nothing);
/// println!("{gain} ± {error} more than doing nothing");
/// # Ok::<(), herbrand_rddl_sim::suite::RddlError>(())
/// ```
///
/// # Errors
/// Fails like [`evaluate`](fn@super::evaluate).
pub fn compare(agent: &mut dyn Agent, options: EvaluateOptions) -> Result<AgentComparison, StepError> {
    let compiled = Arc::clone(agent.compiled());
    let mut random = RandomAgent {
        simulator: RddlSimulator::new(Arc::clone(&compiled), options.preconditions),
        seed: options.seed,
        episodes: 0,
        random: Random::new(options.seed),
    };
    Ok(AgentComparison {
        agent: evaluate(agent, options)?,
        nothing: evaluate(&mut FollowPlan::new(compiled, Vec::new()), options)?,
        random: evaluate(&mut random, options)?,
    })
}

/// An agent that follows a plan regardless of the states. After the end of the plan it does nothing. Each episode
/// begins with the first step. [`evaluate`](fn@super::evaluate) and [`compare`] run it.
#[derive(Clone, Debug)]
pub struct FollowPlan {
    compiled: Arc<CompiledInstance>,
    steps: Vec<Vec<Choice>>,
    /// The number of steps taken in the current episode.
    elapsed: usize,
}

impl FollowPlan {
    /// Creates an agent for `compiled` from a plan with one entry per step: the action fluents to set and their values.
    /// All other action fluents have their defaults. The values are not checked here;
    /// [`evaluate`] ends an episode at a step that the simulator refuses.
    #[must_use]
    pub const fn new(compiled: Arc<CompiledInstance>, steps: Vec<Vec<Choice>>) -> Self {
        Self {
            compiled,
            steps,
            elapsed: 0,
        }
    }
}

impl Agent for FollowPlan {
    fn compiled(&self) -> &Arc<CompiledInstance> {
        &self.compiled
    }

    fn begin(&mut self) {
        self.elapsed = 0;
    }

    fn act(&mut self, _: &Values) -> Result<Vec<Choice>, StepError> {
        let joint = self.steps.get(self.elapsed).cloned().unwrap_or_default();
        self.elapsed += 1;
        Ok(joint)
    }
}

/// Takes random joint actions, which depend on the seed and the number of the episode.
struct RandomAgent {
    simulator: RddlSimulator,
    seed: u64,
    episodes: u64,
    random: Random,
}

impl Agent for RandomAgent {
    fn compiled(&self) -> &Arc<CompiledInstance> {
        self.simulator.compiled()
    }

    fn begin(&mut self) {
        self.random = Random::new(self.seed).stream(self.episodes);
        self.episodes += 1;
    }

    fn act(&mut self, state: &Values) -> Result<Vec<Choice>, StepError> {
        self.simulator.go_to(state)?;
        let mut joint = Vec::new();
        self.simulator.sample(&mut self.random, &mut joint);
        Ok(joint)
    }
}
