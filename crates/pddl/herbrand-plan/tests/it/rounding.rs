//! Claims of planners about tasks with decimals and large numbers, against a search with exact numbers.

use std::collections::VecDeque;
use std::collections::btree_map::{BTreeMap, Entry};

use herbrand_core::{Random, uniform_below};
use herbrand_limits::{Budget, Limits};
use herbrand_plan::{
    Admissible, PlanRequest, Planner, PlannerKind, PolicyKind, PolicyOptions, ProbabilisticTask,
    SearchOutcome, SearchTask, state_space,
};
use herbrand_step::{Rounding, SpaceOptions};
use proptest::prelude::*;

use crate::{run, simulator};

fn task(domain: &str, problem: &str) -> SearchTask {
    crate::search_task(&simulator(domain, problem)).unwrap()
}

/// Numbers are in thousandths.
const ONE: i128 = 1000;

/// Constants as texts and as exact numbers.
const CONSTANTS: [(&str, i128); 12] = [
    ("0", 0),
    ("1", ONE),
    ("2", 2 * ONE),
    ("3", 3 * ONE),
    ("0.5", ONE / 2),
    ("0.1", ONE / 10),
    ("0.2", ONE / 5),
    ("0.3", 3 * ONE / 10),
    ("0.7", 7 * ONE / 10),
    ("1.25", 5 * ONE / 4),
    ("9007199254740992", 9_007_199_254_740_992 * ONE),
    ("9007199254740993", 9_007_199_254_740_993 * ONE),
];

const COMPARISONS: [&str; 5] = ["<", "<=", "=", ">=", ">"];

/// A comparison of a number with a constant.
#[derive(Clone, Copy, Debug)]
struct Test {
    number: usize,
    comparison: usize,
    constant: usize,
}

/// An action that adds a constant to a number, subtracts one or assigns one.
#[derive(Clone, Copy, Debug)]
struct Action {
    test: Test,
    number: usize,
    operator: usize,
    constant: usize,
}

#[derive(Clone, Debug)]
struct Counters {
    start: [usize; 2],
    actions: Vec<Action>,
    goal: Test,
}

impl Test {
    fn random(below: &mut impl FnMut(usize) -> usize) -> Self {
        Self {
            number: below(2),
            comparison: below(5),
            constant: below(12),
        }
    }

    fn text(self) -> String {
        let name = ["x", "y"][self.number];
        format!(
            "({} ({name}) {})",
            COMPARISONS[self.comparison], CONSTANTS[self.constant].0
        )
    }

    fn holds(self, numbers: [i128; 2]) -> bool {
        let (left, right) = (numbers[self.number], CONSTANTS[self.constant].1);
        [
            left < right,
            left <= right,
            left == right,
            left >= right,
            left > right,
        ][self.comparison]
    }
}

