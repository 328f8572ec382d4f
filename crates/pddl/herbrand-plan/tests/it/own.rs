//! Tests of searches with a heuristic of the caller.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::exhaustive::Exhaustive;
use crate::{any_task, run, search_task, simulator};
use herbrand_limits::{Budget, BudgetExhausted, Limits};
use herbrand_plan::{
    Admissible, EstimateError, Heuristic, HeuristicKind, HeuristicPlanner, HeuristicSearch, PlanRequest,
    Planner, PlannerError, PlannerKind, Report, SearchOutcome, SearchStatistics, SearchTask, StateBatch,
};
use proptest::prelude::*;

/// A heuristic whose answers come from a function.
struct Asked<F> {
    admissible: bool,
    answer: F,
}

impl<F: FnMut(&mut StateBatch<'_>, &mut Vec<f64>) + Send> Heuristic for Asked<F> {
    fn estimate(&mut self, batch: &mut StateBatch<'_>, estimates: &mut Vec<f64>) {
        (self.answer)(batch, estimates);
    }

    fn is_admissible(&self) -> bool {
        self.admissible
    }
}

type Made<'t> = Result<Vec<Box<dyn Heuristic + 't>>, BudgetExhausted>;

fn greedy<'a>(make: impl for<'t> Fn(&'t SearchTask, &Budget) -> Made<'t> + 'a) -> HeuristicPlanner<'a> {
    HeuristicPlanner::new(HeuristicSearch::Greedy, make)
}

fn astar<'a>(make: impl for<'t> Fn(&'t SearchTask, &Budget) -> Made<'t> + 'a) -> HeuristicPlanner<'a> {
    HeuristicPlanner::new(HeuristicSearch::AStar, make)
}

/// A heuristic that gives each state the same estimate.
fn constant<'t>(estimate: f64, admissible: bool) -> Made<'t> {
    let answer = move |batch: &mut StateBatch<'_>, estimates: &mut Vec<f64>| {
        estimates.extend(batch.places().map(|_| estimate));
    };
    Ok(vec![Box::new(Asked { admissible, answer })])
}

/// Passes a heuristic of the crate on, and writes down the sizes of the batches.
fn forwarded<'t>(
    (task, budget): (&'t SearchTask, &Budget),
    kind: HeuristicKind,
    sizes: &Arc<Mutex<Vec<usize>>>,
) -> Made<'t> {
    let sizes = Arc::clone(sizes);
    let mut inner = kind.heuristic(task, budget)?;
    let admissible = inner.is_admissible();
    let answer = move |batch: &mut StateBatch<'_>, estimates: &mut Vec<f64>| {
        sizes.lock().unwrap().push(batch.places().len());
        inner.estimate(batch, estimates);
    };
    Ok(vec![Box::new(Asked { admissible, answer })])
}

fn plan(planner: &dyn Planner, task: &SearchTask, budget: Budget) -> Report {
    let mut request = PlanRequest {
        budget,
        seed: 0,
        progress: &mut |_| {},
    };
    planner.plan(task, &mut request)
}

/// The statistics without times and bytes.
fn counts(report: &Report) -> SearchStatistics {
    SearchStatistics {
        time: Duration::ZERO,
        preparation: Duration::ZERO,
        bytes: 0,
        ..report.statistics
    }
}

/// Searches by A* with a heuristic of this crate that is passed on. One state at a time, all statistics are those of the built-in
/// planner; in batches, more states are expanded, and the cost is the same.
fn check(task: &SearchTask, admissible: Admissible) {
    let expected = run(PlannerKind::AStar(admissible), task, 0);
    for size in [1, 7, 64] {
        let (kind, sizes) = (HeuristicKind::Admissible(admissible), Arc::default());
        let planner = astar(|task, budget| forwarded((task, budget), kind, &sizes));
        let report = plan(&planner.in_batches(size), task, Budget::unlimited());
        let sizes = sizes.lock().unwrap();
        assert!(
            sizes.iter().all(|&asked| (1..=size).contains(&asked)),
            "{sizes:?}"
        );
        assert_eq!(sizes.iter().sum::<usize>() as u64, report.statistics.evaluated);
        if size == 1 {
            assert_eq!(counts(&report), counts(&expected), "{admissible:?}");
            assert_eq!(report.outcome, expected.outcome, "{admissible:?}");
            continue;
        }
        assert_eq!(report.outcome.name(), expected.outcome.name());
        assert_eq!(report.statistics.best_cost, expected.statistics.best_cost);
        let proven =
            |report: &Report| matches!(&report.outcome, SearchOutcome::Plan(plan) if plan.proven_optimal);
        assert_eq!(proven(&report), proven(&expected));
        assert!(report.statistics.lower_bound <= expected.statistics.lower_bound);
    }
}

