//! E1001 to E1014: the syntax of the text.

use super::{Code, Explanation};

pub(in crate::diagnostic) const EXPLANATIONS: &[Explanation] = &[
    Explanation::new(
        Code::NoDefinition,
        "A text holds blocks: `domain`, `non-fluents` and `instance`, each with a name and braces. This one \
         is empty, holds nothing but comments, or has something that belongs inside of a block outside of \
         one.",
        "reward = 0;",
        "domain lights {\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::UnexpectedCharacter,
        "Names are made of ASCII letters, digits, `-` and `_`, and begin with a letter. Anything else, such \
         as letters with accents, belongs in a comment. A comment begins with `//` and goes to the end of the \
         line.",
        "domain café {\n  reward = 0;\n}",
        "domain cafe {\n  reward = 0;\n} // café",
    ),
    Explanation::new(
        Code::UnclosedBrace,
        "Every `{` needs its `}`. The text ends while a block or a section is still open; the brace may be \
         missing anywhere before.",
        "domain lights {\n  reward = 0;",
        "domain lights {\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::Unexpected,
        "The grammar of RDDL asks for something else at this place. The message says for what.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on ~; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = ~on; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::UnknownSection,
        "A domain has the sections `requirements`, `types`, `pvariables`, `cpfs`, `reward`, `termination`, \
         `action-preconditions`, `state-invariants` and `state-action-constraints`. An instance has `domain`, \
         `non-fluents`, `objects`, `init-state`, `max-nondef-actions`, `horizon` and `discount`. They may \
         come in any order.",
        "domain lights {\n  rewards = 0;\n}",
        "domain lights {\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::RepeatedSection,
        "This can be given only once, as one of the two would have no effect. Sections that are lists may be \
         given in several pieces.",
        "domain lights {\n  reward = 0;\n  reward = 1;\n}",
        "domain lights {\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::NestedTooDeep,
        "An expression may be 300 operations high. Expressions that people write stay far below; a generated \
         one can be divided by naming its parts with interm-fluents.",
        "",
        "",
    ),
    Explanation::new(
        Code::ForeignOperator,
        "RDDL writes `^` or `&` for and, `|` for or, `~` for not, `~=` for unequal, and `==` to compare. A \
         single `=` defines something.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on || !on; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on | ~on; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::DefinitionCount,
        "One domain, or one instance, was asked for, but the texts define none or several.",
        "domain first {\n  reward = 0;\n}\ndomain second {\n  reward = 0;\n}",
        "domain first {\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::TextTooLong,
        "A text may have at most 4 GiB. The program that reads the text may set a lower limit.",
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
        "Some programs let a domain call functions of the program that reads it, written `$name[…]`. Such a \
         domain means nothing without that program. Write the function in RDDL.",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; };\n  cpfs { level' = $next[level]; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { level : { state-fluent, real, default = 0.0 }; };\n  cpfs { level' = level + 1; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::PolicyBlock,
        "A `policy` block says how actions are chosen. It is no part of the problem, and it is not read.",
        "policy always { }\ndomain lights {\n  reward = 0;\n}",
        "domain lights {\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::TerminateWhen,
        "Episodes end by a number of steps, the `horizon`, and by the conditions in the section `termination` \
         of the domain. The condition in place of the number is not supported.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; horizon = terminate-when (on); discount = 1.0; }",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n  termination { on; };\n}\ninstance evening { domain = lights; horizon = 10; discount = 1.0; }",
    ),
    Explanation::new(
        Code::LimitReached,
        "Reading takes time and memory in proportion to the length of the text. The program that reads the text limits \
         one of them, and the limit was reached. Nothing of the text is used. Raise the limit or shorten the text.",
        "",
        "",
    ),
];
