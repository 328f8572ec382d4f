//! The effects of violated preconditions: each mode agrees with what follows from steps that only report them.

use std::sync::Arc;

use herbrand_core::{ActionCount, BatchSystem, Choice, FieldValue, Random, System};
use herbrand_rddl::strategies::{Shape, instances};
use herbrand_rddl::{Instance, Source};
use herbrand_rddl_sim::ground::compile;
use herbrand_rddl_sim::simulate::{CompiledInstance, Preconditions, RddlSimulator, StepError};
use herbrand_rddl_sim::suite::RddlSuite;
use proptest::prelude::*;
use rand::Rng;

/// Takes a step in every mode and compares it with the step that only reports. Returns whether it violates a precondition.
fn modes_agree(simulator: &RddlSimulator, joint: &[Choice], word: u64) -> Result<bool, TestCaseError> {
    let Ok(violated) = simulator.would_violate(joint) else {
        return Ok(false);
    };
    let step = |mode, joint: &[Choice]| {
        let mut simulator = simulator.clone().with_preconditions(mode);
        // Compared as text, because a value may be NaN.
        let result = format!("{:?}", simulator.advance_by(joint, word));
        (result, format!("{:?}", simulator.values()), simulator)
    };
    let reported = step(Preconditions::Reported, joint);
    let defaults = step(Preconditions::Reported, &[]);
    let stepped = reported.2.last_reward().is_some();
    for mode in Preconditions::ALL {
        let (result, state, after) = step(mode, joint);
        let list: Vec<usize> = after.violated().collect();
        let replaces = mode == Preconditions::Replaced && !violated.is_empty();
        prop_assert_eq!(after.has_replaced(), replaces && after.last_reward().is_some());
        match mode {
            Preconditions::Refused if !violated.is_empty() => {
                prop_assert_eq!(state, format!("{:?}", simulator.values()));
                let first = match after.clone().advance_by(joint, word) {
                    Err(StepError::Precondition { number, .. }) => Some(number),
                    _ => None,
                };
                prop_assert_eq!(first, violated.first().copied());
                prop_assert!(list.is_empty() && !after.is_valid(joint));
                continue;
            }
            _ if replaces => prop_assert_eq!((&result, &state), (&defaults.0, &defaults.1)),
            _ => prop_assert_eq!((&result, &state), (&reported.0, &reported.1)),
        }
        let is_told = mode != Preconditions::Ignored && after.last_reward().is_some();
        prop_assert_eq!(list, if is_told { violated.clone() } else { Vec::new() });
        prop_assert_eq!(after.has_violated(), is_told && !violated.is_empty());
        prop_assert!(after.is_valid(joint) || !stepped || mode == Preconditions::Refused);
    }
    Ok(!violated.is_empty())
}

/// Walks by joint actions that keep only to bounds. Returns how many of them violate a precondition.
fn walk(compiled: &Arc<CompiledInstance>, steps: usize, seed: u64) -> Result<usize, TestCaseError> {
    let mut simulator = RddlSimulator::new(Arc::clone(compiled), Preconditions::Ignored);
    let (mut random, mut joint, mut violating) = (Random::new(seed), Vec::new(), 0);
    for _ in 0..steps {
        prop_assert!(simulator.sample(&mut random, &mut joint));
        let word = random.next_u64();
        violating += usize::from(modes_agree(&simulator, &joint, word)?);
        if simulator.advance_by(&joint, word).is_err() {
            break;
        }
    }
    Ok(violating)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_instances_agree(instance in instances(&Shape::default()), seed in any::<u64>()) {
        walk(&Arc::new(compile(&Arc::new(instance)).unwrap()), 6, seed)?;
    }
}

#[test]
fn bundled_environments_agree() {
    let mut violating = 0;
    for name in RddlSuite::bundled_names() {
        let suite = RddlSuite::bundled(&name).unwrap();
        violating +=
            walk(suite.compiled(0).unwrap(), 10, 3).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    }
    assert!(violating > 30, "{violating} joint actions violate a precondition");
}

/// A problem whose precondition excludes a joint action that has no result.
fn guarded() -> Arc<CompiledInstance> {
    let text = "
        domain d {
            pvariables {
                n : { state-fluent, int, default = 20 };
                up : { action-fluent, bool, default = false };
                down : { action-fluent, bool, default = false };
            };
            cpfs { n' = n - down + Poisson(if (up) then -1.0 else 0.0); };
            reward = n;
            action-preconditions { up => n < 9; ~(up ^ down); };
        }
        instance i { domain = d; horizon = 3; discount = 1.0; }";
    let instance = Instance::load(&[Source::new("model", text)]).unwrap();
    Arc::new(compile(&Arc::new(instance)).unwrap())
}

#[test]
fn a_joint_action_without_a_result_can_be_replaced() {
    let compiled = guarded();
    let up = [Choice {
        field: 0,
        value: FieldValue::Discrete(1),
    }];
    let step = |mode| {
        let mut simulator = RddlSimulator::new(Arc::clone(&compiled), mode);
        let result = simulator.advance_by(&up, 1);
        (result, simulator)
    };
    assert!(matches!(
        step(Preconditions::Reported).0,
        Err(StepError::Value { .. })
    ));
    assert!(matches!(
        step(Preconditions::Ignored).0,
        Err(StepError::Value { .. })
    ));
    assert!(matches!(
        step(Preconditions::Refused).0,
        Err(StepError::Precondition { number: 0, .. })
    ));
    let (result, simulator) = step(Preconditions::Replaced);
    assert!(result.is_ok() && simulator.values() == compiled.initial());
    assert_eq!(simulator.violated().collect::<Vec<_>>(), [0]);
}

#[test]
fn masks_samples_and_counts_ignore_preconditions() {
    let compiled = guarded();
    let simulator = |mode| RddlSimulator::new(Arc::clone(&compiled), mode);
    let mask = |mode| {
        let mut mask = vec![2; compiled.actions().mask_len()];
        simulator(mode).write_mask(&mut mask);
        mask
    };
    assert_eq!(mask(Preconditions::Replaced), [1, 0, 1, 1]);
    assert_eq!(mask(Preconditions::Ignored), [1; 4]);
    assert!(simulator(Preconditions::Ignored).offers_all());
    let count = |mode| simulator(mode).count_valid();
    assert_eq!(count(Preconditions::Refused), ActionCount::Finite(2.0));
    assert_eq!(count(Preconditions::Ignored), ActionCount::Finite(4.0));
    let (mut random, mut joint, mut counts) = (Random::new(4), Vec::new(), [0; 4]);
    // A change of the mode changes what is sampled from the same state.
    let mut simulator = simulator(Preconditions::Refused);
    for _ in 0..100 {
        assert!(simulator.sample(&mut random, &mut joint));
        assert!(joint.iter().all(|choice| choice.field == 1));
    }
    simulator = simulator.with_preconditions(Preconditions::Ignored);
    for _ in 0..400 {
        assert!(simulator.sample(&mut random, &mut joint));
        counts[joint.iter().map(|choice| 1 << choice.field).sum::<usize>()] += 1;
    }
    assert!(
        counts.iter().all(|&count| (60..140).contains(&count)),
        "{counts:?}"
    );
}

#[test]
fn modes_have_names() {
    for mode in Preconditions::ALL {
        assert_eq!(mode.to_string().parse(), Ok(mode));
    }
    let error = "refuse".parse::<Preconditions>().unwrap_err().to_string();
    assert_eq!(
        error,
        "preconditions are reported, refused, replaced, ignored, not `refuse`; did you mean `refused`?"
    );
}
