//! State spaces with the costs of the metric.

use std::sync::Arc;

use herbrand_ground::NumericId;
use herbrand_limits::Budget;
use herbrand_step::{Simulator, SpaceOptions, StateSpace};

use crate::amounts::MetricAmounts;
use crate::task::TaskError;

/// Explores the state space of a task like [`StateSpace::explore`], with the costs of steps by the metric of the problem
/// ([`MetricAmounts`]). Numbers that are [`left_out`] keep the values of the start. Under chance, states may have other numbers
/// than in a space explored without costs.
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
    let amounts = MetricAmounts::of(task);
    let is_read = |&id: &NumericId| amounts.reads(id) || task.reward == Some(id);
    let (read, unread): (Vec<_>, _) = removable(simulator, options, &amounts)
        .into_iter()
        .partition(is_read);
    // Nothing reads these numbers, so they do not tell objects apart.
    let lean = task.without_changes(&unread);
    let lean = lean.map(|task| Simulator::with_options(Arc::new(task), simulator.options()));
    let options = SpaceOptions {
        left_out: read,
        ..options.clone()
    };
    let space = StateSpace::explore_costs(
        lean.as_ref().unwrap_or(simulator),
        &options,
        |action, numbers, deltas| amounts.of_changes(action, numbers, deltas),
        budget,
    );
    Ok(space?)
}

/// Returns the numeric fluents of the state whose changes [`state_space`] leaves out, ascending, so that states that differ
/// only in them are one state. No condition, goal or effect reads them, each effect on them adds or subtracts a constant,
/// and they have a value in each start state. If the metric reads them, the cost of each action is a constant.
#[must_use]
pub fn left_out(simulator: &Simulator, options: &SpaceOptions) -> Vec<NumericId> {
    let task = simulator.task();
    let mut numbers = removable(simulator, options, &MetricAmounts::of(task));
    numbers.retain(|id| id.number() < task.state_numerics);
    numbers
}

