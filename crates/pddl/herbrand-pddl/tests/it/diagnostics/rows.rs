//! The table of faulty inputs.

/// An input with faults.
pub struct Row {
    /// A description of the fault.
    pub name: &'static str,
    /// The text of the domain.
    pub domain: &'static str,
    /// The text of the problem; empty if there is none.
    pub problem: &'static str,
}

const fn row(name: &'static str, domain: &'static str) -> Row {
    Row {
        name,
        domain,
        problem: "",
    }
}

const fn pair(name: &'static str, domain: &'static str, problem: &'static str) -> Row {
    Row {
        name,
        domain,
        problem,
    }
}

const ZOO: &str = "(define (domain zoo)
  (:requirements :typing :numeric-fluents :derived-predicates)
  (:types cat dog - animal place animal)
  (:constants leo - cat yard - place)
  (:predicates (at ?a - animal ?p - place) (fed ?a - animal) (purrs ?c - cat) (content ?a - animal))
  (:functions (weight ?a - animal) (food))
  (:derived (content ?a) (fed ?a))
  (:action feed :parameters (?a - animal ?p - place)
    :precondition (at ?a ?p)
    :effect (and (fed ?a) (increase (weight ?a) 1) (decrease (food) 1))))";

const PATHS: &str = "(define (domain paths)
  (:requirements :typing :negative-preconditions :conditional-effects :numeric-fluents)
  (:types robot place)
  (:predicates (at ?r - robot ?p - place) (road ?a ?b - place) (closed ?a ?b - place))
  (:functions (length ?a ?b - place) (fuel ?r - robot) (speed ?r - robot) (seen ?p - place) (total-cost))
  (:action move :parameters (?r - robot ?a ?b - place)
    :precondition (and (at ?r ?a) (road ?a ?b) (not (closed ?a ?b)) (not (= ?a ?b)) (>= (fuel ?r) 1))
    :effect (and (at ?r ?b) (decrease (fuel ?r) 1) (assign (seen ?b) 1) (increase (seen ?a) 1)
      (when (closed ?b ?a) (increase (total-cost) (speed ?r)))
      (increase (total-cost) (length ?a ?b)))))";

const COFFEE: &str = "(define (domain coffee)
  (:requirements :strips :typing :negative-preconditions)
  (:types room cup)
  (:predicates (at ?r - room) (cup-in ?c - cup ?r - room) (holding ?c) (full ?c - cup) (machine ?r - room)
    (handempty) (door ?a ?b - room))
  (:action move :parameters (?from ?to - room)
    :precondition (and (at ?from) (door ?from ?to))
    :effect (and (at ?to) (not (at ?from))))
  (:action pick :parameters (?c - cup ?r - room)
    :precondition (and (at ?r) (cup-in ?c ?r) (handempty))
    :effect (and (holding ?c) (not (cup-in ?c ?r)) (not (handempty))))
  (:action brew :parameters (?c - cup ?r - room)
    :precondition (and (at ?r) (holding ?c) (machine ?r) (not (full ?c)))
    :effect (full ?c))
  (:action put-down :parameters (?c - cup ?r - room)
    :precondition (and (at ?r) (holding ?c))
    :effect (and (cup-in ?c ?r) (not (holding ?c)) (handempty))))";