fn check_all(task: &SearchTask) {
    for admissible in [Admissible::Blind, Admissible::Maximum] {
        check(task, admissible);
    }
    // The built-in search with landmark cuts evaluates states later: it has other counts, but the same costs.
    let cut = HeuristicKind::Admissible(Admissible::LandmarkCut);
    let planner = astar(|task, budget| Ok(vec![cut.heuristic(task, budget)?]));
    let found = plan(&planner, task, Budget::unlimited());
    let expected = run(PlannerKind::AStar(Admissible::LandmarkCut), task, 0);
    assert_eq!(found.outcome.name(), expected.outcome.name());
    assert_eq!(found.statistics.best_cost, expected.statistics.best_cost);
    if found.outcome.plan().is_some() {
        assert_eq!(found.statistics.lower_bound, expected.statistics.lower_bound);
    }
}

/// A task in which the goal is five presses away, among ten buttons.
fn buttons() -> SearchTask {
    let domain =
        "(define (domain buttons) (:predicates (on ?b)) (:action press :parameters (?b) :effect (on ?b)))";
    let problem = "(define (problem p) (:domain buttons) (:objects a b c d e f g h i j)
        (:goal (and (on f) (on g) (on h) (on i) (on j))))";
    search_task(&simulator(domain, problem)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_heuristic_that_is_passed_on_searches_as_before(task in any_task()) {
        if Exhaustive::of(&task, 300).is_some() {
            check_all(&task.by_length());
        }
    }

    /// A* without a heuristic finds the costs of exhaustive search, and proves them as far as costs are exact.
    #[test]
    fn blind_search_finds_the_cheapest_plan(task in any_task(), admissible: bool, batch in 0_usize..9) {
        let Some(all) = Exhaustive::of(&task, 300) else { return Ok(()) };
        let planner = astar(|_, _| constant(0.0, admissible)).in_batches(batch);
        let Report { outcome, statistics } = plan(&planner, &task, Budget::unlimited());
        let exact = task.costs().is_exact() && task.costs().follows_metric();
        let proves = exact && statistics.rounding.is_none();
        prop_assert_eq!(statistics.lower_bound.is_some(), proves && admissible);
        match outcome {
            SearchOutcome::GoalAlreadyTrue => prop_assert!(all.goals[0]),
            SearchOutcome::ProvenUnsolvable => prop_assert!(!all.goals.contains(&true)),
            SearchOutcome::Exhausted => prop_assert!(statistics.rounding.is_some() && !all.goals.contains(&true)),
            SearchOutcome::Plan(plan) => {
                prop_assert_eq!(plan.proven_optimal, proves && admissible);
                let cheapest = all.distances()[0];
                prop_assert!(!exact || (plan.cost - cheapest).abs() < 1e-6, "{} for {cheapest}", plan.cost);
            }
            other => prop_assert!(false, "{other:?}"),
        }
    }
}

/// The first problems of the bundled domains, as far as A* without a heuristic solves them in little memory.
#[test]
fn bundled_problems_are_searched_as_before() {
    let mut compared = 0;
    for (path, text) in herbrand_domains::pddl() {
        let Some(folder) = path.strip_suffix("/train/01.pddl") else {
            continue;
        };
        let Some(domain) = herbrand_domains::file(&format!("{folder}/domain.pddl")) else {
            continue;
        };
        let Some(task) = search_task(&simulator(domain, text)) else {
            continue;
        };
        let task = task.by_length();
        let budget = Budget::new(Limits {
            bytes: Some(4 << 20),
            time: None,
        });
        let blind = plan(&PlannerKind::AStar(Admissible::Blind), &task, budget);
        if blind.outcome.plan().is_some() {
            check_all(&task);
            compared += 1;
        }
    }
    assert!(compared >= 20, "only {compared} problems are small");
}

#[test]
fn answers_that_cannot_be_used_are_errors() {
    let task = buttons();
    let error = |make: &(dyn Fn() -> Made<'static> + Sync)| {
        [greedy(|_, _| make()), astar(|_, _| make())].map(|planner| {
            match plan(&planner.in_batches(7), &task, Budget::unlimited()).outcome {
                SearchOutcome::Failed(PlannerError::Estimate(error)) => error,
                other => panic!("{other:?}"),
            }
        })
    };
    for estimate in [f64::NAN, -f64::NAN, -1.0, -f64::MIN_POSITIVE, f64::NEG_INFINITY] {
        assert_eq!(
            error(&|| constant(estimate, true)),
            [EstimateError::Value; 2],
            "{estimate}"
        );
    }
    // The number of estimates for one state.
    for estimates in [0, 2, 1000] {
        let found = error(&|| {
            let answer = move |_: &mut StateBatch<'_>, all: &mut Vec<f64>| all.resize(estimates, 1.0);
            Ok(vec![Box::new(Asked {
                admissible: true,
                answer,
            })])
        });
        assert_eq!(found, [EstimateError::Count(1, estimates); 2]);
    }
    // One state is answered, but not the batch of its successors.
    let found = error(&|| {
        let answer = |_: &mut StateBatch<'_>, all: &mut Vec<f64>| all.push(1.0);
        Ok(vec![Box::new(Asked {
            admissible: false,
            answer,
        })])
    });
    assert_eq!(
        found[0].to_string(),
        "the heuristic gave 1 estimates for 5 states"
    );
}

