//! Texts that are not planning problems, or unusual encodings of them.

use super::{Family, Planning, Texts, each, objects};

/// A text in place of the domain, beside a problem that is sound.
fn domain(domain: String) -> Texts {
    Texts {
        domain,
        ..Planning::default().texts()
    }
}

/// A text in place of the problem, beside a domain that is sound.
fn problem(problem: String) -> Texts {
    Texts {
        problem,
        ..Planning::default().texts()
    }
}

/// Sound texts, with the domain changed.
fn changed(change: impl Fn(&str) -> String) -> Texts {
    let sound = Planning {
        objects: objects(3),
        ..Planning::default()
    }
    .texts();
    Texts {
        domain: change(&sound.domain),
        problem: sound.problem,
    }
}

pub const RAW: &[Family] = &[
    Family {
        name: "empty files",
        size: 1,
        texts: |_| Texts {
            domain: String::new(),
            problem: String::new(),
        },
    },
    Family {
        name: "white space",
        size: 1 << 20,
        texts: |n| domain(" \n\t\r".repeat(n)),
    },
    Family {
        name: "opening brackets",
        size: 1 << 20,
        texts: |n| domain("(".repeat(n)),
    },
    Family {
        name: "closing brackets",
        size: 1 << 20,
        texts: |n| domain(")".repeat(n)),
    },
    Family {
        name: "opening brackets of a problem",
        size: 1 << 20,
        texts: |n| problem(format!("(define {}", "(".repeat(n))),
    },
    Family {
        name: "brackets that do not match",
        size: 1 << 18,
        texts: |n| domain("([{<)".repeat(n)),
    },
    Family {
        name: "not without end",
        size: 1 << 18,
        texts: |n| {
            domain(format!(
                "(define (domain d) (:action a :precondition {}",
                "(not ".repeat(n)
            ))
        },
    },
    Family {
        name: "NUL bytes",
        size: 1 << 20,
        texts: |n| domain("\0".repeat(n)),
    },
    Family {
        name: "NUL bytes in names",
        size: 1_000,
        texts: |n| changed(|text| text.replace("(p ?x)", &format!("(p\0q{} ?x)", "\0".repeat(n)))),
    },
    Family {
        name: "letters of all scripts",
        size: 1 << 16,
        texts: |n| domain("(é漢字🦀\u{202e}\u{200d}ß) ".repeat(n)),
    },
    Family {
        name: "names of all scripts",
        size: 1_000,
        texts: |n| changed(|text| text.replace("(p ?x)", &each(n, |number| format!("(漢字🦀{number} ?x)")))),
    },
    Family {
        name: "accents without letters",
        size: 1 << 16,
        texts: |n| changed(|text| text.replace("(g)", &format!("(g{})", "\u{301}".repeat(n)))),
    },
    Family {
        name: "a long name",
        size: 100_000,
        texts: |n| changed(|text| text.replace("(g)", &format!("({})", "g".repeat(n)))),
    },
    Family {
        name: "long names",
        size: 100_000,
        texts: |n| {
            changed(|text| {
                text.replace(
                    "(p ?x)",
                    &each(100, |number| format!("(p{}{number} ?x)", "p".repeat(n / 100))),
                )
            })
        },
    },
    Family {
        name: "a long comment",
        size: 10_000_000,
        texts: |n| changed(|text| format!("; {}\n{text}", "x".repeat(n))),
    },
    Family {
        name: "many comments",
        size: 500_000,
        texts: |n| changed(|text| format!("{}{text}", ";\n".repeat(n))),
    },
    Family {
        name: "many requirements",
        size: 20_000,
        texts: |n| changed(|text| text.replace(":adl", &":adl :strips ".repeat(n))),
    },
    Family {
        name: "many sections",
        size: 5_000,
        texts: |n| {
            changed(|text| {
                text.replace(
                    "(:predicates",
                    &format!(
                        "{}(:predicates",
                        "(:predicates (z)) (:types t) (:constants c)".repeat(n)
                    ),
                )
            })
        },
    },
    Family {
        name: "unknown sections",
        size: 5_000,
        texts: |n| {
            changed(|text| {
                text.replace(
                    "(:predicates",
                    &format!("{}(:predicates", "(:unknown (a b c))".repeat(n)),
                )
            })
        },
    },
    Family {
        name: "many domains in a file",
        size: 2_000,
        texts: |n| {
            domain(each(n, |number| {
                format!("(define (domain d{number}) (:predicates (g)))\n")
            }))
        },
    },
    Family {
        name: "many problems in a file",
        size: 2_000,
        texts: |n| {
            problem(each(n, |number| {
                format!("(define (problem p{number}) (:domain d) (:init) (:goal (g)))\n")
            }))
        },
    },
    Family {
        name: "one long line of words",
        size: 1 << 18,
        texts: |n| domain("word ".repeat(n)),
    },
    Family {
        name: "numbers alone",
        size: 1 << 18,
        texts: |n| domain("1e308 ".repeat(n)),
    },
    Family {
        name: "question marks",
        size: 1 << 18,
        texts: |n| {
            domain(format!(
                "(define (domain d) (:predicates (p {})))",
                "? ".repeat(n)
            ))
        },
    },
    Family {
        name: "hyphens",
        size: 1 << 16,
        texts: |n| {
            changed(|text| {
                text.replace(
                    "(:predicates",
                    &format!("(:types {}) (:predicates", "a - ".repeat(n)),
                )
            })
        },
    },
];
