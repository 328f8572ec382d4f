//! E00xx: faults of the text as such, such as unmatched parentheses.

use super::{Code, Explanation};

pub(in crate::diagnostic) const EXPLANATIONS: &[Explanation] = &[
    Explanation::new(
        Code::NoDefinition,
        "A text holds definitions of domains and problems, each in a form of its own. This one is empty, holds \
         nothing but comments, or has something that belongs inside of a definition standing outside of one.",
        "(domain switches)",
        "(define (domain switches))",
    ),
    Explanation::new(
        Code::UnexpectedCharacter,
        "Names are made of ASCII letters, digits, `-` and `_`, and of a few other signs that files in use have in \
         their names. Anything else, such as letters with accents, may stand in comments only. A comment begins \
         with `;` and goes to the end of the line.",
        "(define (domain caf\u{e9}))",
        "(define (domain cafe)) ; caf\u{e9}",
    ),
    Explanation::new(
        Code::UnclosedParenthesis,
        "Every `(` needs its `)`. Sections such as `(:init …)` stand directly inside of a definition, so that a \
         parenthesis missing in one section is noticed where the next one begins; it may be missing anywhere \
         between the two places shown.",
        "(define (domain switches)\n  (:predicates (on ?x)\n  (:action press :parameters (?x) :effect (on ?x)))",
        "(define (domain switches)\n  (:predicates (on ?x))\n  (:action press :parameters (?x) :effect (on ?x)))",
    ),
    Explanation::new(
        Code::UnmatchedParenthesis,
        "Here stands a `)` for which no `(` is open, or a section that comes after the end of its definition. As a \
         rule there is one `)` too many somewhere above.",
        "(define (domain switches)\n  (:predicates (on ?x))))",
        "(define (domain switches)\n  (:predicates (on ?x)))",
    ),
    Explanation::new(
        Code::NestedTooDeep,
        "Parentheses may nest up to 250 deep. Formulas that people write stay far below; a generated one can be \
         divided by naming its parts with derived predicates.",
        "",
        "",
    ),
    Explanation::new(
        Code::Unexpected,
        "The grammar of PDDL asks for something else at this place. The message says for what.",
        "(define (domain switches)\n  (:predicates (on x)))",
        "(define (domain switches)\n  (:predicates (on ?x)))",
    ),
    Explanation::new(
        Code::UnknownSection,
        "A domain has the sections `:requirements`, `:types`, `:constants`, `:predicates`, `:functions`, `:derived` \
         and `:action`, a problem `:domain`, `:requirements`, `:objects`, `:init`, `:goal`, `:goal-reward` and \
         `:metric`. An action has `:parameters`, `:precondition` and `:effect`. They may come in any order.",
        "(define (domain switches)\n  (:predicate (on ?x)))",
        "(define (domain switches)\n  (:predicates (on ?x)))",
    ),
    Explanation::new(
        Code::RepeatedSection,
        "This part can be given only once, as one of the two would have no effect. Sections that are lists, such as \
         `:predicates` or `:init`, may be given in several pieces.",
        "(define (domain switches)\n  (:predicates (on))\n  (:action press :effect (on) :effect (not (on))))",
        "(define (domain switches)\n  (:predicates (on))\n  (:action press :effect (on)))",
    ),
    Explanation::new(
        Code::DefinitionCount,
        "One domain, or one problem, was asked for, but the text defines none or several. A file may hold a domain \
         together with its problems.",
        "(define (domain first))\n(define (domain second))",
        "(define (domain first))",
    ),
    Explanation::new(
        Code::TextTooLong,
        "Places in a text are kept in 32 bits, so that no text of more than 4 GiB can be read. A program that reads \
         texts for others may set a lower limit.",
        "",
        "",
    ),
    Explanation::new(
        Code::TooManyFaults,
        "After 200 faults the others are only counted. Mend some of those that are shown: one mistake in a \
         declaration can lead to many faults below.",
        "",
        "",
    ),
    Explanation::new(
        Code::LimitReached,
        "Reading a text takes time and memory in proportion to its length, and whoever reads it can limit both. What was \
         read up to there is not used. Raise the limit, or make the text shorter.",
        "",
        "",
    ),
];
