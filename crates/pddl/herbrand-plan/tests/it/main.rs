//! Integration tests of the public interface, in one binary.

#![allow(clippy::unwrap_used, reason = "test code")]

mod batches;
mod chance;
mod depending;
mod exhaustive;
#[cfg(unix)]
mod external;
mod heuristics;
mod own;
mod plans;
mod process;
mod rounding;
#[path = "../../src/strategies.rs"]
mod strategies;
mod symmetry;
mod worked;

use herbrand_limits::Budget;
use herbrand_plan::{Determinization, PlanRequest, Planner, PlannerKind, Progress, Report, SearchTask};
use herbrand_step::{Simulator, compile};

use strategies::{any_task, search_task};

fn run(kind: PlannerKind, task: &SearchTask, seed: u64) -> Report {
    run_with(kind, task, seed, |_| {})
}

/// Runs a planner, and passes its progress to `watch`.
fn run_with(kind: PlannerKind, task: &SearchTask, seed: u64, mut watch: impl FnMut(Progress<'_>)) -> Report {
    let mut request = PlanRequest {
        budget: Budget::unlimited(),
        seed,
        progress: &mut watch,
    };
    kind.plan(task, &mut request)
}

/// Compiles a domain and a problem.
fn simulator(domain: &str, problem: &str) -> Simulator {
    let domain = herbrand_pddl::Domain::from_text(domain).unwrap();
    let problem = herbrand_pddl::Problem::from_text(problem, &domain).unwrap();
    compile(&domain, &problem).unwrap()
}
