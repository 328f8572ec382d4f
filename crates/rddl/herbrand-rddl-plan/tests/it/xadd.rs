//! Decision diagrams compared with the simulator.

use std::sync::Arc;

use herbrand_core::{FieldValue, Random, System};
use herbrand_distributions::{Draws, Family, RandomGenerator, Site};
use herbrand_limits::Budget;
use herbrand_rddl::strategies::{Drawing, Shape, instances};
use herbrand_rddl::{Instance, Source};
use herbrand_rddl_plan::xadd::{DiagramVariable, Output, Xadd, XaddError};
use herbrand_rddl_sim::ground::StepGraph;
use herbrand_rddl_sim::simulate::{Preconditions, RddlSimulator};
use herbrand_rddl_sim::suite::RddlSuite;
use proptest::prelude::*;

fn step_of(text: &str) -> StepGraph {
    let suite =
        RddlSuite::from_sources(&[Source::new("text", text)]).unwrap_or_else(|error| panic!("{error}"));
    StepGraph::new(&suite.compiled(0).unwrap().instance, &Budget::unlimited()).unwrap()
}

/// Compares all diagrams that exist with steps of a random walk. Returns the number of values compared.
fn diagrams_agree(
    instance: &Arc<Instance>,
    seed: u64,
    steps: usize,
    limit: usize,
) -> Result<usize, TestCaseError> {
    let step = StepGraph::new(instance, &Budget::unlimited()).unwrap();
    let compiled = step.compiled();
    let diagrams: Vec<(usize, Xadd)> = (0..compiled.state.len())
        .filter_map(|at| Some((at, Xadd::new(&step, Output::Next(at), limit).ok()?)))
        .collect();
    let reward = Xadd::new(&step, Output::Reward, limit).ok();
    let mut simulator = RddlSimulator::new(Arc::clone(compiled), Preconditions::Reported);
    let mut random = Random::new(seed);
    let mut compared = 0;
    for number in 0..steps {
        let mut joint = Vec::new();
        simulator.sample(&mut random, &mut joint);
        // Sums of such numbers are exact, so that no tie is decided by rounding.
        for choice in &mut joint {
            if let FieldValue::Real(value) = &mut choice.value {
                *value = (*value * 64.0).round() / 64.0;
            }
        }
        let draws = RandomGenerator::keyed(seed, 0, number as u64);
        let before = simulator.values().clone();
        // A comparison with NaN is false, and so is its opposite.
        let mut state =
            (0..compiled.state.len()).map(|at| compiled.state.section().get(&before, at).number());
        if state.any(f64::is_nan) {
            break;
        }
        let Ok(transition) = simulator.advance(&joint, &draws) else {
            break;
        };
        let action = |at: usize| {
            let set = joint
                .iter()
                .find(|choice| choice.field as usize == at)
                .map(|choice| choice.value);
            match set.or(compiled.actions().fields()[at].default) {
                Some(FieldValue::Discrete(value)) => f64::from(value),
                Some(FieldValue::Int(value)) => value as f64,
                Some(FieldValue::Real(value)) => value,
                None => 0.0,
            }
        };
        let of = |variable: DiagramVariable| match variable {
            DiagramVariable::State(at) => compiled.state.section().get(&before, at).number(),
            DiagramVariable::Action(at) => action(at),
            DiagramVariable::Uniform(site) => draws.uniform(Site(site)),
            DiagramVariable::Normal(site) => draws.draw(Site(site), Family::Normal, 0.0, 1.0).unwrap(),
            DiagramVariable::Exponential(site) => {
                draws.draw(Site(site), Family::Exponential, 1.0, 0.0).unwrap()
            }
            DiagramVariable::Draw(site, family, a, b) => draws.draw(Site(site), family, a, b).unwrap(),
        };
        let mut same = |diagram: &Xadd, expected: f64, what: String| {
            let found = diagram.value(of);
            // Sums in another order differ by rounding, which may be decisive. Ints have 64 bits, and diagrams go beyond
            // that.
            if !expected.is_finite() || expected.abs().max(found.abs()) > 1e12 {
                return Ok(());
            }
            let is_close = (found - expected).abs() <= 1e-7 * (1.0 + expected.abs());
            if !is_close && diagram.is_near_edge(of, 1e-7) {
                return Ok(());
            }
            compared += 1;
            prop_assert!(
                is_close,
                "{} is {}, but {} by the diagram\n{}",
                what,
                expected,
                found,
                diagram
            );
            Ok(())
        };
        for (at, diagram) in &diagrams {
            let value = compiled.state.section().get(simulator.values(), *at).number();
            same(diagram, value, compiled.name(&compiled.state, *at))?;
        }
        if let Some(diagram) = &reward {
            same(diagram, transition.reward, "reward".to_owned())?;
        }
    }
    Ok(compared)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn diagrams_of_random_models_have_the_values_of_steps(
        instance in instances(&Shape { draws: Drawing::All, ..Shape::default() }),
        seed in any::<u64>(),
    ) {
        diagrams_agree(&Arc::new(instance), seed, 4, 2_000)?;
    }
}

