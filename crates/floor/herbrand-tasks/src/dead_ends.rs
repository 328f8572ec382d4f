//! The dead ends near the start.

use serde::{Deserialize, Serialize};

use crate::failure::TaskFailure;
use crate::options::{OptionSpec, at_least};
use crate::problems::AnyProblems;
use crate::run::Run;
use crate::space::{SpaceQuery, space};
use crate::task_query::TaskQuery;

/// How near to the start dead ends are counted.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct DeadEndsQuery {
    /// The number of steps.
    pub steps: u32,
}

impl Default for DeadEndsQuery {
    /// Ten steps.
    fn default() -> Self {
        Self { steps: 10 }
    }
}

/// The number of dead ends near the start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DeadEndsAnswer {
    /// The number of states near the start.
    pub states: usize,
    /// The number of them from which no goal state can be reached.
    pub dead_ends: usize,
}

impl TaskQuery for DeadEndsQuery {
    const NAME: &'static str = "dead-ends";
    const ABOUT: &'static str =
        "Count the states within some steps of the start from which no goal can be reached.";
    const OPTIONS: &'static [OptionSpec] = &[OptionSpec::new(
        "steps",
        at_least("N", 0),
        "The number of steps [default: 10]",
    )];
    type Answer = DeadEndsAnswer;

    fn answer(&self, problems: &AnyProblems, run: &mut Run<'_>) -> Result<DeadEndsAnswer, TaskFailure> {
        dead_ends(problems, self, run)
    }
}

/// Counts the states within some steps of the start from which no goal state of the first problem can be reached.
///
/// ```
/// use herbrand_env::Registry;
/// use herbrand_tasks::dead_ends::{DeadEndsQuery, dead_ends};
/// use herbrand_tasks::{AnyProblems, Run};
///
/// let problems = AnyProblems::Pddl(Registry::get("tireworld")?);
/// let answer = dead_ends(&problems, &DeadEndsQuery { steps: 3 }, &mut Run::default())?;
/// assert!(0 < answer.dead_ends && answer.dead_ends < answer.states);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the problem is faulty, has no goal, or has more states than the limits allow: a state that is not expanded may lead
/// to the goal.
pub fn dead_ends(
    problems: &AnyProblems,
    query: &DeadEndsQuery,
    run: &mut Run<'_>,
) -> Result<DeadEndsAnswer, TaskFailure> {
    if matches!(problems, AnyProblems::Rddl(_)) {
        return Err(problems.unsupported(DeadEndsQuery::NAME, "problems with goals"));
    }
    let answer = space(problems, &SpaceQuery::default(), run)?;
    if let Some(limit) = answer.limit {
        return Err(TaskFailure::Incomplete(limit));
    }
    let analysis = &answer.space.analysis;
    let near = analysis.start_steps.iter().zip(&analysis.dead_ends);
    let near = near.filter(|&(&steps, _)| steps <= query.steps);
    Ok(DeadEndsAnswer {
        states: near.clone().count(),
        dead_ends: near.filter(|&(_, &is_dead)| is_dead).count(),
    })
}
