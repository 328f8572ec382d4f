//! The strata of axioms.

use herbrand_pddl::{Axiom, Domain, Formula, PredicateId};

use crate::error::OracleError;

/// Returns the axioms of a domain by stratum. The stratum of a derived predicate is at least as high as that of each
/// predicate it depends on, and higher if the dependency is negative. Fails if a predicate depends on its own negation.
pub(crate) fn strata(domain: &Domain) -> Result<Vec<Vec<&Axiom>>, OracleError> {
    let mut level = vec![0; domain.predicates.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for axiom in &domain.axioms {
            let mut least = 0;
            for_each_atom(&axiom.body, false, &mut |predicate, negated| {
                if domain.axioms.iter().any(|other| other.predicate == predicate) {
                    least = least.max(level[predicate.index()] + usize::from(negated));
                }
            });
            let own = &mut level[axiom.predicate.index()];
            if *own < least {
                *own = least;
                changed = true;
            }
            if *own > domain.predicates.len() {
                let name = &domain.predicate(axiom.predicate).name;
                return Err(OracleError::CyclicNegation(name.to_string()));
            }
        }
    }
    let mut strata = vec![Vec::new(); domain.predicates.len() + 1];
    for axiom in &domain.axioms {
        strata[level[axiom.predicate.index()]].push(axiom);
    }
    strata.retain(|stratum| !stratum.is_empty());
    Ok(strata)
}

/// Calls `see` with the predicate of each atom, and whether the atom is under an odd number of negations.
fn for_each_atom(formula: &Formula, negated: bool, see: &mut dyn FnMut(PredicateId, bool)) {
    match formula {
        Formula::Atom(atom) => see(atom.predicate, negated),
        Formula::Equal(..) | Formula::Compare(..) => {}
        Formula::Not(inner) => for_each_atom(inner, !negated, see),
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().for_each(|part| for_each_atom(part, negated, see));
        }
        Formula::Imply(premise, conclusion) => {
            for_each_atom(premise, !negated, see);
            for_each_atom(conclusion, negated, see);
        }
        Formula::Forall(_, inner) | Formula::Exists(_, inner) => for_each_atom(inner, negated, see),
    }
}
