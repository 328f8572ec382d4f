//! Small domains in which one detail decides whether there is an invariant.

use herbrand_ground::{GroundOptions, ground};
use herbrand_pddl::{Domain, Problem};

use crate::invariants::{check, groups};

/// Checks the groups of a domain with these actions in its reachable states, and returns their number. The actions are
/// separated by `|`, and each is a precondition and an effect over `?v` to `?z`. The constant
/// `a` is a small object.
fn count(actions: &str, initial: &str) -> usize {
    let action = |(index, action): (usize, &str)| {
        let (precondition, effect) = action.split_once("->").expect("a precondition and an effect");
        let occurs = |variable: &&str| action.contains(*variable);
        let parameters: Vec<_> = ["?v", "?w", "?x", "?y", "?z"]
            .into_iter()
            .filter(occurs)
            .collect();
        format!(
            "(:action a{index} :parameters ({})
              :precondition (and {precondition}) :effect (and {effect}))",
            parameters.join(" ")
        )
    };
    let schemas: String = actions.split('|').enumerate().map(action).collect();
    let domain = format!(
        "(define (domain cases) (:requirements :adl :probabilistic-effects) (:types small none - object)
         (:constants a - small b c - object)
         (:predicates (p ?x) (q ?x) (r ?x) (f ?x ?y) (g ?x ?y) (s) (t)) {schemas})"
    );
    let domain = Domain::from_text(&domain).expect("a domain");
    let problem = format!("(define (problem p) (:domain cases) (:init {initial}) (:goal (t)))");
    let problem = Problem::from_text(&problem, &domain).expect("a problem");
    let task = ground(&domain, &problem, &GroundOptions::default()).expect("a task");
    check(&domain, &problem);
    groups(&domain, &task).groups().len()
}

fn check_all(cases: &[(&str, &str, usize)]) {
    for &(actions, initial, expected) in cases {
        assert_eq!(count(actions, initial), expected, "{actions} from {initial}");
    }
}

#[test]
fn parts_have_at_most_one_counted_argument() {
    check_all(&[
        ("(p ?x) -> (not (p ?x)) (q ?y)", "(p a)", 1),
        ("(f ?x ?y) -> (not (f ?x ?y)) (g ?x ?z)", "(f a b) (f b c)", 2),
        ("(f ?x ?y) -> (not (f ?x ?y)) (g ?z ?y)", "(f a b) (f b c)", 2),
        ("(f ?x ?y) -> (not (f ?x ?y)) (g ?y ?z)", "(f a b) (f b c)", 2),
        ("(f ?x ?y) -> (not (f ?x ?y)) (g ?y ?x)", "(f a b) (f b c)", 2),
        ("(f ?x ?y) -> (not (f ?x ?y)) (g ?z ?v)", "(f a b)", 0),
        (
            "(p ?x) -> (not (p ?x)) (f ?x ?y) | (f ?x ?y) -> (not (f ?x ?y)) (p ?x)",
            "(p a) (p b)",
            2,
        ),
        ("(s) -> (not (s)) (p ?x)", "(s)", 1),
    ]);
}

/// No two arguments of a part are the same parameter: `(f a b)` would count with `(q b)`, though it is added beside it.
#[test]
fn arguments_of_parts_are_different_parameters() {
    let twice = "(f ?x ?x) -> (not (f ?x ?x)) (q ?x) | (q ?x) -> (not (q ?x)) (f ?x ?x)";
    let beside = format!("{twice} | (f ?x ?y) -> (not (f ?x ?y)) (f a b)");
    check_all(&[(&beside, "(q b) (f c a)", 0), (twice, "(q b)", 1)]);
}

/// If `?v` and `?w` are the same, one of the two added atoms was true already.
#[test]
fn an_atom_that_is_true_does_not_become_true() {
    check_all(&[
        (
            "(f ?v ?x) (g ?w ?y) -> (not (f ?v ?x)) (not (g ?w ?y)) (g ?v ?y) (f ?w ?z)",
            "(f a c) (g b c)",
            3,
        ),
        (
            "(f ?v ?x) (g ?w ?y) -> (not (f ?v ?x)) (not (g ?w ?y)) (f ?w ?z) (g ?v ?y)",
            "(f a c) (g b c)",
            3,
        ),
    ]);
}

