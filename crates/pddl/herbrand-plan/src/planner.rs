//! The planner interface, and the planners of this crate by name.

mod names;
mod own;
mod portfolio;

use std::fmt;
use std::str::FromStr;

use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_step::{Simulator, State, StepError};
use herbrand_text::{did_you_mean, nearest};

use crate::heuristic::{Additive, Admissible, CostUse, Estimate, Heuristic, LandmarkCut};
use crate::landmark::{LandmarkCount, find};
use crate::outcome::{Plan, PlanRequest, Report, SearchOutcome, SearchStatistics};
use crate::search::{BestFirst, Climb, Deferred, Ending, Halt, Lazy, Order, Space, Width};
use crate::task::{Determinization, SearchTask, TaskError};

pub use names::our_name;
pub use own::{HeuristicPlanner, HeuristicSearch};

/// A planner for deterministic tasks: one of [`PlannerKind`], a [`HeuristicPlanner`] with a heuristic of your own, or another
/// program, run by `External`.
/// [`solve`](Self::solve) makes the task too; [`plan`](Self::plan) takes a [`SearchTask`].
pub trait Planner {
    /// Returns the name of the planner: short, in lower case.
    fn name(&self) -> &str;

    /// Creates the task of reaching the goal of `simulator` from the state `start`, as this planner searches it: by
    /// [`SearchTask::new`], or with all atoms for heuristics of the caller.
    ///
    /// # Errors
    /// Fails like [`SearchTask::new`].
    fn task(
        &self,
        simulator: &Simulator,
        start: &State,
        determinization: Determinization,
        budget: &Budget,
    ) -> Result<SearchTask, TaskError> {
        SearchTask::new(simulator, start, determinization, budget)
    }

    /// Searches for a plan from the task's start to its goal. Never fails: limits, and a task without a plan, are
    /// outcomes in the report. If the goal holds at the start, the outcome is [`SearchOutcome::GoalAlreadyTrue`],
    /// unless a limit is reached before.
    fn plan(&self, task: &SearchTask, request: &mut PlanRequest<'_>) -> Report;

    /// Creates the task of reaching the goal of `simulator` from the state `start` and searches for a plan, both within
    /// the request's budget. Probabilistic problems are made deterministic by `determinization`.
    ///
    /// # Errors
    /// Fails if the state belongs to another task, or if an action has more outcomes than the simulator's limit
    /// ([`Determinization::AllOutcomes`] only). An exceeded budget is reported as an outcome; if it is exceeded before
    /// the search, all statistics are 0.
    fn solve(
        &self,
        simulator: &Simulator,
        start: &State,
        determinization: Determinization,
        request: &mut PlanRequest<'_>,
    ) -> Result<Report, StepError> {
        match self.task(simulator, start, determinization, &request.budget) {
            Ok(task) => Ok(self.plan(&task, request)),
            Err(TaskError::BudgetExhausted(exhausted)) => Ok(Report {
                outcome: exhausted.into(),
                statistics: SearchStatistics::default(),
            }),
            Err(TaskError::Step(error)) => Err(error),
        }
    }
}

/// The planners of this crate for deterministic tasks, by name. Each is a [`Planner`]: call its `plan` or `solve`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum PlannerKind {
    /// The default: [`Lazy`](Self::Lazy), with landmark counting in addition to the FF heuristic.
    #[default]
    Landmarks,
    /// Lazy greedy best-first search with the FF heuristic and preferred actions.
    Lazy,
    /// Eager greedy best-first search with the FF heuristic.
    Eager,
    /// Eager greedy best-first search with the additive heuristic.
    Additive,
    /// [`Landmarks`](Self::Landmarks), then lazy weighted A* with weights 5, 3, 2 and 1. Each search accepts only plans
    /// that are cheaper than the best so far. It ends when the budget is exceeded or no cheaper plan is left, with the
    /// best plan so far.
    Anytime,
    /// Enforced hill-climbing with the FF heuristic, then [`Eager`](Self::Eager) if that fails: the search algorithm of the
    /// planner FF, reimplemented.
    HillClimbing,
    /// Best-first width search BFWS(f5), which expands states in order of novelty, then of unsatisfied goals.
    Width,
    /// [`Landmarks`](Self::Landmarks), [`Width`](Self::Width), [`Lazy`](Self::Lazy) and [`Additive`](Self::Additive) in
    /// rounds with growing limits on the states evaluated, as they solve different tasks. It ends with the first result
    /// of one of them; a planner out of memory is left out.
    Portfolio,
    /// A* with an admissible heuristic, which finds a cheapest plan, by the costs of [`SearchTask::costs`].
    AStar(Admissible),
}

