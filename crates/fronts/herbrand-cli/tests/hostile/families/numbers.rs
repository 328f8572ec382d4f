//! Numbers in planning, tasks that need long searches, and many faults.

use super::{Family, Planning, action, counting, each, nest, objects, precondition};

pub const NUMBERS: &[Family] = &[
    Family {
        name: "comparisons in the goal",
        size: 3_000,
        texts: |n| {
            counting(
                "",
                "",
                "(increase (f) 1)",
                &format!(
                    "(and {})",
                    each(n, |number| format!("(or (> (f) {number}) (< (h) (f)))"))
                ),
            )
        },
    },
    Family {
        name: "deep sums",
        size: 1_600,
        texts: |n| {
            counting(
                "",
                "",
                &format!("(increase (f) {})", nest(n, "(h)", "(+ 1 ", ")")),
                "(> (f) 1000000)",
            )
        },
    },
    Family {
        name: "wide sums",
        size: 5_000,
        texts: |n| {
            counting(
                "",
                "",
                &format!("(increase (f) (+ {}))", "(h) ".repeat(n)),
                "(> (f) 1000000)",
            )
        },
    },
    Family {
        name: "deep products and quotients",
        size: 60,
        texts: |n| {
            counting(
                "",
                "",
                &format!("(assign (f) {})", nest(n, "(h)", "(* (f) (/ (f) ", "))")),
                "(> (f) 1000000)",
            )
        },
    },
    Family {
        name: "numbers of many digits",
        size: 400,
        texts: |n| {
            let digits = "9".repeat(n);
            counting(
                "",
                &format!("(= (f) {digits}.{digits})"),
                &format!("(increase (f) {digits})"),
                "(< (f) 0)",
            )
        },
    },
    Family {
        name: "the largest numbers",
        size: 50,
        texts: |n| {
            let all = "(scale-up (f) 1e308) (increase (h) 1e308)".repeat(n);
            counting("", "", &format!("(and {all})"), "(< (f) 0)")
        },
    },
    Family {
        name: "the smallest numbers",
        size: 50,
        texts: |n| {
            let all = "(scale-down (f) 1e308) (scale-up (h) 1e-308) (scale-down (h) (f))".repeat(n);
            counting("", "", &format!("(and {all})"), "(< (f) 0)")
        },
    },
    Family {
        name: "division by zero",
        size: 10,
        texts: |n| {
            let all = "(decrease (h) (h)) (scale-down (f) (h))".repeat(n);
            counting("", "", &format!("(and {all})"), "(< (f) 0)")
        },
    },
    Family {
        name: "counting for ever",
        size: 1_000_000,
        texts: |n| counting("", "", "(increase (f) 0.000001)", &format!("(>= (f) {n})")),
    },
    Family {
        name: "functions of many objects",
        size: 200,
        texts: |n| {
            let mut parts = counting(
                "(far ?x ?y)",
                &each(n * n, |at| format!("(= (far o{} o{}) {at})", at / n, at % n)),
                "(forall (?x ?y) (increase (far ?x ?y) (far ?y ?x)))",
                "(forall (?x ?y) (> (far ?x ?y) 1000000))",
            );
            parts.problem = parts
                .problem
                .replace("(:init", &format!("(:objects {}) (:init", objects(n)));
            parts
        },
    },
    Family {
        name: "a deep metric",
        size: 1_600,
        texts: |n| {
            let mut parts = counting(
                "(total-cost)",
                "(= (total-cost) 0)",
                "(increase (total-cost) 1)",
                "(g)",
            );
            parts.problem = parts.problem.replace(
                "(:goal (g))",
                &format!(
                    "(:goal (g)) (:metric minimize {})",
                    nest(n, "(total-cost)", "(+ (total-cost) ", ")")
                ),
            );
            parts
        },
    },
    Family {
        name: "a binary counter",
        size: 60,
        texts: |n| {
            Planning {
                items: each(n, |number| {
                    let lower = each(number, |bit| format!("(p o{bit})"));
                    let cleared = each(number, |bit| format!("(not (p o{bit}))"));
                    action(
                        &format!("act{number}"),
                        "",
                        &format!("(and (not (p o{number})) {lower})"),
                        &format!("(and (p o{number}) {cleared})"),
                    )
                }),
                constants: objects(n),
                goal: "(forall (?x) (p ?x))".to_owned(),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "switches",
        size: 300,
        texts: |n| {
            Planning {
                items: action("on", "?x", "(not (p ?x))", "(p ?x)")
                    + &action("off", "?x", "(p ?x)", "(not (p ?x))"),
                objects: objects(n),
                goal: "(and (forall (?x) (p ?x)) (exists (?x) (not (p ?x))))".to_owned(),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "pigeons",
        size: 11,
        texts: |n| {
            Planning {
                predicates: "(hole ?x) (free ?x) (sits ?x)".to_owned(),
                items: action(
                    "sit",
                    "?x ?y",
                    "(and (p ?x) (free ?y) (not (sits ?x)))",
                    "(and (e ?x ?y) (sits ?x) (not (free ?y)))",
                ) + &action(
                    "leave",
                    "?x ?y",
                    "(e ?x ?y)",
                    "(and (not (e ?x ?y)) (not (sits ?x)) (free ?y))",
                ),
                objects: each(n, |number| format!("h{number} o{number} ")) + "last",
                init: each(n, |number| format!("(free h{number}) (p o{number})")) + "(p last)",
                goal: "(forall (?x) (imply (p ?x) (sits ?x)))".to_owned(),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "a sliding puzzle",
        size: 5,
        texts: |n| {
            Planning {
                predicates: "(blank ?x) (at ?t ?x)".to_owned(),
                items: action(
                    "slide",
                    "?t ?x ?y",
                    "(and (e ?x ?y) (blank ?y) (at ?t ?x))",
                    "(and (at ?t ?y) (blank ?x) (not (at ?t ?x)) (not (blank ?y)))",
                ),
                objects: objects(n * n) + &each(n * n - 1, |tile| format!("t{tile} ")),
                init: each(n * n, |at| {
                    let (row, column) = (at / n, at % n);
                    let right = if column + 1 < n {
                        format!("(e o{at} o{0}) (e o{0} o{at})", at + 1)
                    } else {
                        String::new()
                    };
                    let below = if row + 1 < n {
                        format!("(e o{at} o{0}) (e o{0} o{at})", at + n)
                    } else {
                        String::new()
                    };
                    right + &below
                }) + &format!("(blank o{})", n * n - 1)
                    + &each(n * n - 1, |tile| format!("(at t{tile} o{})", n * n - 2 - tile)),
                goal: format!(
                    "(and {})",
                    each(n * n - 1, |tile| format!("(at t{tile} o{tile})"))
                ),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "unknown names",
        size: 3_000,
        texts: |n| {
            precondition(
                &format!("(and {})", each(n, |number| format!("(u{number} ?x ?z)"))),
                3,
            )
        },
    },
    Family {
        name: "faults in one long line",
        size: 3_000,
        texts: |n| {
            Planning {
                init: each(n, |number| format!("(e o0 u{number}) ")),
                objects: objects(1),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "objects of unknown types",
        size: 3_000,
        texts: |n| {
            Planning {
                objects: each(n, |number| format!("o{number} - u{number} ")),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "preferences",
        size: 500,
        texts: |n| {
            let goal = format!(
                "(and {})",
                each(n, |number| format!("(preference r{number} (p o{}))", number % 5))
            );
            Planning {
                goal,
                objects: objects(5),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "durative actions",
        size: 500,
        texts: |n| {
            Planning {
        items: each(n, |number| format!(
            "(:durative-action act{number} :parameters (?x) :duration (= ?duration 3) :condition (at start (p ?x)) :effect (at end (g)))\n"
        )),
        ..Planning::default()
    }.texts()
        },
    },
];
