//! Tests on tasks with solutions computed by hand.

use std::time::Duration;

use crate::{run, search_task, simulator};
use herbrand_limits::{Budget, Limits};
use herbrand_plan::{
    Admissible, Determinization, Estimator, HeuristicKind, PlanRequest, Planner, PlannerKind, SearchOutcome,
    SearchTask,
};

fn estimate(task: &SearchTask, kind: HeuristicKind) -> Option<f64> {
    let mut estimator = Estimator::new(task, kind, &Budget::unlimited()).unwrap();
    estimator.estimate(task.start()).unwrap()
}

/// Two cheap lamps and an expensive one, which are switched on one by one.
const LAMPS: &str = "(define (domain lamps) (:requirements :action-costs) (:predicates (on ?l) (big ?l))
    (:functions (total-cost))
    (:action small :parameters (?l) :precondition (not (big ?l)) :effect (and (on ?l) (increase (total-cost) 1.5)))
    (:action large :parameters (?l) :precondition (big ?l) :effect (and (on ?l) (increase (total-cost) 4))))";

#[test]
fn costs_are_those_of_the_metric() {
    let problem = |metric: &str| {
        format!(
            "(define (problem p) (:domain lamps) (:objects a b c) (:init (big c) (= (total-cost) 0))
            (:goal (and (on a) (on b) (on c))) {metric})"
        )
    };
    for (metric, cost, follows) in [
        ("(:metric minimize (total-cost))", 7.0, true),
        (
            "(:metric minimize (+ (* 2 (total-cost)) (total-time)))",
            17.0,
            true,
        ),
        ("(:metric maximize (total-cost))", 3.0, false),
        ("", 3.0, true),
    ] {
        let task = search_task(&simulator(LAMPS, &problem(metric))).unwrap();
        assert_eq!(task.costs().follows_metric(), follows, "{metric}");
        let SearchOutcome::Plan(plan) = run(PlannerKind::AStar(Admissible::LandmarkCut), &task, 0).outcome
        else {
            panic!("{metric} is solvable");
        };
        assert_eq!(
            (plan.steps.len(), plan.cost, plan.proven_optimal),
            (3, cost, follows),
            "{metric}"
        );
        let [cut, max, sum] = [
            HeuristicKind::Admissible(Admissible::LandmarkCut),
            HeuristicKind::Admissible(Admissible::Maximum),
            HeuristicKind::Ff,
        ]
        .map(|kind| estimate(&task, kind));
        assert_eq!((cut, sum), (Some(cost), Some(cost)), "{metric}");
        assert!(max < cut, "{metric}");
    }
}

/// The short way leaves 10 of the fuel, the long way 18.
#[test]
fn a_metric_to_be_maximised_costs_what_steps_take_away() {
    let domain = "(define (domain fuel) (:requirements :numeric-fluents) (:predicates (here) (there) (mid)) (:functions (fuel))
        (:action jump :precondition (here) :effect (and (there) (not (here)) (decrease (fuel) 10)))
        (:action hop :precondition (here) :effect (and (mid) (not (here)) (decrease (fuel) 1)))
        (:action land :precondition (mid) :effect (and (there) (not (mid)) (decrease (fuel) 1))))";
    for (metric, steps, cost, follows) in [
        ("maximize (fuel)", 2, 2.0, true),
        ("minimize (- 0 (fuel))", 2, 2.0, true),
        ("maximize (* (fuel) (fuel))", 1, 1.0, false),
    ] {
        let problem = format!(
            "(define (problem p) (:domain fuel) (:init (here) (= (fuel) 20)) (:goal (there)) (:metric {metric}))"
        );
        let task = search_task(&simulator(domain, &problem)).unwrap();
        let SearchOutcome::Plan(plan) = run(PlannerKind::AStar(Admissible::LandmarkCut), &task, 0).outcome
        else {
            panic!("{metric} is solvable");
        };
        assert_eq!(
            (plan.steps.len(), plan.cost, plan.proven_optimal),
            (steps, cost, follows),
            "{metric}"
        );
    }
}

/// One action whose two conditional effects are both needed is paid for once.
#[test]
fn effects_of_one_action_are_paid_for_once() {
    let domain = "(define (domain both) (:requirements :conditional-effects) (:predicates (a) (b) (x) (y))
        (:action do :effect (and (when (a) (x)) (when (b) (y)))))";
    let task = simulator(
        domain,
        "(define (problem p) (:domain both) (:init (a) (b)) (:goal (and (x) (y))))",
    );
    let task = search_task(&task).unwrap();
    for kind in [
        HeuristicKind::Admissible(Admissible::LandmarkCut),
        HeuristicKind::Ff,
    ] {
        assert_eq!(estimate(&task, kind), Some(1.0), "{kind:?}");
    }
}

