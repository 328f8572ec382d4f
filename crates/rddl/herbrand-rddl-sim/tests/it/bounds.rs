//! Bounds of numeric action fluents: they are tight, and a number at a bound is taken.

use std::sync::Arc;

use herbrand_core::{BatchSystem, Choice, Described, FieldDomain, FieldValue, Random, System};
use herbrand_rddl::{Instance, Source};
use herbrand_rddl_sim::ground::compile;
use herbrand_rddl_sim::simulate::{FluentValue, Preconditions, RddlSimulator};
use proptest::prelude::*;

/// A simulator of a model with an int `d` and a real `r` as action fluents.
fn simulator(preconditions: &str) -> RddlSimulator {
    let text = format!(
        "domain d {{
            types {{ t : {{ @a, @b }}; }};
            pvariables {{
                MOST(t) : {{ non-fluent, int, default = 4 }};
                s : {{ state-fluent, real, default = 0.0 }};
                d : {{ action-fluent, int, default = 0 }};
                r : {{ action-fluent, real, default = 0.0 }};
            }};
            cpfs {{ s' = r; }};
            reward = 0;
            action-preconditions {{ {preconditions} }};
        }}
        instance i {{ domain = d; non-fluents {{ MOST(@b) = 3; }};
            max-nondef-actions = pos-inf; horizon = 3; discount = 1.0; }}"
    );
    let instance = Instance::load(&[Source::new("model", text.as_str())])
        .unwrap_or_else(|faults| panic!("{faults}\n{text}"));
    RddlSimulator::new(
        Arc::new(compile(&Arc::new(instance)).unwrap()),
        Preconditions::Refused,
    )
}

const fn choice(field: u32, value: FieldValue) -> [Choice; 1] {
    [Choice { field, value }]
}

#[test]
fn bounds_of_ints_are_tight() {
    for (preconditions, expected) in [
        ("d < 3 ^ d > -3;", (-2, 2)),
        ("d <= 3; d >= -3;", (-3, 3)),
        ("~(d >= 3); ~(d <= -3);", (-2, 2)),
        ("~(d > 3 | d < -1);", (-1, 3)),
        ("d >= 0; d <= 5; d ~= 5; d ~= 4;", (0, 3)),
        ("d ~= 4; d ~= 5; d <= 5; d >= 0;", (0, 3)),
        ("2 * d < 7; d > -1.5;", (-1, 3)),
        ("d < 3.0; d > -1.0;", (0, 2)),
        ("d <= 2.5; d >= -0.5;", (0, 2)),
        ("d + 1 < 4; -d < 2;", (-1, 2)),
        ("forall_{?t : t} [d < MOST(?t) ^ d > -MOST(?t)];", (-2, 2)),
        ("forall_{?t : t} ~[d >= MOST(?t)]; d >= -1;", (-1, 2)),
        ("0 <= d; d < MOST(@b) + MOST(@a);", (0, 6)),
    ] {
        let simulator = simulator(preconditions);
        let (low, high) = expected;
        assert_eq!(
            simulator.actions().fields()[0].domain,
            FieldDomain::Int { low, high },
            "{preconditions}"
        );
        for d in -12..=12 {
            let joint = choice(0, FieldValue::Int(d));
            assert_eq!(
                simulator.is_valid(&joint),
                (low..=high).contains(&d),
                "{preconditions} {d}"
            );
        }
        let (mut random, mut joint) = (Random::new(1), Vec::new());
        for _ in 0..50 {
            assert!(simulator.sample(&mut random, &mut joint), "{preconditions}");
        }
    }
}

#[test]
fn ends_of_reals_are_valid() {
    for (preconditions, expected) in [
        ("r < 0.3 ^ r > -0.1;", ((-0.1_f64).next_up(), 0.3_f64.next_down())),
        ("r <= 0.3; r >= -0.1;", (-0.1, 0.3)),
        ("~(r > 0.3); ~(r < -0.1);", (-0.1, 0.3)),
        (
            "~(r >= 0.3 | r <= -0.1);",
            ((-0.1_f64).next_up(), 0.3_f64.next_down()),
        ),
    ] {
        let simulator = simulator(preconditions);
        let (low, high) = expected;
        let domain = simulator.actions().fields()[1].domain;
        assert_eq!(domain, FieldDomain::Real { low, high }, "{preconditions}");
        for (number, is_valid) in [
            (low, true),
            (high, true),
            // A number within the rounding of a bound is the bound.
            (high.next_up(), true),
            (low.next_down(), true),
            (high + 1e-6, false),
            (low - 1e-6, false),
        ] {
            let joint = choice(1, FieldValue::Real(number));
            assert_eq!(simulator.is_valid(&joint), is_valid, "{preconditions} {number}");
        }
    }
}

