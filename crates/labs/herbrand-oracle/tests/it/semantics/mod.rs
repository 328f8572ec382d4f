//! Tests of ambiguous cases of the language, with results worked out by hand.

mod effects;
mod rewards;
mod truth;

use herbrand_oracle::{Oracle, OracleState};
use herbrand_pddl::{Domain, Problem};

/// Returns a state as text: the true atoms without derived ones, then the values.
fn text(oracle: &Oracle<'_>, state: &OracleState) -> String {
    let atoms = state.atoms.iter().map(|atom| oracle.atom_text(atom));
    let values = state
        .values
        .iter()
        .map(|(term, value)| format!("{}={}", oracle.term_text(term), value.get()));
    atoms.chain(values).collect::<Vec<_>>().join(" ")
}

fn models(domain: &str, problem: &str) -> (Domain, Problem) {
    let domain = Domain::from_text(domain).unwrap_or_else(|faults| panic!("{faults}"));
    let problem = Problem::from_text(problem, &domain).unwrap_or_else(|faults| panic!("{faults}"));
    (domain, problem)
}
