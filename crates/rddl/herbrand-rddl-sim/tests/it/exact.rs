//! Exact outcomes of a step, and bounds of state fluents.

use std::sync::Arc;

use herbrand_core::{Random, System};
use herbrand_limits::Budget;
use herbrand_rddl::Instance;
use herbrand_rddl::strategies::{Drawing, Shape, instances};
use herbrand_rddl_sim::ground::{ExactError, ExactStep, compile, state_bounds};
use herbrand_rddl_sim::simulate::{FluentValue, Preconditions, RddlSimulator};
use proptest::prelude::*;

fn instance(domain: &str, rest: &str) -> Arc<Instance> {
    let text = format!("instance i {{ domain = d; {rest} horizon = 3; discount = 1.0; }}");
    Arc::new(Instance::from_text(domain, &text).unwrap_or_else(|faults| panic!("{faults}")))
}

#[test]
fn outcomes_are_every_combination_once() {
    let domain = "domain d {
        types { colour : { @red, @green }; };
        pvariables {
            wet : { state-fluent, bool, default = false };
            c : { state-fluent, colour, default = @red };
            seen : { observ-fluent, bool };
            wait : { action-fluent, bool, default = false };
        };
        cpfs {
            wet' = if (wait) then wet else Bernoulli(0.25);
            c' = Discrete(colour, @red : 0.4, @green : 0.6);
            seen = wet' ^ Bernoulli(0.5);
        };
        reward = wet';
    }";
    let exact = ExactStep::new(&instance(domain, "")).unwrap();
    let state = exact.compiled().initial();
    let outcomes = exact.outcomes(state, &[], 1000).unwrap();
    let section = exact.compiled().state.section();
    let mut found: Vec<_> = outcomes
        .iter()
        .map(|one| {
            let value = |at| section.get(&one.state, at).number();
            let seen = one.observed[0] == FluentValue::Bool(true);
            (
                value(0),
                value(1),
                seen,
                one.reward,
                (one.probability * 1e6).round(),
            )
        })
        .collect();
    found.sort_by(|a, b| a.partial_cmp(b).unwrap());
    // If not wet, nothing is seen, so both results of that draw are one outcome.
    let expected = [
        (0.0, 0.0, false, 0.0, 300_000.0),
        (0.0, 1.0, false, 0.0, 450_000.0),
        (1.0, 0.0, false, 1.0, 50_000.0),
        (1.0, 0.0, true, 1.0, 50_000.0),
        (1.0, 1.0, false, 1.0, 75_000.0),
        (1.0, 1.0, true, 1.0, 75_000.0),
    ];
    assert_eq!(found, expected);
    assert_eq!(exact.outcomes(state, &[], 2), Err(ExactError::TooMany(2)));

    // Without observations, their draws are not made; the sums over observations are the same.
    let mut sums: Vec<(f64, f64, f64)> = Vec::new();
    for &(wet, colour, _, _, probability) in &expected {
        match sums.iter_mut().find(|sum| (sum.0, sum.1) == (wet, colour)) {
            Some(sum) => sum.2 += probability,
            None => sums.push((wet, colour, probability)),
        }
    }
    let with_noise = domain.replace("wet' ^ Bernoulli(0.5)", "Normal(0.0, 1.0) > 0.0");
    for domain in [domain, &with_noise] {
        let exact = ExactStep::new(&instance(domain, "")).unwrap();
        let successors = exact.successors(exact.compiled().initial(), &[], 4).unwrap();
        assert!(successors.iter().all(|one| one.observed.is_empty()));
        let mut found: Vec<_> = successors
            .iter()
            .map(|one| {
                let value = |at| section.get(&one.state, at).number();
                (value(0), value(1), (one.probability * 1e6).round())
            })
            .collect();
        found.sort_by(|a, b| a.partial_cmp(b).unwrap());
        assert_eq!(found, sums);
    }
    let exact = ExactStep::new(&instance(&with_noise, "")).unwrap();
    let error = exact.outcomes(exact.compiled().initial(), &[], 1000).unwrap_err();
    assert!(matches!(error, ExactError::Infinite(_)), "{error}");
}

#[test]
fn infinitely_many_results_are_an_error() {
    let domain = "domain d {
        pvariables { x : { state-fluent, real, default = 0.0 }; };
        cpfs { x' = Normal(0.0, 1.0); };
        reward = x;
    }";
    let exact = ExactStep::new(&instance(domain, "")).unwrap();
    let error = exact.outcomes(exact.compiled().initial(), &[], 10).unwrap_err();
    assert!(matches!(error, ExactError::Infinite(_)), "{error}");
}

