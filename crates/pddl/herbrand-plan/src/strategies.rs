//! Random tasks for property tests.

use std::sync::Arc;

use herbrand_ground::strategies::{TaskSketch, sketches};
use herbrand_limits::Budget;
use herbrand_pddl::strategies::{Shape, tasks};
use herbrand_step::{Options, Simulator, compile};
use proptest::prelude::*;

use crate::{Determinization, SearchTask};

/// Tasks from random models and random ground tasks, usually small enough to be searched exhaustively.
pub(crate) fn any_task() -> BoxedStrategy<SearchTask> {
    let models = tasks(&Shape::default()).prop_filter_map("the model grounds", |(domain, problem)| {
        search_task(&compile(&domain, &problem).ok()?)
    });
    let ground = sketches().prop_filter_map("few outcomes", |sketch| {
        let sketch = TaskSketch {
            actions: sketch.actions.min(20),
            fluents: sketch.fluents.min(8),
            ..sketch
        };
        search_task(&Simulator::new(sketch.build()))
    });
    prop_oneof![models, ground].boxed()
}

/// Returns the all-outcomes determinization of a task. `None` if an action has more than 64 outcomes: thousands of outcomes
/// for each of twenty actions would take gigabytes.
pub(crate) fn search_task(simulator: &Simulator) -> Option<SearchTask> {
    let options = Options {
        outcome_limit: 64,
        ..simulator.options()
    };
    let simulator = Simulator::with_options(Arc::new(simulator.task().clone()), options);
    let start = simulator.initial_state();
    let budget = Budget::unlimited();
    SearchTask::new(&simulator, &start, Determinization::AllOutcomes, &budget).ok()
}
