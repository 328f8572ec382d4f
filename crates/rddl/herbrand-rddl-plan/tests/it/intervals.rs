//! Bounds over a horizon contain everything that a simulator does.

use std::sync::Arc;

use herbrand_core::{Random, System};
use herbrand_distributions::Quantiles;
use herbrand_limits::Budget;
use herbrand_rddl::strategies::{Drawing, Shape, instances};
use herbrand_rddl::{Instance, Source};
use herbrand_rddl_plan::interval::{DrawCoverage, HorizonBounds, Interval};
use herbrand_rddl_sim::simulate::{Preconditions, RddlSimulator};
use herbrand_rddl_sim::suite::RddlSuite;
use proptest::prelude::*;

fn of_text(text: &str) -> Arc<Instance> {
    let suite =
        RddlSuite::from_sources(&[Source::new("text", text)]).unwrap_or_else(|error| panic!("{error}"));
    Arc::clone(&suite.compiled(0).unwrap().instance)
}

fn bounds(instance: &Arc<Instance>, steps: u32, coverage: DrawCoverage) -> HorizonBounds {
    HorizonBounds::new(instance, steps, coverage, &Budget::unlimited()).unwrap()
}

/// Walks at random. Returns the number of steps compared with the bounds.
fn walks_are_within(instance: &Arc<Instance>, walks: u64, steps: u32) -> Result<usize, TestCaseError> {
    let all = bounds(instance, steps, DrawCoverage::Support);
    let middle = bounds(instance, steps, DrawCoverage::Between(0.2, 0.7));
    let compiled = &all.compiled;
    let mut simulator = RddlSimulator::new(Arc::clone(compiled), Preconditions::Reported);
    let mut compared = 0;
    for walk in 0..walks {
        let mut random = Random::new(walk);
        let mut chance = random.stream(1);
        // The last walks draw quantiles within the narrower bounds.
        let quantile = match walk % 4 {
            2 => Some(0.2),
            3 => Some(0.65),
            _ => None,
        };
        let bounds = if quantile.is_some() { &middle } else { &all };
        simulator.restart();
        let (mut total, mut weight) = (0.0, 1.0);
        for (number, step) in bounds.steps.iter().enumerate() {
            let mut joint = Vec::new();
            simulator.sample(&mut random, &mut joint);
            let before = simulator.values().clone();
            for (at, interval) in step.state.iter().enumerate() {
                let value = compiled.state.section().get(&before, at).number();
                prop_assert!(
                    interval.contains(value),
                    "step {}: {} is {}, not in {:?}",
                    number,
                    compiled.name(&compiled.state, at),
                    value,
                    interval
                );
            }
            let result = match quantile {
                Some(u) => simulator.advance(&joint, &Quantiles::at(u)),
                None => simulator.step(&joint, &mut chance),
            };
            let Ok(transition) = result else { break };
            // Bounds are for actions that satisfy the preconditions.
            if simulator.violated().next().is_some() {
                break;
            }
            prop_assert!(
                step.reward.contains(transition.reward),
                "step {}: reward {} is not in {:?}",
                number,
                transition.reward,
                step.reward
            );
            let ended = transition.status.terminal || transition.status.broken;
            prop_assert!(step.ends.contains(f64::from(u8::from(ended))));
            total += weight * transition.reward;
            weight *= instance.discount;
            compared += 1;
            if ended || number + 1 == bounds.steps.len() {
                prop_assert!(
                    bounds.total.contains(total) || total.is_infinite(),
                    "return {} is not in {:?}",
                    total,
                    bounds.total
                );
                break;
            }
        }
    }
    Ok(compared)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn walks_of_random_models_are_within_bounds(instance in instances(&Shape { draws: Drawing::All, ..Shape::default() })) {
        walks_are_within(&Arc::new(instance), 8, 4)?;
    }
}

#[test]
fn walks_of_bundled_environments_are_within_bounds() {
    let mut finite = 0;
    for name in RddlSuite::bundled_names() {
        let suite = RddlSuite::bundled(&name).unwrap();
        let instance = &suite.compiled(0).unwrap().instance;
        let compared = walks_are_within(instance, 8, 6).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(compared >= 8, "{name}");
        finite += usize::from(
            bounds(instance, 6, DrawCoverage::Between(0.05, 0.95))
                .total
                .is_finite(),
        );
    }
    assert!(finite > 10, "{finite} returns have bounds");
}

#[test]
fn traffic_has_bounds_that_say_something() {
    let suite = RddlSuite::bundled("rddl/traffic").unwrap();
    let found = bounds(&suite.compiled(0).unwrap().instance, 40, DrawCoverage::Support);
    for (at, interval) in found.steps[39].state.iter().enumerate() {
        let name = found.compiled.name(&found.compiled.state, at);
        assert!(interval.low >= 0.0 && interval.high < 2e3, "{name}: {interval:?}");
    }
    // A step that breaks an invariant is paid, too.
    assert!(
        found.total.high < 1e3 && found.total.low > -1e6,
        "{:?}",
        found.total
    );
    assert_eq!(found.lost, []);
}

