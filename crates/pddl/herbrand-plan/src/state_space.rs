//! State spaces with the costs of the metric.

use std::sync::Arc;

use herbrand_limits::Budget;
use herbrand_step::{Simulator, SpaceOptions, StateSpace};

use crate::cost::StepCosts;
use crate::task::TaskError;

/// Explores the state space of a task like [`StateSpace::explore`], with the costs of steps by the metric of the problem
/// ([`StepCosts`]).
///
/// ```
/// use herbrand_limits::Budget;
/// use herbrand_pddl::{Domain, Problem};
/// use herbrand_plan::state_space;
/// use herbrand_step::SpaceOptions;
///
/// let domain = Domain::from_text("(define (domain road) (:requirements :action-costs) (:predicates (at ?x) (road ?x ?y))
///     (:functions (total-cost) (far ?x ?y))
///     (:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y))
///         :effect (and (at ?y) (not (at ?x)) (increase (total-cost) (far ?x ?y)))))")?;
/// let problem = Problem::from_text("(define (problem p) (:domain road) (:objects a b c)
///     (:init (at a) (road a b) (road b c) (road a c) (= (far a b) 2) (= (far b c) 3) (= (far a c) 7) (= (total-cost) 0))
///     (:goal (at c)) (:metric minimize (total-cost)))", &domain)?;
/// let simulator = herbrand_step::compile(&domain, &problem)?;
/// let budget = Budget::unlimited();
/// let space = state_space(&simulator, &SpaceOptions::default(), &budget)?;
/// assert_eq!(space.graph.costs, [2.0, 7.0, 3.0]);
/// assert_eq!(space.graph.analyse(&budget)?.goal_costs, [5.0, 3.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails like [`StateSpace::explore`].
pub fn state_space(
    simulator: &Simulator,
    options: &SpaceOptions,
    budget: &Budget,
) -> Result<StateSpace, TaskError> {
    let task = simulator.task();
    let costs = StepCosts::of(task);
    // If no cost depends on a state, nothing has to be added up.
    let is_fixed = task.actions.ids().all(|action| costs.fixed(action).is_some());
    let lean = is_fixed.then(|| task.without_accumulators()).flatten();
    let lean = lean.map(|task| Simulator::with_options(Arc::new(task), simulator.options()));
    let space = StateSpace::explore_costs(
        lean.as_ref().unwrap_or(simulator),
        options,
        |action, numbers, deltas| costs.value(costs.of_changes(action, numbers, deltas)),
        budget,
    );
    Ok(space?)
}

#[cfg(test)]
mod tests {
    use herbrand_ground::strategies::{TaskSketch, sketches};
    use herbrand_pddl::strategies::{Shape, tasks};
    use herbrand_step::compile;
    use proptest::prelude::*;

    use super::*;

    /// Checks that the space equals the space of an exploration that adds up all accumulators.
    fn check(simulator: &Simulator) -> Result<bool, TestCaseError> {
        let options = SpaceOptions {
            states: 200,
            ..SpaceOptions::default()
        };
        let budget = Budget::unlimited();
        let costs = StepCosts::of(simulator.task());
        let plain = StateSpace::explore_costs(
            simulator,
            &options,
            |action, numbers, deltas| costs.value(costs.of_changes(action, numbers, deltas)),
            &budget,
        );
        let (Ok(plain), Ok(fast)) = (plain, state_space(simulator, &options, &budget)) else {
            return Ok(false);
        };
        prop_assert_eq!(plain.words(), fast.words());
        prop_assert_eq!(&plain.graph.targets, &fast.graph.targets);
        prop_assert_eq!(&plain.graph.actions, &fast.graph.actions);
        prop_assert_eq!(&plain.graph.first_outcomes, &fast.graph.first_outcomes);
        prop_assert_eq!(&plain.graph.costs, &fast.graph.costs);
        Ok(simulator.task().without_accumulators().is_some())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

        #[test]
        fn costs_do_not_depend_on_the_way_of_exploring((domain, problem) in tasks(&Shape::default())) {
            if let Ok(simulator) = compile(&domain, &problem) {
                check(&simulator)?;
            }
        }

        #[test]
        fn costs_of_ground_tasks_neither(sketch in sketches()) {
            check(&Simulator::new(TaskSketch { actions: sketch.actions.min(20), ..sketch }.build()))?;
        }
    }

    #[test]
    fn constant_costs_are_found_without_adding_up() {
        let domain = "(define (domain d) (:requirements :action-costs :conditional-effects :numeric-fluents)
            (:predicates (p) (q)) (:functions (total-cost) (wear) (fuel))
            (:action a :effect (and (p) (when (q) (not (p))) (increase (total-cost) 2) (when (p) (increase (wear) 3))))
            (:action b :precondition (> (fuel) 0) :effect (and (q) (decrease (fuel) 1) (increase (total-cost) 0.5))))";
        let problem = "(define (problem p) (:domain d) (:init (= (total-cost) 0) (= (wear) 0) (= (fuel) 3)) (:goal (and (p) (q)))
            (:metric minimize (total-cost)))";
        let domain = herbrand_pddl::Domain::from_text(domain).expect("a domain");
        let problem = herbrand_pddl::Problem::from_text(problem, &domain).expect("a problem");
        let simulator = compile(&domain, &problem).expect("a task");
        assert!(
            check(&simulator).expect("both ways agree"),
            "accumulators are left out"
        );
    }
}
