//! Compares batches with single environments: values must be the same, bit for bit, however many environments and threads
//! there are.

use std::sync::Arc;

use herbrand_core::{BatchSystem, Choice, FieldValue, Job, Random, System, Transition};
use herbrand_distributions::{Draws, Quantiles, RandomGenerator};
use herbrand_limits::Budget;
use herbrand_rddl::Instance;
use herbrand_rddl::strategies::{Drawing, Shape, instances};
use herbrand_rddl_sim::ground::{Templates, compile, compile_with};
use herbrand_rddl_sim::simulate::{
    CompiledInstance, Preconditions, RandomSource, RddlSimulator, RolloutEnd, Rollouts, StepError,
};
use herbrand_rddl_sim::suite::RddlSuite;
use proptest::prelude::*;

use crate::templates::shown;

/// Samples a joint action for each of `count` environments, whether or not it violates preconditions.
fn joints(simulator: &RddlSimulator, count: usize, random: &mut Random) -> Vec<Vec<Choice>> {
    let simulator = simulator.clone().with_preconditions(Preconditions::Ignored);
    let joint = |_| {
        let mut joint = Vec::new();
        simulator.sample(random, &mut joint);
        joint
    };
    (0..count).map(joint).collect()
}

/// Returns a joint action as a row of numbers.
fn row(system: &RddlSimulator, joint: &[Choice]) -> Vec<f64> {
    let mut row = vec![0.0; system.actions().fields().len()];
    system.actions().write_row(joint, &mut row);
    row
}

/// Steps environments together, every second one by a row, and copies of them one by one. Returns the number of steps taken.
fn steps_agree(
    compiled: &Arc<CompiledInstance>,
    preconditions: Preconditions,
    count: usize,
    steps: usize,
    seed: u64,
) -> Result<usize, TestCaseError> {
    let fresh = RddlSimulator::new(Arc::clone(compiled), preconditions);
    let mut together = vec![fresh.clone(); count];
    let mut alone = vec![fresh.clone(); count];
    let root = Random::new(seed);
    let (mut random, mut taken) = (root.stream(0), 0);
    let mut chances: Vec<Random> = (1..).map(|stream| root.stream(stream)).take(count).collect();
    let mut their_chances = chances.clone();
    for _ in 0..steps {
        let joints = joints(&fresh, count, &mut random);
        let jobs = together.iter_mut().zip(&joints).zip(&mut chances);
        let mut jobs: Vec<_> = jobs
            .enumerate()
            .map(|(number, ((system, joint), chance))| {
                let row = row(system, joint);
                let by_row = number % 2 == 1 && system.accept_row(&row);
                let joint = if by_row { &[] } else { joint.as_slice() };
                Job {
                    by_row,
                    ..Job::new(system, joint, chance)
                }
            })
            .collect();
        BatchSystem::step_batch(&mut jobs);
        let results: Vec<_> = jobs.into_iter().map(|job| job.result).collect();
        // A row that is refused or not used changes nothing.
        for one in &mut together {
            let fields = one.actions().fields().len();
            prop_assert!(fields == 0 || !one.accept_row(&vec![f64::NAN; fields]));
            let idle = row(one, &[]);
            one.accept_row(&idle);
        }
        for (number, (result, one)) in results.into_iter().zip(&mut alone).enumerate() {
            let expected = one.step(&joints[number], &mut their_chances[number]);
            taken += usize::from(expected.is_ok());
            // Compared as text, because a value may be NaN.
            prop_assert_eq!(format!("{:?}", result), format!("{:?}", Some(expected)));
            prop_assert_eq!(shown(&together[number]), shown(one), "environment {}", number);
            prop_assert_eq!(one.last_key(), together[number].last_key());
        }
        prop_assert_eq!(&chances, &their_chances);
    }
    Ok(taken)
}

/// A number for an action field, possibly outside its domain.
fn numbers() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => Just(0.0),
        4 => Just(1.0),
        1 => Just(-0.0),
        1 => (-3_i32..4).prop_map(f64::from),
        1 => -3.0..3.0,
        1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, 1e300, -1e19, 4294967296.0, 9.3e18, 0.5]),
    ]
}

