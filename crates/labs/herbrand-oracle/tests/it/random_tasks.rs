//! Tests that random tasks are interpreted without errors, and that they are varied enough to be useful in tests.

use herbrand_oracle::{Oracle, OracleError};
use herbrand_pddl::strategies::{Shape, tasks};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

const TASKS: usize = 1000;
const STEPS: usize = 5;

/// Counts of events in walks through random tasks.
#[derive(Default, Debug)]
struct Counts {
    states: usize,
    dead_ends: usize,
    actions: usize,
    applied: usize,
    changes: usize,
    chances: usize,
    goals: usize,
    derived: usize,
    initial_chances: usize,
    faults: usize,
    rewards: usize,
    reached_goals: usize,
}

fn walk(shape: &Shape) -> Counts {
    let mut runner = TestRunner::deterministic();
    let mut counts = Counts::default();
    for task in 0..TASKS {
        let (domain, problem) = tasks(shape)
            .new_tree(&mut runner)
            .expect("never rejects")
            .current();
        let oracle = Oracle::new(&domain, &problem).expect("stratified");
        let mut initial = match oracle.initial_states() {
            Ok(states) => states,
            Err(OracleError::Conflict(_)) => continue,
            Err(other) => panic!("{other}"),
        };
        counts.initial_chances += usize::from(initial.len() > 1);
        let mut state = initial.swap_remove(task % initial.len()).1;
        let (mut goals, mut states) = (0, 0);
        for step in 0..STEPS {
            states += 1;
            goals += usize::from(oracle.is_goal(&state));
            counts.derived += usize::from(!oracle.derived(&state).is_empty());
            let actions = oracle.valid_actions(&state);
            counts.actions += actions.len();
            let Some(action) = actions.get((task + step) % actions.len().max(1)) else {
                counts.dead_ends += 1;
                break;
            };
            let outcomes = match oracle.outcomes(&state, action) {
                Ok(outcomes) => outcomes,
                Err(OracleError::Invalid(_)) => panic!("valid actions are valid"),
                Err(_) => {
                    counts.faults += 1;
                    break;
                }
            };
            let sum: f64 = outcomes.iter().map(|outcome| outcome.probability).sum();
            assert!((sum - 1.0).abs() < 1e-12, "probabilities sum to {sum}");
            counts.applied += 1;
            counts.changes += usize::from(outcomes.iter().any(|outcome| outcome.state != state));
            counts.chances += usize::from(outcomes.len() > 1);
            counts.rewards += usize::from(outcomes.iter().any(|outcome| outcome.reward != 0.0));
            state = outcomes[step % outcomes.len()].state.clone();
        }
        counts.states += states;
        counts.goals += goals;
        counts.reached_goals += usize::from(goals > 0 && goals < states);
    }
    counts
}

/// Asserts that `count` is within two percentages of `whole`.
fn check(counts: &Counts, count: usize, whole: usize, percentages: [usize; 2]) {
    let [least, most] = percentages;
    let bounds = whole * least / 100..=whole * most / 100;
    assert!(
        bounds.contains(&count),
        "{count} is not within {bounds:?}: {counts:?}"
    );
}

#[test]
fn random_tasks_are_worth_testing_with() {
    let counts = walk(&Shape::default());
    let rates = [
        (counts.states, TASKS * STEPS, [50, 95]),
        (counts.dead_ends, TASKS, [10, 40]),
        (counts.actions, counts.states, [300, 1500]),
        (counts.changes, counts.applied, [40, 90]),
        (counts.chances, counts.applied, [15, 60]),
        (counts.goals, counts.states, [10, 60]),
        (counts.reached_goals, TASKS, [3, 60]),
        (counts.derived, counts.states, [30, 80]),
        (counts.initial_chances, TASKS, [20, 60]),
        (counts.faults, TASKS, [2, 20]),
        (counts.rewards, counts.applied, [10, 60]),
    ];
    for (count, whole, percentages) in rates {
        check(&counts, count, whole, percentages);
    }
}

#[test]
fn random_strips_tasks_are_certain() {
    let counts = walk(&Shape::strips());
    let certain = [
        counts.chances,
        counts.initial_chances,
        counts.derived,
        counts.faults,
    ];
    assert_eq!(certain, [0; 4], "{counts:?}");
    check(&counts, counts.changes, counts.applied, [30, 90]);
    check(&counts, counts.reached_goals, TASKS, [5, 60]);
}
