//! Plans by roll-outs.

use std::sync::Arc;
use std::time::Duration;

use herbrand_core::{Choice, FieldValue, Random, System as _};
use herbrand_distributions::Quantiles;
use herbrand_rddl::Source;
use herbrand_rddl::strategies::{Shape, instances};
use herbrand_rddl_plan::plan::{
    Agent, EvaluateOptions, FollowPlan, PlanOptions, SamplingPlanner, Shield, compare,
};
use herbrand_rddl_sim::ground::compile;
use herbrand_rddl_sim::simulate::{
    CompiledInstance, Preconditions, RandomSource, RddlSimulator, Rollouts, StepError, Values,
};
use herbrand_rddl_sim::suite::RddlSuite;
use proptest::prelude::*;

fn compiled(text: &str) -> Arc<CompiledInstance> {
    let suite =
        RddlSuite::from_sources(&[Source::new("text", text)]).unwrap_or_else(|error| panic!("{error}"));
    Arc::clone(suite.compiled(0).unwrap())
}

/// Every kind of action: the best are 1.5 for the real, 3 for the int, green for the colour, and one of two lamps with
/// different costs.
const MIXED: &str = "
    domain mixed {
        types { lamp : object; colour : { @red, @green, @blue }; };
        pvariables {
            COST(lamp) : { non-fluent, real, default = 1.0 };
            t : { state-fluent, int, default = 0 };
            force : { action-fluent, real, default = 0.0 };
            count : { action-fluent, int, default = 0 };
            paint : { action-fluent, colour, default = @red };
            light(lamp) : { action-fluent, bool, default = false };
        };
        cpfs { t' = t + 1; };
        reward = -pow[force - 1.5, 2] - abs[count - 3] + (paint == @green)
            + (sum_{?l : lamp} [light(?l) * (2.0 - COST(?l))]);
        action-preconditions { force <= 4.0 ^ force >= -4.0; count <= 9; count >= 0; };
    }
    non-fluents n { domain = mixed; objects { lamp : { a, b }; }; non-fluents { COST(a) = 3.0; }; }
    instance i { domain = mixed; non-fluents = n; max-nondef-actions = 4; horizon = 3; discount = 1.0; }";

#[test]
fn cross_entropy_finds_every_kind_of_action() {
    let compiled = compiled(MIXED);
    let options = PlanOptions {
        iterations: Some(25),
        scenarios: Some(1),
        ..PlanOptions::default()
    };
    let plan = SamplingPlanner::new(Arc::clone(&compiled), options)
        .plan(compiled.initial())
        .unwrap();
    assert_eq!(plan.steps.len(), 3);
    assert!(plan.mean > 3.0 * 1.95, "{}", plan.mean);
    for joint in &plan.steps {
        let value = |name: &str| {
            let fields = compiled.actions().fields();
            let field = fields.iter().position(|field| field.name == name).unwrap();
            let set = joint.iter().find(|choice| choice.field == field as u32);
            set.map(|choice| choice.value)
        };
        assert_eq!(value("count"), Some(FieldValue::Int(3)));
        assert_eq!(value("paint"), Some(FieldValue::Discrete(1)));
        assert_eq!(
            (value("light___a"), value("light___b")),
            (None, Some(FieldValue::Discrete(1)))
        );
        assert!(
            matches!(value("force"), Some(FieldValue::Real(force)) if (force - 1.5).abs() < 0.2),
            "{joint:?}"
        );
    }
    let shooting = PlanOptions {
        elite: None,
        iterations: Some(25),
        scenarios: Some(1),
        ..PlanOptions::default()
    };
    let shot = SamplingPlanner::new(Arc::clone(&compiled), shooting)
        .plan(compiled.initial())
        .unwrap();
    assert!(shot.mean < plan.mean && shot.mean > -30.0, "{}", shot.mean);
}

#[test]
fn plans_set_no_more_than_is_allowed_and_are_the_same_each_time() {
    let compiled = compiled(&MIXED.replace("max-nondef-actions = 4", "max-nondef-actions = 2"));
    for elite in [None, Some(0.1)] {
        let options = PlanOptions {
            elite,
            iterations: Some(6),
            candidates: Some(40),
            seed: 3,
            ..PlanOptions::default()
        };
        let plan = || {
            SamplingPlanner::new(Arc::clone(&compiled), options)
                .plan(compiled.initial())
                .unwrap()
        };
        let first = plan();
        assert_eq!(first, plan());
        assert!(first.steps.iter().all(|joint| joint.len() <= 2), "{first:?}");
        let mut simulator = RddlSimulator::new(Arc::clone(&compiled), Preconditions::Refused);
        let mut total = 0.0;
        for joint in &first.steps {
            total += simulator.advance(joint, &Quantiles::at(0.5)).unwrap().reward;
        }
        assert!((total - first.mean).abs() < 1e-9, "{total}, not {}", first.mean);
    }
}

#[test]
fn time_ends_the_search_and_preconditions_are_kept() {
    let text = MIXED.replace("force <= 4.0", "force + count <= 2.0");
    let compiled = compiled(&text);
    let options = PlanOptions {
        time: Some(Duration::ZERO),
        enforced: true,
        iterations: Some(1_000_000),
        candidates: Some(500),
        lookahead: Some(1),
        ..PlanOptions::default()
    };
    let plan = SamplingPlanner::new(Arc::clone(&compiled), options)
        .plan(compiled.initial())
        .unwrap();
    assert!(plan.mean.is_finite(), "at worst nothing is done");
    let mut simulator = RddlSimulator::new(Arc::clone(&compiled), Preconditions::Refused);
    simulator.advance(&plan.steps[0], &Quantiles::at(0.5)).unwrap();
}

/// Two products share a depot, so orders are valid only together and only up to what random demand has left room for.
const DEPOT: &str = "
    domain depot {
        types { product : object; };
        pvariables {
            stock(product) : { state-fluent, int, default = 2 };
            sold(product) : { interm-fluent, int };
            order(product) : { action-fluent, int, default = 0 };
            sign : { action-fluent, bool, default = false };
        };
        cpfs {
            sold(?p) = min[stock(?p), Poisson(2.0)];
            stock'(?p) = stock(?p) - sold(?p) + order(?p);
        };
        reward = sum_{?p : product} [4 * sold(?p) - order(?p)];
        action-preconditions {
            forall_{?p : product} [order(?p) >= 0];
            forall_{?p : product} [order(?p) <= 6];
            (sum_{?p : product} [stock(?p) + order(?p)]) <= 8;
        };
    }
    non-fluents n { domain = depot; objects { product : { a, b }; }; }
    instance i { domain = depot; non-fluents = n; max-nondef-actions = pos-inf; horizon = 20; discount = 1.0; }";

#[test]
fn plans_keep_to_preconditions_of_random_states() {
    let compiled = compiled(DEPOT);
    for elite in [None, Some(0.1)] {
        let options = PlanOptions {
            elite,
            candidates: Some(64),
            iterations: Some(5),
            enforced: true,
            ..PlanOptions::default()
        };
        let plan = SamplingPlanner::new(Arc::clone(&compiled), options)
            .plan(compiled.initial())
            .unwrap();
        // Four goods are sold without an order, and at least four more have room.
        assert!(plan.mean > 24.0, "{}", plan.mean);
    }
}

#[test]
fn plans_take_actions_that_are_required() {
    let some = "(sum_{?p : product} order(?p)) == 3; forall_{?p : product} [stock(?p) <= 20];";
    let compiled = compiled(&DEPOT.replace("(sum_{?p : product} [stock(?p) + order(?p)]) <= 8;", some));
    let options = PlanOptions {
        candidates: Some(32),
        iterations: Some(2),
        lookahead: Some(5),
        enforced: true,
        ..PlanOptions::default()
    };
    let plan = SamplingPlanner::new(Arc::clone(&compiled), options)
        .plan(compiled.initial())
        .unwrap();
    assert!(plan.mean.is_finite(), "{}", plan.mean);
}

/// Returns the mean return of replanning in every state, and of doing nothing.
fn replanned(name: &str, options: PlanOptions, steps: usize) -> (f64, f64) {
    let suite = RddlSuite::bundled(name).unwrap();
    let compiled = suite.compiled(0).unwrap();
    let mut planner = SamplingPlanner::new(Arc::clone(compiled), options);
    let (mut simulator, mut total) = (
        RddlSimulator::new(Arc::clone(compiled), Preconditions::Reported),
        0.0,
    );
    for word in 0..steps as u64 {
        let joint: Vec<Choice> = planner.act(simulator.values()).unwrap().unwrap();
        let transition = simulator.advance_by(&joint, word).unwrap();
        total += transition.reward;
        if transition.status.terminal {
            break;
        }
    }
    let mut rollouts = Rollouts::new(Arc::clone(compiled));
    let ends = rollouts
        .run(
            compiled.initial(),
            100,
            steps as u32,
            1.0,
            RandomSource::Seed(5),
            |_, _| {},
        )
        .unwrap();
    (
        total,
        ends.iter().map(|end| end.total).sum::<f64>() / ends.len() as f64,
    )
}

#[test]
fn acting_by_plans_pays_more_than_doing_nothing() {
    let options = PlanOptions {
        lookahead: Some(12),
        iterations: Some(4),
        candidates: Some(128),
        ..PlanOptions::default()
    };
    for name in ["rddl/sysadmin-mdp", "rddl/cartpole-continuous"] {
        let (planned, idle) = replanned(name, options, 30);
        assert!(planned > idle, "{name}: {planned}, not more than {idle}");
    }
}

/// A step pays 1 with probability ½. Pressing adds 1 from the next step on. A random walk presses every other time.
const PRESS: &str = "
    domain press {
        pvariables {
            pressed : { state-fluent, bool, default = false };
            luck : { interm-fluent, bool, level = 1 };
            press : { action-fluent, bool, default = false };
        };
        cpfs { pressed' = press; luck = Bernoulli(0.5); };
        reward = pressed + luck;
    }
    instance i { domain = press; max-nondef-actions = 1; horizon = 10; discount = 1.0; }";

#[test]
fn plans_are_compared_on_the_same_draws() {
    let compiled = compiled(PRESS);
    let press = vec![Choice {
        field: 0,
        value: FieldValue::Discrete(1),
    }];
    let plan = vec![press; 10];
    let options = EvaluateOptions {
        steps: 10,
        episodes: 200,
        seed: 3,
    };
    let mut simulator = RddlSimulator::new(compiled, Preconditions::Reported);
    let mut agent = FollowPlan::new(plan.clone());
    let paid = compare(&mut simulator, &mut agent, &options).unwrap();
    assert_eq!(paid.agent.first, plan);
    assert!(
        paid.nothing.first.iter().all(Vec::is_empty),
        "{:?}",
        paid.nothing.first
    );
    // Luck is the same in each episode, so the difference has no error: nine steps pay for the press before them.
    assert_eq!(paid.agent.difference(&paid.nothing), (9.0, 0.0));
    let (mean, error) = paid.agent.mean_and_error();
    assert!(
        (mean - 14.0).abs() < 0.5 && (0.08..0.15).contains(&error),
        "{mean} {error}"
    );
    let (gain, error) = paid.agent.difference(&paid.random);
    assert!((4.0..5.0).contains(&gain) && error > 0.0, "{gain} {error}");
    // Random episodes differ but are determined by the seed.
    let presses = paid.random.first.iter().filter(|joint| !joint.is_empty()).count();
    assert!((1..10).contains(&presses), "{presses}");
    assert_eq!(compare(&mut simulator, &mut agent, &options).unwrap(), paid);
    // After the end of a plan, nothing is done.
    let mut short = FollowPlan::new(plan[..4].to_vec());
    let paid = compare(&mut simulator, &mut short, &options).unwrap();
    assert_eq!(paid.agent.difference(&paid.nothing), (4.0, 0.0));
}

#[test]
fn an_evaluation_tells_where_returns_stop_being_finite() {
    let compiled = compiled(
        "domain root {
            pvariables {
                s : { state-fluent, real, default = 1.0 };
                k : { state-fluent, int, default = 0 };
                go : { action-fluent, bool, default = false };
            };
            cpfs { s' = if (go ^ k == 2) then sqrt[-1.0] else s; k' = k + 1; };
            reward = s;
        }
        instance i { domain = root; horizon = 6; discount = 1.0; }",
    );
    let go = vec![Choice {
        field: 0,
        value: FieldValue::Discrete(1),
    }];
    let mut simulator = RddlSimulator::new(compiled, Preconditions::Reported);
    let mut agent = FollowPlan::new(vec![go; 6]);
    let options = EvaluateOptions {
        steps: 6,
        episodes: 4,
        seed: 0,
    };
    let paid = compare(&mut simulator, &mut agent, &options).unwrap();
    assert!(paid.agent.mean_and_error().0.is_nan());
    let non_finite = paid.agent.non_finite.unwrap();
    assert_eq!(non_finite.episodes, 4);
    assert_eq!((non_finite.first.step, non_finite.first.name.as_str()), (3, "s"));
    assert_eq!(paid.nothing.non_finite, None);
    assert_eq!(paid.nothing.mean_and_error(), (6.0, 0.0));
}

/// An agent that repeats one joint action.
struct Stubborn(Vec<Choice>);

impl Agent<RddlSimulator> for Stubborn {
    fn act(&mut self, _: &Values) -> Result<Option<Vec<Choice>>, StepError> {
        Ok(Some(self.0.clone()))
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// A shield changes only joint actions that are not valid, and makes them valid if a valid one can be sampled.
    #[test]
    fn a_shield_corrects_what_is_not_valid(instance in instances(&Shape::default()), seed in any::<u64>()) {
        let compiled = Arc::new(compile(&Arc::new(instance)).unwrap());
        let refusing = RddlSimulator::new(Arc::clone(&compiled), Preconditions::Refused);
        let anything = RddlSimulator::new(Arc::clone(&compiled), Preconditions::Ignored);
        let mut random = Random::new(seed);
        let (mut joint, mut valid) = (Vec::new(), Vec::new());
        for _ in 0..4 {
            prop_assume!(anything.sample(&mut random, &mut joint));
            let mut shield = Shield::new(Stubborn(joint.clone()), Arc::clone(&compiled), seed);
            shield.begin();
            let corrected = shield.act(compiled.initial()).unwrap().unwrap();
            if refusing.is_valid(&joint) {
                prop_assert_eq!(&corrected, &joint);
            }
            let can_sample = refusing.samples_exactly() && refusing.sample(&mut random, &mut valid);
            if refusing.is_valid(&[]) || can_sample {
                prop_assert!(refusing.is_valid(&corrected), "{:?} became {:?}", joint, corrected);
            }
        }
    }
}

/// Every step costs something, so the cheapest plan breaks the invariant as soon as possible.
#[test]
fn plans_do_not_break_invariants_to_end_early() {
    let text = "
        domain lever {
            pvariables {
                up : { state-fluent, int, default = 0 };
                push : { action-fluent, bool, default = false };
            };
            cpfs { up' = if (push) then up + 1 else 0; };
            reward = -1.0;
            state-invariants { up <= 1; };
        }
        instance long { domain = lever; horizon = 8; discount = 1.0; }";
    let compiled = compiled(text);
    for (elite, enforced) in [(Some(0.1), false), (Some(0.1), true), (None, false)] {
        let options = PlanOptions {
            elite,
            enforced,
            ..PlanOptions::default()
        };
        let plan = SamplingPlanner::new(Arc::clone(&compiled), options)
            .plan(compiled.initial())
            .unwrap();
        assert_eq!(plan.mean, -8.0, "{elite:?}");
    }
}
