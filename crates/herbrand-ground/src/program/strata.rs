//! The order in which axioms are decided in a state.

use herbrand_datalog::{NegativeCycle, Program, Stratification};
use herbrand_pddl::{Domain, Problem};

use super::rule::{Exactness, axiom_rule};
use super::signature::Signature;
use crate::normal::{NormalDomain, NormalGoal, u32_len};

/// The stratum of each axiom: the domain's, then the goal's.
///
/// # Errors
/// When a derived predicate depends on its own negation.
pub(crate) fn strata(
    domain: &Domain,
    problem: &Problem,
    normal: &NormalDomain,
    goal: &NormalGoal,
) -> Result<Vec<u32>, NegativeCycle> {
    let mut program = Program::new();
    let mut signature = Signature::declare(domain, problem, normal, goal, &mut program);
    for axiom in normal.axioms.iter().chain(&goal.axioms) {
        let rule = axiom_rule(&mut signature, &mut program, axiom, Exactness::Exact, &[]);
        program.add_rule(rule);
    }
    let stratification = Stratification::of(&program)?;
    let mut strata = vec![0; program.rules().len()];
    for (stratum, rules) in stratification.strata().iter().enumerate() {
        rules
            .iter()
            .for_each(|rule| strata[rule.index()] = u32_len(stratum));
    }
    Ok(strata)
}
