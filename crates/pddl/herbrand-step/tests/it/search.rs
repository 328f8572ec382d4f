//! Tests that breadth-first search finds the same states as a naive search, in the same order.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use herbrand_ground::strategies::{EffectKinds, TaskSketch, sketches};
use herbrand_ground::{ActionId, NumericId};
use herbrand_limits::{Budget, BudgetExhausted, Limits};
use herbrand_step::{
    Random, Simulator, SpaceLimit, SpaceOptions, State, StateSpace, StepError, all_outcomes,
};
use proptest::prelude::*;

fn explore(simulator: &Simulator, states: usize) -> Result<StateSpace, StepError> {
    let options = SpaceOptions {
        states,
        ..SpaceOptions::default()
    };
    StateSpace::explore_costs(
        simulator,
        &options,
        |_, _, deltas| cost(deltas),
        &Budget::unlimited(),
    )
}

/// The change of the first accumulator.
fn cost(deltas: &[(NumericId, f64)]) -> f64 {
    deltas.first().map_or(0.0, |&(_, delta)| delta)
}

/// The choices of a state: for each action, the probability and the mean cost of each successor.
type Choices = Vec<(ActionId, BTreeMap<usize, (f64, f64)>)>;

/// The states found by a naive search from the given states, and the choices of the expanded ones.
fn naive(
    simulator: &Simulator,
    starts: Vec<State>,
    limit: usize,
) -> Result<(Vec<State>, Vec<Choices>), StepError> {
    let (mut states, mut numbers) = (Vec::new(), HashMap::new());
    let mut number = |state: State, states: &mut Vec<State>| {
        *numbers.entry(state.clone()).or_insert_with(|| {
            states.push(state);
            states.len() - 1
        })
    };
    for state in starts {
        number(state, &mut states);
    }
    let mut all = Vec::new();
    while all.len() < states.len() && states.len() <= limit {
        let state = states[all.len()].clone();
        let mut choices = Choices::new();
        for action in simulator.valid_actions(&state) {
            let outcomes = match simulator.outcomes(&state, action) {
                Ok(outcomes) => outcomes,
                Err(error @ StepError::TooManyOutcomes { .. }) => return Err(error),
                Err(_) => continue,
            };
            let mut merged = BTreeMap::<usize, (f64, f64)>::new();
            for outcome in outcomes {
                let (sum, spent) = merged.entry(number(outcome.state, &mut states)).or_default();
                *sum += outcome.probability;
                *spent += outcome.probability * cost(&outcome.deltas);
            }
            choices.push((action, merged));
        }
        all.push(choices);
    }
    Ok((states, all))
}

/// Checks that a space has the states and the choices that the naive search found.
fn check(
    simulator: &Simulator,
    found: &StateSpace,
    states: &[State],
    all: &[Choices],
) -> Result<(), TestCaseError> {
    let found_states: Vec<State> = (0..found.len())
        .map(|number| found.state(number).unwrap())
        .collect();
    prop_assert_eq!(&found_states, states);
    prop_assert_eq!(found.state(found.len()), None);
    let graph = &found.graph;
    prop_assert_eq!(graph.len(), states.len());
    prop_assert_eq!(graph.expanded as usize, all.len());
    for (number, state) in states.iter().enumerate() {
        prop_assert_eq!(found.number(state), Some(number));
        prop_assert_eq!(graph.goals[number], simulator.is_goal(state));
        let expected = all.get(number).map_or(&[][..], Vec::as_slice);
        let choices = graph.choices(number as u32);
        prop_assert_eq!(choices.len(), expected.len());
        for (choice, (action, merged)) in choices.zip(expected) {
            prop_assert_eq!(graph.actions[choice as usize], action.number());
            let outcomes = graph.outcomes(choice);
            prop_assert_eq!(outcomes.len(), merged.len());
            for (outcome, (&target, &(probability, spent))) in outcomes.zip(merged) {
                prop_assert_eq!(graph.targets[outcome as usize] as usize, target);
                prop_assert!((graph.probability(outcome) - probability).abs() < 1e-9);
                let difference = graph.cost(outcome) * probability - spent;
                prop_assert!(difference.abs() < 1e-6 * spent.abs().max(1.0), "{difference}");
            }
        }
    }
    Ok(())
}

