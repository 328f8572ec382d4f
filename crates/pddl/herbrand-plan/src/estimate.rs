//! Heuristics and landmarks for callers outside of a search.

use herbrand_ground::Literal;
use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_step::{State, StepError, Walker};

use crate::heuristic::{Additive, Admissible, Answer, CostUse, Estimate, Heuristic};
use crate::landmark::{LandmarkCount, find};
use crate::projection::Projection;
use crate::task::SearchTask;

/// A heuristic: an estimate of the cost to reach the goal from a state. An argument of [`Estimator::new`]. Estimates
/// are in terms of the metric ([`StepCosts::value`](crate::StepCosts::value)). Only the admissible ones never exceed
/// the true cost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HeuristicKind {
    /// An estimate that never exceeds the cost of a cheapest plan.
    Admissible(Admissible),
    /// The cost of a relaxed plan: the heuristic of the planner FF. The estimate may exceed the true cost.
    Ff,
    /// The sum of the costs of all goal atoms in the delete relaxation. The estimate may exceed the true cost.
    Additive,
    /// The number of fact landmarks that the path to a state has not accepted or that are required again (Richter, Helmert and
    /// Westphal 2008). The estimate may exceed the true cost.
    Landmarks,
}

impl HeuristicKind {
    /// Returns this heuristic for a task and the states that are reachable from its start. Yours may ask it: it answers the
    /// batches that yours gets.
    ///
    /// # Errors
    /// Fails if the budget, or another that [encloses](Budget::enclose) the call, is exhausted.
    pub fn heuristic<'t>(
        self,
        task: &'t SearchTask,
        budget: &Budget,
    ) -> Result<Box<dyn Heuristic + 't>, BudgetExhausted> {
        let additive = |estimate| Additive::new(task, CostUse::Plain, estimate, budget);
        Ok(match self {
            Self::Admissible(admissible) => admissible.heuristic(task, budget)?,
            Self::Ff => Box::new(additive(Estimate::RelaxedPlan)?),
            Self::Additive => Box::new(additive(Estimate::Sum)?),
            Self::Landmarks => Box::new(LandmarkCount::new(task, find(task, budget)?, budget)?),
        })
    }
}

/// A heuristic together with a task, which estimates the cost to reach the goal from states of the task. Create it once
/// per task, because [`new`](Self::new) takes far longer than [`estimate`](Self::estimate).
///
/// ```
/// use herbrand_limits::Budget;
/// use herbrand_pddl::{Domain, Problem};
/// use herbrand_plan::{Admissible, Determinization, Estimator, HeuristicKind, SearchTask};
///
/// let domain = Domain::from_text("(define (domain ring) (:predicates (at ?x) (next ?x ?y))
///     (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y)) :effect (and (at ?y) (not (at ?x)))))")?;
/// let problem = Problem::from_text("(define (problem p) (:domain ring) (:objects a b c)
///     (:init (at a) (next a b) (next b c)) (:goal (at c)))", &domain)?;
/// let simulator = herbrand_step::compile(&domain, &problem)?;
/// let budget = Budget::unlimited();
/// let task = SearchTask::new(&simulator, &simulator.initial_state(), Determinization::default(), &budget)?;
/// let kind = HeuristicKind::Admissible(Admissible::LandmarkCut);
/// let mut estimator = Estimator::new(&task, kind, &budget)?;
/// assert_eq!(estimator.estimate(&simulator.initial_state())?, Some(2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Estimator<'t> {
    task: &'t SearchTask,
    heuristic: Box<dyn Heuristic + 't>,
    answer: Answer,
    given_states: Projection,
    walker: Walker,
}

impl<'t> Estimator<'t> {
    /// Creates an estimator with this heuristic. It applies to states that are reachable from the start of the task;
    /// estimates of other states may be wrong.
    ///
    /// # Errors
    /// Fails if the budget, or another that [encloses](Budget::enclose) the call, is exhausted.
    pub fn new(task: &'t SearchTask, kind: HeuristicKind, budget: &Budget) -> Result<Self, BudgetExhausted> {
        Ok(Self {
            task,
            heuristic: kind.heuristic(task, budget)?,
            answer: Answer::default(),
            given_states: Projection::new(task.given(), task.simulator()),
            walker: task.simulator().walker(),
        })
    }

    /// Returns the estimate for a state of [`SearchTask::simulator`], or of the simulator that the task was made from, in
    /// terms of the metric; `None` if the goal is proven unreachable from it. An estimate of 0 does not imply that the goal holds; an action may cost nothing.
    ///
    /// # Errors
    /// Fails if the state belongs to another task.
    pub fn estimate(&mut self, state: &State) -> Result<Option<f64>, StepError> {
        // The task keeps the order of the atoms and numbers that it does not leave out, so states of the same shape agree.
        if state.fits(self.task.simulator().task()) {
            self.walker.set_state(state)?;
        } else if state.fits(self.task.given().task()) {
            self.walker.set_state(&self.given_states.of(state)?)?;
        } else {
            return Err(StepError::ForeignState);
        }
        let walker = (&mut self.walker, &mut 0);
        let answered = self.answer.ask(self.heuristic.as_mut(), walker, None, 0..1);
        debug_assert!(
            answered.is_ok(),
            "the heuristics of this crate answer with numbers"
        );
        let units = self.answer.only();
        Ok(units.map(|units| self.task.costs().value(units)))
    }
}

/// Returns the fact landmarks that this crate finds: literals that are true at some time in every plan of the task.
/// They are ordered backward from the goal. Literals that hold in the start state or in the goal are among them. The
/// list need not be complete; it is empty if even the delete relaxation does not reach the goal. Atoms have the ids of
/// the task of [`SearchTask::simulator`].
///
/// # Errors
/// Fails if the budget, or another that [encloses](Budget::enclose) the call, is exhausted.
pub fn landmarks(task: &SearchTask, budget: &Budget) -> Result<Vec<Literal>, BudgetExhausted> {
    let relaxation = task.relaxation(budget)?;
    let facts = find(task, budget)?.facts;
    Ok(facts
        .iter()
        .filter_map(|&fact| relaxation.literals[fact as usize])
        .collect())
}
