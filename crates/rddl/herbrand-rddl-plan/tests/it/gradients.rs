//! Relaxed steps compared with real steps, gradients with finite differences, and the gradient planners.

use std::sync::Arc;

use herbrand_core::{FieldValue, Random, System, uniform_unit};
use herbrand_distributions::RandomGenerator;
use herbrand_limits::Budget;
use herbrand_rddl::strategies::{Drawing, Shape, instances};
use herbrand_rddl::{Instance, Source};
use herbrand_rddl_plan::gradient::{
    Acting, GradientError, GradientPlanner, Operator, ReactivePolicy, Relaxation, Relaxed, RelaxedStep,
    SmoothFunction, TNorm, Unrolled,
};
use herbrand_rddl_plan::plan::{Agent, PlanOptions, Risk, SamplingPlanner, StraightLinePlanner};
use herbrand_rddl_plan::portfolio::Portfolio;
use herbrand_rddl_sim::simulate::{FluentValue, Preconditions, RddlSimulator};
use herbrand_rddl_sim::suite::RddlSuite;
use proptest::prelude::*;

/// Compiles the relaxed step of an instance, with a t-norm.
fn relaxed(instance: &Arc<Instance>, norm: TNorm) -> Option<Arc<Relaxed>> {
    match Relaxed::with(instance, &Relaxation::new(norm), &Budget::unlimited()) {
        Ok(relaxed) => Some(Arc::new(relaxed)),
        Err(GradientError::NoGradient { .. }) => None,
        Err(error) => panic!("{error}"),
    }
}

/// Returns a t-norm in turn by the seed.
const fn norm_of(seed: u64) -> TNorm {
    TNorm::ALL[(seed % 3) as usize]
}

fn of_text(text: &str) -> Arc<Relaxed> {
    let suite =
        RddlSuite::from_sources(&[Source::new("text", text)]).unwrap_or_else(|error| panic!("{error}"));
    relaxed(&suite.compiled(0).unwrap().instance, TNorm::Product).unwrap()
}

/// Fixed actions: by step and field, a number for all lanes. Accumulates the gradient of each number.
struct Fixed {
    numbers: Vec<f64>,
    fields: usize,
    lanes: usize,
    gradient: Vec<f64>,
}

impl Fixed {
    fn new(numbers: Vec<f64>, fields: usize, lanes: usize) -> Self {
        let gradient = vec![0.0; numbers.len()];
        Self {
            numbers,
            fields,
            lanes,
            gradient,
        }
    }
}

impl Acting for Fixed {
    fn act(&mut self, step: usize, _state: &[f64], actions: &mut [f64]) {
        for (field, row) in actions.chunks_exact_mut(self.lanes).enumerate() {
            row.fill(self.numbers[step * self.fields + field]);
        }
    }

    fn learn(&mut self, step: usize, _state: &[f64], gradient: &[f64], _state_gradient: &mut [f64]) {
        for (field, row) in gradient.chunks_exact(self.lanes).enumerate() {
            self.gradient[step * self.fields + field] += row.iter().sum::<f64>();
        }
    }
}

const fn number(value: FieldValue) -> f64 {
    match value {
        FieldValue::Discrete(value) => value as f64,
        FieldValue::Int(value) => value as f64,
        FieldValue::Real(value) => value,
    }
}

