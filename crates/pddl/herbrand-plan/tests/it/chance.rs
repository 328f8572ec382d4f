//! Tests of policies against value iteration, against all policies, and against values computed by hand.

use std::num::NonZeroU32;

use crate::process::{Process, Successor};
use crate::simulator;
use herbrand_core::{EpisodeEnd, EvaluateOptions};
use herbrand_ground::ActionId;
use herbrand_ground::strategies::{EffectKinds, TaskSketch, sketches};
use herbrand_limits::{Budget, Limits};
use herbrand_pddl::strategies::{Shape, tasks};
use herbrand_plan::{
    ActionTable, ActionTableError, Determinization, Policy, PolicyKind, PolicyOptions, PolicyValue,
    ProbabilisticTask, TableState, TabledPolicy, TaskError, UctLeaf, evaluate, policy_table,
};
use herbrand_step::{Options, Simulator, all_outcomes, compile};
use proptest::prelude::*;

const LIMIT: usize = 150;

const EXACT: [PolicyKind; 3] = [
    PolicyKind::PolicyIteration,
    PolicyKind::ValueIteration,
    PolicyKind::Lao,
];

fn policy(kind: PolicyKind, task: &ProbabilisticTask) -> Box<dyn Policy> {
    kind.policy(task, &PolicyOptions::default(), &Budget::unlimited())
        .unwrap()
}

fn value(kind: PolicyKind, task: &ProbabilisticTask) -> PolicyValue {
    policy(kind, task).value().unwrap()
}

fn evaluated(task: &ProbabilisticTask, policy: &mut dyn Policy) -> PolicyValue {
    evaluate(task, policy, &Budget::unlimited()).unwrap()
}

/// Creates the task unless an action has many outcomes: thousands of outcomes would take minutes.
fn chance_task(simulator: &Simulator) -> Option<ProbabilisticTask> {
    let options = Options {
        outcome_limit: 64,
        ..simulator.options()
    };
    let simulator = Simulator::with_options(simulator.shared_task(), options);
    all_outcomes(&simulator, &Budget::unlimited()).ok()?;
    ProbabilisticTask::from_initial(&simulator, &Budget::unlimited()).ok()
}

/// Small probabilistic tasks, from random models and random ground tasks.
fn any_chance_task() -> BoxedStrategy<ProbabilisticTask> {
    let models = tasks(&Shape::default()).prop_filter_map("the model grounds", |(domain, problem)| {
        chance_task(&compile(&domain, &problem).ok()?)
    });
    let ground = (sketches(), 1..6_u32).prop_filter_map("few initial states", |(sketch, actions)| {
        let sketch = TaskSketch {
            actions,
            fluents: sketch.fluents.min(6),
            literals: sketch.literals.min(3),
            effects: EffectKinds::Drawn,
            ..sketch
        };
        chance_task(&Simulator::new(sketch.build()))
    });
    prop_oneof![1 => models, 3 => ground].boxed()
}

fn is_close(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-7 * expected.abs().max(1.0)
}

/// Compares a value with the value by the reference implementation.
fn check_value(found: PolicyValue, (reached, paid): (f64, f64), with_cost: bool, who: &str) {
    assert!(
        is_close(found.goal_probability, reached),
        "{who}: probability {} for {reached}",
        found.goal_probability
    );
    assert_eq!(found.cost.is_some(), reached > 0.0, "{who}");
    if let (Some(cost), true) = (found.cost, with_cost) {
        assert!(
            is_close(cost, paid / reached),
            "{who}: cost {cost} for {}",
            paid / reached
        );
    }
}

