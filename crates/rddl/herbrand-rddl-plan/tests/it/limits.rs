//! Numbers in a text or in options that ask for more memory than the limit: the error, before the memory is taken.

use std::sync::Arc;

use allocation_counter::measure;
use herbrand_limits::{Budget, BudgetExhausted, Limits};
use herbrand_rddl::Source;
use herbrand_rddl_plan::exact::ExactPolicy;
use herbrand_rddl_plan::gradient::{GradientPlanner, ReactivePolicy, Relaxed};
use herbrand_rddl_plan::interval::{DrawCoverage, HorizonBounds};
use herbrand_rddl_plan::network::Network;
use herbrand_rddl_plan::plan::{Agent as _, PlanOptions, SamplingPlanner, StraightPlan, UctPlanner};
use herbrand_rddl_plan::portfolio::Portfolio;
use herbrand_rddl_plan::xadd::{Output, Xadd, XaddError};
use herbrand_rddl_sim::ground::StepGraph;
use herbrand_rddl_sim::simulate::{CompiledInstance, StepError};
use herbrand_rddl_sim::suite::RddlSuite;

const BYTES: u64 = 4 << 20;
const BILLION: u32 = 1_000_000_000;

/// Returns a problem in which each `x` reads all of them.
fn compiled(horizon: u32, objects: usize, reward: &str) -> Arc<CompiledInstance> {
    compiled_with("(sum_{?p : t} x(?p)) * x(?o) / 2", horizon, objects, reward)
}

fn compiled_with(next: &str, horizon: u32, objects: usize, reward: &str) -> Arc<CompiledInstance> {
    let names: Vec<String> = (0..objects).map(|number| format!("o{number}")).collect();
    let text = format!(
        "domain d {{
            types {{ t : object; }};
            pvariables {{
                x(t) : {{ state-fluent, real, default = 1.0 }};
                n : {{ state-fluent, int, default = 1 }};
                act : {{ action-fluent, bool, default = false }};
            }};
            cpfs {{ x'(?o) = {next}; n' = n + act; }};
            reward = {reward};
        }}
        instance i {{
            domain = d; objects {{ t : {{ {} }}; }}; max-nondef-actions = 1; horizon = {horizon}; discount = 1.0;
        }}",
        names.join(", ")
    );
    let suite = RddlSuite::from_sources(&[Source::new("text", text.as_str())]).unwrap();
    Arc::clone(suite.compiled(0).unwrap())
}

/// Checks that `work` fails at the limit of memory, and holds at most one and a half times the limit.
#[track_caller]
fn fails_within<T>(name: &str, work: impl FnOnce() -> Result<T, StepError>) {
    let mut result = None;
    let held = measure(|| result = Some(work())).bytes_max;
    let error = result.unwrap().err();
    assert!(
        matches!(
            error,
            Some(StepError::BudgetExhausted(BudgetExhausted::Memory { .. }))
        ),
        "{name}: {error:?}"
    );
    assert!(held <= BYTES + BYTES / 2, "{name}: {held} bytes");
}

fn sampled(compiled: &Arc<CompiledInstance>, options: PlanOptions) -> Result<StraightPlan, StepError> {
    let options = PlanOptions {
        bytes: BYTES,
        ..options
    };
    SamplingPlanner::new(Arc::clone(compiled), options).plan(compiled.initial())
}

fn climbed(relaxed: &Arc<Relaxed>, options: PlanOptions) -> Result<StraightPlan, StepError> {
    let options = PlanOptions {
        bytes: BYTES,
        ..options
    };
    GradientPlanner::new(Arc::clone(relaxed), options).plan(relaxed.compiled().initial())
}

fn trained(
    relaxed: &Arc<Relaxed>,
    hidden: &[usize],
    options: PlanOptions,
) -> Result<ReactivePolicy, StepError> {
    ReactivePolicy::train(
        relaxed,
        hidden,
        &PlanOptions {
            bytes: BYTES,
            ..options
        },
    )
}

