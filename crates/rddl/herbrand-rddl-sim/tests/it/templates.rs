//! Templates compared with ground tapes: whichever expressions become templates, every value of a walk is the same, bit for
//! bit.

use std::sync::Arc;

use herbrand_core::{Choice, Random, System};
use herbrand_distributions::{Draws, Quantiles, RandomGenerator};
use herbrand_limits::Budget;
use herbrand_rddl::Instance;
use herbrand_rddl::strategies::{Drawing, Shape, instances};
use herbrand_rddl_sim::ground::{Templates, compile_with};
use herbrand_rddl_sim::simulate::{FluentValue, Preconditions, RddlSimulator};
use herbrand_rddl_sim::suite::RddlSuite;
use proptest::prelude::*;

/// A simulator of an instance.
fn simulator(instance: &Arc<Instance>, templates: Templates) -> RddlSimulator {
    let compiled = compile_with(instance, &Budget::unlimited(), templates).unwrap();
    RddlSimulator::new(Arc::new(compiled), Preconditions::Reported)
}

/// Returns the bits of a value. Every NaN has the same bits.
fn bits(value: FluentValue) -> (u8, u64) {
    match value {
        FluentValue::Bool(value) => (0, u64::from(value)),
        FluentValue::Int(value) => (1, value.cast_unsigned()),
        FluentValue::Real(value) if value.is_nan() => (2, f64::NAN.to_bits()),
        FluentValue::Real(value) => (2, value.to_bits()),
    }
}

/// Returns all values that can be queried after a step.
pub fn shown(simulator: &RddlSimulator) -> Vec<(String, (u8, u64))> {
    let compiled = simulator.compiled();
    let state =
        (0..compiled.state.len()).map(|at| (compiled.name(&compiled.state, at), Some(simulator.fluent(at))));
    let interm =
        (0..compiled.interm.len()).map(|at| (compiled.name(&compiled.interm, at), simulator.interm(at)));
    let observ =
        (0..compiled.observ.len()).map(|at| (compiled.name(&compiled.observ, at), simulator.observed(at)));
    let status = simulator.current_status();
    let rest = [
        ("reward", simulator.last_reward().map(FluentValue::Real)),
        ("terminal", Some(FluentValue::Bool(status.terminal))),
        ("broken", Some(FluentValue::Bool(status.broken))),
    ];
    let violated = simulator
        .violated()
        .map(|one| ("violated".to_owned(), (1, one as u64)));
    state
        .chain(interm)
        .chain(observ)
        .chain(rest.map(|(name, value)| (name.to_owned(), value)))
        .map(|(name, value)| (name, value.map_or((9, 0), bits)))
        .chain(violated)
        .collect()
}

fn step(
    [one, other]: [&mut RddlSimulator; 2],
    joint: &[Choice],
    draws: &impl Draws,
) -> Result<bool, TestCaseError> {
    let (first, second) = (one.advance(joint, draws), other.advance(joint, draws));
    prop_assert_eq!(
        first.is_ok(),
        second.is_ok(),
        "{:?}, but {:?}",
        first.err(),
        second.err()
    );
    for (a, b) in shown(one).into_iter().zip(shown(other)) {
        prop_assert_eq!(a, b);
    }
    Ok(first.is_ok())
}

/// Walks with both simulators, with the generator and with quantiles. Returns the number of steps taken.
fn walk(instance: &Arc<Instance>, seed: u64, steps: u64) -> Result<u64, TestCaseError> {
    let (mut ground, mut looped) = (
        simulator(instance, Templates::Never),
        simulator(instance, Templates::From(1)),
    );
    prop_assert_eq!(ground.compiled().tape().templates(), 0);
    let (mut random, mut joint, mut taken) = (Random::new(seed), Vec::new(), 0);
    for number in 0..2 * steps {
        if number == steps {
            ground.restart();
            looped.restart();
        }
        ground.sample(&mut random, &mut joint);
        let both = [&mut ground, &mut looped];
        let done = if number < steps {
            step(both, &joint, &RandomGenerator::keyed(seed, 3, number))
        } else {
            step(both, &joint, &Quantiles::at(number as f64 / (2 * steps) as f64))
        };
        taken += u64::from(done?);
    }
    Ok(taken)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn random_instances_step_the_same(instance in instances(&Shape::default()), seed in any::<u64>()) {
        walk(&Arc::new(instance), seed, 3)?;
    }

    #[test]
    fn random_instances_with_discrete_draws_step_the_same(
        instance in instances(&Shape { draws: Drawing::Discrete, ..Shape::default() }),
        seed in any::<u64>(),
    ) {
        walk(&Arc::new(instance), seed, 3)?;
    }
}