impl Counters {
    fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        // Half of the tasks have no constants that are rounded.
        let kinds = if uniform_below(&mut random, 2) == 0 { 5 } else { 12 };
        let mut below = move |bound: usize| {
            let bound = if bound == 12 { kinds } else { bound };
            uniform_below(&mut random, bound as u32) as usize
        };
        let action = |below: &mut dyn FnMut(usize) -> usize| Action {
            test: Test::random(&mut |bound| below(bound)),
            number: below(2),
            operator: below(3),
            constant: below(12),
        };
        Self {
            start: [below(12), below(12)],
            actions: (0..=below(3)).map(|_| action(&mut below)).collect(),
            goal: Test::random(&mut below),
        }
    }

    fn texts(&self) -> (String, String) {
        let actions: String = self
            .actions
            .iter()
            .enumerate()
            .map(|(index, action)| {
                let operator = ["increase", "decrease", "assign"][action.operator];
                let (name, value) = (["x", "y"][action.number], CONSTANTS[action.constant].0);
                let test = action.test.text();
                format!("(:action a{index} :precondition {test} :effect ({operator} ({name}) {value}))")
            })
            .collect();
        let [x, y] = self.start.map(|constant| CONSTANTS[constant].0);
        (
            format!("(define (domain d) (:requirements :numeric-fluents) (:functions (x) (y)) {actions})"),
            format!(
                "(define (problem p) (:domain d) (:init (= (x) {x}) (= (y) {y})) (:goal {}))",
                self.goal.text()
            ),
        )
    }

    /// Returns the length of a shortest plan, `Some(None)` if there is none; `None` if there are many states.
    fn shortest(&self) -> Option<Option<usize>> {
        let start = self.start.map(|constant| CONSTANTS[constant].1);
        let mut found = BTreeMap::from([(start, 0)]);
        let mut open = VecDeque::from([start]);
        while let Some(numbers) = open.pop_front() {
            let depth = found[&numbers];
            if self.goal.holds(numbers) {
                return Some(Some(depth));
            }
            for action in self.actions.iter().filter(|action| action.test.holds(numbers)) {
                let (mut next, amount) = (numbers, CONSTANTS[action.constant].1);
                let number = &mut next[action.number];
                *number = [*number + amount, *number - amount, amount][action.operator];
                if let Entry::Vacant(place) = found.entry(next) {
                    place.insert(depth + 1);
                    open.push_back(next);
                }
            }
            if found.len() > 300 {
                return None;
            }
        }
        Some(None)
    }

    /// Checks the claims of some planners. Returns whether one was made, and whether a number may be rounded; `None` for a
    /// task with many states.
    fn check(&self) -> Option<(bool, bool)> {
        let shortest = self.shortest()?;
        let (domain, problem) = self.texts();
        let task = task(&domain, &problem);
        let (mut claims, mut rounds) = (false, false);
        for kind in [
            PlannerKind::Landmarks,
            PlannerKind::Anytime,
            PlannerKind::AStar(Admissible::Blind),
            PlannerKind::AStar(Admissible::LandmarkCut),
        ] {
            // A number that only seems to stay below a bound would be counted on for long.
            let mut request = PlanRequest {
                budget: Budget::new(Limits {
                    bytes: Some(1 << 22),
                    ..Limits::default()
                }),
                seed: 0,
                progress: &mut |_| {},
            };
            let report = kind.plan(&task, &mut request);
            rounds |= report.statistics.rounding.is_some();
            match report.outcome {
                SearchOutcome::ProvenUnsolvable => {
                    claims = true;
                    assert_eq!(shortest, None, "{kind} proves too much: {domain} {problem}");
                }
                SearchOutcome::Plan(plan) if plan.proven_optimal => {
                    claims = true;
                    assert_eq!(shortest, Some(plan.steps.len()), "{kind}: {domain} {problem}");
                }
                _ => {}
            }
        }
        Some((claims, rounds))
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn what_is_proven_is_true_of_exact_numbers(seed: u64) {
        Counters::random(seed).check();
    }
}

/// Otherwise the test above might hold because nothing is claimed.
#[test]
fn tasks_without_rounding_are_proven() {
    let all: Vec<_> = (0..200)
        .filter_map(|seed| Counters::random(seed).check())
        .collect();
    let claims = all.iter().filter(|one| one.0 && !one.1).count();
    let rounds = all.iter().filter(|one| one.1 && !one.0).count();
    assert!(claims > 20 && rounds > 20, "{claims} {rounds} of {}", all.len());
}

