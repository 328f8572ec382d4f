//! The whole way from a checked model to a simulator.

use std::sync::Arc;

use herbrand_ground::{GroundError, GroundOptions, NormalDomain, ground_within};
use herbrand_limits::Budget;
use herbrand_pddl::{Domain, Problem};

use crate::grounded::simulator::Simulator;
use crate::semantics::error::CompileError;

/// The simulator of a problem: normal form, Datalog, grounding ([`ground`](herbrand_ground::ground)), then the tables that a step needs.
///
/// ```
/// use herbrand_pddl::{Domain, Problem};
///
/// let domain = Domain::from_text("(define (domain coin) (:requirements :probabilistic-effects) (:predicates (heads))
///     (:action toss :effect (probabilistic 1/2 (heads) 1/2 (not (heads)))))")?;
/// let problem = Problem::from_text("(define (problem one) (:domain coin) (:goal (heads)))", &domain)?;
/// let simulator = herbrand_step::compile(&domain, &problem)?;
/// let start = simulator.initial_state();
/// let outcomes = simulator.outcomes(&start, simulator.valid_actions(&start)[0])?;
/// assert_eq!(outcomes.iter().map(|o| o.probability).collect::<Vec<_>>(), [0.5, 0.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the problem belongs to another domain or crosses the grounding limits.
pub fn compile(domain: &Domain, problem: &Problem) -> Result<Simulator, CompileError> {
    compile_with(domain, problem, &GroundOptions::default())
}

/// [`compile`] with options of one's own.
///
/// # Errors
/// As [`compile`].
pub fn compile_with(
    domain: &Domain,
    problem: &Problem,
    options: &GroundOptions,
) -> Result<Simulator, CompileError> {
    let budget = Budget::new(options.limits);
    let normal = NormalDomain::within(domain, &budget).map_err(GroundError::from)?;
    compile_within(domain, &normal, problem, options, &budget)
}

/// [`compile_with`] for a problem of a domain whose normal form is at hand: all problems of a domain share that.
///
/// # Errors
/// As [`compile`].
pub fn compile_normal(
    domain: &Domain,
    normal: &NormalDomain,
    problem: &Problem,
    options: &GroundOptions,
) -> Result<Simulator, CompileError> {
    compile_within(domain, normal, problem, options, &Budget::new(options.limits))
}

/// [`compile_normal`] within a budget that other passes share, and that another thread can cancel; the limits of the
/// options do not count.
///
/// # Errors
/// As [`compile`].
pub fn compile_within(
    domain: &Domain,
    normal: &NormalDomain,
    problem: &Problem,
    options: &GroundOptions,
    budget: &Budget,
) -> Result<Simulator, CompileError> {
    let task = ground_within(domain, normal, problem, options, budget)?;
    // The tables of a simulator take about as much as the task that they are made of.
    let held = 2 * task.bytes() as u64;
    budget
        .check("laying the task out for steps", held)
        .map_err(GroundError::from)?;
    Ok(Simulator::new(Arc::new(task)))
}