pub const GROUPS: &[(&str, &[Row])] = &[
    (
        "text",
        &[
            row("empty file", ""),
            row("nothing but a comment", "; (define (domain d))"),
            row("missing define", "(domain switches) (:predicates (on))"),
            row("stray words", "define (domain d)"),
            row("a section before any definition", "(:predicates (on))"),
            row("no title", "(define switches (:predicates (on)))"),
            row("a definition of something else", "(define (world w))"),
            row("no name", "(define (domain) (:predicates (on)))"),
            row(
                "a character of no use",
                "(define (domain d) (:predicates (gr\u{fc}n)))",
            ),
            row("a quoted string", "(define (domain d) (:predicates (\"on\")))"),
            row(
                "unbalanced parenthesis in a section",
                "(define (domain d)\n  (:predicates (on ?x)\n  (:action a :parameters (?x) :effect (on ?x)))",
            ),
            row(
                "two parentheses missing in an action",
                "(define (domain d)\n  (:predicates (on ?x))\n  (:action a :parameters (?x)\n    :effect (and (on ?x)\n  (:action b :effect ()))",
            ),
            row(
                "a parenthesis missing in the precondition of the last action",
                "(define (domain d)\n  (:predicates (p ?x) (q ?x))\n  (:action a :parameters (?x)\n    :precondition (and (p ?x) (q ?x)\n    :effect (and (p ?x) (not (q ?x)))))",
            ),
            row(
                "parameters in a list that is not closed",
                "(define (domain d)\n  (:predicates (p ?x))\n  (:action a :parameters (?x :effect (p ?x)))",
            ),
            row(
                "a parenthesis missing after a precondition, and a predicate misspelt",
                "(define (domain d)\n  (:requirements :strips :typing)\n  (:predicates (p ?x) (q ?x))\n  (:action a :parameters (?x)\n    :precondition (and (p ?x) (qq ?x)\n    :effect (and (not (p ?x)) (q ?y)))\n  (:action b :parameters (?x) :precondition (not (p ?y)) :effect (p ?x)))",
            ),
            pair(
                "a parenthesis missing in a declaration",
                "(define (domain d) (:requirements :typing) (:types truck place floor lamp)\n  (:predicates (at ?a - truck ?p - place) (keeper-at ?f - floor\n               (lit ?l - lamp) (dark ?l - (either lamp floor)))\n  (:action a :parameters (?l - lamp) :precondition (dark ?l) :effect (lit ?l)))",
                "(define (problem p) (:domain d) (:objects l - lamp f - floor) (:init (keeper-at f) (dark l)) (:goal (lit ll)))",
            ),
            row(
                "parentheses missing in two declarations of functions",
                "(define (domain d) (:requirements :typing :numeric-fluents) (:types t)\n  (:functions (f ?x - t) (g ?x - (either t\n    (h ?x - t) - number (i\n    (j))\n  (:action a :parameters (?x - t) :effect (and (increase (g ?x) (h ?x)) (increase (i) (j)))))",
            ),
            row(
                "a list in a declaration",
                "(define (domain d) (:predicates (p ?x (q ?y)) (r))\n  (:action a :effect (r)))",
            ),
            row(
                "a parenthesis missing in the last section",
                "(define (domain d) (:action a :effect (q))\n  (:predicates (p ?x\n    (q)))",
            ),
            pair(
                "a parenthesis missing in a fact",
                "(define (domain d) (:predicates (stairs ?a ?b) (at ?a)))",
                "(define (problem p) (:domain d) (:objects cellar hall top)\n  (:init (stairs cellar hall (stairs hall top) (not (at top) (at hal))\n  (:goal (and (at top)\n              (stairs top hall))))",
            ),
            pair(
                "parentheses missing in values and in a goal",
                "(define (domain d) (:requirements :numeric-fluents) (:predicates (p ?a ?b)) (:functions (f ?a)))",
                "(define (problem p) (:domain d) (:objects a b)\n  (:init (= (f a) 3 (= (f b 4) (p a b))\n  (:goal (and (p a b (p b a) (not (p a a) (p b b))))",
            ),
            row(
                "unbalanced parenthesis at the end",
                "(define (domain d)\n  (:predicates (on ?x))\n",
            ),
            row(
                "unbalanced parenthesis before the next definition",
                "(define (domain d) (:predicates (on))\n(define (problem p) (:domain d))",
            ),
            row(
                "a parenthesis too many",
                "(define (domain d)\n  (:predicates (on ?x))))",
            ),
            row(
                "a parenthesis too many within",
                "(define (domain d)\n  (:predicates (on ?x)))\n  (:action a :parameters (?x) :effect (on ?x)))",
            ),
            row(
                "a name for a variable",
                "(define (domain d) (:predicates (on x)))",
            ),
            row(
                "a formula that begins with a list",
                "(define (domain d) (:predicates (p)) (:action a :precondition ((p)) :effect (p)))",
            ),
            row(
                "a keyword in a formula",
                "(define (domain d) (:predicates (p)) (:action a :effect (and (p) :x)))",
            ),
            row(
                "several conditions and effects without `and`",
                "(define (domain d) (:predicates (p) (q))\n  (:action a\n    :precondition (p) (not (q)) q\n    :effect (q) (not (p))))",
            ),
            row(
                "several conditions and effects in parentheses alone",
                "(define (domain d) (:predicates (p) (q))\n  (:action a :precondition ((p) (q)) :effect ((q) (not (p)))))",
            ),
            row(
                "several conditions in a rule and under words that take one",
                "(define (domain d) (:predicates (p ?x) (q ?x) (r))\n  (:derived (r) (exists (?x) (p ?x) (q ?x)) (r))\n  (:action a :parameters (?x) :effect (when (p ?x) (q ?x) (p ?x))))",
            ),
            pair(
                "several goals without `and`",
                "(define (domain d) (:predicates (p) (q)))",
                "(define (problem p) (:domain d) (:init) (:goal (p) (q)))",
            ),
            row(
                "no type after the dash",
                "(define (domain d) (:types a -) (:predicates (p ?x - )))",
            ),
            row(
                "parameters without parentheses",
                "(define (domain d) (:predicates (p ?x)) (:action a :parameters ?x :effect (p ?x)))",
            ),
            row(
                "typed parameters without parentheses",
                "(define (domain d) (:requirements :typing) (:types floor lamp) (:predicates (p ?x - floor ?y))\n  (:action a :parameters ?f - floor ?g - (either floor lamp) :precondition (p ?f ?g) :effect (not (p ?f ?g)))\n  (:action b :parameters ?f - floor (p ?f ?f) :effect (p ?f ?f)))",
            ),
            row(
                "blanks behind question marks",
                "(define (domain d) (:predicates (p ?x))\n  (:action a :parameters (? f ?\tg ? ) :precondition (p ? f) :effect (p ?g)))",
            ),
            row(
                "colons before types",
                "(define (domain d) (:requirements :typing) (:types room : object)\n  (:predicates (at ?r : room) (near ?r:room ?s :room ?t: (either room object)))\n  (:action a :parameters (?r : room ?s :rom) :effect (and (at ?r) (near ?r ?r ?r))))",
            ),
            row(
                "an action without a name",
                "(define (domain d) (:action :parameters ()))",
            ),
            row(
                "a rule without a body",
                "(define (domain d) (:predicates (p)) (:derived (p)))",
            ),
            row(
                "a metric without a direction",
                "(define (problem p) (:domain d) (:metric (total-time)))",
            ),
            row("a misspelt section", "(define (domain d) (:predicats (on)))"),
            row(
                "a misspelt part of an action",
                "(define (domain d) (:predicates (p)) (:action a :preconditions (p) :effect (p)))",
            ),
            row(
                "parts without their colon",
                "(define (domain d) (:predicates (p ?x) (q))\n  (:action a parameters (?x) precondition (and (p ?x) (q)) effects (and (not (p ?x)) (q)))\n  (:action b :parameters (?x) :precondition (p ?x) effect (and (q)) (q) word))",
            ),
            row(
                "two effects and a precondition",
                "(define (domain d) (:predicates (p))\n  (:action a :effect (p) :effect (not (p)) :precondition (p))\n  (:action b :precondition (p) :effect (p) :effect (not (p)))\n  (:action c :effect (p) :precondition (p) :precondition (not (p))))",
            ),
            row(
                "two effects",
                "(define (domain d) (:predicates (p)) (:action a :effect (p) :effect (not (p))))",
            ),
            pair(
                "two goals",
                "(define (domain d) (:predicates (p)))",
                "(define (problem q) (:domain d) (:goal (p)) (:goal (not (p))))",
            ),
            row(
                "commas between names",
                "(define (domain d)\n  (:types block, table)\n  (:predicates (on ?x - block, ?y) (near ?x,?y - table) (p ?x))\n  (:constants a,b 1, c)\n  (:action act :parameters (?b - block) :effect (and (p a) (p b) (p 1) (p c))))",
            ),
            row(
                "a decimal comma",
                "(define (domain d) (:functions (f))\n  (:action a :effect (assign (f) 0,5)))",
            ),
            row(
                "`define` as a name",
                "(define (domain d) (:predicates (p) (q))\n  (:action a :precondition (and (p) (define)) :effect (q)))",
            ),
            row(
                "an axiom of an older PDDL",
                "(define (domain d) (:predicates (p ?x ?y) (q ?x) (r ?x))\n  (:axiom :vars (?x ?y) :context (p ?x ?y) :implies (q ?x))\n  (:axiom :vars (?x) :context (q ?x) :implies (r ?x))\n  (:axiom))",
            ),
            row(
                "comments of other languages",
                "# the domain\n(define (domain d)\n  // predicates (\n  (:predicates (p ?x)) # at the end\n  #no (space\n  (:action a :parameters (?x) :effect (p ?x)))",
            ),
            row(
                "connectives without parentheses",
                "(define (domain d) (:requirements :adl) (:predicates (p ?x) (q ?x))\n  (:action a :parameters (?x)\n    :precondition (and (p ?x) not (q ?x))\n    :effect (and (p ?x) not (q ?x) forall (?y) (q ?y)))\n  (:action b :parameters (?x)\n    :precondition or (p ?x) (q ?x)\n    :effect (and when (p ?x) (q ?x)))\n  (:action c :parameters (?x) :precondition (not not (p ?x)) :effect (and not q)))",
            ),
            row(
                "sections without their colon or parenthesis",
                "(define (domain d)\n  (predicates (p ?x) (q ?x))\n  :action a :parameters (?x) :precondition (p ?x) :effect (q ?x))\n  (action b :parameters (?x) :effect (p ?x))\n  (word))",
            ),
            pair(
                "a definition without its parenthesis",
                "define (domain d) (:predicates (p)))",
                "(define (problem p)\n  (domain d)\n  (start (p))\n  :goal (p)))",
            ),
            row(
                "dashes of word processors",
                "(define (domain d) (:requirements :typing)\n  (:types room \u{2014} object)\n  (:predicates (at ?r \u{2013} room) (near ?r \u{2013}room))\n  (:action a :parameters (?r \u{2212} room) :effect (at ?r)))",
            ),
            row(
                "a dash that belongs to a variable",
                "(define (domain d) (:requirements :typing) (:types room)\n  (:predicates (at ?r- room ?s - room))\n  (:action a :parameters (?r- room ?s - room) :effect (at ?r ?s)))",
            ),
            row(
                "operators between their operands",
                "(define (domain d) (:requirements :adl :numeric-fluents) (:predicates (p ?x) (q)) (:functions (f) (g ?x))\n  (:action a :parameters (?x ?y)\n    :precondition (and (f < 3) ((g ?x) >= (f)) (?x != ?y) (?x = ?y) (q = false) ((q) == true) ((q) and (p ?x)) (> (f + 1) 2))\n    :effect (and (f += 1) ((g ?x) -= (f)) (f = 3) (q = true) (increase (f) ((g ?x) * 2)))))",
            ),
            row(
                "operators of other languages",
                "(define (domain d) (:requirements :adl) (:predicates (p ?x) (q))\n  (:action a :parameters (?x ?y)\n    :precondition (and (!= ?x ?y) (== ?x ?y) (|| (q) (p ?x)) (!q) (! (q)) (!= ?x))))",
            ),
            row(
                "names before their parentheses",
                "(define (domain d) (:requirements :numeric-fluents) (:predicates near(?x ?y) (p ?x)) (:functions (f ?x))\n  (:action a :parameters (?x ?y)\n    :precondition (and near(?x, ?y) (not p(?x)) (> f(?x) 2) (not near ?x ?y))\n    :effect (and p(?x) (not p(?y)) (not near ?x ?y)))\n  (:action b :parameters (?x) :precondition p(?x)))",
            ),
            row(
                "a misspelt word before a number",
                "(define (domain d) (:requirements :probabilistic-effects) (:predicates (p) (q))\n  (:action a :effect (and (probabilstic 0.5 (q)) (probablistic 1/2 (p) 1/4 (q)) (p 3))))",
            ),
            row(
                "words of other languages before lists",
                "(define (domain d) (:requirements :adl) (:predicates (p ?x) (q))\n  (:action a :parameters (?x)\n    :precondition (if (q) (p ?x))\n    :effect (adn (if (q) (p ?x)) (fro (q)))))",
            ),
            pair(
                "arguments in parentheses",
                "(define (domain d) (:predicates (at ?x) (near ?x ?y)))",
                "(define (problem p) (:domain d) (:objects a b) (:init (at(a)) (near (a) (b)) (near a (at b))) (:goal (at b)))",
            ),
            pair(
                "values without an equals sign",
                "(define (domain d) (:requirements :numeric-fluents) (:predicates (p)) (:functions (f) (g ?x)))",
                "(define (problem p) (:domain d) (:objects a) (:init (f 2) (g a 3) (f) (p)) (:goal (p)))",
            ),
            row(
                "formulas and declarations without parentheses",
                "(define (domain d) (:requirements :typing) (:types t) (:predicates (p ?x) boat ?s ?t - t far ?s r)\n  (:derived (r) p a)\n  (:action a :parameters (?x - t) :precondition p ?x :effect boat ?x ?x))",
            ),
            pair(
                "a goal without parentheses",
                "(define (domain d) (:predicates (full ?x)))",
                "(define (problem p) (:domain d) (:objects mug) (:init) (:goal full mug))",
            ),
            row(
                "an action in `:actions`",
                "(define (domain d) (:predicates (p ?x) (q))\n  (:actions row\n    :parameters (?x)\n    :precondition (p ?x) (q)\n    :effect (not (p ?x)))\n  (:actions :parameters ()))",
            ),
            pair(
                "sections of the other kind of definition",
                "(define (domain d) (:predicates (p ?x)) (:init (p a)) (:action a :parameters (?x) :effect (p ?x)))",
                "(define (problem p) (:domain d) (:types t) (:objects a) (:inits (p a)) (:goal (p a)))",
            ),
            row(
                "misspelt sections and parts",
                "(define (domain d) (:predicate (p ?x)) (:action a :parameter (?x) :preconditions (p ?x) :effects (not (p ?x))))",
            ),
            row(
                "a name among the variables of a declaration",
                "(define (domain d) (:predicates (at robot ?r)) (:action a :parameters (?r) :effect (at ?r)))",
            ),
            row(
                "names for parameters",
                "(define (domain d) (:predicates (p ?x)) (:action a :parameters (x from) :precondition (p ?x) :effect (p ?from)))",
            ),
            row("two domains", "(define (domain a)) (define (domain b))"),
            row(
                "a problem where a domain is asked for",
                "(define (problem p) (:domain d))",
            ),
            row(
                "a text beyond the limit (short)",
                "(define (domain d) (:predicates (p)))",
            ),
        ],
    ),
    (
        "names",
        &[
            row(
                "unknown predicate",
                "(define (domain d) (:predicates (clear ?x)) (:action a :parameters (?x) :effect (claer ?x)))",
            ),
            row(
                "unknown predicate, no like",
                "(define (domain d) (:action a :effect (p)))",
            ),
            row(
                "underscore for dash",
                "(define (domain d) (:predicates (on-table ?x)) (:action a :parameters (?x) :effect (on_table ?x)))",
            ),
            row(
                "a type as a condition",
                "(define (domain d) (:types truck) (:predicates (p)) (:action a :parameters (?x) :precondition (truck ?x) :effect (p)))",
            ),
            row(
                "a type as a condition, of an object and of nothing",
                "(define (domain d) (:types truck) (:constants t - truck) (:predicates (p) (truck-free)) (:action a :precondition (and (truck t) (truck)) :effect (p)))",
            ),
            pair(
                "a type in an initial state",
                ZOO,
                "(define (problem p) (:domain zoo) (:objects rex - dog) (:init (dog rex)) (:goal (fed rex)))",
            ),
            row(
                "a function as a condition",
                "(define (domain d) (:predicates (p)) (:functions (f)) (:action a :precondition (f) :effect (p)))",
            ),
            pair(
                "names without regard to case",
                ZOO,
                "(define (problem p) (:domain ZOO) (:init (FED Leo) (at LEO Yard) (At leo Yrad)))",
            ),
            pair(
                "unknown object",
                ZOO,
                "(define (problem p) (:domain zoo) (:objects lea - cat) (:init (fed leu)) (:goal (fed rex)))",
            ),
            row(
                "an object that is a variable",
                "(define (domain d) (:predicates (p ?x)) (:action a :parameters (?x) :effect (p x)))",
            ),
            row(
                "a variable out of scope",
                "(define (domain d) (:predicates (p ?x)) (:action a :precondition (and (exists (?x) (p ?x)) (p ?x)) :effect (p ?x)))",
            ),
            row(
                "a misspelt variable",
                "(define (domain d) (:predicates (p ?x)) (:action a :parameters (?truck) :effect (p ?turck)))",
            ),
            pair(
                "a variable in an initial state",
                ZOO,
                "(define (problem p) (:domain zoo) (:init (fed ?a)))",
            ),
            row(
                "a constant written as a variable",
                "(define (domain d) (:constants c) (:predicates (p ?x)) (:action a :effect (p ?c)))",
            ),
            row(
                "unknown type",
                "(define (domain d) (:types vehicle place) (:predicates (at ?x - vehicel ?y - place)))",
            ),
            pair(
                "unknown type of an object",
                ZOO,
                "(define (problem p) (:domain zoo) (:objects tom - tiger))",
            ),
            row(
                "unknown function",
                "(define (domain d) (:functions (fuel ?x)) (:action a :parameters (?x) :effect (increase (feul ?x) 1)))",
            ),
            row(
                "a predicate as a number",
                "(define (domain d) (:predicates (p)) (:functions (f)) (:action a :effect (increase (p) 1)))",
            ),
            row(
                "a predicate declared twice, differently",
                "(define (domain d) (:predicates (p ?x) (q) (p ?x ?y)))",
            ),
            row(
                "an action declared twice",
                "(define (domain d) (:predicates (p)) (:action a :effect (p)) (:action A :effect (not (p))))",
            ),
            pair(
                "an object declared twice, differently",
                ZOO,
                "(define (problem p) (:domain zoo) (:objects a - cat a - dog))",
            ),
            pair(
                "a constant redeclared with another type",
                ZOO,
                "(define (problem p) (:domain zoo) (:objects leo - dog))",
            ),
            row(
                "a parameter twice",
                "(define (domain d) (:predicates (p ?x)) (:action a :parameters (?x ?y ?x) :effect (p ?x)))",
            ),
            row(
                "a rule's head with one variable twice",
                "(define (domain d) (:predicates (p ?x ?y)) (:derived (p ?x ?x) (and)))",
            ),
            row(
                "reserved names",
                "(define (domain d) (:predicates (and ?x) (= ?x ?y)) (:functions (increase)))",
            ),
        ],
    ),
    (
        "types",
        &[
            pair(
                "misspelt types",
                "(define (domain d) (:requirements :typing) (:types room cup) (:predicates (at ?r - room) (in ?c - cup ?r - room))\n  (:action a :parameters (?c - cups ?r - room) :precondition (in ?c ?r) :effect (at ?r)))",
                "(define (problem p) (:domain d) (:objects hall kitchen - rooms mug - cup spoon - tool)\n  (:init (at hall) (in mug hall) (in spoon kitchen)) (:goal (at kitchen)))",
            ),
            pair(
                "objects without a type",
                COFFEE,
                "(define (problem p) (:domain coffee) (:objects hall - room mug jug)\n  (:init (at hall) (cup-in mug hall) (full mug) (cup-in jug hall) (handempty)) (:goal (full mug)))",
            ),
            pair(
                "a problem for a domain whose actions have faults",
                "(define (domain d) (:predicates (p ?x))\n  (:action a :parameters (?x) :effect (q ?x)) (:action b :effect (and (p ?x)) (:action c :effect (p)))",
                "(define (problem p) (:domain d) (:objects k) (:init (p k) (p m)) (:goal (q k)))",
            ),
            row(
                "a cycle of types",
                "(define (domain d) (:types a - b b - c c - a d))",
            ),
            row(
                "a type that is a kind of itself",
                "(define (domain d) (:types a - a))",
            ),
            row(
                "object under another type",
                "(define (domain d) (:types thing - object object - thing))",
            ),
            row(
                "object under two types",
                "(define (domain d) (:requirements :typing) (:types object - (either a b) a b))",
            ),
            row(
                "an animal that is no object",
                "(define (domain d) (:requirements :typing) (:types animal object - entity) (:predicates (held ?x - object)) (:action a :parameters (?a - animal) :effect (held ?a)))",
            ),
            row(
                "wrong type of a variable",
                "(define (domain d) (:types cat dog) (:predicates (purrs ?c - cat)) (:action a :parameters (?d - dog) :effect (purrs ?d)))",
            ),
            pair(
                "wrong type of an object",
                ZOO,
                "(define (problem p) (:domain zoo) (:objects rex - dog) (:init (purrs rex) (at yard yard)))",
            ),
            pair(
                "wrong type in a function",
                ZOO,
                "(define (problem p) (:domain zoo) (:init (= (weight yard) 3)))",
            ),
            row(
                "wrong type among several",
                "(define (domain d) (:types cat dog cow) (:predicates (p ?x - (either cat dog))) (:action a :parameters (?x - cow) :effect (p ?x)))",
            ),
            row(
                "wrong arity",
                "(define (domain d) (:predicates (on ?x ?y) (clear ?x) (free)) (:action a :parameters (?x ?y) :precondition (and (on ?x) (clear)) :effect (free ?x)))",
            ),
            pair(
                "wrong arity in a problem",
                ZOO,
                "(define (problem p) (:domain zoo) (:init (at leo) (= (food leo) 3)) (:goal (fed leo leo)))",
            ),
            row(
                "wrong arity of a rule's head",
                "(define (domain d) (:predicates (p ?x)) (:derived (p) (and)))",
            ),
        ],
    ),
    (
        "formulas",
        &[
            row(
                "when in a condition",
                "(define (domain d) (:predicates (p) (q)) (:action a :precondition (when (p) (q)) :effect (p)))",
            ),
            row(
                "or in an effect",
                "(define (domain d) (:predicates (p) (q)) (:action a :effect (or (p) (q))))",
            ),
            row(
                "a condition under not in an effect",
                "(define (domain d) (:predicates (p) (q)) (:action a :effect (not (and (p) (q)))))",
            ),
            pair(
                "a condition in an initial state",
                ZOO,
                "(define (problem p) (:domain zoo) (:init (or (fed leo) (purrs leo))))",
            ),
            row(
                "an effect on a derived predicate",
                "(define (domain d) (:predicates (p) (q)) (:derived (q) (p)) (:action a :effect (and (p) (not (q)))))",
            ),
            row(
                "an effect on equality",
                "(define (domain d) (:action a :parameters (?x ?y) :effect (= ?x ?y)))",
            ),
            row(
                "an effect on a type",
                "(define (domain d) (:types egg bird) (:action a :parameters (?x - egg) :effect (bird ?x)))",
            ),
            pair(
                "two objects made one",
                ZOO,
                "(define (problem p) (:domain zoo) (:objects tom - cat) (:init (= tom leo)))",
            ),
            row(
                "an agent's action under not",
                "(define (domain d) (:predicates (p) (go)) ; (:actions go)\n (:action a :precondition (not (go)) :effect (p)))",
            ),
            pair(
                "an agent's action as a goal",
                "(define (domain d) (:predicates (p) (go)) ; (:actions go)\n (:action a :precondition (go) :effect (p)))",
                "(define (problem q) (:domain d) (:init (go)) (:goal (go)))",
            ),
            row(
                "two agent's actions",
                "(define (domain d) (:predicates (p) (go) (run)) (:actions go run)\n (:action a :precondition (and (go) (and (p) (run))) :effect (p)))",
            ),
            pair(
                "a derived predicate in an initial state",
                ZOO,
                "(define (problem p) (:domain zoo) (:init (content leo)))",
            ),
            row(
                "not without an operand",
                "(define (domain d) (:predicates (p)) (:action a :precondition (not) :effect (not)))",
            ),
            row(
                "imply with three operands",
                "(define (domain d) (:predicates (p)) (:action a :precondition (imply (p) (p) (p)) :effect (when (p))))",
            ),
            row(
                "a quantifier without a body",
                "(define (domain d) (:predicates (p)) (:action a :precondition (forall (?x)) :effect (forall)))",
            ),
            row(
                "equality of one",
                "(define (domain d) (:predicates (p)) (:action a :parameters (?x) :precondition (= ?x) :effect (p)))",
            ),
            row(
                "a probability without an effect",
                "(define (domain d) (:predicates (p)) (:action a :effect (probabilistic 0.5 (p) 0.5)))",
            ),
        ],
    ),
    (
        "numbers",
        &[
            row(
                "a number out of range",
                "(define (domain d) (:functions (f)) (:action a :effect (assign (f) 1e999)))",
            ),
            row(
                "a probability with too many digits",
                "(define (domain d) (:predicates (p)) (:action a :effect (probabilistic 0.33333333333333333333333333 (p))))",
            ),
            row(
                "division by zero in a number",
                "(define (domain d) (:functions (f)) (:action a :effect (assign (f) 1/0)))",
            ),
            row(
                "probability 1/0",
                "(define (domain d) (:predicates (p)) (:action a :effect (probabilistic 1/0 (p))))",
            ),
            row(
                "probabilities that are none",
                "(define (domain d) (:predicates (p)) (:action a :effect (and (probabilistic 1.5 (p)) (probabilistic -0.5 (p)) (probabilistic 3/2 (p)))))",
            ),
            row(
                "an effect without a probability",
                "(define (domain d) (:predicates (p) (q)) (:action a :effect (probabilistic (p) (q))))",
            ),
            row(
                "probabilities above 1",
                "(define (domain d) (:predicates (p) (q)) (:action a :effect (probabilistic 2/3 (p) 0.25 (q) 0.1 (and))))",
            ),
            pair(
                "probabilities above 1 at first",
                ZOO,
                "(define (problem p) (:domain zoo) (:init (probabilistic 0.5 (fed leo) 0.6 (purrs leo))))",
            ),
            row(
                "a variable as a number",
                "(define (domain d) (:functions (f)) (:action a :parameters (?x) :precondition (> (f) ?x)))",
            ),
            pair(
                "an object as a value",
                ZOO,
                "(define (problem p) (:domain zoo) (:init (= (food) leo)))",
            ),
            pair(
                "a reward that is no number",
                ZOO,
                "(define (problem p) (:domain zoo) (:goal (fed leo)) (:goal-reward much))",
            ),
            pair(
                "two values",
                ZOO,
                "(define (problem p) (:domain zoo) (:init (= (food) 1) (= (food) 1) (= (food) 2)))",
            ),
        ],
    ),
    (
        "axioms",
        &[
            row(
                "its own negation",
                "(define (domain d) (:predicates (p)) (:derived (p) (not (p))))",
            ),
            row(
                "a cycle through negation",
                "(define (domain d)\n  (:predicates (base ?x) (p ?x) (q ?x) (r ?x))\n  (:derived (p ?x) (or (base ?x) (q ?x)))\n  (:derived (q ?x) (imply (r ?x) (base ?x)))\n  (:derived (r ?x) (exists (?y) (p ?y))))",
            ),
            row(
                "an agent's action as a head",
                "(define (domain d) (:predicates (p) (go)) ; (:actions go)\n (:derived (go) (p)))",
            ),
        ],
    ),
    (
        "time",
        &[
            row(
                "the duration of an ordinary action",
                "(define (domain d) (:predicates (p)) (:action a :duration 5 :effect (p)))",
            ),
            row(
                "a condition without a time",
                "(define (domain d) (:requirements :durative-actions :fluents) (:predicates (p) (q)) (:functions (f)) (:durative-action a :duration (= ?duration 1) :condition (and (p) (at start (q))) :effect (at end (p))))",
            ),
            row(
                "an effect without a time",
                "(define (domain d) (:requirements :durative-actions :fluents) (:predicates (p) (q)) (:functions (f)) (:durative-action a :duration (= ?duration 1) :effect (and (not (p)) (at end (q)) (increase (f) 1))))",
            ),
            row(
                "an effect over all",
                "(define (domain d) (:requirements :durative-actions :fluents) (:predicates (p) (q)) (:functions (f)) (:durative-action a :duration (= ?duration 1) :effect (over all (p))))",
            ),
            row(
                "times inside of other words",
                "(define (domain d) (:requirements :durative-actions :fluents) (:predicates (p) (q)) (:functions (f)) (:durative-action a :duration (= ?duration 1) :condition (or (at start (p)) (at end (q))) :effect (at end (at start (p)))))",
            ),
            row(
                "a time in an ordinary action",
                "(define (domain d) (:predicates (p)) (:action a :precondition (over all (p)) :effect (at end (p))))",
            ),
            row(
                "a time with other words",
                "(define (domain d) (:requirements :durative-actions :fluents) (:predicates (p) (q)) (:functions (f)) (:durative-action a :duration (= ?duration 1) :condition (and (over start (p)) (at all (p))) :effect (at end (p))))",
            ),
            row(
                "several parts at one time",
                "(define (domain d) (:requirements :durative-actions :fluents) (:predicates (p) (q)) (:functions (f)) (:durative-action a :duration (= ?duration 1) :condition (at start (p) (q)) :effect (at end (p))))",
            ),
            row(
                "no duration",
                "(define (domain d) (:requirements :durative-actions) (:predicates (p)) (:durative-action a :effect (at end (p))))",
            ),
            row(
                "a negative duration",
                "(define (domain d) (:requirements :durative-actions :fluents) (:predicates (p) (q)) (:functions (f)) (:durative-action a :duration (= ?duration -1) :effect (at end (p))))",
            ),
            row(
                "bounds that exclude each other",
                "(define (domain d) (:requirements :durative-actions :fluents) (:predicates (p) (q)) (:functions (f)) (:durative-action a :duration (and (>= ?duration 3) (<= ?duration 2)) :effect (at end (p))))",
            ),
            row(
                "bounds of other forms",
                "(define (domain d) (:requirements :durative-actions :fluents) (:predicates (p) (q)) (:functions (f)) (:durative-action a :duration (and (< ?duration 3) (<= 2 ?duration) (= ?duration (+ ?duration 1)) (p)) :effect (at end (p))))",
            ),
            row(
                "a duration outside",
                "(define (domain d) (:functions (f)) (:action a :effect (increase (f) ?duration)))",
            ),
            row(
                "an unknown function in a duration",
                "(define (domain d) (:requirements :durative-actions :fluents) (:predicates (p) (q)) (:functions (f)) (:durative-action a :duration (= ?duration (g)) :effect (at end (p))))",
            ),
            row(
                "an effect that reads another time",
                "(define (domain d) (:requirements :durative-actions :fluents) (:predicates (p) (q)) (:functions (f)) (:durative-action a :duration (= ?duration 1) :effect (and (when (at start (p)) (at end (q))) (when (p) (at end (q))))))",
            ),
            row(
                "a part with another name",
                "(define (domain d) (:requirements :durative-actions :fluents) (:predicates (p) (q)) (:functions (f)) (:durative-action a :duration (= ?duration 1) :precondition (at start (p)) :effects (at end (p))))",
            ),
            row(
                "two actions of one name",
                "(define (domain d) (:requirements :durative-actions) (:predicates (p)) (:action a :effect (p)) (:durative-action a :duration (= ?duration 1) :effect (at end (p))))",
            ),
            pair(
                "timed literals that are none",
                "(define (domain d) (:requirements :timed-initial-literals) (:predicates (p) (q)) (:functions (f)) (:constants a))",
                "(define (problem p) (:domain d) (:init (at -5 (p)) (at 5 (and (p) (probabilistic 0.5 (q)))) (at 6 (= a a)) (at 7 (at 8 (p)))))",
            ),
            pair(
                "an unknown atom in a timed literal",
                "(define (domain d) (:requirements :timed-initial-literals) (:predicates (p) (q)) (:functions (f)) (:constants a))",
                "(define (problem p) (:domain d) (:init (at 5 (not (r))) (at 6 (= (g) 1))))",
            ),
        ],
    ),
    (
        "refused",
        &[
            row(
                "preferences",
                "(define (problem p) (:domain d) (:goal (preference tidy (p))))",
            ),
            row(
                "constraints",
                "(define (problem p) (:domain d) (:constraints (always (p))) (:goal (sometime (p))))",
            ),
            row(
                "object fluents",
                "(define (domain d) (:types place) (:functions (home ?x) - place) (:predicates (at ?x ?y)) (:action a :parameters (?x) :effect (at ?x (home ?x))))",
            ),
            row(
                "an exclusive or",
                "(define (domain d) (:predicates (p) (q)) (:action a :precondition (xor (p) (q)) :effect (p)))",
            ),
            row(
                "an effect inside an atom",
                "(define (domain d) (:predicates (at ?x)) (:functions (f)) (:action a :parameters (?x) :effect (and (at ?x (increase (f) 1)))))",
            ),
            row(
                "continuous effects",
                "(define (domain d) (:functions (f)) (:action a :effect (increase (f) (* #t 2))))",
            ),
            row("processes", "(define (domain d) (:process p :parameters ()))"),
            row(
                "non-deterministic effects",
                "(define (domain d) (:predicates (p) (q)) (:action a :effect (oneof (p) (q))))",
            ),
            row(
                "timeless facts and local variables",
                "(define (domain d) (:predicates (p ?x)) (:timeless (p a)) (:action a :vars (?x) :effect (p ?x)))",
            ),
        ],
    ),
    (
        "warnings",
        &[
            pair("another domain", ZOO, "(define (problem p) (:domain circus))"),
            pair("no domain", ZOO, "(define (problem p))"),
            pair(
                "names without parentheses, and `and` around facts",
                "(define (domain d) (:requirements :adl) (:predicates (p) (q) (r))\n  (:derived (r) q)\n  (:action a :precondition p :effect (when p (and q (not p))))\n  (:action b :effect q))",
                "(define (problem q) (:domain d) (:init (and (p) (and (q))) (probabilistic 0.5 (and (p)))) (:goal p))",
            ),
            pair(
                "names without parentheses in lists",
                "(define (domain d) (:requirements :adl) (:predicates (p) (q))\n  (:action a :precondition (and (p) q) :effect (and (p) (not q) q)))",
                "(define (problem q) (:domain d) (:init p (q)) (:goal (and (p) q)))",
            ),
            row(
                "declarations repeated",
                "(define (domain d) (:types a - b b a - b) (:constants c - a c - a) (:predicates (p ?x - a) (p ?y - a)) (:functions (f) (f)))",
            ),
            pair(
                "a constant declared again",
                ZOO,
                "(define (problem p) (:domain zoo) (:objects leo - cat yard))",
            ),
            row(
                "a supertype that is not declared",
                "(define (domain d) (:requirements :typing) (:types truck - vehicle))",
            ),
            row(
                "a type on a line of its own above a line of several",
                "(define (domain d) (:requirements :typing)\n  (:types\n    place\n    cat dog - animal\n    animal - object))",
            ),
            row(
                "object under another type that is the root",
                "(define (domain d) (:requirements :typing) (:types animal object - entity) (:predicates (held ?x - object) (hungry ?x - animal) (seen ?x - entity)) (:action a :parameters (?a - animal ?o - object ?u) :effect (and (held ?o) (held ?u) (hungry ?a) (seen ?a) (seen ?o) (seen ?u))))",
            ),
            row(
                "a variable that hides another",
                "(define (domain d) (:predicates (p ?x)) (:action a :parameters (?x) :precondition (exists (?x) (p ?x)) :effect (p ?x)))",
            ),
            row(
                "maybe a wrong type",
                "(define (domain d) (:requirements :typing) (:types cat - animal animal) (:predicates (purrs ?c - cat)) (:action a :parameters (?a - animal) :effect (purrs ?a)))",
            ),
            row(
                "an unknown action of the agent",
                "(define (domain d) (:predicates (go))\n ; (:actions go\n ;   run)\n (:action a :precondition (go)))",
            ),
            pair(
                "a metric without a cost",
                "(define (domain d))",
                "(define (problem p) (:domain d) (:metric minimize (total-cost)))",
            ),
            pair(
                "facts that are denied too",
                "(define (domain d) (:predicates (p ?x) (q)))",
                "(define (problem p) (:domain d) (:objects k m) (:init (p k) (not (p k)) (not (p m)) (not (q)) (q)))",
            ),
            row(
                "probabilities a little above 1",
                "(define (domain d) (:requirements :probabilistic-effects) (:predicates (a) (b))\n  (:action act :effect (probabilistic 0.5 (a) 0.5000000009 (b))))",
            ),
            pair(
                "values that are missing",
                PATHS,
                "(define (problem p) (:domain paths)\n  (:objects r - robot k m n - place)\n  (:init (at r k) (road k m) (road m n) (closed n k) (= (length k m) 3) (= (length n k) 1)))",
            ),
            pair(
                "missing values that no action reads",
                PATHS,
                "(define (problem p) (:domain paths)\n  (:objects r - robot k m - place)\n  (:init (not (at r k)) (at r k) (road k m) (road m k) (closed m k) (= (length k m) 3) (= (fuel r) 3) (= (speed r) 2)))",
            ),
            pair(
                "no goal and no initial state (doubts)",
                "(define (domain d) (:predicates (p)))",
                "(define (problem none) (:domain d))",
            ),
            pair(
                "a metric in British spelling",
                "(define (domain d) (:functions (total-cost)) (:action a :effect (increase (total-cost) 1)))",
                "(define (problem p) (:domain d) (:init) (:metric minimise (total-cost)))",
            ),
            row(
                "brackets of other kinds",
                "[define [domain d] {:predicates [p]} (:action a :precondition [p] :effect {p})]",
            ),
            row(
                "one bracket of another kind",
                "(define (domain d) (:predicates (p)) (:action a :precondition {p} :effect (q)))",
            ),
            row(
                "a cycle of types, whose arguments may fit",
                "(define (domain d) (:requirements :typing) (:types a - b b - a)\n  (:predicates (p ?x - a)) (:action m :parameters (?u - b) :effect (p ?u)))",
            ),
            pair(
                "facts that are listed twice",
                "(define (domain d) (:requirements :probabilistic-effects) (:predicates (p ?x) (q)))",
                "(define (problem p) (:domain d) (:objects k m) (:init (p k) (p m) (p k) (q) (probabilistic 0.5 (p k)) (q)))",
            ),
            pair(
                "a goal that holds (doubts)",
                "(define (domain d) (:predicates (p ?x) (q)) (:action a :parameters (?x) :effect (and (q) (not (p ?x)))))",
                "(define (problem g) (:domain d) (:objects k m) (:init (p k))\n  (:goal (and (p k) (not (p m)) (or (q) (p k)) (imply (q) (p m)) (not (= k m)))))",
            ),
            pair(
                "an empty goal (doubts)",
                "(define (domain d) (:predicates (p ?x)))",
                "(define (problem g) (:domain d) (:init) (:goal (and)))",
            ),
            pair(
                "negative costs (doubts)",
                "(define (domain d) (:requirements :numeric-fluents) (:predicates (p)) (:functions (cost) (toll ?x) (gain ?x))\n  (:action a :effect (and (p) (increase (cost) -2)))\n  (:action b :parameters (?x) :effect (and (p) (increase (cost) (toll ?x))))\n  (:action c :parameters (?x) :effect (and (p) (decrease (cost) (gain ?x))))\n  (:action d :parameters (?x) :effect (and (p) (increase (cost) (gain ?x)))))",
                "(define (problem g) (:domain d) (:objects k m)\n  (:init (= (cost) 0) (= (toll k) 3) (= (toll m) -4) (= (gain k) 1) (= (gain m) 0.5))\n  (:goal (p)) (:metric minimize (cost)))",
            ),
            pair(
                "a metric that no action changes (doubts)",
                "(define (domain d) (:requirements :numeric-fluents) (:predicates (p)) (:functions (cost) (toll))\n  (:action a :effect (and (p) (increase (toll) 1))))",
                "(define (problem g) (:domain d) (:init (= (cost) 0) (= (toll) 0)) (:goal (p)) (:metric minimize (+ 2 (cost))))",
            ),
            pair(
                "goals that never hold (doubts)",
                COFFEE,
                "(define (problem p) (:domain coffee) (:objects kitchen hall - room mug - cup)\n  (:init (at kitchen) (cup-in mug kitchen) (machine kitchen) (door kitchen hall))\n  (:goal (and (at hall) (machine hall) (full mug) (exists (?c - cup) (holding ?c)) (not (full mug)) (or (full mug) (at hall)))))",
            ),
            pair(
                "preconditions that never hold (doubts)",
                "(define (domain d) (:predicates (at ?s) (boat ?s) (wide ?s) (far ?s)) (:derived (far ?s) (wide ?s))\n  (:action row :parameters (?s ?t) :precondition (and (at ?s) (boat ?s)) :effect (and (at ?t) (not (at ?s))))\n  (:action swim :parameters (?s ?t) :precondition (and (at ?s) (exists (?u) (boat ?u))) :effect (at ?t)))",
                "(define (problem p) (:domain d) (:objects a b) (:init (at a)) (:goal (and (at b) (far a))))",
            ),
            row(
                "no line of requirements",
                "(define (domain d) (:types t) (:predicates (p ?x - t)) (:action a :parameters (?x - t) :precondition (not (p ?x)) :effect (p ?x)))",
            ),
            row(
                "an unknown requirement",
                "(define (domain d) (:requirements :strips :negative-precondition :colour))",
            ),
            row(
                "missing requirements",
                "(define (domain d)\n  (:types t)\n  (:predicates (p ?x) (q) (r))\n  (:functions (f) (total-cost))\n  (:derived (r) (q))\n  (:action a :parameters (?x ?y)\n    :precondition (and (not (q)) (or (q) (r)) (= ?x ?y) (exists (?z) (p ?z)) (forall (?z) (p ?z)) (> (f) 1))\n    :effect (and (when (q) (p ?x)) (probabilistic 0.5 (q)) (increase (reward) 1))))",
            ),
            row(
                "action costs that need more than `:action-costs`",
                "(define (domain d)\n  (:requirements :strips :action-costs)\n  (:predicates (p ?x))\n  (:functions (total-cost) (toll ?x) (fuel))\n  (:action a :parameters (?x)\n    :precondition (p ?x)\n    :effect (and (increase (total-cost) (toll ?x)) (decrease (fuel) 1))))",
            ),
            row(
                "a sum as an action cost",
                "(define (domain d)\n  (:requirements :strips :action-costs)\n  (:functions (total-cost) (toll ?x))\n  (:action a :parameters (?x) :effect (increase (total-cost) (+ 1 (toll ?x)))))",
            ),
            row(
                "a condition on an action cost",
                "(define (domain d)\n  (:requirements :strips :action-costs)\n  (:functions (total-cost) (toll ?x))\n  (:action a :parameters (?x) :precondition (< (toll ?x) 3) :effect (increase (total-cost) (toll ?x))))",
            ),
            row(
                "action costs without a flag",
                "(define (domain d)\n  (:requirements :strips)\n  (:functions (toll ?x) (total-cost))\n  (:action a :parameters (?x) :effect (increase (total-cost) (toll ?x))))",
            ),
            row(
                "requirements without need",
                "(define (domain d) (:requirements :strips :typing :adl :fluents :derived-predicates :conditional-effects))",
            ),
            row(
                "probabilities a little above 1 (strict)",
                "(define (domain d) (:requirements :probabilistic-effects) (:predicates (a) (b))\n  (:action act :effect (probabilistic 0.5 (a) 0.5000000009 (b))))",
            ),
            row(
                "a requirement of a feature that is refused (strict)",
                "(define (domain d) (:requirements :strips :preferences))",
            ),
        ],
    ),
    (
        "doubts",
        &[
            row(
                "a condition and its negation (doubt)",
                "(define (domain d) (:requirements :adl) (:predicates (p ?x) (q))\n  (:action a :parameters (?x ?y) :precondition (and (p ?x) (q) (and (not (p ?y)) (not (p ?x))))\n    :effect (when (and (not (q)) (q)) (p ?y)))\n  (:action b :parameters (?x) :precondition (or (p ?x) (not (p ?x))) :effect (q)))",
            ),
            row(
                "parameters that are not used (doubt)",
                "(define (domain d) (:requirements :conditional-effects :equality)\n  (:predicates (p ?x) (q ?x))\n  (:action a :parameters (?x ?y ?z ?u ?v)\n    :precondition (and (p ?x) (= ?y ?y)) :effect (when (q ?z) (forall (?v) (q ?v)))))",
            ),
            row(
                "an atom deleted and added (doubt)",
                "(define (domain d) (:requirements :conditional-effects)\n  (:predicates (p ?x) (q ?x))\n  (:action a :parameters (?x ?y)\n    :effect (and (q ?x) (not (p ?x)) (p ?y) (and (p ?x)) (when (q ?y) (and (q ?y) (not (q ?y)))))))",
            ),
            row(
                "effects on a number that contradict each other (doubt)",
                "(define (domain d) (:requirements :numeric-fluents :conditional-effects)\n  (:predicates (p)) (:functions (f) (g ?x))\n  (:action a :effect (and (p) (increase (f) 1) (scale-up (f) 2)))\n  (:action b :parameters (?x ?y) :effect (and (assign (g ?x) 1) (assign (g ?y) 2) (assign (g ?x) 3) (increase (f) (/ (f) 0))))\n  (:action c :effect (when (p) (scale-down (f) 0)))\n  (:action d :effect (and (increase (f) 1) (decrease (f) 2) (assign (g k) 1) (assign (g k) 1.0)))\n  (:constants k))",
            ),
            row(
                "functions without parentheses (doubt)",
                "(define (domain d) (:requirements :numeric-fluents)\n  (:predicates (p)) (:functions (f) (g ?x) (total-cost))\n  (:action a :parameters (?x) :precondition (> f (g ?x))\n    :effect (and (p) (increase total-cost (* 2 f)) (assign (f) 1))))",
            ),
            pair(
                "a problem that belongs to another domain",
                ZOO,
                "(define (problem p) (:domain circus)\n  (:objects ring - stage bo - clown)\n  (:init (in bo ring) (awake bo) (open ring) (= (age bo) 3))\n  (:goal (seen bo)))",
            ),
        ],
    ),
];