fn initial(simulator: &Simulator) -> Result<Vec<State>, StepError> {
    let outcomes = simulator.initial_outcomes()?;
    Ok(outcomes.into_iter().map(|outcome| outcome.state).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// A space is that of a naive search, whole or cut off by a number of states, from the initial states or others.
    #[test]
    fn spaces_are_those_of_a_naive_search(sketch in sketches(), limit in 0..400_usize, from in 0..50_usize) {
        let sketch = TaskSketch { actions: sketch.actions.min(20), ..sketch };
        let simulator = Simulator::new(sketch.build());
        let (found, expected) = (explore(&simulator, limit), initial(&simulator).and_then(|starts| naive(&simulator, starts, limit)));
        let (Ok(found), Ok((states, all))) = (&found, &expected) else {
            prop_assert_eq!(found.is_err(), expected.is_err());
            return Ok(());
        };
        check(&simulator, found, states, all)?;
        let whole = all.len() == states.len();
        prop_assert_eq!(found.graph.limit, (!whole).then_some(SpaceLimit::States(limit)));
        // Without transitions, and from two states of the space.
        let options = SpaceOptions { states: limit, transitions: false, ..SpaceOptions::default() };
        let bare = StateSpace::explore(&simulator, &options, &Budget::unlimited()).unwrap();
        prop_assert_eq!(bare.words(), found.words());
        prop_assert_eq!((&bare.graph.goals, bare.generated), (&found.graph.goals, found.generated));
        let starts = vec![states[from % states.len()].clone(), states[0].clone()];
        if let Ok((states, all)) = naive(&simulator, starts.clone(), 300) {
            let options = SpaceOptions { starts: Some(starts), states: 300, ..options };
            let options = SpaceOptions { transitions: true, ..options };
            let found = StateSpace::explore_costs(&simulator, &options, |_, _, deltas| cost(deltas), &Budget::unlimited());
            check(&simulator, &found.unwrap(), &states, &all)?;
        }
    }
}

#[test]
fn a_space_ends_at_the_limits_of_its_budget() {
    let simulator = counter(14, &[]);
    let whole = explore(&simulator, usize::MAX).unwrap();
    for (limits, expected) in [
        (
            Limits {
                bytes: Some(200_000),
                time: None,
            },
            BudgetExhausted::Memory {
                limit: 200_000,
                pass: "exploring the state space",
            },
        ),
        (
            Limits {
                bytes: None,
                time: Some(Duration::ZERO),
            },
            BudgetExhausted::Time {
                limit: Duration::ZERO,
                clock: "time",
                pass: "exploring the state space",
            },
        ),
    ] {
        let part = StateSpace::explore(&simulator, &SpaceOptions::default(), &Budget::new(limits)).unwrap();
        assert_eq!(part.graph.limit, Some(SpaceLimit::Budget(expected)));
        let (len, words) = (part.len(), part.words());
        assert!((1..1 << 13).contains(&len), "{len} states");
        assert_eq!(words, whole.words()[..words.len()]);
        assert_eq!(
            part.graph.actions,
            whole.graph.actions[..part.graph.expanded as usize]
        );
        let analysis = part.graph.analyse(&Budget::unlimited()).unwrap();
        assert!(!analysis.dead_ends.contains(&true), "the chain goes on");
    }
    let states = StateSpace::explore(
        &simulator,
        &SpaceOptions {
            starts: Some(vec![counter(3, &[]).initial_state()]),
            ..SpaceOptions::default()
        },
        &Budget::unlimited(),
    );
    assert_eq!(states.unwrap_err(), StepError::ForeignState);
}

/// At its limit, a search without transitions has all successors of the expanded states.
#[test]
fn no_state_is_lost_at_the_limit() {
    let mut builder = herbrand_ground::strategies::Builder::new(40, 0, 0, 0);
    for atom in 0..40 {
        let precondition = builder.condition(&[]);
        let effect = builder.change(&[atom], &[]);
        builder.action(precondition, effect);
    }
    let simulator = Simulator::new(builder.build());
    let options = SpaceOptions {
        states: 1,
        transitions: false,
        ..SpaceOptions::default()
    };
    let found = StateSpace::explore(&simulator, &options, &Budget::unlimited()).unwrap();
    assert_eq!((found.graph.expanded, found.len()), (1, 41));
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
            let found = explore(simulator, 20_000).unwrap();
            assert!(found.graph.is_complete());
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

/// A binary counter with this number of digits: a chain of 2^digits states. The goal is a conjunction of literals.
fn counter(digits: u32, goal: &[i32]) -> Simulator {
    let mut builder = herbrand_ground::strategies::Builder::new(digits, 0, 0, 0);
    for digit in 0..digits {
        let mut condition: Vec<i32> = (0..digit).map(u32::cast_signed).collect();
        condition.push(!digit.cast_signed());
        let precondition = builder.condition(&condition);
        let lower: Vec<u32> = (0..digit).collect();
        let effect = builder.change(&[digit], &lower);
        builder.action(precondition, effect);
    }
    builder.task.goal = builder.condition(goal);
    Simulator::new(builder.build())
}

/// A chain of 2^14 states, which is one full block of memory.
#[test]
fn long_chains_are_found_whole() {
    let simulator = counter(14, &[2, !0, !1, !3]);
    let found = explore(&simulator, usize::MAX).unwrap();
    let graph = &found.graph;
    assert!(graph.is_complete() && !found.is_empty());
    assert_eq!(
        (found.len(), graph.expanded, found.generated),
        (1 << 14, 1 << 14, (1 << 14) - 1)
    );
    assert_eq!(graph.goals.iter().position(|&goal| goal), Some(4));
    let last: Vec<_> = found.state((1 << 14) - 1).unwrap().fluents().collect();
    assert_eq!(last.len(), 14);
    assert!(found.bytes() < 100 * found.len());
    let analysis = graph.analyse(&Budget::unlimited()).unwrap();
    assert_eq!(
        (analysis.depth(), analysis.goal_steps[0]),
        (Some((1 << 14) - 1), 4)
    );
    assert_eq!(analysis.component_sizes.len(), 1 << 14);
}