#[test]
fn diagrams_of_bundled_environments_have_the_values_of_steps() {
    let mut with_diagrams = 0;
    for name in RddlSuite::bundled_names() {
        let suite = RddlSuite::bundled(&name).unwrap();
        let instance = &suite.compiled(0).unwrap().instance;
        let compared =
            diagrams_agree(instance, 3, 10, 3_000).unwrap_or_else(|error| panic!("{name}: {error}"));
        with_diagrams += usize::from(compared > 0);
    }
    assert_eq!(with_diagrams, RddlSuite::bundled_names().len());
}

const TANK: &str = "
    domain tank {
        pvariables {
            level : { state-fluent, real, default = 5.0 };
            rain : { state-fluent, bool, default = false };
            release : { action-fluent, real, default = 0.0 };
        };
        cpfs {
            rain' = Bernoulli(0.25);
            level' = max[0, min[10, 0.5 * level + (if (rain) then 2 else 0) - release]];
        };
        reward = if (level' > 8) then -pow[level' - 8, 2] else if (level' > 9) then 7 else level';
    }
    instance i { domain = tank; horizon = 5; discount = 1.0; }";

#[test]
fn a_diagram_is_written_as_nested_decisions() {
    let step = step_of(TANK);
    let level = Xadd::new(&step, Output::Next(0), 1_000).unwrap();
    assert_eq!(
        level.to_string(),
        "\
level' =
  if rain
    if level - 2 release >= 16
      10
    else
      if level - 2 release >= -4
        0.5 level - release + 2
      else
        0
  else
    if level - 2 release >= 20
      10
    else
      if level - 2 release >= 0
        0.5 level - release
      else
        0
"
    );
}

#[test]
fn decisions_that_follow_from_others_are_left_out() {
    let step = step_of(TANK);
    let reward = Xadd::new(&step, Output::Reward, 10_000).unwrap();
    // A level above 9 is also above 8, so nothing pays 7.
    assert!(!reward.to_string().contains(" 7\n"), "{reward}");
    let rain = Xadd::new(&step, Output::Next(1), 100).unwrap();
    assert_eq!(rain.len(), 3, "{rain}");
    assert_eq!(rain.data().draws.len(), 1);
    assert!(rain.to_string().contains("~ Uniform(0, 1)"), "{rain}");
    let never = step_of(&TANK.replace("Bernoulli(0.25)", "Bernoulli(level - level)"));
    assert_eq!(Xadd::new(&never, Output::Next(1), 100).unwrap().len(), 1);
}

#[test]
fn no_int_lies_between_two_neighbours() {
    let step = step_of(
        "domain d {
            types { hue : { @red, @green, @blue }; };
            pvariables {
                now : { state-fluent, hue, default = @red };
                n : { state-fluent, int, default = 0 };
                x : { state-fluent, real, default = 0.0 };
            };
            cpfs {
                now' = switch (now) { case @red : @blue, case @green : @green, case @blue : @red };
                n' = if (n > 0) then [if (n >= 1) then 5 else 7] else 3;
                x' = if (x > 0) then [if (x >= 1) then 5 else 7] else 3;
            };
            reward = 0;
        }
        instance i { domain = d; horizon = 4; discount = 1.0; }",
    );
    let decisions = |name: &str| {
        let output = Output::find(step.compiled(), name).unwrap();
        let diagram = Xadd::new(&step, output, 1000).unwrap().to_string();
        diagram
            .lines()
            .filter(|line| line.trim_start().starts_with("if "))
            .count()
    };
    assert_eq!([decisions("now'"), decisions("n'"), decisions("x'")], [2, 1, 2]);
}

