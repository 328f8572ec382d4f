//! Plans by cross-entropy and gradient ascent in turns.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use herbrand_limits::{Budget, Limits};
use herbrand_rddl::Source;
use herbrand_rddl_plan::exact::ExactPolicy;
use herbrand_rddl_plan::gradient::{GradientPlanner, ReactivePolicy, Relaxed};
use herbrand_rddl_plan::plan::{EvaluateOptions, PlanOptions, SamplingPlanner, StraightPlan, evaluate};
use herbrand_rddl_plan::planners::RddlPlannerKind;
use herbrand_rddl_plan::portfolio::Portfolio;
use herbrand_rddl_sim::simulate::{CompiledInstance, Preconditions, RddlSimulator};
use herbrand_rddl_sim::suite::RddlSuite;

fn compiled(text: &str) -> Arc<CompiledInstance> {
    let suite =
        RddlSuite::from_sources(&[Source::new("text", text)]).unwrap_or_else(|error| panic!("{error}"));
    Arc::clone(suite.compiled(0).unwrap())
}

fn plan(compiled: &Arc<CompiledInstance>, options: PlanOptions) -> StraightPlan {
    let mut portfolio = Portfolio::new(compiled, options, &Budget::unlimited()).unwrap();
    portfolio.plan(compiled.initial()).unwrap()
}

/// A hill far from where plans begin. Only chance climbs the step before it, because the gradient is 0 there.
const STEP: &str = "
    domain step {
        types { lever : { @l1, @l2, @l3, @l4 }; };
        pvariables {
            x : { state-fluent, real, default = 0.0 };
            noise : { interm-fluent, real };
            pull(lever) : { action-fluent, bool, default = false };
            push : { action-fluent, real, default = 0.0 };
        };
        cpfs {
            noise = Normal(0.0, 0.01);
            x' = push + (if (forall_{?l : lever} [pull(?l)]) then 30 else 0) + noise;
        };
        reward = (if (x' > 20) then 100 - abs[x' - 33.25] * 10 else 0) - (sum_{?l : lever} [pull(?l)]);
        action-preconditions { push >= -8.0; push <= 8.0; };
    }
    instance i { domain = step; max-nondef-actions = 5; horizon = 6; discount = 1.0; }";

#[test]
fn plans_are_as_good_as_those_of_either_search() {
    let compiled = compiled(STEP);
    let found = plan(&compiled, PlanOptions::default());
    // All levers in every step, and pushes of 3.25: about 95 per step, less 10 times the mean absolute value of the noise.
    assert!(found.mean > 6.0 * 94.0, "{}", found.mean);
    let options = PlanOptions::default();
    let drawn = SamplingPlanner::new(Arc::clone(&compiled), options)
        .plan(compiled.initial())
        .unwrap();
    assert!(found.mean > drawn.mean, "{} and {}", found.mean, drawn.mean);
    let relaxed = Arc::new(Relaxed::new(&compiled.instance, &Budget::unlimited()).unwrap());
    let climbed = GradientPlanner::new(relaxed, PlanOptions::default())
        .plan(compiled.initial())
        .unwrap();
    assert!(
        found.mean > climbed.mean - 2.0,
        "{} and {}",
        found.mean,
        climbed.mean
    );
}

#[test]
fn plans_are_the_same_each_time_and_keep_to_what_is_allowed() {
    let compiled = compiled(&STEP.replace("max-nondef-actions = 5", "max-nondef-actions = 2"));
    let options = PlanOptions {
        iterations: Some(3),
        seed: 5,
        enforced: true,
        ..PlanOptions::default()
    };
    let first = plan(&compiled, options);
    assert_eq!(first, plan(&compiled, options));
    assert_eq!(first.steps.len(), 6);
    assert!(first.steps.iter().all(|joint| joint.len() <= 2), "{first:?}");
    assert!(first.mean > -1.0 && first.simulated > 0);
    assert_ne!(
        first.simulated,
        plan(
            &compiled,
            PlanOptions {
                iterations: Some(1),
                ..options
            }
        )
        .simulated
    );
}

#[test]
fn time_ends_the_search() {
    let compiled = compiled(STEP);
    let options = PlanOptions {
        time: Some(Duration::ZERO),
        iterations: Some(u32::MAX),
        ..PlanOptions::default()
    };
    assert!(plan(&compiled, options).mean.is_finite());
}

