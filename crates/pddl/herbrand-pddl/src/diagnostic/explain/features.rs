//! E06xx: unsupported features that the parser recognises by name.

use super::{Code, Explanation};

pub(in crate::diagnostic) const EXPLANATIONS: &[Explanation] = &[
    Explanation::new(
        Code::DurativeActions,
        "Time is discrete in Herbrand: every action takes one step. Durative actions (PDDL 2.1) are not supported. \
         Write an ordinary `:action`.",
        "(define (domain kitchen)\n  (:predicates (done))\n  (:durative-action boil :duration (= ?duration 5)\n    :effect (at end (done))))",
        "(define (domain kitchen)\n  (:predicates (done))\n  (:action boil :effect (done)))",
    ),
    Explanation::new(
        Code::TimedLiterals,
        "Time is discrete in Herbrand, and only actions change the state. Timed initial literals (PDDL 2.2) are not \
         supported.",
        "(define (domain shop) (:predicates (open)))\n(define (problem p) (:domain shop)\n  (:init (at 9 (open))))",
        "(define (domain shop) (:predicates (open)))\n(define (problem p) (:domain shop)\n  (:init (open)))",
    ),
    Explanation::new(
        Code::Preferences,
        "A goal either holds or does not hold. Preferences (PDDL 3) are not supported. To value some outcomes more \
         than others, use rewards: effects such as `(increase (reward) 5)`, and `(:metric maximize (reward))` in the \
         problem.",
        "(define (domain shop) (:predicates (clean)))\n(define (problem p) (:domain shop)\n  (:goal (preference tidy (clean))))",
        "(define (domain shop) (:predicates (clean)))\n(define (problem p) (:domain shop)\n  (:goal (clean)))",
    ),
    Explanation::new(
        Code::TrajectoryConstraints,
        "A goal is a condition on the last state. Trajectory constraints (PDDL 3), which restrict the states before it, \
         are not supported. Instead, let actions record earlier events in a predicate.",
        "(define (domain shop) (:predicates (clean)))\n(define (problem p) (:domain shop)\n  (:goal (always (clean))))",
        "(define (domain shop) (:predicates (clean)))\n(define (problem p) (:domain shop)\n  (:goal (clean)))",
    ),
    Explanation::new(
        Code::ObjectFluents,
        "The value of a function is a number. Object fluents (PDDL 3.1), whose value is an object, are not supported. \
         Use a predicate with one more argument instead.",
        "(define (domain trips)\n  (:types car place)\n  (:functions (place-of ?c - car) - place))",
        "(define (domain trips)\n  (:types car place)\n  (:predicates (at ?c - car ?p - place)))",
    ),
    Explanation::new(
        Code::ContinuousEffects,
        "Only actions change the state, one step at a time. Continuous effects (PDDL 2.1) and the processes and events \
         of PDDL+ are not supported.",
        "(define (domain tanks)\n  (:functions (level))\n  (:action fill :effect (increase (level) (* #t 2))))",
        "(define (domain tanks)\n  (:functions (level))\n  (:action fill :effect (increase (level) 2)))",
    ),
    Explanation::new(
        Code::NonDeterminism,
        "If an action has several outcomes, each one needs a probability. The `oneof` of non-deterministic planning \
         gives no probabilities and is not supported. Use `probabilistic`.",
        "(define (domain coin)\n  (:predicates (heads) (tails))\n  (:action toss :effect (oneof (heads) (tails))))",
        "(define (domain coin)\n  (:predicates (heads) (tails))\n  (:action toss :effect (probabilistic 1/2 (heads) 1/2 (tails))))",
    ),
    Explanation::new(
        Code::OtherLanguage,
        "The section or keyword belongs to an older version of PDDL or to another planning language, such as \
         hierarchical task networks. Examples are the sections `:timeless`, `:safety`, `:axiom`, `:method` and `:htn`, \
         and `:vars` of an action.",
        "(define (domain zoo)\n  (:predicates (fed ?x))\n  (:timeless (fed leo)))",
        "(define (domain zoo)\n  (:predicates (fed ?x)))",
    ),
];