#[test]
fn bundled_environments_step_the_same() {
    for name in RddlSuite::bundled_names() {
        let suite = RddlSuite::bundled(&name).unwrap();
        for index in 0..suite.len() {
            let instance = suite.instance(index).unwrap();
            walk(instance, 41 + index as u64, 3)
                .unwrap_or_else(|fault| panic!("{name} {}: {fault}", index + 1));
        }
    }
}

/// All features of templates, with enough objects: guards, split sums, table lookups, values that can fail, draws, and
/// values computed before the template.
const TOWN: &str = "domain town {
    types { house : object; road : object; mood : { @calm, @cross, @wild }; };
    pvariables {
        NEXT(house, house) : { non-fluent, bool, default = false };
        LENGTH(road) : { non-fluent, real, default = 1.5 };
        HOME(house) : { non-fluent, road };
        THIRD(house) : { non-fluent, bool, default = false };
        lit(house, road) : { state-fluent, bool, default = false };
        paint(house, road) : { state-fluent, real, default = 0.25 };
        temper(house) : { state-fluent, mood, default = @calm };
        count(road) : { state-fluent, int, default = 0 };
        wear(house, road) : { interm-fluent, real };
        best(house) : { interm-fluent, road };
        ratio(house, road) : { interm-fluent, int };
        seen(house, road) : { observ-fluent, bool };
        press(house, road) : { action-fluent, bool, default = false };
    };
    cpfs {
        wear(?h, ?r) = sqrt[paint(?h, ?r) + LENGTH(?r)] + (avg_{?s : road} [LENGTH(?s) * lit(?h, ?s)])
            + (sum_{?s : road} [paint(?h, ?s)]);
        best(?h) = argmax_{?r : road} [paint(?h, ?r) - LENGTH(?r) * lit(?h, ?r)];
        ratio(?h, ?r) = if (lit(?h, ?r)) then div[7 + count(?r), count(?r) - 3 + press(?h, ?r)] else 2;
        lit'(?h, ?r) = if (press(?h, ?r)) then ~lit(?h, ?r)
            else (exists_{?g : house} [NEXT(?h, ?g) ^ lit(?g, ?r)]) ^ Bernoulli(0.6) | lit(?h, best(?h)) ^ THIRD(?h);
        paint'(?h, ?r) = if (lit(?h, ?r)) then Normal(wear(?h, ?r), 1.0 + LENGTH(?r))
            else paint(?h, ?r) + 0.125 * paint(?h, HOME(?h)) * (max_{?g : house} [paint(?g, ?r)]);
        temper'(?h) = switch (temper(?h)) {
            case @calm : Discrete(mood, @calm : 0.5, @cross : 0.5),
            case @cross : if (lit(?h, HOME(?h))) then @wild else @calm,
            default : @calm };
        count'(?r) = (sum_{?h : house, ?g : house} [lit(?h, ?r) ^ NEXT(?h, ?g)])
            + (sum_{?h : house, ?s : road} [lit(?h, ?s) ^ (count(?r) > 0)]) - count(?r);
        seen(?h, ?r) = lit'(?h, ?r) ^ (wear(?h, ?r) > 1.0);
    };
    reward = (sum_{?h : house, ?r : road} [paint'(?h, ?r) * lit(?h, ?r)]) - (sum_{?h : house} [temper(?h) == @wild]);
    termination { forall_{?h : house, ?r : road} [lit(?h, ?r)]; };
    state-invariants { forall_{?h : house, ?r : road} [paint(?h, ?r) < 1000000.0]; };
    action-preconditions { forall_{?h : house} [(sum_{?r : road} [press(?h, ?r)]) <= 3]; };
}";

/// Returns a town with these numbers of houses and roads.
fn town(houses: usize, roads: usize) -> Arc<Instance> {
    let names = |letter: &str, count| {
        (0..count)
            .map(|i| format!("{letter}{i}"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let each = |count: usize, line: &dyn Fn(usize) -> String| -> String { (0..count).map(line).collect() };
    let next = each(houses, &|h| {
        let neighbours = std::collections::BTreeSet::from([(h + 1) % houses, h * 7 % houses]);
        neighbours.iter().map(|g| format!("NEXT(h{h}, h{g});")).collect()
    });
    let homes = each(houses, &|h| format!("HOME(h{h}) = r{};", h * 5 % roads));
    let thirds = each(houses.div_ceil(3), &|h| format!("THIRD(h{});", 3 * h));
    let lengths = each(roads, &|r| format!("LENGTH(r{r}) = {r}.5;"));
    let lit = each(houses, &|h| format!("lit(h{h}, r{});", h * h % roads));
    let text = format!(
        "instance i {{ domain = town;
            objects {{ house : {{ {} }}; road : {{ {} }}; }};
            non-fluents {{ {next} {homes} {thirds} {lengths} }};
            init-state {{ {lit} }};
            max-nondef-actions = 5; horizon = 10; discount = 1.0; }}",
        names("h", houses),
        names("r", roads)
    );
    Arc::new(Instance::from_text(TOWN, &text).unwrap_or_else(|faults| panic!("{faults}")))
}

/// Small towns with and without templates. All three functions of lit and paint, the sums in them and the conditions are
/// templates.
#[test]
fn a_town_steps_the_same() {
    for (houses, roads) in [(1, 1), (2, 3), (7, 5), (40, 17)] {
        let instance = town(houses, roads);
        let taken = walk(&instance, 5, 12).unwrap();
        assert!(taken > 5, "{houses} houses: {taken} steps");
        let looped = simulator(&instance, Templates::From(1));
        let tape = looped.compiled().tape();
        assert!(tape.templates() > 12, "{} templates\n{tape}", tape.templates());
    }
}

/// A large town uses templates by default, has few instructions and steps without allocating.
#[test]
fn a_large_town_is_a_short_tape() {
    let instance = town(130, 80);
    let (mut ground, mut looped) = (
        simulator(&instance, Templates::Never),
        simulator(&instance, Templates::default()),
    );
    let (few, many) = (looped.compiled().tape().len(), ground.compiled().tape().len());
    assert!(few < 3_000 && many > 50_000, "{few} and {many} instructions");
    let (mut random, mut joint) = (Random::new(3), Vec::new());
    for number in 0..3 {
        looped.sample(&mut random, &mut joint);
        let draws = RandomGenerator::keyed(8, 0, number);
        step([&mut ground, &mut looped], &joint, &draws).unwrap();
    }
    let info = allocation_counter::measure(|| {
        looped.advance(&joint, &RandomGenerator::keyed(8, 0, 9)).unwrap();
    });
    assert_eq!(info.count_total, 0);
}

/// A failing value within a template is reported with the name of its fluent.
#[test]
fn a_missing_value_has_its_name() {
    let instance = town(7, 5);
    let mut looped = simulator(&instance, Templates::From(1));
    let compiled = Arc::clone(looped.compiled());
    let mut state = looped.values().clone();
    let section = compiled.state.section();
    for at in 0..compiled.state.len() {
        let value = match compiled.name(&compiled.state, at).as_str() {
            "count___r2" => FluentValue::Int(3),
            "lit___h4__r2" => FluentValue::Bool(true),
            name if name.starts_with("lit") => FluentValue::Bool(false),
            _ => continue,
        };
        section.set(&mut state, at, value);
    }
    looped.go_to(&state).unwrap();
    let error = looped.advance(&[], &Quantiles::at(0.5)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "ratio___h4__r2 (domain:22): an int is divided by 0"
    );
}

/// A quantifier is evaluated up to the first deciding value. Later values may fail.
#[test]
fn what_comes_after_the_first_that_decides_may_be_missing() {
    let domain = "domain d {
        types { t : object; };
        pvariables {
            x(t) : { state-fluent, int, default = 0 };
            some(t) : { state-fluent, bool, default = false };
        };
        cpfs {
            x'(?t) = x(?t);
            some'(?t) = exists_{?u : t} [div[x(?t) + 1, x(?u)] > 0];
        };
        reward = ~(forall_{?u : t} [div[1, x(?u)] == 2]);
    }";
    let text = "instance i { domain = d; objects { t : { a, b, c }; }; init-state { x(a) = 1; };
        horizon = 5; discount = 1.0; }";
    let instance = Arc::new(Instance::from_text(domain, text).unwrap());
    assert_eq!(walk(&instance, 1, 2).unwrap(), 4);
}

/// The bounds of numeric actions follow from preconditions, however many there are.
#[test]
fn bounds_of_actions_are_found_without_templates() {
    let domain = "domain d {
        types { t : object; };
        pvariables {
            MOST(t) : { non-fluent, real, default = 4.0 };
            x(t) : { state-fluent, real, default = 0.0 };
            push(t) : { action-fluent, real, default = 0.0 };
        };
        cpfs { x'(?t) = x(?t) + push(?t); };
        reward = 0;
        action-preconditions { forall_{?t : t} [push(?t) >= 0.0 ^ push(?t) <= MOST(?t)]; };
    }";
    let text = "instance i { domain = d; objects { t : { a, b, c }; }; non-fluents { MOST(b) = 2.0; };
        horizon = 5; discount = 1.0; }";
    let instance = Arc::new(Instance::from_text(domain, text).unwrap());
    let [one, other] =
        [Templates::Never, Templates::From(1)].map(|templates| simulator(&instance, templates));
    assert_eq!(one.compiled().actions(), other.compiled().actions());
    let domains = format!("{:?}", other.compiled().actions().fields()[1].domain);
    assert_eq!(domains, "Real { low: 0.0, high: 2.0 }");
}
