//! Agents and their evaluation.

use std::sync::Arc;

use herbrand_core::{Choice, NonFinite, NonFiniteValue, System};
use herbrand_distributions::RandomGenerator;
use herbrand_limits::check_enclosing;
use herbrand_rddl_sim::ground::broken_invariants;
use herbrand_rddl_sim::simulate::{CompiledInstance, Preconditions, RddlSimulator, StepError, Values};

use super::StraightPlan;

/// An agent for one instance: a planner that replans in every state, or a trained policy. [`evaluate`] runs it.
pub trait Agent {
    /// Returns the compiled problem in which the agent acts.
    fn compiled(&self) -> &Arc<CompiledInstance>;

    /// Forgets the states of the previous episode. Called before each episode. By default it does nothing.
    fn begin(&mut self) {}

    /// Returns the joint action to take in a state: the choices that differ from the defaults. Called once per step.
    /// Fields are indices into the fields of `CompiledInstance::actions`.
    ///
    /// # Errors
    /// [`StepError::ForeignState`] if the state belongs to another problem. [`StepError::BudgetExhausted`] if an
    /// enclosing budget stops the planner.
    fn act(&mut self, state: &Values) -> Result<Vec<Choice>, StepError>;
}

/// An agent that searches for a straight-line plan in a state, and acts by the first step of a new one.
pub trait Planner: Agent {
    /// Searches for a plan from a state and returns the best one found.
    ///
    /// # Errors
    /// [`StepError::ForeignState`] if the state belongs to another problem. [`StepError::BudgetExhausted`] if an
    /// enclosing budget is cancelled; if its time is over, the best plan so far is returned.
    fn plan(&mut self, state: &Values) -> Result<StraightPlan, StepError>;
}

/// The options of [`evaluate`] and [`compare`](super::compare()).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EvaluateOptions {
    /// The maximum number of steps per episode.
    pub steps: u32,
    /// The number of episodes, at least 1. 0 counts as 1.
    pub episodes: u32,
    /// The seed of all random numbers. Episode `i` uses the numbers of environment `i`, so agents evaluated with one
    /// seed meet the same luck.
    pub seed: u64,
    /// The effect of violated action preconditions on steps. A refused step ends its episode.
    pub preconditions: Preconditions,
}

/// The default has 100 episodes of at most 100 steps, seed 0, and preconditions that are reported.
impl Default for EvaluateOptions {
    fn default() -> Self {
        Self {
            steps: 100,
            episodes: 100,
            seed: 0,
            preconditions: Preconditions::Reported,
        }
    }
}

/// The result of running an agent in episodes, returned by [`evaluate`].
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluation {
    /// The discounted returns of the episodes, in order. A refused step adds no reward.
    pub returns: Vec<f64>,
    /// The joint actions that the agent took in the first episode, without a refused one. There are fewer than
    /// [`EvaluateOptions::steps`] if it ended early.
    pub first: Vec<Vec<Choice>>,
    /// The number of episodes whose return is infinite or NaN, and the first such value; `None` if every return is
    /// finite.
    pub non_finite: Option<NonFinite>,
    /// The steps that violated an action precondition; `None` if there are none.
    pub violations: Option<Violations>,
    /// The episodes that a broken state invariant ended; `None` if there are none.
    pub broken: Option<BrokenInvariants>,
}

/// The steps of an [`Evaluation`] that violated an action precondition, in [`Evaluation::violations`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Violations {
    /// The number of episodes with such a step.
    pub episodes: u32,
    /// The number of such steps in all episodes.
    pub steps: u64,
    /// The index of the step that first violated a precondition, from 0, in the first episode with a violation.
    pub step: usize,
    /// The index of the first precondition that this step violated, from 0; state-action constraints follow the
    /// preconditions.
    pub precondition: usize,
}

/// The episodes of an [`Evaluation`] that a broken state invariant ended, in [`Evaluation::broken`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BrokenInvariants {
    /// The number of episodes that a broken invariant ended.
    pub episodes: u32,
    /// The index of the step that broke an invariant, from 0, in the first of these episodes.
    pub step: usize,
    /// The index of the first invariant that this step broke, from 0; `None` if its value cannot be computed.
    pub invariant: Option<usize>,
}

impl Evaluation {
    /// Returns the mean of the returns and the standard error of the mean, which is 0 for a single episode. An infinite
    /// or NaN return makes both meaningless; [`non_finite`](Self::non_finite) tells.
    #[must_use]
    pub fn mean_and_error(&self) -> (f64, f64) {
        mean_and_error(self.returns.iter().copied())
    }

    /// Returns the mean of the returns of `self` minus those of `other`, and the standard error of this mean. Subtracts
    /// episode by episode, so both evaluations need the same options: then episodes of the same number have the same
    /// random numbers. Surplus episodes of the longer evaluation are left out.
    #[must_use]
    pub fn difference(&self, other: &Self) -> (f64, f64) {
        let pairs = self.returns.iter().zip(&other.returns);
        mean_and_error(pairs.map(|(one, other)| one - other))
    }
}

