//! Lifted and grounded engines take the same episodes, the agent's actions included, in every bundled domain.
#![cfg(feature = "domains")]

use std::collections::BTreeSet;

use herbrand_env::{
    AgentActionId, Engine, EngineKind, EnvError, Registry, RolloutOptions, Streams, Suite, rollout,
};
use herbrand_step::Upkeep;

fn suites() -> impl Iterator<Item = Suite> {
    let names = Registry::names().expect("sound bundled domains");
    names
        .into_iter()
        .map(|name| Registry::get(&name).expect("a bundled domain"))
}

/// One walk on both engines, step by step.
fn walk(suite: &Suite, problem: usize, upkeep: Upkeep) -> Result<(), EnvError> {
    let (mut grounded, mut lifted) = (suite.engine(problem)?, suite.lifted_engine(problem, upkeep)?);
    let name = |id: AgentActionId| grounded_name(suite, problem, id);
    let [mut first, mut second] = [Streams::new(5), Streams::new(5)];
    grounded.reset(&mut first.outcomes).map_err(EnvError::Planning)?;
    lifted.reset(&mut second.outcomes).map_err(EnvError::Planning)?;
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for step in 0..30 {
        let place = || format!("{} problem {problem} step {step}", suite.name());
        grounded.valid_actions(&mut left);
        lifted.valid_actions(&mut right);
        let by_grounding: BTreeSet<_> = left.iter().map(|&id| name(id)).collect();
        let by_views: BTreeSet<_> = right.iter().filter_map(|&id| lifted.action_text(id)).collect();
        assert_eq!(by_grounding, by_views, "{}", place());
        assert_eq!(grounded.valid_count(), lifted.valid_count(), "{}", place());
        assert_eq!(grounded.is_goal(), lifted.is_goal(), "{}", place());
        let drawn = grounded.sample(&mut first.actions, &mut left);
        assert_eq!(
            drawn,
            lifted.sample(&mut second.actions, &mut right),
            "{}",
            place()
        );
        if !drawn {
            break;
        }
        assert_eq!(Some(name(left[0])), lifted.action_text(right[0]), "{}", place());
        assert!(lifted.is_valid(&right));
        let expected = grounded.step(&left, &mut first.outcomes);
        let found = lifted.step(&right, &mut second.outcomes);
        match (expected, found) {
            (Ok(expected), Ok(found)) => assert_eq!(expected, found, "{}", place()),
            (Err(_), Err(_)) => break,
            (expected, found) => panic!("{}: {expected:?} and {found:?}", place()),
        }
    }
    Ok(())
}

fn grounded_name(suite: &Suite, problem: usize, id: AgentActionId) -> String {
    let instance = suite.instance(problem).expect("a sound problem");
    instance.space().display(id).to_string()
}

#[test]
fn both_take_the_same_episodes() {
    for suite in suites() {
        for problem in [0, suite.len() - 1] {
            walk(&suite, problem, Upkeep::Kept).expect("a sound suite");
        }
        walk(&suite, 0, Upkeep::Evaluated).expect("a sound suite");
    }
}

#[test]
fn rollouts_of_all_engines_count_the_same() {
    let kinds = [EngineKind::Grounded, EngineKind::Lifted, EngineKind::Datalog];
    for name in ["sokoban", "hanoi", "exploding-blocks", "philosophers"] {
        let suite = Registry::get(name)
            .expect("a bundled domain")
            .problem("train/01")
            .expect("a first problem");
        let counts = kinds.map(|engine| {
            let options = RolloutOptions {
                episodes: 20,
                engine,
                ..RolloutOptions::default()
            };
            let report = rollout(&suite, &options, &|_| ()).expect("a sound suite");
            (
                report.steps,
                report.goals,
                report.dead_ends,
                report.mean_valid_actions.to_bits(),
            )
        });
        assert_eq!(counts[0], counts[1], "{name}");
        assert_eq!(counts[0], counts[2], "{name}");
    }
}