/// A row is accepted if and only if the corresponding choices are valid.
fn rows_agree(compiled: &Arc<CompiledInstance>, numbers: &[f64]) -> Result<bool, TestCaseError> {
    let mut system = RddlSimulator::new(Arc::clone(compiled), Preconditions::Reported);
    let mut enforced = RddlSimulator::new(Arc::clone(compiled), Preconditions::Refused);
    let fields = system.actions().fields().len();
    let row: Vec<f64> = numbers.iter().copied().cycle().take(fields).collect();
    let mut joint = Vec::new();
    let is_read = system.actions().read_row(&row, &mut joint).is_ok();
    let is_valid = is_read && system.is_valid(&joint);
    prop_assert_eq!(system.accept_row(&row), is_valid, "{:?}", row);
    prop_assert!(!enforced.accept_row(&row));
    Ok(is_valid)
}

/// Runs a roll-out with a single simulator.
fn single(
    compiled: &Arc<CompiledInstance>,
    enforced: bool,
    plan: &[Vec<Choice>],
    draws: impl Fn(u64) -> Box<dyn DynDraws>,
) -> RolloutEnd {
    let preconditions = if enforced {
        Preconditions::Refused
    } else {
        Preconditions::Reported
    };
    let mut simulator = RddlSimulator::new(Arc::clone(compiled), preconditions);
    let (mut end, mut weight) = (RolloutEnd::default(), 1.0);
    let start = simulator.current_status();
    if start.is_final() {
        end.broken = start.broken;
        return end;
    }
    for (step, joint) in (0..).zip(plan) {
        match draws(step).advance(&mut simulator, joint) {
            None => {
                end.refused = true;
                break;
            }
            Some(transition) => {
                end.total += weight * transition.reward;
                end.steps += 1;
                end.broken = transition.status.broken;
                weight *= 0.9;
                if transition.status.terminal || end.broken {
                    break;
                }
            }
        }
    }
    end
}

/// A source of random numbers of either kind. `advance` returns the outcome of a step.
trait DynDraws {
    fn advance(&self, simulator: &mut RddlSimulator, joint: &[Choice]) -> Option<Transition>;
}

impl<D: Draws> DynDraws for D {
    fn advance(&self, simulator: &mut RddlSimulator, joint: &[Choice]) -> Option<Transition> {
        simulator.advance(joint, self).ok()
    }
}

/// Converts a value to a number.
fn number(value: FieldValue) -> f64 {
    match value {
        FieldValue::Discrete(value) => f64::from(value),
        FieldValue::Int(value) => value as f64,
        FieldValue::Real(value) => value,
    }
}

/// Runs roll-outs in lockstep and one by one, with the generator and with quantiles.
fn rollouts_agree(
    compiled: &Arc<CompiledInstance>,
    count: usize,
    steps: usize,
    seed: u64,
) -> Result<(), TestCaseError> {
    let simulator = RddlSimulator::new(Arc::clone(compiled), Preconditions::Reported);
    let mut random = Random::new(seed);
    let plans: Vec<Vec<Vec<Choice>>> = (0..count)
        .map(|_| joints(&simulator, steps, &mut random))
        .collect();
    let fields = compiled.actions().fields();
    for enforced in [false, true] {
        let mut rollouts = Rollouts::new(Arc::clone(compiled)).enforcing_preconditions(enforced);
        for chance in [
            RandomSource::Seed(seed),
            RandomSource::Quantile(0.3),
            RandomSource::Scenarios { seed, count: 2 },
        ] {
            let ends = rollouts.run(
                compiled.initial(),
                count,
                steps as u32,
                0.9,
                chance,
                |step, actions| {
                    for (field, index) in fields.iter().zip(0_u32..) {
                        let default = field.default.map_or(0.0, number);
                        let values: Vec<f64> = actions
                            .rollouts()
                            .map(|rollout| {
                                let joint = &plans[rollout][step as usize];
                                let set = joint.iter().find(|choice| choice.field == index);
                                set.map_or(default, |choice| number(choice.value))
                            })
                            .collect();
                        actions.set(index as usize, values);
                    }
                },
            );
            let ends = ends.unwrap();
            for (number, end) in ends.iter().enumerate() {
                let draws = |step| -> Box<dyn DynDraws> {
                    match chance {
                        RandomSource::Seed(seed) => {
                            Box::new(RandomGenerator::keyed(seed, number as u64, step))
                        }
                        RandomSource::Quantile(u) => Box::new(Quantiles::at(u)),
                        RandomSource::Scenarios { seed, .. } => {
                            Box::new(RandomGenerator::keyed(seed, number as u64 % 2, step))
                        }
                    }
                };
                let expected = single(compiled, enforced, &plans[number], draws);
                prop_assert_eq!(
                    format!("{:?}", end),
                    format!("{:?}", expected),
                    "roll-out {}, {:?}",
                    number,
                    chance
                );
            }
        }
    }
    Ok(())
}

