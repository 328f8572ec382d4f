//! Deterministic search tasks.

use std::fmt;
use std::sync::{Arc, OnceLock};

use herbrand_ground::{ActionId, GroundTask};
use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_step::{AllOutcomes, Chance, Simulator, State, StepError};
use herbrand_text::UnknownName;

use crate::cost::StepCosts;
use crate::projection::Projection;
use crate::relax::DeleteRelaxation;
use crate::relax::build::build;

/// A deterministic search problem: reach the goal from one state. Irrelevant atoms are removed, and numbers that only
/// the metric reads are not part of its states. The start may be a goal state. [`new`](Self::new) makes one. Pass it to
/// [`Planner::plan`](crate::Planner::plan); a plan in the report has actions of the given task.
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
    /// The simulator that the task was made from.
    given: Simulator,
    simulator: Simulator,
    start: State,
    /// For each action, the action of the given task; `None` if their numbers are the same.
    origins: Option<Arc<[ActionId]>>,
    costs: StepCosts,
    /// Whether every state that is reachable in the given task is reachable here too.
    complete: bool,
    /// Whether actions of the given task have several outcomes, which were determinized.
    chance: bool,
    /// The bytes of the ground task, or 0 if it is shared with the given task.
    bytes: u64,
    any_state: bool,
    relaxation: OnceLock<DeleteRelaxation>,
}

herbrand_text::named! {
    /// How a probabilistic problem is made deterministic for planners. An argument of [`SearchTask::new`] and
    /// [`Planner::solve`](crate::Planner::solve). It is ignored for tasks without draws, and for a simulator with
    /// [`Chance::MostLikely`].
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
    pub enum Determinization {
        /// The default: every outcome of an action becomes an action of its own. Plans reach the goal with positive
        /// probability, and a plan exists if the goal is reachable at all.
        #[default]
        AllOutcomes = "all-outcomes",
        /// Each draw keeps only its most likely alternative: the first of equally likely ones, or no change if that is
        /// likelier than each. There may be no plan although the goal is reachable.
        MostLikely = "most-likely",
    }
    /// Returns the name of the determinization, which `FromStr` reads back.
    pub fn as_str; parses, or UnknownName: |name| UnknownName::new(name, "determinization", &Determinization::ALL.map(Determinization::as_str))
}