/// To make a derived atom false, each of its derivations must be broken.
#[test]
fn negated_derived_atoms_are_worked_for() {
    let domain = "(define (domain alarm) (:requirements :derived-predicates :negative-preconditions)
        (:predicates (smoke ?r) (heat ?r) (alarm) (done))
        (:derived (alarm) (exists (?r) (and (smoke ?r) (heat ?r))))
        (:action air :parameters (?r) :effect (not (smoke ?r)))
        (:action leave :precondition (not (alarm)) :effect (done)))";
    let problem =
        "(define (problem p) (:domain alarm) (:objects k h) (:init (smoke k) (heat k) (smoke h) (heat h))
        (:goal (done)))";
    let task = search_task(&simulator(domain, problem)).unwrap();
    for kind in [
        HeuristicKind::Admissible(Admissible::LandmarkCut),
        HeuristicKind::Ff,
    ] {
        assert_eq!(estimate(&task, kind), Some(3.0), "{kind:?}");
    }
}

/// Derived atoms that support each other in a cycle can become false together.
#[test]
fn circles_of_derived_atoms_can_be_broken() {
    let domain = "(define (domain ring) (:requirements :derived-predicates :negative-preconditions)
        (:predicates (spark) (a) (b) (done))
        (:derived (a) (or (b) (spark))) (:derived (b) (a))
        (:action douse :effect (not (spark)))
        (:action leave :precondition (not (a)) :effect (done)))";
    let task = simulator(
        domain,
        "(define (problem p) (:domain ring) (:init (spark)) (:goal (done)))",
    );
    let task = search_task(&task).unwrap();
    for kind in PlannerKind::ALL {
        let report = run(kind, &task, 0);
        assert_eq!(
            report.outcome.plan().map(<[_]>::len),
            Some(2),
            "{kind}: {:?}",
            report.outcome
        );
    }
}

#[test]
fn numbers_are_counted_up_to_where_they_are_needed() {
    let domain =
        "(define (domain tank) (:requirements :numeric-fluents) (:predicates (there)) (:functions (fuel))
        (:action fill :effect (increase (fuel) 2))
        (:action go :precondition (>= (fuel) 7) :effect (and (there) (decrease (fuel) 7))))";
    let task = simulator(
        domain,
        "(define (problem p) (:domain tank) (:init (= (fuel) 0)) (:goal (there)))",
    );
    let task = search_task(&task).unwrap();
    assert_eq!(estimate(&task, HeuristicKind::Ff), Some(5.0));
    for kind in PlannerKind::ALL {
        let report = run(kind, &task, 0);
        assert_eq!(
            report.outcome.plan().map(<[_]>::len),
            Some(5),
            "{kind}: {:?}",
            report.outcome
        );
    }
    // Nothing fills the tank. The direction of the shift proves a dead end, although the number has no lower bound.
    let dry = domain.replace("increase (fuel) 2", "decrease (fuel) 2");
    let task = simulator(
        &dry,
        "(define (problem p) (:domain tank) (:init (= (fuel) 0)) (:goal (there)))",
    );
    let task = search_task(&task).unwrap();
    assert_eq!(
        run(PlannerKind::Lazy, &task, 0).outcome,
        SearchOutcome::ProvenUnsolvable
    );
}

#[test]
fn limits_end_a_search() {
    // The numbers grow without bound and the goal is unreachable, but the relaxation does not detect it.
    let domain =
        "(define (domain count) (:requirements :numeric-fluents) (:predicates (odd)) (:functions (n) (m))
        (:action up :effect (and (increase (n) 2) (increase (m) (n)))))";
    let task = simulator(
        domain,
        "(define (problem p) (:domain count) (:init (= (n) 0) (= (m) 0)) (:goal (= (m) 1)))",
    );
    let task = search_task(&task).unwrap();
    for (bytes, time, expected) in [
        (Some(100_000), None, SearchOutcome::OutOfMemory),
        (None, Some(Duration::from_millis(20)), SearchOutcome::OutOfTime),
    ] {
        for kind in PlannerKind::ALL {
            let mut calls = 0;
            let mut request = PlanRequest {
                budget: Budget::new(Limits { bytes, time }),
                seed: 0,
                progress: &mut |_| calls += 1,
            };
            let outcome = kind.plan(&task, &mut request).outcome;
            assert_eq!(outcome, expected, "{kind}");
            assert!(calls > 0, "{kind}");
        }
    }
    let mut request = PlanRequest {
        budget: Budget::unlimited(),
        seed: 0,
        progress: &mut |_| {},
    };
    request.budget.cancel();
    assert_eq!(
        PlannerKind::Lazy.plan(&task, &mut request).outcome,
        SearchOutcome::Cancelled
    );
}

