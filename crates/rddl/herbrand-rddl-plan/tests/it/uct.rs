//! UCT compared with exact values, and the returns of agents.

use std::sync::Arc;
use std::time::Duration;

use herbrand_core::{Choice, EpisodeEnd, FieldValue, JointTable, System, TableError};
use herbrand_limits::Budget;
use herbrand_rddl::strategies::{Drawing, Shape, instances};
use herbrand_rddl::{Instance, Source};
use herbrand_rddl_plan::gradient::{GradientPlanner, Relaxed};
use herbrand_rddl_plan::plan::{
    Agent, EvaluateOptions, Leaf, PlanOptions, SamplingPlanner, UctPlanner, evaluate,
};
use herbrand_rddl_plan::portfolio::Portfolio;
use herbrand_rddl_sim::ground::ExactStep;
use herbrand_rddl_sim::simulate::{CompiledInstance, Preconditions, RddlSimulator, StepError, Values};
use herbrand_rddl_sim::suite::RddlSuite;
use proptest::prelude::*;

fn compiled(text: &str) -> Arc<CompiledInstance> {
    let suite =
        RddlSuite::from_sources(&[Source::new("text", text)]).unwrap_or_else(|error| panic!("{error}"));
    Arc::clone(suite.compiled(0).unwrap())
}

/// Exhaustive search over all joint actions and outcomes.
struct Exhaustive {
    exact: ExactStep,
    simulator: RddlSimulator,
    table: JointTable,
    /// The smallest and the largest return found.
    low: f64,
    high: f64,
    /// The remaining number of steps that may be tried.
    left: usize,
}

impl Exhaustive {
    fn of(instance: &Arc<Instance>, preconditions: Preconditions) -> Option<Self> {
        let exact = ExactStep::new(instance).ok()?;
        let table = JointTable::of(exact.compiled().actions(), 8).ok()?;
        Some(Self {
            simulator: RddlSimulator::new(Arc::clone(exact.compiled()), preconditions),
            exact,
            table,
            low: 0.0,
            high: 0.0,
            left: 4000,
        })
    }

    /// Returns the value of a state with `steps` steps left; `None` if the search is too large, or a step fails.
    fn of_state(&mut self, state: &Values, steps: u32, paid: f64) -> Option<f64> {
        let (low, high) = (self.low.min(paid), self.high.max(paid));
        (self.low, self.high) = (low, high);
        let worth = self.of_actions(state, steps, paid)?;
        let best = worth.into_iter().map(|(_, worth)| worth).reduce(f64::max);
        Some(best.unwrap_or(0.0))
    }

    /// Returns the values of the valid joint actions of a state.
    fn of_actions(&mut self, state: &Values, steps: u32, paid: f64) -> Option<Vec<(Vec<Choice>, f64)>> {
        self.simulator.go_to(state).unwrap();
        let discount = self.exact.compiled().instance.discount;
        let status = self.simulator.current_status();
        if steps == 0 || status.terminal || status.broken {
            return Some(Vec::new());
        }
        let joints = (0..self.table.len()).map(|number| self.table.joint(number).to_vec());
        let joints: Vec<_> = joints.filter(|joint| self.simulator.is_valid(joint)).collect();
        joints
            .into_iter()
            .map(|joint| {
                self.left = self.left.checked_sub(1)?;
                let outcomes = self.exact.outcomes(state, &joint, 60).ok()?;
                let mut worth = 0.0;
                for outcome in outcomes {
                    if outcome.reward.is_nan() || outcome.reward.abs() >= 1e6 {
                        return None;
                    }
                    let then = self.of_state(&outcome.state, steps - 1, paid + outcome.reward)?;
                    worth += outcome.probability * (outcome.reward + discount * then);
                }
                Some((joint, worth))
            })
            .collect()
    }
}

/// Compares UCT with exact values over two steps. Returns whether they could be compared.
fn agree(instance: &Arc<Instance>, enforced: bool, seed: u64) -> Result<bool, TestCaseError> {
    const STEPS: u32 = 2;
    let preconditions = if enforced {
        Preconditions::Refused
    } else {
        Preconditions::Reported
    };
    let Some(mut exhaustive) = Exhaustive::of(instance, preconditions) else {
        return Ok(false);
    };
    let compiled = Arc::clone(exhaustive.exact.compiled());
    let start = compiled.initial().clone();
    let Some(worth) = exhaustive.of_actions(&start, STEPS, 0.0) else {
        return Ok(false);
    };
    let options = PlanOptions {
        lookahead: Some(STEPS),
        iterations: Some(10_000),
        enforced,
        seed,
        ..PlanOptions::default()
    };
    let decision = UctPlanner::new(compiled, options)
        .unwrap()
        .decide(&start, STEPS)
        .unwrap();
    prop_assert_eq!(decision.tried.len(), worth.len());
    let Some(best) = worth.iter().map(|one| one.1).reduce(f64::max) else {
        prop_assert!(decision.joint.is_empty());
        return Ok(false);
    };
    let tolerance = 0.05 * (exhaustive.high - exhaustive.low) + 1e-9;
    let of = |joint: &[Choice]| worth.iter().find(|one| one.0 == joint).unwrap().1;
    let chosen = of(&decision.joint);
    prop_assert!(best - chosen <= tolerance, "{} chosen, {} possible", chosen, best);
    let mean = decision
        .tried
        .iter()
        .find(|one| one.0 == decision.joint)
        .unwrap()
        .2;
    prop_assert!((mean - best).abs() <= tolerance, "{} for {}", mean, best);
    Ok(worth.iter().any(|one| one.1 < best))
}