#[test]
fn what_is_missing_or_too_large_says_so() {
    let step = step_of(&TANK.replace("0.5 * level", "sin[level]"));
    assert_eq!(
        Xadd::new(&step, Output::Next(9), 1_000).unwrap_err(),
        XaddError::NotPolynomial("no such value")
    );
    let step = step_of(TANK);
    let error = Xadd::new(&step, Output::Reward, 10).unwrap_err();
    assert_eq!(error, XaddError::TooLarge(10));
    assert!(error.to_string().contains("more than 10 nodes"), "{error}");
    assert!(Xadd::new(&step, Output::Next(9), 10).is_err());
}

#[test]
fn terms_that_are_no_polynomials_stay_whole() {
    let step = step_of(&TANK.replace(
        "0.5 * level",
        "(if (rain) then cos[level] else hypot[level, release])",
    ));
    let level = Xadd::new(&step, Output::Next(0), 1_000).unwrap();
    let text = level.to_string();
    // Each piece has its own term, and equal terms are one.
    assert!(text.contains("-release + cos[level] + 2"), "{text}");
    assert!(text.contains("release - hypot[level, release] > -10"), "{text}");
    // A sine is at most 1, so the minimum with 10 is no question.
    let step = step_of(&TANK.replace(
        "0.5 * level + (if (rain) then 2 else 0) - release",
        "sin[level * level]",
    ));
    let level = Xadd::new(&step, Output::Next(0), 1_000).unwrap();
    let text = level.to_string();
    assert!(text.contains("sin[level^2]") && !text.contains("10"), "{text}");
    let named = level.value(|_| 1.5);
    assert_eq!(named, libm::sin(2.25));
    assert_eq!(level.variables(), [DiagramVariable::State(0)]);
    // A draw whose parameters vary is a quantile.
    let step = step_of(&TANK.replace("0.5 * level", "Gamma(1 + level, 2)"));
    let text = Xadd::new(&step, Output::Next(0), 1_000).unwrap().to_string();
    assert!(text.contains("Gamma[u"), "{text}");
}

#[test]
fn diagrams_are_drawn_without_overlaps() {
    for name in [
        "rddl/elevators",
        "rddl/power-unit-commitment-discrete",
        "rddl/mountain-car",
    ] {
        let suite = RddlSuite::bundled(name).unwrap();
        let step = StepGraph::new(&suite.compiled(0).unwrap().instance, &Budget::unlimited()).unwrap();
        for output in Output::all(step.compiled()) {
            assert_eq!(
                Output::find(step.compiled(), &output.name(step.compiled())),
                Some(output)
            );
            let Ok(diagram) = Xadd::new(&step, output, 2_000) else {
                continue;
            };
            if let Ok(scene) = diagram.scene() {
                assert_eq!(scene.faults(), Vec::<String>::new(), "{name}: {diagram}");
            }
        }
    }
}

#[test]
fn values_of_enums_are_printed_by_name() {
    let step = step_of(
        "domain d {
            types { hue : { @red, @green, @blue }; };
            pvariables {
                now : { state-fluent, hue, default = @red };
                n : { state-fluent, int, default = 0 };
                pick : { action-fluent, hue, default = @red };
            };
            cpfs {
                now' = if (now == @blue) then @red else if (pick == @red) then @green else now;
                n' = if (now == @green) then n + 1 else 2;
            };
            reward = 0;
        }
        instance i { domain = d; horizon = 4; discount = 1.0; }",
    );
    let text = |name: &str| {
        let output = Output::find(step.compiled(), name).unwrap();
        Xadd::new(&step, output, 1000).unwrap().to_string()
    };
    let now = text("now'");
    for part in ["now = blue", "pick", "red", "green"] {
        assert!(now.contains(part), "{part} in\n{now}");
    }
    let number = text("n'");
    assert!(
        number.contains("now in {") || number.contains("now = "),
        "{number}"
    );
    assert!(number.contains('2') && !number.contains("> 0"), "{number}");
}