#[test]
fn invariants_preconditions_and_sums_narrow_bounds() {
    let instance = of_text(
        "domain d {
            pvariables {
                x : { state-fluent, real, default = 1.0 };
                y : { state-fluent, real, default = 0.0 };
                free : { state-fluent, real, default = 0.0 };
                far : { state-fluent, real, default = 0.0 };
                put : { action-fluent, real, default = 0.0 };
                open : { action-fluent, bool, default = false };
            };
            cpfs {
                x' = x + put - 0.5 * x;
                y' = if (open) then y + 3 else y - 1;
                free' = Normal(free, 1.0);
                far' = far + free;
            };
            reward = y';
            action-preconditions { put <= 2 - x; put >= -x; };
            state-invariants { x >= 0; y >= -2.5; ~(x + y > 40); };
            termination { y >= 8; };
        }
        instance i { domain = d; horizon = 30; discount = 1.0; }",
    );
    let found = bounds(&instance, 30, DrawCoverage::Support);
    let [x, y] = [0, 1].map(|at| found.steps[29].state[at]);
    // x' is 0.5 x + put, and put is at most 2 because x is at least 0. Without the sum, x' would be x + put.
    assert!(x.low >= 0.0 && x.high <= 4.0, "{x:?}");
    // The episode ends otherwise.
    assert!(y.low >= -2.5 && y.high <= 8.0, "{y:?}");
    assert!(
        found.last[1].high <= 11.0 && found.last[1].low >= -3.5,
        "{:?}",
        found.last[1]
    );
    let lost: Vec<_> = found
        .lost
        .iter()
        .map(|one| (one.of.as_str(), one.step, one.by.as_str()))
        .collect();
    assert_eq!(lost, [("free'", 1, "a draw from Normal"), ("far'", 2, "free")]);
}

/// A counter that grows by the number put in, and pays its square.
const COUNTER: &str = "
    domain counter {
        pvariables {
            n : { state-fluent, int, default = 0 };
            noise : { state-fluent, real, default = 0.0 };
            put : { action-fluent, int, default = 0 };
        };
        cpfs { n' = n + put; noise' = Normal(0.0, 4.0); };
        reward = n' * n';
        termination { n >= 5; };
        action-preconditions { put <= 3; put >= 0; };
    }
    instance i { domain = counter; horizon = 9; discount = 0.5; }";

#[test]
fn bounds_of_a_counter_are_those_by_hand() {
    let instance = of_text(COUNTER);
    let found = bounds(&instance, 3, DrawCoverage::Support);
    let n: Vec<Interval> = found.steps.iter().map(|step| step.state[0]).collect();
    assert_eq!(
        n,
        [
            Interval::new(0.0, 0.0),
            Interval::new(0.0, 3.0),
            // The episode ends at 5.
            Interval::new(0.0, 4.0)
        ]
    );
    assert_eq!(found.last[0], Interval::new(0.0, 7.0));
    assert_eq!(found.steps[1].reward, Interval::new(0.0, 36.0));
    // 9 + 36 / 2 + 49 / 4.
    assert_eq!(found.total, Interval::new(0.0, 39.25));
    assert_eq!(found.actions, [Interval::new(0.0, 3.0)]);
    assert_eq!(found.last[1], Interval::NUMBERS);
    let found = bounds(&instance, 3, DrawCoverage::Between(0.05, 0.95));
    let noise = found.last[1];
    assert!(
        (noise.low + 3.2897).abs() < 1e-3 && (noise.high - 3.2897).abs() < 1e-3,
        "{noise:?}"
    );
}

#[test]
fn bounds_may_start_anywhere_and_with_any_actions() {
    let instance = of_text(COUNTER);
    let narrow = |start: &mut herbrand_rddl_plan::interval::StartBounds| {
        start.state[0] = Interval::new(1.0, 2.0);
        start.actions[0] = Interval::new(1.0, 1.0);
    };
    let found = HorizonBounds::from(&instance, 2, DrawCoverage::Mean, narrow, &Budget::unlimited()).unwrap();
    assert_eq!(found.last[0], Interval::new(3.0, 4.0));
    assert_eq!(found.last[1], Interval::new(0.0, 0.0));
    assert_eq!(found.total, Interval::new(4.0 + 4.5, 9.0 + 8.0));
}

