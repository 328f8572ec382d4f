//! The values of the heuristics in the initial state.

use std::io::Write;

use herbrand::env::Suite;
use herbrand::limits::{Budget, Limits};
use herbrand::plan::{Admissible, Determinization, Estimator, HeuristicKind, SearchTask, landmarks};
use serde::Serialize;

use crate::failure::Failure;

/// The heuristics, with their names in the names of planners.
const HEURISTICS: [(&str, HeuristicKind); 5] = [
    ("blind", HeuristicKind::Admissible(Admissible::Blind)),
    ("max", HeuristicKind::Admissible(Admissible::Maximum)),
    ("lmcut", HeuristicKind::Admissible(Admissible::LandmarkCut)),
    ("ff", HeuristicKind::Ff),
    ("additive", HeuristicKind::Additive),
];

/// The estimates of the cost from the initial state to the goal.
#[derive(Serialize)]
pub struct Estimates {
    heuristics: Vec<HeuristicValue>,
    /// The number of facts that are true at some time in every plan, as far as they are found.
    landmarks: usize,
}

#[derive(Serialize)]
struct HeuristicValue {
    name: &'static str,
    /// `None` if the goal is proven unreachable.
    value: Option<f64>,
    admissible: bool,
}

impl Estimates {
    /// Computes the values for the first problem. A random initial state is taken without its draws, and every outcome of an
    /// action can be chosen.
    ///
    /// # Errors
    /// Fails if the problem is faulty, or a limit is reached.
    pub fn of(suite: &Suite, limits: Limits) -> Result<Self, Failure> {
        let budget = Budget::new(limits);
        let simulator = suite.instance(0)?.simulator();
        let start = simulator.initial_state();
        let task = SearchTask::new(simulator, &start, Determinization::AllOutcomes, &budget);
        let task = task.map_err(Failure::of)?;
        let value = |(name, kind)| {
            let mut estimator = Estimator::new(&task, kind, &budget).map_err(Failure::of)?;
            Ok(HeuristicValue {
                name,
                value: estimator.estimate(task.start()).map_err(Failure::of)?,
                admissible: matches!(kind, HeuristicKind::Admissible(_)),
            })
        };
        Ok(Self {
            heuristics: HEURISTICS
                .into_iter()
                .map(value)
                .collect::<Result<_, Failure>>()?,
            landmarks: landmarks(&task, &budget).map_err(Failure::of)?.len(),
        })
    }

    /// Prints a line per heuristic, and the number of landmarks.
    ///
    /// # Errors
    /// Fails if writing fails.
    pub fn print(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let bold = anstyle::Style::new().bold();
        writeln!(out, "\n{bold}estimates of the cost to the goal{bold:#}")?;
        for one in &self.heuristics {
            let value = one
                .value
                .map_or_else(|| "∞".to_owned(), |value| value.to_string());
            let note = if one.admissible { "" } else { "  may be too high" };
            writeln!(out, "  {:<10}{value:>10}{note}", one.name)?;
        }
        writeln!(
            out,
            "  {:<10}{:>10}  facts of every plan",
            "landmarks", self.landmarks
        )?;
        Ok(())
    }
}
