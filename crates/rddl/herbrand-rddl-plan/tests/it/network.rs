//! Networks: dependencies between fluents.

use std::collections::BTreeSet;
use std::sync::Arc;

use herbrand_core::{Random, System};
use herbrand_distributions::RandomGenerator;
use herbrand_limits::Budget;
use herbrand_rddl::strategies::{Drawing, Shape, instances};
use herbrand_rddl::{Instance, Source};
use herbrand_rddl_plan::network::{Network, NetworkError, NodeRole};
use herbrand_rddl_sim::ground::StepGraph;
use herbrand_rddl_sim::simulate::{FluentValue, Preconditions, RddlSimulator};
use herbrand_rddl_sim::suite::RddlSuite;
use proptest::prelude::*;

fn step_of(instance: &Arc<Instance>) -> StepGraph {
    StepGraph::new(instance, &Budget::unlimited()).unwrap()
}

/// Returns the state fluents that a node depends on, directly or indirectly.
fn behind(network: &Network, name: &str) -> BTreeSet<String> {
    let part = network.behind(name).unwrap();
    let state = part.nodes.iter().filter(|node| node.role == NodeRole::State);
    state.map(|node| node.name.clone()).collect()
}

/// Changes one state fluent at a time: only its dependants may change.
fn only_readers_change(instance: &Arc<Instance>, seed: u64) -> Result<(), TestCaseError> {
    let step = step_of(instance);
    let network = Network::ground(&step, &Budget::unlimited()).unwrap();
    prop_assert!(network.edges.iter().all(|(from, to)| from < to));
    let compiled = step.compiled();
    let mut simulator = RddlSimulator::new(Arc::clone(compiled), Preconditions::Reported);
    let mut random = Random::new(seed);
    let mut joint = Vec::new();
    simulator.sample(&mut random, &mut joint);
    let draws = RandomGenerator::keyed(seed, 0, 0);
    let start = simulator.values().clone();
    let Ok(first) = simulator.advance(&joint, &draws) else {
        return Ok(());
    };
    let after = simulator.values().clone();
    let section = compiled.state.section();
    for changed in 0..compiled.state.len().min(6) {
        let mut other = start.clone();
        let value = match section.get(&start, changed) {
            FluentValue::Bool(value) => FluentValue::Bool(!value),
            FluentValue::Int(value) => FluentValue::Int(i64::from(value == 0)),
            FluentValue::Real(value) => FluentValue::Real(value + 0.75),
        };
        section.set(&mut other, changed, value);
        simulator.go_to(&other).unwrap();
        let Ok(second) = simulator.advance(&joint, &draws) else {
            continue;
        };
        let name = compiled.name(&compiled.state, changed);
        let is_other = |one: f64, two: f64| one.to_bits() != two.to_bits();
        for at in 0..compiled.state.len() {
            let (one, two) = (
                section.get(&after, at).number(),
                section.get(simulator.values(), at).number(),
            );
            if is_other(one, two) {
                let reader = compiled.name(&compiled.state, at);
                prop_assert!(
                    behind(&network, &reader).contains(&name),
                    "{}' changes with {}",
                    reader,
                    name
                );
            }
        }
        if is_other(first.reward, second.reward) {
            prop_assert!(
                behind(&network, "reward").contains(&name),
                "the reward changes with {}",
                name
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_changes_depends_on_what_was_changed(
        instance in instances(&Shape { draws: Drawing::All, ..Shape::default() }),
        seed in any::<u64>(),
    ) {
        only_readers_change(&Arc::new(instance), seed)?;
    }
}

const LIGHTS: &str = "
    domain lights {
        types { lamp : object; };
        pvariables {
            NEXT(lamp, lamp) : { non-fluent, bool, default = false };
            on(lamp) : { state-fluent, bool, default = false };
            press(lamp) : { action-fluent, bool, default = false };
            lit(lamp) : { interm-fluent, bool };
            seen(lamp) : { observ-fluent, bool };
        };
        cpfs {
            lit(?l) = press(?l) | exists_{?k : lamp} [NEXT(?k, ?l) ^ on(?k)];
            on'(?l) = lit(?l) ^ Bernoulli(0.9);
            seen(?l) = on'(?l);
        };
        reward = sum_{?l : lamp} [on'(?l)] - (sum_{?l : lamp} [press(?l)]);
    }
    non-fluents n { domain = lights; objects { lamp : { a, b }; }; non-fluents { NEXT(a, b); }; }
    instance i { domain = lights; non-fluents = n; horizon = 2; discount = 1.0; }";

#[test]
fn networks_of_lights() {
    let suite = RddlSuite::from_sources(&[Source::new("text", LIGHTS)]).unwrap();
    let lifted = Network::lifted(suite.domain());
    assert_eq!(lifted.reads("lit"), ["on", "press"]);
    assert_eq!(lifted.reads("on'"), ["lit"]);
    assert_eq!(lifted.reads("reward"), ["press", "on'"]);
    let ground = Network::ground(
        &step_of(&suite.compiled(0).unwrap().instance),
        &Budget::unlimited(),
    )
    .unwrap();
    // Nothing is next to b, so a is lit only by its own button; its value is the action itself.
    assert_eq!(ground.reads("lit___b"), ["on___a", "press___b"]);
    assert_eq!(ground.reads("lit___a"), ["press___a"]);
    assert_eq!(ground.reads("on___b'"), ["lit___b"]);
    assert_eq!(ground.reads("seen___b"), ["on___b'"]);
    let part = ground.behind("on___b").unwrap();
    let names: Vec<&str> = part.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["on___a", "press___b", "lit___b", "on___b'"]);
    assert_eq!(
        ground.behind("of").unwrap_err(),
        NetworkError::Unknown {
            name: "of".to_owned(),
            suggestion: None,
        }
    );
    assert_eq!(ground.scene().unwrap().faults(), Vec::<String>::new());
}

#[test]
fn networks_of_bundled_environments_are_drawn_without_overlaps() {
    for name in RddlSuite::bundled_names() {
        let suite = RddlSuite::bundled(&name).unwrap();
        let lifted = Network::lifted(suite.domain());
        assert_eq!(lifted.scene().unwrap().faults(), Vec::<String>::new(), "{name}");
        let ground = Network::ground(
            &step_of(&suite.compiled(0).unwrap().instance),
            &Budget::unlimited(),
        )
        .unwrap();
        if ground.nodes.len() <= Network::DRAWN {
            assert_eq!(ground.scene().unwrap().faults(), Vec::<String>::new(), "{name}");
        } else {
            assert!(ground.scene().unwrap_err().to_string().contains("name a fluent"));
        }
    }
}
