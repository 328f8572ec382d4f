//! Tests that breadth-first search finds the same states as a naive search, in the same order.

use std::collections::BTreeSet;
use std::sync::Arc;

use herbrand_ground::strategies::{EffectKinds, TaskSketch, sketches};
use herbrand_limits::Budget;
use herbrand_step::{Random, Simulator, State, StepError, all_outcomes, reachable_states};
use proptest::prelude::*;

fn naive(simulator: &Simulator, limit: usize) -> Result<Vec<State>, StepError> {
    let mut seen = BTreeSet::new();
    let mut states: Vec<State> = Vec::new();
    for outcome in simulator.initial_outcomes()? {
        if seen.insert(outcome.state.clone()) {
            states.push(outcome.state);
        }
    }
    let mut next = 0;
    while next < states.len() && states.len() <= limit {
        let state = states[next].clone();
        for action in simulator.valid_actions(&state) {
            for outcome in simulator.outcomes(&state, action)? {
                if seen.insert(outcome.state.clone()) {
                    states.push(outcome.state);
                }
            }
        }
        next += 1;
    }
    Ok(states)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn searches_agree(sketch in sketches()) {
        let sketch = TaskSketch { actions: sketch.actions.min(20), ..sketch };
        let simulator = Simulator::new(sketch.build());
        let limit = 300;
        match (reachable_states(&simulator, limit), naive(&simulator, limit)) {
            (Ok(found), Ok(states)) => {
                let shared = found.len().min(states.len());
                let found_states: Vec<State> = (0..shared).map(|index| found.state(index).unwrap()).collect();
                prop_assert_eq!(&found_states, &states[..shared]);
                prop_assert_eq!(found.complete, states.len() <= limit);
                if found.complete {
                    prop_assert_eq!(found.len(), states.len());
                    prop_assert_eq!(found.goal, states.iter().position(|state| simulator.is_goal(state)));
                }
                prop_assert_eq!(found.state(found.len()), None);
            }
            // An error may be in a state that only one of the searches expands within the limit.
            (found, states) => prop_assert!(found.is_err() || states.is_err()),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    /// A task and its all-outcomes determinization reach the same states, and every determinized action has one outcome.
    #[test]
    fn all_outcomes_reach_the_same_states(sketch in sketches()) {
        let sketch = TaskSketch { actions: sketch.actions.min(10), numbers: 0, effects: EffectKinds::Drawn, ..sketch };
        let simulator = Simulator::new(sketch.build());
        let certain = Simulator::new(Arc::new(all_outcomes(&simulator, &Budget::unlimited()).unwrap()));
        let [one, other] = [&simulator, &certain].map(|simulator| {
            let found = reachable_states(simulator, 20_000).unwrap();
            assert!(found.complete);
            (0..found.len()).map(|index| found.state(index).unwrap()).collect::<BTreeSet<State>>()
        });
        prop_assert_eq!(one, other);
        let state = certain.initial_state();
        for action in certain.valid_actions(&state) {
            prop_assert_eq!(certain.outcomes(&state, action).unwrap().len(), 1);
            let name = certain.task().display_action(action).to_string();
            prop_assert_eq!(certain.parse_action(&name), Ok(action));
        }
    }

    /// The most likely outcome is one of the outcomes, and walkers reach the same one.
    #[test]
    fn most_likely_outcomes_are_outcomes(sketch in sketches()) {
        let sketch = TaskSketch { actions: sketch.actions.min(10), numbers: 0, effects: EffectKinds::Drawn, ..sketch };
        let simulator = Simulator::new(sketch.build());
        let certain = simulator.most_likely();
        let state = simulator.initial_state();
        for action in simulator.valid_actions(&state) {
            let all = simulator.outcomes(&state, action).unwrap();
            let one = certain.outcomes(&state, action).unwrap();
            prop_assert_eq!((one.len(), one[0].probability), (1, 1.0));
            prop_assert!(all.iter().any(|outcome| outcome.state == one[0].state));
            let mut walker = certain.walker();
            let transition = walker.apply(action, &mut Random::new(0)).unwrap();
            prop_assert_eq!(walker.state(), &one[0].state);
            prop_assert_eq!((transition.reward, transition.probability), (one[0].reward, 1.0));
        }
    }
}

/// A binary counter of 14 digits: a chain of 2^14 states, which is one full block of memory.
#[test]
fn long_chains_are_found_whole() {
    let digits = 14;
    let mut builder = herbrand_ground::strategies::Builder::new(digits, 0, 0, 0);
    for digit in 0..digits {
        let mut condition: Vec<i32> = (0..digit).map(u32::cast_signed).collect();
        condition.push(!digit.cast_signed());
        let precondition = builder.condition(&condition);
        let lower: Vec<u32> = (0..digit).collect();
        let effect = builder.change(&[digit], &lower);
        builder.action(precondition, effect);
    }
    builder.task.goal = builder.condition(&[2, !0, !1, !3]);
    let simulator = Simulator::new(builder.build());
    let found = reachable_states(&simulator, usize::MAX).unwrap();
    assert!(found.complete && !found.is_empty());
    assert_eq!(
        (found.len(), found.expanded, found.generated),
        (1 << 14, 1 << 14, (1 << 14) - 1)
    );
    assert_eq!(found.goal, Some(4));
    let last: Vec<_> = found.state((1 << 14) - 1).unwrap().fluents().collect();
    assert_eq!(last.len(), 14);
    assert!(found.bytes() < 100 * found.len());
}