/// The reason why a search task, a probabilistic task or a policy cannot be created, or a policy cannot act or be
/// judged. Raise the budget after [`BudgetExhausted`](Self::BudgetExhausted).
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum TaskError {
    /// The state belongs to another task, an action or the initial state has too many outcomes, an effect has no
    /// numeric result, or a policy returned an action that is not valid.
    #[error(transparent)]
    Step(StepError),
    /// The limits of time or memory are exceeded.
    #[error("{0}")]
    BudgetExhausted(#[from] BudgetExhausted),
}

impl From<StepError> for TaskError {
    fn from(error: StepError) -> Self {
        match error {
            StepError::Limit { exhausted, .. } => Self::BudgetExhausted(exhausted),
            error => Self::Step(error),
        }
    }
}

impl SearchTask {
    /// Creates the task of reaching the goal of `simulator` from one of its states, within a budget. If nothing has to be
    /// determinized or left out, the ground task of `simulator` is shared.
    ///
    /// # Errors
    /// Fails if the state belongs to another task, if an action has more outcomes than the simulator's limit
    /// ([`Determinization::AllOutcomes`] only), or if the budget is exhausted.
    pub fn new(
        simulator: &Simulator,
        start: &State,
        determinization: Determinization,
        budget: &Budget,
    ) -> Result<Self, TaskError> {
        Self::make(simulator, start, determinization, false, budget)
    }

    /// Creates the same task as [`new`](Self::new), with all atoms of `simulator` under the same ids, including atoms that no
    /// condition and no goal depends on.
    ///
    /// # Errors
    /// Fails like [`new`](Self::new).
    pub fn with_all_atoms(
        simulator: &Simulator,
        start: &State,
        determinization: Determinization,
        budget: &Budget,
    ) -> Result<Self, TaskError> {
        Self::make(simulator, start, determinization, true, budget)
    }

    fn make(
        simulator: &Simulator,
        start: &State,
        determinization: Determinization,
        all_atoms: bool,
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
            let task = if all_atoms {
                all.task
            } else {
                all.task.only_relevant()
            };
            (Some(task), Some(all.origins.into()))
        } else {
            (given.relevant_part().filter(|_| !all_atoms), None)
        };
        let mut counters = task.as_ref().unwrap_or(given).counters();
        counters.retain(|&id| start.numeric(id).is_some());
        let task = if counters.is_empty() {
            task
        } else {
            Some(task.unwrap_or_else(|| given.clone()).accumulating(&counters))
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
            given: simulator.clone(),
            simulator: searched,
            origins,
            bytes,
            any_state: false,
            relaxation: OnceLock::new(),
        })
    }

    /// Returns the same task with a cost of 1 for every step, so that the best plan is the shortest one, whatever the metric
    /// of the problem says.
    #[must_use]
    pub fn by_length(self) -> Self {
        Self {
            costs: StepCosts::of_length(self.simulator.task()),
            ..self
        }
    }

    /// Returns the same task with a relaxation that is valid for every state, not only for states reachable from the start.
    pub(crate) fn for_any_state(self) -> Self {
        Self {
            any_state: true,
            relaxation: OnceLock::new(),
            ..self
        }
    }

    /// Returns the same task with another start state of its simulator.
    pub(crate) fn starting_at(&self, start: State) -> Self {
        Self {
            start,
            given: self.given.clone(),
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

    /// Returns the simulator of the searched task, which may have other atoms and actions than the given one.
    /// [`origin`](Self::origin) translates its actions.
    #[must_use]
    pub const fn simulator(&self) -> &Simulator {
        &self.simulator
    }

    /// Returns the simulator that was given to [`new`](Self::new).
    pub(crate) const fn given(&self) -> &Simulator {
        &self.given
    }

    /// Returns the start state, a state of [`simulator`](Self::simulator).
    #[must_use]
    pub const fn start(&self) -> &State {
        &self.start
    }

    /// Returns the costs of the steps of this task, by the action ids of the ground task of
    /// [`simulator`](Self::simulator).
    #[must_use]
    pub const fn costs(&self) -> &StepCosts {
        &self.costs
    }

    /// Returns the action of the ground task given to [`new`](Self::new) from which an action of this task was made.
    /// They differ only if the task was determinized with [`Determinization::AllOutcomes`]: then an action that this
    /// task does not have panics. Otherwise `action` is returned, whatever it is.
    #[must_use]
    pub fn origin(&self, action: ActionId) -> ActionId {
        self.origins
            .as_ref()
            .map_or(action, |origins| origins[action.index()])
    }

    /// Returns whether the given task is probabilistic. Only external planners use this.
    #[cfg(feature = "external")]
    pub(crate) const fn has_chance(&self) -> bool {
        self.chance
    }

    /// Returns whether this task has a plan exactly if the given task has one.
    pub(crate) const fn is_complete(&self) -> bool {
        self.complete
    }

    /// Returns whether an exhaustive search proves that a plan is optimal for the given task.
    pub(crate) const fn proves_optimality(&self) -> bool {
        self.complete && self.costs.prove_optimality()
    }

    /// Returns whether numbers decide which states can be reached.
    pub(crate) fn has_numbers(&self) -> bool {
        let task = self.simulator.task();
        task.state_numerics > 0 || task.conditions.has_comparisons()
    }

    /// Returns the bytes of the task and its relaxation, except for data shared with the given task.
    pub(crate) fn bytes(&self) -> u64 {
        let relaxation = self.relaxation.get();
        self.bytes + relaxation.map_or(0, DeleteRelaxation::bytes) as u64
    }

    /// Returns the delete relaxation, which is built on first use.
    pub(crate) fn relaxation(&self, budget: &Budget) -> Result<&DeleteRelaxation, BudgetExhausted> {
        if let Some(made) = self.relaxation.get() {
            return Ok(made);
        }
        let made = DeleteRelaxation::new(self, budget)?;
        Ok(self.relaxation.get_or_init(|| made))
    }
}

impl DeleteRelaxation {
    /// Builds the relaxation of a task within a budget. It is valid for the states that are reachable from the start of
    /// the task.
    ///
    /// # Errors
    /// Fails if the budget is exceeded.
    pub fn new(task: &SearchTask, budget: &Budget) -> Result<Self, BudgetExhausted> {
        let start = (!task.any_state).then_some(&task.start);
        build(&task.simulator, start, budget)
    }
}

impl fmt::Debug for SearchTask {
    /// Writes the start state and the ground task in PDDL syntax.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let task = self.simulator.task();
        write!(f, "from {}\n{task}", self.start.display(task))
    }
}
