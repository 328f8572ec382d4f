//! Axioms: chains, strata, circles, closures, and towers of quantifiers in formulas.

use super::{Family, Planning, Texts, action, each, effect, nest, objects, precondition, variables};

/// Axioms over a chain of `count` objects.
fn axioms(predicates: &str, axioms: String, count: usize) -> Texts {
    Planning {
        predicates: predicates.to_owned(),
        items: axioms + &action("cut", "?x ?y", "(and (e ?x ?y) (g))", "(not (e ?x ?y))"),
        constants: objects(count),
        init: each(count - 1, |number| format!("(e o{number} o{})", number + 1)),
        goal: "(and (g) (exists (?x) (p ?x)))".to_owned(),
        ..Planning::default()
    }
    .texts()
}

/// A tower of `depth` alternating quantifiers over a cycle of relations.
fn tower(depth: usize) -> String {
    let pairs = each(depth, |number| {
        format!("(e ?v{number} ?v{})", (number * 7 + 3) % depth)
    });
    (0..depth).rev().fold(format!("(and {pairs})"), |inner, number| {
        let quantifier = ["exists", "forall"][number % 2];
        format!("({quantifier} (?v{number}) {inner})")
    })
}

pub const AXIOMS: &[Family] = &[
    Family {
        name: "a chain of axioms",
        size: 1_000,
        texts: |n| {
            let predicates = each(n + 1, |number| format!("(a{number} ?x)"));
            let chain = each(n, |number| {
                format!("(:derived (a{} ?x) (a{number} ?x))\n", number + 1)
            });
            axioms(
                &predicates,
                format!("(:derived (a0 ?x) (exists (?y) (e ?x ?y)))\n{chain}"),
                20,
            )
        },
    },
    Family {
        name: "strata of negation",
        size: 500,
        texts: |n| {
            let predicates = each(n + 1, |number| format!("(a{number} ?x)"));
            let chain = each(n, |number| {
                format!("(:derived (a{} ?x) (not (a{number} ?x)))\n", number + 1)
            });
            axioms(
                &predicates,
                format!("(:derived (a0 ?x) (exists (?y) (e ?x ?y)))\n{chain}"),
                20,
            )
        },
    },
    Family {
        name: "a circle through negation",
        size: 500,
        texts: |n| {
            let predicates = each(n, |number| format!("(a{number} ?x)"));
            let chain = each(n, |number| {
                format!("(:derived (a{} ?x) (not (a{number} ?x)))\n", (number + 1) % n)
            });
            axioms(&predicates, chain, 5)
        },
    },
    Family {
        name: "a transitive closure",
        size: 150,
        texts: |n| {
            axioms(
                "(t ?x ?y)",
                "(:derived (t ?x ?y) (or (e ?x ?y) (exists (?z) (and (t ?x ?z) (t ?z ?y)))))\n".to_owned(),
                n,
            )
        },
    },
    Family {
        name: "a closure of three arguments",
        size: 40,
        texts: |n| {
            axioms(
        "(t ?x ?y ?z)",
        "(:derived (t ?x ?y ?z) (or (and (e ?x ?y) (e ?y ?z)) (exists (?u) (and (t ?x ?u ?y) (t ?u ?y ?z)))\
         (exists (?u) (t ?z ?y ?u))))\n".to_owned(),
        n,
    )
        },
    },
    Family {
        name: "axioms of many cases",
        size: 500,
        texts: |n| {
            let cases = each(n, |number| {
                format!("(and (e ?x o{}) (e o{} ?x))", number % 9, number % 7)
            });
            axioms("(t ?x)", format!("(:derived (t ?x) (or {cases}))\n"), 10)
        },
    },
    Family {
        name: "axioms with quantifiers",
        size: 60,
        texts: |n| {
            axioms(
                "(t ?x)",
                "(:derived (t ?x) (forall (?y ?z ?u) (imply (and (e ?y ?z) (e ?z ?u)) (not (e ?x ?u)))))\n"
                    .to_owned(),
                n,
            )
        },
    },
    Family {
        name: "a tower of quantifiers",
        size: 12,
        texts: |n| precondition(&tower(n), 14),
    },
    Family {
        name: "a tower of quantifiers in the goal",
        size: 12,
        texts: |n| {
            Planning {
                items: action("link", "?x ?y", "(and)", "(e ?x ?y)"),
                objects: objects(14),
                goal: tower(n),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "a tower of quantifiers in a condition",
        size: 8,
        texts: |n| effect(&format!("(when {} (g))", tower(n)), 14),
    },
    Family {
        name: "a deep tower of quantifiers",
        size: 800,
        texts: |n| precondition(&nest(n, "(p ?u)", "(forall (?u) ", ")"), 3),
    },
    Family {
        name: "a wide forall",
        size: 9,
        texts: |n| {
            let all = each(n, |number| format!("(p ?v{number})"));
            precondition(&format!("(forall ({}) (or {all}))", variables(n)), 14)
        },
    },
    Family {
        name: "a wide exists",
        size: 9,
        texts: |n| {
            let all = each(n - 1, |number| format!("(e ?v{number} ?v{})", number + 1));
            precondition(&format!("(exists ({}) (and {all}))", variables(n)), 14)
        },
    },
    Family {
        name: "a wide forall in the goal",
        size: 9,
        texts: |n| {
            let all = each(n, |number| format!("(p ?v{number})"));
            Planning {
                items: action("act", "?x", "(and)", "(p ?x)"),
                objects: objects(14),
                goal: format!("(forall ({}) (or {all}))", variables(n)),
                ..Planning::default()
            }
            .texts()
        },
    },
];