fn all_agree(instance: &Arc<Instance>, seed: u64) -> Result<(), TestCaseError> {
    let compiled = Arc::new(compile(instance).unwrap());
    let count = 3 + (seed % 9) as usize;
    for preconditions in Preconditions::ALL {
        steps_agree(&compiled, preconditions, count, 3, seed)?;
    }
    rollouts_agree(&compiled, count, 3, seed)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn rows_are_taken_as_choices_are(
        instance in instances(&Shape::default()),
        numbers in prop::collection::vec(numbers(), 1..9),
    ) {
        rows_agree(&Arc::new(compile(&Arc::new(instance)).unwrap()), &numbers)?;
    }

    #[test]
    fn random_instances_step_the_same(instance in instances(&Shape::default()), seed in any::<u64>()) {
        all_agree(&Arc::new(instance), seed)?;
    }

    #[test]
    fn random_instances_with_discrete_draws_step_the_same(
        instance in instances(&Shape { draws: Drawing::Discrete, ..Shape::default() }),
        seed in any::<u64>(),
    ) {
        all_agree(&Arc::new(instance), seed)?;
    }
}

#[test]
fn bundled_environments_step_the_same() {
    let mut in_batches = 0;
    for name in RddlSuite::bundled_names() {
        let suite = RddlSuite::bundled(&name).unwrap();
        for index in 0..suite.len() {
            let compiled = suite.compiled(index).unwrap();
            let seed = 7 + index as u64;
            let fault = |fault| panic!("{name} {}: {fault}", index + 1);
            steps_agree(compiled, Preconditions::Reported, 70, 3, seed).unwrap_or_else(fault);
            for preconditions in [
                Preconditions::Refused,
                Preconditions::Replaced,
                Preconditions::Ignored,
            ] {
                steps_agree(compiled, preconditions, 9, 3, seed).unwrap_or_else(fault);
            }
            rollouts_agree(compiled, 5, 6, seed).unwrap_or_else(|fault| panic!("{name}: {fault}"));
            in_batches += usize::from(Rollouts::new(Arc::clone(compiled)).width() > 1);
        }
    }
    assert!(in_batches > 40, "{in_batches} instances have a batch tape");
}

/// Fluents that swap values, and values that cannot be computed in some environments.
const MIXED: &str = "domain mixed {
    types { t : object; };
    pvariables {
        S(t, t) : { non-fluent, real, default = 0.5 };
        a : { state-fluent, real, default = 1.0 };
        b : { state-fluent, real, default = 2.0 };
        n : { state-fluent, int, default = 4 };
        x(t) : { state-fluent, real, default = 0.0 };
        q : { interm-fluent, int };
        go(t) : { action-fluent, bool, default = false };
    };
    cpfs {
        a' = b;
        b' = a;
        q = if (exists_{?t : t} [go(?t)]) then div[12, n] else 1;
        n' = n - (sum_{?t : t} go(?t));
        x'(?t) = x(?t) + Normal(0.0, S(?t, ?t));
    };
    reward = a + 10 * b + q;
}";

/// A failing step in a block does not affect the other environments.
#[test]
fn a_missing_value_is_that_of_its_environment() {
    let text = "instance i { domain = mixed; objects { t : { u, v }; }; horizon = 9; discount = 1.0; }";
    let instance = Arc::new(Instance::from_text(MIXED, text).unwrap_or_else(|faults| panic!("{faults}")));
    let compiled = Arc::new(compile(&instance).unwrap());
    let (count, steps) = (40, 9);
    let taken = steps_agree(&compiled, Preconditions::Reported, count, steps, 2).unwrap();
    assert!((100..count * steps).contains(&taken), "{taken} steps");
    rollouts_agree(&compiled, count, steps, 2).unwrap();
}