/// If two effects add the same atom, it was false, so it is not the deleted atom.
#[test]
fn a_false_atom_is_not_deleted_and_added_again() {
    check_all(&[(
        "(p ?x) -> (forall (?u) (not (p ?u))) (when (s) (p ?y)) (when (t) (p ?y))",
        "(p a) (s) (t)",
        1,
    )]);
}

/// A deletion balances nothing if the step may add the deleted atom again.
#[test]
fn an_atom_that_is_added_again_is_not_deleted() {
    check_all(&[
        (
            "(p ?x) -> (not (p ?x)) (q ?y) | (p ?x) -> (not (p ?x)) (p ?x) (q ?y)",
            "(p a)",
            0,
        ),
        (
            "(p ?x) -> (not (p ?x)) (q ?y) | (p ?x) -> (not (p ?x)) (when (s) (p ?x)) (q ?y)",
            "(p a) (s)",
            0,
        ),
        (
            "(p ?x) -> (not (p ?x)) (q ?y) | (p ?x) -> (not (p ?x)) (forall (?u) (when (r ?u) (p ?u))) (q ?y)",
            "(p a) (r a)",
            0,
        ),
    ]);
}

/// Each object of a quantified effect has a draw of its own, so all alternatives may happen at once.
#[test]
fn draws_for_all_objects_add_several_atoms() {
    let back = "(q ?x) -> (not (q ?x)) (r ?x) | (r ?x) -> (not (r ?x)) (q ?x)";
    check_all(&[
        (
            "(p ?x) -> (not (p ?x)) (probabilistic 1/2 (q ?y) 1/2 (q ?z))",
            "(p a)",
            1,
        ),
        (
            "(p ?x) -> (not (p ?x)) (forall (?u) (probabilistic 1/2 (q ?u)))",
            "(p a)",
            0,
        ),
        (
            &format!("{back} | (p ?x) -> (not (p ?x)) (probabilistic 1/2 (q ?x) 1/2 (r ?x))"),
            "(p a)",
            1,
        ),
        (
            &format!("{back} | (p ?x) -> (not (p ?x)) (forall (?u) (probabilistic 1/2 (q ?x) 1/2 (r ?x)))"),
            "(p a)",
            0,
        ),
    ]);
}

/// If a draw has a condition, an alternative still happens completely or not at all.
#[test]
fn draws_under_a_condition_happen_completely() {
    let alone = "(not (p ?x)) (q ?x) | (q ?x) -> (not (q ?x)) (p ?x)";
    let draw = |drawn: &str| format!("(p ?x) -> {alone} | (p ?x) -> {drawn}");
    let both = "(when (s) (probabilistic 1/2 (and (not (p ?x)) (q ?x)) 1/4 (t)))";
    let nested = "(when (s) (probabilistic 1/2 (and (not (p ?x)) (when (t) (q ?x)))))";
    let deleted = "(when (s) (probabilistic 1/2 (not (p ?x)))) (q ?x)";
    let elsewhere = "(when (s) (probabilistic 1/2 (not (p ?x)))) (when (t) (probabilistic 1/2 (q ?x)))";
    let other = "(when (s) (probabilistic 1/2 (not (p ?x)) 1/2 (q ?x)))";
    let again = "(when (s) (probabilistic 1/2 (and (not (p ?x)) (q ?x)))) (when (t) (p ?x))";
    for (drawn, expected) in [
        (both, 2),
        (nested, 2),
        (deleted, 0),
        (elsewhere, 0),
        (other, 0),
        (again, 0),
    ] {
        check_all(&[(&draw(drawn), "(p a) (p b) (s) (t)", expected)]);
    }
}

/// An action has a rule for each disjunct of its precondition.
#[test]
fn each_disjunct_must_be_balanced() {
    check_all(&[
        (
            "(or (p ?x) (r ?x)) -> (not (p ?x)) (not (r ?x)) (q ?y)",
            "(p a)",
            1,
        ),
        (
            "(p ?x) -> (not (p ?x)) (q ?y) | (or (p ?x) (s)) -> (not (p ?x)) (q ?y)",
            "(p a) (s)",
            0,
        ),
        (
            "(exists (?u - small) (p ?u)) -> (forall (?u) (not (p ?u))) (q b)",
            "(p a)",
            1,
        ),
        (
            "(p ?x) -> (not (p ?x)) (q ?y) | (exists (?u) (p ?u)) -> (not (p a)) (q b)",
            "(p b)",
            0,
        ),
    ]);
}