#[test]
fn an_episode_that_is_over_has_no_more_steps() {
    let sure = COUNTER.replace("n >= 5", "n >= 0");
    let found = bounds(&of_text(&sure), 9, DrawCoverage::Support);
    assert_eq!((found.steps.len(), found.total), (1, Interval::new(0.0, 9.0)));
}

#[test]
fn squares_are_not_negative() {
    let text = "
        domain d {
            pvariables {
                x : { state-fluent, real, default = 0.5 };
                n : { state-fluent, int, default = 1 };
                push : { action-fluent, real, default = 0.0 };
            };
            cpfs { x' = max[0.0, min[1.0, x + push]]; n' = n; };
            reward = -pow[x - 0.6, 2] - n * n;
        }
        instance i { domain = d; init-state { n = -3; }; horizon = 4; discount = 1.0; }";
    let suite = RddlSuite::from_sources(&[Source::new("text", text)]).unwrap();
    let found = bounds(suite.instance(0).unwrap(), 4, DrawCoverage::Support);
    assert!(found.total.high <= 0.0, "{:?}", found.total);
}

/// Returns the values that may be NaN within some steps of a domain with these CPFs of reals and this reward, with the steps.
fn maybe_nan(cpfs: &str, reward: &str, steps: u32) -> Vec<(String, usize)> {
    let text = format!(
        "domain d {{
            pvariables {{
                x : {{ state-fluent, real, default = 1.0 }};
                y : {{ state-fluent, real, default = 2.0 }};
                z : {{ state-fluent, real, default = 0.0 }};
                push : {{ action-fluent, real, default = 0.0 }};
            }};
            cpfs {{ {cpfs} }};
            reward = {reward};
            state-invariants {{ z >= 0.0; }};
        }}
        instance i {{ domain = d; horizon = 40; discount = 0.5; }}"
    );
    let found = bounds(&of_text(&text), steps, DrawCoverage::Support);
    found.nan.into_iter().map(|one| (one.of, one.step)).collect()
}

#[test]
fn numbers_without_bounds_are_not_infinite() {
    for (cpfs, reward) in [
        ("x' = x + push; y' = y - x; z' = z;", "x - y"),
        (
            "x' = Normal(x, 4.0); y' = Cauchy(0.0, 1.0) - x; z' = z;",
            "0.5 * x - y * y",
        ),
        (
            "x' = x * push; y' = y * push - x; z' = 0.0 * x;",
            "max[x, y] - min[x, y]",
        ),
        (
            "x' = x + push; y' = pow[x, 2] - pow[x, 3]; z' = sqrt[abs[x]];",
            "y / (1.0 + abs[x])",
        ),
        (
            "x' = x + push; y' = sin[x] + cos[y] + tan[y]; z' = fmod[x, 3.0];",
            "hypot[x, y] - x",
        ),
        (
            "x' = MultivariateNormalOf; y' = x - y; z' = 1.0 / (1.0 + abs[x]);",
            "ln[1.0 + abs[y]] - x",
        ),
    ] {
        let cpfs = cpfs.replace(
            "MultivariateNormalOf",
            "Student(3.0) + Laplace(0.0, 1.0) - Exponential(2.0)",
        );
        for steps in [1, 3, 40] {
            assert_eq!(maybe_nan(&cpfs, reward, steps), [], "{cpfs} {steps}");
        }
    }
}

#[test]
fn what_may_be_nan_does_not_depend_on_the_number_of_steps() {
    for (cpfs, expected) in [
        // A root of a number that may be negative; the invariant excludes NaN after the step.
        ("x' = x + push; y' = y; z' = sqrt[x];", &[("z'", 2)][..]),
        // 1 / 0 is infinite, and the difference of infinite numbers is none.
        (
            "x' = 1.0 / push; y' = x - push / 0.0; z' = z;",
            &[("y'", 1), ("reward", 2)],
        ),
        (
            "x' = 1.0 / push; y' = x - 1.0 / push; z' = z;",
            &[("y'", 2), ("reward", 2)],
        ),
        // Moderate numbers have infinite exponentials.
        (
            "x' = exp[push]; y' = exp[push] - x; z' = z;",
            &[("y'", 2), ("reward", 3)],
        ),
        ("x' = ln[push]; y' = y; z' = z;", &[("x'", 1), ("reward", 2)]),
        (
            "x' = pow[push, 0.5]; y' = y; z' = z;",
            &[("x'", 1), ("reward", 2)],
        ),
        (
            "x' = 1e300 * (1e300 + z); y' = x - max[x, 0.0]; z' = z;",
            &[("y'", 2), ("reward", 3)],
        ),
    ] {
        for steps in [3, 4, 40] {
            let found = maybe_nan(cpfs, "x + y", steps);
            let found: Vec<_> = found.iter().map(|(of, step)| (of.as_str(), *step)).collect();
            assert_eq!(found, expected, "{cpfs} {steps}");
        }
    }
}