#[test]
fn rows_of_bundled_problems_are_taken_as_choices_are() {
    let (mut random, mut valid) = (Random::new(8), 0);
    for name in RddlSuite::bundled_names() {
        let suite = RddlSuite::bundled(&name).unwrap();
        let compiled = suite.compiled(0).unwrap();
        let most = compiled.actions().fields().len();
        if most == 0 {
            continue;
        }
        for extra in [0.0, 1.0, 0.5, f64::NAN, -0.0, 2.0, 1e10] {
            // All defaults except one field.
            let system = RddlSimulator::new(Arc::clone(compiled), Preconditions::Reported);
            let mut numbers = row(&system, &[]);
            let at = herbrand_core::uniform_below(&mut random, most as u32) as usize;
            numbers[at] = extra;
            valid +=
                usize::from(rows_agree(compiled, &numbers).unwrap_or_else(|error| panic!("{name}: {error}")));
        }
        let system = RddlSimulator::new(Arc::clone(compiled), Preconditions::Reported);
        for joint in joints(&system, 4, &mut random) {
            let taken = rows_agree(compiled, &row(&system, &joint));
            assert!(taken.unwrap_or_else(|error| panic!("{name}: {error}")), "{name}");
        }
    }
    assert!(valid > 100, "{valid}");
}

/// Environments of several problems are sorted by problem, and each gets its own result.
#[test]
fn systems_of_several_problems_step_together() {
    let suite = RddlSuite::bundled("rddl/sysadmin-mdp").unwrap();
    let mut random = Random::new(4);
    let simulator = |number: usize| {
        let compiled = suite.compiled(number % 3).unwrap();
        RddlSimulator::new(Arc::clone(compiled), Preconditions::Reported)
    };
    let mut systems: Vec<_> = (0..30).map(simulator).collect();
    let mut alone = systems.clone();
    let mut chances: Vec<_> = (0..30).map(|stream| Random::new(9).stream(stream)).collect();
    let mut their_chances = chances.clone();
    for _ in 0..5 {
        let joints: Vec<_> = systems
            .iter()
            .map(|system| joints(system, 1, &mut random).remove(0))
            .collect();
        let jobs = systems.iter_mut().zip(&joints).zip(&mut chances);
        let mut jobs: Vec<_> = jobs
            .map(|((system, joint), chance)| Job::new(system, joint, chance))
            .collect();
        BatchSystem::step_batch(&mut jobs);
        let results: Vec<_> = jobs.into_iter().map(|job| job.result).collect();
        for (number, result) in results.into_iter().enumerate() {
            let expected = alone[number].step(&joints[number], &mut their_chances[number]);
            assert_eq!(result, Some(expected.map_err(Box::new)));
            assert_eq!(shown(&systems[number]), shown(&alone[number]));
        }
    }
}

/// After the first run, roll-outs step without allocating.
#[test]
fn rollouts_allocate_nothing_in_steady_state() {
    for name in ["rddl/sysadmin-mdp", "rddl/cartpole-continuous", "rddl/uav-mixed"] {
        let suite = RddlSuite::bundled(name).unwrap();
        let compiled = Arc::clone(suite.compiled(0).unwrap());
        let start = compiled.initial().clone();
        let mut rollouts = Rollouts::new(compiled);
        let mut run = || {
            let ends = rollouts.run(&start, 300, 20, 1.0, RandomSource::Seed(1), |_, actions| {
                actions.set(0, std::iter::repeat(1.0));
            });
            assert_eq!(ends.unwrap().len(), 300);
        };
        run();
        assert_eq!(allocation_counter::measure(run).count_total, 0, "{name}");
    }
}

#[test]
fn long_rollouts_end_with_the_budgets_that_enclose_them() {
    let suite = RddlSuite::bundled("rddl/sysadmin-mdp").unwrap();
    let instance = &suite.compiled(0).unwrap().instance;
    // With templates there is no batch tape.
    for (templates, is_alone) in [(Templates::Never, false), (Templates::From(1), true)] {
        let compiled = Arc::new(compile_with(instance, &Budget::unlimited(), templates).unwrap());
        let start = compiled.initial().clone();
        let mut rollouts = Rollouts::new(compiled);
        assert_eq!(rollouts.width() == 1, is_alone);
        let (budget, mut steps) = (Budget::unlimited(), 0);
        let ended = budget.enclose(|| {
            let ends = rollouts.run(&start, 1, 100_000, 1.0, RandomSource::Seed(1), |_, _| {
                steps += 1;
                budget.cancel();
            });
            ends.map(<[_]>::len)
        });
        assert!(matches!(ended, Err(StepError::BudgetExhausted(_))), "{ended:?}");
        assert!((1..1000).contains(&steps), "{steps}");
    }
}
