//! The simulator's valid actions equal those of the brute-force interpreter in random reachable states of every bundled
//! domain. `lifted.rs` tests the other engines.

use std::collections::BTreeSet;

use crate::common::{Bundled, bundled};
use herbrand::step::Random;
use herbrand::{ActionId, Simulator, State, compile};
use herbrand_oracle::{GroundAtom, Oracle, OracleState};

/// The number of steps of each random walk.
const STEPS: usize = 12;

/// Converts a state for the oracle.
fn oracle_state(simulator: &Simulator, state: &State) -> OracleState {
    let task = simulator.task();
    let fluents = simulator.atoms(state).filter(|&atom| !task.is_derived(atom));
    let fluents = fluents.filter_map(|atom| task.atoms.get(atom.index()));
    OracleState {
        atoms: fluents.chain(task.statics.iter()).map(GroundAtom::from).collect(),
        ..Default::default()
    }
}

fn check_state(bundled: &Bundled, oracle: &Oracle<'_>, simulator: &Simulator, state: &State) {
    let task = simulator.task();
    let valid = simulator.valid_actions(state);
    let names: BTreeSet<_> = valid
        .iter()
        .map(|&action| task.display_action(action).to_string())
        .collect();
    let place = || {
        format!(
            "{} in {:?}",
            bundled.name,
            simulator
                .atoms(state)
                .map(|a| task.display_atom(a).to_string())
                .collect::<Vec<_>>()
        )
    };
    let interpreted = oracle_state(simulator, state);
    let by_oracle: BTreeSet<_> = oracle
        .valid_actions(&interpreted)
        .iter()
        .map(|action| oracle.action_text(action))
        .collect();
    assert_eq!(names, by_oracle, "against brute force: {}", place());
    assert_eq!(
        simulator.is_goal(state),
        oracle.is_goal(&interpreted),
        "the goal: {}",
        place()
    );
    let derived: BTreeSet<_> = simulator
        .atoms(state)
        .filter(|&atom| task.is_derived(atom))
        .filter_map(|atom| task.atoms.get(atom.index()))
        .filter(|fact| !task.vocabulary.predicate(fact.predicate).auxiliary)
        .map(GroundAtom::from)
        .collect();
    let statics: BTreeSet<_> = task.statics.iter().map(GroundAtom::from).collect();
    let by_oracle: BTreeSet<_> = oracle
        .derived(&interpreted)
        .difference(&statics)
        .cloned()
        .collect();
    assert_eq!(derived, by_oracle, "derived atoms: {}", place());
}

#[test]
fn brute_force_agrees_along_random_walks() {
    for bundled in &bundled(2) {
        let oracle = Oracle::new(&bundled.domain, &bundled.problem).expect("stratified axioms");
        let simulator = compile(&bundled.domain, &bundled.problem).expect("a small problem");
        let mut random = Random::new(7);
        let mut walker = simulator.walker();
        for _ in 0..STEPS {
            check_state(bundled, &oracle, &simulator, walker.state());
            let listed: Vec<ActionId> = walker.valid().iter().collect();
            assert_eq!(
                listed,
                simulator.valid_actions(walker.state()),
                "kept against recomputed: {}",
                bundled.name
            );
            let Some(action) = walker.sample(&mut random) else {
                break;
            };
            walker.apply(action, &mut random).expect("a valid action");
        }
    }
}
