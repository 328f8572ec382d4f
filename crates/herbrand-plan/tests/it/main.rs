//! Tests of the public interface, in one program.

#![allow(clippy::unwrap_used, reason = "test code")]

mod chance;
mod exhaustive;
mod heuristics;
mod plans;
mod process;
mod worked;

use std::sync::Arc;

use herbrand_ground::strategies::{Sketch, sketches};
use herbrand_limits::Budget;
use herbrand_pddl::strategies::{Shape, tasks};
use herbrand_plan::{Determinization, Planner, PlannerKind, Report, Request, SearchTask};
use herbrand_step::{Options, Simulator, compile};
use proptest::prelude::*;

/// Tasks from random models and random ground tasks, small enough to be searched exhaustively as a rule.
fn any_task() -> BoxedStrategy<SearchTask> {
    let models = tasks(&Shape::default()).prop_filter_map("the model grounds", |(domain, problem)| {
        search_task(&compile(&domain, &problem).ok()?)
    });
    let ground = sketches().prop_filter_map("few outcomes", |sketch| {
        let sketch = Sketch {
            actions: sketch.actions.min(20),
            fluents: sketch.fluents.min(8),
            ..sketch
        };
        search_task(&Simulator::new(sketch.build()))
    });
    prop_oneof![models, ground].boxed()
}

/// The task with an action for each outcome, unless some action has many: thousands for each of twenty actions would take
/// gigabytes, and more states than are searched here.
fn search_task(simulator: &Simulator) -> Option<SearchTask> {
    let options = Options {
        outcome_limit: 64,
        ..simulator.options()
    };
    let simulator = Simulator::with_options(Arc::new(simulator.task().clone()), options);
    let start = simulator.initial_state();
    SearchTask::new(
        &simulator,
        &start,
        Determinization::AllOutcomes,
        &Budget::unlimited(),
    )
    .ok()
}

fn run(kind: PlannerKind, task: &SearchTask, seed: u64) -> Report {
    let mut request = Request {
        budget: Budget::unlimited(),
        seed,
        progress: &mut |_| {},
    };
    kind.plan(task, &mut request)
}

/// The simulator of a domain and a problem.
fn simulator(domain: &str, problem: &str) -> Simulator {
    let domain = herbrand_pddl::Domain::from_text(domain).unwrap();
    let problem = herbrand_pddl::Problem::from_text(problem, &domain).unwrap();
    compile(&domain, &problem).unwrap()
}