/// Returns the value of the action fluent `r` that a step by a row, by a joint action and by a text carries out.
fn carried_out(simulator: &RddlSimulator, number: f64) -> [f64; 3] {
    let mut chance = Random::new(1);
    let value = |simulator: &RddlSimulator| match simulator.fluent(0) {
        FluentValue::Real(value) => value,
        other => panic!("{other:?}"),
    };
    let mut joint = Vec::new();
    simulator.actions().read_row(&[0.0, number], &mut joint).unwrap();
    let text = simulator.parse_joint(&format!("r = {number:?}")).unwrap();
    [joint, choice(1, FieldValue::Real(number)).to_vec(), text].map(|joint| {
        let mut simulator = simulator.clone();
        simulator.step(&joint, &mut chance).unwrap();
        value(&simulator)
    })
}

proptest! {
    /// A number computed from the bounds in single or double precision is taken, at most at a bound.
    #[test]
    fn numbers_at_bounds_are_taken(
        below in 0.0_f64..1e3,
        above in 1e-3_f64..1e3,
        share in prop_oneof![Just(0.0_f64), Just(1.0), 0.0_f64..1.0],
        is_single: bool,
    ) {
        let (low, high) = (-(below * 1e3).round() / 1e3, (above * 1e3).round() / 1e3);
        let simulator = simulator(&format!("r >= {low:?}; r <= {high:?};"));
        let (low, high) = simulator.actions().fields()[1].domain.bounds();
        let number = if is_single {
            let (low, high) = (low as f32, high as f32);
            f64::from(low + share as f32 * 0.5 * (2.0 * (high - low)))
        } else {
            low + share * 0.5 * (2.0 * (high - low))
        };
        for value in carried_out(&simulator, number) {
            prop_assert_eq!(value, number.clamp(low, high));
        }
    }

    /// Rows of a batch are taken alike.
    #[test]
    fn rows_at_bounds_are_taken(number in prop::sample::select(vec![0.3, f64::from(0.3_f32), f64::from(-0.1_f32), -0.1])) {
        let mut simulator = simulator("r >= -0.1; r <= 0.3;").with_preconditions(Preconditions::Reported);
        let mut joint = Vec::new();
        let is_accepted = simulator.accept_row(&[0.0, number]);
        prop_assert_eq!(is_accepted, (-0.1..=0.3).contains(&number));
        prop_assert!(simulator.actions().read_row(&[0.0, number], &mut joint).is_ok());
        prop_assert!(simulator.actions().check(&joint).is_ok());
    }
}

#[test]
fn numbers_beyond_rounding_are_refused() {
    let real = FieldDomain::Real { low: 0.0, high: 0.3 };
    assert_eq!(real.value_of(f64::from(0.3_f32)), Some(FieldValue::Real(0.3)));
    assert_eq!(real.value_of(-f64::from(1e-8_f32)), Some(FieldValue::Real(0.0)));
    for number in [
        0.300_001,
        -1e-9,
        f64::NAN,
        f64::INFINITY,
        f64::from(0.300_001_f32),
    ] {
        assert_eq!(real.value_of(number), None, "{number}");
    }
    let most = i64::from(i32::MAX);
    let int = FieldDomain::Int {
        low: -most,
        high: most,
    };
    // 2^31 - 1 in single precision is 2^31.
    assert_eq!(int.value_of(f64::from(most as f32)), Some(FieldValue::Int(most)));
    assert_eq!(
        int.value_of(-f64::from(most as f32)),
        Some(FieldValue::Int(-most))
    );
    assert_eq!(int.value_of(1e10), None);
    let few = FieldDomain::Int { low: 0, high: 3 };
    assert_eq!(
        few.value_of(f64::from(3.0_f32.next_up())),
        Some(FieldValue::Int(3))
    );
    assert_eq!(few.value_of(2.5), None);
    let any = FieldDomain::Int {
        low: i64::MIN,
        high: i64::MAX,
    };
    assert_eq!(any.value_of(i64::MAX as f64), None);
}