fn check(task: &ProbabilisticTask) {
    let Some(process) = Process::of(task, LIMIT) else {
        return;
    };
    let exact = task.costs().is_exact() && task.costs().follows_metric();
    let best = process.at_start(&process.best());
    for kind in EXACT {
        let mut policy = policy(kind, task);
        let value = policy.value().unwrap();
        let is_rounded = policy.statistics().unwrap().rounding.is_some();
        assert_eq!(value.optimal, exact && !is_rounded, "{kind}");
        check_value(value, best, exact, kind.as_str());
        // The table acts as its value says.
        let again = evaluated(task, policy.as_mut());
        check_value(again, best, exact, &format!("{kind}, evaluated"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn exact_policies_agree_with_value_iteration(task in any_chance_task()) {
        check(&task);
    }

    /// No deterministic policy is better.
    #[test]
    fn exact_policies_are_the_best_of_all(task in any_chance_task()) {
        let Some(process) = Process::of(&task, 12) else { return Ok(()) };
        let Some(count) = process.count(60) else { return Ok(()) };
        let best = process.best_of_all(count);
        let exact = task.costs().is_exact() && task.costs().follows_metric();
        check_value(value(PolicyKind::PolicyIteration, &task), best, exact, "policy iteration");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Online policies take valid actions, are repeatable, and are never better than the optimum.
    #[test]
    fn other_policies_are_never_better(task in any_chance_task(), seed: u64) {
        let Some(process) = Process::of(&task, 20) else { return Ok(()) };
        let best = process.at_start(&process.best());
        let walks = |count| UctLeaf::RandomWalks(NonZeroU32::new(count).unwrap());
        for (kind, leaf) in [
            (PolicyKind::Uct, UctLeaf::RelaxedPlan),
            (PolicyKind::Uct, walks(1)),
            (PolicyKind::Uct, walks(70)),
            (PolicyKind::Replan, UctLeaf::RelaxedPlan),
        ] {
            let options = PolicyOptions { seed, iterations: 20, leaf, ..PolicyOptions::default() };
            let [one, other] = [0, 1].map(|_| {
                let mut policy = kind.policy(&task, &options, &Budget::unlimited()).unwrap();
                evaluated(&task, policy.as_mut())
            });
            prop_assert_eq!(one, other, "{}", kind);
            prop_assert!(one.goal_probability <= best.0 + 1e-9, "{}: {} above {}", kind, one.goal_probability, best.0);
            // A plan may rely on an outcome that is impossible because a numeric effect of another outcome has no result.
            let has_numbers = task.simulator().task().state_numerics > 0;
            if kind == PolicyKind::Replan && best.0 > 0.0 && !has_numbers {
                prop_assert!(one.goal_probability > 0.0, "a plan reaches the goal with positive probability");
            }
        }
    }
}

/// The same test for the nightly run, with the number of cases given by `PROPTEST_CASES`.
#[test]
#[ignore = "takes minutes"]
fn exact_policies_agree_with_value_iteration_on_many_tasks() {
    proptest!(|(task in any_chance_task())| check(&task));
}

/// Returns the task of a bundled problem.
fn bundled(domain: &str, problem: &str) -> ProbabilisticTask {
    let text = |path: String| herbrand_domains::file(&path).unwrap();
    let simulator = simulator(
        text(format!("{domain}/domain.pddl")),
        text(format!("{domain}/{problem}.pddl")),
    );
    chance_task(&simulator).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    /// The table of all states has the best value of each, by the reference implementation; that of the reached states is a
    /// part of it.
    #[test]
    fn tables_have_the_value_of_each_state(task in any_chance_task()) {
        let Some(process) = Process::of(&task, LIMIT) else { return Ok(()) };
        let best = process.best();
        let exact = task.costs().is_exact() && task.costs().follows_metric();
        for kind in [PolicyKind::PolicyIteration, PolicyKind::ValueIteration] {
            let mut policy = policy(kind, &task);
            let statistics = policy.statistics().unwrap();
            prop_assert_eq!(statistics.residual.is_some(), kind == PolicyKind::ValueIteration);
            let table = |policy: &mut dyn Policy, all| policy_table(&task, policy, all, &Budget::unlimited()).unwrap();
            let all = table(policy.as_mut(), true);
            prop_assert_eq!(all.states.len(), statistics.states);
            let mut walker = task.simulator().walker();
            // States that differ in irrelevant atoms only are one state of the table, so there may be several in the reference.
            for (number, state) in process.states.iter().enumerate() {
                walker.set_state(state).unwrap();
                let action = policy.act(state).unwrap();
                let fits = |row: &&herbrand_plan::TableState| {
                    let (share, paid) = best[number];
                    row.is_goal == walker.is_goal()
                        && row.action == action
                        && row.has_actions != walker.valid().is_empty()
                        && is_close(row.goal_probability, share)
                        && row.cost.is_some() == (share > 0.0)
                        && (!exact || row.cost.is_none_or(|cost| is_close(cost, paid / share)))
                        && has_values(row, &process.actions[number], &best, exact)
                };
                prop_assert!(all.states.iter().any(|row| fits(&row)), "{kind}: state {number} of {all:?}");
            }
            let starts: f64 = all.states.iter().map(|row| row.start).sum();
            prop_assert!(is_close(starts, 1.0));
            let reached = table(policy.as_mut(), false);
            prop_assert_eq!(reached.value, evaluated(&task, policy.as_mut()));
            check_value(all.value, process.at_start(&best), exact, "the table of all states");
            for row in &reached.states {
                let same = all.states.iter().find(|other| other.state == row.state).unwrap();
                prop_assert_eq!((row.action, row.start), (same.action, same.start));
                prop_assert!(is_close(row.goal_probability, same.goal_probability), "{kind}: {row:?} for {same:?}");
            }
        }
    }
}

/// Returns whether a row has these actions with their values: one step by the reference implementation, and then the best
/// values.
fn has_values(
    row: &herbrand_plan::TableState,
    actions: &[(ActionId, Vec<Successor>)],
    best: &[(f64, f64)],
    exact: bool,
) -> bool {
    let fits = |(action, outcomes): &(ActionId, Vec<Successor>)| {
        let found = row.values.iter().find(|value| value.action == *action);
        let (mut share, mut paid) = (0.0, 0.0);
        for &(probability, cost, next) in outcomes {
            let (reached, later) = best[next];
            share += probability * reached;
            paid += probability * (cost * reached + later);
        }
        found.is_some_and(|value| {
            is_close(value.goal_probability, share)
                && value.cost.is_some() == (share > 0.0)
                && (!exact || value.cost.is_none_or(|cost| is_close(cost, paid / share)))
        })
    };
    row.values.len() == actions.len() && actions.iter().all(fits)
}

/// On bundled problems, policy iteration, LAO* and the reference implementation agree.
#[test]
fn bundled_problems_have_one_value() {
    for (domain, problem) in [
        ("navigation", "train/01"),
        ("navigation", "train/05"),
        ("river", "train/01"),
        ("river", "train/05"),
        ("tireworld", "train/01"),
        ("tireworld", "train/03"),
        ("casino", "train/01"),
        ("exploding-blocks", "train/01"),
        ("exploding-blocks", "train/03"),
    ] {
        let task = bundled(domain, problem);
        let process = Process::of(&task, 20_000).unwrap();
        let best = process.at_start(&process.best());
        for kind in EXACT {
            check_value(
                value(kind, &task),
                best,
                true,
                &format!("{kind} in {domain} {problem}"),
            );
        }
    }
}

/// A lost robot cannot recover, so a policy is a path. The optimal one has the highest product of probabilities and, among
/// these, the fewest steps.
#[test]
fn navigation_is_a_shortest_path() {
    for problem in ["train/02", "train/07", "test/01"] {
        let task = bundled("navigation", problem);
        let process = Process::of(&task, 20_000).unwrap();
        // Each action leads to one cell, or to a dead end.
        let mut reached = vec![(0.0, 0_u32); process.states.len()];
        for (place, &is_goal) in process.goals.iter().enumerate() {
            reached[place] = (f64::from(u8::from(is_goal)), 0);
        }
        for _ in &process.states {
            for (state, actions) in process.actions.iter().enumerate() {
                for (_, outcomes) in actions {
                    for &(probability, _, next) in outcomes {
                        let (share, steps) = (probability * reached[next].0, reached[next].1 + 1);
                        let (most, least) = reached[state];
                        if share > most + 1e-12 || share > most - 1e-12 && share > 0.0 && steps < least {
                            reached[state] = (share, steps);
                        }
                    }
                }
            }
        }
        let (probability, steps) = reached[process.starts[0].1];
        let found = value(PolicyKind::PolicyIteration, &task);
        assert!(is_close(found.goal_probability, probability), "{problem}");
        assert!(is_close(found.cost.unwrap(), f64::from(steps)), "{problem}");
    }
}

const GAMBLE: &str = "(define (domain gamble) (:requirements :probabilistic-effects :negative-preconditions :action-costs)
    (:predicates (won) (lost) (near)) (:functions (total-cost))
    (:action risk :precondition (not (lost)) :effect (and (probabilistic 1/2 (won) 1/2 (lost)) (increase (total-cost) 1)))
    (:action wait :precondition (not (lost)) :effect (and (probabilistic 1/10 (won)) (increase (total-cost) 1)))
    (:action idle :precondition (not (lost)) :effect (near)))";

fn gamble(metric: &str) -> ProbabilisticTask {
    let problem =
        format!("(define (problem p) (:domain gamble) (:init (= (total-cost) 0)) (:goal (won)) {metric})");
    chance_task(&simulator(GAMBLE, &problem)).unwrap()
}

/// Waiting wins with certainty but takes long; the risky action is fast but may lose. The higher probability takes
/// precedence, whatever the number of steps. Idling at no cost does not reach the goal.
#[test]
fn the_goal_comes_before_its_price() {
    let task = gamble("(:metric minimize (total-cost))");
    for kind in EXACT {
        let found = value(kind, &task);
        assert!(
            is_close(found.goal_probability, 1.0) && is_close(found.cost.unwrap(), 10.0),
            "{kind}: {found:?}"
        );
    }
    // The chance of having won after n sweeps is 1 - 0.9ⁿ, so the last change is below 1e-11.
    let swept = policy(PolicyKind::ValueIteration, &task).statistics().unwrap();
    assert!(
        swept.iterations > 200 && swept.residual.unwrap() <= 1e-11,
        "{swept:?}"
    );
    let mut uct = policy(PolicyKind::Uct, &task);
    let found = evaluated(&task, uct.as_mut());
    assert!(found.goal_probability > 0.0 && !found.optimal);
}

/// From the first bank, the agent can walk back and forth forever, wade safely, or swim at a risk.
#[test]
fn samples_do_not_go_round_in_circles() {
    for problem in ["train/01", "train/02", "train/04"] {
        let task = bundled("river", problem);
        let best = value(PolicyKind::PolicyIteration, &task);
        let mut uct = policy(PolicyKind::Uct, &task);
        let found = evaluated(&task, uct.as_mut());
        assert!(
            is_close(found.goal_probability, best.goal_probability),
            "{problem}: {found:?} for {best:?}"
        );
    }
}

#[test]
fn runs_come_to_what_the_policy_is_worth() {
    let task = bundled("river", "train/01");
    let mut walker = task.walker().unwrap();
    for kind in PolicyKind::ALL {
        let options = EvaluateOptions {
            episodes: if kind == PolicyKind::Uct { 50 } else { 2000 },
            steps: 1000,
            seed: 7,
        };
        let set = PolicyOptions {
            iterations: 100,
            ..PolicyOptions::default()
        };
        let mut policy = kind.policy(&task, &set, &Budget::unlimited()).unwrap();
        let exact = evaluated(&task, policy.as_mut());
        let [one, other] = [0, 1]
            .map(|_| herbrand_core::evaluate(&mut walker, policy.as_mut(), &options, 1.0, |_| true).unwrap());
        assert_eq!(one, other, "{kind}");
        let (share, [low, high]) = one.goal_probability();
        let error = high - low;
        let difference = (share - exact.goal_probability).abs();
        assert!(
            difference <= error.max(0.2 * f64::from(u8::from(kind == PolicyKind::Uct))),
            "{kind}: {one:?} for {exact:?}"
        );
        let reached = one.ends[0] == Some(EpisodeEnd::Goal);
        assert_eq!(one.first.is_empty(), reached && one.returns[0] == 0.0);
        assert!(one.reached().all(|(total, length)| total == -f64::from(length)));
    }
}

#[test]
fn budgets_end_planning_under_chance() {
    let task = bundled("exploding-blocks", "test/01");
    let small = Budget::new(Limits {
        bytes: Some(2_000),
        time: None,
    });
    let cancelled = Budget::unlimited();
    cancelled.cancel();
    for kind in EXACT {
        for budget in [&small, &cancelled] {
            let exhausted = kind.policy(&task, &PolicyOptions::default(), budget);
            assert!(
                matches!(exhausted.err(), Some(TaskError::BudgetExhausted(_))),
                "{kind}"
            );
        }
    }
    for kind in [PolicyKind::Uct, PolicyKind::Replan] {
        let budget = Budget::unlimited();
        let mut policy = kind.policy(&task, &PolicyOptions::default(), &budget).unwrap();
        budget.cancel();
        let exhausted = policy.act(&task.starts()[0].1);
        assert!(matches!(exhausted, Err(TaskError::BudgetExhausted(_))), "{kind}");
    }
}

#[test]
fn states_of_other_tasks_are_refused() {
    let (task, other) = (bundled("river", "train/01"), gamble(""));
    assert!(
        ProbabilisticTask::from_state(task.simulator(), &other.starts()[0].1, &Budget::unlimited()).is_err()
    );
    for kind in PolicyKind::ALL {
        let mut policy = policy(kind, &task);
        assert!(policy.act(&other.starts()[0].1).is_err(), "{kind}");
        assert_eq!(kind.as_str().parse(), Ok(kind));
        assert!(!kind.summary().is_empty());
    }
    assert!("magic".parse::<PolicyKind>().is_err());
}

/// With the most-likely determinization, a planner finds no plan if the goal depends on an unlikely outcome.
#[test]
fn replanning_depends_on_the_determinization() {
    let domain = "(define (domain coin) (:requirements :probabilistic-effects) (:predicates (edge))
        (:action toss :effect (probabilistic 1/10 (edge))))";
    let task = chance_task(&simulator(
        domain,
        "(define (problem p) (:domain coin) (:init) (:goal (edge)))",
    ))
    .unwrap();
    for (determinization, probability) in [
        (Determinization::AllOutcomes, 1.0),
        (Determinization::MostLikely, 0.0),
    ] {
        let options = PolicyOptions {
            determinization,
            ..PolicyOptions::default()
        };
        let mut policy = PolicyKind::Replan
            .policy(&task, &options, &Budget::unlimited())
            .unwrap();
        assert_eq!(evaluated(&task, policy.as_mut()).goal_probability, probability);
    }
}

/// Every cell of a meadow has a bridge, which breaks with probability 0.1. After few walks another cell looks better than the
/// bridge: without a memory, no run crosses within 300 steps.
#[test]
fn uct_crosses_a_bridge_that_may_break() {
    let domain = "(define (domain meadow) (:requirements :typing :probabilistic-effects) (:types cell)
        (:predicates (at ?c - cell) (next ?a ?b - cell) (bank ?c - cell) (across) (drowned))
        (:action walk :parameters (?a ?b - cell) :precondition (and (at ?a) (next ?a ?b) (not (drowned)))
            :effect (and (not (at ?a)) (at ?b)))
        (:action cross :parameters (?c - cell) :precondition (and (at ?c) (bank ?c) (not (drowned)))
            :effect (and (not (at ?c)) (probabilistic 9/10 (across) 1/10 (drowned)))))";
    let cells: Vec<_> = (0..60).map(|number| format!("c{number}")).collect();
    let ways = cells
        .iter()
        .flat_map(|from| cells.iter().map(move |to| (from, to)));
    let ways: String = ways
        .filter(|(from, to)| from != to)
        .map(|(from, to)| format!("(next {from} {to})"))
        .collect();
    let banks: String = cells.iter().map(|cell| format!("(bank {cell})")).collect();
    let objects = cells.join(" ");
    let problem = format!(
        "(define (problem p) (:domain meadow) (:objects {objects} - cell) (:init (at c0) {banks} {ways}) (:goal (across)))"
    );
    let task = chance_task(&simulator(domain, &problem)).unwrap();
    let options = PolicyOptions {
        iterations: 1000,
        ..PolicyOptions::default()
    };
    let mut policy = PolicyKind::Uct
        .policy(&task, &options, &Budget::unlimited())
        .unwrap();
    let mut walker = task.walker().unwrap();
    let runs = herbrand_core::EvaluateOptions {
        steps: 300,
        episodes: 10,
        seed: 1,
    };
    let done = herbrand_core::evaluate(&mut walker, policy.as_mut(), &runs, 1.0, |_| true).unwrap();
    assert!(
        done.reached().count() >= 7,
        "{} of 10 runs arrive",
        done.reached().count()
    );
}

/// What UCT remembers of a run counts towards the memory of a decision. It would take all of it after half of this corridor.
#[test]
fn what_uct_remembers_leaves_memory_for_its_walks() {
    const CELLS: usize = 600;
    let domain = "(define (domain corridor) (:requirements :probabilistic-effects)
        (:predicates (at ?c) (next ?a ?b))
        (:action walk :parameters (?a ?b) :precondition (and (at ?a) (next ?a ?b))
            :effect (probabilistic 9/10 (and (not (at ?a)) (at ?b)))))";
    let cells: Vec<_> = (0..=CELLS).map(|number| format!("c{number}")).collect();
    let ways: String = (cells.windows(2))
        .map(|pair| format!("(next {} {})", pair[0], pair[1]))
        .collect();
    let problem = format!(
        "(define (problem p) (:domain corridor) (:objects {}) (:init (at c0) {ways}) (:goal (at c{CELLS})))",
        cells.join(" ")
    );
    let simulator = simulator(domain, &problem);
    let task = chance_task(&simulator).unwrap();
    let options = PolicyOptions {
        iterations: 2,
        decision: Limits {
            bytes: Some(60_000),
            time: None,
        },
        ..PolicyOptions::default()
    };
    let mut uct = PolicyKind::Uct
        .policy(&task, &options, &Budget::unlimited())
        .unwrap();
    for cell in &cells[..CELLS] {
        let atom = simulator.parse_atom(&format!("(at {cell})")).unwrap();
        let state = simulator.state_from_atoms([atom]).unwrap();
        assert!(uct.act(&state).unwrap().is_some(), "{cell}");
    }
}