/// Returns the numeric fluents, ascending, whose changes affect neither the states nor, if they are all constant, the costs.
fn removable(simulator: &Simulator, options: &SpaceOptions, amounts: &MetricAmounts) -> Vec<NumericId> {
    let task = simulator.task();
    // If no cost depends on a state, nothing has to be added up.
    let is_fixed = task.actions.ids().all(|action| amounts.fixed(action).is_some());
    let has_value = |id: NumericId| {
        let mut starts = options.starts.iter().flatten();
        id.number() >= task.state_numerics
            || starts.all(|state| state.fits(task) && state.numeric(id).is_some())
    };
    let mut numbers = task.constant_counters();
    numbers.retain(|&id| (is_fixed || !amounts.reads(id)) && has_value(id));
    numbers
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use herbrand_ground::strategies::{TaskSketch, sketches};
    use herbrand_pddl::strategies::{Shape, tasks};
    use herbrand_step::compile;
    use proptest::prelude::*;

    use super::*;

    /// A state as its bits and numbers, and its transitions as actions, targets, costs and probabilities.
    type Row = (Vec<u64>, Vec<u64>);
    type Edge = (Row, u32, Row, Option<(i64, i64)>);

    /// Returns the states of a space without some numbers, and the transitions between them, with or without costs and
    /// probabilities.
    fn shown(space: &StateSpace, numbers: &[NumericId], with_costs: bool) -> (BTreeSet<Row>, BTreeSet<Edge>) {
        let (rows, graph) = (space.rows(), &space.graph);
        let row = |state: u32| -> Row {
            let (words, columns) = (rows.words, rows.columns);
            let own = &rows.numbers[state as usize * columns..][..columns];
            let kept = (0..columns).filter(|&column| !numbers.contains(&NumericId::from_index(column)));
            let bits = rows.bits[state as usize * words..][..words].to_vec();
            (bits, kept.map(|column| own[column].to_bits()).collect())
        };
        let mut edges = BTreeSet::new();
        for state in 0..graph.expanded {
            for choice in graph.choices(state) {
                for outcome in graph.outcomes(choice) {
                    // Differences of sums are not exact.
                    let rounded = |value: f64| (value * 1e6).round() as i64;
                    let cost = with_costs
                        .then(|| (rounded(graph.cost(outcome)), rounded(graph.probability(outcome))));
                    let target = row(graph.targets[outcome as usize]);
                    edges.insert((row(state), graph.actions[choice as usize], target, cost));
                }
            }
        }
        ((0..graph.len() as u32).map(row).collect(), edges)
    }

    /// Checks that the space equals the space of an exploration that adds up all numbers, as far as both are complete.
    /// Returns the numbers left out of the states.
    fn check(simulator: &Simulator) -> Result<Vec<NumericId>, TestCaseError> {
        let options = SpaceOptions {
            states: 200,
            ..SpaceOptions::default()
        };
        let budget = Budget::unlimited();
        let amounts = MetricAmounts::of(simulator.task());
        let plain = StateSpace::explore_costs(
            simulator,
            &options,
            |_, numbers, deltas| amounts.added(numbers, deltas),
            &budget,
        );
        let (Ok(plain), Ok(fast)) = (plain, state_space(simulator, &options, &budget)) else {
            return Ok(Vec::new());
        };
        let out = left_out(simulator, &options);
        // Draws of changes that are left out decide the order of the outcomes.
        if out.is_empty() && !plain.graph.has_chance() {
            prop_assert_eq!(plain.words(), fast.words());
            prop_assert_eq!(&plain.graph.targets, &fast.graph.targets);
            prop_assert_eq!(&plain.graph.actions, &fast.graph.actions);
            prop_assert_eq!(&plain.graph.first_outcomes, &fast.graph.first_outcomes);
        }
        let with_costs = out.is_empty() || !plain.graph.has_chance();
        let (plain_states, plain_edges) = shown(&plain, &out, with_costs);
        let (states, edges) = shown(&fast, &out, with_costs);
        prop_assert_eq!(states.len(), fast.len(), "no state occurs twice");
        if fast.graph.is_complete() {
            prop_assert!(plain_states.is_subset(&states) && plain_edges.is_subset(&edges));
        }
        if plain.graph.is_complete() {
            prop_assert_eq!((plain_states, plain_edges), (states, edges));
        }
        Ok(out)
    }

    fn simulator(domain: &str, problem: &str) -> Simulator {
        let domain = herbrand_pddl::Domain::from_text(domain).expect("a domain");
        let problem = herbrand_pddl::Problem::from_text(problem, &domain).expect("a problem");
        compile(&domain, &problem).expect("a task")
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
        let simulator = simulator(domain, problem);
        let out = check(&simulator).expect("both ways agree").into_iter();
        let names: Vec<_> = out
            .map(|id| simulator.task().display_numeric(id).to_string())
            .collect();
        assert_eq!(names, ["(wear)"]);
        let amounts = MetricAmounts::of(simulator.task());
        let numbers = removable(&simulator, &SpaceOptions::default(), &amounts);
        assert_eq!(numbers.len(), 2, "accumulators are left out");
    }

    #[test]
    fn numbers_that_only_the_metric_reads_are_no_part_of_states() {
        let domain = "(define (domain d) (:requirements :numeric-fluents) (:predicates (at ?x) (road ?x ?y))
            (:functions (fuel-used) (trips) (far ?x ?y))
            (:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y)) :effect (and (at ?y) (not (at ?x))
                (increase (fuel-used) (far ?x ?y)) (increase (trips) 1))))";
        let problem = |metric: &str| {
            format!(
                "(define (problem p) (:domain d) (:objects a b) (:init (at a) (road a b) (road b a) (= (far a b) 2.123456789)
                (= (far b a) -0.5) (= (fuel-used) 7) (= (trips) 0)) (:goal (at b)) {metric})"
            )
        };
        for (metric, costs) in [
            ("(:metric minimize (fuel-used))", vec![2.123456789, -0.5]),
            ("(:metric maximize (fuel-used))", vec![-2.123456789, 0.5]),
            ("", vec![]),
        ] {
            let simulator = simulator(domain, &problem(metric));
            assert_eq!(check(&simulator).expect("both ways agree").len(), 2, "{metric}");
            let space =
                state_space(&simulator, &SpaceOptions::default(), &Budget::unlimited()).expect("a space");
            assert_eq!((space.len(), &space.graph.costs), (2, &costs), "{metric}");
            assert!(space.graph.is_complete());
            assert_eq!(space.rows().numbers, [7.0, 0.0, 7.0, 0.0]);
        }
    }
}
