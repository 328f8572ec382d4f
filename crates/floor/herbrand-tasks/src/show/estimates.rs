//! The values of the heuristics in the initial state.

use herbrand_env::Suite;
use herbrand_limits::{Budget, Limits};
use herbrand_plan::{
    Admissible, Determinization, Estimator, HeuristicKind, SearchTask, TaskError, landmarks,
};
use serde::Serialize;

use crate::failure::TaskFailure;

/// The heuristics, with their names in the names of planners.
const HEURISTICS: [(&str, HeuristicKind); 5] = [
    ("blind", HeuristicKind::Admissible(Admissible::Blind)),
    ("max", HeuristicKind::Admissible(Admissible::Maximum)),
    ("lmcut", HeuristicKind::Admissible(Admissible::LandmarkCut)),
    ("ff", HeuristicKind::Ff),
    ("additive", HeuristicKind::Additive),
];

/// The estimates of the cost from the initial state to the goal.
#[derive(Clone, Debug, Serialize)]
pub struct Estimates {
    /// The values of the heuristics.
    pub heuristics: Vec<HeuristicValue>,
    /// The number of facts that are true at some time in every plan, as far as they are found.
    pub landmarks: usize,
}

/// The value of a heuristic in the initial state.
#[derive(Clone, Debug, Serialize)]
pub struct HeuristicValue {
    /// The name of the heuristic.
    pub name: &'static str,
    /// The value; `None` if the goal is proven unreachable.
    pub value: Option<f64>,
    /// Whether the value is never too high.
    pub admissible: bool,
}

impl Estimates {
    /// Computes the values for the first problem. A random initial state is taken without its draws, and every outcome of an
    /// action can be chosen.
    ///
    /// # Errors
    /// Fails if the problem is faulty, or a limit is reached.
    pub(super) fn of(suite: &Suite, limits: Limits) -> Result<Self, TaskFailure> {
        let budget = Budget::new(limits);
        let simulator = suite.timeless_instance(0, "a heuristic")?.simulator();
        let start = simulator.initial_state();
        let task = SearchTask::new(simulator, &start, Determinization::AllOutcomes, &budget);
        let task = task.map_err(|error| match error {
            TaskError::Step(error) => TaskFailure::from(error),
            TaskError::BudgetExhausted(spent) => spent.into(),
        })?;
        let value = |(name, kind)| {
            let mut estimator = Estimator::new(&task, kind, &budget)?;
            Ok(HeuristicValue {
                name,
                value: estimator.estimate(task.start())?,
                admissible: matches!(kind, HeuristicKind::Admissible(_)),
            })
        };
        Ok(Self {
            heuristics: HEURISTICS
                .into_iter()
                .map(value)
                .collect::<Result<_, TaskFailure>>()?,
            landmarks: landmarks(&task, &budget)?.len(),
        })
    }
}
