//! Steps of a plan at one time, against the results of both orders.

use herbrand_ground::ActionId;
use herbrand_ground::strategies::{EffectKinds, TaskSketch, sketches};
use herbrand_pddl::{Domain, Problem, Source};
use herbrand_step::{ParsedPlan, PlanStep, Random, Simulator, SimultaneousSteps, State, compile};
use proptest::prelude::*;

/// Returns whether two steps at one time are accepted.
fn are_independent(simulator: &Simulator, actions: [ActionId; 2]) -> bool {
    let step = PlanStep {
        line: 1,
        action: String::new(),
        time: Some(0.5),
        duration: None,
    };
    let mut at_once = SimultaneousSteps::default();
    let mut taken = actions
        .map(|action| at_once.take(simulator.task(), &step, action).is_ok())
        .into_iter();
    assert_eq!(taken.next(), Some(true), "the first step has nothing beside it");
    taken.next() == Some(true)
}

/// Returns the state after two actions; `None` if one of them is not valid or has no result.
fn after(simulator: &Simulator, state: &State, actions: [ActionId; 2]) -> Option<State> {
    let mut walker = simulator.walker();
    walker.set_state(state).unwrap();
    for action in actions {
        walker.apply(action, &mut Random::new(0)).ok()?;
    }
    Some(walker.state().clone())
}

/// Checks all pairs of valid actions of a state. Returns the numbers of pairs that are accepted and refused.
fn check(simulator: &Simulator, state: &State) -> (usize, usize) {
    let valid = simulator.valid_actions(state);
    let (mut accepted, mut refused) = (0, 0);
    for &one in &valid {
        for &other in &valid {
            let has_result = |action| after(simulator, state, [action, action]).is_some();
            if one == other || !has_result(one) || !has_result(other) {
                continue;
            }
            if !are_independent(simulator, [one, other]) {
                refused += 1;
                continue;
            }
            accepted += 1;
            let forwards = after(simulator, state, [one, other]);
            assert!(forwards.is_some(), "{}", simulator.task());
            assert_eq!(
                forwards,
                after(simulator, state, [other, one]),
                "{}",
                simulator.task()
            );
        }
    }
    (accepted, refused)
}

fn simulator(sketch: TaskSketch) -> Simulator {
    Simulator::new(
        TaskSketch {
            actions: sketch.actions.min(12),
            effects: sketch.effects.min(EffectKinds::Numeric),
            ..sketch
        }
        .build(),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_accepted_steps_does_not_matter(sketch in sketches()) {
        let simulator = simulator(sketch);
        check(&simulator, &simulator.initial_state());
    }
}

#[test]
fn some_pairs_are_accepted_and_some_refused() {
    let sketch = |seed| TaskSketch {
        fluents: 10,
        derived: 2,
        numbers: 1,
        actions: 12,
        literals: 1,
        disjunctions: false,
        effects: EffectKinds::Conditional,
        seed,
    };
    let counts = (0..40).map(|seed| {
        let simulator = simulator(sketch(seed));
        check(&simulator, &simulator.initial_state())
    });
    let (accepted, refused) = counts.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    assert!(accepted > 20 && refused > 20, "{accepted} {refused}");
}

#[test]
fn interference_is_named() {
    let domain = Domain::from_text(
        "(define (domain lift) (:requirements :adl :numeric-fluents :derived-predicates)
          (:predicates (at ?f) (in ?p) (moved ?p) (near ?f)) (:functions (load) (weight))
          (:derived (near ?f) (at ?f))
          (:action up :parameters (?f ?g) :precondition (at ?f) :effect (and (not (at ?f)) (at ?g)))
          (:action board :parameters (?p ?f) :precondition (at ?f) :effect (and (in ?p) (increase (load) 1)))
          (:action greet :parameters (?p ?f) :precondition (near ?f) :effect (moved ?p))
          (:action weigh :effect (assign (weight) (load)))
          (:action leave :parameters (?p) :precondition (moved ?p) :effect (not (in ?p))))",
    )
    .unwrap();
    let problem = Problem::from_text(
        "(define (problem p) (:domain lift) (:objects f0 f1 p1 p2)
          (:init (at f0) (moved p1) (= (load) 0) (= (weight) 0)) (:goal (at f1)))",
        &domain,
    )
    .unwrap();
    let simulator = compile(&domain, &problem).unwrap();
    let judge = |text: &str| {
        let plan = ParsedPlan::parse(&Source::new("plan", text)).unwrap();
        let mut at_once = SimultaneousSteps::default();
        let mut steps = plan.steps.iter();
        steps.find_map(|step| {
            let action = simulator.parse_action(&step.action).unwrap();
            let taken = at_once.take(simulator.task(), step, action);
            taken.err().map(|reason| format!("{}: {reason}", step.line))
        })
    };
    let because = |line, action, reason| {
        Some(format!(
            "{line}: {action} has the same time as another step, and {reason}, so their order matters: give them different times"
        ))
    };
    for (text, expected) in [
        ("0: (board p1 f0)\n0: (board p2 f0)\n", None),
        ("0: (up f0 f1)\n1: (board p1 f1)\n", None),
        ("(up f0 f1)\n(board p1 f1)\n", None),
        (
            "0: (up f0 f1)\n0: (board p1 f1)\n",
            because(
                2,
                "(board p1 f1)",
                "one of them changes (at f1), which the other reads",
            ),
        ),
        // The times decide the order, and a step without a time between them does not part them.
        (
            "3: (board p1 f1)\n1: (weigh)\n(greet p2 f0)\n3.0: (up f0 f1)\n",
            because(
                4,
                "(up f0 f1)",
                "one of them changes (at f1), which the other reads",
            ),
        ),
        (
            "0: (greet p1 f0)\n0: (up f0 f1)\n",
            because(
                2,
                "(up f0 f1)",
                "one of them changes (at f0), which the other reads",
            ),
        ),
        (
            "0: (board p1 f0)\n0: (weigh)\n",
            because(2, "(weigh)", "one of them changes (load), which the other reads"),
        ),
        (
            "0: (board p1 f0)\n0: (leave p1)\n",
            because(2, "(leave p1)", "both change (in p1)"),
        ),
    ] {
        assert_eq!(judge(text), expected, "{text}");
    }
}
