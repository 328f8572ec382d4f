//! External planners: other programs.

mod answer;
mod command;
mod problem;
mod process;

use std::fs;
use std::path::Path;

use herbrand_limits::Instant;
use herbrand_pddl::{Domain, Problem};

use crate::outcome::{PlanRequest, PlannerError, Report, SearchOutcome, SearchStatistics};
use crate::planner::Planner;
use crate::task::SearchTask;

pub use command::{CommandError, ExternalCommand};
pub use problem::problem_at;
use process::{Ended, Files};

/// Another program as a planner, such as Fast Downward, for comparison or for tasks that the planners of this crate do not
/// solve.
///
/// The program runs in a new empty folder, which contains the domain and the problem as files. It gets the rest of the
/// request's budget: when the time is over, its whole process group is killed (on Unix), and its address space is limited to
/// the remaining bytes (on Linux). Wall-clock time counts, whatever the clock of the budget. Its output is verified: a plan
/// is executed from the start of the task, and [rejected](PlannerError) unless every step is applicable and the goal holds
/// at the end. No plan is reported as optimal, and no task as unsolvable. The program is not sandboxed: it can do everything
/// its user can.
///
/// A program that keeps improving its plan may write `plan.1`, `plan.2` and so on, next to the file `plan`. The file
/// `plan` is tried first, then the numbered ones from the highest number down; the first valid plan is the result, even
/// if the time ran out, unless the budget was cancelled. Probabilistic tasks, even determinized ones, are not passed to
/// the program: they give [`PlannerError::Chance`]. If the goal holds at the start, the program is not run. The seed of
/// the request is ignored, and the report has only the time and the best cost.
///
/// ```no_run
/// use herbrand_limits::{Budget, Limits};
/// use herbrand_pddl::{Domain, Problem};
/// use herbrand_plan::{Determinization, External, ExternalCommand, PlanRequest, Planner};
///
/// let domain = Domain::from_file("domain.pddl")?;
/// let problem = Problem::from_file("problem.pddl", &domain)?;
/// let simulator = herbrand_step::compile(&domain, &problem)?;
/// let command: ExternalCommand =
///     "fast-downward.py --plan-file {plan} {domain} {problem} --search 'astar(lmcut())'".parse()?;
/// let limits = Limits { bytes: Some(4 << 30), time: Some(std::time::Duration::from_secs(30)) };
/// let mut request = PlanRequest { budget: Budget::new(limits), seed: 0, progress: &mut |_| {} };
/// let start = simulator.initial_state();
/// let planner = External::new(command, domain, problem);
/// let report = planner.solve(&simulator, &start, Determinization::default(), &mut request)?;
/// println!("{}: {}", planner.name(), report.outcome.name());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct External {
    command: ExternalCommand,
    name: String,
    domain: Domain,
    problem: Problem,
}

impl External {
    /// Creates a planner that runs `command`. It solves tasks of this domain and problem, from any state of the
    /// problem. The two must be the ones from which the simulators of the tasks were compiled. A task of another
    /// problem is not noticed: its plans are rejected unless they are valid by chance, and solving it panics if it has
    /// other objects. The planner is named like the program's file, in lower case.
    #[must_use]
    pub fn new(command: ExternalCommand, domain: Domain, problem: Problem) -> Self {
        Self {
            name: command.program_name().to_lowercase(),
            command,
            domain,
            problem,
        }
    }

    fn ask(&self, task: &SearchTask, request: &mut PlanRequest<'_>) -> Result<SearchOutcome, PlannerError> {
        if task.has_chance() {
            return Err(PlannerError::Chance);
        }
        if task.simulator().is_goal(task.start()) {
            return Ok(SearchOutcome::GoalAlreadyTrue);
        }
        let folder = tempfile::Builder::new()
            .prefix("herbrand-")
            .tempdir()
            .map_err(files)?;
        let problem = problem_at(&self.domain, &self.problem, task.simulator(), task.start());
        let at = Files::of(folder.path());
        write(&at.domain, &self.domain.without_agent_actions().to_pddl())?;
        write(&at.problem, &problem.to_pddl(&self.domain))?;
        let words = self.command.words(&at);
        let ended = process::run(self.command.program_name(), &words, &at, request)?;
        let exhausted = match &ended {
            Ended::Itself(_) => None,
            Ended::Stopped(exhausted) => Some(SearchOutcome::from(*exhausted)),
        };
        // A plan written before the time ran out counts.
        match self.answer(task, &at, request) {
            Ok(Some(plan)) if exhausted != Some(SearchOutcome::Cancelled) => Ok(SearchOutcome::Plan(plan)),
            Ok(Some(_)) => Ok(SearchOutcome::Cancelled),
            answer => match (exhausted, answer, ended) {
                (Some(exhausted), ..) => Ok(exhausted),
                (None, Err(error), _) => Err(error),
                (None, _, Ended::Itself(status)) => {
                    Err(process::no_plan(self.command.program_name(), status, &at))
                }
                (None, _, Ended::Stopped(exhausted)) => Ok(exhausted.into()),
            },
        }
    }
}

impl Planner for External {
    /// Returns the file name of the program in lower case.
    fn name(&self) -> &str {
        &self.name
    }

    fn plan(&self, task: &SearchTask, request: &mut PlanRequest<'_>) -> Report {
        let began = Instant::now();
        let outcome = self.ask(task, request).unwrap_or_else(SearchOutcome::Failed);
        let best_cost = match &outcome {
            SearchOutcome::Plan(plan) => Some(plan.cost),
            _ => None,
        };
        Report {
            outcome,
            statistics: SearchStatistics {
                best_cost,
                time: began.elapsed(),
                ..SearchStatistics::default()
            },
        }
    }
}

fn write(file: &Path, text: &str) -> Result<(), PlannerError> {
    fs::write(file, text).map_err(files)
}

fn files(error: std::io::Error) -> PlannerError {
    PlannerError::Files(error.to_string())
}