/// Tenths are rounded, and so are quotients and long sums. The same tasks in whole numbers are exact.
#[test]
fn reasons_are_named() {
    let with = |constant: &str, goal: &str, effect: &str| {
        simulator(
            "(define (domain d) (:requirements :numeric-fluents) (:functions (x))
                (:action a :precondition (< (x) LIMIT) :effect EFFECT))"
                .replace("LIMIT", constant)
                .replace("EFFECT", effect)
                .as_str(),
            &format!("(define (problem p) (:domain d) (:init (= (x) 1)) (:goal (= (x) {goal})))"),
        )
    };
    for (simulator, reason) in [
        (with("2", "1.25", "(increase (x) 0.5)"), None),
        (
            with("0.3", "5", "(increase (x) 1)"),
            Some(Rounding::Constant(0.3)),
        ),
        (
            with("2", "1.1", "(increase (x) 1)"),
            Some(Rounding::Constant(1.1)),
        ),
        (
            with("2", "5", "(increase (x) 0.1)"),
            Some(Rounding::Constant(0.1)),
        ),
        (with("2", "5", "(increase (x) (/ (x) 2))"), None),
        (
            with("2", "5", "(increase (x) (/ (x) 3))"),
            Some(Rounding::Quotient),
        ),
        (with("2", "5", "(scale-down (x) 0.5)"), None),
        (with("2", "5", "(scale-down (x) 3)"), Some(Rounding::Quotient)),
        (
            with("9007199254740993", "5", "(assign (x) 3)"),
            Some(Rounding::Constant(9_007_199_254_740_992.0)),
        ),
        (
            with("4000000000000000", "5", "(scale-up (x) 7)"),
            Some(Rounding::Digits),
        ),
    ] {
        let task = crate::search_task(&simulator).unwrap();
        let report = run(PlannerKind::AStar(Admissible::Blind), &task, 0);
        assert_eq!(report.statistics.rounding, reason);
        let outcome = if reason.is_some() {
            SearchOutcome::Exhausted
        } else {
            SearchOutcome::ProvenUnsolvable
        };
        assert_eq!(report.outcome, outcome);
        let options = SpaceOptions {
            states: 1000,
            ..SpaceOptions::default()
        };
        let space = state_space(&simulator, &options, &Budget::unlimited()).unwrap();
        assert_eq!(space.rounding, reason);
    }
}

/// A comparison of constants is decided while grounding, unless rounding may decide it.
#[test]
fn comparisons_of_static_numbers_may_be_rounded() {
    let outcome = |room: &str, load: &str, least: &str| {
        let domain = format!(
            "(define (domain d) (:requirements :numeric-fluents) (:predicates (p)) (:functions (room) (load))
                (:action a :precondition (>= (- (room) (load)) {least}) :effect (p)))"
        );
        let problem = format!(
            "(define (problem p) (:domain d) (:init (= (room) {room}) (= (load) {load})) (:goal (p)))"
        );
        run(PlannerKind::Landmarks, &task(&domain, &problem), 0).outcome
    };
    assert_eq!(outcome("0.3", "0.2", "0.1"), SearchOutcome::Exhausted);
    assert_eq!(outcome("0.3", "0.2", "0.5"), SearchOutcome::ProvenUnsolvable);
    assert_eq!(outcome("3", "2", "2"), SearchOutcome::ProvenUnsolvable);
}

/// Costs are summed in whole units, and those with more decimals are rounded.
#[test]
fn rounded_costs_prove_nothing() {
    for (cost, proves) in [
        ("0.1", true),
        ("0.000001", true),
        ("1234.567891", true),
        ("0.0000001", false),
        ("1234.0000001", false),
        ("0.00000000000001", false),
    ] {
        let domain = format!(
            "(define (domain d) (:requirements :action-costs) (:predicates (p)) (:functions (total-cost))
                (:action a :effect (and (p) (increase (total-cost) {cost})))
                (:action b :effect (and (p) (increase (total-cost) 2000))))"
        );
        let problem = "(define (problem p) (:domain d) (:init (= (total-cost) 0)) (:goal (p)) (:metric minimize (total-cost)))";
        let task = task(&domain, problem);
        let report = run(PlannerKind::AStar(Admissible::Blind), &task, 0);
        let SearchOutcome::Plan(plan) = report.outcome else {
            panic!("one step leads to the goal")
        };
        assert_eq!(plan.proven_optimal, proves, "{cost}");
    }
}

#[test]
fn policies_with_rounded_numbers_are_not_proven() {
    for (step, proves) in [("0.5", true), ("0.1", false)] {
        let domain = format!(
            "(define (domain d) (:requirements :numeric-fluents :probabilistic-effects) (:functions (x))
                (:action a :precondition (< (x) 1) :effect (probabilistic 1/2 (increase (x) {step}))))"
        );
        let problem = "(define (problem p) (:domain d) (:init (= (x) 0)) (:goal (>= (x) 1)))";
        let simulator = simulator(&domain, problem);
        let task = ProbabilisticTask::from_initial(&simulator, &Budget::unlimited()).unwrap();
        for kind in [PolicyKind::PolicyIteration, PolicyKind::Lao] {
            let policy = kind
                .policy(&task, &PolicyOptions::default(), &Budget::unlimited())
                .unwrap();
            assert_eq!(policy.value().unwrap().optimal, proves, "{kind} {step}");
        }
    }
}
