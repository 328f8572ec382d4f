//! Best-first searches with a heuristic of the caller.

use herbrand_limits::{Budget, BudgetExhausted};

use super::{Planner, outcome};
use crate::heuristic::Heuristic;
use crate::outcome::{PlanRequest, Report, SearchOutcome};
use crate::search::{AStar, EagerGreedy, Ending, Halt, Space};
use crate::task::SearchTask;

/// A best-first search with a [`Heuristic`] of your own, made from a function that makes the heuristic for a task and a
/// budget: [`greedy`](Self::greedy) or [`astar`](Self::astar).
///
/// The budget is checked each time before the heuristic is asked, and cannot interrupt it. The search ends with
/// [`SearchOutcome::ProvenUnsolvable`] only if the heuristic is [admissible](Heuristic::is_admissible) or found no dead
/// ends, else with [`SearchOutcome::Exhausted`].
pub struct HeuristicPlanner<'a> {
    is_astar: bool,
    batch: usize,
    make: Make<'a>,
}

type Make<'a> = Box<dyn for<'t> Fn(&'t SearchTask, &Budget) -> Made<'t> + 'a>;
type Made<'t> = Result<Box<dyn Heuristic + 't>, BudgetExhausted>;

impl<'a> HeuristicPlanner<'a> {
    /// Eager greedy best-first search, as by [`PlannerKind::Eager`](crate::PlannerKind::Eager): of the states found, it
    /// expands the one with the lowest estimate, and of these the oldest. It never proves a plan to be optimal.
    pub fn greedy(make: impl for<'t> Fn(&'t SearchTask, &Budget) -> Made<'t> + 'a) -> Self {
        let make = Box::new(make);
        Self {
            is_astar: false,
            batch: 1,
            make,
        }
    }

    /// A*, as by [`PlannerKind::AStar`](crate::PlannerKind::AStar). If the heuristic says that it is
    /// [admissible](Heuristic::is_admissible), a plan is [`proven_optimal`](crate::Plan::proven_optimal) and there are lower
    /// bounds, under the same conditions as there; otherwise never.
    pub fn astar(make: impl for<'t> Fn(&'t SearchTask, &Budget) -> Made<'t> + 'a) -> Self {
        Self {
            is_astar: true,
            ..Self::greedy(make)
        }
    }

    /// Asks the heuristic for up to this many states at once, at least 1: for new successors of one state. The default is 1.
    /// Any number expands the same states in the same order. In greedy search with more than 1, the last successors before
    /// the goal may not be evaluated.
    #[must_use]
    pub fn in_batches(self, states: usize) -> Self {
        let batch = states.max(1);
        Self { batch, ..self }
    }

    fn search(&self, task: &SearchTask, space: &mut Space<'_, '_>) -> Result<SearchOutcome, Halt> {
        let heuristic = (self.make)(task, &space.request().budget)?;
        let proves = heuristic.is_admissible();
        space.watches_evaluations();
        let end = if self.is_astar {
            AStar::new(heuristic, self.batch).run(space)?
        } else {
            EagerGreedy::new(heuristic, self.batch).run(space)?
        };
        let is_optimal = self.is_astar && proves && task.proves_optimality();
        Ok(match end {
            Ending::Goal(state) => outcome(space, state, is_optimal),
            Ending::Nothing if proves || space.statistics.dead_ends == 0 => space.nothing_left(),
            Ending::Nothing => SearchOutcome::Exhausted,
        })
    }
}

impl Planner for HeuristicPlanner<'_> {
    fn name(&self) -> &str {
        if self.is_astar { "astar" } else { "greedy" }
    }

    fn plan(&self, task: &SearchTask, request: &mut PlanRequest<'_>) -> Report {
        let mut space = Space::new(task, request);
        let outcome = self.search(task, &mut space);
        space.report(outcome.unwrap_or_else(SearchOutcome::from))
    }
}