#[test]
fn extreme_answers_are_estimates() {
    let task = buttons();
    for estimate in [-0.0, 0.0, f64::MIN_POSITIVE, 0.3, 1e300, f64::MAX] {
        for planner in [
            greedy(|_, _| constant(estimate, false)),
            astar(|_, _| constant(estimate, false)),
        ] {
            let report = plan(&planner, &task, Budget::unlimited());
            let SearchOutcome::Plan(plan) = report.outcome else {
                panic!("{}: {:?}", planner.name(), report.outcome);
            };
            assert!(plan.steps.len() >= 5 && !plan.proven_optimal);
            assert_eq!(report.statistics.lower_bound, None);
        }
    }
    // A dead end is believed, but proves something only if the heuristic is admissible.
    for (admissible, name) in [(false, "exhausted"), (true, "proven-unsolvable")] {
        for planner in [
            greedy(|_, _| constant(f64::INFINITY, admissible)),
            astar(|_, _| constant(f64::INFINITY, admissible)),
        ] {
            assert_eq!(plan(&planner, &task, Budget::unlimited()).outcome.name(), name);
        }
    }
}

/// Fractions order the states of greedy search.
#[test]
fn fractions_guide_greedy_search() {
    let task = buttons();
    let make = |scale: f64| {
        greedy(move |task, _| {
            let goal = task.simulator().task().goal_literals().unwrap();
            let answer = move |batch: &mut StateBatch<'_>, estimates: &mut Vec<f64>| {
                for place in batch.places() {
                    let walker = batch.walker(place);
                    let missing = goal.iter().filter(|literal| !walker.holds(literal.atom()));
                    estimates.push(missing.count() as f64 * scale);
                }
            };
            Ok(vec![Box::new(Asked {
                admissible: false,
                answer,
            })])
        })
    };
    for scale in [1.0, 1e-3, 1e-300] {
        for size in [1, 7, 64] {
            let report = plan(&make(scale).in_batches(size), &task, Budget::unlimited());
            assert_eq!(
                (
                    report.statistics.expanded >= 5,
                    report.outcome.plan().unwrap().len()
                ),
                (true, 5)
            );
        }
    }
}

#[test]
fn limits_hold_while_the_heuristic_is_asked() {
    let task = buttons();
    let asked = Arc::new(AtomicUsize::new(0));
    let search = |limits: Limits, cancels_at: usize, pause: Duration, held: usize| {
        asked.store(0, Ordering::Relaxed);
        let budget = Budget::new(limits);
        if cancels_at == 0 {
            budget.cancel();
        }
        let shared = budget.clone();
        let planner = astar(|_, _| {
            let (shared, asked) = (shared.clone(), Arc::clone(&asked));
            let answer = move |batch: &mut StateBatch<'_>, estimates: &mut Vec<f64>| {
                if asked.fetch_add(1, Ordering::Relaxed) + 1 == cancels_at {
                    shared.cancel();
                }
                std::thread::sleep(pause);
                estimates.extend(batch.places().map(|_| 0.0));
            };
            Ok(vec![Box::new(Heavy {
                held,
                inner: Asked {
                    admissible: true,
                    answer,
                },
            })])
        });
        let outcome = plan(&planner, &task, budget).outcome;
        (outcome, asked.load(Ordering::Relaxed))
    };
    let (none, time) = (Limits::default(), Some(Duration::from_millis(50)));
    for cancels_at in [0, 1, 3] {
        let found = search(none, cancels_at, Duration::ZERO, 0);
        assert_eq!(found, (SearchOutcome::Cancelled, cancels_at));
    }
    let (outcome, asked) = search(Limits { time, bytes: None }, 1000, Duration::from_millis(20), 0);
    assert!(
        outcome == SearchOutcome::OutOfTime && asked <= 3,
        "asked {asked} times"
    );
    let bytes = Some(1 << 30);
    let (outcome, _) = search(Limits { time: None, bytes }, 1000, Duration::ZERO, 1 << 31);
    assert_eq!(outcome, SearchOutcome::OutOfMemory);
}

/// A heuristic that says that it holds this many bytes.
struct Heavy<H> {
    held: usize,
    inner: H,
}

impl<H: Heuristic> Heuristic for Heavy<H> {
    fn estimate(&mut self, batch: &mut StateBatch<'_>, estimates: &mut Vec<f64>) {
        self.inner.estimate(batch, estimates);
    }

    fn bytes(&self) -> usize {
        self.held
    }
}