#[test]
fn many_walks_come_near_to_exact_values() {
    let shape = Shape {
        draws: Drawing::Discrete,
        objects: 2,
        pvariables: 2,
        ..Shape::default()
    };
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 400,
        source_file: Some(file!()),
        ..ProptestConfig::default()
    });
    let compared = std::cell::Cell::new(0);
    let all = (instances(&shape), any::<bool>(), any::<u64>());
    let outcome = runner.run(&all, |(instance, enforced, seed)| {
        let told = agree(&Arc::new(instance), enforced, seed)?;
        compared.set(compared.get() + u32::from(told));
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
    assert!(compared.get() >= 3, "only {} models had a choice", compared.get());
}

const DOOR: &str = include_str!("../models/door.rddl");

#[test]
fn what_was_seen_decides() {
    let compiled = compiled(DOOR);
    let options = PlanOptions {
        iterations: Some(4000),
        ..PlanOptions::default()
    };
    let mut planner = UctPlanner::new(Arc::clone(&compiled), options).unwrap();
    let search = vec![Choice {
        field: 0,
        value: herbrand_core::FieldValue::Discrete(1),
    }];
    let leave = vec![Choice {
        field: 1,
        value: herbrand_core::FieldValue::Discrete(1),
    }];
    let mut simulator = RddlSimulator::new(Arc::clone(&compiled), Preconditions::Reported);
    assert_eq!(planner.act(simulator.values()).unwrap().as_ref(), Some(&search));
    // With one step left, searching no longer pays.
    assert_eq!(
        planner.decide(simulator.values(), 1).unwrap().joint,
        Vec::<Choice>::new()
    );
    for word in 0.. {
        simulator.advance_by(&search, word).unwrap();
        if simulator.fluent(0).number() == 1.0 {
            break;
        }
    }
    assert_eq!(planner.act(simulator.values()).unwrap().as_ref(), Some(&leave));
    simulator.advance_by(&leave, 0).unwrap();
    let over = planner.decide(simulator.values(), 5).unwrap();
    assert!(over.joint.is_empty() && over.tried.is_empty(), "{over:?}");
    // An agent that looks ahead eight steps searches in the last step too.
    let options = EvaluateOptions {
        steps: 8,
        episodes: 200,
        seed: 3,
    };
    let paid = evaluate(&mut simulator, &mut planner, &options).unwrap();
    let (mean, error) = paid.mean_and_error();
    assert!((mean - 2.40).abs() < 4.0 * error, "{mean} +- {error}");
    assert_eq!(paid.returns.len(), 200);
    let is_out = |end: &&Option<EpisodeEnd>| **end == Some(EpisodeEnd::Terminal);
    // Seven searches find the key in 87 of 100 episodes.
    assert!(paid.ends.iter().filter(is_out).count() > 150);
    assert_eq!(paid.first.last() == Some(&leave), is_out(&&paid.ends[0]));
}

#[test]
fn decisions_are_the_same_each_time() {
    let compiled = compiled(DOOR);
    let decide = |seed| {
        let options = PlanOptions {
            iterations: Some(60),
            seed,
            ..PlanOptions::default()
        };
        let mut planner = UctPlanner::new(Arc::clone(&compiled), options).unwrap();
        let first = planner.decide(compiled.initial(), 8).unwrap();
        assert_eq!(first, planner.decide(compiled.initial(), 8).unwrap());
        let plan = planner.plan(compiled.initial()).unwrap();
        assert_eq!(plan, planner.plan(compiled.initial()).unwrap());
        assert!(
            plan.steps.len() == 8 && plan.simulated > 60 && plan.error >= 0.0,
            "{plan:?}"
        );
        first
    };
    assert_eq!(decide(1), decide(1));
    assert_ne!(decide(1), decide(2));
}

#[test]
fn limits_end_looking_ahead() {
    let compiled = compiled(DOOR);
    for (time, bytes) in [(Some(Duration::ZERO), 1 << 30), (None, 0)] {
        let options = PlanOptions {
            iterations: Some(u32::MAX),
            time,
            bytes,
            ..PlanOptions::default()
        };
        let mut planner = UctPlanner::new(Arc::clone(&compiled), options).unwrap();
        let tried = planner.decide(compiled.initial(), 8).unwrap().tried;
        assert_eq!(tried.iter().map(|one| one.1).sum::<u32>(), 1);
        assert_eq!(planner.plan(compiled.initial()).unwrap().steps.len(), 8);
    }
}

#[test]
fn ints_between_bounds_are_numbered() {
    let text = "
        domain shop {
            pvariables {
                stock : { state-fluent, int, default = 0 };
                order : { action-fluent, int, default = 0 };
            };
            cpfs { stock' = stock + order; };
            reward = -pow[stock + order - 3, 2];
            action-preconditions { order >= -2; order <= 4; };
        }
        instance i { domain = shop; max-nondef-actions = 1; horizon = 2; discount = 1.0; }";
    let compiled = compiled(text);
    let options = PlanOptions {
        enforced: true,
        ..PlanOptions::default()
    };
    let mut planner = UctPlanner::new(Arc::clone(&compiled), options).unwrap();
    let decision = planner.decide(compiled.initial(), 2).unwrap();
    assert_eq!(decision.tried.len(), 7);
    let order = Choice {
        field: 0,
        value: FieldValue::Int(3),
    };
    assert_eq!(decision.joint, [order]);
}

/// Orders of two items, limited only by the sum with the stock.
const STORE: &str = "
    domain store {
        types { item : object; };
        pvariables {
            stock(item) : { state-fluent, int, default = 1 };
            order(item) : { action-fluent, int, default = 0 };
        };
        cpfs { stock'(?i) = stock(?i) + order(?i); };
        reward = -sum_{?i : item} [ pow[stock(?i) + order(?i) - 3, 2] ];
        action-preconditions {
            forall_{?i : item} [ order(?i) >= 0 ];
            (sum_{?i : item} [ stock(?i) + order(?i) ]) <= 5;
        };
    }
    non-fluents nf { domain = store; objects { item : { tea, rice }; }; }
    instance i { domain = store; non-fluents = nf; max-nondef-actions = 2; horizon = 2; discount = 1.0; }";

#[test]
fn valid_joint_actions_are_listed_in_each_state_where_not_all_can_be() {
    let tried = |compiled: &Arc<CompiledInstance>, most_actions: usize| {
        let options = PlanOptions {
            most_actions,
            enforced: true,
            ..PlanOptions::default()
        };
        let mut planner = UctPlanner::new(Arc::clone(compiled), options)?;
        let tried = planner.decide(compiled.initial(), 2).unwrap().tried;
        let mut joints: Vec<_> = tried.iter().map(|one| format!("{:?}", one.0)).collect();
        joints.sort();
        Ok(joints)
    };
    let bounded = compiled(&STORE.replace("order(?i) >= 0 ]", "order(?i) >= 0 ^ order(?i) <= 9 ]"));
    let all = tried(&bounded, 10_000).unwrap();
    // The pairs of numbers from 0 with a sum of at most 3.
    assert_eq!(all.len(), 10);
    assert_eq!(tried(&bounded, 10), Ok(all.clone()));
    assert_eq!(tried(&bounded, 9), Err(TableError::TooMany { limit: 9 }));

    // Without bounds, they are drawn.
    let endless = compiled(STORE);
    let drawn = tried(&endless, 10_000).unwrap();
    assert!(
        drawn.len() >= 5 && drawn.iter().all(|joint| all.contains(joint)),
        "{drawn:?}"
    );
    let mut planner = UctPlanner::new(Arc::clone(&endless), PlanOptions::default()).unwrap();
    let plan = planner.plan(endless.initial()).unwrap();
    // The best step gives one item 3 pieces and the other 2. Doing nothing gives -16.
    assert!(plan.mean >= -6.0, "{plan:?}");
}

#[test]
fn what_cannot_be_numbered_is_refused() {
    let suite = RddlSuite::bundled("rddl/cartpole-continuous").unwrap();
    let refused = UctPlanner::new(Arc::clone(suite.compiled(0).unwrap()), PlanOptions::default());
    assert!(matches!(refused.unwrap_err(), TableError::Number { .. }));
    let compiled = compiled(DOOR);
    let options = PlanOptions {
        most_actions: 2,
        ..PlanOptions::default()
    };
    let refused = UctPlanner::new(Arc::clone(&compiled), options);
    assert_eq!(refused.unwrap_err(), TableError::TooMany { limit: 2 });
    let mut planner = UctPlanner::new(compiled, PlanOptions::default()).unwrap();
    let foreign = suite.compiled(0).unwrap().initial();
    assert_eq!(planner.act(foreign).unwrap_err(), StepError::ForeignState);
    assert_eq!(planner.plan(foreign).unwrap_err(), StepError::ForeignState);
}

#[test]
fn preconditions_are_kept_where_they_are_enforced() {
    let text = DOOR.replace("leave => ~out;", "~search; leave => key;").replace(
        "key : { state-fluent, bool, default = false",
        "key : { state-fluent, bool, default = true",
    );
    let compiled = compiled(&text);
    let options = PlanOptions {
        enforced: true,
        iterations: Some(200),
        ..PlanOptions::default()
    };
    let mut planner = UctPlanner::new(Arc::clone(&compiled), options).unwrap();
    let decision = planner.decide(compiled.initial(), 3).unwrap();
    assert_eq!(decision.tried.len(), 2, "{decision:?}");
    let plan = planner.plan(compiled.initial()).unwrap();
    assert!((plan.mean - 10.0).abs() < 1e-12, "{plan:?}");
}

/// Returns the mean return of an agent in a bundled problem.
fn paid(compiled: &Arc<CompiledInstance>, agent: &mut dyn Agent<RddlSimulator>) -> f64 {
    let options = EvaluateOptions {
        steps: 20,
        episodes: 6,
        seed: 1,
    };
    let mut simulator = RddlSimulator::new(Arc::clone(compiled), Preconditions::Reported);
    evaluate(&mut simulator, agent, &options)
        .unwrap()
        .mean_and_error()
        .0
}

#[test]
fn acting_by_walks_pays_more_than_doing_nothing() {
    for (name, leaf) in [
        ("rddl/sysadmin-mdp", Leaf::Idle),
        ("rddl/cartpole-discrete", Leaf::Random),
    ] {
        let suite = RddlSuite::bundled(name).unwrap();
        let compiled = suite.compiled(0).unwrap();
        let options = PlanOptions {
            lookahead: Some(12),
            iterations: Some(300),
            leaf,
            ..PlanOptions::default()
        };
        let mut planner = UctPlanner::new(Arc::clone(compiled), options).unwrap();
        // A plan without steps does nothing.
        let idle = PlanOptions {
            lookahead: Some(0),
            ..PlanOptions::default()
        };
        let idle = paid(compiled, &mut SamplingPlanner::new(Arc::clone(compiled), idle));
        let planned = paid(compiled, &mut planner);
        assert!(planned > idle, "{name}: {planned}, not more than {idle}");
    }
}

/// Waiting pays more with each step, up to the horizon: an agent that looks beyond it waits for ever.
#[test]
fn agents_do_not_look_beyond_the_horizon() {
    let compiled = compiled(
        "domain wait {
            pvariables {
                done : { state-fluent, bool, default = false };
                k : { state-fluent, int, default = 1 };
                pick : { action-fluent, bool, default = false };
            };
            cpfs { done' = done | pick; k' = k + 1; };
            reward = k * (pick ^ ~done);
        }
        instance i { domain = wait; horizon = 6; discount = 1.0; }",
    );
    let options = EvaluateOptions {
        steps: 6,
        episodes: 2,
        ..EvaluateOptions::default()
    };
    let evaluated = |agent: &mut dyn Agent<RddlSimulator>| {
        let mut simulator = RddlSimulator::new(Arc::clone(&compiled), Preconditions::Refused);
        evaluate(&mut simulator, agent, &options).unwrap().returns
    };
    let mut uct = UctPlanner::new(Arc::clone(&compiled), PlanOptions::default()).unwrap();
    assert_eq!(evaluated(&mut uct), [6.0, 6.0]);
    // Behind the horizon another episode begins, also if nobody says so.
    let start = compiled.initial().clone();
    assert_eq!(uct.act(&start).unwrap(), Some(Vec::new()), "it waits");
    for lookahead in [None, Some(3), Some(9)] {
        let options = PlanOptions {
            lookahead,
            ..PlanOptions::default()
        };
        let mut planner = SamplingPlanner::new(Arc::clone(&compiled), options);
        assert_eq!(evaluated(&mut planner), [6.0, 6.0], "{lookahead:?}");
        let options = PlanOptions {
            lookahead,
            ..PlanOptions::default()
        };
        let relaxed = Relaxed::new(&compiled.instance, &Budget::unlimited()).unwrap();
        let mut planner = GradientPlanner::new(Arc::new(relaxed), options);
        assert_eq!(evaluated(&mut planner), [6.0, 6.0], "gradient, {lookahead:?}");
        let options = PlanOptions {
            lookahead,
            ..PlanOptions::default()
        };
        let mut planner = Portfolio::new(&compiled, options, &Budget::unlimited()).unwrap();
        assert_eq!(evaluated(&mut planner), [6.0, 6.0], "portfolio, {lookahead:?}");
    }
}
