//! Probabilistic tasks.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use herbrand_ground::GroundTask;
use herbrand_limits::Budget;
use herbrand_step::{Simulator, State, StepError};

use crate::cost::StepCosts;
use crate::projection::Projection;
use crate::task::TaskError;

/// A probabilistic problem: reach the goal from a start state, or from a random one, by steps with random outcomes.
/// [`from_state`](Self::from_state) or [`from_initial`](Self::from_initial) makes one;
/// [`PolicyKind::policy`](super::PolicyKind::policy) solves it.
///
/// ```
/// use herbrand_limits::Budget;
/// use herbrand_pddl::{Domain, Problem};
/// use herbrand_plan::{ProbabilisticTask, PolicyKind, PolicyOptions};
///
/// let domain = Domain::from_text("(define (domain coin) (:requirements :probabilistic-effects) (:predicates (up) (lost))
///     (:action toss :precondition (not (lost)) :effect (probabilistic 1/2 (up) 1/4 (lost))))")?;
/// let problem = Problem::from_text("(define (problem p) (:domain coin) (:init) (:goal (up)))", &domain)?;
/// let simulator = herbrand_step::compile(&domain, &problem)?;
/// let budget = Budget::unlimited();
/// let task = ProbabilisticTask::from_state(&simulator, &simulator.initial_state(), &budget)?;
/// let policy = PolicyKind::PolicyIteration.policy(&task, &PolicyOptions::default(), &budget)?;
/// let value = policy.value().expect("policy iteration knows it");
/// // One half, and another chance with a quarter: 1/2 + 1/4 · (1/2 + 1/4 · …).
/// assert!((value.goal_probability - 2.0 / 3.0).abs() < 1e-12);
/// assert!((value.cost.expect("it can be reached") - 4.0 / 3.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ProbabilisticTask {
    given: Simulator,
    searched: Simulator,
    projection: Projection,
    starts: Vec<(f64, State)>,
    costs: StepCosts,
    /// Shared by clones.
    enumerated: Arc<AtomicUsize>,
}

impl ProbabilisticTask {
    /// Creates the task of reaching the goal of `simulator` from one of its states, `start`. Create a policy for the
    /// task by [`PolicyKind::policy`](super::PolicyKind::policy).
    ///
    /// # Errors
    /// Fails if the state belongs to another task, or if the budget is exceeded.
    pub fn from_state(simulator: &Simulator, start: &State, budget: &Budget) -> Result<Self, TaskError> {
        if !start.fits(simulator.task()) {
            return Err(StepError::ForeignState.into());
        }
        Self::new(simulator, vec![(1.0, start.clone())], budget)
    }

    /// Creates the task of reaching the goal of `simulator` from the initial state of the problem, which may be random.
    /// Create a policy for the task by [`PolicyKind::policy`](super::PolicyKind::policy).
    ///
    /// # Errors
    /// Fails if the random initial state has more combinations of draws than
    /// [`Options::outcome_limit`](herbrand_step::Options::outcome_limit), if a numeric effect on them has no result, or
    /// if the budget is exhausted.
    pub fn from_initial(simulator: &Simulator, budget: &Budget) -> Result<Self, TaskError> {
        let initial = simulator.initial_outcomes()?;
        let starts = initial.into_iter().map(|one| (one.probability, one.state));
        Self::new(simulator, starts.collect(), budget)
    }

    fn new(simulator: &Simulator, starts: Vec<(f64, State)>, budget: &Budget) -> Result<Self, TaskError> {
        let part = simulator.task().relevant_part();
        let bytes = part.as_ref().map_or(0, GroundTask::bytes) as u64;
        budget.check("making the task to be searched", bytes)?;
        let searched = part.map_or_else(
            || simulator.clone(),
            |part| Simulator::with_options(Arc::new(part), simulator.options()),
        );
        Ok(Self {
            projection: Projection::new(simulator, &searched),
            costs: StepCosts::of(searched.task()),
            given: simulator.clone(),
            searched,
            starts,
            enumerated: Arc::default(),
        })
    }

    /// Returns the simulator whose states and actions policies for this task use.
    #[must_use]
    pub const fn simulator(&self) -> &Simulator {
        &self.given
    }

    /// Returns the start states, each with its probability. The probabilities are positive and sum to 1. They are
    /// states of [`simulator`](Self::simulator).
    #[must_use]
    pub fn starts(&self) -> &[(f64, State)] {
        &self.starts
    }

    /// Returns the number of states that a planner has enumerated so far, for the progress of a planner in another thread;
    /// 0 if no planner has enumerated any. Clones count together.
    #[must_use]
    pub fn enumerated(&self) -> usize {
        self.enumerated.load(Ordering::Relaxed)
    }

    /// Sets the number of states that a planner has enumerated.
    pub(crate) fn set_enumerated(&self, states: usize) {
        self.enumerated.store(states, Ordering::Relaxed);
    }

    /// Returns the costs of the steps of this task, for the actions and the ground task of
    /// [`simulator`](Self::simulator).
    #[must_use]
    pub const fn costs(&self) -> &StepCosts {
        &self.costs
    }

    /// The simulator of the task without irrelevant atoms. Its actions have the same numbers.
    pub(crate) const fn searched(&self) -> &Simulator {
        &self.searched
    }

    /// A projection from states of the searched task to states of [`simulator`](Self::simulator). Irrelevant atoms are false
    /// in its results.
    pub(crate) fn given_states(&self) -> Projection {
        Projection::new(&self.searched, &self.given)
    }

    /// Projects a state of [`simulator`](Self::simulator) to a state of the searched task.
    pub(crate) fn project(&self, state: &State) -> Result<State, StepError> {
        if !state.fits(self.given.task()) {
            return Err(StepError::ForeignState);
        }
        self.projection.of(state)
    }
}