/// Creating the task counts towards the budget, and a task without chance is not copied.
#[test]
fn tasks_are_made_within_the_budget() {
    let coins: String = (0..10).map(|coin| format!("(c{coin}) ")).collect();
    let tosses: String = (0..10)
        .map(|coin| format!("(probabilistic 1/2 (c{coin})) "))
        .collect();
    let domain = format!(
        "(define (domain coins) (:requirements :probabilistic-effects) (:predicates {coins})
           (:action toss :effect (and {tosses})))"
    );
    let problem = format!("(define (problem p) (:domain coins) (:init) (:goal (and {coins})))");
    let simulator = simulator(&domain, &problem);
    let start = simulator.initial_state();
    let solve = |limits: Limits, cancelled: bool| {
        let mut request = PlanRequest {
            budget: Budget::new(limits),
            seed: 0,
            progress: &mut |_| {},
        };
        if cancelled {
            request.budget.cancel();
        }
        let planner = PlannerKind::default();
        let report = planner.solve(&simulator, &start, Determinization::AllOutcomes, &mut request);
        report.unwrap().outcome
    };
    let limits = |bytes, time| Limits { bytes, time };
    assert_eq!(
        solve(limits(Some(100_000), None), false),
        SearchOutcome::OutOfMemory
    );
    assert_eq!(
        solve(limits(None, Some(Duration::ZERO)), false),
        SearchOutcome::OutOfTime
    );
    assert_eq!(solve(limits(None, None), true), SearchOutcome::Cancelled);
    assert_eq!(solve(limits(None, None), false).plan().map(<[_]>::len), Some(1));
}

#[test]
fn a_task_in_which_all_matters_is_shared() {
    let problem =
        "(define (problem p) (:domain lamps) (:objects a) (:init (= (total-cost) 0)) (:goal (on a)))";
    let simulator = simulator(LAMPS, problem);
    let start = simulator.initial_state();
    let task = SearchTask::new(
        &simulator,
        &start,
        Determinization::default(),
        &Budget::unlimited(),
    )
    .unwrap();
    assert!(std::ptr::eq(task.simulator().task(), simulator.task()));
    // If every draw takes its most likely alternative already, there are no outcomes to choose from.
    let coin = "(define (domain coin) (:requirements :probabilistic-effects) (:predicates (heads) (edge))
        (:action toss :effect (probabilistic 6/10 (heads) 1/10 (edge))))";
    let problem = "(define (problem p) (:domain coin) (:init) (:goal (edge)))";
    let simulator = crate::simulator(coin, problem).most_likely();
    let task = search_task(&simulator).unwrap();
    assert_eq!(
        run(PlannerKind::Lazy, &task, 0).outcome,
        SearchOutcome::ProvenUnsolvable
    );
}

#[test]
fn chance_is_planned_for_by_its_outcomes() {
    let domain = "(define (domain coin) (:requirements :probabilistic-effects) (:predicates (heads) (edge))
        (:action toss :effect (probabilistic 6/10 (heads) 1/10 (edge))))";
    let problem = |goal: &str| format!("(define (problem p) (:domain coin) (:init) (:goal {goal}))");
    for (goal, determinization, length) in [
        ("(edge)", Determinization::AllOutcomes, Some(1)),
        ("(edge)", Determinization::MostLikely, None),
        ("(heads)", Determinization::MostLikely, Some(1)),
    ] {
        let simulator = simulator(domain, &problem(goal));
        let start = simulator.initial_state();
        let task = SearchTask::new(&simulator, &start, determinization, &Budget::unlimited()).unwrap();
        let outcome = run(PlannerKind::Landmarks, &task, 0).outcome;
        assert_eq!(
            outcome.plan().map(<[_]>::len),
            length,
            "{goal} {determinization:?}"
        );
        if length.is_none() {
            assert_eq!(outcome, SearchOutcome::Exhausted, "other outcomes may lead there");
        }
    }
}

