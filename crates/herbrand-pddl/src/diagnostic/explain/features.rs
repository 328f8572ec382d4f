//! E06xx: unsupported features that the parser recognises by name.

use super::{Code, Explanation};

pub(in crate::diagnostic) const EXPLANATIONS: &[Explanation] = &[
    Explanation::new(
        Code::DurativeActions,
        "Time is discrete here, and an action takes one step. Durative actions of PDDL 2.1 are not supported.",
        "(define (domain kitchen)\n  (:predicates (done))\n  (:durative-action boil :duration (= ?duration 5)\n    :effect (at end (done))))",
        "(define (domain kitchen)\n  (:predicates (done))\n  (:action boil :effect (done)))",
    ),
    Explanation::new(
        Code::TimedLiterals,
        "Time is discrete here, and nothing but an action changes a state. Timed initial literals of PDDL 2.2 are not \
         supported.",
        "(define (domain shop) (:predicates (open)))\n(define (problem p) (:domain shop)\n  (:init (at 9 (open))))",
        "(define (domain shop) (:predicates (open)))\n(define (problem p) (:domain shop)\n  (:init (open)))",
    ),
    Explanation::new(
        Code::Preferences,
        "A goal holds or does not hold. Preferences of PDDL 3 are not supported; what is worth more can be said by \
         rewards.",
        "(define (domain shop) (:predicates (clean)))\n(define (problem p) (:domain shop)\n  (:goal (preference tidy (clean))))",
        "(define (domain shop) (:predicates (clean)))\n(define (problem p) (:domain shop)\n  (:goal (clean)))",
    ),
    Explanation::new(
        Code::TrajectoryConstraints,
        "Goals speak of the last state only. Constraints on the states before it, of PDDL 3, are not supported; a \
         predicate can remember what has happened.",
        "(define (domain shop) (:predicates (clean)))\n(define (problem p) (:domain shop)\n  (:goal (always (clean))))",
        "(define (domain shop) (:predicates (clean)))\n(define (problem p) (:domain shop)\n  (:goal (clean)))",
    ),
    Explanation::new(
        Code::ObjectFluents,
        "The value of a function is a number. Functions to objects, of PDDL 3.1, are not supported: a predicate with one \
         more argument says the same.",
        "(define (domain trips)\n  (:types car place)\n  (:functions (place-of ?c - car) - place))",
        "(define (domain trips)\n  (:types car place)\n  (:predicates (at ?c - car ?p - place)))",
    ),
    Explanation::new(
        Code::ContinuousEffects,
        "Nothing changes but by the steps of actions. Continuous effects of PDDL 2.1, and processes and events of PDDL+, \
         are not supported.",
        "(define (domain tanks)\n  (:functions (level))\n  (:action fill :effect (increase (level) (* #t 2))))",
        "(define (domain tanks)\n  (:functions (level))\n  (:action fill :effect (increase (level) 2)))",
    ),
    Explanation::new(
        Code::NonDeterminism,
        "Where an action has several outcomes, each has its probability. The `oneof` of non-deterministic planning, which \
         gives none, is not supported.",
        "(define (domain coin)\n  (:predicates (heads) (tails))\n  (:action toss :effect (oneof (heads) (tails))))",
        "(define (domain coin)\n  (:predicates (heads) (tails))\n  (:action toss :effect (probabilistic 1/2 (heads) 1/2 (tails))))",
    ),
    Explanation::new(
        Code::OtherLanguage,
        "This belongs to an older version of PDDL or to another planning language, such as hierarchical task networks: \
         sections like `:timeless`, `:safety`, `:axiom`, `:method` or `:htn`, or an action's `:vars`.",
        "(define (domain zoo)\n  (:predicates (fed ?x))\n  (:timeless (fed leo)))",
        "(define (domain zoo)\n  (:predicates (fed ?x)))",
    ),
];