impl PlannerKind {
    /// All planners, in the order used in lists.
    pub const ALL: [Self; 11] = [
        Self::Landmarks,
        Self::Lazy,
        Self::Eager,
        Self::Additive,
        Self::Anytime,
        Self::HillClimbing,
        Self::Width,
        Self::Portfolio,
        Self::AStar(Admissible::Blind),
        Self::AStar(Admissible::Maximum),
        Self::AStar(Admissible::LandmarkCut),
    ];

    /// Returns the name of the planner, such as `landmarks`. `FromStr` reads it back, and also the names of other planners
    /// ([`our_name`]).
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Landmarks => "landmarks",
            Self::Lazy => "lazy",
            Self::Eager => "eager",
            Self::Additive => "additive",
            Self::Anytime => "anytime",
            Self::HillClimbing => "hill-climbing",
            Self::Width => "width",
            Self::Portfolio => "portfolio",
            Self::AStar(Admissible::Blind) => "astar-blind",
            Self::AStar(Admissible::Maximum) => "astar-max",
            Self::AStar(Admissible::LandmarkCut) => "astar-lmcut",
        }
    }

    /// Returns a description of the planner in one line, for lists of planners.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Landmarks => "lazy greedy search with FF and landmark counts, preferred actions first",
            Self::Lazy => "lazy greedy search with FF, preferred actions first",
            Self::Eager => "eager greedy search with FF",
            Self::Additive => "eager greedy search with the additive heuristic",
            Self::Anytime => "landmarks, then ever cheaper plans by weighted A* while time lasts",
            Self::HillClimbing => "enforced hill-climbing with FF, then eager: the search of the planner FF",
            Self::Width => "best-first width search BFWS(f5)",
            Self::Portfolio => "landmarks, width, lazy and additive in turns that grow",
            Self::AStar(Admissible::Blind) => "A* without a heuristic: optimal",
            Self::AStar(Admissible::Maximum) => "A* with the maximum heuristic: optimal",
            Self::AStar(Admissible::LandmarkCut) => "A* with landmark cuts: optimal",
        }
    }

    pub(crate) fn run(self, task: &SearchTask, space: &mut Space<'_, '_>) -> Result<SearchOutcome, Halt> {
        let budget = space.request().budget.clone();
        let budget = &budget;
        let end = match self {
            Self::Landmarks => greedy(task, budget, true)?.run(space)?,
            Self::Lazy => greedy(task, budget, false)?.run(space)?,
            Self::Eager => eager(task, Estimate::RelaxedPlan, budget)?.run(space)?,
            Self::Additive => eager(task, Estimate::Sum, budget)?.run(space)?,
            Self::Anytime => return anytime(task, space, budget),
            Self::Portfolio => return portfolio::run(task, space),
            Self::HillClimbing => {
                let heuristic = ff(task, CostUse::One, Estimate::RelaxedPlan, budget)?;
                match (Climb { heuristic }).run(space)? {
                    Ending::Nothing => {
                        space.start_again();
                        eager(task, Estimate::RelaxedPlan, budget)?.run(space)?
                    }
                    goal @ Ending::Goal(_) => goal,
                }
            }
            Self::Width => {
                let heuristic = Additive::new(task, CostUse::One, Estimate::RelaxedPlan, budget)?;
                let relaxation = task.relaxation(budget)?;
                Width {
                    heuristic,
                    relaxation,
                }
                .run(space)?
            }
            Self::AStar(Admissible::LandmarkCut) => {
                Deferred::new(LandmarkCut::new(task, budget)?).run(space)?
            }
            Self::AStar(admissible) => {
                let heuristic = admissible.heuristic(task, budget)?;
                BestFirst::new(vec![heuristic], Order::AStar).run(space)?
            }
        };
        let proven_optimal = matches!(self, Self::AStar(_)) && task.proves_optimality();
        Ok(match end {
            Ending::Goal(state) => outcome(space, state, proven_optimal),
            Ending::Nothing => space.nothing_left(),
        })
    }
}

impl Planner for PlannerKind {
    fn name(&self) -> &str {
        self.as_str()
    }

    fn plan(&self, task: &SearchTask, request: &mut PlanRequest<'_>) -> Report {
        let mut space = Space::new(task, request);
        let outcome = self.run(task, &mut space).unwrap_or_else(SearchOutcome::from);
        space.report(outcome)
    }
}

impl fmt::Display for PlannerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The error for an unknown planner name; contains the name. `FromStr` of [`PlannerKind`] returns it. Its text suggests
/// a planner with a similar name, or the one that other planners call so.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no planner `{}`{}", .0, did_you_mean(meant(.0)))]
pub struct UnknownPlanner(pub String);

