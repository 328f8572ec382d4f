//! State spaces of bundled problems.

use std::collections::BTreeMap;
use std::sync::Arc;

use herbrand_core::{Random, SpaceLimit, System as _};
use herbrand_limits::{Budget, Limits};
use herbrand_rddl::Instance;
use herbrand_rddl_plan::space::{RddlSpaceError, RddlSpaceOptions, RddlStateSpace};
use herbrand_rddl_sim::ground::{ExactError, ExactStep};
use herbrand_rddl_sim::simulate::{Preconditions, RddlSimulator, Values};
use herbrand_rddl_sim::suite::RddlSuite;

fn explore(instance: &Arc<Instance>, states: usize) -> Result<RddlStateSpace, RddlSpaceError> {
    let options = RddlSpaceOptions {
        states,
        outcomes: 5000,
        ..RddlSpaceOptions::default()
    };
    RddlStateSpace::explore(instance, &options, &Budget::unlimited())
}

/// For each state, joint action and successor, its probability and the sum of rewards.
type Outcomes = BTreeMap<[usize; 3], (f64, f64)>;

/// The states and outcomes of a naive search.
fn naive(space: &RddlStateSpace, instance: &Arc<Instance>) -> (Vec<Values>, Outcomes) {
    let step = ExactStep::new(instance).unwrap();
    let mut simulator = RddlSimulator::new(Arc::clone(step.compiled()), Preconditions::Refused);
    let mut states = vec![step.compiled().initial().clone()];
    let mut outcomes = BTreeMap::new();
    for from in 0.. {
        let Some(state) = states.get(from).cloned() else {
            break;
        };
        simulator.go_to(&state).unwrap();
        if simulator.status().terminal {
            continue;
        }
        for joint in 0..space.joints.len() {
            let choices = space.joints.joint(joint);
            if !simulator.is_valid(choices) {
                continue;
            }
            for outcome in step.outcomes(&state, choices, 5000).unwrap() {
                let known = states.iter().position(|known| *known == outcome.state);
                let to = known.unwrap_or_else(|| {
                    states.push(outcome.state);
                    states.len() - 1
                });
                let sums: &mut (f64, f64) = outcomes.entry([from, joint, to]).or_default();
                sums.0 += outcome.probability;
                sums.1 += outcome.probability * outcome.reward;
            }
        }
    }
    (states, outcomes)
}

#[test]
fn spaces_are_those_of_a_naive_search() {
    let mut checked = 0;
    for name in [
        "rddl/navigation-mdp",
        "rddl/triangle-tireworld-mdp",
        "rddl/elevators-mdp",
    ] {
        let suite = RddlSuite::bundled(name).unwrap();
        let instance = suite.instance(0).unwrap();
        let Ok(space) = explore(instance, 400) else {
            continue;
        };
        if !space.graph.is_complete() {
            continue;
        }
        checked += 1;
        let (states, outcomes) = naive(&space, instance);
        let found: Vec<Values> = (0..space.len())
            .map(|number| space.state(number).unwrap())
            .collect();
        assert_eq!(found, states, "{name}");
        let graph = &space.graph;
        let mut count = 0;
        for state in 0..graph.len() as u32 {
            assert_eq!(space.number(&states[state as usize]), Some(state as usize));
            for choice in graph.choices(state) {
                for outcome in graph.outcomes(choice) {
                    let key = [
                        state,
                        graph.actions[choice as usize],
                        graph.targets[outcome as usize],
                    ];
                    let (probability, reward) = outcomes[&key.map(|one| one as usize)];
                    assert!((graph.probability(outcome) - probability).abs() < 1e-9, "{name}");
                    assert!(
                        (graph.cost(outcome) * probability + reward).abs() < 1e-9,
                        "{name}"
                    );
                    count += 1;
                }
            }
        }
        assert_eq!(count, outcomes.len(), "{name}");
    }
    assert!(checked >= 1, "{checked} problems are small enough");
}

