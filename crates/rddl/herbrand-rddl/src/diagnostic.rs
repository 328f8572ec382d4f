//! The codes of all RDDL diagnostics. They begin at `E1001` and `W1101`, a range that PDDL does not use.

/// A fault or warning about an RDDL text, with its place and help. [`Faults`],
/// [`Document::diagnostics`](crate::Document::diagnostics) and [`Checked::diagnostics`](herbrand_text::Checked::diagnostics)
/// list them.
pub type Diagnostic = herbrand_text::Diagnostic<Code>;
/// The error of functions that parse RDDL, such as [`Instance::load`](crate::Instance::load): all faults for which the
/// texts were rejected, with the warnings.
pub type Faults = herbrand_text::Faults<Code>;
/// The reason why files could not be loaded as a model: a file cannot be read, or the texts have faults.
/// [`Domain::from_file`](crate::Domain::from_file) and [`Instance::from_files`](crate::Instance::from_files) return it.
pub type LoadError = herbrand_text::LoadError<Code>;
/// The result of checking a domain or an instance in RDDL.
pub type Checked<T> = herbrand_text::Checked<T, Code>;
pub(crate) type Diagnostics = herbrand_text::Diagnostics<Code>;

herbrand_text::codes! {
    /// The code of a fault or warning, such as `E1104`: `E` (error) or `W` (warning) and four digits. Codes are stable
    /// between versions. Strict reading makes a warning an error, but keeps its code. A [`Diagnostic`] has one, and
    /// `explanation` returns the page about it.
    pub enum Code: too many is TooManyFaults, limit is LimitReached;

    NoDefinition = "E1001", "the text defines nothing, or something is outside a block",
        "An RDDL text consists of `domain`, `non-fluents` and `instance` blocks, each with a name and braces. This text \
         is empty, contains only comments, or has something outside a block that belongs inside one.",
        "reward = 0;",
        "domain lights {\n  reward = 0;\n}";
    UnexpectedCharacter = "E1002", "a character that RDDL does not allow",
        "Names consist of ASCII letters, digits, `-` and `_`, and begin with a letter. Other characters, such as \
         letters with accents, are allowed only in comments. A comment begins with `//` and ends with the line.",
        "domain café {\n  reward = 0;\n}",
        "domain cafe {\n  reward = 0;\n} // café";
    UnclosedBrace = "E1003", "a `{` is not closed",
        "Every `{` needs a `}`. The text ends inside a block or section; the missing brace may be anywhere before.",
        "domain lights {\n  reward = 0;",
        "domain lights {\n  reward = 0;\n}";
    Unexpected = "E1004", "something else is expected here",
        "The grammar of RDDL requires something else here. The message says what is expected.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on ~; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = ~on; };\n  reward = 0;\n}";
    UnknownSection = "E1005", "an unknown section",
        "A domain has the sections `requirements`, `types`, `pvariables`, `cpfs` (or `cdfs`, which means the same), \
         `reward`, `termination`, `action-preconditions`, `state-invariants` and `state-action-constraints`. An \
         instance has `domain`, `non-fluents`, `objects`, `init-state`, `max-nondef-actions`, `horizon` and \
         `discount`. The order is free.",
        "domain lights {\n  rewards = 0;\n}",
        "domain lights {\n  reward = 0;\n}";
    RepeatedSection = "E1006", "a section is given twice",
        "Give this section or setting only once. Only sections that are lists may be split into several.",
        "domain lights {\n  reward = 0;\n  reward = 1;\n}",
        "domain lights {\n  reward = 0;\n}";
    NestedTooDeep = "E1007", "an expression is nested too deep",
        "Operations may be nested up to 300 deep. Split a deeper expression: define interm-fluents for its parts.";
    ForeignOperator = "E1008", "an operator of another language",
        "In RDDL, write `^` or `&` for \"and\", `|` for \"or\", `~` for \"not\", `==` for \"equal\" and `~=` for \"not \
         equal\". Write `pow[x, y]` for a power, `mod[x, y]` for a remainder, and `if (a) then b else c` for a choice. A \
         single `=` is used only in definitions.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on || !on; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on | ~on; };\n  reward = 0;\n}";
    DefinitionCount = "E1009", "the texts do not define exactly one domain or instance",
        "The command expects exactly one domain, or one instance, but the texts define none or several.",
        "domain first {\n  reward = 0;\n}\ndomain second {\n  reward = 0;\n}",
        "domain first {\n  reward = 0;\n}";
    TextTooLong = "E1010", "the text is too long",
        "Herbrand reads texts of at most 4 GiB. The program that calls it may allow less.";
    TooManyFaults = "E1011", "there are more faults than are shown",
        "Only the first 200 faults are shown; the rest are counted. Fix some of those shown first: one mistake in a \
         declaration can cause many faults further down.";
    ExternalFunction = "E1012", "external functions are not supported",
        "Some programs let a domain call their own functions, written `$name[…]`. Herbrand does not have these \
         functions. Define the function in RDDL, for example as an interm-fluent.",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; };\n  cpfs { level' = $next[level]; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; };\n  cpfs { level' = level + 1; };\n  reward = 0;\n}";
    PolicyBlock = "E1013", "policy blocks are not supported",
        "A `policy` block describes how an agent chooses actions. Herbrand does not support it. Remove the block.",
        "policy always { }\ndomain lights {\n  reward = 0;\n}",
        "domain lights {\n  reward = 0;\n}";
    TerminateWhen = "E1014", "`terminate-when` is not supported",
        "An episode ends after `horizon` steps, or when a condition in the section `termination` of the domain holds. A \
         `terminate-when` condition instead of the number of steps is not supported. Write it in `termination`.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; horizon = terminate-when (on); discount = 1.0; }",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n  termination { on; };\n}\ninstance evening { domain = lights; horizon = 10; discount = 1.0; }";
    LimitReached = "E1015", "reading exceeds a limit on time or memory",
        "The program that reads the text limits the time and the memory for it, and one of these limits was reached: \
         the message says which. Nothing of the text is used. Raise that limit (`--time` or `--memory` on the command \
         line) or shorten the text.";

    UnknownPvariable = "E1101", "a pvariable is not declared",
        "Declare every fluent and non-fluent in `pvariables`. Names are case-sensitive. A `-` between letters or digits \
         is part of a name: `x-1` is one name; write a difference as `x - 1`. Functions take square brackets: `cos[x]`.",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; };\n  cpfs { level' = level-1; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; };\n  cpfs { level' = level - 1; };\n  reward = 0;\n}";
    UnknownType = "E1102", "a type is not declared",
        "Declare types in the section `types` of the domain, as `object` or with a list of values. A parameter cannot \
         have the type `bool`, `int` or `real`.",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamps) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?l); };\n  reward = 0;\n}",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?l); };\n  reward = 0;\n}";
    UnboundVariable = "E1103", "a variable is not in scope",
        "A variable must be a parameter of the CPF, or be bound by an enclosing quantifier or aggregation.",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?k); };\n  reward = 0;\n}",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?l); };\n  reward = 0;\n}";
    UnknownItem = "E1104", "an enum value or object does not exist",
        "Enum values are declared with their type and written with `@`. Objects belong to instances, so a domain cannot \
         name them. Use a non-fluent to mark the object instead.",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; };\n  cpfs { colour' = @blue; };\n  reward = 0;\n}",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; };\n  cpfs { colour' = @green; };\n  reward = 0;\n}";
    UnknownFunction = "E1105", "a function, aggregation or distribution does not exist",
        "Functions take square brackets, as in `abs[x]`; aggregations bind variables, as in `sum_{?x : t} […]`. New \
         functions cannot be declared. Define an interm-fluent instead.",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; };\n  cpfs { level' = absolute[level]; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; };\n  cpfs { level' = abs[level]; };\n  reward = 0;\n}";
    DuplicateDeclaration = "E1106", "a name is declared twice",
        "Two types or two pvariables have the same name, two CPFs define the same fluent, or a value or object is \
         listed twice. A type and a pvariable may share a name.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}";
    DuplicateVariable = "E1107", "a list binds one variable twice",
        "The variables of one list must have different names.",
        "domain lights {\n  types { lamp : object; };\n  pvariables { near(lamp, lamp) : { state-fluent, bool, default = false }; };\n  cpfs { near'(?l, ?l) = near(?l, ?l); };\n  reward = 0;\n}",
        "domain lights {\n  types { lamp : object; };\n  pvariables { near(lamp, lamp) : { state-fluent, bool, default = false }; };\n  cpfs { near'(?l, ?k) = near(?l, ?k); };\n  reward = 0;\n}";
    ReservedName = "E1108", "a name that cannot be declared",
        "Reserved words cannot be declared as names. A prime is not part of a name: `x'` is the next value of the state \
         fluent `x`.",
        "domain lights {\n  pvariables { on' : { state-fluent, bool, default = false }; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}";
    AmbiguousItem = "E1109", "a value belongs to several enums",
        "Two enums have a value of this name, and the context does not decide between them. A value gets its type \
         from the expression on the other side of a comparison, the fluent that it is assigned to, or the parameter \
         that it is passed to.",
        "domain lights {\n  types { hue : { @red, @green }; paint : { @red, @blue }; };\n  pvariables { b : { state-fluent, bool, default = false }; };\n  cpfs { b' = @red == @red; };\n  reward = 0;\n}",
        "domain lights {\n  types { hue : { @red, @green }; paint : { @red, @blue }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; b : { state-fluent, bool, default = false }; };\n  cpfs { colour' = colour; b' = colour == @red; };\n  reward = 0;\n}";

    TypeMismatch = "E1201", "a value has the wrong type",
        "A bool converts to an int (0 or 1), and an int to a real, but never the other way round: `1.0` is not an int. \
         Enum values and objects can only be compared by `==` and `~=`, with one of the same type. `/` returns a real; \
         `div[a, b]` returns an int.",
        "domain lights {\n  pvariables { count : { state-fluent, int, default = 0 }; };\n  cpfs { count' = count / 2; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { count : { state-fluent, int, default = 0 }; };\n  cpfs { count' = div[count, 2]; };\n  reward = 0;\n}";
    ArityMismatch = "E1202", "the number of arguments is wrong",
        "A fluent takes one argument for each declared parameter. Each function and distribution takes a fixed number \
         of arguments. For the minimum of three numbers, write `min[a, min[b, c]]`.",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit; };\n  reward = 0;\n}",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?l); };\n  reward = 0;\n}";
    NumberOutOfRange = "E1203", "a number is out of range",
        "Ints are 64-bit, and reals are double-precision. A horizon is at least 1, and a discount is from 0 to 1. The \
         probabilities of a `Discrete` add up to 1, up to a difference of 0.00001.",
        "domain lights {\n  pvariables { count : { state-fluent, int, default = 99999999999999999999 }; };\n  cpfs { count' = count; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { count : { state-fluent, int, default = 99999999 }; };\n  cpfs { count' = count; };\n  reward = 0;\n}";
    IncompleteSwitch = "E1204", "a switch does not cover all values",
        "A `switch` needs a case for each value of the enum, or a `default`.",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; };\n  cpfs { colour' = switch (colour) { case @red : @green }; };\n  reward = 0;\n}",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; };\n  cpfs { colour' = switch (colour) { case @red : @green, default : @red }; };\n  reward = 0;\n}";
    DuplicateCase = "E1205", "a value has two cases",
        "Each value can have only one case. In a `Discrete`, one value may have the probability `otherwise`: 1 minus \
         the sum of the others.",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; };\n  cpfs { colour' = Discrete(hue, @red : 0.5, @red : 0.5); };\n  reward = 0;\n}",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; };\n  cpfs { colour' = Discrete(hue, @red : 0.5, @green : 0.5); };\n  reward = 0;\n}";
    MisplacedArgument = "E1206", "an argument is not allowed here",
        "An argument of a fluent must be a variable, an enum value, another fluent, `argmax`, `argmin` or \
         `Discrete_{…}`. For any other expression, define an interm-fluent and pass that.",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; lit(hue) : { state-fluent, bool, default = false }; };\n  cpfs { colour' = colour; lit'(?h) = lit(if (lit(?h)) then @red else @green); };\n  reward = 0;\n}",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; pick(hue) : { interm-fluent, hue }; lit(hue) : { state-fluent, bool, default = false }; };\n  cpfs { colour' = colour; pick(?h) = if (lit(?h)) then @red else @green; lit'(?h) = lit(pick(?h)); };\n  reward = 0;\n}";
    VectorIndex = "E1207", "the indices of a vector or matrix are wrong",
        "`MultivariateNormal[?i](m(_), C(_, _))` is component `?i` of a random vector. The index is a variable. The \
         parameters are fluents in which `_` stands for the index of a component: a vector such as `m` has one `_` \
         among its arguments, a matrix such as `C` two. The rows and columns of a matrix must have the same type.",
        "domain lights {\n  types { lamp : object; };\n  pvariables { v(lamp) : { state-fluent, real, default = 0.0 }; };\n  cpfs { v'(?l) = Dirichlet[?l](v(?l)); };\n  reward = 0;\n}",
        "domain lights {\n  types { lamp : object; };\n  pvariables { v(lamp) : { state-fluent, real, default = 0.0 }; };\n  cpfs { v'(?l) = Dirichlet[?l](v(_)); };\n  reward = 0;\n}";

    MissingCpf = "E1301", "a fluent has no CPF",
        "Each state, interm, derived and observ fluent needs a CPF, which defines its value.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}";
    MisplacedCpf = "E1302", "a fluent that cannot have a CPF has one",
        "Non-fluents and action fluents have no CPF: instances set non-fluents, and the agent sets action fluents.",
        "domain lights {\n  pvariables { press : { action-fluent, bool, default = false }; };\n  cpfs { press = true; };\n  reward = press;\n}",
        "domain lights {\n  pvariables { press : { action-fluent, bool, default = false }; };\n  reward = press;\n}";
    WrongPrime = "E1303", "a prime is missing or not allowed",
        "The CPF of a state fluent defines its next value, so its head has a prime. The heads of other fluents have \
         none.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on = ~on; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = ~on; };\n  reward = 0;\n}";
    ForbiddenDependency = "E1304", "a formula reads a fluent that it may not read",
        "Every formula may read non-fluents. Derived fluents, invariants and termination conditions may also read \
         state and derived fluents. Preconditions and state-action constraints may read these and action fluents. \
         Interm-fluents may read all of these and other interm-fluents. Observations may read action, derived and \
         interm-fluents, and next values of state fluents (with a prime), but no present ones. Next values of state \
         fluents and the reward may read everything except observations.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; seen : { observ-fluent, bool }; };\n  cpfs { on' = on; seen = on; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; seen : { observ-fluent, bool }; };\n  cpfs { on' = on; seen = on'; };\n  reward = 0;\n}";
    DependencyCycle = "E1305", "fluents depend on each other in a cycle",
        "The values of a step are computed in order, each from earlier ones. This value depends on itself.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; hot : { state-fluent, bool, default = false }; };\n  cpfs { on' = hot'; hot' = on'; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; hot : { state-fluent, bool, default = false }; };\n  cpfs { on' = hot; hot' = on'; };\n  reward = 0;\n}";
    MisplacedDraw = "E1306", "a random draw is not allowed here",
        "Derived fluents, preconditions, constraints, invariants and termination conditions must have the same value \
         whenever they are evaluated, so they cannot draw at random. Draw in an interm-fluent or in the next value of a \
         state fluent, and read that fluent.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n  termination { Bernoulli(0.5); };\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = Bernoulli(0.5); };\n  reward = 0;\n  termination { on; };\n}";
    MissingReward = "E1307", "a domain has no reward",
        "A domain must define the reward of a step. Write `reward = 0;` if there is none.",
        "domain lights {\n}",
        "domain lights {\n  reward = 0;\n}";

    MissingBlock = "E1401", "a named block is not defined",
        "The instance names a block of non-fluents that no given text defines. Pass the file that contains it, or \
         correct the name.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; non-fluents = lamps; horizon = 10; discount = 1.0; }",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\nnon-fluents lamps { domain = lights; }\ninstance evening { domain = lights; non-fluents = lamps; horizon = 10; discount = 1.0; }";
    WrongKind = "E1402", "a section gives a value to a fluent of the wrong kind",
        "`non-fluents` sets the values of non-fluents; `init-state` sets the values of state fluents. No other fluents \
         can be set: actions are chosen by the agent, and the rest is computed.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; non-fluents { on; }; horizon = 10; discount = 1.0; }",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; init-state { on; }; horizon = 10; discount = 1.0; }";
    ConflictingValues = "E1403", "one ground fluent is given two values",
        "The same ground fluent gets two different values. Remove one of them.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; init-state { on; ~on; }; horizon = 10; discount = 1.0; }",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; init-state { on; }; horizon = 10; discount = 1.0; }";
    MissingObjects = "E1404", "a type has no objects",
        "An instance must list at least one object for every object type. A minimum or maximum over no objects would \
         be undefined.",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?l); };\n  reward = 0;\n}\ninstance evening { domain = lights; horizon = 10; discount = 1.0; }",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?l); };\n  reward = 0;\n}\ninstance evening { domain = lights; objects { lamp : { l1 }; }; horizon = 10; discount = 1.0; }";
    TooManyGround = "E1405", "a fluent has too many ground variables",
        "A fluent has one ground variable for each combination of objects. This fluent has more than 2^32. Use fewer \
         objects or fewer parameters.";
    MissingSetting = "E1406", "an instance lacks a required setting",
        "An instance must give its domain, a horizon and a discount. `max-nondef-actions` is optional; without it, the \
         number of actions per step is unlimited.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; discount = 1.0; }",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; horizon = 10; discount = 1.0; }";

    DifferenceName = "W1101", "a name that looks like a difference",
        "The declared name looks like a difference of two other names, or of a name and a number. In formulas, \
         `level-1` without spaces is this name, even if you mean a difference. Choose another name.",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; level-1 : { non-fluent, real, default = 1.0 }; };\n  cpfs { level' = level-1; };\n  reward = level;\n}",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; first : { non-fluent, real, default = 1.0 }; };\n  cpfs { level' = first; };\n  reward = level;\n}";
    ScientificNotation = "W1102", "a number with an exponent",
        "The original RDDL has no exponents, so other programs may reject this number. Write it without one.",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; };\n  cpfs { level' = 1.5e3; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; };\n  cpfs { level' = 1500.0; };\n  reward = 0;\n}";
    GreedyBody = "W1103", "a body extends further right than its brackets",
        "The body of an aggregation or quantifier extends as far right as possible, even past a closing bracket. So \
         `sum_{?x : t} [1] + 10` is the sum of `[1] + 10`, which is 22 for two objects. Put brackets around the whole \
         aggregation, or around the whole body.",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?l); };\n  reward = sum_{?l : lamp} [lit(?l)] - 10;\n}",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?l); };\n  reward = (sum_{?l : lamp} [lit(?l)]) - 10;\n}";
    BareValue = "W1104", "an enum value without `@`",
        "Write enum values with `@`. Without it, the name could also be a fluent's.",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; };\n  cpfs { colour' = green; };\n  reward = 0;\n}",
        "domain lights {\n  types { hue : { @red, @green }; };\n  pvariables { colour : { state-fluent, hue, default = @red }; };\n  cpfs { colour' = @green; };\n  reward = 0;\n}";
    ShadowedVariable = "W1105", "a variable hides another one of the same name",
        "The inner variable has the same name as an outer one. Inside this construct, the name refers to the inner \
         variable, so the outer one cannot be used there. Other programs reject such text. Rename one of them.",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = exists_{?l : lamp} lit(?l); };\n  reward = 0;\n}",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = exists_{?k : lamp} lit(?k); };\n  reward = 0;\n}";
    UnknownRequirement = "W1106", "a requirement is not known",
        "The requirement is not part of RDDL. It is ignored, like all requirements: they do not change how a text is \
         read.",
        "domain lights {\n  requirements = { reward-determinstic };\n  reward = 0;\n}",
        "domain lights {\n  requirements = { reward-deterministic };\n  reward = 0;\n}";
    TightNot = "W1107", "`~` binds tighter than a comparison",
        "`~` applies only to the operand directly after it: `~a == b` is read as `(~a) == b`. Write `(~a) == b` or \
         `~(a == b)`, whichever you mean.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = ~on == true; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = ~(on == true); };\n  reward = 0;\n}";
    RepeatedSetting = "W1108", "a value is given twice",
        "The same value is given twice. The second one has no effect; remove it.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; init-state { on; on; }; horizon = 10; discount = 1.0; }",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; init-state { on; }; horizon = 10; discount = 1.0; }";
    UnusedPvariable = "W1109", "a non-fluent or action is never read",
        "No formula reads this non-fluent or action fluent, so its value has no effect.",
        "domain lights {\n  pvariables { press : { action-fluent, bool, default = false }; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { press : { action-fluent, bool, default = false }; };\n  reward = press;\n}";
    MissingDefault = "W1110", "a fluent has no default",
        "The default of an action fluent is its value in steps where the agent does not set it. Without one, the \
         default is `false`, 0, or the first value of its type. A non-fluent with neither a default nor a value in \
         the instance is 0, or the first object or enum value. A bool non-fluent is then `false`, and there is no \
         warning.",
        "domain lights {\n  pvariables { press : { action-fluent, bool }; };\n  reward = press;\n}",
        "domain lights {\n  pvariables { press : { action-fluent, bool, default = false }; };\n  reward = press;\n}";
    DomainMismatch = "W1111", "an instance names another domain",
        "The instance or its non-fluents name a domain other than the given one. They are checked against the given \
         domain all the same. Check that they belong together.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = light; horizon = 10; discount = 1.0; }",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; horizon = 10; discount = 1.0; }";
    ParameterOutOfRange = "W1112", "a parameter for which a distribution is not defined",
        "The distribution is not defined for this number, so a step that draws from it fails. Correct the number.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = Bernoulli(1.5); };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = Bernoulli(0.5); };\n  reward = 0;\n}";
    ChainedComparison = "W1113", "a comparison with the truth value of a comparison",
        "Comparisons do not chain: `0 <= level <= 9` is read as `(0 <= level) <= 9`, which compares a bool with 9, and so it \
         always holds. Write two comparisons with `^` between them. To compare the truth value of a comparison, put brackets \
         around it.",
        "domain lights {\n  pvariables { level : { state-fluent, int, default = 0 }; };\n  cpfs { level' = level; };\n  reward = 0;\n  state-invariants { 0 <= level <= 9; };\n}",
        "domain lights {\n  pvariables { level : { state-fluent, int, default = 0 }; };\n  cpfs { level' = level; };\n  reward = 0;\n  state-invariants { 0 <= level ^ level <= 9; };\n}";
    TruthAsNumber = "W1114", "a bool as the value of a fluent with numbers",
        "The fluent has numbers, but its value is `true` or `false`. It is read as 1 or 0. Write the number, or declare the \
         fluent as a bool.",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = true }; };\n  cpfs { level' = level; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 1.0 }; };\n  cpfs { level' = level; };\n  reward = 0;\n}";
    NoActions = "W1115", "an instance that allows no action",
        "With `max-nondef-actions = 0`, no joint action may set an action fluent, so every step takes no action. Write \
         `pos-inf` for no limit.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; press : { action-fluent, bool, default = false }; };\n  cpfs { on' = press; };\n  reward = on;\n}\ninstance evening { domain = lights; max-nondef-actions = 0; horizon = 10; discount = 1.0; }",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; press : { action-fluent, bool, default = false }; };\n  cpfs { on' = press; };\n  reward = on;\n}\ninstance evening { domain = lights; max-nondef-actions = 1; horizon = 10; discount = 1.0; }";
}
