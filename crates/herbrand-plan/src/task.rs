//! Tasks to be searched.

use std::fmt;
use std::sync::{Arc, OnceLock};

use herbrand_ground::{ActionId, GroundTask};
use herbrand_limits::{Budget, Spent};
use herbrand_step::{AllOutcomes, Chance, Simulator, State, StepError};

use crate::cost::StepCosts;
use crate::projection::Projection;
use crate::relax::Relaxation;

/// A planning problem as planners see it: without chance, without atoms that nothing reads, from one state.
///
/// ```
/// use herbrand_limits::Budget;
/// use herbrand_pddl::{Domain, Problem};
/// use herbrand_plan::{Determinization, SearchTask};
///
/// let domain = Domain::from_text("(define (domain coin) (:requirements :probabilistic-effects) (:predicates (up))
///     (:action toss :effect (probabilistic 1/2 (up))))")?;
/// let problem = Problem::from_text("(define (problem p) (:domain coin) (:init) (:goal (up)))", &domain)?;
/// let simulator = herbrand_step::compile(&domain, &problem)?;
/// let start = simulator.initial_state();
/// let task = SearchTask::new(&simulator, &start, Determinization::AllOutcomes, &Budget::unlimited())?;
/// // One action for each outcome.
/// assert_eq!((simulator.task().actions.len(), task.simulator().task().actions.len()), (1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SearchTask {
    simulator: Simulator,
    start: State,
    /// By action: the action of the given task; `None` where they have the same numbers.
    origins: Option<Arc<[ActionId]>>,
    costs: StepCosts,
    /// Whether every state that the given task reaches from the start is reached here too.
    complete: bool,
    /// Whether actions of the given task have several outcomes, which were resolved for the search.
    chance: bool,
    /// What the ground task takes, if it is not the given one.
    bytes: u64,
    any_state: bool,
    relaxation: OnceLock<Relaxation>,
}

/// How chance is resolved in a task that is searched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Determinization {
    /// An action for each outcome of an action: plans reach the goal with positive probability, and there is none if
    /// nothing does.
    #[default]
    AllOutcomes,
    /// Each action has its most likely outcome only.
    MostLikely,
}

/// Why there is no task to be searched.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum TaskError {
    /// The state belongs to another task, or an action has too many outcomes.
    #[error(transparent)]
    Step(StepError),
    /// The budget is spent.
    #[error(transparent)]
    Spent(#[from] Spent),
}

impl From<StepError> for TaskError {
    fn from(error: StepError) -> Self {
        match error {
            StepError::Limit { spent, .. } => Self::Spent(spent),
            error => Self::Step(error),
        }
    }
}

impl SearchTask {
    /// The task of reaching the goal of `simulator` from one of its states, made within a budget. Without chance and without
    /// atoms that nothing reads, it shares the ground task of `simulator`.
    ///
    /// # Errors
    /// When the state belongs to another task, an action has too many outcomes, or the budget is spent.
    pub fn new(
        simulator: &Simulator,
        start: &State,
        determinization: Determinization,
        budget: &Budget,
    ) -> Result<Self, TaskError> {
        let given = simulator.task();
        if !start.fits(given) {
            return Err(StepError::ForeignState.into());
        }
        let options = simulator.options();
        let draws = options.chance == Chance::Drawn && given.effects.chances() > 0;
        let (task, origins) = if draws && determinization == Determinization::AllOutcomes {
            let all = AllOutcomes::of(simulator, budget)?;
            (Some(all.task.only_relevant()), Some(all.origins.into()))
        } else {
            (given.relevant_part(), None)
        };
        let bytes = task.as_ref().map_or(0, GroundTask::bytes) as u64;
        budget.check("making the task to be searched", bytes)?;
        let mut searched = match task {
            Some(task) => Simulator::with_options(Arc::new(task), options),
            None => simulator.clone(),
        };
        if draws && determinization == Determinization::MostLikely {
            searched = searched.most_likely();
        }
        Ok(Self {
            start: Projection::new(simulator, &searched).of(start)?,
            costs: StepCosts::of(searched.task()),
            complete: !draws || determinization == Determinization::AllOutcomes,
            chance: draws,
            simulator: searched,
            origins,
            bytes,
            any_state: false,
            relaxation: OnceLock::new(),
        })
    }

    /// The same task with a relaxation that holds for every state, not just for those that the start leads to.
    pub(crate) fn for_any_state(self) -> Self {
        Self {
            any_state: true,
            relaxation: OnceLock::new(),
            ..self
        }
    }

    /// Whether the relaxation is to hold for every state.
    pub(crate) const fn is_for_any_state(&self) -> bool {
        self.any_state
    }

    /// The same task from another state of its simulator.
    pub(crate) fn starting_at(&self, start: State) -> Self {
        Self {
            start,
            simulator: self.simulator.clone(),
            origins: self.origins.clone(),
            costs: self.costs.clone(),
            complete: self.complete,
            chance: self.chance,
            bytes: self.bytes,
            any_state: self.any_state,
            relaxation: OnceLock::new(),
        }
    }

    /// The simulator of the task that is searched.
    #[must_use]
    pub const fn simulator(&self) -> &Simulator {
        &self.simulator
    }

    /// The state to start from.
    #[must_use]
    pub const fn start(&self) -> &State {
        &self.start
    }

    /// What steps cost.
    #[must_use]
    pub const fn costs(&self) -> &StepCosts {
        &self.costs
    }

    /// The action of the given task that an action of this one stands for.
    #[must_use]
    pub fn origin(&self, action: ActionId) -> ActionId {
        self.origins
            .as_ref()
            .map_or(action, |origins| origins[action.index()])
    }

    /// Whether the given task has chance in it. Only planners that are other programs ask, and a page starts none.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) const fn has_chance(&self) -> bool {
        self.chance
    }

    /// Whether a plan exists for the given task exactly if one exists here.
    pub(crate) const fn is_complete(&self) -> bool {
        self.complete
    }

    /// Whether an exhaustive search shows that a plan is a best one for the given task.
    pub(crate) const fn proves_optimality(&self) -> bool {
        self.complete && self.costs.is_exact()
    }

    /// What the task takes, as far as it is not the given one, with its relaxation.
    pub(crate) fn bytes(&self) -> u64 {
        let relaxation = self.relaxation.get();
        self.bytes + relaxation.map_or(0, Relaxation::bytes) as u64
    }

    /// The delete relaxation, made when it is first asked for.
    pub(crate) fn relaxation(&self, budget: &Budget) -> Result<&Relaxation, Spent> {
        if let Some(made) = self.relaxation.get() {
            return Ok(made);
        }
        let made = Relaxation::new(self, budget)?;
        Ok(self.relaxation.get_or_init(|| made))
    }
}

impl fmt::Debug for SearchTask {
    /// The start and the ground task, as PDDL writes them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let task = self.simulator.task();
        write!(f, "from {}\n{task}", self.start.display(task))
    }
}