/// Returns the mean of returns and its standard error.
pub(super) fn mean_and_error(returns: impl ExactSizeIterator<Item = f64> + Clone) -> (f64, f64) {
    let count = returns.len() as f64;
    let mean = returns.clone().sum::<f64>() / count;
    let squares: f64 = returns.map(|one| (one - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0).max(1.0) / count).sqrt())
}

/// Runs an agent in episodes of real steps from the initial state. Violated preconditions are counted, and have the
/// effect that the options choose; a step that the simulator refuses ends its episode. 0 episodes count as 1. An
/// episode ends earlier in a terminal state and at a broken invariant.
///
/// ```
/// use std::sync::Arc;
/// use herbrand_rddl_plan::plan::{EvaluateOptions, PlanOptions, SamplingPlanner, evaluate};
/// use herbrand_rddl_sim::suite::RddlSuite;
///
/// let suite = RddlSuite::bundled("rddl/mountain-car")?;
/// let options = PlanOptions { lookahead: Some(5), candidates: 8, iterations: 1, ..PlanOptions::default() };
/// let mut planner = SamplingPlanner::new(Arc::clone(suite.compiled(0)?), options);
/// let paid = evaluate(&mut planner, EvaluateOptions { steps: 4, episodes: 2, ..EvaluateOptions::default() })?;
/// assert_eq!((paid.returns.len(), paid.first.len()), (2, 4));
/// # Ok::<(), herbrand_rddl_sim::suite::RddlError>(())
/// ```
///
/// # Errors
/// Fails like [`Agent::act`], and if an enclosing budget is exhausted.
pub fn evaluate(agent: &mut dyn Agent, options: EvaluateOptions) -> Result<Evaluation, StepError> {
    let discount = agent.compiled().instance.discount;
    let mut simulator = RddlSimulator::new(Arc::clone(agent.compiled()), options.preconditions);
    let mut evaluation = Evaluation {
        returns: Vec::new(),
        first: Vec::new(),
        non_finite: None,
        violations: None,
        broken: None,
    };
    for episode in 0..options.episodes.max(1) {
        let environment = RandomGenerator::of_environment(options.seed, u64::from(episode));
        simulator.restart();
        agent.begin();
        let (mut total, mut weight) = (0.0_f64, 1.0);
        let (mut taken, mut is_violated) = (Vec::new(), false);
        for step in 0..options.steps {
            let joint = agent.act(simulator.values())?;
            // Without time, agents and samples of actions do nothing.
            check_enclosing("evaluating")?;
            let advanced = simulator.advance(&joint, &environment.at_step(u64::from(step)));
            let violated = match &advanced {
                Ok(_) => simulator.violated().next(),
                Err(error @ StepError::BudgetExhausted(_)) => return Err(error.clone()),
                Err(_) if options.preconditions == Preconditions::Ignored => None,
                Err(_) => simulator
                    .would_violate(&joint)
                    .unwrap_or_default()
                    .first()
                    .copied(),
            };
            if let Some(precondition) = violated {
                let violations = evaluation.violations.get_or_insert(Violations {
                    episodes: 0,
                    steps: 0,
                    step: step as usize,
                    precondition,
                });
                violations.episodes += u32::from(!is_violated);
                violations.steps += 1;
                is_violated = true;
            }
            let Ok(transition) = advanced else { break };
            total += weight * transition.reward;
            weight *= discount;
            taken.push(joint);
            if transition.status.terminal {
                break;
            }
            if transition.status.broken {
                if evaluation.broken.is_none() {
                    let broken = broken_invariants(simulator.compiled(), simulator.values())?;
                    evaluation.broken = Some(BrokenInvariants {
                        episodes: 0,
                        step: step as usize,
                        invariant: broken.first().copied(),
                    });
                }
                if let Some(broken) = &mut evaluation.broken {
                    broken.episodes += 1;
                }
                break;
            }
        }
        if !total.is_finite() {
            match &mut evaluation.non_finite {
                Some(non_finite) => non_finite.episodes += 1,
                none => {
                    let first = first_non_finite(&mut simulator, &taken, environment, (episode, total));
                    *none = Some(NonFinite { episodes: 1, first });
                }
            }
        }
        evaluation.returns.push(total);
        if episode == 0 {
            evaluation.first = taken;
        }
    }
    Ok(evaluation)
}

/// Repeats an episode whose return is not finite, and finds the first value that is not finite.
fn first_non_finite(
    simulator: &mut RddlSimulator,
    taken: &[Vec<Choice>],
    environment: RandomGenerator,
    (episode, total): (u32, f64),
) -> NonFiniteValue {
    simulator.restart();
    let found = |step, (name, value)| NonFiniteValue {
        episode: u64::from(episode),
        problem: 0,
        step,
        name,
        value,
    };
    if let Some(value) = simulator.non_finite() {
        return found(0, value);
    }
    for (step, joint) in (0..).zip(taken) {
        if simulator
            .advance(joint, &environment.at_step(u64::from(step)))
            .is_err()
        {
            break;
        }
        if let Some(value) = simulator.non_finite() {
            return found(step + 1, value);
        }
    }
    // All rewards are finite, but their sum is not.
    found(taken.len() as u32, ("return".to_owned(), total))
}
