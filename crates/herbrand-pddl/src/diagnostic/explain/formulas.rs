//! E03xx to E05xx: formulas and effects, numbers and probabilities, derivation rules.

use super::{Code, Explanation};

pub(in crate::diagnostic) const EXPLANATIONS: &[Explanation] = &[
    Explanation::new(
        Code::MisplacedOperator,
        "Conditions are made of `and or not imply forall exists`, `=` and comparisons; effects of `and not forall when \
         probabilistic` and of `assign increase decrease scale-up scale-down`. A `when` has no place in a condition, \
         where `imply` says what is meant, and an `or` none in an effect.",
        "(define (domain switches)\n  (:predicates (on) (off))\n  (:action press :effect (or (on) (off))))",
        "(define (domain switches)\n  (:predicates (on) (off))\n  (:action press :effect (probabilistic 0.5 (on) 0.5 (off))))",
    ),
    Explanation::new(
        Code::EffectOnDerived,
        "A derived predicate holds exactly where its rules say so, in every state anew. An effect changes what the \
         rules speak of, and the derived predicate follows.",
        "(define (domain switches)\n  (:predicates (on) (lit))\n  (:derived (lit) (on))\n  (:action press :effect (lit)))",
        "(define (domain switches)\n  (:predicates (on) (lit))\n  (:derived (lit) (on))\n  (:action press :effect (on)))",
    ),
    Explanation::new(
        Code::EffectOnFixed,
        "Which objects there are, of which types, and that each is equal to itself alone, never changes. What changes \
         needs a predicate.",
        "(define (domain zoo)\n  (:types egg bird)\n  (:action hatch :parameters (?x - egg) :effect (bird ?x)))",
        "(define (domain zoo)\n  (:types egg)\n  (:predicates (hatched ?x - egg))\n  (:action hatch :parameters (?x - egg) :effect (hatched ?x)))",
    ),
    Explanation::new(
        Code::MisplacedAgentAction,
        "In the dialect of PDDLGym a comment `; (:actions …)` lists predicates that are the agent's actions. An \
         operator names the one that it carries out among the conjuncts of its precondition. They are no part of the \
         state, so that no other condition, goal or rule can ask for them.",
        "(define (domain walk)\n  (:predicates (at ?x) (go ?x))\n  ; (:actions go)\n  (:action step :parameters (?x) :precondition (not (go ?x)) :effect (at ?x)))",
        "(define (domain walk)\n  (:predicates (at ?x) (go ?x))\n  ; (:actions go)\n  (:action step :parameters (?x) :precondition (go ?x) :effect (at ?x)))",
    ),
    Explanation::new(
        Code::SeveralAgentActions,
        "In the dialect of PDDLGym an operator carries out one action of the agent. With two of them in its \
         precondition it could never be carried out, as the agent does one thing at a time.",
        "(define (domain walk)\n  (:predicates (at ?x) (go ?x) (run ?x))\n  ; (:actions go run)\n  (:action step :parameters (?x) :precondition (and (go ?x) (run ?x)) :effect (at ?x)))",
        "(define (domain walk)\n  (:predicates (at ?x) (go ?x) (run ?x))\n  ; (:actions go run)\n  (:action step :parameters (?x) :precondition (go ?x) :effect (at ?x)))",
    ),
    Explanation::new(
        Code::DerivedInInit,
        "A derived predicate holds exactly where its rules say so. What is to hold at first is said of the predicates \
         that the rules speak of.",
        "(define (domain switches)\n  (:predicates (on) (lit))\n  (:derived (lit) (on)))\n(define (problem evening)\n  (:domain switches)\n  (:init (lit)))",
        "(define (domain switches)\n  (:predicates (on) (lit))\n  (:derived (lit) (on)))\n(define (problem evening)\n  (:domain switches)\n  (:init (on)))",
    ),
    Explanation::new(
        Code::OperandCount,
        "`not` takes one operand; `imply`, `when`, `forall`, `exists`, comparisons, assignments and `=` take two; \
         `and` and `or` take any number; arithmetic takes two or more, but for `-` with one operand. \
         `probabilistic` takes pairs of a probability and an effect.",
        "(define (domain switches)\n  (:predicates (on) (off))\n  (:action press :precondition (not (on) (off))))",
        "(define (domain switches)\n  (:predicates (on) (off))\n  (:action press :precondition (and (not (on)) (not (off)))))",
    ),
    Explanation::new(
        Code::NumberOutOfRange,
        "Values of functions are kept in double precision, so that they stay below about 1.8e308. Probabilities are \
         kept exactly, as fractions of integers of 64 bits: up to 19 decimals, or any fraction of such integers.",
        "(define (domain tanks)\n  (:functions (level))\n  (:action fill :effect (assign (level) 1e999)))",
        "(define (domain tanks)\n  (:functions (level))\n  (:action fill :effect (assign (level) 1e99)))",
    ),
    Explanation::new(
        Code::InvalidProbability,
        "A probability is a decimal, an integer or a fraction, from 0 to 1, written before the alternative it is for.",
        "(define (domain coin)\n  (:predicates (heads))\n  (:action toss :effect (probabilistic 50 (heads))))",
        "(define (domain coin)\n  (:predicates (heads))\n  (:action toss :effect (probabilistic 1/2 (heads))))",
    ),
    Explanation::new(
        Code::ProbabilitySum,
        "The alternatives of one draw exclude each other, so that their probabilities cannot add up to more than 1, \
         but for rounding. Where they add up to less, nothing happens with the rest. Things that happen \
         independently of each other are drawn by several `probabilistic` effects.",
        "(define (domain coin)\n  (:predicates (heads) (tails))\n  (:action toss :effect (probabilistic 0.6 (heads) 0.6 (tails))))",
        "(define (domain coin)\n  (:predicates (heads) (tails))\n  (:action toss :effect (probabilistic 0.6 (heads) 0.4 (tails))))",
    ),
    Explanation::new(
        Code::NumberExpected,
        "At this place stands a number, or a function whose value is one. Objects and variables have no value.",
        "(define (domain tanks)\n  (:functions (level ?x))\n  (:action fill :parameters (?x) :precondition (< (level ?x) ?x)))",
        "(define (domain tanks)\n  (:functions (level ?x))\n  (:action fill :parameters (?x) :precondition (< (level ?x) 9)))",
    ),
    Explanation::new(
        Code::ConflictingValues,
        "A function has one value at first for each combination of arguments.",
        "(define (domain tanks) (:functions (level)))\n(define (problem p) (:domain tanks)\n  (:init (= (level) 1) (= (level) 2)))",
        "(define (domain tanks) (:functions (level)))\n(define (problem p) (:domain tanks)\n  (:init (= (level) 1)))",
    ),
    Explanation::new(
        Code::NegativeCycle,
        "Derived predicates may depend on each other in circles, as a path does on shorter paths. But whether one holds \
         must be settled before another one asks whether it does not hold: no circle may lead through a negation. The \
         labels show the circle. Often one of the predicates can be changed by effects instead.",
        "(define (domain game)\n  (:predicates (move ?x ?y) (wins ?x))\n  (:derived (wins ?x) (exists (?y) (and (move ?x ?y) (not (wins ?y))))))",
        "(define (domain game)\n  (:predicates (move ?x ?y) (reaches ?x ?y))\n  (:derived (reaches ?x ?y) (or (move ?x ?y) (exists (?z) (and (move ?x ?z) (reaches ?z ?y))))))",
    ),
    Explanation::new(
        Code::InvalidHead,
        "The head of a derivation rule is a predicate of the state with a variable for each of its arguments, and \
         nothing but a rule says where it holds. An action of the agent (PDDLGym's dialect) is no such predicate.",
        "(define (domain walk)\n  (:predicates (at ?x) (go ?x))\n  ; (:actions go)\n  (:derived (go ?x) (at ?x)))",
        "(define (domain walk)\n  (:predicates (at ?x) (go ?x) (near ?x))\n  ; (:actions go)\n  (:derived (near ?x) (at ?x)))",
    ),
];
