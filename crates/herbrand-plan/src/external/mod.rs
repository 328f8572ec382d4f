//! Planners that are other programs.

mod answer;
mod command;
mod problem;
mod process;

use std::fs;
use std::path::Path;

use herbrand_limits::Instant;
use herbrand_pddl::{Domain, Problem};

use crate::outcome::{Outcome, PlannerError, Report, Request, Statistics};
use crate::planner::Planner;
use crate::task::SearchTask;

pub use command::{CommandError, ExternalCommand};
pub use problem::problem_at;
use process::{Ended, Files};

/// Another program as a planner, such as Fast Downward: for comparison, or where it finds what the planners of this crate do
/// not.
///
/// It is started in an empty folder of its own, with the domain and the problem as files, and is given what the request has
/// left: after that time it is ended with every process of its group (on Unix), and it may use as many bytes of address space
/// (on Linux). The time is that of the wall, whatever clock the budget has. What it says is not believed: a plan is executed,
/// from the start of the task, and is [refused](PlannerError) unless every step is applicable and the goal holds at the end.
/// No plan is said to be optimal, and no task to be unsolvable. Apart from that the program can do whatever the user can who
/// starts it.
///
/// A program that goes on looking for better plans writes them as `plan.1`, `plan.2` and so on beside the file `plan`: the last
/// one that is complete counts, also when the time was up.
///
/// ```no_run
/// use herbrand_limits::{Budget, Limits};
/// use herbrand_pddl::{Domain, Problem};
/// use herbrand_plan::{Determinization, External, ExternalCommand, Planner, Request};
///
/// let domain = Domain::from_file("domain.pddl")?;
/// let problem = Problem::from_file("problem.pddl", &domain)?;
/// let simulator = herbrand_step::compile(&domain, &problem)?;
/// let command: ExternalCommand =
///     "fast-downward.py --plan-file {plan} {domain} {problem} --search 'astar(lmcut())'".parse()?;
/// let limits = Limits { bytes: Some(4 << 30), time: Some(std::time::Duration::from_secs(30)) };
/// let mut request = Request { budget: Budget::new(limits), seed: 0, progress: &mut |_| {} };
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
    /// The planner that a command starts, for tasks of this problem: from any of its states.
    #[must_use]
    pub fn new(command: ExternalCommand, domain: Domain, problem: Problem) -> Self {
        Self {
            name: command.program_name().to_lowercase(),
            command,
            domain,
            problem,
        }
    }

    fn ask(&self, task: &SearchTask, request: &mut Request<'_>) -> Result<Outcome, PlannerError> {
        if task.has_chance() {
            return Err(PlannerError::Chance);
        }
        if task.simulator().is_goal(task.start()) {
            return Ok(Outcome::GoalAlreadyTrue);
        }
        let folder = tempfile::Builder::new()
            .prefix("herbrand-")
            .tempdir()
            .map_err(files)?;
        let problem = problem_at(&self.domain, &self.problem, task.simulator(), task.start());
        let at = Files::of(folder.path());
        write(&at.domain, &self.domain.to_pddl())?;
        write(&at.problem, &problem.to_pddl(&self.domain))?;
        let words = self.command.words(&at);
        let ended = process::run(self.command.program_name(), &words, &at, request)?;
        let spent = match &ended {
            Ended::Itself(_) => None,
            Ended::Stopped(spent) => Some(Outcome::from(*spent)),
        };
        // A plan that was found before the time was up is one.
        match self.answer(task, &at, request) {
            Ok(Some(plan)) if spent != Some(Outcome::Cancelled) => Ok(Outcome::Plan(plan)),
            Ok(Some(_)) => Ok(Outcome::Cancelled),
            answer => match (spent, answer, ended) {
                (Some(spent), ..) => Ok(spent),
                (None, Err(error), _) => Err(error),
                (None, _, Ended::Itself(status)) => {
                    Err(process::no_plan(self.command.program_name(), status, &at))
                }
                (None, _, Ended::Stopped(spent)) => Ok(spent.into()),
            },
        }
    }
}

impl Planner for External {
    /// The name of the program, in lower case, without its folder.
    fn name(&self) -> &str {
        &self.name
    }

    fn plan(&self, task: &SearchTask, request: &mut Request<'_>) -> Report {
        let began = Instant::now();
        let outcome = self.ask(task, request).unwrap_or_else(Outcome::Failed);
        let best_cost = match &outcome {
            Outcome::Plan(plan) => Some(plan.cost),
            _ => None,
        };
        Report {
            outcome,
            statistics: Statistics {
                best_cost,
                time: began.elapsed(),
                ..Statistics::default()
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
