//! Warnings: the text is accepted in spite of them.

use super::{Code, Explanation};

pub(in crate::diagnostic) const EXPLANATIONS: &[Explanation] = &[
    Explanation::new(
        Code::DomainNameMismatch,
        "The name in `(:domain …)` is not the name of the given domain. The problem is read with the given domain all \
         the same, because files are often renamed. Check that the two belong together.",
        "(define (domain switches))\n(define (problem p) (:domain lamps))",
        "(define (domain switches))\n(define (problem p) (:domain switches))",
    ),
    Explanation::new(
        Code::RepeatedDeclaration,
        "Two declarations of the same name are identical. The second one is ignored. Problems often repeat the \
         constants of their domain.",
        "(define (domain switches)\n  (:predicates (on ?x) (on ?x)))",
        "(define (domain switches)\n  (:predicates (on ?x)))",
    ),
    Explanation::new(
        Code::UndeclaredSupertype,
        "The type is used as a supertype in `:types` (after a dash) but has no declaration. It is read as a type \
         directly under `object`. If that is right, declare it.",
        "(define (domain zoo)\n  (:types cat - animal))",
        "(define (domain zoo)\n  (:types cat - animal animal))",
    ),
    Explanation::new(
        Code::ShadowedVariable,
        "A quantifier binds a variable whose name is already in scope. Inside the quantifier, the name refers to the \
         inner variable. Rename one of them.",
        "(define (domain switches)\n  (:predicates (on ?x) (off ?x))\n  (:action press :parameters (?x)\n    :precondition (forall (?x) (off ?x)) :effect (on ?x)))",
        "(define (domain switches)\n  (:predicates (on ?x) (off ?x))\n  (:action press :parameters (?x)\n    :precondition (forall (?y) (off ?y)) :effect (on ?x)))",
    ),
    Explanation::new(
        Code::ObjectSubtype,
        "In PDDL, `object` is the supertype of every type. Some files declare it as an ordinary type below a root of \
         their own. Herbrand accepts them: the type above `object` is the root. An object or variable without a type \
         still has the type `object`, so it cannot be used where another subtype of the root is required. Give the \
         type another name, such as `thing`.",
        "(define (domain farm)\n  (:types animal object - entity)\n  (:predicates (held ?x - object)))",
        "(define (domain farm)\n  (:types animal thing - entity entity)\n  (:predicates (held ?x - thing)))",
    ),
    Explanation::new(
        Code::LoneType,
        "A dash gives its supertype to all names since the previous dash; line breaks do not matter. A type on a line \
         of its own therefore gets the supertype of the line below it. If the type belongs directly under `object`, \
         write `- object` after it, or move it to the end of the list. If it does belong under that supertype, move \
         it to the line below.",
        "(define (domain zoo)\n  (:types\n    animal\n    cat dog - pet\n    pet - object))",
        "(define (domain zoo)\n  (:types\n    animal - object\n    cat dog - pet\n    pet - object))",
    ),
    Explanation::new(
        Code::UnusedParameter,
        "The parameter occurs neither in the precondition nor in the effect of the action. The action is then \
         repeated for every object of the parameter's type. All these copies do the same, which slows planning down. \
         `herbrand check` reports it.",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x ?y) :effect (on ?x)))",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :effect (on ?x)))",
    ),
    Explanation::new(
        Code::UnreadName,
        "No condition, rule, metric or goal of the domain and its problems mentions the name: effects may change the predicate, \
         and `:init` may list it, but that makes no difference to any plan. It may be a leftover, or a condition may be \
         missing. A constant that no text names can still be the object of a parameter. Editors and the browser page fade such \
         a name; `herbrand check` mentions it in a note, which is no warning, if the domain has a problem there.",
        "(define (domain switches)\n  (:predicates (on ?x) (old ?x))\n  (:action press :parameters (?x) :precondition (not (on ?x))\n    :effect (and (on ?x) (old ?x))))",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :precondition (not (on ?x))\n    :effect (on ?x)))",
    ),
    Explanation::new(
        Code::MaybeMismatch,
        "Only some objects of the argument's type are of the declared type, for example because the argument has a \
         supertype of it. Herbrand accepts the text, because many existing files rely on this: an atom about one of \
         the other objects can be true like any other.",
        "(define (domain zoo)\n  (:types cat - animal animal)\n  (:predicates (purrs ?x - cat))\n  (:action stroke :parameters (?x - animal) :effect (purrs ?x)))",
        "(define (domain zoo)\n  (:types cat - animal animal)\n  (:predicates (purrs ?x - cat))\n  (:action stroke :parameters (?x - cat) :effect (purrs ?x)))",
    ),
    Explanation::new(
        Code::UnknownAgentAction,
        "In PDDLGym's dialect, a comment `; (:actions …)` lists the predicates that are actions of the agent. This name \
         is in that list but is not a declared predicate.",
        "(define (domain walk)\n  (:predicates (at ?x) (go ?x))\n  ; (:actions go run)\n  (:action step :parameters (?x) :precondition (go ?x) :effect (at ?x)))",
        "(define (domain walk)\n  (:predicates (at ?x) (go ?x))\n  ; (:actions go)\n  (:action step :parameters (?x) :precondition (go ?x) :effect (at ?x)))",
    ),
    Explanation::new(
        Code::ContradictedFact,
        "An initial state lists the facts that hold; all others are false, so a negated fact is redundant. This fact is \
         listed both negated and not negated. It holds.",
        "(define (domain switches) (:predicates (on ?x)))\n(define (problem p) (:domain switches)\n  (:objects a) (:init (on a) (not (on a))))",
        "(define (domain switches) (:predicates (on ?x)))\n(define (problem p) (:domain switches)\n  (:objects a) (:init (on a)))",
    ),
    Explanation::new(
        Code::MissingSection,
        "Without `:goal`, no state is a goal state, so no plan reaches the goal. Without `:init`, no fact holds at \
         first. A problem with a metric needs no goal, because its rewards or costs tell which plans are better. Only \
         `herbrand check` and the browser page report this.",
        "(define (domain switches)\n  (:predicates (on))\n  (:action press :effect (on)))\n(define (problem p) (:domain switches)\n  (:init))",
        "(define (domain switches)\n  (:predicates (on))\n  (:action press :effect (on)))\n(define (problem p) (:domain switches)\n  (:init) (:goal (on)))",
    ),
    Explanation::new(
        Code::NeverTrue,
        "The goal needs a fact that is not in the initial state and that no possible action adds, so the goal cannot \
         be reached. In this case, Herbrand also reports predicates that some precondition needs, but that no action \
         adds and `:init` does not list. Often a fact is missing in `:init`, or an effect in an action. The check \
         looks at predicates, not at their arguments, so it misses some goals that cannot be reached; `herbrand check \
         --ground` and the language server look at ground atoms too. Only they and the browser page report this. \
         A condition that needs a fact and its negation can never hold either.",
        "(define (domain switches)\n  (:predicates (on) (power))\n  (:action press :precondition (power) :effect (on)))\n(define (problem p) (:domain switches)\n  (:init) (:goal (on)))",
        "(define (domain switches)\n  (:predicates (on) (power))\n  (:action press :precondition (power) :effect (on)))\n(define (problem p) (:domain switches)\n  (:init (power)) (:goal (on)))",
    ),
    Explanation::new(
        Code::DeletedAndAdded,
        "An effect deletes an atom and adds the same atom. Adds come after deletes, so the atom is true afterwards, and the \
         delete does nothing. `herbrand check` reports it. If the arguments are only equal for some objects, as in a move \
         from a place to itself, there is no warning.",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :effect (and (not (on ?x)) (on ?x))))",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :effect (on ?x)))",
    ),
    Explanation::new(
        Code::NeverApplicable,
        "No objects satisfy the precondition of the action in any state that can be reached, even if nothing ever became false. \
         The message names the shortest part of the precondition that cannot hold and the reason. Often a fact is missing \
         in `:init`, or two conditions name the wrong variables. With several problems, only an action that can be applied in \
         none of them is reported. `herbrand check --ground` and the language server report it.",
        "(define (domain switches)\n  (:predicates (on ?x) (power))\n  (:action press :parameters (?x) :precondition (power) :effect (on ?x))\n  (:action pull :parameters (?x) :effect (on ?x)))\n(define (problem p) (:domain switches)\n  (:objects a) (:init) (:goal (on a)))",
        "(define (domain switches)\n  (:predicates (on ?x) (power))\n  (:action press :parameters (?x) :precondition (power) :effect (on ?x))\n  (:action pull :parameters (?x) :effect (on ?x)))\n(define (problem p) (:domain switches)\n  (:objects a) (:init (power)) (:goal (on a)))",
    ),
    Explanation::new(
        Code::NeverHolds,
        "The initial state has no atom of the predicate, and no action or rule that could add one is ever possible. So each \
         condition that needs it is false, and each that excludes it is true. Often a fact is missing in `:init`. With several \
         problems, only a predicate that is true in none of them is reported. `herbrand check --ground` and the language \
         server report it.",
        "(define (domain switches)\n  (:predicates (on ?x) (broken ?x))\n  (:action press :parameters (?x) :precondition (not (broken ?x)) :effect (on ?x)))\n(define (problem p) (:domain switches)\n  (:objects a) (:init) (:goal (on a)))",
        "(define (domain switches)\n  (:predicates (on ?x) (broken ?x))\n  (:action press :parameters (?x) :precondition (not (broken ?x)) :effect (on ?x)))\n(define (problem p) (:domain switches)\n  (:objects a b) (:init (broken b)) (:goal (on a)))",
    ),
    Explanation::new(
        Code::UnreadDerived,
        "Rules derive the predicate, but no condition of an action and no goal of the problems needs it, not even through other \
         rules. So the rules take time and change no plan. A condition may be missing. `herbrand check` reports it of a domain \
         with problems.",
        "(define (domain switches) (:requirements :derived-predicates)\n  (:predicates (on) (dark))\n  (:derived (dark) (not (on)))\n  (:action press :effect (on)))\n(define (problem p) (:domain switches)\n  (:init) (:goal (on)))",
        "(define (domain switches) (:requirements :derived-predicates)\n  (:predicates (on) (dark))\n  (:derived (dark) (not (on)))\n  (:action press :precondition (dark) :effect (on)))\n(define (problem p) (:domain switches)\n  (:init) (:goal (on)))",
    ),
    Explanation::new(
        Code::LooseNotation,
        "A goal, precondition or effect is a name without parentheses, or an initial state has its facts in `(and …)`. \
         Herbrand reads the name as an atom without arguments, and ignores the `and`. Other planners may reject the \
         text.",
        "(define (domain switches)\n  (:predicates (on) (power))\n  (:action press :precondition (power) :effect (on)))\n(define (problem p) (:domain switches)\n  (:init (and (power))) (:goal on))",
        "(define (domain switches)\n  (:predicates (on) (power))\n  (:action press :precondition (power) :effect (on)))\n(define (problem p) (:domain switches)\n  (:init (power)) (:goal (on)))",
    ),
    Explanation::new(
        Code::RepeatedFact,
        "An initial state lists one fact twice. That changes nothing, but often one of the two should have other arguments.",
        "(define (domain switches) (:predicates (on ?x)))\n(define (problem p) (:domain switches)\n  (:objects a b) (:init (on a) (on a)))",
        "(define (domain switches) (:predicates (on ?x)))\n(define (problem p) (:domain switches)\n  (:objects a b) (:init (on a) (on b)))",
    ),
    Explanation::new(
        Code::GoalHolds,
        "The initial state is a goal state, so the empty plan solves the problem. A goal that is empty holds in every state. Often \
         a condition of the goal is missing, or `:init` is the state of another problem. `herbrand check` and the browser page \
         report it, as far as facts tell: they do not compute derived predicates and numbers.",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :effect (on ?x)))\n(define (problem p) (:domain switches)\n  (:objects a b) (:init (on a)) (:goal (on a)))",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :effect (on ?x)))\n(define (problem p) (:domain switches)\n  (:objects a b) (:init (on a)) (:goal (on b)))",
    ),
    Explanation::new(
        Code::IgnoredMetric,
        "No action of the domain changes a number that the metric reads, so all plans have the same value. A metric of \
         `total-cost` or `reward` in a domain without such a function is ignored; many existing problems have one. The other \
         metrics are reported by `herbrand check` and the browser page.",
        "(define (domain switches))\n(define (problem p) (:domain switches)\n  (:metric minimize (total-cost)))",
        "(define (domain switches)\n  (:action press :effect (increase (total-cost) 1)))\n(define (problem p) (:domain switches)\n  (:metric minimize (total-cost)))",
    ),
    Explanation::new(
        Code::RescaledProbabilities,
        "The probabilities of the alternatives exceed 1 by at most a billionth, as the sum of rounded decimals may. \
         They are divided by their sum. To avoid the warning, write exact fractions such as `1/3`.",
        "(define (domain coin)\n  (:predicates (heads) (tails))\n  (:action toss :effect (probabilistic 0.5 (heads) 0.5000000001 (tails))))",
        "(define (domain coin)\n  (:predicates (heads) (tails))\n  (:action toss :effect (probabilistic 0.5 (heads) 0.5 (tails))))",
    ),
    Explanation::new(
        Code::UndefinedValue,
        "A precondition or effect reads a function that has no value for some objects: the initial state gives none, \
         and no effect assigns one. An action that reads a missing value is not valid, so plans and random walks \
         never take it. If this is not intended, add the missing value to `:init`. `herbrand check` and `herbrand \
         ground` report such actions, unless a fact that no action changes rules them out anyway.",
        "(define (domain paths)\n  (:requirements :action-costs)\n  (:predicates (at ?p) (road ?a ?b))\n  (:functions (total-cost) (length ?a ?b))\n  (:action move :parameters (?a ?b)\n    :precondition (and (at ?a) (road ?a ?b))\n    :effect (and (not (at ?a)) (at ?b) (increase (total-cost) (length ?a ?b)))))\n(define (problem hill) (:domain paths) (:objects k m)\n  (:init (at k) (road k m) (road m k) (= (length k m) 3))\n  (:goal (at m)))",
        "(define (domain paths)\n  (:requirements :action-costs)\n  (:predicates (at ?p) (road ?a ?b))\n  (:functions (total-cost) (length ?a ?b))\n  (:action move :parameters (?a ?b)\n    :precondition (and (at ?a) (road ?a ?b))\n    :effect (and (not (at ?a)) (at ?b) (increase (total-cost) (length ?a ?b)))))\n(define (problem hill) (:domain paths) (:objects k m)\n  (:init (at k) (road k m) (road m k) (= (length k m) 3) (= (length m k) 4))\n  (:goal (at m)))",
    ),
    Explanation::new(
        Code::BareFunction,
        "A function is written like an object, without parentheses. Herbrand reads it as the value of the function; other \
         planners may reject the text. `herbrand check` reports it in the actions of a domain.",
        "(define (domain switches)\n  (:requirements :action-costs)\n  (:functions (total-cost))\n  (:action press :effect (increase total-cost 1)))",
        "(define (domain switches)\n  (:requirements :action-costs)\n  (:functions (total-cost))\n  (:action press :effect (increase (total-cost) 1)))",
    ),
    Explanation::new(
        Code::NegativeCost,
        "The metric is to be minimised, and an action makes it smaller. Planners count a negative cost as 0, so a plan that they \
         call cheapest need not be. Other planners reject the task. `herbrand check` and the browser page report amounts that are \
         numbers or functions whose values never change.",
        "(define (domain switches)\n  (:requirements :action-costs)\n  (:predicates (on))\n  (:functions (total-cost) (price))\n  (:action press :effect (and (on) (increase (total-cost) (price)))))\n(define (problem p) (:domain switches)\n  (:init (= (total-cost) 0) (= (price) -3))\n  (:goal (on)) (:metric minimize (total-cost)))",
        "(define (domain switches)\n  (:requirements :action-costs)\n  (:predicates (on))\n  (:functions (total-cost) (price))\n  (:action press :effect (and (on) (increase (total-cost) (price)))))\n(define (problem p) (:domain switches)\n  (:init (= (total-cost) 0) (= (price) 3))\n  (:goal (on)) (:metric minimize (total-cost)))",
    ),
    Explanation::new(
        Code::ContradictingNumbers,
        "All effects of an action happen at once. Effects on one number have a result only if all of them increase or decrease \
         it, all scale it, or all assign the same value, and nothing is divided by 0. An action without a result cannot be \
         taken. `herbrand check` reports this for effects under the same condition whose terms have the same arguments.",
        "(define (domain tank)\n  (:requirements :numeric-fluents)\n  (:functions (level))\n  (:action fill :effect (and (increase (level) 1) (scale-up (level) 2))))",
        "(define (domain tank)\n  (:requirements :numeric-fluents)\n  (:functions (level))\n  (:action fill :effect (assign (level) (* 2 (+ (level) 1)))))",
    ),
    Explanation::new(
        Code::UnknownRequirement,
        "The flag is not one of the known flags of PDDL 1.2 to 3.1 and PPDDL 1.0. It is ignored.",
        "(define (domain switches)\n  (:requirements :strips :types))",
        "(define (domain switches)\n  (:requirements :strips :typing))",
    ),
    Explanation::new(
        Code::MissingRequirement,
        "The text uses a feature whose flag is missing from its `:requirements`. Herbrand accepts the text, but other \
         planners may reject it. A problem also has the flags of its domain. \
         `:action-costs` is enough for effects `(increase (total-cost) …)` whose amount is a number or the value of a \
         static function, with or without parameters. Other numeric effects, amounts that are computed, and comparisons \
         of numbers need `:numeric-fluents`.",
        "(define (domain switches)\n  (:requirements :strips)\n  (:predicates (on))\n  (:action press :precondition (not (on)) :effect (on)))",
        "(define (domain switches)\n  (:requirements :strips :negative-preconditions)\n  (:predicates (on))\n  (:action press :precondition (not (on)) :effect (on)))",
    ),
    Explanation::new(
        Code::UnusedRequirement,
        "The domain does not use this feature, and none of its problems can use it. Flags of features that a goal may \
         use are never reported.",
        "(define (domain switches)\n  (:requirements :strips :typing)\n  (:predicates (on ?x)))",
        "(define (domain switches)\n  (:requirements :strips)\n  (:predicates (on ?x)))",
    ),
    Explanation::new(
        Code::RefusedRequirement,
        "The flag names a feature that Herbrand does not support. The text is accepted as long as it does not use the \
         feature.",
        "(define (domain switches)\n  (:requirements :strips :preferences))",
        "(define (domain switches)\n  (:requirements :strips))",
    ),
];
