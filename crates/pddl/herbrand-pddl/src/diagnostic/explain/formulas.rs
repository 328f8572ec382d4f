//! E03xx to E05xx: formulas and effects, numbers and probabilities, derivation rules.

use super::{Code, Explanation};

pub(in crate::diagnostic) const EXPLANATIONS: &[Explanation] = &[
    Explanation::new(
        Code::MisplacedOperator,
        "Conditions consist of `and or not imply forall exists`, `=` and comparisons. Effects consist of `and not \
         forall when probabilistic` and of `assign increase decrease scale-up scale-down`. In a condition, write \
         `imply` instead of `when`. An effect cannot contain `or`.",
        "(define (domain switches)\n  (:predicates (on) (off))\n  (:action press :effect (or (on) (off))))",
        "(define (domain switches)\n  (:predicates (on) (off))\n  (:action press :effect (probabilistic 0.5 (on) 0.5 (off))))",
    ),
    Explanation::new(
        Code::EffectOnDerived,
        "The value of a derived predicate is recomputed from its rules in every state, so an effect cannot set it. \
         Change the predicates in the bodies of the rules instead.",
        "(define (domain switches)\n  (:predicates (on) (lit))\n  (:derived (lit) (on))\n  (:action press :effect (lit)))",
        "(define (domain switches)\n  (:predicates (on) (lit))\n  (:derived (lit) (on))\n  (:action press :effect (on)))",
    ),
    Explanation::new(
        Code::EffectOnFixed,
        "The objects of a problem, their types and the equality `=` never change. Declare a predicate for a property \
         that changes.",
        "(define (domain zoo)\n  (:types egg bird)\n  (:action hatch :parameters (?x - egg) :effect (bird ?x)))",
        "(define (domain zoo)\n  (:types egg)\n  (:predicates (hatched ?x - egg))\n  (:action hatch :parameters (?x - egg) :effect (hatched ?x)))",
    ),
    Explanation::new(
        Code::MisplacedAgentAction,
        "In PDDLGym's dialect, a comment `; (:actions …)` lists the predicates that are actions of the agent. An \
         operator names the action that it carries out as a conjunct of its precondition. These predicates are not part \
         of the state, so no other condition, goal or rule can refer to them.",
        "(define (domain walk)\n  (:predicates (at ?x) (go ?x))\n  ; (:actions go)\n  (:action step :parameters (?x) :precondition (not (go ?x)) :effect (at ?x)))",
        "(define (domain walk)\n  (:predicates (at ?x) (go ?x))\n  ; (:actions go)\n  (:action step :parameters (?x) :precondition (go ?x) :effect (at ?x)))",
    ),
    Explanation::new(
        Code::SeveralAgentActions,
        "In PDDLGym's dialect, an operator carries out one action of the agent. The agent takes one action per step, so \
         an operator with two of them in its precondition would never be applicable.",
        "(define (domain walk)\n  (:predicates (at ?x) (go ?x) (run ?x))\n  ; (:actions go run)\n  (:action step :parameters (?x) :precondition (and (go ?x) (run ?x)) :effect (at ?x)))",
        "(define (domain walk)\n  (:predicates (at ?x) (go ?x) (run ?x))\n  ; (:actions go run)\n  (:action step :parameters (?x) :precondition (go ?x) :effect (at ?x)))",
    ),
    Explanation::new(
        Code::DerivedInInit,
        "A derived predicate is computed from its rules, in the initial state too. List facts of the predicates in the \
         bodies of the rules instead.",
        "(define (domain switches)\n  (:predicates (on) (lit))\n  (:derived (lit) (on)))\n(define (problem evening)\n  (:domain switches)\n  (:init (lit)))",
        "(define (domain switches)\n  (:predicates (on) (lit))\n  (:derived (lit) (on)))\n(define (problem evening)\n  (:domain switches)\n  (:init (on)))",
    ),
    Explanation::new(
        Code::OperandCount,
        "`not` takes one operand, `and` and `or` any number. `imply`, `when`, `=`, comparisons and assignments take \
         two. `forall` and `exists` take a list of variables and one formula or effect. Arithmetic operators take two \
         or more, except that `-` may have one. `probabilistic` takes pairs of a probability and an effect.",
        "(define (domain switches)\n  (:predicates (on) (off))\n  (:action press :precondition (not (on) (off))))",
        "(define (domain switches)\n  (:predicates (on) (off))\n  (:action press :precondition (and (not (on)) (not (off)))))",
    ),
    Explanation::new(
        Code::NumberOutOfRange,
        "Values of functions are double-precision numbers, so the largest is about 1.8e308 and the least about \
         -1.8e308. Probabilities are exact fractions of 64-bit integers: a decimal may have up to 19 digits.",
        "(define (domain tanks)\n  (:functions (level))\n  (:action fill :effect (assign (level) 1e999)))",
        "(define (domain tanks)\n  (:functions (level))\n  (:action fill :effect (assign (level) 1e99)))",
    ),
    Explanation::new(
        Code::InvalidProbability,
        "A probability is a decimal, an integer or a fraction from 0 to 1. It comes before its alternative.",
        "(define (domain coin)\n  (:predicates (heads))\n  (:action toss :effect (probabilistic 50 (heads))))",
        "(define (domain coin)\n  (:predicates (heads))\n  (:action toss :effect (probabilistic 1/2 (heads))))",
    ),
    Explanation::new(
        Code::ProbabilitySum,
        "The alternatives of one draw exclude each other, so their probabilities must add up to at most 1. (If the \
         sum exceeds 1 by at most a billionth, that is the warning W0402.) If the sum is less than 1, nothing happens \
         with the remaining probability. Use several `probabilistic` effects for independent events.",
        "(define (domain coin)\n  (:predicates (heads) (tails))\n  (:action toss :effect (probabilistic 0.6 (heads) 0.6 (tails))))",
        "(define (domain coin)\n  (:predicates (heads) (tails))\n  (:action toss :effect (probabilistic 0.6 (heads) 0.4 (tails))))",
    ),
    Explanation::new(
        Code::NumberExpected,
        "A number or a numeric function is required here. Objects and variables have no numeric value.",
        "(define (domain tanks)\n  (:functions (level ?x))\n  (:action fill :parameters (?x) :precondition (< (level ?x) ?x)))",
        "(define (domain tanks)\n  (:functions (level ?x))\n  (:action fill :parameters (?x) :precondition (< (level ?x) 9)))",
    ),
    Explanation::new(
        Code::ConflictingValues,
        "The initial state gives a function one value for each combination of arguments.",
        "(define (domain tanks) (:functions (level)))\n(define (problem p) (:domain tanks)\n  (:init (= (level) 1) (= (level) 2)))",
        "(define (domain tanks) (:functions (level)))\n(define (problem p) (:domain tanks)\n  (:init (= (level) 1)))",
    ),
    Explanation::new(
        Code::NegativeCycle,
        "Derived predicates may be recursive, as a path is made of shorter paths. But a derived predicate must be \
         fully computed before its negation is used, so no cycle of dependencies may contain a negation. The labels \
         show the cycle. To break it, replace the negated predicate by one that has no rules and that actions change.",
        "(define (domain game)\n  (:predicates (move ?x ?y) (wins ?x))\n  (:derived (wins ?x) (exists (?y) (and (move ?x ?y) (not (wins ?y))))))",
        "(define (domain game)\n  (:predicates (move ?x ?y) (wins ?x) (lost ?x))\n  (:derived (wins ?x) (exists (?y) (and (move ?x ?y) (lost ?y))))\n  (:action give-up :parameters (?x) :effect (lost ?x)))",
    ),
    Explanation::new(
        Code::InvalidHead,
        "The head of a derivation rule is a declared predicate with a different variable for each argument. It cannot \
         be an action of the agent (PDDLGym's dialect).",
        "(define (domain walk)\n  (:predicates (at ?x) (go ?x))\n  ; (:actions go)\n  (:derived (go ?x) (at ?x)))",
        "(define (domain walk)\n  (:predicates (at ?x) (go ?x) (near ?x))\n  ; (:actions go)\n  (:derived (near ?x) (at ?x)))",
    ),
];
