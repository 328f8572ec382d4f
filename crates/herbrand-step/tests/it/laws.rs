//! Tests that states behave as values: copies, encodings, hashes and order depend only on atoms and numbers, not on history.

use std::collections::{BTreeSet, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use herbrand_ground::NumericId;
use herbrand_ground::strategies::{Sketch, sketches};
use herbrand_step::{Random, Simulator, State};
use proptest::prelude::*;

/// Returns the states of a random walk that restarts in dead ends and after failing actions.
fn visited(simulator: &Simulator, seed: u64) -> Vec<State> {
    let mut rng = Random::new(seed);
    let mut walker = simulator.walker();
    let mut states = vec![walker.state().clone()];
    for _ in 0..30 {
        let action = walker.sample(&mut rng);
        if action.is_none_or(|action| walker.apply(action, &mut rng).is_err()) {
            walker.set_state(&simulator.initial_state()).unwrap();
        }
        states.push(walker.state().clone());
    }
    states
}

/// Returns the atoms and numbers of a state.
fn facts(simulator: &Simulator, state: &State) -> (Vec<u32>, Vec<Option<u64>>) {
    let numbers = (0..simulator.task().state_numerics).map(NumericId::new);
    let values = numbers.map(|id| state.numeric(id).map(|value| (value + 0.0).to_bits()));
    let atoms = state.fluents().map(|atom| atom.number());
    (atoms.collect(), values.collect())
}

fn hash(state: &State) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(state)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn states_are_what_is_true_in_them(sketch in sketches(), seed: u64) {
        let sketch = Sketch { actions: sketch.actions.min(60), ..sketch };
        let simulator = Simulator::new(sketch.build());
        let states = visited(&simulator, seed);
        for one in &states {
            prop_assert_eq!(&one.clone(), one);
            prop_assert_eq!(simulator.unpack(&one.pack()), Some(one.clone()));
            let fluents = simulator.task().fluents;
            for start in 0..=fluents.min(70) {
                let range = start..(start * 7 + 3).min(fluents);
                let among = one.fluents().filter(|atom| range.contains(&atom.number())).count();
                prop_assert_eq!(one.has_one_at_most(range), among < 2);
            }
            for other in &states {
                let same = facts(&simulator, one) == facts(&simulator, other);
                prop_assert_eq!(one == other, same);
                prop_assert_eq!(one.pack() == other.pack(), same);
                prop_assert_eq!(one.cmp(other).is_eq(), same);
                prop_assert_eq!(one.cmp(other), other.cmp(one).reverse());
                prop_assert!(!same || hash(one) == hash(other));
            }
        }
        let distinct: HashSet<&State> = states.iter().collect();
        let sorted: BTreeSet<&State> = states.iter().collect();
        prop_assert_eq!(distinct.len(), sorted.len());
        prop_assert!(sorted.iter().zip(sorted.iter().skip(1)).all(|(one, other)| one < other));
    }

    #[test]
    fn other_bytes_are_no_states(sketch in sketches(), mut bytes: Vec<u8>) {
        let sketch = Sketch { actions: 1, ..sketch };
        let simulator = Simulator::new(sketch.build());
        let packed = simulator.initial_state().pack();
        prop_assert_eq!(simulator.unpack(&packed[1..]), None);
        prop_assert_eq!(simulator.unpack(&[packed.as_slice(), &[0]].concat()), None);
        // Accepted bytes must be encoded the same again.
        bytes.resize(packed.len(), 0);
        if let Some(state) = simulator.unpack(&bytes) {
            prop_assert_eq!(state.pack(), bytes);
        }
    }

    /// Derived atoms and valid actions depend only on the state: a copy of a walker, and a new walker moved to the same
    /// state, continue in the same way.
    #[test]
    fn walkers_are_their_states(sketch in sketches(), seed: u64) {
        let sketch = Sketch { actions: sketch.actions.min(200), ..sketch };
        let simulator = Simulator::new(sketch.build());
        let mut walker = simulator.walker();
        let mut rng = Random::new(seed);
        for _ in 0..20 {
            let mut copy = walker.clone();
            let mut fresh = simulator.walker();
            fresh.set_state(walker.state()).unwrap();
            prop_assert!(walker.atoms().eq(fresh.atoms()));
            prop_assert!(walker.valid().iter().eq(fresh.valid().iter()));
            let Some(action) = walker.sample(&mut rng) else { break };
            let transition = walker.apply(action, &mut rng.clone());
            prop_assert_eq!(&copy.apply(action, &mut rng.clone()), &transition);
            prop_assert_eq!(&fresh.apply(action, &mut rng), &transition);
            prop_assert_eq!(copy.state(), walker.state());
            prop_assert_eq!(fresh.state(), walker.state());
        }
    }
}
