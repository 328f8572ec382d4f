//! Planning with many of each thing: objects, facts, types, parameters, predicates, actions.

use super::{Family, Planning, action, counting, each, objects, variables};

pub const THINGS: &[Family] = &[
    Family {
        name: "objects",
        size: 50_000,
        texts: |n| {
            Planning {
                objects: objects(n),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "facts",
        size: 300,
        texts: |n| {
            let init = each(n * n, |at| format!("(e o{} o{})", at / n, at % n));
            Planning {
                objects: objects(n),
                init,
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "repeated facts",
        size: 100_000,
        texts: |n| {
            Planning {
                objects: objects(2),
                init: "(e o0 o1)".repeat(n),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "three parameters",
        size: 400,
        texts: |n| {
            let items = action("act", "?x ?y ?z", "(and)", "(e ?x ?z)");
            Planning {
                items,
                objects: objects(n),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "parameters",
        size: 12,
        texts: |n| {
            let items = action("act", &variables(n), "(and)", "(p ?v0)");
            Planning {
                items,
                objects: objects(8),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "parameters of one object each",
        size: 300,
        texts: |n| {
            Planning {
                types: each(n, |number| format!("t{number} ")),
                items: action(
                    "act",
                    &each(n, |number| format!("?v{number} - t{number} ")),
                    "(and)",
                    "(p ?v0)",
                ),
                objects: each(n, |number| format!("o{number} - t{number} ")),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "unequal parameters",
        size: 14,
        texts: |n| {
            let pairs = each(n * n, |at| match (at / n, at % n) {
                (one, other) if one < other => format!("(not (= ?v{one} ?v{other}))"),
                _ => String::new(),
            });
            let items = action("act", &variables(n), &format!("(and {pairs})"), "(p ?v0)");
            Planning {
                items,
                objects: objects(n),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "arity",
        size: 12,
        texts: |n| {
            let all = variables(n);
            Planning {
                predicates: format!("(w {all})"),
                items: action("act", &all, "(and)", &format!("(w {all})")),
                objects: objects(8),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "arity of preconditions",
        size: 12,
        texts: |n| {
            let all = variables(n);
            Planning {
                predicates: format!("(w {all})"),
                items: action("act", &all, &format!("(not (w {all}))"), "(g)"),
                objects: objects(8),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "a cross product of joins",
        size: 8,
        texts: |n| {
            let all = each(n, |number| format!("(p ?v{number})"));
            let items = action("act", &variables(n), &format!("(and {all})"), "(g)");
            let init = each(100, |number| format!("(p o{number})"));
            Planning {
                items,
                objects: objects(100),
                init,
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "cliques",
        size: 9,
        texts: |n| {
            let edges = each(n * n, |at| match (at / n, at % n) {
                (one, other) if one < other => format!("(e ?v{one} ?v{other})"),
                _ => String::new(),
            });
            let items = action("act", &variables(n), &format!("(and {edges})"), "(g)");
            let init = each(90 * 90, |at| match (at / 90, at % 90) {
                (one, other) if one % 8 != other % 8 => format!("(e o{one} o{other})"),
                _ => String::new(),
            });
            Planning {
                items,
                objects: objects(90),
                init,
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "types",
        size: 5_000,
        texts: |n| {
            Planning {
                types: each(n, |number| format!("t{number} ")),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "a chain of types",
        size: 2_000,
        texts: |n| {
            Planning {
                types: each(n, |number| format!("t{} - t{number} ", number + 1)),
                predicates: format!("(w ?x - t{n})"),
                objects: format!("o - t{n}"),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "a chain of types with objects",
        size: 500,
        texts: |n| {
            Planning {
                types: each(n, |number| format!("t{} - t{number} ", number + 1)),
                predicates: each(n, |number| format!("(w{number} ?x - t{number})")),
                items: action("act", "?x ?y - t0", "(w0 ?x)", "(w0 ?y)"),
                objects: each(n, |number| format!("o{number} - t{number} ")),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "a circle of types",
        size: 2_000,
        texts: |n| {
            let types = each(n, |number| format!("t{} - t{number} ", (number + 1) % n));
            Planning {
                types,
                objects: "o - t0".to_owned(),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "a type under many",
        size: 2_000,
        texts: |n| {
            Planning {
                types: each(n, |number| format!("t{number} - object s - t{number} ")),
                objects: "o - s".to_owned(),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "either-types",
        size: 500,
        texts: |n| {
            let either = format!("(either {})", each(n, |number| format!("t{number} ")));
            Planning {
                types: each(n, |number| format!("t{number} ")),
                predicates: format!("(w ?x ?y - {either})"),
                items: action("act", &format!("?x ?y - {either}"), "(and)", "(w ?x ?y)"),
                objects: each(n, |number| format!("o{number} - t{number} ")),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "objects of either-types",
        size: 300,
        texts: |n| {
            let either = format!("(either {})", each(n, |number| format!("t{number} ")));
            Planning {
                types: each(n, |number| format!("t{number} ")),
                objects: format!("{} - {either}", objects(n)),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "constants",
        size: 20_000,
        texts: |n| {
            Planning {
                constants: objects(n),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "predicates",
        size: 5_000,
        texts: |n| {
            let predicates = each(n, |number| format!("(w{number} ?x ?y)"));
            Planning {
                predicates,
                objects: objects(3),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "repeated predicates",
        size: 3_000,
        texts: |n| {
            Planning {
                predicates: "(w ?x)".repeat(n),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "functions",
        size: 3_000,
        texts: |n| {
            let functions = each(n, |number| format!("(f{number} ?x)"));
            let init = each(n, |number| format!("(= (f{number} o0) {number})"));
            let sum = each(n, |number| format!("(increase (f) (f{number} o0))"));
            let mut parts = counting(&functions, &init, &format!("(and {sum})"), "(> (f) 10)");
            parts.domain = parts
                .domain
                .replace("(:predicates", "(:constants o0 o1 o2) (:predicates");
            parts
        },
    },
    Family {
        name: "actions",
        size: 3_000,
        texts: |n| {
            let items = each(n, |number| {
                action(&format!("act{number}"), "?x", "(p ?x)", "(not (p ?x))")
            });
            Planning {
                items,
                objects: objects(3),
                init: "(p o0)".to_owned(),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "repeated actions",
        size: 2_000,
        texts: |n| {
            Planning {
                items: action("act", "?x", "(p ?x)", "(g)").repeat(n),
                ..Planning::default()
            }
            .texts()
        },
    },
];
