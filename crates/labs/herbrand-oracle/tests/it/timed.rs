//! Tests of plans with times against classical plans: if one action happens at a time, the times do not matter.

use herbrand_oracle::time::{TimedAction, TimedFaultKind, TimedStep, decimal, validate_timed};
use herbrand_oracle::{GroundAction, Oracle, OracleState};
use herbrand_pddl::strategies::{Shape, tasks};
use herbrand_pddl::{
    ActionSchema, Comparison, Domain, DurationBound, DurativeAction, Effect, Expression, Formula, Number,
    Problem,
};
use num_rational::BigRational;
use proptest::prelude::*;

/// Returns an action that starts as `schema` happens, and ends without an effect.
fn durative(schema: &ActionSchema) -> DurativeAction {
    DurativeAction {
        name: schema.name.clone(),
        arity: schema.arity,
        variables: schema.variables.clone(),
        duration: vec![DurationBound {
            comparison: Comparison::Equal,
            at_end: false,
            value: Expression::Number(Number::ZERO),
        }],
        start_condition: schema.precondition.clone(),
        invariant: Formula::TRUE,
        end_condition: Formula::TRUE,
        start_effect: schema.effect.clone(),
        end_effect: Effect::NOTHING,
        place: schema.place,
    }
}

/// Returns the domain with the durative actions of all schemas, and the problem for it.
fn with_durations(domain: &Domain, problem: &Problem) -> (Domain, Problem) {
    let mut domain = domain.clone();
    domain.durative_actions = domain.schemas.iter().map(durative).collect();
    let mut problem = problem.clone();
    problem.domain_fingerprint = domain.fingerprint();
    (domain, problem)
}

/// The steps of a plan at whole times, as ordinary actions or as durative ones of duration 0.
fn steps(actions: &[GroundAction], is_durative: bool) -> Vec<TimedStep> {
    let step = |(time, action): (usize, &GroundAction)| TimedStep {
        time: decimal(time as f64),
        action: if is_durative {
            TimedAction::Durative(action.schema.index())
        } else {
            TimedAction::Instant(action.schema)
        },
        arguments: action.arguments.clone(),
        duration: is_durative.then(BigRational::default),
    };
    actions.iter().enumerate().map(step).collect()
}

