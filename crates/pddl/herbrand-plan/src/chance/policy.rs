//! Policies and their values.

use herbrand_core::{Random, uniform_unit};
use herbrand_ground::ActionId;
use herbrand_limits::Budget;
use herbrand_step::State;

use super::task::ProbabilisticTask;
use crate::task::TaskError;

/// A policy: it chooses an action for each state of a probabilistic task. Created by
/// [`PolicyKind::policy`](super::PolicyKind::policy). It is deterministic: the same sequence of queries gives the same
/// actions, unless [`PolicyOptions::decision`](super::PolicyOptions::decision) limits are reached.
pub trait Policy: Send {
    /// Returns the action to take in a state of [`ProbabilisticTask::simulator`]; `None` if the policy gives up, or if
    /// there is nothing to do, as in a goal state or a dead end. Policy iteration returns `None` also in states that no
    /// policy reaches from the start states, and LAO* in states that it did not explore, which its own policy never
    /// reaches. An action that is returned is meant for the simulator's [`apply`](herbrand_step::Walker::apply).
    ///
    /// # Errors
    /// Fails if the state belongs to another task, or, for a policy that plans while it acts, if the budget given to
    /// [`PolicyKind::policy`](super::PolicyKind::policy) is cancelled.
    fn act(&mut self, state: &State) -> Result<Option<ActionId>, TaskError>;

    /// Returns the value of the policy from the start states; `None` if the policy plans while it acts and does not
    /// know it. [`evaluate`](fn@super::evaluate) computes it for such a policy.
    fn value(&self) -> Option<PolicyValue>;
}

/// The value of a policy from the start states of its task. [`Policy::value`] and [`evaluate`](fn@super::evaluate)
/// return it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PolicyValue {
    /// The probability of ever reaching the goal, from 0 to 1.
    pub goal_probability: f64,
    /// The expected cost of the runs that reach the goal, in terms of the metric
    /// ([`StepCosts::value`](crate::StepCosts::value)); `None` if no run does.
    pub cost: Option<f64>,
    /// Whether the policy is proven optimal: no policy has a higher probability, and none with this probability has a
    /// lower cost, up to rounding. Always `false` if the costs are not [exact](crate::StepCosts::is_exact) or do not
    /// [follow the metric](crate::StepCosts::follows_metric).
    pub optimal: bool,
}

/// The value of a state.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct StateValue {
    /// The probability of reaching the goal.
    pub(crate) probability: f64,
    /// The sum of the costs of all runs that reach the goal, each weighted with its probability. It is the expected cost of
    /// these runs times `probability`.
    pub(crate) paid: f64,
}

impl StateValue {
    pub(crate) const GOAL: Self = Self {
        probability: 1.0,
        paid: 0.0,
    };

    pub(crate) const NOTHING: Self = Self {
        probability: 0.0,
        paid: 0.0,
    };

    /// Adds the contribution of an outcome with this probability and cost that leads to a state with value `next`.
    pub(crate) fn add(&mut self, probability: f64, cost: f64, next: Self) {
        self.probability += probability * next.probability;
        self.paid += probability * (cost * next.probability + next.paid);
    }

    pub(crate) fn value(self, optimal: bool) -> PolicyValue {
        PolicyValue {
            // Rounding errors may push the sum out of range.
            goal_probability: self.probability.clamp(0.0, 1.0),
            cost: (self.probability > 0.0).then(|| self.paid / self.probability),
            optimal,
        }
    }
}

/// The options of [`simulate`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunOptions {
    /// The number of runs, each from a start state until the goal, the horizon, or the policy gives up.
    pub runs: u32,
    /// The maximum number of steps per run; a goal that the last of them reaches counts. With 0, only a start state
    /// with the goal counts as reached.
    pub horizon: u32,
    /// The seed of the random outcomes and start states. Each run has its own stream of it.
    pub seed: u64,
}

