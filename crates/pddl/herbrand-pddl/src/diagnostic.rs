//! The diagnostic codes of PDDL, with the types that use them.

/// A fault or warning of a PDDL text, with its [`Code`] and the places it concerns. [`Faults`],
/// [`Document::diagnostics`](crate::Document::diagnostics) and [`Checked::diagnostics`](herbrand_text::Checked::diagnostics)
/// list them, and [`doubts`](crate::doubts()) and its like return them.
pub type Diagnostic = herbrand_text::Diagnostic<Code>;
/// The reason why a PDDL text was rejected: all its faults and warnings. The parsing functions of [`Domain`](crate::Domain)
/// and [`Problem`](crate::Problem) return it as their error.
pub type Faults = herbrand_text::Faults<Code>;
/// The reason why a file could not be loaded: it cannot be read, or its text has faults.
/// [`Domain::from_file`](crate::Domain::from_file) and [`Problem::from_file`](crate::Problem::from_file) return it.
pub type LoadError = herbrand_text::LoadError<Code>;
/// The result of checking a domain or a problem in PDDL.
pub type Checked<T> = herbrand_text::Checked<T, Code>;
pub(crate) type Diagnostics = herbrand_text::Diagnostics<Code>;
pub(crate) type Draft<'a> = herbrand_text::Draft<'a, Code>;

