//! Planning with chance: wide and deep chance trees, products of them, extreme probabilities.

use super::{Family, Planning, Texts, action, each, nest, objects, variables};

/// An action with this effect, and `count` objects.
fn effect(effect: &str, count: usize) -> Texts {
    Planning {
        items: action("act", "?x", "(p ?x)", effect),
        constants: objects(count),
        init: each(count, |number| format!("(p o{number})")),
        ..Planning::default()
    }
    .texts()
}

pub const CHANCE: &[Family] = &[
    Family {
        name: "many outcomes",
        size: 3_000,
        texts: |n| {
            let outcomes = each(n, |number| {
                format!("1/{} (e o{} o{}) ", n + 1, number % 20, number / 20 % 20)
            });
            effect(&format!("(probabilistic {outcomes})"), 20)
        },
    },
    Family {
        name: "independent outcomes",
        size: 40,
        texts: |n| {
            let all = each(n, |number| format!("(probabilistic 0.5 (e ?x o{number}))"));
            effect(&format!("(and {all})"), n)
        },
    },
    Family {
        name: "independent outcomes of all objects",
        size: 60,
        texts: |n| effect("(forall (?y) (probabilistic 0.5 (e ?x ?y)))", n),
    },
    Family {
        name: "independent outcomes of all pairs",
        size: 100,
        texts: |n| {
            effect(
                "(forall (?y ?z) (probabilistic 0.5 (e ?y ?z) 0.5 (not (e ?y ?z))))",
                n,
            )
        },
    },
    Family {
        name: "independent outcomes under conditions",
        size: 40,
        texts: |n| {
            effect(
                "(forall (?y) (when (p ?y) (probabilistic 0.5 (not (p ?y)) 0.25 (e ?x ?y))))",
                n,
            )
        },
    },
    Family {
        name: "deep chance",
        size: 1_000,
        texts: |n| effect(&nest(n, "(g)", "(probabilistic 0.5 (e ?x ?x) 0.5 ", ")"), 3),
    },
    Family {
        name: "chance trees",
        size: 12,
        texts: |n| {
            let tree = (0..n.min(16)).fold("(g)".to_owned(), |inner, _| {
                format!("(probabilistic 0.5 {inner} 0.5 {inner})")
            });
            effect(&tree, 3)
        },
    },
    Family {
        name: "chance between conditions",
        size: 100,
        texts: |n| effect(&nest(n, "(g)", "(probabilistic 0.9 (when (p ?x) ", "))"), 3),
    },
    Family {
        name: "conjunctions of chance in chance",
        size: 10,
        texts: |n| {
            effect(
                &nest(
                    n,
                    "(g)",
                    "(probabilistic 0.5 (and (e ?x ?x) (probabilistic 0.3 (p ?x)) ",
                    "))",
                ),
                5,
            )
        },
    },
    Family {
        name: "tiny probabilities",
        size: 100,
        texts: |n| {
            effect(
                &format!(
                    "(and {})",
                    "(probabilistic 1e-308 (not (p ?x)) 4.9e-324 (g))".repeat(n)
                ),
                3,
            )
        },
    },
    Family {
        name: "probabilities of many digits",
        size: 400,
        texts: |n| {
            effect(
                &format!(
                    "(probabilistic 0.{} (g) 0.{}1 (e ?x ?x))",
                    "3".repeat(n),
                    "0".repeat(n)
                ),
                3,
            )
        },
    },
    Family {
        name: "probabilities beyond one",
        size: 400,
        texts: |n| {
            effect(
                &format!("(probabilistic {} (g) 1e308 (e ?x ?x) -1 (p ?x))", "9".repeat(n)),
                3,
            )
        },
    },
    Family {
        name: "outcomes of probability zero",
        size: 5_000,
        texts: |n| effect(&format!("(probabilistic {} 1 (g))", "0 (e ?x ?x) ".repeat(n)), 3),
    },
    Family {
        name: "a random start",
        size: 40,
        texts: |n| {
            Planning {
                objects: objects(n),
                init: each(n, |number| format!("(probabilistic 0.5 (p o{number}))")),
                items: action("act", "?x", "(p ?x)", "(g)"),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "a start of many outcomes",
        size: 5_000,
        texts: |n| {
            Planning {
                objects: objects(n),
                init: format!(
                    "(probabilistic {})",
                    each(n, |number| format!("1/{} (p o{number}) ", n + 1))
                ),
                items: action("act", "?x", "(p ?x)", "(g)"),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "a random walk without end",
        size: 1_000_000,
        texts: |n| {
            Planning {
                functions: "(f)".to_owned(),
                items: action(
                    "act",
                    "",
                    "(and)",
                    "(probabilistic 0.5 (increase (f) 1) 0.5 (decrease (f) 1))",
                ),
                init: "(= (f) 0)".to_owned(),
                goal: format!("(and (g) (> (f) {n}))"),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "rewards without bound",
        size: 50,
        texts: |n| {
            Planning {
                items: action(
                    "act",
                    "",
                    "(and)",
                    &format!("(and {})", "(increase (reward) 1e308)".repeat(n)),
                ),
                after: "(:metric maximize (reward))".to_owned(),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "chance with many parameters",
        size: 10,
        texts: |n| {
            let all = variables(n);
            Planning {
                predicates: format!("(w {all})"),
                items: action("act", &all, "(and)", &format!("(probabilistic 0.5 (w {all}))")),
                objects: objects(8),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "chance with axioms",
        size: 60,
        texts: |n| {
            Planning {
                predicates: "(t ?x ?y)".to_owned(),
                items: "(:derived (t ?x ?y) (or (e ?x ?y) (exists (?z) (and (t ?x ?z) (t ?z ?y)))))\n"
                    .to_owned()
                    + &action(
                        "act",
                        "?x ?y",
                        "(t ?x ?y)",
                        "(probabilistic 0.5 (not (e ?x ?y)) 0.5 (e ?y ?x))",
                    ),
                objects: objects(n),
                init: each(n - 1, |number| format!("(e o{number} o{})", number + 1)),
                goal: "(and (g) (forall (?x ?y) (not (t ?x ?y))))".to_owned(),
                ..Planning::default()
            }
            .texts()
        },
    },
];
