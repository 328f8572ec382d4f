//! Learning probabilistic effects.

use herbrand_env::{ActionMode, Domain, Problem, Registry, Split, Suite};
use herbrand_learn::{Exploration, FoldtOptions, Judge, Learned, explore, learn_foldt, learn_safe};
use herbrand_limits::Budget;

/// Returns a coin that lands heads up with probability 7/10, tails up with 2/10, and rolls away with 1/10. Landing on the
/// side that is already up changes nothing, so the outcome is not visible.
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
        let prediction = learned.predict(&seen, &budget).unwrap();
        assert_eq!(
            (prediction.wrong, prediction.unsound, prediction.missed),
            (0, 0, 0)
        );
        assert!(prediction.error() > 0.1 && prediction.error() < 0.6);
    }
}

/// Returns a wet gripper lifts a block with probability 1/2, and a dry one with 95/100. A glued block never moves. After the
/// slippery gripper of Kushmerick, Hanks and Weld (1995).
fn slippery() -> Suite {
    let domain = Domain::from_text(
        "(define (domain slippery) (:requirements :adl :typing :probabilistic-effects) (:types block)
           (:predicates (wet) (held ?b - block) (glued ?b - block) (holding))
           (:action lift :parameters (?b - block) :precondition (not (holding))
            :effect (when (not (glued ?b)) (and
              (when (wet) (probabilistic 1/2 (and (held ?b) (holding))))
              (when (not (wet)) (probabilistic 95/100 (and (held ?b) (holding)))))))
           (:action drop :parameters (?b - block) :precondition (held ?b)
            :effect (and (not (held ?b)) (not (holding))))
           (:action dry :effect (probabilistic 4/5 (not (wet))))
           (:action soak :effect (wet)))",
    )
    .unwrap();
    let problem = Problem::from_text(
        "(define (problem p) (:domain slippery) (:objects a b c d e - block) (:init (glued d) (glued e)) (:goal (held a)))",
        &domain,
    )
    .unwrap();
    Suite::from_problems(domain, [problem], ActionMode::Operators).unwrap()
}

/// The tree learner finds the three contexts of one action and their probabilities.
#[test]
fn contexts_with_other_probabilities_are_found() {
    let budget = Budget::unlimited();
    let suite = slippery();
    let options = Exploration {
        episodes: 200,
        ..Exploration::default()
    };
    let seen = explore(&suite, &options, &budget).unwrap();
    let learned = learn_foldt(&seen, &FoldtOptions::default(), &budget).unwrap();
    let text = learned.to_pddl().unwrap();
    let schemas = |action: &str| {
        let index = |&of: &usize| learned.language().signatures()[of].name.as_str() == action;
        learned.action_of().iter().filter(|of| index(of)).count()
    };
    let counts = ["lift", "drop", "dry", "soak"].map(schemas);
    assert_eq!(counts[1..], [1, 1, 1], "{text}");
    assert!((3..=4).contains(&counts[0]), "{text}");
    assert!(text.contains("(glued ?b)") && text.contains("(wet)"), "{text}");
    let unseen = Exploration { seed: 7, ..options };
    let unseen = explore(&suite, &unseen, &budget).unwrap();
    let distance = Judge::new(&suite, &learned).distance(&unseen, &budget).unwrap();
    assert!(distance < 0.02, "{distance}: {text}");
    // A model with a single context has a much larger distance.
    let mixed = learn_safe(&seen, &budget).unwrap();
    let mixed = Judge::new(&suite, &mixed).distance(&unseen, &budget).unwrap();
    assert!(mixed > 2.0 * distance, "{mixed} and {distance}");
}

/// The learner finds no contexts if the outcomes do not depend on the state.
#[test]
fn no_context_is_made_up() {
    let budget = Budget::unlimited();
    for seed in 0..5 {
        let options = Exploration {
            episodes: 40,
            seed,
            ..Exploration::default()
        };
        let seen = explore(&suite(), &options, &budget).unwrap();
        let learned = learn_foldt(&seen, &FoldtOptions::default(), &budget).unwrap();
        assert_eq!(
            learned.domain().schemas.len(),
            1,
            "{}",
            learned.to_pddl().unwrap()
        );
    }
}

/// Models of the bundled probabilistic domains approach the true probabilities, and more experience brings them closer.
#[test]
fn bundled_domains_with_chance_are_learned() {
    let budget = Budget::unlimited();
    for (name, most) in [
        ("tireworld", 0.03),
        ("river", 0.03),
        ("casino", 0.03),
        ("exploding-blocks", 0.03),
        ("navigation", 0.06),
    ] {
        let suite = Registry::get(name).unwrap();
        let unseen = Exploration {
            episodes: 30,
            seed: 99,
            ..Exploration::default()
        };
        let test = suite.split(Split::Test);
        let unseen = explore(&test, &unseen, &budget).unwrap();
        let distance = |episodes| {
            let options = Exploration {
                episodes,
                ..Exploration::default()
            };
            let seen = explore(&suite.split(Split::Train), &options, &budget).unwrap();
            let learned = learn_foldt(&seen, &FoldtOptions::default(), &budget).unwrap();
            learned.to_pddl().unwrap();
            Judge::new(&test, &learned).distance(&unseen, &budget).unwrap()
        };
        let [few, many] = [10, 200].map(distance);
        assert!(many < most && many <= few, "{name}: {few}, then {many}");
    }
}

/// The distance of the learned model to the true model is near 0. The distance to another coin is the difference of the
/// probabilities.
#[test]
fn the_distance_is_that_of_the_probabilities() {
    let budget = Budget::unlimited();
    let suite = |odds: &str| {
        let domain = Domain::from_text(&format!(
            "(define (domain coin) (:requirements :probabilistic-effects) (:predicates (up ?c))
               (:action toss :parameters (?c) :effect (and (not (up ?c)) (probabilistic {odds} (up ?c)))))"
        ))
        .unwrap();
        let text = "(define (problem p) (:domain coin) (:objects a) (:init) (:goal (up a)))";
        let problem = Problem::from_text(text, &domain).unwrap();
        Suite::from_problems(domain, [problem], ActionMode::Operators).unwrap()
    };
    let options = Exploration {
        episodes: 400,
        ..Exploration::default()
    };
    let seen = explore(&suite("3/10"), &options, &budget).unwrap();
    let learned = learn_foldt(&seen, &FoldtOptions::default(), &budget).unwrap();
    let distance = |odds| {
        let suite = suite(odds);
        Judge::new(&suite, &learned).distance(&seen, &budget).unwrap()
    };
    assert!(distance("3/10") < 0.02, "{}", distance("3/10"));
    let other = distance("7/10");
    assert!((other - 0.4).abs() < 0.02, "{other}");
}
