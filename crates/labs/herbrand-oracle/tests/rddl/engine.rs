//! Tests that the RDDL engine and the brute-force interpreter agree on random walks through random instances, with draws
//! from the generator and at fixed quantiles.

use std::sync::Arc;

use herbrand_core::{Choice, FieldValue, Random, System};
use herbrand_distributions::{Draws, Quantiles, RandomGenerator};
use herbrand_limits::Budget;
use herbrand_oracle::rddl::{RddlOracle, Tables};
use herbrand_rddl::strategies::{Drawing, Shape, instances};
use herbrand_rddl::{Instance, Value};
use herbrand_rddl_sim::ground::{ExactError, ExactStep, Templates, compile_with};
use herbrand_rddl_sim::simulate::{FluentValue, GroundFluents, Preconditions, RddlSimulator};
use proptest::prelude::*;
use rand::Rng;

/// The number of steps of a walk.
const STEPS: u64 = 4;

fn same(found: FluentValue, expected: Value) -> bool {
    match (found, expected) {
        (FluentValue::Bool(found), Value::Bool(expected)) => found == expected,
        (FluentValue::Int(found), Value::Int(expected)) => found == expected,
        (FluentValue::Int(found), Value::Item(expected)) => found == i64::from(expected),
        (FluentValue::Real(found), Value::Real(expected)) => close(found, expected),
        _ => false,
    }
}

/// Compares reals with a tolerance, because the engine computes squares and square roots without the power function.
fn close(found: f64, expected: f64) -> bool {
    found == expected
        || found.is_nan() && expected.is_nan()
        || expected.is_finite() && (found - expected).abs() <= 1e-9 * expected.abs().max(1.0)
}

/// Compares the ground fluents of one role. Returns a description of the first difference.
fn differs(
    instance: &Instance,
    fluents: &GroundFluents,
    tables: &Tables,
    read: impl Fn(usize) -> FluentValue,
) -> Option<String> {
    (0..fluents.len()).find_map(|at| {
        let (id, number) = fluents.at(at);
        let (found, expected) = (read(at), tables[id.index()][number as usize]);
        let name = || instance.ground_name(id, number);
        (!same(found, expected)).then(|| format!("{} = {found:?}, not {expected:?}", name()))
    })
}

/// Converts a joint action to tables for the interpreter.
fn tables(oracle: &RddlOracle, simulator: &RddlSimulator, joint: &[Choice]) -> Tables {
    let mut tables = oracle.no_action();
    for choice in joint {
        let (id, number) = simulator.compiled().action.at(choice.field as usize);
        let value = &mut tables[id.index()][number as usize];
        *value = match (*value, choice.value) {
            (Value::Bool(_), FieldValue::Discrete(one)) => Value::Bool(one == 1),
            (Value::Item(_), FieldValue::Discrete(item)) => Value::Item(item),
            (_, FieldValue::Int(value)) => Value::Int(value),
            (_, FieldValue::Real(value)) => Value::Real(value),
            (value, _) => value,
        };
    }
    tables
}

/// Steps engine and interpreter and compares the results. Returns `false` if both reject the step.
fn step(
    oracle: &RddlOracle,
    simulator: &mut RddlSimulator,
    state: &mut Tables,
    joint: &[Choice],
    draws: &impl Draws,
) -> Result<bool, String> {
    let action = tables(oracle, simulator, joint);
    let expected = oracle.step(state, &action, draws);
    let preconditions = oracle.violated_preconditions(state, &action);
    let found = simulator.advance(joint, draws);
    let (expected, violated) = match (expected, preconditions) {
        (Ok(expected), Ok(violated)) => (expected, violated),
        _ if found.is_err() => return Ok(false),
        (expected, _) => return Err(format!("not refused: {:?}", expected.err())),
    };
    let transition = found.map_err(|error| format!("refused: {error}"))?;
    let compiled = Arc::clone(simulator.compiled());
    let instance = &compiled.instance;
    let differences = [
        differs(instance, &compiled.interm, &expected.interm, |at| {
            simulator.interm(at).unwrap()
        }),
        differs(instance, &compiled.observ, &expected.observ, |at| {
            simulator.observed(at).unwrap()
        }),
        differs(instance, &compiled.state, &expected.next, |at| {
            simulator.fluent(at)
        }),
    ];
    if let Some(difference) = differences.into_iter().flatten().next() {
        return Err(difference);
    }
    if !close(transition.reward, expected.reward) {
        return Err(format!("reward {}, not {}", transition.reward, expected.reward));
    }
    if transition.status.terminal == expected.terminations.is_empty() {
        return Err(format!("terminal {}", transition.status.terminal));
    }
    if transition.status.broken == expected.violated_invariants.is_empty() {
        return Err(format!("broken {}", transition.status.broken));
    }
    let told: Vec<usize> = simulator
        .violated()
        .filter(|&one| one < instance.domain.preconditions.len())
        .collect();
    if told != violated {
        return Err(format!("violated {told:?}, not {violated:?}"));
    }
    *state = expected.next;
    Ok(true)
}

