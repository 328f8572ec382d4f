//! Tests of the masks against the engine, and of agreement against enumeration.

use std::collections::{BTreeMap, BTreeSet};

use herbrand_edit::difference;
use herbrand_env::Registry;
use herbrand_pddlworld::{Sketch, Target, Walks};
use num_bigint::BigUint;
use proptest::prelude::*;
use proptest::strategy::ValueTree;

use crate::{engine_successors, pairs, sketches, state_of};

/// Returns a bundled domain with its first problem.
pub fn bundled(name: &str) -> Target {
    let suite = Registry::get(name).expect("a bundled domain");
    let problem = herbrand_pddl::Problem::parse(suite.problem_source(0).expect("a text"), suite.domain());
    Target::new(suite.domain(), &[problem.expect("a problem")], Walks::default()).expect("a target")
}

/// Returns the successors of a sketch in a state according to the masks.
fn successors(target: &Target, sketch: &Sketch, state: &[String]) -> BTreeMap<String, BTreeSet<String>> {
    let list = target.successors(sketch, 0, state).into_iter();
    list.map(|(action, after)| (action, after.into_iter().collect()))
        .collect()
}

fn agrees_with_the_engine(target: &Target, sketch: &Sketch, bits: u64) -> Result<(), TestCaseError> {
    let state = state_of(target, 0, bits);
    let model = target.model(sketch, 0).expect("a model");
    prop_assert_eq!(
        successors(target, sketch, &state),
        engine_successors(&model, &state)
    );
    Ok(())
}

/// Returns the agreement of a sketch with the target, counted over all states.
fn counted_agreement(target: &Target, sketch: &Sketch) -> f64 {
    let atoms = target.atoms(0).len();
    let everything = |sketch| -> Vec<_> {
        let states = (0..1_u64 << atoms).map(|bits| state_of(target, 0, bits));
        states.map(|state| successors(target, sketch, &state)).collect()
    };
    let (model, aim) = (everything(sketch), everything(target.sketch()));
    // A ground action that is never applicable in both models always agrees.
    let names: BTreeSet<_> = model.iter().chain(&aim).flat_map(BTreeMap::keys).collect();
    let differing = names.iter().flat_map(|name| {
        let pairs = model.iter().zip(&aim);
        pairs.filter(move |(model, aim)| model.get(*name) != aim.get(*name))
    });
    let all = (1_u64 << atoms) * groundings(target);
    1.0 - differing.count() as f64 / all as f64
}

/// Returns the number of ground actions. In the empty sketch all of them are applicable.
fn groundings(target: &Target) -> u64 {
    let empty = Sketch::empty(target.vocabulary());
    target.successors(&empty, 0, &[]).len() as u64
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// The engine, given the text of the model, lists the same actions with the same successors.
    #[test]
    fn masks_do_what_the_engine_does(
        (lamp, pair) in (sketches(&Target::light_switch()), sketches(&pairs())),
        bits in any::<u64>(),
    ) {
        agrees_with_the_engine(&Target::light_switch(), &lamp, bits)?;
        agrees_with_the_engine(&pairs(), &pair, bits)?;
    }

    /// Agreement, equivalence and witnesses are confirmed by enumerating all states.
    #[test]
    fn agreement_is_what_counting_gives(sketch in sketches(&pairs())) {
        let target = pairs();
        let (agreement, counted) = (target.agreement(&sketch), counted_agreement(&target, &sketch));
        prop_assert!((agreement - counted).abs() < 1e-12, "{agreement} is not {counted}");
        prop_assert_eq!(target.is_equivalent(&sketch), counted == 1.0);
        match target.witness(&sketch) {
            None => prop_assert!(target.is_equivalent(&sketch)),
            Some(witness) => {
                let told = |sketch: &Sketch| {
                    let mut all = successors(&target, sketch, &witness.state);
                    all.remove(&witness.action)
                };
                let sets = [&witness.model, &witness.target].map(|after| {
                    after.as_ref().map(|atoms| atoms.iter().cloned().collect::<BTreeSet<_>>())
                });
                prop_assert_eq!(&told(&sketch), &sets[0]);
                prop_assert_eq!(&told(target.sketch()), &sets[1]);
                prop_assert_ne!(&sets[0], &sets[1]);
            }
        }
    }

    /// Converting a sketch to integers, edits and text preserves it.
    #[test]
    fn sketches_are_integers_edits_and_texts((from, to) in (sketches(&pairs()), sketches(&pairs()))) {
        let target = pairs();
        let vocabulary = target.vocabulary();
        prop_assert_eq!(Sketch::from_integers(vocabulary, &to.integers(vocabulary)), Ok(to.clone()));
        let [before, after] = [&from, &to].map(|sketch| target.model(sketch, 0).expect("a model"));
        prop_assert_eq!(&target.sketch_of(after.domain()).expect("a sketch"), &to);
        prop_assert_eq!(from.changes_to(&to, vocabulary).len() as u32, from.distance(&to));
        let edits = target.edits(&from, &to);
        let known: BTreeSet<_> = difference(&before, &after).expect("literals").iter().map(ToString::to_string).collect();
        prop_assert_eq!(edits.iter().map(ToString::to_string).collect::<BTreeSet<_>>(), known);
    }

    /// Integers that are not a sketch are rejected.
    #[test]
    fn other_integers_are_refused(number in 0_u32..8192) {
        let target = Target::light_switch();
        let numbers = [BigUint::from(number), BigUint::from(1170_u32)];
        let read = Sketch::from_integers(target.vocabulary(), &numbers);
        let is_one = number < 4096 && (0..4).all(|place| [1, 2, 4].contains(&(number >> (3 * place) & 7)));
        prop_assert_eq!(read.is_ok(), is_one);
    }
}

#[test]
fn a_lifted_domain_does_what_the_engine_does() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let target = bundled("blocks");
    for _ in 0..12 {
        let sketch = sketches(&target)
            .new_tree(&mut runner)
            .expect("a sketch")
            .current();
        let bits = any::<u64>().new_tree(&mut runner).expect("bits").current();
        agrees_with_the_engine(&target, &sketch, bits).expect("they agree");
    }
    // Many actions are applicable in the target.
    for bits in [0b1011, 0x1234_5678, u64::MAX] {
        agrees_with_the_engine(&target, target.sketch(), bits).expect("they agree");
    }
}
