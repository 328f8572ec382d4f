//! E1001 to E1014: the syntax of the text.

use super::{Code, Explanation};

pub(in crate::diagnostic) const EXPLANATIONS: &[Explanation] = &[
    Explanation::new(
        Code::NoDefinition,
        "An RDDL text consists of `domain`, `non-fluents` and `instance` blocks, each with a name and braces. This text \
         is empty, contains only comments, or has something outside a block that belongs inside one.",
        "reward = 0;",
        "domain lights {\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::UnexpectedCharacter,
        "Names consist of ASCII letters, digits, `-` and `_`, and begin with a letter. Other characters, such as \
         letters with accents, are allowed only in comments. A comment begins with `//` and ends with the line.",
        "domain café {\n  reward = 0;\n}",
        "domain cafe {\n  reward = 0;\n} // café",
    ),
    Explanation::new(
        Code::UnclosedBrace,
        "Every `{` needs a `}`. The text ends inside a block or section; the missing brace may be anywhere before.",
        "domain lights {\n  reward = 0;",
        "domain lights {\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::Unexpected,
        "The grammar of RDDL requires something else here. The message says what is expected.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on ~; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = ~on; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::UnknownSection,
        "A domain has the sections `requirements`, `types`, `pvariables`, `cpfs` (or `cdfs`, which means the same), \
         `reward`, `termination`, `action-preconditions`, `state-invariants` and `state-action-constraints`. An \
         instance has `domain`, `non-fluents`, `objects`, `init-state`, `max-nondef-actions`, `horizon` and \
         `discount`. The order is free.",
        "domain lights {\n  rewards = 0;\n}",
        "domain lights {\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::RepeatedSection,
        "Give this section or setting only once. Only sections that are lists may be split into several.",
        "domain lights {\n  reward = 0;\n  reward = 1;\n}",
        "domain lights {\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::NestedTooDeep,
        "Operations may be nested up to 300 deep. Split a deeper expression: define interm-fluents for its parts.",
        "",
        "",
    ),
    Explanation::new(
        Code::ForeignOperator,
        "In RDDL, write `^` or `&` for \"and\", `|` for \"or\", `~` for \"not\", `==` for \"equal\" and `~=` for \"not \
         equal\". Write `pow[x, y]` for a power, `mod[x, y]` for a remainder, and `if (a) then b else c` for a choice. A \
         single `=` is used only in definitions.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on || !on; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on | ~on; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::DefinitionCount,
        "The command expects exactly one domain, or one instance, but the texts define none or several.",
        "domain first {\n  reward = 0;\n}\ndomain second {\n  reward = 0;\n}",
        "domain first {\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::TextTooLong,
        "Herbrand reads texts of at most 4 GiB. The program that calls it may allow less.",
        "",
        "",
    ),
    Explanation::new(
        Code::TooManyFaults,
        "Only the first 200 faults are shown; the rest are counted. Fix some of those shown first: one mistake in a \
         declaration can cause many faults further down.",
        "",
        "",
    ),
    Explanation::new(
        Code::ExternalFunction,
        "Some programs let a domain call their own functions, written `$name[…]`. Herbrand does not have these \
         functions. Define the function in RDDL, for example as an interm-fluent.",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; };\n  cpfs { level' = $next[level]; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; };\n  cpfs { level' = level + 1; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::PolicyBlock,
        "A `policy` block describes how an agent chooses actions. Herbrand does not support it. Remove the block.",
        "policy always { }\ndomain lights {\n  reward = 0;\n}",
        "domain lights {\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::TerminateWhen,
        "An episode ends after `horizon` steps, or when a condition in the section `termination` of the domain holds. A \
         `terminate-when` condition instead of the number of steps is not supported. Write it in `termination`.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; horizon = terminate-when (on); discount = 1.0; }",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n  termination { on; };\n}\ninstance evening { domain = lights; horizon = 10; discount = 1.0; }",
    ),
    Explanation::new(
        Code::LimitReached,
        "The program that reads the text limits the time and the memory for it, and one of these limits was reached: \
         the message says which. Nothing of the text is used. Raise that limit (`--time` or `--memory` on the command \
         line) or shorten the text.",
        "",
        "",
    ),
];
