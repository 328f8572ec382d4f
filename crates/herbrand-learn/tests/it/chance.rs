//! Probabilities by counting.

use herbrand_env::{ActionMode, Domain, Problem, Suite};
use herbrand_learn::{Exploration, FoldtOptions, Judge, Learned, explore, learn_foldt, learn_safe};
use herbrand_limits::Budget;

/// A coin lands on its other side with 7/10 and rolls away with 1/10; which side is up shows in the effect only when it
/// changes.
fn suite() -> Suite {
    let domain = Domain::from_text(
        "(define (domain coin) (:requirements :typing :probabilistic-effects :negative-preconditions) (:types coin)
           (:predicates (up ?c - coin) (lost ?c - coin))
           (:action toss :parameters (?c - coin) :precondition (not (lost ?c))
            :effect (probabilistic 7/10 (up ?c) 1/10 (lost ?c) 2/10 (not (up ?c)))))",
    )
    .unwrap();
    let problem = Problem::from_text(
        "(define (problem p) (:domain coin) (:objects a b c d - coin) (:init) (:goal (and (up a) (up b))))",
        &domain,
    )
    .unwrap();
    Suite::from_problems(domain, [problem], ActionMode::Operators).unwrap()
}

fn check(learned: &Learned) {
    let text = learned.to_pddl().unwrap();
    let chances = text.split("(probabilistic").nth(1).unwrap();
    let near = |effect: &str, expected: f64| {
        let before = chances.split(effect).next().unwrap().trim();
        let word = before.rsplit(char::is_whitespace).next().unwrap();
        let share = match word.split_once('/') {
            Some((a, b)) => a.parse::<f64>().unwrap() / b.parse::<f64>().unwrap(),
            None => word.parse().unwrap(),
        };
        assert!(
            (share - expected).abs() < 0.06,
            "{effect}: {share}, not {expected}: {text}"
        );
    };
    near("(up ?c)", 0.7);
    near("(lost ?c)", 0.1);
    near("(not (up ?c))", 0.2);
}

#[test]
fn outcomes_that_do_not_show_are_counted_where_they_belong() {
    let budget = Budget::unlimited();
    let options = Exploration {
        episodes: 200,
        ..Exploration::default()
    };
    let seen = explore(&suite(), &options, &budget).unwrap();
    let safe = learn_safe(&seen, &budget).unwrap();
    let trees = learn_foldt(&seen, &FoldtOptions::default(), &budget).unwrap();
    for learned in [&safe, &trees] {
        check(learned);
        let prediction = Judge::new(&suite(), learned).predict(&seen, &budget).unwrap();
        assert_eq!(
            (prediction.wrong, prediction.unsound, prediction.missed),
            (0, 0, 0)
        );
        assert!(prediction.error() > 0.1 && prediction.error() < 0.6);
    }
}