/// One simulated run of a policy. [`RunStatistics::first`] has one.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Run {
    /// The actions taken, in order: ids of the ground task of [`ProbabilisticTask::simulator`].
    pub steps: Vec<ActionId>,
    /// The total cost of the steps, in terms of the metric ([`StepCosts::value`](crate::StepCosts::value)).
    pub cost: f64,
    /// Whether the goal was reached.
    pub reached: bool,
}

/// Statistics over several simulated runs of a policy, returned by [`simulate`].
#[derive(Clone, PartialEq, Debug)]
pub struct RunStatistics {
    /// The number of runs.
    pub runs: u32,
    /// The number of runs that reached the goal.
    pub reached: u32,
    /// The mean cost of the runs that reached the goal; `None` if none did.
    pub cost: Option<f64>,
    /// The mean length of the runs that reached the goal; `None` if none did.
    pub steps: Option<f64>,
    /// The first run, as an example; empty if there were no runs.
    pub first: Run,
}

impl RunStatistics {
    /// Returns the fraction of runs that reached the goal. It is 0 if there were no runs.
    #[must_use]
    pub fn goal_probability(&self) -> f64 {
        f64::from(self.reached) / f64::from(self.runs.max(1))
    }

    /// Returns the standard error of [`goal_probability`](Self::goal_probability) as an estimate of the policy's true
    /// probability. It is 0 if all runs, or none, reached the goal, which says little if there are few runs.
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        let share = self.goal_probability();
        (share * (1.0 - share) / f64::from(self.runs.max(1))).sqrt()
    }
}

/// Estimates the value of a policy by [`RunOptions::runs`] simulated runs with random outcomes.
/// [`evaluate`](fn@super::evaluate) computes it exactly. A run ends at the goal, at the horizon, or when the policy
/// gives up. A run that the policy gives up, or that the horizon ends, counts as not reached. With 0 runs, all
/// statistics are empty. The memory limit of the budget is not checked.
///
/// # Errors
/// Fails if a query of the policy fails, if it returns an action that is not valid or whose numeric effects have no
/// result, or if the budget is exceeded.
pub fn simulate(
    task: &ProbabilisticTask,
    policy: &mut dyn Policy,
    options: &RunOptions,
    budget: &Budget,
) -> Result<RunStatistics, TaskError> {
    let mut statistics = RunStatistics {
        runs: options.runs,
        reached: 0,
        cost: None,
        steps: None,
        first: Run::default(),
    };
    let (mut cost, mut steps) = (0.0, 0.0);
    for number in 0..options.runs {
        let mut chance = Random::new(options.seed).stream(u64::from(number));
        let run = run(task, policy, options.horizon, &mut chance, budget)?;
        if run.reached {
            statistics.reached += 1;
            cost += run.cost;
            steps += run.steps.len() as f64;
        }
        if number == 0 {
            statistics.first = run;
        }
    }
    if statistics.reached > 0 {
        statistics.cost = Some(cost / f64::from(statistics.reached));
        statistics.steps = Some(steps / f64::from(statistics.reached));
    }
    Ok(statistics)
}

fn run(
    task: &ProbabilisticTask,
    policy: &mut dyn Policy,
    horizon: u32,
    chance: &mut Random,
    budget: &Budget,
) -> Result<Run, TaskError> {
    let mut walker = task.simulator().walker();
    walker.set_state(draw(task.starts(), chance))?;
    let mut run = Run::default();
    while !walker.is_goal() && run.steps.len() < horizon as usize {
        budget.check("running a policy", 0)?;
        let Some(action) = policy.act(walker.state())? else {
            break;
        };
        walker.apply(action, chance)?;
        let units = task.costs().of_step(action, &walker);
        run.cost += task.costs().value(units);
        run.steps.push(action);
    }
    run.reached = walker.is_goal();
    Ok(run)
}

/// Draws one of the states by their probabilities.
fn draw<'s>(starts: &'s [(f64, State)], chance: &mut Random) -> &'s State {
    let (mut left, mut last) = (uniform_unit(chance), &starts[0].1);
    for (probability, state) in starts {
        last = state;
        left -= probability;
        if left < 0.0 {
            break;
        }
    }
    last
}