herbrand_text::codes! {
    /// The kind of fault or warning that a diagnostic reports. Its stable name is `E` (error) or `W` (warning) and four
    /// digits; strict reading makes a warning an error, but keeps its name.
    pub enum Code: too many is TooManyFaults, limit is LimitReached;

    NoDefinition = "E0001", "the text defines nothing, or something is outside a definition",
        "A PDDL text consists of definitions of domains and problems, each in a `(define …)`. This text is empty, \
         contains only comments, or has something outside a definition that belongs inside one.",
        "(domain switches)",
        "(define (domain switches))";
    UnexpectedCharacter = "E0002", "a character that PDDL does not allow",
        "Names consist of ASCII letters, digits, `-`, `_` and a few other characters that existing files use. Other \
         characters, such as letters with accents, are allowed only in comments. A comment begins with `;` and ends \
         with the line.",
        "(define (domain caf\u{e9}))",
        "(define (domain cafe)) ; caf\u{e9}";
    UnclosedParenthesis = "E0003", "a parenthesis is not closed",
        "Every `(` needs a `)`. Sections such as `(:init …)` are directly inside a definition, so Herbrand notices a \
         missing `)` when the next section begins. Its place is somewhere between the two places shown.",
        "(define (domain switches)\n  (:predicates (on ?x)\n  (:action press :parameters (?x) :effect (on ?x)))",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :effect (on ?x)))";
    UnmatchedParenthesis = "E0004", "one `)` too many",
        "This `)` has no matching `(`, or this section comes after the end of its definition. There is one `)` too \
         many, here or above, or a `(` is missing above.",
        "(define (domain switches)\n  (:predicates (on ?x))))",
        "(define (domain switches)\n  (:predicates (on ?x)))";
    NestedTooDeep = "E0005", "parentheses are nested too deep",
        "Parentheses may be nested up to 250 deep. Split a deeper formula: define derived predicates for its parts.";
    Unexpected = "E0006", "something else is expected here",
        "The grammar of PDDL requires something else here. The message says what is expected.",
        "(define (domain switches)\n  (:predicates (on x)))",
        "(define (domain switches)\n  (:predicates (on ?x)))";
    UnknownSection = "E0007", "an unknown section or part",
        "A domain has the sections `:requirements`, `:types`, `:constants`, `:predicates`, `:functions`, `:derived` \
         and `:action`, a problem `:domain`, `:requirements`, `:objects`, `:init`, `:goal`, `:goal-reward` and \
         `:metric`. An action has `:parameters`, `:precondition` and `:effect`. The order is free.",
        "(define (domain switches)\n  (:predicate (on ?x)))",
        "(define (domain switches)\n  (:predicates (on ?x)))";
    RepeatedSection = "E0008", "a section or part is given twice",
        "Give this section or part only once. Only sections that are lists, such as `:predicates` and `:init`, may be \
         split into several.",
        "(define (domain switches)\n  (:predicates (on))\n  (:action press :effect (on) :effect (not (on))))",
        "(define (domain switches)\n  (:predicates (on))\n  (:action press :effect (on)))";
    DefinitionCount = "E0009", "the text does not define exactly one domain or problem",
        "The command expects exactly one domain, or one problem, but the text defines none or several. A file may \
         contain a domain together with its problems.",
        "(define (domain first))\n(define (domain second))",
        "(define (domain first))";
    TextTooLong = "E0010", "the text is too long",
        "Herbrand reads texts of at most 4 GiB. The program that calls it may allow less.";
    TooManyFaults = "E0011", "there are more faults than are shown",
        "Only the first 200 faults are shown; the rest are counted. Fix some of those shown first: one mistake in a \
         declaration can cause many faults further down.";
    LimitReached = "E0012", "reading exceeds a limit on time or memory",
        "The program that reads the text limits the time and the memory for it, and one of these limits was reached: \
         the message says which. Nothing of the text is used. Raise that limit (`--time` or `--memory` on the command \
         line) or shorten the text.";

    UnknownPredicate = "E0101", "a predicate is not declared",
        "Declare every predicate, derived ones too, in the section `:predicates` of the domain. Names are \
         case-insensitive; `-` and `_` are different characters.",
        "(define (domain switches)\n  (:predicates (switched-on ?x))\n  (:action press :parameters (?x) :effect (switched_on ?x)))",
        "(define (domain switches)\n  (:predicates (switched-on ?x))\n  (:action press :parameters (?x) :effect (switched-on ?x)))";
    UnknownObject = "E0102", "an object is not declared",
        "Declare objects in `:objects` of the problem or in `:constants` of the domain. A domain can name only its own \
         constants. A variable starts with a question mark.",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :effect (on x)))",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :effect (on ?x)))";
    UnboundVariable = "E0103", "a variable is not in scope",
        "A variable must be a parameter of the action or of the rule's head, or be bound by an enclosing quantifier. \
         The scope of a quantifier ends at its closing parenthesis. Initial states contain no variables.",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :effect (on ?y)))",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :effect (on ?x)))";
    UnknownType = "E0104", "a type is not declared",
        "Declare types in the section `:types` of the domain. `object` is the supertype of all of them and needs no \
         declaration.",
        "(define (domain switches)\n  (:types lamp)\n  (:predicates (on ?x - lamps)))",
        "(define (domain switches)\n  (:types lamp)\n  (:predicates (on ?x - lamp)))";
    UnknownFunction = "E0105", "a function is not declared",
        "Declare numeric functions in the section `:functions` of the domain. Exceptions: `total-cost` and `reward` \
         need no declaration, and `total-time`, `goal-achieved` and `goal-probability` need none in a metric.",
        "(define (domain tanks)\n  (:functions (level ?x))\n  (:action fill :parameters (?x) :effect (increase (levl ?x) 1)))",
        "(define (domain tanks)\n  (:functions (level ?x))\n  (:action fill :parameters (?x) :effect (increase (level ?x) 1)))";
    DuplicateDeclaration = "E0106", "a name is declared twice",
        "Two different declarations use the same name. A predicate cannot be overloaded: two predicates need two names, \
         even if their arguments differ in number or type.",
        "(define (domain switches)\n  (:predicates (on ?x) (on ?x ?y)))",
        "(define (domain switches)\n  (:predicates (on ?x) (on-together ?x ?y)))";
    DuplicateVariable = "E0107", "a list binds one variable twice",
        "The variables of one list must have different names. The declaration of a predicate is an exception, because \
         its variable names have no meaning.",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x ?x) :effect (on ?x)))",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x ?y) :effect (on ?x)))";
    ReservedName = "E0108", "a reserved word is declared as a name",
        "Words such as `and`, `when`, `=` and `increase` are reserved by PDDL. Choose another name for the predicate or \
         function.",
        "(define (domain switches)\n  (:predicates (when ?x)))",
        "(define (domain switches)\n  (:predicates (when-pressed ?x)))";
    OtherDomain = "E0109", "the problem belongs to another domain",
        "The problem names another domain than the given one, and most of its names are unknown there. Give the domain file \
         that belongs to the problem. If only a few names are unknown, they are reported one by one.",
        "(define (domain switches)\n  (:predicates (on ?x)))\n(define (problem p) (:domain zoo)\n  (:objects leo yard)\n  (:init (cat leo) (place yard) (at leo yard) (awake leo) (weight leo))\n  (:goal (fed leo)))",
        "(define (domain zoo)\n  (:predicates (cat ?x) (place ?x) (at ?x ?y) (awake ?x) (weight ?x) (fed ?x)))\n(define (problem p) (:domain zoo)\n  (:objects leo yard)\n  (:init (cat leo) (place yard) (at leo yard) (awake leo) (weight leo))\n  (:goal (fed leo)))";

    TypeCycle = "E0201", "types are subtypes of each other in a cycle",
        "An object of a type is also an object of every supertype. Types in a cycle would all be the same type. Remove \
         one of the supertypes.",
        "(define (domain zoo)\n  (:types cat - animal animal - cat))",
        "(define (domain zoo)\n  (:types cat - animal animal))";
    TypeMismatch = "E0202", "an argument has the wrong type",
        "No object is of both the argument's type and the declared type, so the atom can never hold. If some objects \
         may be of both types, Herbrand reports a warning (W0201) instead.",
        "(define (domain zoo)\n  (:types cat dog)\n  (:predicates (purrs ?x - cat))\n  (:action stroke :parameters (?x - dog) :effect (purrs ?x)))",
        "(define (domain zoo)\n  (:types cat dog)\n  (:predicates (purrs ?x - cat))\n  (:action stroke :parameters (?x - cat) :effect (purrs ?x)))";
    ArityMismatch = "E0203", "the number of arguments is wrong",
        "A predicate or function takes one argument for each variable in its declaration.",
        "(define (domain switches)\n  (:predicates (wired ?x ?y))\n  (:action cut :parameters (?x ?y) :effect (not (wired ?x))))",
        "(define (domain switches)\n  (:predicates (wired ?x ?y))\n  (:action cut :parameters (?x ?y) :effect (not (wired ?x ?y))))";

    MisplacedOperator = "E0301", "a reserved word is not allowed here",
        "Conditions consist of `and or not imply forall exists`, `=` and comparisons. Effects consist of `and not \
         forall when probabilistic` and of `assign increase decrease scale-up scale-down`. In a condition, write \
         `imply` instead of `when`. An effect cannot contain `or`.",
        "(define (domain switches)\n  (:predicates (on) (off))\n  (:action press :effect (or (on) (off))))",
        "(define (domain switches)\n  (:predicates (on) (off))\n  (:action press :effect (probabilistic 0.5 (on) 0.5 (off))))";
    EffectOnDerived = "E0302", "an effect changes a derived predicate",
        "The value of a derived predicate is recomputed from its rules in every state, so an effect cannot set it. \
         Change the predicates in the bodies of the rules instead.",
        "(define (domain switches)\n  (:predicates (on) (lit))\n  (:derived (lit) (on))\n  (:action press :effect (lit)))",
        "(define (domain switches)\n  (:predicates (on) (lit))\n  (:derived (lit) (on))\n  (:action press :effect (on)))";
    EffectOnFixed = "E0303", "an effect changes equality or a type",
        "The objects of a problem, their types and the equality `=` never change. Declare a predicate for a property \
         that changes.",
        "(define (domain zoo)\n  (:types egg bird)\n  (:action hatch :parameters (?x - egg) :effect (bird ?x)))",
        "(define (domain zoo)\n  (:types egg)\n  (:predicates (hatched ?x - egg))\n  (:action hatch :parameters (?x - egg) :effect (hatched ?x)))";
    MisplacedAgentAction = "E0304", "an action of the agent is not allowed here",
        "In PDDLGym's dialect, a comment `; (:actions …)` lists the predicates that are actions of the agent. An \
         operator names the action that it carries out as a conjunct of its precondition. These predicates are not part \
         of the state, so no other condition, goal or rule can refer to them.",
        "(define (domain walk)\n  (:predicates (at ?x) (go ?x))\n  ; (:actions go)\n  (:action step :parameters (?x) :precondition (not (go ?x)) :effect (at ?x)))",
        "(define (domain walk)\n  (:predicates (at ?x) (go ?x))\n  ; (:actions go)\n  (:action step :parameters (?x) :precondition (go ?x) :effect (at ?x)))";
    SeveralAgentActions = "E0305", "one operator carries out several actions of the agent",
        "In PDDLGym's dialect, an operator carries out one action of the agent. The agent takes one action per step, so \
         an operator with two of them in its precondition would never be applicable.",
        "(define (domain walk)\n  (:predicates (at ?x) (go ?x) (run ?x))\n  ; (:actions go run)\n  (:action step :parameters (?x) :precondition (and (go ?x) (run ?x)) :effect (at ?x)))",
        "(define (domain walk)\n  (:predicates (at ?x) (go ?x) (run ?x))\n  ; (:actions go run)\n  (:action step :parameters (?x) :precondition (go ?x) :effect (at ?x)))";
    DerivedInInit = "E0306", "an initial state lists a derived predicate",
        "A derived predicate is computed from its rules, in the initial state too. List facts of the predicates in the \
         bodies of the rules instead.",
        "(define (domain switches)\n  (:predicates (on) (lit))\n  (:derived (lit) (on)))\n(define (problem evening)\n  (:domain switches)\n  (:init (lit)))",
        "(define (domain switches)\n  (:predicates (on) (lit))\n  (:derived (lit) (on)))\n(define (problem evening)\n  (:domain switches)\n  (:init (on)))";
    OperandCount = "E0307", "a connective has too few or too many operands",
        "`not` takes one operand, `and` and `or` any number. `imply`, `when`, `=`, comparisons and assignments take \
         two. `forall` and `exists` take a list of variables and one formula or effect. Arithmetic operators take two \
         or more, except that `-` may have one. `probabilistic` takes pairs of a probability and an effect.",
        "(define (domain switches)\n  (:predicates (on) (off))\n  (:action press :precondition (not (on) (off))))",
        "(define (domain switches)\n  (:predicates (on) (off))\n  (:action press :precondition (and (not (on)) (not (off)))))";

    NumberOutOfRange = "E0401", "a number is out of range",
        "Values of functions are double-precision numbers, so the largest is about 1.8e308 and the least about \
         -1.8e308. Probabilities are exact fractions of 64-bit integers: a decimal may have up to 19 digits.",
        "(define (domain tanks)\n  (:functions (level))\n  (:action fill :effect (assign (level) 1e999)))",
        "(define (domain tanks)\n  (:functions (level))\n  (:action fill :effect (assign (level) 1e99)))";
    InvalidProbability = "E0402", "a probability is not a number from 0 to 1",
        "A probability is a decimal, an integer or a fraction from 0 to 1. It comes before its alternative.",
        "(define (domain coin)\n  (:predicates (heads))\n  (:action toss :effect (probabilistic 50 (heads))))",
        "(define (domain coin)\n  (:predicates (heads))\n  (:action toss :effect (probabilistic 1/2 (heads))))";
    ProbabilitySum = "E0403", "the probabilities of one draw add up to more than 1",
        "The alternatives of one draw exclude each other, so their probabilities must add up to at most 1. (If the \
         sum exceeds 1 by at most a billionth, that is the warning W0402.) If the sum is less than 1, nothing happens \
         with the remaining probability. Use several `probabilistic` effects for independent events.",
        "(define (domain coin)\n  (:predicates (heads) (tails))\n  (:action toss :effect (probabilistic 0.6 (heads) 0.6 (tails))))",
        "(define (domain coin)\n  (:predicates (heads) (tails))\n  (:action toss :effect (probabilistic 0.6 (heads) 0.4 (tails))))";
    NumberExpected = "E0404", "a number is expected here",
        "A number or a numeric function is required here. Objects and variables have no numeric value.",
        "(define (domain tanks)\n  (:functions (level ?x))\n  (:action fill :parameters (?x) :precondition (< (level ?x) ?x)))",
        "(define (domain tanks)\n  (:functions (level ?x))\n  (:action fill :parameters (?x) :precondition (< (level ?x) 9)))";
    ConflictingValues = "E0405", "an initial state gives one function two values",
        "The initial state gives a function one value for each combination of arguments.",
        "(define (domain tanks) (:functions (level)))\n(define (problem p) (:domain tanks)\n  (:init (= (level) 1) (= (level) 2)))",
        "(define (domain tanks) (:functions (level)))\n(define (problem p) (:domain tanks)\n  (:init (= (level) 1)))";

    NegativeCycle = "E0501", "a derived predicate depends on its own negation",
        "Derived predicates may be recursive, as a path is made of shorter paths. But a derived predicate must be \
         fully computed before its negation is used, so no cycle of dependencies may contain a negation. The labels \
         show the cycle. To break it, replace the negated predicate by one that has no rules and that actions change.",
        "(define (domain game)\n  (:predicates (move ?x ?y) (wins ?x))\n  (:derived (wins ?x) (exists (?y) (and (move ?x ?y) (not (wins ?y))))))",
        "(define (domain game)\n  (:predicates (move ?x ?y) (wins ?x) (lost ?x))\n  (:derived (wins ?x) (exists (?y) (and (move ?x ?y) (lost ?y))))\n  (:action give-up :parameters (?x) :effect (lost ?x)))";
    InvalidHead = "E0502", "the head of a derivation rule is not a predicate with distinct variables",
        "The head of a derivation rule is a declared predicate with a different variable for each argument. It cannot \
         be an action of the agent (PDDLGym's dialect).",
        "(define (domain walk)\n  (:predicates (at ?x) (go ?x))\n  ; (:actions go)\n  (:derived (go ?x) (at ?x)))",
        "(define (domain walk)\n  (:predicates (at ?x) (go ?x) (near ?x))\n  ; (:actions go)\n  (:derived (near ?x) (at ?x)))";

    Preferences = "E0603", "preferences are not supported",
        "A goal either holds or does not hold. Preferences (PDDL 3) are not supported. To value some outcomes more \
         than others, use rewards: effects such as `(increase (reward) 5)`, and `(:metric maximize (reward))` in the \
         problem.",
        "(define (domain shop) (:predicates (clean)))\n(define (problem p) (:domain shop)\n  (:goal (preference tidy (clean))))",
        "(define (domain shop) (:predicates (clean)))\n(define (problem p) (:domain shop)\n  (:goal (clean)))";
    TrajectoryConstraints = "E0604", "trajectory constraints are not supported",
        "A goal is a condition on the last state. Trajectory constraints (PDDL 3), which restrict the states before it, \
         are not supported. Instead, let actions record earlier events in a predicate.",
        "(define (domain shop) (:predicates (clean)))\n(define (problem p) (:domain shop)\n  (:goal (always (clean))))",
        "(define (domain shop) (:predicates (clean)))\n(define (problem p) (:domain shop)\n  (:goal (clean)))";
    ObjectFluents = "E0605", "object fluents are not supported",
        "The value of a function is a number. Object fluents (PDDL 3.1), whose value is an object, are not supported. \
         Use a predicate with one more argument instead.",
        "(define (domain trips)\n  (:types car place)\n  (:functions (place-of ?c - car) - place))",
        "(define (domain trips)\n  (:types car place)\n  (:predicates (at ?c - car ?p - place)))";
    ContinuousEffects = "E0606", "continuous effects, processes and events are not supported",
        "Only actions change the state, one step at a time. Continuous effects (PDDL 2.1) and the processes and events \
         of PDDL+ are not supported.",
        "(define (domain tanks)\n  (:functions (level))\n  (:action fill :effect (increase (level) (* #t 2))))",
        "(define (domain tanks)\n  (:functions (level))\n  (:action fill :effect (increase (level) 2)))";
    NonDeterminism = "E0607", "non-deterministic effects are not supported",
        "If an action has several outcomes, each one needs a probability. The `oneof` of non-deterministic planning \
         gives no probabilities and is not supported. Use `probabilistic`.",
        "(define (domain coin)\n  (:predicates (heads) (tails))\n  (:action toss :effect (oneof (heads) (tails))))",
        "(define (domain coin)\n  (:predicates (heads) (tails))\n  (:action toss :effect (probabilistic 1/2 (heads) 1/2 (tails))))";
    OtherLanguage = "E0608", "a part of another planning language is not supported",
        "The section or keyword belongs to an older version of PDDL or to another planning language, such as \
         hierarchical task networks. Examples are the sections `:timeless`, `:safety`, `:axiom`, `:method` and `:htn`, \
         and `:vars` of an action.",
        "(define (domain zoo)\n  (:predicates (fed ?x))\n  (:timeless (fed leo)))",
        "(define (domain zoo)\n  (:predicates (fed ?x)))";

    MissingTime = "E0701", "a part of a durative action does not say when",
        "A durative action starts, takes its time and ends. Each of its conditions holds `at start`, `at end`, or between them, \
         `over all`; each effect happens `at start` or `at end`. Write the time before each part, or once before an `and`.",
        "(define (domain kitchen)\n  (:requirements :durative-actions)\n  (:predicates (hot) (done))\n  (:durative-action boil :duration (= ?duration 5)\n    :condition (hot) :effect (at end (done))))",
        "(define (domain kitchen)\n  (:requirements :durative-actions)\n  (:predicates (hot) (done))\n  (:durative-action boil :duration (= ?duration 5)\n    :condition (over all (hot)) :effect (at end (done))))";
    MisplacedTime = "E0702", "`at start`, `over all` or `at end` stands where it has no meaning",
        "Times belong to the conditions and effects of durative actions. Only `and` and `forall` can stand around them, and \
         `when` around those of effects. No effect lasts `over all`: it happens at the start or at the end.",
        "(define (domain kitchen)\n  (:requirements :durative-actions)\n  (:predicates (hot) (done))\n  (:durative-action boil :duration (= ?duration 5)\n    :condition (not (at start (hot))) :effect (at end (done))))",
        "(define (domain kitchen)\n  (:requirements :durative-actions)\n  (:predicates (hot) (done))\n  (:durative-action boil :duration (= ?duration 5)\n    :condition (at start (not (hot))) :effect (at end (done))))";
    Duration = "E0703", "the duration of an action is missing or impossible",
        "A durative action has a part `:duration` with bounds such as `(= ?duration 5)` or `(and (>= ?duration 2) (<= ?duration \
         (most ?x)))`. The value on the right may read functions, but not the duration. A duration is at least 0.",
        "(define (domain kitchen)\n  (:requirements :durative-actions)\n  (:predicates (hot) (done))\n  (:durative-action boil :duration (= ?duration -5)\n    :effect (at end (done))))",
        "(define (domain kitchen)\n  (:requirements :durative-actions)\n  (:predicates (hot) (done))\n  (:durative-action boil :duration (= ?duration 5)\n    :effect (at end (done))))";
    MixedTimes = "E0704", "a conditional effect depends on the state at another time",
        "An effect `at end` can depend on the state just before the end, and an effect `at start` on the state just before the \
         start. To remember what held at the start, let an effect `at start` keep it in a predicate.",
        "(define (domain kitchen)\n  (:requirements :durative-actions)\n  (:predicates (hot) (done))\n  (:durative-action boil :duration (= ?duration 5)\n    :effect (when (at start (hot)) (at end (done)))))",
        "(define (domain kitchen)\n  (:requirements :durative-actions)\n  (:predicates (hot) (done))\n  (:durative-action boil :duration (= ?duration 5)\n    :effect (when (at end (hot)) (at end (done)))))";
    TimedLiteral = "E0705", "a timed literal is not an atom, the negation of one or a value, or lies before the start",
        "A timed literal changes the state at a time of its own (PDDL 2.2). Times count from the start of the plan, at 0.",
        "(define (domain shop) (:requirements :timed-initial-literals) (:predicates (open)))\n(define (problem p) (:domain shop)\n  (:init (at -9 (open))))",
        "(define (domain shop) (:requirements :timed-initial-literals) (:predicates (open)))\n(define (problem p) (:domain shop)\n  (:init (at 9 (open))))";

    DomainNameMismatch = "W0101", "the problem names another domain",
        "The name in `(:domain …)` is not the name of the given domain. The problem is read with the given domain all \
         the same, because files are often renamed. Check that the two belong together.",
        "(define (domain switches))\n(define (problem p) (:domain lamps))",
        "(define (domain switches))\n(define (problem p) (:domain switches))";
    RepeatedDeclaration = "W0102", "a name is declared twice in the same way",
        "Two declarations of the same name are identical. The second one is ignored. Problems often repeat the \
         constants of their domain.",
        "(define (domain switches)\n  (:predicates (on ?x) (on ?x)))",
        "(define (domain switches)\n  (:predicates (on ?x)))";
    UndeclaredSupertype = "W0103", "a type is used as a supertype, but not declared",
        "The type is used as a supertype in `:types` (after a dash) but has no declaration. It is read as a type \
         directly under `object`. If that is right, declare it.",
        "(define (domain zoo)\n  (:types cat - animal))",
        "(define (domain zoo)\n  (:types cat - animal animal))";
    ShadowedVariable = "W0104", "a variable hides another one of the same name",
        "A quantifier binds a variable whose name is already in scope. Inside the quantifier, the name refers to the \
         inner variable. Rename one of them.",
        "(define (domain switches)\n  (:predicates (on ?x) (off ?x))\n  (:action press :parameters (?x)\n    :precondition (forall (?x) (off ?x)) :effect (on ?x)))",
        "(define (domain switches)\n  (:predicates (on ?x) (off ?x))\n  (:action press :parameters (?x)\n    :precondition (forall (?y) (off ?y)) :effect (on ?x)))";
    ObjectSubtype = "W0105", "`object` is declared as a subtype of another type",
        "In PDDL, `object` is the supertype of every type. Some files declare it as an ordinary type below a root of \
         their own. Herbrand accepts them: the type above `object` is the root. An object or variable without a type \
         still has the type `object`, so it cannot be used where another subtype of the root is required. Give the \
         type another name, such as `thing`.",
        "(define (domain farm)\n  (:types animal object - entity)\n  (:predicates (held ?x - object)))",
        "(define (domain farm)\n  (:types animal thing - entity entity)\n  (:predicates (held ?x - thing)))";
    LoneType = "W0106", "a type on a line of its own gets the supertype of the next line",
        "A dash gives its supertype to all names since the previous dash; line breaks do not matter. A type on a line \
         of its own therefore gets the supertype of the line below it. If the type belongs directly under `object`, \
         write `- object` after it, or move it to the end of the list. If it does belong under that supertype, move \
         it to the line below.",
        "(define (domain zoo)\n  (:types\n    animal\n    cat dog - pet\n    pet - object))",
        "(define (domain zoo)\n  (:types\n    animal - object\n    cat dog - pet\n    pet - object))";
    UnusedParameter = "W0107", "an action does not use a parameter",
        "The parameter occurs neither in the precondition nor in the effect of the action. The action is then \
         repeated for every object of the parameter's type. All these copies do the same, which slows planning down. \
         `herbrand check` reports it.",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x ?y) :effect (on ?x)))",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :effect (on ?x)))";
    UnreadName = "W0108", "nothing reads a predicate, function, type or constant",
        "No condition, rule, metric or goal of the domain and its problems mentions the name: effects may change the predicate, \
         and `:init` may list it, but that makes no difference to any plan. It may be a leftover, or a condition may be \
         missing. A constant that no text names can still be the object of a parameter. Editors and the browser page fade such \
         a name; `herbrand check` mentions it in a note, which is no warning, if the domain has a problem there.",
        "(define (domain switches)\n  (:predicates (on ?x) (old ?x))\n  (:action press :parameters (?x) :precondition (not (on ?x))\n    :effect (and (on ?x) (old ?x))))",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :precondition (not (on ?x))\n    :effect (on ?x)))";
    MaybeMismatch = "W0201", "an argument may be of the wrong type",
        "Only some objects of the argument's type are of the declared type, for example because the argument has a \
         supertype of it. Herbrand accepts the text, because many existing files rely on this: an atom about one of \
         the other objects can be true like any other.",
        "(define (domain zoo)\n  (:types cat - animal animal)\n  (:predicates (purrs ?x - cat))\n  (:action stroke :parameters (?x - animal) :effect (purrs ?x)))",
        "(define (domain zoo)\n  (:types cat - animal animal)\n  (:predicates (purrs ?x - cat))\n  (:action stroke :parameters (?x - cat) :effect (purrs ?x)))";
    UnknownAgentAction = "W0301", "a listed action of the agent is not a declared predicate",
        "In PDDLGym's dialect, a comment `; (:actions …)` lists the predicates that are actions of the agent. This name \
         is in that list but is not a declared predicate.",
        "(define (domain walk)\n  (:predicates (at ?x) (go ?x))\n  ; (:actions go run)\n  (:action step :parameters (?x) :precondition (go ?x) :effect (at ?x)))",
        "(define (domain walk)\n  (:predicates (at ?x) (go ?x))\n  ; (:actions go)\n  (:action step :parameters (?x) :precondition (go ?x) :effect (at ?x)))";
    ContradictedFact = "W0302", "an initial state lists a fact and its negation",
        "An initial state lists the facts that hold; all others are false, so a negated fact is redundant. This fact is \
         listed both negated and not negated. It holds.",
        "(define (domain switches) (:predicates (on ?x)))\n(define (problem p) (:domain switches)\n  (:objects a) (:init (on a) (not (on a))))",
        "(define (domain switches) (:predicates (on ?x)))\n(define (problem p) (:domain switches)\n  (:objects a) (:init (on a)))";
    MissingSection = "W0303", "a problem has no goal or no initial state",
        "Without `:goal`, no state is a goal state, so no plan reaches the goal. Without `:init`, no fact holds at \
         first. A problem with a metric needs no goal, because its rewards or costs tell which plans are better. Only \
         `herbrand check` and the browser page report this.",
        "(define (domain switches)\n  (:predicates (on))\n  (:action press :effect (on)))\n(define (problem p) (:domain switches)\n  (:init))",
        "(define (domain switches)\n  (:predicates (on))\n  (:action press :effect (on)))\n(define (problem p) (:domain switches)\n  (:init) (:goal (on)))";
    NeverTrue = "W0304", "a goal or a precondition can never hold",
        "The goal needs a fact that is not in the initial state and that no possible action adds, so the goal cannot \
         be reached. In this case, Herbrand also reports predicates that some precondition needs, but that no action \
         adds and `:init` does not list. Often a fact is missing in `:init`, or an effect in an action. The check \
         looks at predicates, not at their arguments, so it misses some goals that cannot be reached; `herbrand check \
         --ground` and the language server look at ground atoms too. Only they and the browser page report this. \
         A condition that needs a fact and its negation can never hold either.",
        "(define (domain switches)\n  (:predicates (on) (power))\n  (:action press :precondition (power) :effect (on)))\n(define (problem p) (:domain switches)\n  (:init) (:goal (on)))",
        "(define (domain switches)\n  (:predicates (on) (power))\n  (:action press :precondition (power) :effect (on)))\n(define (problem p) (:domain switches)\n  (:init (power)) (:goal (on)))";
    DeletedAndAdded = "W0305", "an effect deletes and adds the same atom",
        "An effect deletes an atom and adds the same atom. Adds come after deletes, so the atom is true afterwards, and the \
         delete does nothing. `herbrand check` reports it. If the arguments are only equal for some objects, as in a move \
         from a place to itself, there is no warning.",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :effect (and (not (on ?x)) (on ?x))))",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :effect (on ?x)))";
    NeverApplicable = "W0306", "an action can never be applied in a problem",
        "No objects satisfy the precondition of the action in any state that can be reached, even if nothing ever became false. \
         The message names the shortest part of the precondition that cannot hold and the reason. Often a fact is missing \
         in `:init`, or two conditions name the wrong variables. With several problems, only an action that can be applied in \
         none of them is reported. `herbrand check --ground` and the language server report it.",
        "(define (domain switches)\n  (:predicates (on ?x) (power))\n  (:action press :parameters (?x) :precondition (power) :effect (on ?x))\n  (:action pull :parameters (?x) :effect (on ?x)))\n(define (problem p) (:domain switches)\n  (:objects a) (:init) (:goal (on a)))",
        "(define (domain switches)\n  (:predicates (on ?x) (power))\n  (:action press :parameters (?x) :precondition (power) :effect (on ?x))\n  (:action pull :parameters (?x) :effect (on ?x)))\n(define (problem p) (:domain switches)\n  (:objects a) (:init (power)) (:goal (on a)))";
    NeverHolds = "W0307", "no atom of a predicate can ever be true in a problem",
        "The initial state has no atom of the predicate, and no action or rule that could add one is ever possible. So each \
         condition that needs it is false, and each that excludes it is true. Often a fact is missing in `:init`. With several \
         problems, only a predicate that is true in none of them is reported. `herbrand check --ground` and the language \
         server report it.",
        "(define (domain switches)\n  (:predicates (on ?x) (broken ?x))\n  (:action press :parameters (?x) :precondition (not (broken ?x)) :effect (on ?x)))\n(define (problem p) (:domain switches)\n  (:objects a) (:init) (:goal (on a)))",
        "(define (domain switches)\n  (:predicates (on ?x) (broken ?x))\n  (:action press :parameters (?x) :precondition (not (broken ?x)) :effect (on ?x)))\n(define (problem p) (:domain switches)\n  (:objects a b) (:init (broken b)) (:goal (on a)))";
    UnreadDerived = "W0308", "rules derive a predicate that nothing reads",
        "Rules derive the predicate, but no condition of an action and no goal of the problems needs it, not even through other \
         rules. So the rules take time and change no plan. A condition may be missing. `herbrand check` reports it of a domain \
         with problems.",
        "(define (domain switches) (:requirements :derived-predicates)\n  (:predicates (on) (dark))\n  (:derived (dark) (not (on)))\n  (:action press :effect (on)))\n(define (problem p) (:domain switches)\n  (:init) (:goal (on)))",
        "(define (domain switches) (:requirements :derived-predicates)\n  (:predicates (on) (dark))\n  (:derived (dark) (not (on)))\n  (:action press :precondition (dark) :effect (on)))\n(define (problem p) (:domain switches)\n  (:init) (:goal (on)))";
    LooseNotation = "W0309", "a notation that PDDL does not have, but whose meaning is clear",
        "A goal, precondition or effect is a name without parentheses, or an initial state has its facts in `(and …)`. \
         Herbrand reads the name as an atom without arguments, and ignores the `and`. Other planners may reject the \
         text.",
        "(define (domain switches)\n  (:predicates (on) (power))\n  (:action press :precondition (power) :effect (on)))\n(define (problem p) (:domain switches)\n  (:init (and (power))) (:goal on))",
        "(define (domain switches)\n  (:predicates (on) (power))\n  (:action press :precondition (power) :effect (on)))\n(define (problem p) (:domain switches)\n  (:init (power)) (:goal (on)))";
    RepeatedFact = "W0310", "an initial state lists a fact twice",
        "An initial state lists one fact twice. That changes nothing, but often one of the two should have other arguments.",
        "(define (domain switches) (:predicates (on ?x)))\n(define (problem p) (:domain switches)\n  (:objects a b) (:init (on a) (on a)))",
        "(define (domain switches) (:predicates (on ?x)))\n(define (problem p) (:domain switches)\n  (:objects a b) (:init (on a) (on b)))";
    GoalHolds = "W0311", "the goal holds in the initial state",
        "The initial state is a goal state, so the empty plan solves the problem. A goal that is empty holds in every state. Often \
         a condition of the goal is missing, or `:init` is the state of another problem. `herbrand check` and the browser page \
         report it, as far as facts tell: they do not compute derived predicates and numbers.",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :effect (on ?x)))\n(define (problem p) (:domain switches)\n  (:objects a b) (:init (on a)) (:goal (on a)))",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :effect (on ?x)))\n(define (problem p) (:domain switches)\n  (:objects a b) (:init (on a)) (:goal (on b)))";
    IgnoredMetric = "W0401", "no action changes the quantity that a metric measures",
        "No action of the domain changes a number that the metric reads, so all plans have the same value. A metric of \
         `total-cost` or `reward` in a domain without such a function is ignored; many existing problems have one. The other \
         metrics are reported by `herbrand check` and the browser page.",
        "(define (domain switches))\n(define (problem p) (:domain switches)\n  (:metric minimize (total-cost)))",
        "(define (domain switches)\n  (:action press :effect (increase (total-cost) 1)))\n(define (problem p) (:domain switches)\n  (:metric minimize (total-cost)))";
    RescaledProbabilities = "W0402", "the probabilities of one draw add up to a little more than 1",
        "The probabilities of the alternatives exceed 1 by at most a billionth, as the sum of rounded decimals may. \
         They are divided by their sum. To avoid the warning, write exact fractions such as `1/3`.",
        "(define (domain coin)\n  (:predicates (heads) (tails))\n  (:action toss :effect (probabilistic 0.5 (heads) 0.5000000001 (tails))))",
        "(define (domain coin)\n  (:predicates (heads) (tails))\n  (:action toss :effect (probabilistic 0.5 (heads) 0.5 (tails))))";
    UndefinedValue = "W0403", "an action reads a number that never has a value",
        "A precondition or effect reads a function that has no value for some objects: the initial state gives none, \
         and no effect assigns one. An action that reads a missing value is not valid, so plans and random walks \
         never take it. If this is not intended, add the missing value to `:init`. `herbrand check` and `herbrand \
         ground` report such actions, unless a fact that no action changes rules them out anyway.",
        "(define (domain paths)\n  (:requirements :action-costs)\n  (:predicates (at ?p) (road ?a ?b))\n  (:functions (total-cost) (length ?a ?b))\n  (:action move :parameters (?a ?b)\n    :precondition (and (at ?a) (road ?a ?b))\n    :effect (and (not (at ?a)) (at ?b) (increase (total-cost) (length ?a ?b)))))\n(define (problem hill) (:domain paths) (:objects k m)\n  (:init (at k) (road k m) (road m k) (= (length k m) 3))\n  (:goal (at m)))",
        "(define (domain paths)\n  (:requirements :action-costs)\n  (:predicates (at ?p) (road ?a ?b))\n  (:functions (total-cost) (length ?a ?b))\n  (:action move :parameters (?a ?b)\n    :precondition (and (at ?a) (road ?a ?b))\n    :effect (and (not (at ?a)) (at ?b) (increase (total-cost) (length ?a ?b)))))\n(define (problem hill) (:domain paths) (:objects k m)\n  (:init (at k) (road k m) (road m k) (= (length k m) 3) (= (length m k) 4))\n  (:goal (at m)))";
    BareFunction = "W0404", "a function stands without parentheses",
        "A function is written like an object, without parentheses. Herbrand reads it as the value of the function; other \
         planners may reject the text. `herbrand check` reports it in the actions of a domain.",
        "(define (domain switches)\n  (:requirements :action-costs)\n  (:functions (total-cost))\n  (:action press :effect (increase total-cost 1)))",
        "(define (domain switches)\n  (:requirements :action-costs)\n  (:functions (total-cost))\n  (:action press :effect (increase (total-cost) 1)))";
    NegativeCost = "W0405", "an action has a negative cost",
        "The metric is to be minimised, and an action makes it smaller. Planners count a negative cost as 0, so a plan that they \
         call cheapest need not be. Other planners reject the task. `herbrand check` and the browser page report amounts that are \
         numbers or functions whose values never change.",
        "(define (domain switches)\n  (:requirements :action-costs)\n  (:predicates (on))\n  (:functions (total-cost) (price))\n  (:action press :effect (and (on) (increase (total-cost) (price)))))\n(define (problem p) (:domain switches)\n  (:init (= (total-cost) 0) (= (price) -3))\n  (:goal (on)) (:metric minimize (total-cost)))",
        "(define (domain switches)\n  (:requirements :action-costs)\n  (:predicates (on))\n  (:functions (total-cost) (price))\n  (:action press :effect (and (on) (increase (total-cost) (price)))))\n(define (problem p) (:domain switches)\n  (:init (= (total-cost) 0) (= (price) 3))\n  (:goal (on)) (:metric minimize (total-cost)))";
    ContradictingNumbers = "W0406", "effects on a number contradict each other, or divide by zero",
        "All effects of an action happen at once. Effects on one number have a result only if all of them increase or decrease \
         it, all scale it, or all assign the same value, and nothing is divided by 0. An action without a result cannot be \
         taken. `herbrand check` reports this for effects under the same condition whose terms have the same arguments.",
        "(define (domain tank)\n  (:requirements :numeric-fluents)\n  (:functions (level))\n  (:action fill :effect (and (increase (level) 1) (scale-up (level) 2))))",
        "(define (domain tank)\n  (:requirements :numeric-fluents)\n  (:functions (level))\n  (:action fill :effect (assign (level) (* 2 (+ (level) 1)))))";
    UnknownRequirement = "W0601", "a requirement flag is not known",
        "The flag is not one of the known flags of PDDL 1.2 to 3.1 and PPDDL 1.0. It is ignored.",
        "(define (domain switches)\n  (:requirements :strips :types))",
        "(define (domain switches)\n  (:requirements :strips :typing))";
    MissingRequirement = "W0602", "the requirement flag of a used feature is missing",
        "The text uses a feature whose flag is missing from its `:requirements`. Herbrand accepts the text, but other \
         planners may reject it. A problem also has the flags of its domain. \
         `:action-costs` is enough for effects `(increase (total-cost) …)` whose amount is a number or the value of a \
         static function, with or without parameters. Other numeric effects, amounts that are computed, and comparisons \
         of numbers need `:numeric-fluents`.",
        "(define (domain switches)\n  (:requirements :strips)\n  (:predicates (on))\n  (:action press :precondition (not (on)) :effect (on)))",
        "(define (domain switches)\n  (:requirements :strips :negative-preconditions)\n  (:predicates (on))\n  (:action press :precondition (not (on)) :effect (on)))";
    UnusedRequirement = "W0603", "a requirement flag is not needed",
        "The domain does not use this feature, and none of its problems can use it. Flags of features that a goal may \
         use are never reported.",
        "(define (domain switches)\n  (:requirements :strips :typing)\n  (:predicates (on ?x)))",
        "(define (domain switches)\n  (:requirements :strips)\n  (:predicates (on ?x)))";
    RefusedRequirement = "W0604", "a requirement flag names a feature that is not supported",
        "The flag names a feature that Herbrand does not support. The text is accepted as long as it does not use the \
         feature.",
        "(define (domain switches)\n  (:requirements :strips :preferences))",
        "(define (domain switches)\n  (:requirements :strips))";
}
