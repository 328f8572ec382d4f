//! The state space of a problem.

mod archive;
mod arrays;
mod drawn;
mod explored;

pub use arrays::{ArrayNumbers, SpaceArray, space_arrays};
pub use explored::ExploredSpace;

use herbrand_core::{DistanceRow, SpaceAnalysis};
use serde::{Deserialize, Serialize};

use crate::failure::TaskFailure;
use crate::options::{OptionSpec, OptionValues, at_least};
use crate::problems::AnyProblems;
use crate::run::Run;
use crate::task_query::TaskQuery;

/// How far to explore a state space.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the table of options describes the fields")]
pub struct SpaceQuery {
    pub states: usize,
    pub symmetry: bool,
}

impl Default for SpaceQuery {
    /// A million states.
    fn default() -> Self {
        Self {
            states: 1_000_000,
            symmetry: false,
        }
    }
}

impl TaskQuery for SpaceQuery {
    const NAME: &'static str = "space";
    const ABOUT: &'static str = "Explore the state space, and count states, goals, dead ends and distances.";
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec::new(
            "states",
            at_least("N", 0),
            "The number of states after which no further state is expanded [default: 1000000]",
        ),
        OptionSpec::new(
            "symmetry",
            OptionValues::Flag,
            "Merge states that differ only by an exchange of objects with the same role",
        ),
    ];
    type Answer = SpaceAnswer;

    fn answer(&self, problems: &AnyProblems, run: &mut Run<'_>) -> Result<SpaceAnswer, TaskFailure> {
        space(problems, self, run)
    }
}

/// The figures of a state space, or of the part of it that was explored within the limits. Serialises as
/// `herbrand space --format json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct SpaceAnswer {
    /// The name of the set of problems.
    pub domain: String,
    /// The name of the problem.
    pub problem: String,
    /// The number of states.
    pub states: usize,
    /// The number of expanded states.
    pub expanded: usize,
    /// Whether all states were found and expanded.
    pub complete: bool,
    /// The reason why states are missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// The numbers that keep their first value in all states, because nothing but the metric reads them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// The objects that play the same role, in groups: the space has one state of each orbit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interchangeable: Option<Vec<Vec<String>>>,
    /// The number of states whose orbits are not one state, because they have too many symmetries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub apart: Option<u64>,
    /// The reason why numbers may be rounded, so that states may be missing, or be two instead of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounding: Option<String>,
    /// The number of pairs of a state and an action that is valid in it.
    pub choices: usize,
    /// The number of outcomes of all choices.
    pub transitions: usize,
    /// The number of goal states; `None` in RDDL, which has no goals.
    pub goal_states: Option<usize>,
    /// The number of states from which no goal state can be reached; `None` in RDDL.
    pub dead_ends: Option<usize>,
    /// The largest number of steps from the start to a state.
    pub depth: Option<u32>,
    /// The least number of steps from the start to a goal state.
    pub goal_steps: Option<u32>,
    /// The least cost from the start to a goal state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal_cost: Option<f64>,
    /// The number of strongly connected components.
    pub components: usize,
    /// The number of states of the largest component.
    pub largest_component: u32,
    /// The memory of the states and transitions, in bytes.
    pub bytes: usize,
    /// The largest memory of the process so far, in bytes, if the run tells it.
    pub peak_bytes: Option<u64>,
    /// Seconds of exploration and analysis, without grounding.
    pub seconds: f64,
    /// The states and outcomes at each distance.
    pub distances: Vec<SpaceDistance>,
    /// The names of numbers that states differ in although nothing but the metric may read them, each with the reason, if
    /// states are missing.
    #[serde(skip)]
    pub counters: Vec<(String, &'static str)>,
    /// The space itself.
    #[serde(skip)]
    pub space: ExploredSpace,
}

/// The states and outcomes at one distance.
#[derive(Clone, Debug, Serialize)]
pub struct SpaceDistance {
    /// The distance.
    pub steps: usize,
    /// The number of states at this distance from the start.
    pub from_start: usize,
    /// The number of states at this distance from the goal.
    pub to_goal: usize,
    /// The number of outcomes of these states that lead nearer to the goal.
    pub nearer: usize,
    /// The number of them that lead to a state at the same distance.
    pub level: usize,
    /// The number of them that lead farther away.
    pub farther: usize,
}

/// Explores the state space of the first of the problems, breadth first, up to the limits: the figures of a part are no
/// failure.
///
/// ```
/// use herbrand_env::Registry;
/// use herbrand_tasks::space::{SpaceQuery, space};
/// use herbrand_tasks::{AnyProblems, Run};
///
/// let problems = AnyProblems::Pddl(Registry::get("blocks")?);
/// let answer = space(&problems, &SpaceQuery::default(), &mut Run::default())?;
/// assert_eq!((answer.states, answer.goal_states), (5, Some(1)));
/// assert!(answer.space.dot().starts_with("digraph"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the problem is faulty or too large to be grounded, a step has infinitely many outcomes, or states are to be merged by
/// symmetry in RDDL.
pub fn space(
    problems: &AnyProblems,
    query: &SpaceQuery,
    run: &mut Run<'_>,
) -> Result<SpaceAnswer, TaskFailure> {
    let found = explored::explore(&problems.first()?, query, run.limits)?;
    let (graph, analysis) = (&found.space.graph, &found.space.analysis);
    let count = |list: &[bool]| list.iter().filter(|&&is_so| is_so).count();
    let count_if_goals = |list| found.space.has_goals.then(|| count(list));
    let starts = || graph.starts.iter().map(|&(_, state)| state as usize);
    let steps = starts().map(|state| analysis.goal_steps[state]).min();
    let costs = starts().filter_map(|state| analysis.goal_costs.get(state).copied());
    let cost = costs.fold(f64::INFINITY, f64::min);
    let distance = |(steps, row): (usize, DistanceRow)| SpaceDistance {
        steps,
        from_start: row.from_start,
        to_goal: row.to_goal,
        nearer: row.nearer,
        level: row.level,
        farther: row.farther,
    };
    Ok(SpaceAnswer {
        domain: found.space.domain.clone(),
        problem: found.space.problem.clone(),
        states: graph.len(),
        expanded: graph.expanded as usize,
        complete: graph.is_complete(),
        limit: graph.limit.map(|limit| limit.to_string()),
        left_out: found.left_out,
        apart: found.interchangeable.as_ref().map(|_| found.apart),
        interchangeable: found.interchangeable,
        rounding: found.space.rounding.clone(),
        choices: graph.actions.len(),
        transitions: graph.targets.len(),
        goal_states: count_if_goals(&graph.goals),
        dead_ends: count_if_goals(&analysis.dead_ends),
        depth: analysis.depth(),
        goal_steps: steps.filter(|&steps| steps != SpaceAnalysis::UNREACHED),
        goal_cost: Some(cost).filter(|cost| cost.is_finite() && !graph.costs.is_empty()),
        components: analysis.component_sizes.len(),
        largest_component: analysis.component_sizes.iter().copied().max().unwrap_or(0),
        bytes: found.bytes,
        peak_bytes: run.peak_bytes(),
        seconds: found.seconds,
        distances: analysis
            .by_distance(graph)
            .into_iter()
            .enumerate()
            .map(distance)
            .collect(),
        counters: if graph.is_complete() {
            Vec::new()
        } else {
            found.counters
        },
        space: found.space,
    })
}