/// Compares engine and interpreter on two random walks of `steps` steps: one with generated draws, one at random quantiles.
pub fn walk(instance: Arc<Instance>, templates: Templates, seed: u64, steps: u64) -> Result<(), String> {
    let compiled = compile_with(&instance, &Budget::unlimited(), templates);
    let compiled = Arc::new(compiled.map_err(|error| error.to_string())?);
    let oracle = RddlOracle::new((*instance).clone());
    let mut simulator = RddlSimulator::new(compiled, Preconditions::Reported);
    let (mut random, mut joint) = (Random::new(seed), Vec::new());
    for mode in 0..2 {
        simulator.restart();
        let mut state = oracle.initial();
        for number in 0..steps {
            simulator.sample(&mut random, &mut joint);
            let taken = if mode == 0 {
                let draws = RandomGenerator::keyed(seed, 0, number);
                step(&oracle, &mut simulator, &mut state, &joint, &draws)
            } else {
                let u = f64::from(random.next_u32()) / 4_294_967_296.0;
                step(&oracle, &mut simulator, &mut state, &joint, &Quantiles::at(u))
            };
            if !taken.map_err(|fault| format!("step {number}: {fault}"))? {
                break;
            }
        }
    }
    Ok(())
}

fn agree(instance: Instance, seed: u64) -> Result<(), TestCaseError> {
    let text = format!("{}\n{}", instance.domain.to_rddl(), instance.to_rddl());
    let templates = [Templates::default(), Templates::From(1)][(seed % 2) as usize];
    walk(Arc::new(instance), templates, seed, STEPS)
        .map_err(|fault| TestCaseError::fail(format!("{fault}\n{text}")))
}

/// Checks that all results of a step together have probability 1 and the probabilities of the single fluents, and that
/// the engine lists the same ones.
fn outcomes_agree(instance: Instance) -> Result<(), TestCaseError> {
    const LIMIT: usize = 300;
    let oracle = RddlOracle::new(instance.clone());
    let (state, action) = (oracle.initial(), oracle.no_action());
    let (Ok(Some(outcomes)), Ok(chances)) = (
        oracle.outcomes(&state, &action, LIMIT),
        oracle.chances(&state, &action),
    ) else {
        return Ok(());
    };
    let total: f64 = outcomes.iter().map(|(_, share)| share).sum();
    prop_assert!((total - 1.0).abs() < 1e-9, "{total}");
    for (id, rows) in chances.iter().enumerate() {
        for (row, &chance) in rows.iter().enumerate() {
            let holding = outcomes
                .iter()
                .filter(|(step, _)| step.next[id][row] == Value::Bool(true));
            let sum: f64 = holding.map(|(_, share)| share).sum();
            prop_assert!((sum - chance).abs() < 1e-9, "{sum} and {chance}");
        }
    }
    let exact =
        ExactStep::new(&Arc::new(instance)).map_err(|error| TestCaseError::fail(error.to_string()))?;
    // The engine may also draw values that the oracle does not need.
    let found = match exact.outcomes(exact.compiled().initial(), &[], LIMIT) {
        Err(ExactError::TooMany(_)) => return Ok(()),
        found => found.map_err(|error| TestCaseError::fail(error.to_string()))?,
    };
    let mean = |rewards: &mut dyn Iterator<Item = (f64, f64)>| -> f64 {
        rewards.map(|(reward, share)| reward * share).sum()
    };
    let expected = mean(&mut outcomes.iter().map(|(step, share)| (step.reward, *share)));
    let own = mean(&mut found.iter().map(|outcome| (outcome.reward, outcome.probability)));
    prop_assert!(
        close(own, expected) || !expected.is_finite(),
        "{own} and {expected}"
    );
    Ok(())
}

proptest! {
    // Each case lists up to 300 outcomes twice.
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn all_outcomes_agree(instance in instances(&Shape { draws: Drawing::Discrete, ..Shape::default() })) {
        outcomes_agree(instance)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn random_instances_agree(instance in instances(&Shape::default()), seed in any::<u64>()) {
        agree(instance, seed)?;
    }

    #[test]
    fn random_instances_with_discrete_draws_agree(
        instance in instances(&Shape { draws: Drawing::Discrete, ..Shape::default() }),
        seed in any::<u64>(),
    ) {
        agree(instance, seed)?;
    }
}
