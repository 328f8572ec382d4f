//! The codes of all RDDL diagnostics. They begin at `E1001` and `W1101`, a range that PDDL does not use.

mod explain;

use explain::{instances, names, structure, text, types, warnings};

/// A fault or warning about an RDDL text, with its place and help. [`Faults`],
/// [`Document::diagnostics`](crate::Document::diagnostics) and [`Checked::diagnostics`](crate::Checked::diagnostics)
/// list them.
pub type Diagnostic = herbrand_text::Diagnostic<Code>;
/// The error of functions that parse RDDL, such as [`Instance::load`](crate::Instance::load): all faults for which the
/// texts were rejected, with the warnings.
pub type Faults = herbrand_text::Faults<Code>;
/// The explanation of a code, with a faulty and a correct example. [`Code::explanation`] returns it.
pub type Explanation = herbrand_text::Explanation<Code>;
/// The reason why files could not be loaded as a model: a file cannot be read, or the texts have faults.
/// [`Domain::from_file`](crate::Domain::from_file) and [`Instance::from_files`](crate::Instance::from_files) return it.
pub type LoadError = herbrand_text::LoadError<Code>;
pub(crate) type Diagnostics = herbrand_text::Diagnostics<Code>;

herbrand_text::codes! {
    /// The code of a fault or warning, such as `E1104`: `E` (error) or `W` (warning) and four digits. Codes are stable
    /// between versions. Strict reading makes a warning an error, but keeps its code. A [`Diagnostic`] has one, and
    /// `explanation` returns the page about it.
    pub enum Code: too many is TooManyFaults, limit is LimitReached, explained by [
        text::EXPLANATIONS,
        names::EXPLANATIONS,
        types::EXPLANATIONS,
        structure::EXPLANATIONS,
        instances::EXPLANATIONS,
        warnings::EXPLANATIONS,
    ];

    NoDefinition = "E1001", "the text defines nothing, or something is outside a block";
    UnexpectedCharacter = "E1002", "a character that RDDL does not allow";
    UnclosedBrace = "E1003", "a `{` is not closed";
    Unexpected = "E1004", "something else is expected here";
    UnknownSection = "E1005", "an unknown section";
    RepeatedSection = "E1006", "a section is given twice";
    NestedTooDeep = "E1007", "an expression is nested too deep";
    ForeignOperator = "E1008", "an operator of another language";
    DefinitionCount = "E1009", "the texts do not define exactly one domain or instance";
    TextTooLong = "E1010", "the text is too long";
    TooManyFaults = "E1011", "there are more faults than are shown";
    ExternalFunction = "E1012", "external functions are not supported";
    PolicyBlock = "E1013", "policy blocks are not supported";
    TerminateWhen = "E1014", "`terminate-when` is not supported";
    LimitReached = "E1015", "reading exceeds a limit on time or memory";

    UnknownPvariable = "E1101", "a pvariable is not declared";
    UnknownType = "E1102", "a type is not declared";
    UnboundVariable = "E1103", "a variable is not in scope";
    UnknownItem = "E1104", "an enum value or object does not exist";
    UnknownFunction = "E1105", "a function, aggregation or distribution does not exist";
    DuplicateDeclaration = "E1106", "a name is declared twice";
    DuplicateVariable = "E1107", "a list binds one variable twice";
    ReservedName = "E1108", "a name that cannot be declared";
    AmbiguousItem = "E1109", "a value belongs to several enums";

    TypeMismatch = "E1201", "a value has the wrong type";
    ArityMismatch = "E1202", "the number of arguments is wrong";
    NumberOutOfRange = "E1203", "a number is out of range";
    IncompleteSwitch = "E1204", "a switch does not cover all values";
    DuplicateCase = "E1205", "a value has two cases";
    MisplacedArgument = "E1206", "an argument is not allowed here";
    VectorIndex = "E1207", "the indices of a vector or matrix are wrong";

    MissingCpf = "E1301", "a fluent has no CPF";
    MisplacedCpf = "E1302", "a fluent that cannot have a CPF has one";
    WrongPrime = "E1303", "a prime is missing or not allowed";
    ForbiddenDependency = "E1304", "a formula reads a fluent that it may not read";
    DependencyCycle = "E1305", "fluents depend on each other in a cycle";
    MisplacedDraw = "E1306", "a random draw is not allowed here";
    MissingReward = "E1307", "a domain has no reward";

    MissingBlock = "E1401", "a named block is not defined";
    WrongKind = "E1402", "a section gives a value to a fluent of the wrong kind";
    ConflictingValues = "E1403", "one ground fluent is given two values";
    MissingObjects = "E1404", "a type has no objects";
    TooManyGround = "E1405", "a fluent has too many ground variables";
    MissingSetting = "E1406", "an instance lacks a required setting";

    DifferenceName = "W1101", "a name that looks like a difference";
    ScientificNotation = "W1102", "a number with an exponent";
    GreedyBody = "W1103", "a body extends further right than its brackets";
    BareValue = "W1104", "an enum value without `@`";
    ShadowedVariable = "W1105", "a variable hides another one of the same name";
    UnknownRequirement = "W1106", "a requirement is not known";
    TightNot = "W1107", "`~` binds tighter than a comparison";
    RepeatedSetting = "W1108", "a value is given twice";
    UnusedPvariable = "W1109", "a non-fluent or action is never read";
    MissingDefault = "W1110", "a fluent has no default";
    DomainMismatch = "W1111", "an instance names another domain";
    ParameterOutOfRange = "W1112", "a parameter for which a distribution is not defined";
    ChainedComparison = "W1113", "a comparison with the truth value of a comparison";
    TruthAsNumber = "W1114", "a bool as the value of a fluent with numbers";
    NoActions = "W1115", "an instance that allows no action";
}
