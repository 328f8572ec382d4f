//! Sessions for environments of agents: distances, partial observation, grades of plans.

use std::collections::BTreeSet;

use herbrand_play::{EpisodeStatus, GoalDistance, ProblemName, RequestLimits, Session};
use proptest::prelude::*;

use super::{bundled, texts};

fn open(problem: &ProblemName) -> Session {
    Session::open(problem, None, 3, RequestLimits::default()).expect("the problem opens")
}

/// A detour of two free steps beside a step that costs 5, and a step from which no way leads back.
const TOLL: &str = "(define (domain toll) (:requirements :strips :action-costs) (:predicates (at ?x) (road ?x ?y) (free ?x ?y))
  (:functions (total-cost))
  (:action pay :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y))
    :effect (and (at ?y) (not (at ?x)) (increase (total-cost) 5)))
  (:action walk :parameters (?x ?y) :precondition (and (at ?x) (free ?x ?y)) :effect (and (at ?y) (not (at ?x)))))";
const TOWN: &str = "(define (problem town) (:domain toll) (:objects a b c d)
  (:init (at a) (road a c) (free a b) (free b c) (free a d) (= (total-cost) 0)) (:goal (at c)) (:metric minimize (total-cost)))";

#[test]
fn distances_count_steps_whatever_they_cost() {
    let mut session = open(&texts(TOLL, TOWN));
    assert_eq!(session.distance(), Ok(GoalDistance::Steps(1)));
    session.step("(walk a b)").expect("the way is free");
    assert_eq!(session.distance(), Ok(GoalDistance::Steps(1)));
    session.step("(walk b c)").expect("the way is free");
    assert_eq!(session.distance(), Ok(GoalDistance::Steps(0)));
    session.undo(2).expect("the steps were taken");
    session.step("(walk a d)").expect("the way is free");
    assert_eq!(session.distance(), Ok(GoalDistance::Unreachable));
    let rddl = open(&bundled("rddl/sysadmin-mdp", "1"));
    assert_eq!(rddl.distance(), Ok(GoalDistance::Unknown));
}

#[test]
fn a_distance_is_unknown_if_a_limit_is_reached() {
    let allowance = RequestLimits::default();
    let hasty = RequestLimits {
        limits: herbrand_limits::Limits {
            time: Some(std::time::Duration::from_millis(300)),
            ..allowance.limits
        },
        ..allowance
    };
    // Compiling the problem may take longer than the limit on a busy machine.
    if let Ok(session) = Session::open(&bundled("depot", "test/10"), None, 0, hasty) {
        assert_eq!(session.distance(), Ok(GoalDistance::Unknown));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]

    /// The distance of a state is one more than the least distance of its successors.
    #[test]
    fn distances_agree_with_those_of_successors(
        domain in prop::sample::select(vec![("blocks", "train/01"), ("gripper", "train/01"), ("ferry", "train/01")]),
        steps in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
    ) {
        let mut session = open(&bundled(domain.0, domain.1));
        for index in steps {
            let actions = session.actions(100);
            if !actions.is_empty() {
                session.step(&actions[index.index(actions.len())].text).expect("it is valid");
            }
        }
        let own = session.distance().expect("the planner runs");
        if session.view().status == EpisodeStatus::Goal {
            prop_assert_eq!(own, GoalDistance::Steps(0));
            return Ok(());
        }
        let mut least = None;
        for action in session.actions(1000) {
            session.take(vec![action.action]).expect("it is valid");
            if let GoalDistance::Steps(steps) = session.distance().expect("the planner runs") {
                least = Some(least.unwrap_or(usize::MAX).min(steps));
            }
            session.undo(1).expect("it was taken");
        }
        prop_assert_eq!(own, least.map_or(GoalDistance::Unreachable, |steps| GoalDistance::Steps(steps + 1)));
    }
}

fn lines(text: &str) -> BTreeSet<&str> {
    text.lines().collect()
}

#[test]
fn an_agent_knows_what_it_has_seen() {
    let mut session = open(&bundled("coin-collector", "train/01"));
    assert!(session.is_partly_observable());
    let mut observations = vec![session.observation()];
    for step in 0..12 {
        let (observed, text, constants) = (session.observation(), session.text(), session.constants_text());
        // Nothing that was seen changes unseen here.
        let whole = lines(&text).union(&lines(&constants)).copied().collect();
        assert!(lines(&observed).is_subset(&whole), "{observed}\nbut\n{text}");
        assert!(step > 0 || lines(&observed).len() < whole.len(), "all is known");
        let actions = session.actions(100);
        let Some(action) = actions.get(step % actions.len().max(1)) else {
            break;
        };
        session.step(&action.text).expect("it is valid");
        observations.push(session.observation());
        let changes = session.observed_changes();
        let shown = lines(&observations[step + 1])
            .difference(&lines(&observations[step]))
            .count();
        assert!(changes.lines().count() >= shown, "{changes}");
    }
    assert!(observations.len() > 5);
    for expected in observations.iter().rev().skip(1) {
        session.undo(1).expect("a step was taken");
        assert_eq!(session.observation(), *expected);
    }
    let whole = open(&bundled("blocks", "train/01"));
    assert!(!whole.is_partly_observable());
    assert_eq!(whole.observation(), whole.text());
}

#[test]
fn observ_fluents_are_all_that_an_agent_sees_in_rddl() {
    let mut session = open(&bundled("rddl/sysadmin-pomdp", "1"));
    assert!(session.is_partly_observable());
    assert_eq!(session.observation(), "Nothing is known.");
    session.step("do nothing").expect("it is valid");
    assert_ne!(session.observation(), session.text());
    let view = session.view();
    for line in session
        .observation()
        .lines()
        .filter(|line| *line != "Nothing is known.")
    {
        assert!(view.text.contains(line), "{line} is not among the facts");
    }
}

#[test]
fn plans_are_graded_line_by_line() {
    let session = open(&texts(TOLL, TOWN));
    for (plan, valid, counts) in [
        ("(walk a b)\n(walk b c)", true, (2, 2, 2)),
        ("; a comment\n\nwalk a b", false, (1, 1, 1)),
        ("(walk a c)\n(fly)\n(walk b c)", false, (0, 3, 2)),
        ("", false, (0, 0, 0)),
    ] {
        let (after, check) = session.execute(plan).expect("the plan is short");
        assert_eq!(check.valid, valid, "{plan}");
        assert_eq!((check.steps, check.lines, check.readable), counts, "{plan}");
        assert_eq!(after.steps().len(), check.steps);
        assert_eq!(check.fault.is_none(), valid);
    }
    assert!(session.steps().is_empty());
}