/// Executes a plan classically: the index of the first step that fails, or else whether the goal holds at the end. `None` if
/// there is chance.
fn classical(
    oracle: &Oracle<'_>,
    start: &OracleState,
    actions: &[GroundAction],
) -> Option<Result<bool, usize>> {
    let mut state = start.clone();
    for (index, action) in actions.iter().enumerate() {
        match oracle.outcomes(&state, action) {
            Ok(mut outcomes) if outcomes.len() == 1 => state = outcomes.remove(0).state,
            Ok(_) => return None,
            Err(_) => return Some(Err(index)),
        }
    }
    Some(Ok(oracle.is_goal(&state)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn steps_at_different_times_are_classical_ones(
        (domain, problem) in tasks(&Shape::default()), picks in prop::collection::vec(any::<prop::sample::Index>(), 1..5),
        swapped: bool,
    ) {
        let (domain, problem) = with_durations(&domain, &problem);
        let oracle = Oracle::new(&domain, &problem).expect("stratified");
        let Ok(initial) = oracle.initial_states() else { return Ok(()) };
        prop_assume!(initial.len() == 1);
        let start = &initial[0].1;
        let (mut state, mut actions) = (start.clone(), Vec::new());
        for pick in picks {
            let valid = oracle.valid_actions(&state);
            if valid.is_empty() {
                break;
            }
            let action = pick.get(&valid).clone();
            if let Ok(outcomes) = oracle.outcomes(&state, &action) {
                state = outcomes[0].state.clone();
            }
            actions.push(action);
        }
        if swapped {
            actions.reverse();
        }
        let Some(expected) = classical(&oracle, start, &actions) else { return Ok(()) };
        for is_durative in [false, true] {
            let plan = steps(&actions, is_durative);
            let found = validate_timed(&oracle, &plan, &decimal(0.001)).expect("one initial state");
            if found.faults.iter().any(|fault| fault.kind == TimedFaultKind::Random) {
                continue;
            }
            let found = match found.faults.first() {
                Some(fault) => Err(plan.iter().position(|step| step.time == fault.time).expect("a step")),
                None => Ok(found.valid),
            };
            prop_assert_eq!(found, expected);
        }
    }
}

/// A lamp that burns while a switch is held.
const LAMPS: &str = "(define (domain lamps)
    (:requirements :durative-actions :duration-inequalities :fluents :timed-initial-literals)
    (:predicates (light) (seen) (never)) (:functions (burnt))
    (:durative-action hold :parameters () :duration (and (>= ?duration 2) (<= ?duration 4))
      :condition (at start (not (light)))
      :effect (and (at start (light)) (at end (not (light))) (at end (increase (burnt) ?duration))))
    (:durative-action look :parameters () :duration (= ?duration 1)
      :condition (over all (light)) :effect (at end (seen)))
    (:action count :parameters () :precondition (seen) :effect (increase (burnt) 1)))";

#[test]
fn faults_say_what_is_wrong_and_when() {
    let domain = Domain::from_text(LAMPS).expect("a domain");
    let problem = Problem::from_text(
        "(define (problem p) (:domain lamps) (:init (= (burnt) 0) (at 9 (light)))
           (:goal (and (seen) (not (never)))) (:metric minimize (+ (total-time) (burnt))))",
        &domain,
    )
    .expect("a problem");
    let oracle = Oracle::new(&domain, &problem).expect("no rules");
    let plan = |steps: &[(f64, usize, Option<f64>)]| -> Vec<TimedStep> {
        let step = |&(time, action, duration): &(f64, usize, Option<f64>)| TimedStep {
            time: decimal(time),
            action: match action {
                2 => TimedAction::Instant(herbrand_pddl::SchemaId::from_index(0)),
                action => TimedAction::Durative(action),
            },
            arguments: Vec::new(),
            duration: duration.map(decimal),
        };
        steps.iter().map(step).collect()
    };
    let run = |steps: &[(f64, usize, Option<f64>)]| {
        validate_timed(&oracle, &plan(steps), &decimal(0.001)).expect("one initial state")
    };
    let good = run(&[(1.0, 0, Some(3.0)), (1.0, 1, Some(1.0)), (2.5, 2, None)]);
    assert!(good.valid, "{good:?}");
    assert_eq!((good.makespan, good.metric), (decimal(4.0), Some(8.0)));
    let kinds = |steps: &[(f64, usize, Option<f64>)]| {
        let found = run(steps);
        assert!(!found.valid);
        let faults = found.faults.into_iter();
        faults.map(|fault| (fault.time, fault.kind)).collect::<Vec<_>>()
    };
    let light = || vec!["(light)".to_owned()];
    use TimedFaultKind as Kind;
    assert_eq!(
        kinds(&[(1.0, 1, Some(1.0))]),
        [(decimal(1.0), Kind::Invariant(light()))]
    );
    assert_eq!(
        kinds(&[(1.0, 0, Some(2.0)), (2.5, 1, Some(1.0))]),
        [(decimal(3.0), Kind::Invariant(light()))]
    );
    assert_eq!(
        kinds(&[(1.0, 0, Some(5.0))]),
        [(decimal(1.0), Kind::Duration("?duration <= 4".to_owned()))]
    );
    assert_eq!(
        kinds(&[(1.0, 0, None), (-1.0, 2, None)]),
        [(decimal(1.0), Kind::NoDuration), (decimal(-1.0), Kind::Early)]
    );
    assert_eq!(
        kinds(&[(1.0, 0, Some(2.0)), (3.0, 0, Some(2.0))]),
        [
            (decimal(3.0), Kind::Condition(vec!["(not (light))".to_owned()])),
            (decimal(3.0), Kind::Interference("(light)".to_owned()))
        ]
    );
    assert_eq!(
        kinds(&[(1.0, 2, None)]),
        [(decimal(1.0), Kind::Condition(vec!["(seen)".to_owned()]))]
    );
    let unmet = run(&[]);
    assert!(!unmet.valid && unmet.faults.is_empty());
    assert_eq!(unmet.missing, ["(seen)"]);
}

#[test]
fn decimals_are_exact() {
    let tenth = BigRational::new(1.into(), 10.into());
    assert_eq!(decimal(0.1), tenth);
    assert_eq!(decimal(0.1) + decimal(0.2), decimal(0.3));
    assert_eq!(decimal(-2.5) * decimal(4.0), decimal(-10.0));
    assert_eq!(decimal(1e300).to_string().len(), 301);
}