#[test]
fn a_billion_steps_or_plans_are_beyond_the_limit() {
    let long = compiled(BILLION, 1, "n");
    let short = compiled(5, 1, "n");
    let relaxed = |compiled: &Arc<CompiledInstance>| {
        Arc::new(Relaxed::new(&compiled.instance, &Budget::unlimited()).unwrap())
    };
    let (relaxed_long, relaxed_short) = (relaxed(&long), relaxed(&short));
    fails_within("cross-entropy", || sampled(&long, PlanOptions::default()));
    fails_within("each state anew", || {
        let options = PlanOptions {
            bytes: BYTES,
            ..PlanOptions::default()
        };
        SamplingPlanner::new(Arc::clone(&long), options).act(long.initial())
    });
    fails_within("gradient", || climbed(&relaxed_long, PlanOptions::default()));
    fails_within("auto", || {
        let options = PlanOptions {
            bytes: BYTES,
            ..PlanOptions::default()
        };
        let mut portfolio = Portfolio::new(&long, options, &Budget::unlimited()).unwrap();
        portfolio.plan(long.initial())
    });
    fails_within("reactive", || {
        trained(&relaxed_long, &[32, 32], PlanOptions::default())
    });
    fails_within("uct", || {
        let options = PlanOptions {
            bytes: BYTES,
            ..PlanOptions::default()
        };
        UctPlanner::new(Arc::clone(&long), options)
            .unwrap()
            .plan(long.initial())
    });
    let many = BILLION as usize;
    fails_within("scenarios", || {
        sampled(
            &short,
            PlanOptions {
                scenarios: Some(many),
                ..PlanOptions::default()
            },
        )
    });
    fails_within("plans by gradients", || {
        climbed(
            &relaxed_short,
            PlanOptions {
                candidates: Some(many),
                ..PlanOptions::default()
            },
        )
    });
    fails_within("scenarios of gradients", || {
        climbed(
            &relaxed_short,
            PlanOptions {
                scenarios: Some(many),
                ..PlanOptions::default()
            },
        )
    });
    fails_within("a batch of roll-outs", || {
        trained(
            &relaxed_short,
            &[32, 32],
            PlanOptions {
                scenarios: Some(many),
                ..PlanOptions::default()
            },
        )
    });
    fails_within("units", || {
        trained(&relaxed_short, &[many, many], PlanOptions::default())
    });
    // The usual sizes are within it.
    assert!(
        sampled(
            &short,
            PlanOptions {
                iterations: Some(1),
                ..PlanOptions::default()
            }
        )
        .is_ok()
    );
    assert!(
        climbed(
            &relaxed_short,
            PlanOptions {
                iterations: Some(1),
                ..PlanOptions::default()
            }
        )
        .is_ok()
    );
    assert!(
        trained(
            &relaxed_short,
            &[32, 32],
            PlanOptions {
                iterations: Some(1),
                ..PlanOptions::default()
            }
        )
        .is_ok()
    );
}

#[test]
fn analyses_stay_within_their_budget() {
    let budget = || {
        Budget::new(Limits {
            bytes: Some(BYTES),
            time: None,
        })
    };
    let long = compiled(BILLION, 1, "n");
    let held = measure(|| {
        assert!(HorizonBounds::new(&long.instance, BILLION, DrawCoverage::default(), &budget()).is_err());
    });
    assert!(held.bytes_max < 2 * BYTES, "{held:?}");
    let held = measure(|| assert!(ExactPolicy::solve(&long.instance, None, &budget()).is_err()));
    assert!(held.bytes_max < 2 * BYTES, "{held:?}");
    // Each of a thousand fluents reads all of them.
    let wide = compiled(5, 1_000, "n");
    let step = StepGraph::new(&wide.instance, &Budget::unlimited()).unwrap();
    let held = measure(|| assert!(Network::ground(&step, &budget()).is_err()));
    assert!(held.bytes_max < 2 * BYTES, "{held:?}");
}

#[test]
fn polynomials_count_by_their_terms() {
    let sum = "(sum_{?o : t} x(?o))";
    let wide = compiled(5, 100, &format!("{sum} * {sum} * {sum} * {sum}"));
    let step = StepGraph::new(&wide.instance, &Budget::unlimited()).unwrap();
    let mut found = None;
    let held = measure(|| found = Some(Xadd::new(&step, Output::Reward, 2_000)));
    assert_eq!(found.unwrap().err(), Some(XaddError::TooLarge(2_000)));
    assert!(held.bytes_max < 2 * BYTES, "{held:?}");
}

/// A diagram has as many levels as tests.
#[test]
fn a_diagram_of_many_tests_needs_no_large_stack() {
    for (count, is_built) in [(300, true), (600, true), (5_000, false)] {
        let wide = compiled_with("x(?o)", 5, count, "exists_{?o : t} x(?o) > 3");
        let step = StepGraph::new(&wide.instance, &Budget::unlimited()).unwrap();
        let thread = std::thread::Builder::new().stack_size(256 << 10);
        let built =
            thread.spawn(move || Xadd::new(&step, Output::Reward, 2_000_000).map(|diagram| diagram.len()));
        let built = built.unwrap().join().unwrap();
        assert_eq!(built.is_ok(), is_built, "{count}: {built:?}");
    }
}