/// Stores the choices of a policy as a table, and follows them from there.
fn stored(task: &ProbabilisticTask, rows: &[TableState]) -> Result<TabledPolicy, ActionTableError> {
    let table = ActionTable::of(task, rows, &Budget::unlimited()).unwrap();
    TabledPolicy::new(task, &table, &Budget::unlimited())
}

proptest! {
    #[test]
    fn stored_policies_act_like_the_policies(task in any_chance_task()) {
        if Process::of(&task, LIMIT).is_none() {
            return Ok(());
        }
        for kind in EXACT {
            let mut own = policy(kind, &task);
            let all = kind.covers_all_states();
            let rows = policy_table(&task, own.as_mut(), all, &Budget::unlimited()).unwrap().states;
            match stored(&task, &rows) {
                Ok(mut copy) => {
                    for row in &rows {
                        prop_assert_eq!(copy.action(&row.state), row.action);
                    }
                    let (one, other) = (evaluated(&task, &mut copy), evaluated(&task, own.as_mut()));
                    prop_assert_eq!((one.goal_probability, one.cost), (other.goal_probability, other.cost));
                }
                Err(error) => {
                    let does_nothing = |row: &TableState| row.start == 0.0 || !(row.is_goal || row.action.is_some());
                    prop_assert!(rows.iter().all(does_nothing), "{}", error);
                }
            }
        }
    }
}
