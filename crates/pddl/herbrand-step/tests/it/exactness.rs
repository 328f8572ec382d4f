//! Tests that probabilities, numbers and rewards are exactly as written, on both engines.

use std::collections::BTreeSet;

use herbrand_limits::Budget;
use herbrand_pddl::{Domain, Problem};
use herbrand_step::{LiftedSimulator, Random, Simulator, all_outcomes, compile};

/// Compiles a problem without objects. Its domain has the predicates `a`, `b` and `c` and the functions `x` and `y`.
fn engines(requirements: &str, actions: &str, init: &str, rest: &str) -> (Simulator, LiftedSimulator) {
    let domain = format!(
        "(define (domain d) (:requirements :adl :probabilistic-effects :numeric-fluents {requirements})
           (:predicates (a) (b) (c)) (:functions (x) (y)) {actions})"
    );
    let domain = Domain::from_text(&domain).unwrap_or_else(|faults| panic!("{faults}"));
    let problem = format!("(define (problem p) (:domain d) (:init {init}) {rest})");
    let problem = Problem::from_text(&problem, &domain).unwrap_or_else(|faults| panic!("{faults}"));
    let lifted = LiftedSimulator::compile(&domain, &problem).unwrap();
    (compile(&domain, &problem).unwrap(), lifted)
}

/// For each outcome of the first valid action, its probability, its reward and the first number of its state.
type Seen = Vec<(f64, f64, Option<f64>)>;

/// Returns the outcomes of the first valid action, checking that both engines agree. An error is returned as its message.
fn outcomes((grounded, lifted): &(Simulator, LiftedSimulator)) -> Result<Seen, String> {
    let state = grounded.initial_state();
    let action = grounded.valid_actions(&state)[0];
    let found = grounded
        .outcomes(&state, action)
        .map_err(|error| error.to_string());
    let number = |state: &herbrand_step::State| state.numeric(herbrand_ground::NumericId::new(0));
    let found = found.map(|all| {
        let seen = all
            .iter()
            .map(|one| (one.probability, one.reward, number(&one.state)));
        seen.collect::<Vec<_>>()
    });
    let mut walker = lifted.walker().unwrap();
    let schema = walker.valid().nth(0).unwrap().schema;
    let by_views = walker.outcomes(schema, &[]).map_err(|error| error.to_string());
    let by_views = by_views.map(|all| {
        let number =
            |one: &herbrand_step::LiftedOutcome| one.state.numbers().first().map(|number| number.value());
        let seen = all.iter().map(|one| (one.probability, one.reward, number(one)));
        seen.collect::<Vec<_>>()
    });
    assert_eq!(found, by_views);
    found
}

fn shares(effect: &str) -> Vec<f64> {
    let engines = engines("", &format!("(:action act :effect {effect})"), "", "");
    let found = outcomes(&engines).unwrap();
    found.into_iter().map(|(probability, ..)| probability).collect()
}

#[test]
fn probabilities_are_as_written() {
    assert_eq!(
        shares("(probabilistic 0.9999999999 (a))"),
        [0.999_999_999_9, 1e-10]
    );
    assert_eq!(
        shares("(probabilistic 1e-15 (a))"),
        [1e-15, 0.999_999_999_999_999]
    );
    assert_eq!(shares("(probabilistic 1/3 (a) 1/3 (b) 1/3 (c))"), [1.0 / 3.0; 3]);
    assert_eq!(
        shares("(probabilistic 0.5 (a) 0.5000000009 (b))"),
        [
            5_000_000_000.0 / 10_000_000_009.0,
            5_000_000_009.0 / 10_000_000_009.0
        ]
    );
    assert_eq!(
        shares("(probabilistic 0.9999999999 (a) 0.0000000001 (probabilistic 1/2 (b)))"),
        [0.999_999_999_9, 5e-11, 5e-11]
    );
}

#[test]
fn the_most_likely_is_the_first_of_equals() {
    for (effect, expected) in [
        ("(probabilistic 1/3 (a) 1/3 (b))", "(a)"),
        ("(probabilistic 1/3 (b) 1/3 (a) 1/3 (c))", "(b)"),
        ("(probabilistic 0.1 (a) 0.45 (b) 0.45 (c))", "(b)"),
        ("(probabilistic 1/7 (a) 2/7 (b) 2/7 (c))", "(b)"),
        ("(probabilistic 0.3333333333 (a) 0.3333333333 (b))", ""),
    ] {
        let (grounded, _) = engines("", &format!("(:action act :effect {effect})"), "", "");
        let likely = grounded.most_likely();
        let outcomes = likely
            .outcomes(&likely.initial_state(), herbrand_ground::ActionId::new(0))
            .unwrap();
        let atoms = likely.atoms(&outcomes[0].state);
        let names: Vec<_> = atoms
            .map(|atom| likely.task().display_atom(atom).to_string())
            .collect();
        assert_eq!(names.concat(), expected, "{effect}");
    }
}

