//! Tests that impossible goals, actions and predicates are reported with the reason.

use herbrand_ground::unreachable;
use herbrand_limits::{Budget, Limits};
use herbrand_pddl::{Domain, Problem};

/// Returns the warnings as lines: the message, then the texts of the labels and notes.
fn found(domain: &str, problem: &str) -> Vec<String> {
    let domain = Domain::from_text(domain).unwrap();
    let problem = Problem::from_text(problem, &domain).unwrap();
    let found = unreachable(&domain, &problem, false, &Budget::unlimited()).unwrap();
    let line = |one: &herbrand_pddl::Diagnostic| {
        let labels = one.labels().iter().map(|label| {
            let text = &label.source().text()[label.span().range()];
            format!("{text}: {}", label.text())
        });
        let lines = [one.message().to_owned()].into_iter().chain(labels);
        lines
            .chain(one.notes().iter().cloned())
            .collect::<Vec<_>>()
            .join(" | ")
    };
    found.iter().map(line).collect()
}

const TRIPS: &str = "(define (domain trips) (:requirements :typing :negative-preconditions :equality)
  (:types truck place)
  (:predicates (at ?t - truck ?p - place) (road ?p ?q - place) (closed ?p - place) (fuel ?t - truck) (towed ?t - truck))
  (:action drive :parameters (?t - truck ?p ?q - place)
    :precondition (and (at ?t ?p) (road ?p ?q) (not (closed ?q))) :effect (and (at ?t ?q) (not (at ?t ?p))))
  (:action tow :parameters (?t ?u - truck) :precondition (and (fuel ?t) (not (= ?t ?u))) :effect (towed ?u))
  (:action refuel :parameters (?t - truck) :precondition (towed ?t) :effect (fuel ?t)))";

#[test]
fn a_cycle_of_actions_that_need_each_other_is_told() {
    let found = found(
        TRIPS,
        "(define (problem p) (:domain trips) (:objects t u - truck a b - place)
           (:init (at t a) (road a b)) (:goal (and (at t b) (fuel u))))",
    );
    assert_eq!(
        found,
        [
            "the goal `(fuel u)` can never hold | (fuel u): `:init` lists none, and what adds it can never be applied: `refuel`",
            "`tow` can never be applied in `p` | tow: `(fuel ?t)` never holds: `:init` lists none, and what adds it can never be \
         applied: `refuel` | (fuel ?t): ",
            "`refuel` can never be applied in `p` | refuel: `(towed ?t)` never holds: `:init` lists none, and what adds it can \
         never be applied: `tow` | (towed ?t): ",
            "no atom of `closed` can ever be true in `p` | closed: `:init` lists none, and no action adds `closed`",
            "no atom of `fuel` can ever be true in `p` | fuel: `:init` lists none, and what adds it can never be applied: `refuel`",
            "no atom of `towed` can ever be true in `p` | towed: `:init` lists none, and what adds it can never be applied: `tow`",
        ]
    );
}

#[test]
fn the_objects_of_a_goal_are_followed_into_the_action() {
    let found = found(
        TRIPS,
        "(define (problem p) (:domain trips) (:objects t u - truck a b c d - place)
           (:init (at t a) (road a b) (road c d) (closed c) (road b c) (fuel t) (towed u))
           (:goal (and (at t c) (at t d) (at t b))))",
    );
    assert_eq!(
        found,
        [
            "the goal `(at t c)` can never hold | (at t c): no action that adds `at` can add this | `drive` would add it, but \
         `(not (closed c))` never holds: `closed` is always true there",
            "the goal `(at t d)` can never hold | (at t d): no action that adds `at` can add this | `drive` would add it, but no \
         objects satisfy `(at t ?p)` and `(road ?p d)` together",
        ]
    );
}

#[test]
fn parts_that_no_objects_share_are_told_together() {
    let found = found(
        TRIPS,
        "(define (problem p) (:domain trips) (:objects t - truck a b c - place)
           (:init (at t a) (road b c) (closed c) (fuel t) (towed t)) (:goal (and)))",
    );
    assert_eq!(
        found,
        [
            "`drive` can never be applied in `p` | drive: no objects satisfy `(at ?t ?p)` and `(road ?p ?q)` together | (at ?t ?p):  \
         | (road ?p ?q): ",
            "`tow` can never be applied in `p` | tow: `(not (= ?t ?u))` never holds",
        ]
    );
}

