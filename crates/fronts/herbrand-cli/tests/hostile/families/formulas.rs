//! Deep and wide formulas and effects.

use super::{Family, each, effect, nest, precondition};

pub const FORMULAS: &[Family] = &[
    Family {
        name: "deep and",
        size: 1_600,
        texts: |n| precondition(&nest(n, "(p ?x)", "(and ", ")"), 3),
    },
    Family {
        name: "deep not",
        size: 1_600,
        texts: |n| precondition(&nest(n, "(p ?x)", "(not ", ")"), 3),
    },
    Family {
        name: "deep imply",
        size: 200,
        texts: |n| precondition(&nest(n, "(p ?x)", "(imply (p ?y) ", ")"), 3),
    },
    Family {
        name: "imply on the left",
        size: 200,
        texts: |n| precondition(&nest(n, "(p ?x)", "(imply ", " (e ?x ?y))"), 3),
    },
    Family {
        name: "a conjunction of disjunctions",
        size: 40,
        texts: |n| {
            let all = each(n, |number| {
                format!(
                    "(or (e ?x o{}) (e ?y o{}) (p o{}))",
                    number % 5,
                    number % 7,
                    number % 3
                )
            });
            precondition(&format!("(and {all})"), 10)
        },
    },
    Family {
        name: "and of or of and",
        size: 16,
        texts: |n| {
            precondition(
                &nest(
                    n,
                    "(p ?x)",
                    "(and (p ?y) (or (e ?x ?y) (and (e ?y ?x) (or (p o1) ",
                    "))))",
                ),
                5,
            )
        },
    },
    Family {
        name: "a wide and",
        size: 20_000,
        texts: |n| precondition(&format!("(and {})", "(p ?x)".repeat(n)), 10),
    },
    Family {
        name: "a wide or",
        size: 3_000,
        texts: |n| {
            precondition(
                &format!("(or {})", each(n, |number| format!("(e ?x o{})", number % 10))),
                10,
            )
        },
    },
    Family {
        name: "deep when",
        size: 800,
        texts: |n| effect(&nest(n, "(p ?x)", "(when (g) ", ")"), 3),
    },
    Family {
        name: "deep forall in effects",
        size: 12,
        texts: |n| {
            let inner = format!("(when (p ?v{}) (g))", n - 1);
            let nested = (0..n)
                .rev()
                .fold(inner, |inner, number| format!("(forall (?v{number}) {inner})"));
            effect(&nested, 8)
        },
    },
    Family {
        name: "many conditional effects",
        size: 2_000,
        texts: |n| {
            effect(
                &format!(
                    "(and {})",
                    each(n, |number| format!(
                        "(when (e ?x o{}) (not (p o{})))",
                        number % 9,
                        number % 10
                    ))
                ),
                10,
            )
        },
    },
    Family {
        name: "effects on all triples",
        size: 100,
        texts: |n| {
            effect(
                "(forall (?u ?w ?z) (when (and (e ?u ?w) (e ?w ?z)) (e ?u ?z)))",
                n,
            )
        },
    },
    Family {
        name: "effects on everything",
        size: 300,
        texts: |n| effect("(forall (?u ?w) (and (e ?u ?w) (when (p ?u) (not (p ?w)))))", n),
    },
];
