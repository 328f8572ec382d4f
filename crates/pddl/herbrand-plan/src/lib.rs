//! Planners on ground tasks.
//!
//! A [`SearchTask`] is a deterministic problem: reach the goal from one state. A [`Planner`] searches for a plan within a
//! budget and reports how the search ended; [`Planner::solve`] creates the task and plans. [`PlannerKind`] lists the
//! planners of this crate: greedy best-first search, weighted A*, A*, best-first width search, hill-climbing. A
//! [`HeuristicPlanner`] searches with a [`Heuristic`] of your own. With the feature `external`, an `External` planner runs another program and executes its plan to verify it.
//!
//! ```text
//!   Simulator, State ──▶ SearchTask ──▶ Planner::plan ──▶ Report { outcome, statistics }
//!                          │     │
//!              Relaxation ◀┘     └▶ Walker, StateStore        successors, derived atoms, states found
//!                   │
//!                   └▶ heuristics, landmarks
//! ```
//!
//! ```
//! use herbrand_limits::Budget;
//! use herbrand_pddl::{Domain, Problem};
//! use herbrand_plan::{Determinization, PlanRequest, Planner, PlannerKind, SearchOutcome};
//!
//! let domain = Domain::from_text("(define (domain ring) (:predicates (at ?x) (next ?x ?y))
//!     (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y)) :effect (and (at ?y) (not (at ?x)))))")?;
//! let problem = Problem::from_text("(define (problem p) (:domain ring) (:objects a b c)
//!     (:init (at a) (next a b) (next b c) (next c a)) (:goal (at c)))", &domain)?;
//! let simulator = herbrand_step::compile(&domain, &problem)?;
//! let mut request = PlanRequest { budget: Budget::unlimited(), seed: 0, progress: &mut |_| {} };
//! let start = simulator.initial_state();
//! let report = PlannerKind::default().solve(&simulator, &start, Determinization::default(), &mut request)?;
//! let SearchOutcome::Plan(plan) = report.outcome else { panic!("two steps lead there") };
//! let steps: Vec<_> = plan.steps.iter().map(|&step| simulator.task().display_action(step).to_string()).collect();
//! assert_eq!(steps, ["(go a b)", "(go b c)"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate `herbrand` re-exports this crate as `herbrand::plan`: there, read `herbrand_plan` in the examples as
//! `herbrand::plan`.

mod amounts;
mod chance;
mod cost;
mod estimate;
#[cfg(feature = "external")]
mod external;
mod heuristic;
mod landmark;
mod linear;
mod outcome;
mod planner;
mod projection;
mod relax;
mod search;
mod state_space;
mod states;
#[cfg(test)]
mod strategies;
mod task;

pub use amounts::MetricAmounts;
pub use chance::{
    ActionRow, ActionTable, ActionTableError, ActionValue, Policy, PolicyKind, PolicyOptions,
    PolicyStatistics, PolicyTable, PolicyValue, ProbabilisticTask, TableState, TabledPolicy, TaskWalker,
    UctLeaf, UnknownPolicyPlanner, evaluate, policy_table,
};
pub use cost::StepCosts;
pub use estimate::{Estimator, HeuristicKind, landmarks};
#[cfg(feature = "external")]
pub use external::{CommandError, External, ExternalCommand, problem_at};
pub use heuristic::{Admissible, EstimateError, Heuristic, StateBatch};
pub use outcome::{Plan, PlanRequest, PlannerError, Progress, Report, SearchOutcome, SearchStatistics};
pub use planner::{HeuristicPlanner, HeuristicSearch, Planner, PlannerKind, UnknownPlanner, our_name};
pub use relax::DeleteRelaxation;
pub use search::NoveltyTable;
pub use state_space::{left_out, state_space};
pub use task::{Determinization, SearchTask, TaskError};