#[test]
fn values_that_are_no_numbers_are_one_value() {
    let domain = "domain d {
        pvariables { x : { state-fluent, real, default = 0.0 }; };
        cpfs { x' = if (Bernoulli(0.25)) then asin[2.0] else acos[2.0]; };
        reward = x;
    }";
    let exact = ExactStep::new(&instance(domain, "")).unwrap();
    let found = exact.distribution(exact.compiled().initial(), &[], 0).unwrap();
    assert!(found.len() == 1 && found[0].0.number().is_nan(), "{found:?}");
    assert_eq!(found[0].1, 1.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// The outcomes sum up to the separately computed distribution of every fluent, and contain every simulated step.
    #[test]
    fn outcomes_have_the_distributions_of_fluents(
        instance in instances(&Shape { draws: Drawing::Discrete, depth: 2, ..Shape::default() }),
        seed in any::<u64>(),
    ) {
        let exact = ExactStep::new(&Arc::new(instance)).unwrap();
        let compiled = exact.compiled();
        let mut simulator = RddlSimulator::new(Arc::clone(compiled), Preconditions::Reported);
        let (mut random, mut joint) = (Random::new(seed), Vec::new());
        simulator.sample(&mut random, &mut joint);
        let state = simulator.values().clone();
        let Ok(outcomes) = exact.outcomes(&state, &joint, 3000) else {
            return Ok(());
        };
        let total: f64 = outcomes.iter().map(|one| one.probability).sum();
        prop_assert!((total - 1.0).abs() < 1e-9, "{}", total);
        let section = compiled.state.section();
        for fluent in 0..compiled.state.len() {
            for (value, probability) in exact.distribution(&state, &joint, fluent).unwrap() {
                // A value may be NaN, and 0 may have a sign.
                let same = |one: &&herbrand_rddl_sim::ground::StepOutcome| {
                    let (one, value) = (section.get(&one.state, fluent).number(), value.number());
                    one == value || (one.is_nan() && value.is_nan())
                };
                let sum: f64 = outcomes.iter().filter(same).map(|one| one.probability).sum();
                prop_assert!((sum - probability).abs() < 1e-9, "{:?}: {} and {}", value, sum, probability);
            }
        }
        for _ in 0..5 {
            simulator.set_state(&state).unwrap();
            let reward = simulator.step(&joint, &mut random).unwrap().reward;
            let is_this = |one: &herbrand_rddl_sim::ground::StepOutcome| {
                format!("{:?} {:?}", one.state, one.reward) == format!("{:?} {reward:?}", simulator.values())
            };
            prop_assert!(outcomes.iter().any(is_this));
        }
    }
}

/// The draw of b' is needed in two branches but is a single draw.
#[test]
fn a_draw_in_several_branches_is_one() {
    let domain = "domain d {
        pvariables {
            a : { state-fluent, bool, default = false };
            b : { state-fluent, bool, default = false };
            c : { state-fluent, bool, default = false };
            p : { state-fluent, real, default = 0.5 };
            wait : { action-fluent, bool, default = false };
        };
        cpfs {
            a' = Bernoulli(max[0.0, min[1.0, p]]);
            b' = Bernoulli(max[0.0, min[1.0, p]]);
            c' = if (if (a') then true else b') then b' else true;
            p' = p;
        };
        reward = 0;
    }";
    let exact = ExactStep::new(&instance(domain, "")).unwrap();
    let found = exact.distribution(exact.compiled().initial(), &[], 2).unwrap();
    let of = |value| {
        found
            .iter()
            .find(|one| one.0 == FluentValue::Bool(value))
            .unwrap()
            .1
    };
    assert!(
        (of(true) - 0.75).abs() < 1e-12 && (of(false) - 0.25).abs() < 1e-12,
        "{found:?}"
    );
}

#[test]
fn invariants_bound_state_fluents() {
    let all = (f64::NEG_INFINITY, f64::INFINITY);
    let ints = all;
    for (invariants, expected) in [
        ("", [all, all, all, ints]),
        ("x(a) <= 4.0; x(a) >= -1.5;", [(-1.5, 4.0), all, all, ints]),
        (
            "forall_{?t : t} [x(?t) <= MOST(?t) ^ x(?t) > 0.0];",
            [(0.0, 3.0), (0.0, 7.0), all, ints],
        ),
        (
            "2.0 * y <= 5.0; 1 - n <= 0;",
            [all, all, (f64::NEG_INFINITY, 2.5), (1.0, ints.1)],
        ),
        ("n < 3; n > -3; low => (y < 1.0);", [all, all, all, (-2.0, 2.0)]),
        (
            "y >= 1.0; x(a) >= 0.0; x(a) + y <= 4.0;",
            [(0.0, 3.0), all, (1.0, 4.0), ints],
        ),
        ("x(a) <= 1.0 | y <= 1.0;", [all, all, all, ints]),
    ] {
        let domain = format!(
            "domain d {{
                types {{ t : {{ @a, @b }}; }};
                pvariables {{
                    MOST(t) : {{ non-fluent, real, default = 3.0 }};
                    x(t) : {{ state-fluent, real, default = 0.0 }};
                    y : {{ state-fluent, real, default = 0.0 }};
                    n : {{ state-fluent, int, default = 0 }};
                    low : {{ state-fluent, bool, default = false }};
                }};
                cpfs {{ x'(?t) = x(?t); y' = y; n' = n; low' = low; }};
                reward = 0;
                state-invariants {{ {} }};
            }}",
            invariants.replace("x(a)", "x(@a)")
        );
        let text = "instance i { domain = d; non-fluents { MOST(@b) = 7.0; }; horizon = 3; discount = 1.0; }";
        let instance = Arc::new(
            Instance::from_text(&domain, text).unwrap_or_else(|faults| panic!("{faults}\n{domain}")),
        );
        let compiled = compile(&instance).unwrap();
        let bounds = state_bounds(&compiled, &Budget::unlimited()).unwrap();
        assert_eq!(bounds[..4], expected, "{invariants}");
        assert_eq!(compiled.name(&compiled.state, 3), "n");
    }
}
