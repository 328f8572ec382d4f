//! The stratification of the axioms.

use herbrand_datalog::{Program, Stratification};
use herbrand_limits::Budget;
use herbrand_pddl::{Domain, Problem};

use super::rule::{Exactness, axiom_rule};
use super::signature::Signature;
use crate::error::GroundError;
use crate::normal::{NormalDomain, NormalGoal, u32_len};

/// Returns the stratum of each axiom: first the domain's axioms, then the goal's.
///
/// # Errors
/// If a derived predicate depends on its own negation, or if the budget is exhausted.
pub(crate) fn strata(
    domain: &Domain,
    problem: &Problem,
    normal: &NormalDomain,
    goal: &NormalGoal,
    budget: &Budget,
) -> Result<Vec<u32>, GroundError> {
    let mut program = Program::new();
    let mut signature = Signature::declare(domain, problem, normal, goal, &mut program, budget);
    for axiom in normal.axioms.iter().chain(&goal.axioms) {
        let rule = axiom_rule(&mut signature, &mut program, axiom, Exactness::Exact, &[]);
        program.add_rule(rule);
        if signature.meter.is_spent() {
            break;
        }
    }
    signature.meter.check()?;
    let stratification = Stratification::of(&program)?;
    let mut strata = vec![0; program.rules().len()];
    for (stratum, rules) in stratification.strata().iter().enumerate() {
        rules
            .iter()
            .for_each(|rule| strata[rule.index()] = u32_len(stratum));
    }
    Ok(strata)
}
