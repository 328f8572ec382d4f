//! Optimal policies, compared with a search through all outcomes of all joint actions.

use std::sync::Arc;

use herbrand_core::{JointTable, SpaceLimit, System as _};
use herbrand_limits::{Budget, Limits};
use herbrand_rddl::strategies::{Drawing, Shape, instances};
use herbrand_rddl::{Instance, Source};
use herbrand_rddl_plan::exact::ExactPolicy;
use herbrand_rddl_plan::plan::{EvaluateOptions, evaluate};
use herbrand_rddl_plan::space::{RddlSpaceOptions, RddlStateSpace};
use herbrand_rddl_plan::table::TablePolicy;
use herbrand_rddl_sim::ground::ExactStep;
use herbrand_rddl_sim::simulate::{Preconditions, RddlSimulator, Values};
use herbrand_rddl_sim::suite::RddlSuite;
use proptest::prelude::*;

/// The smallest probability of a broken invariant in the next steps, and the greatest return with it.
fn naive(
    step: &ExactStep,
    joints: &JointTable,
    simulator: &mut RddlSimulator,
    state: &Values,
    steps: u32,
) -> (f64, f64) {
    simulator.go_to(state).unwrap();
    let status = simulator.status();
    if status.terminal || status.broken || steps == 0 {
        return (f64::from(u8::from(status.broken)), 0.0);
    }
    let discount = step.compiled().instance.discount;
    let valid: Vec<_> = (0..joints.len())
        .map(|number| joints.joint(number))
        .filter(|joint| simulator.is_valid(joint))
        .collect();
    let mut best: Option<(f64, f64)> = None;
    for joint in valid {
        let (mut broken, mut value) = (0.0, 0.0);
        for outcome in step.outcomes(state, joint, 5000).unwrap() {
            let after = naive(step, joints, simulator, &outcome.state, steps - 1);
            broken += outcome.probability * after.0;
            value += outcome.probability * (outcome.reward + discount * after.1);
        }
        if best
            .is_none_or(|(less, more)| broken < less - 1e-9 || ((broken - less).abs() < 1e-9 && value > more))
        {
            best = Some((broken, value));
        }
    }
    best.unwrap_or((0.0, 0.0))
}

/// Compares the policy with the search. Returns whether the problem has a policy.
fn agrees(instance: &Arc<Instance>, steps: u32) -> Result<bool, TestCaseError> {
    let Ok(policy) = ExactPolicy::solve(instance, Some(steps), &Budget::unlimited()) else {
        return Ok(false);
    };
    let step = ExactStep::new(instance).unwrap();
    let joints = JointTable::of(step.compiled().actions(), 1 << 16).unwrap();
    let mut simulator = RddlSimulator::new(Arc::clone(step.compiled()), Preconditions::Refused);
    let (broken, value) = naive(&step, &joints, &mut simulator, step.compiled().initial(), steps);
    let close = |one: f64, other: f64| one == other || (one - other).abs() <= 1e-6 * one.abs().max(1.0);
    prop_assert!(close(policy.broken(), broken), "{} {broken}", policy.broken());
    prop_assert!(
        close(policy.value(), value) || !value.is_finite(),
        "{} {value}",
        policy.value()
    );
    // The policy as data does the same.
    let table = TablePolicy::new(policy.compiled(), &policy.table()).unwrap();
    let options = RddlSpaceOptions {
        steps: Some(steps),
        ..RddlSpaceOptions::default()
    };
    let space = RddlStateSpace::explore(instance, &options, &Budget::unlimited()).unwrap();
    for state in (0..space.len()).filter_map(|number| space.state(number)) {
        for step in 0..=steps {
            prop_assert_eq!(
                table.joint(step, &state),
                policy.joint(step, &state),
                "{} {:?}",
                step,
                state
            );
        }
    }
    Ok(true)
}

#[test]
fn policies_of_bundled_problems_are_optimal() {
    for (name, steps) in [
        ("rddl/sysadmin-mdp", 2),
        ("rddl/navigation-mdp", 3),
        ("rddl/triangle-tireworld-mdp", 3),
        ("rddl/game-of-life-mdp", 1),
        ("rddl/academic-advising-mdp", 2),
    ] {
        let suite = RddlSuite::bundled(name).unwrap();
        let solved = agrees(&suite.compiled(0).unwrap().instance, steps);
        assert!(solved.unwrap(), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn policies_of_random_problems_are_optimal(
        instance in instances(&Shape { draws: Drawing::Discrete, objects: 2, ..Shape::default() }),
    ) {
        let instance = Arc::new(instance);
        let options = RddlSpaceOptions {
            steps: Some(2),
            states: 200,
            joint_actions: 12,
            outcomes: 16,
            ..RddlSpaceOptions::default()
        };
        let space = RddlStateSpace::explore(&instance, &options, &Budget::unlimited());
        if space.is_ok_and(|space| matches!(space.graph.limit, None | Some(SpaceLimit::Steps(_)))) {
            agrees(&instance, 2)?;
        }
    }
}

/// A counter has infinitely many states, but few within the horizon.
const COUNTER: &str = "
    domain counter {
        pvariables {
            n : { state-fluent, int, default = 0 };
            add : { action-fluent, bool, default = false };
        };
        cpfs { n' = if (add) then n + (if (Bernoulli(0.5)) then 1 else 2) else n; };
        reward = if (n == 3) then 10.0 else -1.0;
        state-invariants { n <= 4; };
    }
    instance i { domain = counter; horizon = 6; discount = 1.0; }";

fn counter(text: &str) -> Arc<Instance> {
    Arc::new(Instance::load(&[Source::new("counter", text)]).unwrap())
}

#[test]
fn only_the_states_within_the_horizon_are_enumerated() {
    let text = COUNTER.replace("n <= 4", "n <= 100");
    let instance = counter(&text);
    for (steps, states) in [(1, 3), (2, 5), (6, 13)] {
        let options = RddlSpaceOptions {
            steps: Some(steps),
            ..RddlSpaceOptions::default()
        };
        let space = RddlStateSpace::explore(&instance, &options, &Budget::unlimited()).unwrap();
        assert_eq!(
            (space.len(), space.graph.limit),
            (states, Some(SpaceLimit::Steps(steps)))
        );
    }
    let limits = Limits {
        bytes: Some(10),
        time: None,
    };
    let error = ExactPolicy::solve(&instance, None, &Budget::new(limits)).unwrap_err();
    assert!(error.to_string().contains("memory limit of 10 bytes"), "{error}");
}

#[test]
fn a_policy_acts_by_step_and_state_and_breaks_no_invariant() {
    let instance = counter(COUNTER);
    let mut policy = ExactPolicy::solve(&instance, None, &Budget::unlimited()).unwrap();
    assert_eq!((policy.steps(), policy.broken()), (6, 0.0));
    assert!(agrees(&instance, 6).unwrap());
    let mut simulator = RddlSimulator::new(Arc::clone(policy.compiled()), Preconditions::Refused);
    let options = EvaluateOptions {
        steps: 6,
        episodes: 20_000,
        seed: 1,
    };
    let evaluation = evaluate(&mut simulator, &mut policy, &options).unwrap();
    assert!(evaluation.broken.is_none());
    let (mean, error) = evaluation.mean_and_error();
    assert!(
        (mean - policy.value()).abs() < 5.0 * error,
        "{mean} {}",
        policy.value()
    );
}