#[test]
fn types_rules_values_and_whole_goals_have_reasons() {
    let domain = "(define (domain shop) (:requirements :adl :derived-predicates :numeric-fluents)
      (:types robot item)
      (:predicates (has ?i - item) (rich) (ready ?i - item)) (:functions (price ?i - item) (money))
      (:derived (ready ?i - item) (and (has ?i) (rich)))
      (:action fetch :parameters (?r - robot ?i - item) :effect (has ?i))
      (:action buy :parameters (?i - item) :precondition (>= (money) 1) :effect (and (has ?i) (decrease (money) (price ?i)))))";
    let found = found(
        domain,
        "(define (problem p) (:domain shop) (:objects cup - item) (:init (= (money) 3))
           (:goal (and (ready cup) (or (has cup) (rich)))))",
    );
    assert_eq!(
        found,
        [
            "the goal `(ready cup)` can never hold | (ready cup): no rule can derive `ready` | a rule would derive it, but `(has cup)` \
         never holds: `:init` lists none, and what adds it can never be applied: `fetch`, `buy`",
            "`fetch` can never be applied in `p` | fetch: there is no object of type `robot` for `?r` | ?r: ",
            "`buy` can never be applied in `p` | buy: `(price ?i)` never has a value",
            "no atom of `has` can ever be true in `p` | has: `:init` lists none, and what adds it can never be applied: `fetch`, `buy`",
            "no atom of `rich` can ever be true in `p` | rich: `:init` lists none, and no action adds `rich`",
            "no atom of `ready` can ever be true in `p` | ready: no rule can derive `ready`",
        ]
    );
    let found = self::found(
        domain,
        "(define (problem p) (:domain shop) (:objects r - robot cup - item) (:init (rich) (= (money) 3) (= (price cup) 1))
           (:goal (exists (?i - robot) (and (= ?i ?i) (exists (?j - item) (and (rich) (not (rich)) (has ?j)))))))",
    );
    assert_eq!(
        found,
        ["the goal can never hold | (rich): `(not (rich))` never holds: `rich` is always true there",]
    );
}

/// The first search needs the type `room`, the second `key`, and the evaluated program neither.
#[test]
fn goals_and_actions_may_need_types_that_the_program_lacks() {
    let found = found(
        "(define (domain museum) (:requirements :typing) (:types room robot key)
           (:predicates (at ?r - robot ?x - room) (door ?x ?y - room) (open ?x - room) (holding ?r - robot ?k - key)
             (clean ?x - room))
           (:action move :parameters (?r - robot ?x ?y - room)
             :precondition (and (at ?r ?x) (door ?x ?y) (open ?y)) :effect (and (not (at ?r ?x)) (at ?r ?y)))
           (:action unlock :parameters (?r - robot ?k - key ?x ?y - room)
             :precondition (and (at ?r ?x) (door ?x ?y) (holding ?r ?k)) :effect (open ?y))
           (:action sweep :parameters (?r - robot ?x - room) :precondition (at ?r ?x) :effect (clean ?x)))",
        "(define (problem night) (:domain museum) (:objects hall vault - room r2 - robot brass - key)
           (:init (at r2 hall) (door hall vault) (open hall)) (:goal (and (clean hall) (clean vault))))",
    );
    let messages: Vec<_> = found.iter().filter_map(|line| line.split(" | ").next()).collect();
    assert_eq!(
        messages,
        [
            "the goal `(clean vault)` can never hold",
            "`move` can never be applied in `night`",
            "`unlock` can never be applied in `night`",
            "no atom of `holding` can ever be true in `night`",
        ]
    );
}

#[test]
fn a_spent_budget_is_an_error() {
    let domain = Domain::from_text(TRIPS).unwrap();
    let text = "(define (problem p) (:domain trips) (:objects t - truck) (:init) (:goal (fuel t)))";
    let problem = Problem::from_text(text, &domain).unwrap();
    let limits = Limits {
        bytes: Some(100),
        time: None,
    };
    let error = unreachable(&domain, &problem, false, &Budget::new(limits)).unwrap_err();
    assert!(error.to_string().contains("memory limit"), "{error}");
    let budget = Budget::unlimited();
    budget.cancel();
    assert!(unreachable(&domain, &problem, false, &budget).is_err());
}
