//! Serialisation of ground tasks: a deserialised task is equal and walks the same. A damaged file is refused or yields a
//! valid task.

use std::sync::Arc;

use crate::common::bundled;
use crate::random::{Printed, config, printed};
use herbrand::ground::{GroundOptions, ground};
use herbrand::limits::Budget;
use herbrand::pddl::strategies::Shape;
use herbrand::step::{Options, Random, all_outcomes};
use herbrand::{ActionId, GroundTask, Simulator, State};
use proptest::prelude::*;

fn binary(task: &GroundTask) -> Vec<u8> {
    postcard::to_stdvec(task).expect("memory is all that writing takes")
}

/// Creates the simulator of a task, with a low limit on outcomes.
fn simulator(task: GroundTask) -> Simulator {
    let options = Options {
        outcome_limit: 64,
        ..Options::default()
    };
    Simulator::with_options(Arc::new(task), options)
}

/// A visited state: valid actions, state, goal, and the bits of the reward of the step that led to it.
type Visited = (Vec<ActionId>, State, bool, u64);

/// Walks with a seed until the episode ends, and calls every query of the task on the way.
fn walk(task: GroundTask, seed: u64, steps: usize) -> Vec<Visited> {
    let simulator = simulator(task);
    let (mut walker, mut random) = (simulator.walker(), Random::new(seed));
    let mut visited = Vec::new();
    let _ = walker.reset(&mut random);
    let mut reward = 0;
    for _ in 0..=steps {
        let valid: Vec<_> = walker.valid().iter().collect();
        assert_eq!(valid, simulator.valid_actions(walker.state()));
        visited.push((valid, walker.state().clone(), walker.is_goal(), reward));
        for action in simulator.task().actions.ids().take(4) {
            walker.explain(action).expect("an action of the task");
            let _ = simulator.outcomes(walker.state(), action);
        }
        let Some(action) = walker.sample(&mut random) else {
            break;
        };
        match walker.apply(action, &mut random) {
            Ok(transition) => reward = transition.reward.to_bits(),
            Err(_) => break,
        }
    }
    while walker.undo() {}
    visited
}

/// Writes and reads a task in both formats.
fn check(task: &GroundTask, seed: u64) -> Result<(), TestCaseError> {
    prop_assert_eq!(task.check(), Ok(()));
    let json = serde_json::to_string(task).expect("memory is all that writing takes");
    let read: [GroundTask; 2] = [
        postcard::from_bytes(&binary(task)).expect("what was written"),
        serde_json::from_str(&json).expect("what was written"),
    ];
    for read in read {
        prop_assert_eq!(&read, task);
        prop_assert_eq!(binary(&read), binary(task));
        prop_assert_eq!(walk(read, seed, 12), walk(task.clone(), seed, 12));
    }
    Ok(())
}

fn grounded(Printed(domain, problem): &Printed) -> GroundTask {
    ground(domain, problem, &GroundOptions::unlimited()).expect("there is no limit")
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn random_tasks_go_there_and_back(task in printed(&Shape::default()), seed: u64) {
        let task = grounded(&task);
        check(&task, seed)?;
        check(&task.clone().only_relevant(), seed)?;
        if let Ok(determinized) = all_outcomes(&simulator(task), &Budget::unlimited()) {
            check(&determinized, seed)?;
        }
    }

    #[test]
    fn damaged_files_do_no_harm(
        task in printed(&Shape::default()), seed: u64,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4), small: bool,
    ) {
        let mut bytes = binary(&grounded(&task));
        for (place, byte) in damage {
            // Small values yield more well-formed tasks than arbitrary bytes.
            let place = place.index(bytes.len());
            bytes[place] = if small { byte % 8 } else { byte };
        }
        if let Ok(task) = postcard::from_bytes::<GroundTask>(&bytes) {
            prop_assert!(!task.to_string().is_empty());
            walk(task, seed, 6);
        }
    }

    #[test]
    fn files_that_end_early_are_refused(task in printed(&Shape::default()), end: prop::sample::Index) {
        let bytes = binary(&grounded(&task));
        let end = end.index(bytes.len());
        prop_assert!(postcard::from_bytes::<GroundTask>(&bytes[..end]).is_err());
    }
}

#[test]
fn bundled_problems_go_there_and_back() {
    for bundled in bundled(1) {
        let task = ground(&bundled.domain, &bundled.problem, &GroundOptions::default());
        let task = task.expect("bundled problems fit the limits");
        check(&task, 3).unwrap_or_else(|error| panic!("{}: {error}", bundled.name));
        // A number usually takes at most four bytes; names come on top.
        let bytes = binary(&task).len();
        assert!(
            bytes < task.bytes() + 4096,
            "{}: {bytes} bytes, {} in memory",
            bundled.name,
            task.bytes()
        );
    }
}
