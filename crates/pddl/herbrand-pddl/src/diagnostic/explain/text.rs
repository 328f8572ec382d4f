//! E00xx: faults of the text as such, such as unmatched parentheses.

use super::{Code, Explanation};

pub(in crate::diagnostic) const EXPLANATIONS: &[Explanation] = &[
    Explanation::new(
        Code::NoDefinition,
        "A PDDL text consists of definitions of domains and problems, each in a `(define …)`. This text is empty, \
         contains only comments, or has something outside a definition that belongs inside one.",
        "(domain switches)",
        "(define (domain switches))",
    ),
    Explanation::new(
        Code::UnexpectedCharacter,
        "Names consist of ASCII letters, digits, `-`, `_` and a few other characters that existing files use. Other \
         characters, such as letters with accents, are allowed only in comments. A comment begins with `;` and ends \
         with the line.",
        "(define (domain caf\u{e9}))",
        "(define (domain cafe)) ; caf\u{e9}",
    ),
    Explanation::new(
        Code::UnclosedParenthesis,
        "Every `(` needs a `)`. Sections such as `(:init …)` are directly inside a definition, so Herbrand notices a \
         missing `)` when the next section begins. Its place is somewhere between the two places shown.",
        "(define (domain switches)\n  (:predicates (on ?x)\n  (:action press :parameters (?x) :effect (on ?x)))",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :effect (on ?x)))",
    ),
    Explanation::new(
        Code::UnmatchedParenthesis,
        "This `)` has no matching `(`, or this section comes after the end of its definition. There is one `)` too \
         many, here or above, or a `(` is missing above.",
        "(define (domain switches)\n  (:predicates (on ?x))))",
        "(define (domain switches)\n  (:predicates (on ?x)))",
    ),
    Explanation::new(
        Code::NestedTooDeep,
        "Parentheses may be nested up to 250 deep. Split a deeper formula: define derived predicates for its parts.",
        "",
        "",
    ),
    Explanation::new(
        Code::Unexpected,
        "The grammar of PDDL requires something else here. The message says what is expected.",
        "(define (domain switches)\n  (:predicates (on x)))",
        "(define (domain switches)\n  (:predicates (on ?x)))",
    ),
    Explanation::new(
        Code::UnknownSection,
        "A domain has the sections `:requirements`, `:types`, `:constants`, `:predicates`, `:functions`, `:derived` \
         and `:action`, a problem `:domain`, `:requirements`, `:objects`, `:init`, `:goal`, `:goal-reward` and \
         `:metric`. An action has `:parameters`, `:precondition` and `:effect`. The order is free.",
        "(define (domain switches)\n  (:predicate (on ?x)))",
        "(define (domain switches)\n  (:predicates (on ?x)))",
    ),
    Explanation::new(
        Code::RepeatedSection,
        "Give this section or part only once. Only sections that are lists, such as `:predicates` and `:init`, may be \
         split into several.",
        "(define (domain switches)\n  (:predicates (on))\n  (:action press :effect (on) :effect (not (on))))",
        "(define (domain switches)\n  (:predicates (on))\n  (:action press :effect (on)))",
    ),
    Explanation::new(
        Code::DefinitionCount,
        "The command expects exactly one domain, or one problem, but the text defines none or several. A file may \
         contain a domain together with its problems.",
        "(define (domain first))\n(define (domain second))",
        "(define (domain first))",
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
        Code::LimitReached,
        "The program that reads the text limits the time and the memory for it, and one of these limits was reached: \
         the message says which. Nothing of the text is used. Raise that limit (`--time` or `--memory` on the command \
         line) or shorten the text.",
        "",
        "",
    ),
];
