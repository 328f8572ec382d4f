//! Tasks with chance.

use std::sync::Arc;

use herbrand_ground::GroundTask;
use herbrand_limits::Budget;
use herbrand_step::{Simulator, State, StepError};

use crate::cost::StepCosts;
use crate::projection::Projection;
use crate::task::TaskError;

/// The problem of reaching a goal from one state, or from one that is drawn, by steps whose outcomes are drawn.
///
/// ```
/// use herbrand_limits::Budget;
/// use herbrand_pddl::{Domain, Problem};
/// use herbrand_plan::{ChanceTask, PolicyKind, PolicyOptions};
///
/// let domain = Domain::from_text("(define (domain coin) (:requirements :probabilistic-effects) (:predicates (up) (lost))
///     (:action toss :precondition (not (lost)) :effect (probabilistic 1/2 (up) 1/4 (lost))))")?;
/// let problem = Problem::from_text("(define (problem p) (:domain coin) (:init) (:goal (up)))", &domain)?;
/// let simulator = herbrand_step::compile(&domain, &problem)?;
/// let budget = Budget::unlimited();
/// let task = ChanceTask::from_state(&simulator, &simulator.initial_state(), &budget)?;
/// let policy = PolicyKind::PolicyIteration.policy(&task, &PolicyOptions::default(), &budget)?;
/// let value = policy.value().expect("policy iteration knows it");
/// // One half, and another chance with a quarter: 1/2 + 1/4 · (1/2 + 1/4 · …).
/// assert!((value.goal_probability - 2.0 / 3.0).abs() < 1e-12);
/// assert!((value.cost.expect("it can be reached") - 4.0 / 3.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ChanceTask {
    given: Simulator,
    searched: Simulator,
    projection: Projection,
    starts: Vec<(f64, State)>,
    costs: StepCosts,
}

impl ChanceTask {
    /// The task of reaching the goal of `simulator` from one of its states.
    ///
    /// # Errors
    /// When the state belongs to another task, or the budget is spent.
    pub fn from_state(simulator: &Simulator, start: &State, budget: &Budget) -> Result<Self, TaskError> {
        if !start.fits(simulator.task()) {
            return Err(StepError::ForeignState.into());
        }
        Self::new(simulator, vec![(1.0, start.clone())], budget)
    }

    /// The task of reaching the goal from an initial state, which is drawn where chance has a part in it.
    ///
    /// # Errors
    /// When there are too many initial states, or the budget is spent.
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
        })
    }

    /// The simulator that policies act in.
    #[must_use]
    pub const fn simulator(&self) -> &Simulator {
        &self.given
    }

    /// The states to start from with their probabilities: states of [`simulator`](Self::simulator).
    #[must_use]
    pub fn starts(&self) -> &[(f64, State)] {
        &self.starts
    }

    /// What steps cost.
    #[must_use]
    pub const fn costs(&self) -> &StepCosts {
        &self.costs
    }

    /// The simulator of the task without atoms that nothing reads. Its actions have the same numbers.
    pub(crate) const fn searched(&self) -> &Simulator {
        &self.searched
    }

    /// From states of the searched task to those of [`simulator`](Self::simulator) without the atoms that nothing reads.
    pub(crate) fn given_states(&self) -> Projection {
        Projection::new(&self.searched, &self.given)
    }

    /// What the searched task has of a state of [`simulator`](Self::simulator).
    pub(crate) fn project(&self, state: &State) -> Result<State, StepError> {
        if !state.fits(self.given.task()) {
            return Err(StepError::ForeignState);
        }
        self.projection.of(state)
    }
}