#[test]
fn names_and_planners_fit() {
    for kind in PlannerKind::ALL {
        assert_eq!(kind.as_str().parse(), Ok(kind));
        assert!(!kind.summary().is_empty());
    }
    assert!("magic".parse::<PlannerKind>().is_err());
}

/// Two rooms between which a robot moves, which wears it down. There is no door to the third room.
const ROBOT: &str = "(define (domain robot) (:requirements :numeric-fluents)
    (:predicates (at ?r) (door ?a ?b)) (:functions (wear ?r) (load))
    (:action move :parameters (?a ?b) :precondition (and (at ?a) (door ?a ?b))
        :effect (and (at ?b) (not (at ?a)) (increase (wear ?b) 3))))";

#[test]
fn numbers_that_only_the_metric_reads_do_not_tell_states_apart() {
    let problem = |goal: &str, init: &str| {
        format!(
            "(define (problem p) (:domain robot) (:objects a b c) (:goal {goal})
            (:init (at a) (door a b) (door b a) {init}) (:metric minimize (+ (wear a) (* 2 (wear b)))))"
        )
    };
    let given = "(= (wear a) 5) (= (wear b) 0)";
    let unsolvable = search_task(&simulator(ROBOT, &problem("(at c)", given))).unwrap();
    for kind in [
        PlannerKind::AStar(Admissible::LandmarkCut),
        PlannerKind::Lazy,
        PlannerKind::Landmarks,
    ] {
        let report = run(kind, &unsolvable, 0);
        assert_eq!(report.outcome, SearchOutcome::ProvenUnsolvable, "{kind}");
        assert!(
            report.statistics.states <= 2,
            "{kind}: {}",
            report.statistics.states
        );
    }
    let solvable = search_task(&simulator(ROBOT, &problem("(at b)", given))).unwrap();
    assert!(solvable.costs().follows_metric() && solvable.costs().is_exact());
    let SearchOutcome::Plan(plan) = run(PlannerKind::AStar(Admissible::LandmarkCut), &solvable, 0).outcome
    else {
        panic!("one move is a plan");
    };
    assert_eq!((plan.steps.len(), plan.cost, plan.proven_optimal), (1, 6.0, true));
    // A move is not valid if the number that it increases has no value.
    let undefined = search_task(&simulator(ROBOT, &problem("(at b)", "(= (wear a) 5)"))).unwrap();
    let outcome = run(PlannerKind::Lazy, &undefined, 0).outcome;
    assert_eq!(outcome, SearchOutcome::ProvenUnsolvable);
}

#[test]
fn the_reason_why_a_metric_is_not_followed_names_an_action() {
    let fault = |effect: &str, metric: &str| {
        let domain = format!(
            "(define (domain d) (:requirements :numeric-fluents :conditional-effects) (:predicates (on))
            (:functions (total-cost) (price))
            (:action buy :effect (increase (total-cost) 1))
            (:action sell :effect (and (on) {effect})))"
        );
        let problem =
            format!("(define (problem p) (:domain d) (:init (= (price) 1)) (:goal (on)) (:metric {metric}))");
        let task = search_task(&simulator(&domain, &problem)).unwrap();
        task.costs().metric_fault(task.simulator().task())
    };
    let minimise = "minimize (total-cost)";
    let cases = [
        ("(increase (total-cost) 2)", minimise, None),
        (
            "(decrease (total-cost) 3)",
            minimise,
            Some("`(sell)` takes 3 from it"),
        ),
        (
            "(when (on) (increase (total-cost) -2))",
            minimise,
            Some("`(sell)` takes 2 from it"),
        ),
        (
            "(increase (total-cost) 0.0000005)",
            minimise,
            Some("`(sell)` adds 0.0000005 to it, which has more than six decimals"),
        ),
        (
            "(increase (total-cost) 99999999999)",
            minimise,
            Some("`(sell)` adds 99999999999 to it, and costs above 4294967296 are not exact"),
        ),
        (
            "(increase (price) 1) (increase (total-cost) (price))",
            minimise,
            Some("what `(sell)` adds to it depends on numbers that change"),
        ),
        (
            "(increase (total-cost) 2)",
            "maximize (total-cost)",
            Some("it is maximised, and `(buy)` adds 1 to it"),
        ),
        (
            "(increase (total-cost) 2)",
            "minimize (* (total-cost) (total-cost))",
            Some("it is not a linear sum of numbers"),
        ),
    ];
    for (effect, metric, expected) in cases {
        assert_eq!(fault(effect, metric).as_deref(), expected, "{effect} {metric}");
    }
}
