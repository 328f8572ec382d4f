//! Tests that engine and interpreter agree on every instance of every bundled environment.

use std::sync::Arc;

use herbrand_rddl::{Instance, PvariableId};
use herbrand_rddl_sim::ground::Templates;
use herbrand_rddl_sim::suite::RddlSuite;

use crate::engine::walk;

/// Returns the number of steps of a walk. It is smaller for large problems, because the interpreter enumerates all tuples of
/// objects and may take seconds per step.
fn steps(instance: &Instance) -> u64 {
    let all = (0..instance.domain.pvariables.len()).map(PvariableId::from_index);
    let ground: u64 = all.map(|id| instance.count(id)).sum();
    match ground {
        0..200 => 25,
        200..1_000 => 8,
        _ => 2,
    }
}

#[test]
fn every_bundled_instance_agrees() {
    let (mut walked, mut faults) = (0, Vec::new());
    for name in RddlSuite::bundled_names() {
        let suite = RddlSuite::bundled(&name).unwrap();
        for index in 0..suite.len() {
            let instance = suite.instance(index).unwrap();
            let instance_walk = walk(
                Arc::clone(instance),
                Templates::default(),
                17 + index as u64,
                steps(instance),
            );
            if let Err(fault) = instance_walk {
                faults.push(format!("{name} {}: {fault}", index + 1));
            }
            walked += 1;
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert_eq!(walked, 37 * 5);
}
