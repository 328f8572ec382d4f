//! Heuristics for others than searches.

use herbrand_ground::Literal;
use herbrand_limits::{Budget, Spent};
use herbrand_step::{State, StepError, Walker};

use crate::heuristic::{Additive, Admissible, CostUse, Estimate, Heuristic, Visit};
use crate::landmark::find;
use crate::task::SearchTask;

/// Which estimate of the cost to the goal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HeuristicKind {
    /// One that is never more than the cost of a cheapest plan.
    Admissible(Admissible),
    /// The cost of a relaxed plan.
    Ff,
    /// The sum of the costs of the goals in the delete relaxation.
    Additive,
}

/// Estimates the cost from states of a task to its goal.
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
/// assert_eq!(estimator.estimate(task.start())?, Some(2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Estimator<'t> {
    task: &'t SearchTask,
    heuristic: Box<dyn Heuristic + 't>,
    walker: Walker,
}

impl<'t> Estimator<'t> {
    /// An estimator for states that the task reaches from its start.
    ///
    /// # Errors
    /// When the budget is spent.
    pub fn new(task: &'t SearchTask, kind: HeuristicKind, budget: &Budget) -> Result<Self, Spent> {
        let additive = |estimate| Additive::new(task, CostUse::Plain, estimate, budget);
        let heuristic: Box<dyn Heuristic + 't> = match kind {
            HeuristicKind::Admissible(admissible) => admissible.heuristic(task, budget)?,
            HeuristicKind::Ff => Box::new(additive(Estimate::RelaxedPlan)?),
            HeuristicKind::Additive => Box::new(additive(Estimate::Sum)?),
        };
        Ok(Self {
            task,
            heuristic,
            walker: task.simulator().walker(),
        })
    }

    /// The estimate for a state of [`SearchTask::simulator`]; `None` if the goal cannot be reached from there for certain.
    ///
    /// # Errors
    /// When it is a state of another task.
    pub fn estimate(&mut self, state: &State) -> Result<Option<f64>, StepError> {
        self.walker.set_state(state)?;
        let visit = Visit {
            walker: &self.walker,
            state: 0,
            parent: None,
        };
        let units = self.heuristic.evaluate(visit, &mut Vec::new());
        Ok(units.map(|units| self.task.costs().value(units)))
    }
}

/// Literals of which each is true at some time in every plan of a task, those of the goal first.
///
/// # Errors
/// When the budget is spent.
pub fn landmarks(task: &SearchTask, budget: &Budget) -> Result<Vec<Literal>, Spent> {
    let relaxation = task.relaxation(budget)?;
    let facts = find(task, budget)?.facts;
    Ok(facts
        .iter()
        .filter_map(|&fact| relaxation.literals[fact as usize])
        .collect())
}
