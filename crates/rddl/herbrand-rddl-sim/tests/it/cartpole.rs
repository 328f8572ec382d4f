//! The bundled CartPole moves like Gymnasium's `CartPole-v1`, whose formulas are repeated here.

use std::sync::Arc;

use herbrand_core::{Choice, FieldValue};
use herbrand_distributions::Quantiles;
use herbrand_domains::environments;
use herbrand_rddl::Instance;
use herbrand_rddl_sim::ground::compile;
use herbrand_rddl_sim::simulate::{FluentValue, Preconditions, RddlSimulator};

/// Position, velocity, angle and spin.
type Pole = [f64; 4];

/// One Euler step of `CartPole-v1`.
fn gymnasium(pole: Pole, force: f64) -> Pole {
    let (gravity, cart, mass, half, tau) = (9.8, 1.0, 0.1, 0.5, 0.02);
    let [x, speed, angle, spin] = pole;
    let (sine, cosine) = angle.sin_cos();
    let push = (force + mass * half * spin.powi(2) * sine) / (cart + mass);
    let tilting =
        (gravity * sine - cosine * push) / (half * (4.0 / 3.0 - mass * cosine.powi(2) / (cart + mass)));
    let rolling = push - mass * half * tilting * cosine / (cart + mass);
    [
        x + tau * speed,
        speed + tau * rolling,
        angle + tau * spin,
        spin + tau * tilting,
    ]
}

fn is_lost([x, _, angle, _]: Pole) -> bool {
    x.abs() > 2.4 || angle.abs() > 12.0 * 2.0 * std::f64::consts::PI / 360.0
}

/// A simulator of the first instance of an environment, in its initial state.
fn simulator(name: &str) -> RddlSimulator {
    let environments = environments();
    let environment = environments
        .iter()
        .find(|environment| environment.name == name)
        .unwrap();
    let instance = Instance::from_text(environment.domain, environment.instances[0].1).unwrap();
    RddlSimulator::new(
        Arc::new(compile(&Arc::new(instance)).unwrap()),
        Preconditions::Refused,
    )
}

fn pole(simulator: &RddlSimulator) -> Pole {
    let compiled = simulator.compiled();
    ["position", "velocity", "angle", "spin"].map(|name| {
        let places = 0..compiled.state.len();
        let name = format!("{name}___c1");
        let mut places = places.filter(|&at| compiled.name(&compiled.state, at) == name);
        match simulator.fluent(places.next().unwrap()) {
            FluentValue::Real(value) => value,
            other => panic!("{name} is {other:?}"),
        }
    })
}

/// Compares steps until the pole falls, with the force returned for each step. Returns the number of steps. Both
/// implementations take each step from the same state, because the dynamics amplify rounding errors.
fn assert_agree(name: &str, force: impl Fn(usize, Pole) -> f64, action: impl Fn(f64) -> FieldValue) -> usize {
    let mut simulator = simulator(name);
    for step in 0..500 {
        let before = pole(&simulator);
        let push = force(step, before);
        let expected = gymnasium(before, push);
        let choice = Choice {
            field: 0,
            value: action(push),
        };
        let transition = simulator.advance(&[choice], &Quantiles::at(0.5)).unwrap();
        for (found, expected) in pole(&simulator).into_iter().zip(expected) {
            assert!(
                (found - expected).abs() <= 1e-12,
                "{name}, step {step}: {found}, not {expected}"
            );
        }
        assert!(
            transition.reward == 1.0,
            "{name}, step {step}: {}",
            transition.reward
        );
        assert_eq!(
            transition.status.terminal,
            is_lost(expected),
            "{name}, step {step}"
        );
        if transition.status.terminal {
            return step + 1;
        }
    }
    500
}

/// The force of a policy that keeps the pole upright.
fn balance(_: usize, [x, speed, angle, spin]: Pole) -> f64 {
    10.0_f64.copysign(x + 2.0 * speed + 40.0 * angle + 12.0 * spin)
}

/// Forces in a pattern without a short period.
fn restless(step: usize, _: Pole) -> f64 {
    if step * step % 7 < 3 { 10.0 } else { -10.0 }
}

fn right(force: f64) -> FieldValue {
    FieldValue::Discrete(u32::from(force > 0.0))
}

#[test]
fn the_discrete_form_agrees_with_gymnasium() {
    assert_eq!(assert_agree("cartpole-discrete", balance, right), 500);
    assert!(assert_agree("cartpole-discrete", restless, right) < 500);
}

#[test]
fn the_continuous_form_agrees_with_gymnasium() {
    assert_eq!(
        assert_agree("cartpole-continuous", balance, FieldValue::Real),
        500
    );
    assert!(assert_agree("cartpole-continuous", restless, FieldValue::Real) < 500);
    let any = |step: usize, _: Pole| 9.0 * (step as f64).sin();
    assert!(assert_agree("cartpole-continuous", any, FieldValue::Real) < 500);
}