#[test]
fn problems_without_gradients_are_drawn_for() {
    let text = "
        domain vectors {
            types { thing : { @t1, @t2 }; };
            pvariables {
                x(thing) : { state-fluent, real, default = 0.0 };
                force : { action-fluent, real, default = 0.0 };
                weight(thing) : { interm-fluent, real };
                ALPHA(thing) : { non-fluent, real, default = 2.0 };
            };
            cpfs {
                weight(?t) = Dirichlet[?t](ALPHA(_));
                x'(?t) = weight(?t) * force;
            };
            reward = -abs[(sum_{?t : thing} [x'(?t)]) - 3];
            action-preconditions { force >= -5.0; force <= 5.0; };
        }
        instance i { domain = vectors; horizon = 3; discount = 1.0; }";
    let compiled = compiled(text);
    let none = Relaxed::new(&compiled.instance, &Budget::unlimited());
    let error = none.unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("weight___t1 (text:11): a vector has no gradient"),
        "{error}"
    );
    let found = plan(&compiled, PlanOptions::default());
    assert!(found.mean > -0.1, "{}", found.mean);
}

#[test]
fn it_acts_in_every_state() {
    let compiled = compiled(STEP);
    let options = PlanOptions {
        lookahead: Some(2),
        iterations: Some(2),
        ..PlanOptions::default()
    };
    let mut portfolio = Portfolio::new(&compiled, options, &Budget::unlimited()).unwrap();
    let paid = evaluate(
        &mut RddlSimulator::new(compiled, Preconditions::Reported),
        &mut portfolio,
        &EvaluateOptions {
            steps: 4,
            episodes: 2,
            seed: 1,
        },
    );
    let (mean, _) = paid.unwrap().mean_and_error();
    assert!(mean > 4.0 * 85.0, "{mean}");
}

#[test]
fn a_problem_without_chance_is_tried_on_one_draw() {
    let certain = compiled(&STEP.replace("Normal(0.0, 0.01)", "0.0"));
    let uncertain = compiled(STEP);
    let simulated = |compiled: &Arc<CompiledInstance>| {
        let options = PlanOptions {
            iterations: Some(8),
            ..PlanOptions::default()
        };
        let plan = SamplingPlanner::new(Arc::clone(compiled), options)
            .plan(compiled.initial())
            .unwrap();
        plan.simulated
    };
    let (less, more) = (simulated(&certain), simulated(&uncertain));
    assert!(3 * less < more, "{less} and {more}");
}

thread_local! {
    /// The time of the clock of a test: it advances with each look.
    static LOOKS: Cell<u64> = const { Cell::new(0) };
}

#[test]
fn the_best_plan_so_far_is_returned_wherever_an_enclosing_budget_ends_the_search() {
    let looks = || {
        LOOKS.set(LOOKS.get() + 1);
        Duration::from_millis(LOOKS.get())
    };
    let compiled = compiled(STEP);
    let options = PlanOptions {
        lookahead: Some(2),
        ..PlanOptions::default()
    };
    let mut found = Vec::new();
    for milliseconds in [0, 1, 2, 4, 8, 16, 32, 64, 128, 256] {
        let limits = Limits {
            time: Some(Duration::from_millis(milliseconds)),
            bytes: None,
        };
        let mut portfolio = Portfolio::new(&compiled, options, &Budget::unlimited()).unwrap();
        let plan = Budget::by_clock(limits, "time", looks).enclose(|| portfolio.plan(compiled.initial()));
        found.push(plan.unwrap());
    }
    assert!(found.iter().all(|plan| plan.steps.len() == 2));
    let (none, some) = (&found[0], &found[found.len() - 1]);
    assert!(
        none.mean.is_nan() && none.steps.iter().all(Vec::is_empty),
        "{none:?}"
    );
    assert!(!some.steps.iter().all(Vec::is_empty), "{some:?}");
}

/// Every planner, from a state in which the episode has ended: no step is taken, and the return is 0.
#[test]
fn nothing_is_planned_after_the_end() {
    for end in ["termination { n >= 2; };", "state-invariants { n < 2; };"] {
        let text = format!(
            "domain d {{
                pvariables {{
                    n : {{ state-fluent, int, default = 2 }};
                    x : {{ state-fluent, real, default = 0.0 }};
                    go : {{ action-fluent, bool, default = false }};
                }};
                cpfs {{ n' = n - go; x' = x + 1; }};
                reward = 1 + n + x + 40 * go;
                {end}
            }}
            instance i {{ domain = d; max-nondef-actions = 1; horizon = 5; discount = 1.0; }}"
        );
        let suite = RddlSuite::from_sources(&[Source::new("text", text.as_str())]).unwrap();
        let compiled = Arc::clone(suite.compiled(0).unwrap());
        let initial = compiled.initial();
        let relaxed = Arc::new(Relaxed::new(&compiled.instance, &Budget::unlimited()).unwrap());
        let made = RddlPlannerKind::ALL
            .map(|kind| kind.planner(&compiled, PlanOptions::default(), &Budget::unlimited()));
        let (mut planners, mut others) = (Vec::new(), Vec::new());
        for (kind, planner) in RddlPlannerKind::ALL.into_iter().zip(made) {
            match planner {
                Ok(planner) => planners.push((kind, planner)),
                Err(error) => others.push(error.to_string()),
            }
        }
        let refused = ["reactive", "exact"].map(|name| format!("{name} finds a policy, and no plans"));
        assert_eq!(others, refused);
        let options = EvaluateOptions {
            steps: 5,
            episodes: 3,
            ..EvaluateOptions::default()
        };
        let mut simulator = suite.simulator(0).unwrap();
        for (kind, planner) in &mut planners {
            let plan = planner.plan(initial).unwrap();
            assert_eq!(
                (plan.steps.len(), plan.mean, plan.error),
                (0, 0.0, 0.0),
                "{kind} {end}"
            );
            let acted = evaluate(&mut simulator, planner.as_mut(), &options).unwrap();
            assert_eq!(acted.returns, [0.0; 3], "{kind} {end}");
            assert_eq!(acted.lengths, [0; 3], "{kind} {end}");
        }
        let options_of_training = PlanOptions {
            iterations: Some(2),
            ..PlanOptions::default()
        };
        let policy = ReactivePolicy::train(&relaxed, &[32, 32], &options_of_training).unwrap();
        assert_eq!(policy.evaluate(5, 3, 0).unwrap(), (0.0, 0.0), "{end}");
        let mut exact = ExactPolicy::solve(&compiled.instance, None, &Budget::unlimited()).unwrap();
        assert_eq!(exact.value(), 0.0, "{end}");
        assert_eq!(
            evaluate(&mut simulator, &mut exact, &options).unwrap().returns,
            [0.0; 3],
            "{end}"
        );
    }
}
