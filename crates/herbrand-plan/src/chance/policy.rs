//! Policies, and what they come to.

use herbrand_core::{Random, uniform_unit};
use herbrand_ground::ActionId;
use herbrand_limits::Budget;
use herbrand_step::State;

use super::task::ChanceTask;
use crate::task::TaskError;

/// Says what to do in each state. The same policy does the same in the same state, as long as it is asked in the same order.
pub trait Policy: Send {
    /// The action to take in a state of [`ChanceTask::simulator`]; `None` where it gives up, or has nothing to do.
    ///
    /// # Errors
    /// When it is a state of another task, or what the policy may use is spent.
    fn act(&mut self, state: &State) -> Result<Option<ActionId>, TaskError>;

    /// What the policy comes to, if it knows.
    fn value(&self) -> Option<PolicyValue>;
}

/// What a policy comes to, from the states to start from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PolicyValue {
    /// The probability that the goal is ever reached.
    pub goal_probability: f64,
    /// What is paid on average where the goal is reached; `None` if it never is.
    pub cost: Option<f64>,
    /// Whether no policy has a higher probability, and none with this probability a lower cost, rounding apart.
    pub optimal: bool,
}

/// What a state is worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Worth {
    /// The probability that the goal is reached.
    pub(crate) probability: f64,
    /// What is paid on the ways that reach the goal, each weighted with its probability: the expected cost where the goal is
    /// reached, times the probability that it is.
    pub(crate) paid: f64,
}

impl Worth {
    pub(crate) const GOAL: Self = Self {
        probability: 1.0,
        paid: 0.0,
    };

    pub(crate) const NOTHING: Self = Self {
        probability: 0.0,
        paid: 0.0,
    };

    /// Adds what an outcome leads to.
    pub(crate) fn add(&mut self, probability: f64, cost: f64, next: Self) {
        self.probability += probability * next.probability;
        self.paid += probability * (cost * next.probability + next.paid);
    }

    pub(crate) fn value(self, optimal: bool) -> PolicyValue {
        PolicyValue {
            // Sums of probabilities are rounded.
            goal_probability: self.probability.clamp(0.0, 1.0),
            cost: (self.probability > 0.0).then(|| self.paid / self.probability),
            optimal,
        }
    }
}

/// How a policy is tried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunOptions {
    /// How often.
    pub runs: u32,
    /// A run without the goal ends after so many steps.
    pub horizon: u32,
    /// What chance draws.
    pub seed: u64,
}

/// One run of a policy.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Run {
    /// The actions.
    pub steps: Vec<ActionId>,
    /// What they cost together.
    pub cost: f64,
    /// Whether the goal was reached.
    pub reached: bool,
}

/// Several runs of a policy.
#[derive(Clone, PartialEq, Debug)]
pub struct RunStatistics {
    /// How many there were.
    pub runs: u32,
    /// How many reached the goal.
    pub reached: u32,
    /// The mean cost of those, if there are any.
    pub cost: Option<f64>,
    /// The mean length of those.
    pub steps: Option<f64>,
    /// The first run.
    pub first: Run,
}

impl RunStatistics {
    /// The share of runs that reached the goal.
    #[must_use]
    pub fn goal_probability(&self) -> f64 {
        f64::from(self.reached) / f64::from(self.runs.max(1))
    }

    /// The standard error of that share.
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        let share = self.goal_probability();
        (share * (1.0 - share) / f64::from(self.runs.max(1))).sqrt()
    }
}

/// Runs a policy many times in the simulator of its task.
///
/// # Errors
/// When the policy cannot say what to do, takes an action that is not valid, or the budget is spent.
pub fn simulate(
    task: &ChanceTask,
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
    task: &ChanceTask,
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

/// One of the states, drawn.
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