#[test]
fn walks_stay_within_the_space() {
    let suite = RddlSuite::bundled("rddl/navigation-mdp").unwrap();
    let space = explore(suite.instance(0).unwrap(), usize::MAX).unwrap();
    let mut simulator = suite
        .simulator(0)
        .unwrap()
        .with_preconditions(Preconditions::Refused);
    let (mut random, mut joint) = (Random::new(1), Vec::new());
    for _ in 0..200 {
        let before = space.number(simulator.values()).unwrap() as u32;
        if simulator.status().terminal || !simulator.sample(&mut random, &mut joint) {
            assert!(space.graph.choices(before).is_empty() || !simulator.status().terminal);
            simulator.restart();
            continue;
        }
        simulator.step(&joint, &mut random).unwrap();
        let action = space.joints.number(&joint).unwrap() as u32;
        let mut choices = space.graph.choices(before);
        let choice = choices
            .find(|&choice| space.graph.actions[choice as usize] == action)
            .unwrap();
        let outcomes = space.graph.outcomes(choice);
        let after = space.number(simulator.values()).unwrap() as u32;
        let targets = &space.graph.targets[outcomes.start as usize..outcomes.end as usize];
        assert!(targets.contains(&after));
    }
}

fn instance(fluents: &str, cpfs: &str) -> Arc<Instance> {
    let domain = format!(
        "domain d {{ pvariables {{ {fluents} }}; cpfs {{ {cpfs} }}; reward = 0; termination {{ n == 9; }}; }}"
    );
    let text = "instance i { domain = d; horizon = 3; discount = 1.0; }";
    Arc::new(Instance::from_text(&domain, text).unwrap_or_else(|faults| panic!("{faults}")))
}

#[test]
fn a_space_ends_at_limits_and_in_terminal_states() {
    let fluents = "n : { state-fluent, int, default = 0 }; b : { state-fluent, bool, default = false };
        a : { action-fluent, bool, default = false };";
    let counter = instance(fluents, "n' = n + 1; b' = a;");
    let space = explore(&counter, usize::MAX).unwrap();
    // The counter ends at 9, and `b` tells the last action.
    assert_eq!((space.len(), space.graph.is_complete()), (19, true));
    assert!(space.graph.choices(18).is_empty() && !space.graph.choices(16).is_empty());
    let part = explore(&counter, 4).unwrap();
    assert_eq!((part.len(), part.graph.limit), (5, Some(SpaceLimit::States(4))));
    let limits = Limits {
        bytes: Some(100),
        time: None,
    };
    let options = RddlSpaceOptions::default();
    let error = RddlStateSpace::explore(&counter, &options, &Budget::new(limits)).unwrap_err();
    assert!(matches!(error, RddlSpaceError::Compile(_)), "{error}");
    let options = RddlSpaceOptions {
        starts: Some(vec![space.state(3).unwrap(), space.state(3).unwrap()]),
        ..options
    };
    let later = RddlStateSpace::explore(&counter, &options, &Budget::unlimited()).unwrap();
    assert_eq!((later.len(), &later.graph.starts[..]), (15, &[(1.0, 0)][..]));
}

#[test]
fn infinite_draws_and_actions_are_refused() {
    let fluents = "n : { state-fluent, int, default = 0 }; a : { action-fluent, bool, default = false };";
    let error = explore(&instance(fluents, "n' = Poisson(2.0);"), 10).unwrap_err();
    assert!(
        matches!(error, RddlSpaceError::Step(ExactError::Infinite(_))),
        "{error}"
    );
    let fluents = "n : { state-fluent, int, default = 0 }; a : { action-fluent, real, default = 0.0 };";
    let error = explore(&instance(fluents, "n' = n;"), 10).unwrap_err();
    assert!(matches!(error, RddlSpaceError::Joints(_)), "{error}");
}
