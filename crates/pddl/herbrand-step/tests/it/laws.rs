//! Tests that states behave as values: copies, encodings, hashes and order depend only on atoms and numbers, not on history.

use std::collections::{BTreeSet, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use herbrand_ground::strategies::{Builder, TaskSketch, sketches};
use herbrand_ground::{AtomId, NumericId};
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
        let sketch = TaskSketch { actions: sketch.actions.min(60), ..sketch };
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
        let sketch = TaskSketch { actions: 1, ..sketch };
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
        let sketch = TaskSketch { actions: sketch.actions.min(200), ..sketch };
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

/// Every word of a state counts, whatever their number: states that differ in one atom or one number are different states, in
/// comparisons, in hashes, and in sets.
#[test]
fn each_atom_and_number_tells_states_apart() {
    for (fluents, numbers) in [
        (1, 0),
        (64, 0),
        (65, 0),
        (130, 0),
        (200, 0),
        (3, 2),
        (70, 3),
        (150, 1),
    ] {
        let simulator = Simulator::new(Builder::new(fluents, 0, numbers, 0).build());
        let none = simulator.initial_state();
        let mut states = vec![none.clone()];
        for atom in (0..fluents).map(AtomId::new) {
            states.push(simulator.state_from_atoms([atom]).unwrap());
        }
        // The numbers are the last words, of 8 bytes each.
        let bytes = none.pack();
        for number in 0..numbers as usize {
            let mut changed = bytes.clone();
            let word = (changed.len() - 8 * (number + 1))..(changed.len() - 8 * number);
            changed[word].copy_from_slice(&(7.5_f64.to_bits() | 1 << 63).to_le_bytes());
            states.push(simulator.unpack(&changed).unwrap());
        }
        assert_eq!(states.len(), 1 + (fluents + numbers) as usize);
        for (index, one) in states.iter().enumerate() {
            for (place, other) in states.iter().enumerate() {
                assert_eq!(one == other, index == place, "{one:?} {other:?}");
                assert_eq!(one.cmp(other).is_eq(), index == place, "{one:?} {other:?}");
                assert_eq!(one.partial_cmp(other), Some(one.cmp(other)));
                assert_eq!(one.cmp(other), other.cmp(one).reverse());
            }
        }
        let hashes: HashSet<u64> = states.iter().map(hash).collect();
        assert_eq!(
            hashes.len(),
            states.len(),
            "64 bits tell a few hundred states apart"
        );
        assert_eq!(states.iter().collect::<HashSet<_>>().len(), states.len());
        assert_eq!(states.iter().collect::<BTreeSet<_>>().len(), states.len());
    }
}

/// The order of states is that of their words: the first word that differs decides.
#[test]
fn the_first_word_that_differs_orders_states() {
    let simulator = Simulator::new(Builder::new(200, 0, 0, 0).build());
    let state = |atoms: &[u32]| {
        let atoms = atoms.iter().map(|&atom| AtomId::new(atom));
        simulator.state_from_atoms(atoms).unwrap()
    };
    assert!(state(&[1]) > state(&[0, 64, 128, 199]));
    assert!(state(&[65, 130]) > state(&[64, 131]));
    assert!(state(&[5, 130]) < state(&[5, 131]));
}

#[test]
fn states_of_another_task_are_refused() {
    let lamps = |count: usize| {
        let objects: String = (0..count).map(|number| format!(" lamp-{number}")).collect();
        let domain = herbrand_pddl::Domain::from_text(
            "(define (domain lamps) (:predicates (on ?l)) (:action press :parameters (?l) :effect (on ?l)))",
        );
        let text = format!("(define (problem p) (:domain lamps) (:objects{objects}) (:goal (on lamp-0)))");
        let domain = domain.unwrap();
        let problem = herbrand_pddl::Problem::from_text(&text, &domain).unwrap();
        herbrand_step::compile(&domain, &problem).unwrap()
    };
    let (small, large) = (lamps(2), lamps(200));
    for (simulator, other) in [(&small, &large), (&large, &small)] {
        let (own, state) = (simulator.initial_state(), other.initial_state());
        let press = simulator.valid_actions(&own)[0];
        let queries: [(&str, &dyn Fn()); 5] = [
            ("valid_actions", &|| drop(simulator.valid_actions(&state))),
            ("is_valid", &|| {
                drop(simulator.is_valid(&state, press).to_string())
            }),
            ("is_goal", &|| drop(simulator.is_goal(&state).to_string())),
            ("explain_goal", &|| drop(simulator.explain_goal(&state))),
            ("atoms", &|| drop(simulator.atoms(&state).count().to_string())),
        ];
        for (name, query) in queries {
            let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(query)).unwrap_err();
            let message = panic.downcast_ref::<&str>().copied();
            assert_eq!(message, Some("the state belongs to another task"), "{name}");
        }
        let foreign = herbrand_step::StepError::ForeignState;
        assert_eq!(simulator.explain(&state, press), Err(foreign.clone()));
        assert_eq!(simulator.outcomes(&state, press).unwrap_err(), foreign);
        assert_eq!(
            simulator.sample(&state, press, &mut Random::new(1)).unwrap_err(),
            foreign
        );
    }
}
