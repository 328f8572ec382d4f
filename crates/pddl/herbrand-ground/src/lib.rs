//! Grounds planning problems: compiles a domain and a problem to a ground task, by a Datalog program.
//!
//! [`ground`] brings the domain and the goal into [normal form](NormalDomain), writes the delete-relaxed
//! [Datalog](herbrand_datalog) program, evaluates it, and makes the [`GroundTask`] from the firings of its rules.
//! [`LiftedTask`] is a problem compiled without grounding.
//!
//! ```
//! use herbrand_ground::{GroundOptions, ground};
//! use herbrand_pddl::{Domain, Problem};
//!
//! let domain = Domain::from_text("(define (domain switch) (:predicates (lamp ?l) (on ?l))
//!     (:action turn-on :parameters (?l) :precondition (and (lamp ?l) (not (on ?l))) :effect (on ?l)))")?;
//! let problem = Problem::from_text("(define (problem two) (:domain switch) (:objects a b)
//!     (:init (lamp a) (lamp b) (on b)) (:goal (on a)))", &domain)?;
//! let task = ground(&domain, &problem, &GroundOptions::default())?;
//! let actions: Vec<_> = task.actions.ids().map(|id| task.display_action(id).to_string()).collect();
//! assert_eq!(actions, ["(turn-on a)", "(turn-on b)"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ```text
//!   GroundTask
//!     atoms        0 (on a)  1 (on b) │ 2 (all-on)        fluents first, then derived
//!     actions      0 (turn-on a)  1 (turn-on b)           each: precondition, effect
//!     conditions   [¬0]   [¬1]   [0 ∧ 1]                  disjunctions of conjunctions of literals
//!     axioms       2 ← [0 ∧ 1]                            stratum by stratum
//!     statics      (lamp a) (lamp b)                      no ids: they never change
//! ```
//!
//! With the feature `serde`, a [`GroundTask`] can be serialised in any format, so that a problem that takes long to ground
//! is grounded once. Deserialisation checks the task by [`GroundTask::check`].
//!
//! The crate `herbrand` re-exports this crate as `herbrand::ground`: there, read `herbrand_ground` in the examples as
//! `herbrand::ground`.

mod error;
mod explain;
mod inline;
mod instance;
mod lifted;
mod normal;
mod options;
mod program;
mod relevance;
#[cfg(feature = "strategies")]
pub mod strategies;
mod task;
mod unreachable;

use herbrand_datalog::Evaluator;
use herbrand_limits::{Budget, deep};
use herbrand_pddl::{Domain, Problem};

pub use error::GroundError;
pub use explain::{ParameterExplanation, SchemaExplanation, explain, explain_bounds};
pub use lifted::{
    ComparisonInput, DisjunctRule, GoalLiteral, Guard, LiftedAction, LiftedBlock, LiftedItem, LiftedLeaf,
    LiftedTask,
};
pub use normal::*;
pub use options::{GroundOptions, KeptAtoms};
pub use program::{RelaxedProgram, TruthSource};
pub use task::*;
pub use unreachable::unreachable;

use instance::{Input, Recorder};
use program::ReachabilityProgram;

/// Grounds a problem, within the limits of the options. The domain must be the one against which the problem was checked.
///
/// # Errors
/// If the problem belongs to another domain, if axioms are not stratified, or if a limit, or a budget that
/// [encloses](Budget::enclose) the call, is exhausted ([`GroundError::Limit`], [`GroundError::BudgetExhausted`]).
/// [`LiftedTask`] steps such a problem without grounding it.
pub fn ground(
    domain: &Domain,
    problem: &Problem,
    options: &GroundOptions,
) -> Result<GroundTask, GroundError> {
    let budget = Budget::new(options.limits);
    let normal = NormalDomain::within(domain, &budget)?;
    ground_within(domain, &normal, problem, options, &budget)
}

/// Grounds a problem like [`ground`], with `normal`, the normal form of `domain` ([`NormalDomain::of`]), made by the
/// caller. It can be shared by all problems of a domain. `normal` must be of the same domain, which is not checked.
///
/// # Errors
/// Like [`ground`].
pub fn ground_normal(
    domain: &Domain,
    normal: &NormalDomain,
    problem: &Problem,
    options: &GroundOptions,
) -> Result<GroundTask, GroundError> {
    let budget = Budget::new(options.limits);
    ground_within(domain, normal, problem, options, &budget)
}

/// Grounds a problem like [`ground_normal`], within a budget that other computations share, and that another thread can
/// cancel. The limits of the options are ignored.
///
/// # Errors
/// Like [`ground`], with the budget in place of the limits.
pub fn ground_within(
    domain: &Domain,
    normal: &NormalDomain,
    problem: &Problem,
    options: &GroundOptions,
    budget: &Budget,
) -> Result<GroundTask, GroundError> {
    GroundError::check_domain(domain, problem)?;
    deep(|| grounded(domain, normal, problem, options, budget))
}

fn grounded(
    domain: &Domain,
    normal: &NormalDomain,
    problem: &Problem,
    options: &GroundOptions,
    budget: &Budget,
) -> Result<GroundTask, GroundError> {
    let goal = normal.goal(problem, budget)?;
    let strata = program::strata(domain, problem, normal, &goal, budget)?;
    let mut reachability = ReachabilityProgram::of(domain, problem, normal, &goal, budget)?;
    let facts = std::mem::take(&mut reachability.facts);
    let mut recorder = Recorder::new(&reachability.program, &reachability.meanings);
    let held = reachability.signature.meter.held();
    let evaluator = Evaluator::new(&reachability.program)?.with_limits(budget.rest(held));
    let model = evaluator.run(&facts, &mut recorder)?;
    // The model contains the facts too.
    drop(facts);
    let input = Input {
        normal,
        goal: &goal,
        reachability: &reachability,
        model: &model,
        strata: &strata,
        budget,
    };
    let task = inline::inline_auxiliaries(instance::instantiate(&input, recorder)?, budget)?;
    budget.check("writing the ground task", task.bytes() as u64)?;
    Ok(match options.atoms {
        KeptAtoms::All => task,
        KeptAtoms::Relevant => task.only_relevant(),
    })
}
