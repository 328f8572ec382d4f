//! Warnings: the text is accepted in spite of them.

use super::{Code, Explanation};

pub(in crate::diagnostic) const EXPLANATIONS: &[Explanation] = &[
    Explanation::new(
        Code::DomainNameMismatch,
        "A problem says in `(:domain …)` what the domain is called that it is for. It is read with the domain that was \
         given all the same, as files are often renamed; but the two may not belong together.",
        "(define (domain switches))\n(define (problem p) (:domain lamps))",
        "(define (domain switches))\n(define (problem p) (:domain switches))",
    ),
    Explanation::new(
        Code::RepeatedDeclaration,
        "Something is declared twice in the same way. The second declaration is ignored. Problems often list the \
         constants of their domain again.",
        "(define (domain switches)\n  (:predicates (on ?x) (on ?x)))",
        "(define (domain switches)\n  (:predicates (on ?x)))",
    ),
    Explanation::new(
        Code::UndeclaredSupertype,
        "The type stands after a dash in `:types` but is not declared itself. It is taken for a type directly under \
         `object`; if that is meant, declare it.",
        "(define (domain zoo)\n  (:types cat - animal))",
        "(define (domain zoo)\n  (:types cat - animal animal))",
    ),
    Explanation::new(
        Code::ShadowedVariable,
        "A quantifier binds a variable with the name of one that is in scope already. Inside of it the name means the \
         inner one. Another name would be easier to read.",
        "(define (domain switches)\n  (:predicates (on ?x) (off ?x))\n  (:action press :parameters (?x)\n    :precondition (forall (?x) (off ?x)) :effect (on ?x)))",
        "(define (domain switches)\n  (:predicates (on ?x) (off ?x))\n  (:action press :parameters (?x)\n    :precondition (forall (?y) (off ?y)) :effect (on ?x)))",
    ),
    Explanation::new(
        Code::ObjectSubtype,
        "In PDDL every type is a kind of `object`. Some files use the name for a type of ordinary things beside others, \
         below a root of their own. They are read as they are meant: the type above `object` is the root. What has no \
         type is still an `object`, and not of the types beside it.",
        "(define (domain farm)\n  (:types animal object - entity)\n  (:predicates (held ?x - object)))",
        "(define (domain farm)\n  (:types animal thing)\n  (:predicates (held ?x - thing)))",
    ),
    Explanation::new(
        Code::LoneType,
        "A dash gives its type to all names before it, up to the dash before, and the end of a line means nothing. A type \
         that is on a line of its own, above a line of several, is therefore a kind of what that line says. Often it was \
         to be directly under `object`: then say so, or move it behind the last dash. If it is meant, put it on the same \
         line.",
        "(define (domain zoo)\n  (:types\n    animal\n    cat dog - pet\n    pet - object))",
        "(define (domain zoo)\n  (:types\n    animal - object\n    cat dog - pet\n    pet - object))",
    ),
    Explanation::new(
        Code::MaybeMismatch,
        "The argument is of a type of which only some objects are of the type that is declared, for example of a \
         supertype. It is accepted, as many files in use rely on that; for the other objects the atom is one that the \
         declaration does not foresee.",
        "(define (domain zoo)\n  (:types cat - animal animal)\n  (:predicates (purrs ?x - cat))\n  (:action stroke :parameters (?x - animal) :effect (purrs ?x)))",
        "(define (domain zoo)\n  (:types cat - animal animal)\n  (:predicates (purrs ?x - cat))\n  (:action stroke :parameters (?x - cat) :effect (purrs ?x)))",
    ),
    Explanation::new(
        Code::UnknownAgentAction,
        "In the dialect of PDDLGym a comment `; (:actions …)` lists predicates that are the agent's actions. This name is \
         listed there, but is no predicate.",
        "(define (domain walk)\n  (:predicates (at ?x) (go ?x))\n  ; (:actions go run)\n  (:action step :parameters (?x) :precondition (go ?x) :effect (at ?x)))",
        "(define (domain walk)\n  (:predicates (at ?x) (go ?x))\n  ; (:actions go)\n  (:action step :parameters (?x) :precondition (go ?x) :effect (at ?x)))",
    ),
    Explanation::new(
        Code::ContradictedFact,
        "An initial state lists what holds; what it does not list does not hold, so that a negated fact says nothing new. \
         This one is listed too. It holds.",
        "(define (domain switches) (:predicates (on ?x)))\n(define (problem p) (:domain switches)\n  (:objects a) (:init (on a) (not (on a))))",
        "(define (domain switches) (:predicates (on ?x)))\n(define (problem p) (:domain switches)\n  (:objects a) (:init (on a)))",
    ),
    Explanation::new(
        Code::IgnoredMetric,
        "The metric measures `total-cost` or `reward`, but nothing in the domain changes it, so that all plans are \
         equally good. Many problems come with such a metric.",
        "(define (domain switches))\n(define (problem p) (:domain switches)\n  (:metric minimize (total-cost)))",
        "(define (domain switches)\n  (:action press :effect (increase (total-cost) 1)))\n(define (problem p) (:domain switches)\n  (:metric minimize (total-cost)))",
    ),
    Explanation::new(
        Code::RescaledProbabilities,
        "The probabilities of the alternatives add up to more than 1, but by no more than a billionth, as rounded decimals \
         do. They are divided by their sum. A fraction such as `1/3` is exact.",
        "(define (domain coin)\n  (:predicates (heads) (tails))\n  (:action toss :effect (probabilistic 0.5 (heads) 0.5000000001 (tails))))",
        "(define (domain coin)\n  (:predicates (heads) (tails))\n  (:action toss :effect (probabilistic 0.5 (heads) 0.5 (tails))))",
    ),
    Explanation::new(
        Code::UndefinedValue,
        "A precondition or effect reads a function of which the initial state gives no value for some objects, and no effect \
         assigns one. An action without a value that it reads is not valid, so that plans and random walks never take it. That \
         may be meant, but often a line of `:init` is missing. The checker looks for such actions by the literals of their \
         preconditions that never change; `herbrand check` and `herbrand ground` warn of them.",
        "(define (domain paths)\n  (:requirements :action-costs)\n  (:predicates (at ?p) (road ?a ?b))\n  (:functions (total-cost) (length ?a ?b))\n  (:action move :parameters (?a ?b)\n    :precondition (and (at ?a) (road ?a ?b))\n    :effect (and (not (at ?a)) (at ?b) (increase (total-cost) (length ?a ?b)))))\n(define (problem hill) (:domain paths) (:objects k m)\n  (:init (at k) (road k m) (road m k) (= (length k m) 3))\n  (:goal (at m)))",
        "(define (domain paths)\n  (:requirements :action-costs)\n  (:predicates (at ?p) (road ?a ?b))\n  (:functions (total-cost) (length ?a ?b))\n  (:action move :parameters (?a ?b)\n    :precondition (and (at ?a) (road ?a ?b))\n    :effect (and (not (at ?a)) (at ?b) (increase (total-cost) (length ?a ?b)))))\n(define (problem hill) (:domain paths) (:objects k m)\n  (:init (at k) (road k m) (road m k) (= (length k m) 3) (= (length m k) 4))\n  (:goal (at m)))",
    ),
    Explanation::new(
        Code::UnknownRequirement,
        "The flag is none of PDDL 1.2 to 3.1 or PPDDL 1.0 that is known here. It is ignored.",
        "(define (domain switches)\n  (:requirements :strips :types))",
        "(define (domain switches)\n  (:requirements :strips :typing))",
    ),
    Explanation::new(
        Code::MissingRequirement,
        "The text uses a feature whose flag is not among its `:requirements`. It is read all the same, but other planners \
         may refuse it. For a problem the flags of its domain count too. \
         `:action-costs` is enough for effects `(increase (total-cost) …)` whose amount is a number or the value of a \
         function that no effect changes, whatever its parameters. Other effects on numbers, sums and other terms as amounts, \
         and comparisons of numbers need `:numeric-fluents`.",
        "(define (domain switches)\n  (:requirements :strips)\n  (:predicates (on))\n  (:action press :precondition (not (on)) :effect (on)))",
        "(define (domain switches)\n  (:requirements :strips :negative-preconditions)\n  (:predicates (on))\n  (:action press :precondition (not (on)) :effect (on)))",
    ),
    Explanation::new(
        Code::UnusedRequirement,
        "Nothing in the domain needs this flag, and no problem can. Flags for features that a goal may use are never \
         reported.",
        "(define (domain switches)\n  (:requirements :strips :typing)\n  (:predicates (on ?x)))",
        "(define (domain switches)\n  (:requirements :strips)\n  (:predicates (on ?x)))",
    ),
    Explanation::new(
        Code::RefusedRequirement,
        "The flag names a feature that is not supported. The text is read as long as it makes no use of it.",
        "(define (domain switches)\n  (:requirements :strips :preferences))",
        "(define (domain switches)\n  (:requirements :strips))",
    ),
];