fn meant(name: &str) -> Option<&'static str> {
    nearest(&our_name(name), PlannerKind::ALL.map(PlannerKind::as_str))
}

impl FromStr for PlannerKind {
    type Err = UnknownPlanner;

    fn from_str(name: &str) -> Result<Self, UnknownPlanner> {
        let ours = our_name(name);
        let found = Self::ALL.into_iter().find(|kind| kind.as_str() == ours);
        found.ok_or_else(|| UnknownPlanner(name.to_owned()))
    }
}

fn outcome(space: &mut Space<'_, '_>, state: u32, proven_optimal: bool) -> SearchOutcome {
    if state == 0 {
        return SearchOutcome::GoalAlreadyTrue;
    }
    let (plan, _) = space.plan_to(state, proven_optimal);
    space.statistics.best_cost = Some(plan.cost);
    SearchOutcome::Plan(plan)
}

fn ff<'t>(
    task: &'t SearchTask,
    costs: CostUse,
    estimate: Estimate,
    budget: &Budget,
) -> Result<Box<dyn Heuristic + 't>, BudgetExhausted> {
    Ok(Box::new(Additive::new(task, costs, estimate, budget)?))
}

fn eager<'t>(
    task: &'t SearchTask,
    estimate: Estimate,
    budget: &Budget,
) -> Result<BestFirst<'t>, BudgetExhausted> {
    let heuristic = ff(task, CostUse::One, estimate, budget)?;
    Ok(BestFirst::new(vec![heuristic], Order::Greedy))
}

/// Lazy greedy search for any plan, optionally with landmark counts.
fn greedy<'t>(task: &'t SearchTask, budget: &Budget, landmarks: bool) -> Result<Lazy<'t>, BudgetExhausted> {
    Ok(Lazy {
        heuristics: heuristics(task, CostUse::One, budget, landmarks)?,
        prefers: true,
        weight: None,
        bound: None,
    })
}

fn heuristics<'t>(
    task: &'t SearchTask,
    costs: CostUse,
    budget: &Budget,
    landmarks: bool,
) -> Result<Vec<Box<dyn Heuristic + 't>>, BudgetExhausted> {
    let mut heuristics = vec![ff(task, costs, Estimate::RelaxedPlan, budget)?];
    if landmarks {
        let found = find(task, budget)?;
        heuristics.push(Box::new(LandmarkCount::new(task, found, budget)?));
    }
    Ok(heuristics)
}

/// The weights of the successive weighted A* searches. The last one is repeated until no cheaper plan exists.
const WEIGHTS: [u64; 4] = [5, 3, 2, 1];

/// Finds a first plan, then cheaper and cheaper ones.
fn anytime(task: &SearchTask, space: &mut Space<'_, '_>, budget: &Budget) -> Result<SearchOutcome, Halt> {
    let Ending::Goal(state) = greedy(task, budget, true)?.run(space)? else {
        return Ok(space.nothing_left());
    };
    if state == 0 {
        return Ok(SearchOutcome::GoalAlreadyTrue);
    }
    let (mut best, mut bound) = space.plan_to(state, false);
    for (index, weight) in WEIGHTS.into_iter().enumerate() {
        loop {
            space.statistics.best_cost = Some(best.cost);
            space.tell(Some(&best));
            match improve(task, space, budget, weight, bound) {
                Ok(Some(better)) => (best, bound) = better,
                Ok(None) => {
                    // The search pruned only states that cost too much, so no cheaper plan exists.
                    best.proven_optimal = task.proves_optimality();
                    return Ok(SearchOutcome::Plan(best));
                }
                Err(_) => return Ok(SearchOutcome::Plan(best)),
            }
            if index + 1 < WEIGHTS.len() {
                break;
            }
        }
    }
    Ok(SearchOutcome::Plan(best))
}

/// Searches for a plan that costs less than `bound`. Returns it with its cost in units, or `None` if no such plan exists
/// or is found.
fn improve(
    task: &SearchTask,
    space: &mut Space<'_, '_>,
    budget: &Budget,
    weight: u64,
    bound: u64,
) -> Result<Option<(Plan, u64)>, Halt> {
    space.start_again();
    let mut search = Lazy {
        heuristics: heuristics(task, CostUse::PlusOne, budget, false)?,
        prefers: true,
        weight: Some(weight),
        bound: Some(bound),
    };
    Ok(match search.run(space)? {
        Ending::Goal(state) => Some(space.plan_to(state, false)),
        Ending::Nothing => None,
    })
}
