//! E01xx and E02xx: names and types.

use super::{Code, Explanation};

pub(in crate::diagnostic) const EXPLANATIONS: &[Explanation] = &[
    Explanation::new(
        Code::UnknownPredicate,
        "Declare every predicate, derived ones too, in the section `:predicates` of the domain. Names are \
         case-insensitive; `-` and `_` are different characters.",
        "(define (domain switches)\n  (:predicates (switched-on ?x))\n  (:action press :parameters (?x) :effect (switched_on ?x)))",
        "(define (domain switches)\n  (:predicates (switched-on ?x))\n  (:action press :parameters (?x) :effect (switched-on ?x)))",
    ),
    Explanation::new(
        Code::UnknownObject,
        "Declare objects in `:objects` of the problem or in `:constants` of the domain. A domain can name only its own \
         constants. A variable starts with a question mark.",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :effect (on x)))",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :effect (on ?x)))",
    ),
    Explanation::new(
        Code::UnboundVariable,
        "A variable must be a parameter of the action or of the rule's head, or be bound by an enclosing quantifier. \
         The scope of a quantifier ends at its closing parenthesis. Initial states contain no variables.",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :effect (on ?y)))",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :effect (on ?x)))",
    ),
    Explanation::new(
        Code::UnknownType,
        "Declare types in the section `:types` of the domain. `object` is the supertype of all of them and needs no \
         declaration.",
        "(define (domain switches)\n  (:types lamp)\n  (:predicates (on ?x - lamps)))",
        "(define (domain switches)\n  (:types lamp)\n  (:predicates (on ?x - lamp)))",
    ),
    Explanation::new(
        Code::UnknownFunction,
        "Declare numeric functions in the section `:functions` of the domain. Exceptions: `total-cost` and `reward` \
         need no declaration, and `total-time`, `goal-achieved` and `goal-probability` need none in a metric.",
        "(define (domain tanks)\n  (:functions (level ?x))\n  (:action fill :parameters (?x) :effect (increase (levl ?x) 1)))",
        "(define (domain tanks)\n  (:functions (level ?x))\n  (:action fill :parameters (?x) :effect (increase (level ?x) 1)))",
    ),
    Explanation::new(
        Code::DuplicateDeclaration,
        "Two different declarations use the same name. A predicate cannot be overloaded: two predicates need two names, \
         even if their arguments differ in number or type.",
        "(define (domain switches)\n  (:predicates (on ?x) (on ?x ?y)))",
        "(define (domain switches)\n  (:predicates (on ?x) (on-together ?x ?y)))",
    ),
    Explanation::new(
        Code::DuplicateVariable,
        "The variables of one list must have different names. The declaration of a predicate is an exception, because \
         its variable names have no meaning.",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x ?x) :effect (on ?x)))",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x ?y) :effect (on ?x)))",
    ),
    Explanation::new(
        Code::ReservedName,
        "Words such as `and`, `when`, `=` and `increase` are reserved by PDDL. Choose another name for the predicate or \
         function.",
        "(define (domain switches)\n  (:predicates (when ?x)))",
        "(define (domain switches)\n  (:predicates (when-pressed ?x)))",
    ),
    Explanation::new(
        Code::OtherDomain,
        "The problem names another domain than the given one, and most of its names are unknown there. Give the domain file \
         that belongs to the problem. If only a few names are unknown, they are reported one by one.",
        "(define (domain switches)\n  (:predicates (on ?x)))\n(define (problem p) (:domain zoo)\n  (:objects leo yard)\n  (:init (cat leo) (place yard) (at leo yard) (awake leo) (weight leo))\n  (:goal (fed leo)))",
        "(define (domain zoo)\n  (:predicates (cat ?x) (place ?x) (at ?x ?y) (awake ?x) (weight ?x) (fed ?x)))\n(define (problem p) (:domain zoo)\n  (:objects leo yard)\n  (:init (cat leo) (place yard) (at leo yard) (awake leo) (weight leo))\n  (:goal (fed leo)))",
    ),
    Explanation::new(
        Code::TypeCycle,
        "An object of a type is also an object of every supertype. Types in a cycle would all be the same type. Remove \
         one of the supertypes.",
        "(define (domain zoo)\n  (:types cat - animal animal - cat))",
        "(define (domain zoo)\n  (:types cat - animal animal))",
    ),
    Explanation::new(
        Code::TypeMismatch,
        "No object is of both the argument's type and the declared type, so the atom can never hold. If some objects \
         may be of both types, Herbrand reports a warning (W0201) instead.",
        "(define (domain zoo)\n  (:types cat dog)\n  (:predicates (purrs ?x - cat))\n  (:action stroke :parameters (?x - dog) :effect (purrs ?x)))",
        "(define (domain zoo)\n  (:types cat dog)\n  (:predicates (purrs ?x - cat))\n  (:action stroke :parameters (?x - cat) :effect (purrs ?x)))",
    ),
    Explanation::new(
        Code::ArityMismatch,
        "A predicate or function takes one argument for each variable in its declaration.",
        "(define (domain switches)\n  (:predicates (wired ?x ?y))\n  (:action cut :parameters (?x ?y) :effect (not (wired ?x))))",
        "(define (domain switches)\n  (:predicates (wired ?x ?y))\n  (:action cut :parameters (?x ?y) :effect (not (wired ?x ?y))))",
    ),
];