/// Compares a random walk by very sharp relaxed steps with real steps. Returns whether they could be compared.
fn agree(instance: &Arc<Instance>, seed: u64) -> Result<bool, TestCaseError> {
    let Some(relaxed) = relaxed(instance, norm_of(seed)) else {
        return Ok(false);
    };
    let compiled = Arc::clone(relaxed.compiled());
    let mut simulator = RddlSimulator::new(Arc::clone(&compiled), Preconditions::Reported);
    let mut unrolled = Unrolled::new(Arc::clone(&relaxed), 1, 1e12);
    let environment = RandomGenerator::of_environment(seed, 0);
    let mut random = Random::new(seed);
    let fields = compiled.actions().fields();
    for _ in 0..3 {
        let mut joint = Vec::new();
        simulator.sample(&mut random, &mut joint);
        let numbers: Vec<f64> = fields
            .iter()
            .zip(0..)
            .map(|(field, index)| {
                let set = joint
                    .iter()
                    .find(|choice| choice.field == index)
                    .map(|choice| choice.value);
                set.or(field.default).map_or(0.0, number)
            })
            .collect();
        let before = simulator.values().clone();
        let returns = unrolled.run(
            &before,
            1,
            &[environment],
            &mut Fixed::new(numbers, fields.len(), 1),
        );
        let Ok(transition) = simulator.advance(&joint, &environment.at_step(0)) else {
            return Ok(false);
        };
        if unrolled.is_near_edge(1e-9) {
            return Ok(false);
        }
        let close = |a: f64, b: f64| {
            a == b || a.is_nan() || b.is_nan() || (a - b).abs() <= 1e-6 * (1.0 + a.abs().max(b.abs()))
        };
        for at in 0..compiled.state.len() {
            let value = compiled.state.section().get(simulator.values(), at);
            let (real, smooth) = (value.number(), unrolled.state(1)[at]);
            // Ints have 64 bits, and relaxed numbers go beyond that.
            let overflown = matches!(value, FluentValue::Int(_)) && smooth.abs() > 1e15;
            if real.abs() > 1e15 || overflown {
                return Ok(false);
            }
            prop_assert!(
                close(real, smooth),
                "{}: {} is not {}",
                compiled.name(&compiled.state, at),
                smooth,
                real
            );
        }
        prop_assert!(
            close(transition.reward, returns[0]),
            "reward: {} is not {}",
            returns[0],
            transition.reward
        );
    }
    Ok(true)
}

/// Compares the gradient of a return by some actions with finite differences. Returns whether they could be compared.
fn differences_agree(instance: &Arc<Instance>, seed: u64, sharpness: f64) -> Result<bool, TestCaseError> {
    const STEPS: usize = 3;
    const LANES: usize = 2;
    let Some(relaxed) = relaxed(instance, norm_of(seed)) else {
        return Ok(false);
    };
    let compiled = Arc::clone(relaxed.compiled());
    let fields = compiled.actions().fields().len();
    let mut random = Random::new(seed);
    let numbers: Vec<f64> = (0..STEPS * fields)
        .map(|_| 0.1 + 0.8 * uniform_unit(&mut random))
        .collect();
    let environments = [
        RandomGenerator::of_environment(seed, 0),
        RandomGenerator::of_environment(seed, 1),
    ];
    let mut unrolled = Unrolled::new(Arc::clone(&relaxed), LANES, sharpness);
    let mut fixed = Fixed::new(numbers.clone(), fields, LANES);
    unrolled.differentiate(compiled.initial(), STEPS, &environments, &mut fixed);
    let mut sum = |numbers: &[f64], steps: usize| -> Option<f64> {
        let mut fixed = Fixed::new(numbers.to_vec(), fields, LANES);
        let returns = unrolled.run(compiled.initial(), steps, &environments, &mut fixed);
        let sum: f64 = returns.iter().sum();
        (sum.is_finite() && sum.abs() < 1e9 && !unrolled.is_near_edge(1e-4)).then_some(sum)
    };
    // Every step is the last one of some roll-outs, so every step is checked.
    if (1..=STEPS).any(|steps| sum(&numbers, steps).is_none()) {
        return Ok(false);
    }
    let mut compared = false;
    for at in 0..numbers.len() {
        let mut slope = |h: f64| -> Option<f64> {
            let mut moved = numbers.clone();
            moved[at] = numbers[at] + h;
            let above = sum(&moved, STEPS)?;
            moved[at] = numbers[at] - h;
            Some((above - sum(&moved, STEPS)?) / (2.0 * h))
        };
        let (Some(coarse), Some(fine)) = (slope(2e-5), slope(1e-5)) else {
            continue;
        };
        let scale = 1.0 + fine.abs();
        if (coarse - fine).abs() > 1e-4 * scale {
            continue;
        }
        compared |= fine != 0.0;
        let found = fixed.gradient[at];
        prop_assert!(
            (found - fine).abs() <= 1e-3 * scale,
            "action {}: gradient {}, but differences give {}",
            at,
            found,
            fine
        );
    }
    Ok(compared)
}

