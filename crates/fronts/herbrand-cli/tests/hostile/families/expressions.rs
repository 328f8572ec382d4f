//! RDDL with sums over many objects, and deep and wide expressions.

use super::{Family, Process, bound, each, expression, nest};

pub const EXPRESSIONS: &[Family] = &[
    Family {
        name: "nested sums",
        size: 8,
        texts: |n| {
            let open = each(n, |number| format!("(sum_{{?v{number} : t}} [x(?v{number}) + "));
            expression(&format!("{open} r {}", "])".repeat(n)), 12)
        },
    },
    Family {
        name: "a sum over triples",
        size: 150,
        texts: |n| expression(&format!("sum_{{{}}} [x(?v0) * x(?v1) * x(?v2)]", bound(3)), n),
    },
    Family {
        name: "a sum over eight",
        size: 12,
        texts: |n| expression(&format!("sum_{{{}}} [x(?v0) * x(?v7)]", bound(8)), n),
    },
    Family {
        name: "forall over triples",
        size: 150,
        texts: |n| {
            Process {
                cpfs: "r' = r; b' = forall_{?u : t, ?v : t, ?w : t} [q(?u) | ~q(?v) | (x(?w) > 0)];"
                    .to_owned(),
                pvariables: "b : { state-fluent, bool, default = false };".to_owned(),
                objects: n,
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "an average over triples",
        size: 150,
        texts: |n| {
            expression(
                &format!("avg_{{{}}} [x(?v0) * x(?v1) + sin[x(?v2)]]", bound(3)),
                n,
            )
        },
    },
    Family {
        name: "a product over triples",
        size: 150,
        texts: |n| {
            expression(
                &format!("prod_{{{}}} [x(?v0) * 1.0000001 * x(?v1) / x(?v2)]", bound(3)),
                n,
            )
        },
    },
    Family {
        name: "exists in forall in sum",
        size: 60,
        texts: |n| {
            expression(
                "sum_{?u : t} [forall_{?v : t} [exists_{?w : t} [forall_{?z : t} [q(?u) ^ (x(?v) > x(?w) + N(?z))]]]]",
                n,
            )
        },
    },
    Family {
        name: "sums for each pair",
        size: 60,
        texts: |n| {
            Process {
                pvariables: "w(t, t) : { state-fluent, real, default = 1.0 };".to_owned(),
                cpfs: "r' = r; w'(?a, ?b) = sum_{?c : t, ?d : t} [w(?a, ?c) * w(?d, ?b)];".to_owned(),
                objects: n,
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "sums of draws",
        size: 60,
        texts: |n| {
            expression(
                &format!(
                    "sum_{{{}}} [Normal(x(?v0), 1.0) * Uniform(0.0, x(?v1) + x(?v2))]",
                    bound(3)
                ),
                n,
            )
        },
    },
    Family {
        name: "a draw for each triple",
        size: 60,
        texts: |n| {
            Process {
                pvariables: "w(t, t, t) : { state-fluent, bool, default = false };".to_owned(),
                cpfs: "r' = r; w'(?a, ?b, ?c) = Bernoulli(0.5);".to_owned(),
                objects: n,
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "the largest over triples",
        size: 100,
        texts: |n| expression(&format!("max_{{{}}} [x(?v0) * x(?v1) + x(?v2)]", bound(3)), n),
    },
    Family {
        name: "argmax of sums",
        size: 100,
        texts: |n| {
            Process {
        cpfs: "r' = sum_{?z : t} [x(?z) * (?z == argmax_{?a : t} [sum_{?b : t, ?c : t} [x(?a) * x(?b) + x(?c)]])];".to_owned(),
        objects: n,
        ..Process::default()
    }.texts()
        },
    },
    Family {
        name: "a reward over quadruples",
        size: 40,
        texts: |n| {
            Process {
                reward: format!("sum_{{{}}} [x(?v0) * x(?v1) - x(?v2) * x(?v3)]", bound(4)),
                objects: n,
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "preconditions over triples",
        size: 100,
        texts: |n| {
            Process {
        sections: "action-preconditions { forall_{?u : t, ?v : t, ?w : t} [a(?u) => (~q(?v) | (x(?w) < 10))]; };".to_owned(),
        objects: n,
        ..Process::default()
    }.texts()
        },
    },
    Family {
        name: "many preconditions",
        size: 3_000,
        texts: |n| {
            Process {
                sections: format!(
                    "action-preconditions {{ {} }};",
                    each(n, |number| format!(
                        "(forall_{{?a : t}} [a(?a)]) => (r > {number});"
                    ))
                ),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "invariants over triples",
        size: 100,
        texts: |n| {
            Process {
                sections:
                    "state-invariants { forall_{?u : t, ?v : t, ?w : t} [q(?u) | q(?v) | (x(?w) > 0)]; };"
                        .to_owned(),
                objects: n,
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "a termination over triples",
        size: 100,
        texts: |n| {
            Process {
                sections: "termination { exists_{?u : t, ?v : t, ?w : t} [q(?u) ^ q(?v) ^ (x(?w) < 0)]; };"
                    .to_owned(),
                objects: n,
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "nested conditionals",
        size: 200,
        texts: |n| {
            let nested = each(n, |number| format!("if (r > {number}) then {number} else "));
            expression(&format!("{nested} r"), 3)
        },
    },
    Family {
        name: "switches",
        size: 500,
        texts: |n| {
            Process {
                types: format!(
                    "e : {{ {} }};",
                    (0..n)
                        .map(|number| format!("@v{number}"))
                        .collect::<Vec<_>>()
                        .join(", ")
                ),
                pvariables: "w : { state-fluent, e, default = @v0 };".to_owned(),
                cpfs: format!(
                    "r' = r; w' = switch (w) {{ {} }};",
                    (0..n)
                        .map(|number| format!("case @v{number} : @v{}", (number + 1) % n))
                        .collect::<Vec<_>>()
                        .join(", ")
                ),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "a discrete choice of many",
        size: 500,
        texts: |n| {
            Process {
                types: format!(
                    "e : {{ {} }};",
                    (0..n)
                        .map(|number| format!("@v{number}"))
                        .collect::<Vec<_>>()
                        .join(", ")
                ),
                pvariables: "w : { state-fluent, e, default = @v0 };".to_owned(),
                cpfs: format!(
                    "r' = r; w' = Discrete(e, {});",
                    (0..n)
                        .map(|number| format!("@v{number} : {}", 1.0 / n as f64))
                        .collect::<Vec<_>>()
                        .join(", ")
                ),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "a flat sum",
        size: 20_000,
        texts: |n| expression(&format!("r{}", " + r".repeat(n)), 3),
    },
    Family {
        name: "a flat conjunction",
        size: 20_000,
        texts: |n| {
            Process {
                cpfs: format!("r' = r; b' = b{};", " ^ b".repeat(n)),
                pvariables: "b : { state-fluent, bool, default = false };".to_owned(),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "sums and products in turns",
        size: 3_000,
        texts: |n| expression(&format!("r{}", " + r * r - 1".repeat(n)), 3),
    },
    Family {
        name: "equivalences",
        size: 100,
        texts: |n| {
            Process {
                cpfs: format!("r' = r; b' = {};", nest(n, "b", "(b <=> ", ")")),
                pvariables: "b : { state-fluent, bool, default = false };".to_owned(),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "doubled equivalences",
        size: 14,
        texts: |n| {
            let doubled = (0..n.min(16)).fold("b".to_owned(), |inner, _| format!("({inner} <=> {inner})"));
            Process {
                cpfs: format!("r' = r; b' = {doubled};"),
                pvariables: "b : { state-fluent, bool, default = false };".to_owned(),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "deep brackets",
        size: 1_600,
        texts: |n| expression(&nest(n, "r", "(", ")"), 3),
    },
    Family {
        name: "deep negations",
        size: 1_600,
        texts: |n| {
            Process {
                cpfs: format!("r' = r; b' = {}b;", "~".repeat(n)),
                pvariables: "b : { state-fluent, bool, default = false };".to_owned(),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "deep minus signs",
        size: 1_600,
        texts: |n| expression(&format!("{}r", "-".repeat(n)), 3),
    },
    Family {
        name: "deep functions",
        size: 40,
        texts: |n| expression(&nest(n, "r", "exp[abs[", "]]"), 3),
    },
    Family {
        name: "powers of powers",
        size: 40,
        texts: |n| expression(&nest(n, "r", "pow[1.5 + ", ", 3]"), 3),
    },
];
