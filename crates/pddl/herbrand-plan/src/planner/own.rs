//! Best-first searches with heuristics and policies of the caller.

use std::num::NonZeroU32;

use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_step::{Simulator, State};

use super::{Planner, outcome};
use crate::heuristic::Heuristic;
use crate::outcome::{PlanRequest, Report, SearchOutcome};
use crate::search::{BestFirst, Ending, Halt, Order, Space};
use crate::task::{Determinization, SearchTask, TaskError};

herbrand_text::named! {
    /// A search of [`HeuristicPlanner`]: the order in which it expands the states that it has found.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
    pub enum HeuristicSearch {
        /// Eager greedy best-first search: by the estimate, and of equal ones the oldest. Several heuristics and policies take
        /// turns, and states that [preferred](crate::StateBatch::prefer) actions lead to come early. A policy orders states by
        /// Levin tree search: by the length of the path over its probability. It never proves a plan to be optimal.
        #[default]
        Greedy = "greedy",
        /// A*, as by [`PlannerKind::AStar`](crate::PlannerKind::AStar), with the largest estimate of several heuristics; it
        /// ignores policies. If all heuristics say that they are [admissible](Heuristic::is_admissible), a plan is
        /// [`proven_optimal`](crate::Plan::proven_optimal) and there are lower bounds, under the same conditions as there;
        /// otherwise never.
        AStar = "astar",
        /// Best-first width search: by novelty among the states with the same estimate in whole units, up to pairs of facts, then
        /// by the largest estimate. It ignores policies.
        Width = "width",
        /// Beam search: layer by layer, it expands only the states with the lowest of the largest estimates; of equal ones, those
        /// whose paths are most probable under the policies. It may miss plans.
        Beam = "beam",
    }
    /// Returns the name of the search.
    pub fn as_str
}

/// A best-first search with [heuristics](Heuristic) and policies of your own, made from a function that makes them for a task
/// and a budget.
///
/// The budget is checked each time before a heuristic is asked, and cannot interrupt it. The search ends with
/// [`SearchOutcome::ProvenUnsolvable`] only if nothing was left out and the heuristics are
/// [admissible](Heuristic::is_admissible) or found no dead ends, else with [`SearchOutcome::Exhausted`].
pub struct HeuristicPlanner<'a> {
    search: HeuristicSearch,
    batch: usize,
    beam: NonZeroU32,
    make: Make<'a>,
}

type Make<'a> = Box<dyn for<'t> Fn(&'t SearchTask, &Budget) -> Made<'t> + 'a>;
type Made<'t> = Result<Vec<Box<dyn Heuristic + 't>>, BudgetExhausted>;

impl<'a> HeuristicPlanner<'a> {
    /// The number of states in a layer of a beam by default.
    pub const BEAM: NonZeroU32 = NonZeroU32::new(100).unwrap();

    /// Creates a search. Without a heuristic, all states have the estimate 0.
    pub fn new(
        search: HeuristicSearch,
        make: impl for<'t> Fn(&'t SearchTask, &Budget) -> Made<'t> + 'a,
    ) -> Self {
        Self {
            search,
            batch: 1,
            beam: Self::BEAM,
            make: Box::new(make),
        }
    }

    /// Asks the heuristics for this many states at once, at least 1: new successors of one state, or of several that are expanded
    /// before. The default is 1. Fewer are asked for only if nothing else is left to expand. Larger batches expand more states.
    #[must_use]
    pub fn in_batches(self, states: usize) -> Self {
        let batch = states.max(1);
        Self { batch, ..self }
    }

    /// Keeps this many states in each layer of a beam, instead of [`BEAM`](Self::BEAM).
    #[must_use]
    pub fn with_beam(self, states: NonZeroU32) -> Self {
        Self { beam: states, ..self }
    }

    fn search(&self, task: &SearchTask, space: &mut Space<'_, '_>) -> Result<SearchOutcome, Halt> {
        let heuristics = (self.make)(task, &space.request().budget)?;
        space.watches_evaluations();
        let order = match self.search {
            HeuristicSearch::Greedy => Order::Greedy,
            HeuristicSearch::AStar => Order::AStar,
            HeuristicSearch::Width => Order::Width,
            HeuristicSearch::Beam => Order::Beam(self.beam.get() as usize),
        };
        let mut search = BestFirst::new(heuristics, order)
            .with_preferred()
            .in_batches(self.batch);
        let proves = search.is_admissible();
        let end = search.run(space)?;
        let is_optimal = order == Order::AStar && proves && task.proves_optimality();
        let is_complete = !search.is_pruned && (proves || space.statistics.dead_ends == 0);
        Ok(match end {
            Ending::Goal(state) => outcome(space, state, is_optimal),
            Ending::Nothing if is_complete => space.nothing_left(),
            Ending::Nothing => SearchOutcome::Exhausted,
        })
    }
}

impl Planner for HeuristicPlanner<'_> {
    fn name(&self) -> &str {
        self.search.as_str()
    }

    fn task(
        &self,
        simulator: &Simulator,
        start: &State,
        determinization: Determinization,
        budget: &Budget,
    ) -> Result<SearchTask, TaskError> {
        SearchTask::with_all_atoms(simulator, start, determinization, budget)
    }

    fn plan(&self, task: &SearchTask, request: &mut PlanRequest<'_>) -> Report {
        let mut space = Space::new(task, request);
        let outcome = self.search(task, &mut space);
        space.report(outcome.unwrap_or_else(SearchOutcome::from))
    }
}