fn shape(draws: Drawing) -> Shape {
    Shape {
        draws,
        ..Shape::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn sharp_steps_are_real_steps(instance in instances(&shape(Drawing::All)), seed in any::<u64>()) {
        agree(&Arc::new(instance), seed)?;
    }

    #[test]
    fn gradients_are_those_of_differences(instance in instances(&shape(Drawing::None)), seed in any::<u64>()) {
        differences_agree(&Arc::new(instance), seed, 2.0)?;
    }

    #[test]
    fn gradients_of_draws_are_those_of_differences(instance in instances(&shape(Drawing::Discrete)), seed in any::<u64>()) {
        differences_agree(&Arc::new(instance), seed, 2.0)?;
    }
}

#[test]
fn bundled_steps_agree_and_have_gradients() {
    let (mut same, mut compared) = (0, 0);
    for name in RddlSuite::bundled_names() {
        let suite = RddlSuite::bundled(&name).unwrap();
        let instance = &suite.compiled(0).unwrap().instance;
        if Relaxed::new(instance, &Budget::unlimited()).is_ok_and(|relaxed| relaxed.len() > 20_000) {
            continue;
        }
        for seed in 0..3 {
            same += usize::from(agree(instance, seed).unwrap_or_else(|error| panic!("{name}: {error}")));
            let found = differences_agree(instance, seed, 2.0);
            compared += usize::from(found.unwrap_or_else(|error| panic!("{name}: {error}")));
        }
    }
    assert!(
        same >= 30 && compared >= 30,
        "{same} agree, {compared} have gradients that were compared"
    );
}

/// All rules, evaluated where they are smooth.
const RULES: &str = "
    domain rules {
        types { thing : { @t1, @t2 }; };
        pvariables {
            W(thing) : { non-fluent, real, default = 0.7 };
            x(thing) : { state-fluent, real, default = 0.3 };
            hit : { state-fluent, real, default = 0.0 };
            at : { state-fluent, thing, default = @t1 };
            a : { action-fluent, real, default = 0.0 };
            b : { action-fluent, real, default = 0.0 };
            go(thing) : { action-fluent, bool, default = false };
        };
        cpfs {
            x'(?t) = Normal(sin[x(?t)] * a + W(?t) / (1.5 + b * b), 0.1 + a * a) + Uniform(a, a + b + 2.0)
                + Exponential(1.0 + b) + Weibull(2.0, 1.0 + a) + Gamma(1.0 + a, 2.0) + Laplace(a, 1.0 + b)
                + (if (a > b + 0.3) then exp[a] else cos[b]) + sqrt[1.0 + a] + max[a, 2 * b] + min[a, b + 3]
                + abs[a - 4] + ln[2 + a] + tanh[b] + atan[a] + pow[2.0 + a, 1.5 + b] + hypot[1.0 + a, b]
                + sgn[a - 0.2] + floor[3.4 + a] + round[a] + ceil[b + 0.2] + div[7, 2] + log[3.0 + a, 2.0 + b];
            hit' = Bernoulli(0.2 + 0.5 * a);
            at' = argmax_{?t : thing} [x(?t) * a];
        };
        reward = (sum_{?t : thing} [x(?t) * go(?t)]) + (prod_{?t : thing} [1.5 - go(?t)]) + hit
            + (exists_{?t : thing} [go(?t)]) + (forall_{?t : thing} [go(?t) | a > 0.1]) + x(at) + (a == 0.5);
    }
    non-fluents n { domain = rules; non-fluents { W(@t2) = 1.9; }; }
    instance i { domain = rules; non-fluents = n; init-state { x(@t2) = 0.5; }; horizon = 5; discount = 0.9; }";

#[test]
fn every_rule_has_the_gradient_of_differences() {
    let instance = Arc::clone(&of_text(RULES).compiled().instance);
    let compared =
        (0..40).filter(|&seed| differences_agree(&instance, seed, 2.0).unwrap_or_else(|e| panic!("{e}")));
    assert!(compared.count() > 10);
}

/// A roll-out that may end in its first step, and whose last step leads to a state where the termination condition is
/// NaN.
const UNKNOWN: &str = "
    domain unknown {
        pvariables {
            x : { state-fluent, real, default = 0.5 };
            stopped : { state-fluent, bool, default = false };
            stop : { action-fluent, bool, default = false };
        };
        cpfs { x' = ln[x]; stopped' = stop; };
        reward = 1;
        termination { stopped; x > 100.0; };
    }
    instance i { domain = unknown; horizon = 3; discount = 1.0; }";

#[test]
fn what_has_no_value_after_the_end_takes_no_gradient_away() {
    let relaxed = of_text(UNKNOWN);
    assert!(differences_agree(&relaxed.compiled().instance, 1, 2.0).unwrap());
    let mut fixed = Fixed::new(vec![0.25; 3], 1, 1);
    let mut unrolled = Unrolled::new(Arc::clone(&relaxed), 1, 2.0);
    let environments = [RandomGenerator::of_environment(1, 0)];
    let returns = unrolled.differentiate(relaxed.compiled().initial(), 3, &environments, &mut fixed);
    // After two steps x is the logarithm of a negative number: the third step is not counted.
    assert!((returns[0] - 1.75).abs() < 1e-6, "{returns:?}");
    assert!((fixed.gradient[0] + 1.0).abs() < 1e-6, "{:?}", fixed.gradient);
}

/// The largest value is infinite.
const INFINITE: &str = "
    domain infinite {
        types { thing : { @t1, @t2 }; };
        pvariables {
            x(thing) : { state-fluent, real, default = 1.0 };
            hit : { state-fluent, bool, default = false };
            go : { action-fluent, bool, default = false };
        };
        cpfs { x'(?t) = x(?t); hit' = (argmax_{?t : thing} [exp[x(?t)]]) == @t2; };
        reward = hit + go;
    }
    instance i { domain = infinite; init-state { x(@t2) = 1000.0; }; horizon = 3; discount = 1.0; }";

#[test]
fn an_infinite_value_has_its_place() {
    let instance = Arc::clone(&of_text(INFINITE).compiled().instance);
    assert!((0..4).all(|seed| agree(&instance, seed).unwrap_or_else(|error| panic!("{error}"))));
}

/// A tank whose level is clipped at 0, the bound of its invariant. Every step costs.
const TANK: &str = "
    domain tank {
        pvariables {
            level : { state-fluent, real, default = 2.0 };
            flow : { action-fluent, real, default = 0.0 };
        };
        cpfs { level' = max[0.0, level - flow]; };
        reward = -1 - 0.1 * abs[level' - 8];
        state-invariants { level >= 0.0; };
    }
    instance i { domain = tank; horizon = 10; discount = 1.0; }";

#[test]
fn a_bound_that_is_an_invariant_ends_nothing() {
    let relaxed = of_text(TANK);
    let mut fixed = Fixed::new(vec![1.0; 10], 1, 1);
    let mut unrolled = Unrolled::new(Arc::clone(&relaxed), 1, 10.0);
    let environments = [RandomGenerator::of_environment(1, 0)];
    let returns = unrolled.differentiate(relaxed.compiled().initial(), 10, &environments, &mut fixed);
    // One step with a level of 1, nine with 0.
    assert!((returns[0] + 1.7 + 9.0 * 1.8).abs() < 1e-9, "{returns:?}");
    // Less flow in the first step would raise all levels until the tank is dry again.
    assert!(fixed.gradient[0] < -0.09, "{:?}", fixed.gradient);
    let ends = RelaxedStep::new(relaxed, 1, 10.0)
        .forward(&[0.0], &[0.0], &environments)
        .2;
    assert_eq!(ends, [0.0]);
}

const CART: &str = include_str!("../models/cart.rddl");

#[test]
fn plans_by_gradient_stop_the_cart() {
    let relaxed = of_text(CART);
    let state = relaxed.compiled().initial().clone();
    let options = PlanOptions {
        scenarios: Some(1),
        ..PlanOptions::default()
    };
    let mut planner = GradientPlanner::new(Arc::clone(&relaxed), options);
    let plan = planner.plan(&state).unwrap();
    // Doing nothing returns −108; the best plan, by dynamic programming on a fine grid, returns about −20.3.
    assert!(plan.mean > -21.0, "{}", plan.mean);
    assert_eq!(planner.plan(&state).unwrap().steps.len(), 12);
    let again = GradientPlanner::new(relaxed, options).plan(&state).unwrap();
    assert_eq!(again, plan);
}

#[test]
fn replanning_and_policies_stop_the_cart() {
    let relaxed = of_text(CART);
    let compiled = Arc::clone(relaxed.compiled());
    let options = PlanOptions {
        scenarios: Some(1),
        iterations: Some(60),
        candidates: Some(4),
        ..PlanOptions::default()
    };
    let mut planner = GradientPlanner::new(Arc::clone(&relaxed), options);
    let mut simulator = RddlSimulator::new(Arc::clone(&compiled), Preconditions::Refused);
    let mut total = 0.0;
    for step in 0..12 {
        let joint = planner.act(simulator.values()).unwrap().unwrap();
        let transition = simulator
            .advance(&joint, &RandomGenerator::keyed(0, 0, step))
            .unwrap();
        total += transition.reward;
    }
    assert!(total > -25.0, "{total}");
    let options = PlanOptions {
        scenarios: Some(1),
        ..PlanOptions::default()
    };
    let policy = ReactivePolicy::train(&relaxed, &[16], &options).unwrap();
    let (mean, error) = policy.evaluate(12, 2, 5).unwrap();
    assert!(mean > -26.0 && error == 0.0, "{mean} {error}");
    assert_eq!(policy.network().sizes(), [2, 16, 1]);
}

/// At most two of five lamps may be pressed; each pays its own amount.
const LAMPS: &str = "
    domain lamps {
        types { lamp : object; };
        pvariables {
            PAY(lamp) : { non-fluent, real, default = 1.0 };
            done : { state-fluent, bool, default = false };
            press(lamp) : { action-fluent, bool, default = false };
        };
        cpfs { done' = done | exists_{?l : lamp} [press(?l)]; };
        reward = sum_{?l : lamp} [PAY(?l) * press(?l)];
    }
    non-fluents n { domain = lamps; objects { lamp : { a, b, c, d, e }; };
        non-fluents { PAY(b) = 3.0; PAY(d) = 4.0; PAY(e) = -2.0; }; }
    instance i { domain = lamps; non-fluents = n; max-nondef-actions = 2; horizon = 4; discount = 1.0; }";

#[test]
fn plans_keep_to_the_number_of_actions() {
    let relaxed = of_text(LAMPS);
    let state = relaxed.compiled().initial().clone();
    let plan = GradientPlanner::new(Arc::clone(&relaxed), PlanOptions::default())
        .plan(&state)
        .unwrap();
    assert_eq!(plan.mean, 28.0);
    assert!(
        plan.steps
            .iter()
            .all(|joint| joint.iter().map(|choice| choice.field).eq([1, 3])),
        "{:?}",
        plan.steps
    );
    let policy = ReactivePolicy::train(
        &relaxed,
        &[32, 32],
        &PlanOptions {
            scenarios: Some(2),
            ..PlanOptions::default()
        },
    )
    .unwrap();
    let (mean, _) = policy.evaluate(4, 1, 0).unwrap();
    assert!(mean >= 20.0, "{mean}");
    assert!(policy.act(&state).unwrap().len() <= 2);
}

#[test]
fn what_has_no_gradient_says_so() {
    let text = "
        domain vectors {
            types { axis : object; };
            pvariables { p(axis) : { state-fluent, real, default = 0.0 };
                M(axis) : { non-fluent, real, default = 0.0 };
                C(axis, axis) : { non-fluent, real, default = 1.0 }; };
            cpfs { p'(?x) = MultivariateNormal[?x](M(_), C(_, _)); };
            reward = 0;
        }
        instance i { domain = vectors; objects { axis : { x }; }; horizon = 2; discount = 1.0; }";
    let Ok(suite) = RddlSuite::from_sources(&[Source::new("text", text)]) else {
        return;
    };
    let error = Relaxed::new(&suite.compiled(0).unwrap().instance, &Budget::unlimited()).unwrap_err();
    assert!(error.to_string().contains("no gradient"), "{error}");
}

#[test]
fn single_steps_have_the_values_and_gradients_of_roll_outs() {
    let relaxed = of_text(RULES);
    let compiled = Arc::clone(relaxed.compiled());
    let (fields, lanes) = (compiled.actions().fields().len(), 3);
    let numbers: Vec<f64> = (0..fields).map(|field| 0.2 + 0.15 * field as f64).collect();
    let environments: Vec<RandomGenerator> = (0..lanes)
        .map(|lane| RandomGenerator::of_environment(4, lane as u64))
        .collect();
    let mut unrolled = Unrolled::new(Arc::clone(&relaxed), lanes, 2.0);
    let mut fixed = Fixed::new(numbers.clone(), fields, lanes);
    let returns = unrolled.differentiate(compiled.initial(), 1, &environments, &mut fixed);
    let mut step = RelaxedStep::new(Arc::clone(&relaxed), lanes, 2.0);
    let state = unrolled.state(0).to_vec();
    let actions: Vec<f64> = numbers.iter().flat_map(|&number| vec![number; lanes]).collect();
    let draws: Vec<RandomGenerator> = environments.iter().map(|one| one.at_step(0)).collect();
    let (next, rewards, ends) = step.forward(&state, &actions, &draws);
    assert_eq!((next.as_slice(), &rewards), (unrolled.state(1), &returns));
    assert_eq!(ends, vec![0.0; lanes]);
    let none = vec![0.0; next.len()];
    let (by_state, by_actions) = step.backward(
        &state,
        &actions,
        &draws,
        &none,
        &vec![1.0; lanes],
        &vec![0.0; lanes],
    );
    assert_eq!(by_state.len(), state.len());
    for (field, row) in by_actions.chunks_exact(lanes).enumerate() {
        let sum: f64 = row.iter().sum();
        assert!(
            (sum - fixed.gradient[field]).abs() < 1e-9 * (1.0 + sum.abs()),
            "{field}"
        );
    }
}

/// The operators of [`RULES`] once more, written by the formulas of the docs.
#[derive(Debug)]
struct Again(Operator);

impl SmoothFunction for Again {
    fn apply(&self, operands: &[&[f64]], sharpness: f64, values: &mut [f64], slopes: &mut [Vec<f64>]) {
        for lane in 0..values.len() {
            let at = |operand: usize| operands[operand][lane];
            let count = operands.len();
            match self.0 {
                Operator::Less => {
                    let value = 1.0 / (1.0 + (-sharpness * (at(1) - at(0))).exp());
                    let slope = sharpness * value * (1.0 - value);
                    values[lane] = value;
                    (slopes[0][lane], slopes[1][lane]) = (-slope, slope);
                }
                Operator::Equal => {
                    let tanh = (sharpness * (at(0) - at(1))).tanh();
                    values[lane] = 1.0 - tanh * tanh;
                    let slope = -2.0 * sharpness * tanh * (1.0 - tanh * tanh);
                    (slopes[0][lane], slopes[1][lane]) = (slope, -slope);
                }
                Operator::Or => {
                    values[lane] = 1.0 - (1.0 - at(0)) * (1.0 - at(1));
                    (slopes[0][lane], slopes[1][lane]) = (1.0 - at(1), 1.0 - at(0));
                }
                Operator::Forall => {
                    values[lane] = (0..count).map(at).product();
                    for (operand, slopes) in slopes.iter_mut().enumerate() {
                        slopes[lane] = (0..count).filter(|&other| other != operand).map(at).product();
                    }
                }
                Operator::If => {
                    values[lane] = at(0) * at(1) + (1.0 - at(0)) * at(2);
                    slopes[0][lane] = at(1) - at(2);
                    (slopes[1][lane], slopes[2][lane]) = (at(0), 1.0 - at(0));
                }
                Operator::Max | Operator::Min => {
                    let first = (at(0) < at(1)) == (self.0 == Operator::Min);
                    values[lane] = if first { at(0) } else { at(1) };
                    (slopes[0][lane], slopes[1][lane]) = if first { (1.0, 0.0) } else { (0.0, 1.0) };
                }
                other => panic!("{other} is not in this test"),
            }
        }
    }
}

#[test]
fn functions_of_the_user_replace_single_operators() {
    let usual = of_text(RULES);
    let instance = Arc::clone(&usual.compiled().instance);
    let operators = [
        Operator::Less,
        Operator::Equal,
        Operator::Or,
        Operator::Forall,
        Operator::If,
        Operator::Max,
        Operator::Min,
    ];
    let relaxation = operators
        .into_iter()
        .fold(Relaxation::default(), |relaxation, operator| {
            relaxation.with(operator, Arc::new(Again(operator)))
        });
    let own = Arc::new(Relaxed::with(&instance, &relaxation, &Budget::unlimited()).unwrap());
    let fields = usual.compiled().actions().fields().len();
    let mut random = Random::new(5);
    for seed in 0..20 {
        let numbers: Vec<f64> = (0..3 * fields)
            .map(|_| 0.1 + 0.8 * uniform_unit(&mut random))
            .collect();
        let environments = [0, 1].map(|lane| RandomGenerator::of_environment(seed, lane));
        let result = |relaxed: &Arc<Relaxed>| {
            let mut fixed = Fixed::new(numbers.clone(), fields, 2);
            let mut unrolled = Unrolled::new(Arc::clone(relaxed), 2, 3.0);
            let mut all = unrolled.differentiate(relaxed.compiled().initial(), 3, &environments, &mut fixed);
            all.extend(fixed.gradient);
            all
        };
        for (own, usual) in result(&own).into_iter().zip(result(&usual)) {
            assert!(
                (own - usual).abs() <= 1e-9 * (1.0 + usual.abs()),
                "{own}, {usual}"
            );
        }
    }
    // A constant function takes the gradient away.
    #[derive(Debug)]
    struct Half;
    impl SmoothFunction for Half {
        fn apply(&self, _operands: &[&[f64]], _sharpness: f64, values: &mut [f64], _slopes: &mut [Vec<f64>]) {
            values.fill(0.5);
        }
    }
    let text = "domain d { pvariables { x : { state-fluent, real, default = 0.0 };
            n : { action-fluent, int, default = 0 }; };
        cpfs { x' = x; }; reward = 4 * (n < 2); }
        instance i { domain = d; horizon = 1; discount = 1.0; }";
    let instance = Arc::clone(&of_text(text).compiled().instance);
    let relaxation = Relaxation::default().with(Operator::Less, Arc::new(Half));
    let blunt = Arc::new(Relaxed::with(&instance, &relaxation, &Budget::unlimited()).unwrap());
    let mut fixed = Fixed::new(vec![1.0], 1, 1);
    let returns = Unrolled::new(blunt, 1, 1.0).differentiate(
        of_text(text).compiled().initial(),
        1,
        &[RandomGenerator::of_environment(1, 0)],
        &mut fixed,
    );
    assert_eq!((returns, fixed.gradient), (vec![2.0], vec![0.0]));
    // Ints are compared halfway between two of them.
    let relaxation = Relaxation::default().with(Operator::Less, Arc::new(Again(Operator::Less)));
    let own = Arc::new(Relaxed::with(&instance, &relaxation, &Budget::unlimited()).unwrap());
    let mut fixed = Fixed::new(vec![1.5], 1, 1);
    let returns = Unrolled::new(own, 1, 1.0).differentiate(
        of_text(text).compiled().initial(),
        1,
        &[RandomGenerator::of_environment(1, 0)],
        &mut fixed,
    );
    assert_eq!((returns, fixed.gradient), (vec![2.0], vec![-1.0]));
}

/// A stake that doubles or is lost: its mean gain is positive, its worst result is not.
const BET: &str = "
    domain bet {
        pvariables {
            won : { state-fluent, bool, default = false };
            stake : { action-fluent, real, default = 0.5 };
        };
        cpfs { won' = Bernoulli(0.6); };
        reward = if (won') then stake else -stake;
        action-preconditions { stake >= 0.0; stake <= 1.0; };
    }
    instance i { domain = bet; horizon = 1; discount = 1.0; }";

#[test]
fn an_averse_planner_stakes_little() {
    let relaxed = of_text(BET);
    let compiled = Arc::clone(relaxed.compiled());
    let state = compiled.initial().clone();
    let stake = |risk: Risk| -> Vec<f64> {
        let (seed, scenarios) = (3, 64);
        let options = PlanOptions {
            risk,
            seed,
            scenarios: Some(scenarios),
            ..PlanOptions::default()
        };
        let planners: [Box<dyn StraightLinePlanner>; 3] = [
            Box::new(SamplingPlanner::new(Arc::clone(&compiled), options)),
            Box::new(GradientPlanner::new(Arc::clone(&relaxed), options)),
            Box::new(Portfolio::new(&compiled, options, &Budget::unlimited()).unwrap()),
        ];
        let train = PlanOptions {
            rate: Some(0.05),
            ..options
        };
        let policy = ReactivePolicy::train(&relaxed, &[32, 32], &train).unwrap();
        let joints = planners
            .into_iter()
            .map(|mut planner| planner.plan(&state).unwrap().steps.remove(0));
        let joints = joints.chain([policy.act(&state).unwrap()]);
        joints
            .map(|joint| joint.first().map_or(0.5, |choice| number(choice.value)))
            .collect()
    };
    for one in stake(Risk::Neutral) {
        assert!(one > 0.95, "{one}");
    }
    for risk in [
        Risk::ConditionalValueAtRisk { fraction: 0.25 },
        Risk::Entropic { aversion: 20.0 },
    ] {
        for one in stake(risk) {
            assert!(one < 0.15, "{risk}: {one}");
        }
    }
    // The best stake is mean / (2 aversion variance) = 0.2 / (1.25 * 2 * 0.48).
    for one in stake(Risk::MeanVariance { aversion: 0.625 }) {
        assert!((0.15..0.55).contains(&one), "{one}");
    }
}

#[test]
fn hard_problems_are_solved_by_gradients_alone() {
    let problems = [
        ("rddl/mountain-car", 90.0),
        ("rddl/racing-car", 0.0),
        // A pole falls after some 25 steps, and a plan of fixed forces that keeps it up for 200 is a matter of luck.
        ("rddl/cartpole-continuous", 200.0),
    ];
    for (name, least) in problems {
        let suite = RddlSuite::bundled(name).unwrap();
        let relaxed = relaxed(&suite.compiled(0).unwrap().instance, TNorm::Product).unwrap();
        let state = relaxed.compiled().initial().clone();
        let plan = GradientPlanner::new(relaxed, PlanOptions::default())
            .plan(&state)
            .unwrap();
        assert!(plan.mean > least, "{name}: {}", plan.mean);
    }
}
