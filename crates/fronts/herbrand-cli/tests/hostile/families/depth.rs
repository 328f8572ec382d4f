//! Constructs of both languages within themselves.

use super::{Family, Process, action, counting, effect, expression, nest, precondition};

/// Constructs of PDDL.
pub const PDDL_DEPTH: &[Family] = &[
    Family {
        name: "deep forall in conditions",
        size: 240,
        texts: |n| precondition(&nest(n, "(p ?x)", "(forall (?x) ", ")"), 3),
    },
    Family {
        name: "deep exists in the goal",
        size: 100_000,
        texts: |n| counting("", "", "(increase (f) 1)", &nest(n, "(g)", "(exists (?x) ", ")")),
    },
    Family {
        name: "deep either",
        size: 100_000,
        texts: |n| {
            super::Planning {
                types: format!("u - {} w", nest(n, "object", "(either ", ")")),
                constants: format!("c - {}", nest(n, "u", "(either ", ")")),
                ..super::Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "deep when in forall",
        size: 120,
        texts: |n| effect(&nest(n, "(p ?x)", "(forall (?x) (when (p ?x) ", "))"), 3),
    },
    Family {
        name: "deep minus and division",
        size: 240,
        texts: |n| {
            counting(
                "",
                "",
                &format!("(increase (f) {})", nest(n, "(h)", "(- (/ ", " 1))")),
                "(> (f) 1)",
            )
        },
    },
    Family {
        name: "deep initial facts",
        size: 100_000,
        texts: |n| {
            counting(
                "",
                &nest(n, "(g)", "(probabilistic 0.5 (and ", "))"),
                "(increase (f) 1)",
                "(> (f) 2)",
            )
        },
    },
    Family {
        name: "actions in actions",
        size: 10_000,
        texts: |n| {
            super::Planning {
                items: nest(
                    n,
                    &action("act", "", "(g)", "(g)"),
                    "(:action b :parameters () :effect ",
                    ")",
                ),
                ..super::Planning::default()
            }
            .texts()
        },
    },
];

/// A process with this section behind the reward.
fn section(sections: String) -> super::Texts {
    Process {
        sections,
        ..Process::default()
    }
    .texts()
}

/// Constructs of RDDL, deeper than a reader allows or just as deep.
pub const RDDL_DEPTH: &[Family] = &[
    Family {
        name: "deep conditionals of fluents",
        size: 290,
        texts: |n| expression(&nest(n, "r", "(if (i > 0) then ", " else 1.0)"), 3),
    },
    Family {
        name: "deep conditionals in conditions",
        size: 145,
        texts: |n| {
            expression(
                &format!(
                    "if {} then 1.0 else 0.0",
                    nest(n, "(i > 0)", "(if ", " then true else false)")
                ),
                3,
            )
        },
    },
    Family {
        name: "deep quantifiers",
        size: 240,
        texts: |n| {
            Process {
                pvariables: "b : { state-fluent, bool, default = false };".to_owned(),
                cpfs: format!("r' = r; b' = {};", nest(n, "b", "exists_{?u : t} [ ", " ]")),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "deep sums of one object",
        size: 240,
        texts: |n| expression(&nest(n, "r", "sum_{?u : t} [ ", " ]"), 3),
    },
    Family {
        name: "deep draws",
        size: 240,
        texts: |n| expression(&nest(n, "r", "Normal(", ", 1.0)"), 3),
    },
    Family {
        name: "deep invariants",
        size: 100_000,
        texts: |n| {
            section(format!(
                "state-invariants {{ {}; }};",
                nest(n, "(i > 0)", "~(", ")")
            ))
        },
    },
    Family {
        name: "deep preconditions",
        size: 240,
        texts: |n| {
            section(format!(
                "action-preconditions {{ {}; }};",
                nest(n, "true", "(i > 0) => (", ")")
            ))
        },
    },
    Family {
        name: "deep fluents of fluents",
        size: 100_000,
        texts: |n| expression(&nest(n, "o0", "x(", ")"), 3),
    },
    Family {
        name: "domains in domains",
        size: 10_000,
        texts: |n| section(nest(n, "", "domain e { cpfs { ", " }; }")),
    },
    Family {
        name: "deep powers",
        size: 240,
        texts: |n| expression(&nest(n, "r", "pow[", ", 2.0]"), 3),
    },
];
