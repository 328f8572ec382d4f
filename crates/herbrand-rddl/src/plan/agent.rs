//! Whoever acts in a problem, and what it is paid.

use std::sync::Arc;

use herbrand_core::Choice;

use crate::draw::Generator;
use crate::simulate::{Preconditions, Process, RddlSimulator, StepError, Values};

/// Says what to do in each state: a planner that plans anew in every state, or a policy.
pub trait Agent {
    /// The problem.
    fn process(&self) -> &Arc<Process>;

    /// Forgets what it kept of the states that it was asked about: another episode begins.
    fn begin(&mut self) {}

    /// The joint action to take in a state: the choices that differ from defaults.
    ///
    /// # Errors
    /// [`StepError::ForeignState`] for a state that is not one of the problem.
    fn act(&mut self, state: &Values) -> Result<Vec<Choice>, StepError>;
}

/// How agents are evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EvaluateOptions {
    /// The most steps of an episode.
    pub steps: u32,
    /// How many episodes there are.
    pub episodes: u32,
    /// What all draws follow from; episode `i` makes the draws of environment `i`.
    pub seed: u64,
}

/// What an agent is paid.
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluation {
    /// The discounted returns of the episodes.
    pub returns: Vec<f64>,
    /// What it did in the first episode.
    pub first: Vec<Vec<Choice>>,
}

impl Evaluation {
    /// The mean of the returns and its standard error.
    #[must_use]
    pub fn mean_and_error(&self) -> (f64, f64) {
        mean_and_error(self.returns.iter().copied())
    }
}

/// The mean of returns and its standard error.
pub(super) fn mean_and_error(returns: impl ExactSizeIterator<Item = f64> + Clone) -> (f64, f64) {
    let count = returns.len() as f64;
    let mean = returns.clone().sum::<f64>() / count;
    let squares: f64 = returns.map(|one| (one - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0).max(1.0) / count).sqrt())
}

/// Lets an agent act in episodes from the initial state on. A step that is refused ends its episode.
///
/// ```
/// use std::sync::Arc;
/// use herbrand_rddl::plan::{EvaluateOptions, PlanOptions, Planner, evaluate};
/// use herbrand_rddl::suite::RddlSuite;
///
/// let suite = RddlSuite::bundled("rddl/mountain-car")?;
/// let options = PlanOptions { lookahead: Some(5), candidates: 8, iterations: 1, ..PlanOptions::default() };
/// let mut planner = Planner::new(Arc::clone(suite.process(0)?), options);
/// let paid = evaluate(&mut planner, EvaluateOptions { steps: 4, episodes: 2, seed: 0 })?;
/// assert_eq!((paid.returns.len(), paid.first.len()), (2, 4));
/// # Ok::<(), herbrand_rddl::suite::RddlError>(())
/// ```
///
/// # Errors
/// As [`Agent::act`].
pub fn evaluate(agent: &mut dyn Agent, options: EvaluateOptions) -> Result<Evaluation, StepError> {
    let discount = agent.process().instance.discount;
    let mut simulator = RddlSimulator::new(Arc::clone(agent.process()), Preconditions::Reported);
    let mut evaluation = Evaluation {
        returns: Vec::new(),
        first: Vec::new(),
    };
    for episode in 0..options.episodes.max(1) {
        let environment = Generator::of_environment(options.seed, u64::from(episode));
        simulator.restart();
        agent.begin();
        let (mut total, mut weight) = (0.0, 1.0);
        for step in 0..options.steps {
            let joint = agent.act(simulator.values())?;
            let Ok(transition) = simulator.advance(&joint, &environment.at_step(u64::from(step))) else {
                break;
            };
            total += weight * transition.reward;
            weight *= discount;
            if episode == 0 {
                evaluation.first.push(joint);
            }
            if transition.status.terminal || transition.status.broken {
                break;
            }
        }
        evaluation.returns.push(total);
    }
    Ok(evaluation)
}
