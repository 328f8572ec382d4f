//! E01xx and E02xx: names and types.

use super::{Code, Explanation};

pub(in crate::diagnostic) const EXPLANATIONS: &[Explanation] = &[
    Explanation::new(
        Code::UnknownPredicate,
        "Predicates are declared in the section `:predicates` of the domain, derived ones too. Names are compared \
         without case; `-` and `_` are different signs.",
        "(define (domain switches)\n  (:predicates (switched-on ?x))\n  (:action press :parameters (?x) :effect (switched_on ?x)))",
        "(define (domain switches)\n  (:predicates (switched-on ?x))\n  (:action press :parameters (?x) :effect (switched-on ?x)))",
    ),
    Explanation::new(
        Code::UnknownObject,
        "Objects are declared in `:objects` of the problem, or as `:constants` of the domain. A domain can speak of \
         its constants only. A variable is written with a question mark.",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :effect (on x)))",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :effect (on ?x)))",
    ),
    Explanation::new(
        Code::UnboundVariable,
        "A variable is a parameter of the action or of the head of the rule, or a quantifier around it binds it. The \
         scope of a quantifier ends with its parenthesis. Initial states have no variables at all.",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :effect (on ?y)))",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :effect (on ?x)))",
    ),
    Explanation::new(
        Code::UnknownType,
        "Types are declared in the section `:types` of the domain. `object` is above all of them, and need not be \
         declared.",
        "(define (domain switches)\n  (:types lamp)\n  (:predicates (on ?x - lamps)))",
        "(define (domain switches)\n  (:types lamp)\n  (:predicates (on ?x - lamp)))",
    ),
    Explanation::new(
        Code::UnknownFunction,
        "Numeric functions are declared in the section `:functions` of the domain. Only `total-cost`, `reward` and, \
         in metrics, `total-time`, `goal-achieved` and `goal-probability` need no declaration.",
        "(define (domain tanks)\n  (:functions (level ?x))\n  (:action fill :parameters (?x) :effect (increase (levl ?x) 1)))",
        "(define (domain tanks)\n  (:functions (level ?x))\n  (:action fill :parameters (?x) :effect (increase (level ?x) 1)))",
    ),
    Explanation::new(
        Code::DuplicateDeclaration,
        "Two declarations use one name and say different things. Predicates cannot be told apart by their number of \
         arguments or by their types.",
        "(define (domain switches)\n  (:predicates (on ?x) (on ?x ?y)))",
        "(define (domain switches)\n  (:predicates (on ?x) (on-together ?x ?y)))",
    ),
    Explanation::new(
        Code::DuplicateVariable,
        "The variables of one list must have different names. The names in a predicate's declaration alone say \
         nothing, so that there the same name may stand twice.",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x ?x) :effect (on ?x)))",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x ?y) :effect (on ?x)))",
    ),
    Explanation::new(
        Code::ReservedName,
        "Words such as `and`, `when`, `=` or `increase` have a meaning of their own, so that a predicate or function \
         of that name could not be told apart from it.",
        "(define (domain switches)\n  (:predicates (when ?x)))",
        "(define (domain switches)\n  (:predicates (when-pressed ?x)))",
    ),
    Explanation::new(
        Code::TypeCycle,
        "Whatever belongs to a type belongs to all types above it. Types that are above each other would all be one \
         type, which hardly can be meant.",
        "(define (domain zoo)\n  (:types cat - animal animal - cat))",
        "(define (domain zoo)\n  (:types cat - animal animal))",
    ),
    Explanation::new(
        Code::TypeMismatch,
        "The argument is of a type that has no object in common with the type that the predicate or function \
         declares, so that this can never hold. Where some objects may be of both types, this is a warning.",
        "(define (domain zoo)\n  (:types cat dog)\n  (:predicates (purrs ?x - cat))\n  (:action stroke :parameters (?x - dog) :effect (purrs ?x)))",
        "(define (domain zoo)\n  (:types cat dog)\n  (:predicates (purrs ?x - cat))\n  (:action stroke :parameters (?x - cat) :effect (purrs ?x)))",
    ),
    Explanation::new(
        Code::ArityMismatch,
        "A predicate or function takes as many arguments as its declaration has variables.",
        "(define (domain switches)\n  (:predicates (wired ?x ?y))\n  (:action cut :parameters (?x ?y) :effect (not (wired ?x))))",
        "(define (domain switches)\n  (:predicates (wired ?x ?y))\n  (:action cut :parameters (?x ?y) :effect (not (wired ?x ?y))))",
    ),
];