/// A set without an atom that is true initially is no group: its atoms are never true, or the set is no mutex group.
#[test]
fn groups_have_one_initial_atom() {
    check_all(&[
        ("(p ?x) -> (not (p ?x)) (q ?y)", "(p a) (p b)", 0),
        (
            "(p ?x) -> (not (p ?x)) (q ?x) | (s) -> (p c)",
            "(s) (p a) (p b)",
            0,
        ),
        ("(p ?x) -> (not (p ?x)) (q ?x)", "(p a) (p b)", 2),
    ]);
}

/// Variables that nothing else names are bound only if their type has an object.
#[test]
fn conditions_need_objects() {
    check_all(&[
        (
            "(p ?x) -> (when (exists (?u - small) (= ?u ?u)) (not (p ?x))) (q ?x) | (p ?x) -> (not (p ?x)) (q ?x)",
            "(p a) (p b)",
            2,
        ),
        (
            "(p ?x) -> (when (exists (?u - none) (= ?u ?u)) (not (p ?x))) (q ?x) | (p ?x) -> (not (p ?x)) (q ?x)",
            "(p a) (p b)",
            0,
        ),
    ]);
}

/// The variable of a deletion for all objects can be any term.
#[test]
fn deletions_for_all_objects_delete_each() {
    check_all(&[
        ("(p ?x) -> (forall (?u) (not (p ?u))) (q ?x)", "(p a) (p b)", 2),
        (
            "(p ?x) -> (forall (?u - small) (not (p ?u))) (q ?x) | (p ?x) -> (not (p ?x)) (q ?x)",
            "(p a) (p b)",
            0,
        ),
    ]);
}

/// Two additions under conditions that exclude each other do not happen together.
#[test]
fn additions_under_exclusive_conditions_do_not_add_up() {
    check_all(&[
        (
            "(r ?v) -> (not (r ?v)) (when (= ?x ?y) (p ?x)) (when (not (= ?x ?y)) (p ?z))",
            "(r a)",
            1,
        ),
        (
            "(r ?v) -> (not (r ?v)) (when (s) (p ?x)) (when (not (s)) (p ?z))",
            "(r a) (s)",
            1,
        ),
        (
            "(r ?v) -> (not (r ?v)) (p ?x) | (r ?v) -> (not (r ?v)) (when (= ?x ?y) (p ?x)) (p ?z)",
            "(r a)",
            0,
        ),
    ]);
}

/// A condition of a deletion that the precondition implies is no obstacle.
#[test]
fn a_deletion_may_require_what_is_known() {
    check_all(&[
        (
            "(p ?x) (not (= ?x ?y)) -> (when (not (= ?x ?y)) (not (p ?x))) (q ?y)",
            "(p a)",
            1,
        ),
        (
            "(p ?x) (not (= ?x ?y)) -> (when (not (= ?y ?x)) (not (p ?x))) (q ?y)",
            "(p a)",
            1,
        ),
        ("(p ?x) (s) -> (when (s) (not (p ?x))) (q ?y)", "(p a) (s)", 1),
        // An atom that becomes true was false.
        ("(p ?x) -> (when (not (q ?y)) (not (p ?x))) (q ?y)", "(p a)", 1),
        (
            "(p ?x) -> (not (p ?x)) (q ?y) | (p ?x) -> (when (s) (not (p ?x))) (q ?y)",
            "(p a)",
            0,
        ),
    ]);
}

/// Two additions for terms that the precondition tells apart are in two groups.
#[test]
fn additions_for_different_terms_do_not_add_up() {
    let trade = "-> (not (f ?v ?x)) (not (g ?w ?y)) (f ?v ?y) (f ?w ?z)";
    let different = format!("(f ?v ?x) (g ?w ?y) (not (= ?v ?w)) {trade}");
    let any = format!("(f ?v ?x) (g ?w ?y) {trade}");
    check_all(&[(&different, "(f a c) (g b c)", 1), (&any, "(f a c) (g b c)", 0)]);
}
