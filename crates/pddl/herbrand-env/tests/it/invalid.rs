//! Ignored invalid actions: the fast path of a step compared with a separate validity check.

use herbrand_core::{BatchSystem, Choice, FieldValue, Random, System};
use herbrand_env::{Grounded, Lifted, LiftedSuite, Planning, Registry, SteppingEngine};
use proptest::prelude::*;

/// Domains in which an action has a single operator, several operators with at most one valid, or several valid operators.
const BUNDLED: [&str; 6] = ["blocks", "sokoban", "hanoi", "tireworld", "baking", "crafting"];

fn grounded(name: &str) -> Planning<Grounded> {
    let suite = Registry::get(name).expect("a bundled domain");
    suite.engine(0).expect("a sound problem")
}

fn lifted(name: &str) -> Planning<Lifted> {
    let suite = Registry::get(name).expect("a bundled domain");
    let suite = LiftedSuite::new(suite);
    suite.planning(0, false).expect("a sound problem")
}

/// Joint actions that a walk tries: a valid one, an arbitrary number, the empty one, two choices, and a value of another
/// type.
fn joint<W: SteppingEngine>(
    planning: &Planning<W>,
    kind: u8,
    number: u32,
    random: &mut Random,
) -> Vec<Choice> {
    let any = Choice::discrete(number % (planning.actions().mask_len() as u32 + 2));
    let mut joint = Vec::new();
    match kind {
        0..=5 => drop(planning.sample(random, &mut joint)),
        6..=8 => joint.push(any),
        9 => joint.extend([any, any]),
        10 => joint.push(Choice {
            field: 0,
            value: FieldValue::Real(f64::from(number)),
        }),
        _ => {}
    }
    joint
}

fn check<W: SteppingEngine + Clone>(
    mut short: Planning<W>,
    steps: &[(u8, u32)],
    seed: u64,
) -> Result<usize, TestCaseError> {
    let (mut chance, mut random) = (Random::new(seed), Random::new(seed ^ 1));
    short.reset(&mut chance).expect("an initial state");
    let (mut slow, mut slow_chance, mut ignored) = (short.clone(), chance.clone(), 0);
    for &(kind, number) in steps {
        let joint = joint(&short, kind, number, &mut random);
        let expected = if slow.is_valid(&joint) {
            slow.step(&joint, &mut slow_chance).map(Some)
        } else {
            Ok(None)
        };
        ignored += usize::from(expected == Ok(None));
        prop_assert_eq!(short.step_if_valid(&joint, &mut chance), expected);
        prop_assert_eq!(short.state(), slow.state());
        prop_assert_eq!(short.valid_actions(), slow.valid_actions());
        prop_assert_eq!(&chance, &slow_chance);
    }
    Ok(ignored)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_step_if_valid_asks_and_steps(
        name in prop::sample::select(BUNDLED.as_slice()),
        steps in prop::collection::vec((0..12_u8, any::<u32>()), 1..40),
        seed in any::<u64>(),
    ) {
        // Two choices, a fractional number and the empty joint action are never valid.
        let least = steps.iter().filter(|(kind, _)| *kind > 8).count();
        prop_assert!(check(grounded(name), &steps, seed)? >= least);
        prop_assert!(check(lifted(name), &steps, seed)? >= least);
    }
}