#[test]
fn determinized_actions_have_names_of_their_own() {
    let toss = "(probabilistic 1/2 (a) 1/4 (b))";
    let names = |actions: &[&str]| {
        let actions = actions
            .iter()
            .map(|name| format!("(:action {name} :effect {toss})"));
        let (grounded, _) = engines("", &actions.collect::<String>(), "", "");
        let certain = all_outcomes(&grounded, &Budget::unlimited()).unwrap();
        let certain = Simulator::new(std::sync::Arc::new(certain));
        let ids = certain.task().actions.ids();
        let names: Vec<_> = ids
            .map(|id| certain.task().display_action(id).to_string())
            .collect();
        let distinct: BTreeSet<_> = names.iter().collect();
        assert_eq!(distinct.len(), names.len(), "{names:?}");
        for (id, name) in certain.task().actions.ids().zip(&names) {
            assert_eq!(certain.parse_action(name), Ok(id));
        }
        names.join(" ")
    };
    assert_eq!(names(&["t"]), "(t-1) (t-2) (t-3)");
    assert_eq!(
        names(&["t", "t-1"]),
        "(t--1) (t--2) (t--3) (t-1-1) (t-1-2) (t-1-3)"
    );
    assert_eq!(
        names(&["t-", "t", "t--3"]),
        "(t--1) (t--2) (t--3-1) (t--3-2) (t--3-3)"
            .replace("(t--1) (t--2)", "(t---1) (t---2) (t---3) (t-1) (t-2) (t-3)")
    );
}

#[test]
fn increases_and_decreases_add_up() {
    let after = |init: &str, effects: &str| {
        let engines = engines("", &format!("(:action act :effect (and {effects}))"), init, "");
        outcomes(&engines).map(|all| all[0].2.unwrap())
    };
    let opposite = "(increase (x) 1e308) (decrease (x) 1e308)";
    assert_eq!(after("(= (x) 5)", opposite), Ok(5.0));
    assert_eq!(after("(= (x) 1e308)", opposite), Ok(1e308));
    let raise = "(increase (x) 1e308)";
    let twice = format!("{raise} {raise}");
    assert_eq!(after("(= (x) -1e308)", &twice), Ok(1e308));
    assert_eq!(
        after("(= (x) 0)", &twice),
        Err("(act): the effect on (x) exceeds the range of 64-bit numbers".to_owned())
    );
    let tenths = "(increase (x) 0.1) ".repeat(10);
    assert_eq!(after("(= (x) 0)", &tenths), Ok(1.0));
    assert_eq!(
        after(
            "(= (x) 3)",
            "(scale-up (x) 1e308) (scale-up (x) 1e308) (scale-down (x) 1e308) (scale-down (x) 1e308)"
        ),
        Ok(3.0)
    );
}

#[test]
fn rewards_are_those_of_the_requirements() {
    let paid = "(:action act :effect (and (a) (increase (reward) 2)))";
    let unpaid = "(:action act :effect (a))";
    for (requirements, action, rest, expected) in [
        ("", paid, "(:goal (a))", 1.0),
        ("", paid, "(:goal (b))", 0.0),
        ("", paid, "(:goal (a)) (:goal-reward 7)", 7.0),
        (":rewards", paid, "(:goal (a))", 2.0),
        (":mdp", paid, "(:goal (a))", 2.0),
        (":rewards", paid, "(:goal (a)) (:goal-reward 7)", 9.0),
        (":rewards", unpaid, "(:goal (a))", 0.0),
        (":rewards", unpaid, "(:goal (a)) (:goal-reward 7)", 7.0),
        ("", unpaid, "(:goal (a))", 1.0),
        ("", paid, "(:requirements :rewards) (:goal (a))", 2.0),
    ] {
        let engines = engines(requirements, action, "", rest);
        let place = format!("{requirements} {action} {rest}");
        assert_eq!(outcomes(&engines), Ok(vec![(1.0, expected, None)]), "{place}");
        let mut walker = engines.0.walker();
        let action = walker.valid().iter().next().unwrap();
        let taken = walker.apply(action, &mut Random::new(0));
        assert_eq!(taken.unwrap().reward, expected, "{place}");
        assert_eq!(engines.0.task().state_numerics, 0, "{place}");
    }
}

#[test]
fn a_goal_pays_when_it_is_entered() {
    let press = "(:action act :effect (and (a) (b)))";
    for (init, expected) in [("", 1.0), ("(b)", 1.0), ("(a)", 0.0)] {
        let engines = engines("", press, init, "(:goal (a))");
        let found = outcomes(&engines).unwrap();
        assert_eq!(found, [(1.0, expected, None)], "{init}");
        let mut lifted = engines.1.walker().unwrap();
        let schema = lifted.valid().nth(0).unwrap().schema;
        let taken = lifted.apply(schema, &[], &mut Random::new(0)).unwrap();
        let mut walker = engines.0.walker();
        let action = walker.valid().iter().next().unwrap();
        assert_eq!(walker.apply(action, &mut Random::new(0)).unwrap(), taken);
        assert_eq!((taken.reward, taken.goal), (expected, true), "{init}");
    }
}
