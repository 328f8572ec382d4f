//! Tasks to be searched.

use std::fmt;
use std::sync::{Arc, OnceLock};

use herbrand_ground::{ActionId, AtomId, GroundTask, NumericId};
use herbrand_limits::{Budget, Spent};
use herbrand_step::{AllOutcomes, Simulator, State, StepError};

use crate::cost::StepCosts;
use crate::relax::Relaxation;

/// A planning problem as planners see it: without chance, without atoms that nothing reads, from one state.
///
/// ```
/// use herbrand_pddl::{Domain, Problem};
/// use herbrand_plan::{Determinization, SearchTask};
///
/// let domain = Domain::from_text("(define (domain coin) (:requirements :probabilistic-effects) (:predicates (up))
///     (:action toss :effect (probabilistic 1/2 (up))))")?;
/// let problem = Problem::from_text("(define (problem p) (:domain coin) (:init) (:goal (up)))", &domain)?;
/// let simulator = herbrand_step::compile(&domain, &problem)?;
/// let task = SearchTask::new(&simulator, &simulator.initial_state(), Determinization::AllOutcomes)?;
/// // One action for each outcome.
/// assert_eq!((simulator.task().actions.len(), task.simulator().task().actions.len()), (1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SearchTask {
    simulator: Simulator,
    start: State,
    /// By action: the action of the given task; `None` where they have the same numbers.
    origins: Option<Vec<ActionId>>,
    costs: StepCosts,
    /// Whether every state that the given task reaches from the start is reached here too.
    complete: bool,
    relaxation: OnceLock<Relaxation>,
}

/// What becomes of chance in a task that is searched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Determinization {
    /// An action for each outcome of an action: plans reach the goal with positive probability, and there is none if
    /// nothing does.
    #[default]
    AllOutcomes,
    /// Each action has its most likely outcome only.
    MostLikely,
}

impl SearchTask {
    /// The task of reaching the goal of `simulator` from one of its states.
    ///
    /// # Errors
    /// When the state belongs to another task, or an action has too many outcomes.
    pub fn new(
        simulator: &Simulator,
        start: &State,
        determinization: Determinization,
    ) -> Result<Self, StepError> {
        let mut check = simulator.walker();
        check.set_state(start)?;
        let chance = simulator.task().effects.chances() > 0;
        let options = simulator.options();
        let (task, origins) = if chance && determinization == Determinization::AllOutcomes {
            let all = AllOutcomes::of(simulator)?;
            (all.task, Some(all.origins))
        } else {
            (simulator.task().clone(), None)
        };
        let reduced = Arc::new(task.only_relevant());
        let mut searched = Simulator::with_options(Arc::clone(&reduced), options);
        if chance && determinization == Determinization::MostLikely {
            searched = searched.most_likely();
        }
        let start = translated(simulator, start, &searched)?;
        Ok(Self {
            costs: StepCosts::of(&reduced),
            complete: !chance || determinization == Determinization::AllOutcomes,
            simulator: searched,
            start,
            origins,
            relaxation: OnceLock::new(),
        })
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

    /// Whether a plan exists for the given task exactly if one exists here.
    pub(crate) const fn is_complete(&self) -> bool {
        self.complete
    }

    /// Whether an exhaustive search shows that a plan is a best one for the given task.
    pub(crate) const fn proves_optimality(&self) -> bool {
        self.complete && self.costs.is_exact()
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

/// The state of `to` that is the same as `state` but for atoms that `to` leaves out.
fn translated(from: &Simulator, state: &State, to: &Simulator) -> Result<State, StepError> {
    let (given, task): (&GroundTask, &GroundTask) = (from.task(), to.task());
    let holds = |atom: &AtomId| {
        let fact = task.atoms.get(atom.index());
        let original = fact.and_then(|fact| given.find_atom(fact.predicate, fact.arguments));
        original.is_some_and(|original| state.holds(original))
    };
    let fluents = (0..task.fluent_count()).map(AtomId::from_index);
    let mut result = to.state_from_atoms(fluents.filter(holds))?;
    for id in (0..task.state_numerics).map(NumericId::new) {
        to.set_numeric(&mut result, id, state.numeric(id));
    }
    Ok(result)
}
