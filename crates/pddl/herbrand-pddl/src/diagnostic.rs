//! The diagnostic codes of PDDL, with the types that use them.

mod explain;

use explain::{features, formulas, names, text, warnings};

/// A fault or warning of a PDDL text, with its [`Code`] and the places it concerns. [`Faults`],
/// [`Document::diagnostics`](crate::Document::diagnostics) and [`Checked::diagnostics`](crate::Checked::diagnostics)
/// list them, and [`doubts`](crate::doubts()) and its like return them.
pub type Diagnostic = herbrand_text::Diagnostic<Code>;
/// The reason why a PDDL text was rejected: all its faults and warnings. The parsing functions of [`Domain`](crate::Domain)
/// and [`Problem`](crate::Problem) return it as their error.
pub type Faults = herbrand_text::Faults<Code>;
/// An explanation of a [`Code`] for users, with a faulty and a corrected example. [`Code::explanation`] returns it.
pub type Explanation = herbrand_text::Explanation<Code>;
/// The reason why a file could not be loaded: it cannot be read, or its text has faults.
/// [`Domain::from_file`](crate::Domain::from_file) and [`Problem::from_file`](crate::Problem::from_file) return it.
pub type LoadError = herbrand_text::LoadError<Code>;
pub(crate) type Diagnostics = herbrand_text::Diagnostics<Code>;
pub(crate) type Draft<'a> = herbrand_text::Draft<'a, Code>;

herbrand_text::codes! {
    /// The kind of fault or warning that a diagnostic reports. Its stable name is `E` (error) or `W` (warning) and four
    /// digits; strict reading makes a warning an error, but keeps its name.
    pub enum Code: too many is TooManyFaults, limit is LimitReached, explained by [
        text::EXPLANATIONS,
        names::EXPLANATIONS,
        formulas::EXPLANATIONS,
        features::EXPLANATIONS,
        warnings::EXPLANATIONS,
    ];

    NoDefinition = "E0001", "the text defines nothing, or something is outside a definition";
    UnexpectedCharacter = "E0002", "a character that PDDL does not allow";
    UnclosedParenthesis = "E0003", "a parenthesis is not closed";
    UnmatchedParenthesis = "E0004", "one `)` too many";
    NestedTooDeep = "E0005", "parentheses are nested too deep";
    Unexpected = "E0006", "something else is expected here";
    UnknownSection = "E0007", "an unknown section or part";
    RepeatedSection = "E0008", "a section or part is given twice";
    DefinitionCount = "E0009", "the text does not define exactly one domain or problem";
    TextTooLong = "E0010", "the text is too long";
    TooManyFaults = "E0011", "there are more faults than are shown";
    LimitReached = "E0012", "reading exceeds a limit on time or memory";

    UnknownPredicate = "E0101", "a predicate is not declared";
    UnknownObject = "E0102", "an object is not declared";
    UnboundVariable = "E0103", "a variable is not in scope";
    UnknownType = "E0104", "a type is not declared";
    UnknownFunction = "E0105", "a function is not declared";
    DuplicateDeclaration = "E0106", "a name is declared twice";
    DuplicateVariable = "E0107", "a list binds one variable twice";
    ReservedName = "E0108", "a reserved word is declared as a name";
    OtherDomain = "E0109", "the problem belongs to another domain";

    TypeCycle = "E0201", "types are subtypes of each other in a cycle";
    TypeMismatch = "E0202", "an argument has the wrong type";
    ArityMismatch = "E0203", "the number of arguments is wrong";

    MisplacedOperator = "E0301", "a reserved word is not allowed here";
    EffectOnDerived = "E0302", "an effect changes a derived predicate";
    EffectOnFixed = "E0303", "an effect changes equality or a type";
    MisplacedAgentAction = "E0304", "an action of the agent is not allowed here";
    SeveralAgentActions = "E0305", "one operator carries out several actions of the agent";
    DerivedInInit = "E0306", "an initial state lists a derived predicate";
    OperandCount = "E0307", "a connective has too few or too many operands";

    NumberOutOfRange = "E0401", "a number is out of range";
    InvalidProbability = "E0402", "a probability is not a number from 0 to 1";
    ProbabilitySum = "E0403", "the probabilities of one draw add up to more than 1";
    NumberExpected = "E0404", "a number is expected here";
    ConflictingValues = "E0405", "an initial state gives one function two values";

    NegativeCycle = "E0501", "a derived predicate depends on its own negation";
    InvalidHead = "E0502", "the head of a derivation rule is not a predicate with distinct variables";

    DurativeActions = "E0601", "durative actions are not supported";
    TimedLiterals = "E0602", "timed initial literals are not supported";
    Preferences = "E0603", "preferences are not supported";
    TrajectoryConstraints = "E0604", "trajectory constraints are not supported";
    ObjectFluents = "E0605", "object fluents are not supported";
    ContinuousEffects = "E0606", "continuous effects, processes and events are not supported";
    NonDeterminism = "E0607", "non-deterministic effects are not supported";
    OtherLanguage = "E0608", "a part of another planning language is not supported";

    DomainNameMismatch = "W0101", "the problem names another domain";
    RepeatedDeclaration = "W0102", "a name is declared twice in the same way";
    UndeclaredSupertype = "W0103", "a type is used as a supertype, but not declared";
    ShadowedVariable = "W0104", "a variable hides another one of the same name";
    ObjectSubtype = "W0105", "`object` is declared as a subtype of another type";
    LoneType = "W0106", "a type on a line of its own gets the supertype of the next line";
    UnusedParameter = "W0107", "an action does not use a parameter";
    UnreadName = "W0108", "nothing reads a predicate, function, type or constant";
    MaybeMismatch = "W0201", "an argument may be of the wrong type";
    UnknownAgentAction = "W0301", "a listed action of the agent is not a declared predicate";
    ContradictedFact = "W0302", "an initial state lists a fact and its negation";
    MissingSection = "W0303", "a problem has no goal or no initial state";
    NeverTrue = "W0304", "a goal or a precondition can never hold";
    DeletedAndAdded = "W0305", "an effect deletes and adds the same atom";
    NeverApplicable = "W0306", "an action can never be applied in a problem";
    NeverHolds = "W0307", "no atom of a predicate can ever be true in a problem";
    UnreadDerived = "W0308", "rules derive a predicate that nothing reads";
    LooseNotation = "W0309", "a notation that PDDL does not have, but whose meaning is clear";
    RepeatedFact = "W0310", "an initial state lists a fact twice";
    GoalHolds = "W0311", "the goal holds in the initial state";
    IgnoredMetric = "W0401", "no action changes the quantity that a metric measures";
    RescaledProbabilities = "W0402", "the probabilities of one draw add up to a little more than 1";
    UndefinedValue = "W0403", "an action reads a number that never has a value";
    BareFunction = "W0404", "a function stands without parentheses";
    NegativeCost = "W0405", "an action has a negative cost";
    ContradictingNumbers = "W0406", "effects on a number contradict each other, or divide by zero";
    UnknownRequirement = "W0601", "a requirement flag is not known";
    MissingRequirement = "W0602", "the requirement flag of a used feature is missing";
    UnusedRequirement = "W0603", "a requirement flag is not needed";
    RefusedRequirement = "W0604", "a requirement flag names a feature that is not supported";
}
