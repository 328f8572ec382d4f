//! Compiling a checked domain and problem into a [`Simulator`].

use std::sync::Arc;

use herbrand_ground::{GroundError, GroundOptions, NormalDomain, ground_within};
use herbrand_limits::Budget;
use herbrand_pddl::{Domain, Problem};

use crate::grounded::simulator::Simulator;
use crate::semantics::error::CompileError;

/// Grounds a problem and compiles it into a [`Simulator`]: normal form, Datalog program, grounding
/// ([`ground`](herbrand_ground::ground)), and the tables for stepping. Start here to step a PDDL problem; then call
/// [`Simulator::walker`], or the functions of states such as [`Simulator::outcomes`].
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
/// Fails if the problem belongs to another domain, if its axioms are not stratified, or if grounding exceeds its limits
/// or those of a budget that [encloses](Budget::enclose) the call.
/// [`LiftedSimulator::compile`](crate::LiftedSimulator::compile) may compile a problem that is too large.
pub fn compile(domain: &Domain, problem: &Problem) -> Result<Simulator, CompileError> {
    compile_with(domain, problem, &GroundOptions::default())
}

/// Compiles like [`compile`], with the given grounding options and limits.
///
/// # Errors
/// The same as for [`compile`]. The limits are those of `options`.
pub fn compile_with(
    domain: &Domain,
    problem: &Problem,
    options: &GroundOptions,
) -> Result<Simulator, CompileError> {
    let budget = Budget::new(options.limits);
    let normal = NormalDomain::within(domain, &budget).map_err(GroundError::from)?;
    compile_within(domain, &normal, problem, options, &budget)
}

/// Compiles like [`compile_with`], with `normal`, the normal form of `domain` ([`NormalDomain::of`]), made by the
/// caller. It can be shared by all problems of a domain. That `normal` is of `domain` is not checked.
///
/// # Errors
/// The same as for [`compile`].
pub fn compile_normal(
    domain: &Domain,
    normal: &NormalDomain,
    problem: &Problem,
    options: &GroundOptions,
) -> Result<Simulator, CompileError> {
    compile_within(domain, normal, problem, options, &Budget::new(options.limits))
}

/// Compiles like [`compile_normal`], within a budget that other computations may share and that another thread may cancel.
/// The limits in the options are ignored.
///
/// # Errors
/// The same as for [`compile`], and if the budget is exhausted or cancelled.
pub fn compile_within(
    domain: &Domain,
    normal: &NormalDomain,
    problem: &Problem,
    options: &GroundOptions,
    budget: &Budget,
) -> Result<Simulator, CompileError> {
    let task = ground_within(domain, normal, problem, options, budget)?;
    // A simulator's tables take about as much memory as its task.
    let held = 2 * task.bytes() as u64;
    budget
        .check("laying the task out for steps", held)
        .map_err(GroundError::from)?;
    Ok(Simulator::new(Arc::new(task)))
}
