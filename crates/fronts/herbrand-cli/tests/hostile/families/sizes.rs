//! Each size that can be written in a text as a number, set to numbers that no machine can serve, and matrices and horizons whose
//! memory grows with a power of a small one.

use super::{Family, Planning, Process, action, counting, draw, each, expression};

/// Sizes in PDDL.
pub const PDDL_SIZES: &[Family] = &[
    Family {
        name: "a value of this size",
        size: 1_000_000_000,
        texts: |n| {
            counting(
                "",
                &format!("(= (f) {n}) (= (f) -{n}) (= (h) {n}e299)"),
                "(increase (f) (h))",
                "(> (f) 1)",
            )
        },
    },
    Family {
        name: "costs of this size",
        size: 1_000_000_000,
        texts: |n| {
            let cost = |name: &str, cost: &str| {
                action(
                    name,
                    "",
                    "(g)",
                    &format!("(and (p o0) (increase (total-cost) {cost}))"),
                )
            };
            Planning {
                functions: "(total-cost)".to_owned(),
                constants: "o0".to_owned(),
                items: cost("dear", &n.to_string())
                    + &cost("dearer", &format!("{n}e300"))
                    + &cost("free", "0")
                    + &cost("gain", &format!("-{n}")),
                init: "(= (total-cost) 0)".to_owned(),
                goal: "(p o0)".to_owned(),
                after: "(:metric minimize (total-cost))".to_owned(),
                ..Planning::default()
            }
            .texts()
        },
    },
    Family {
        name: "probabilities of this size",
        size: 1_000_000_000,
        texts: |n| {
            super::effect(
                &format!("(probabilistic 1e-{} (p ?x) {n} (p ?y) -{n} (g) 0 (g))", n % 300),
                3,
            )
        },
    },
    Family {
        name: "a bound of this size",
        size: 1_000_000_000,
        texts: |n| {
            counting(
                "",
                "",
                "(increase (f) 1)",
                &format!("(and (>= (f) {n}) (<= (h) {n}e300))"),
            )
        },
    },
    Family {
        name: "times of facts of this size",
        size: 1_000_000_000,
        texts: |n| {
            counting(
                "",
                &format!("(at {n} (g)) (at -{n} (g)) (at {n}e299 (not (g)))"),
                "(increase (f) 1)",
                "(> (f) 3)",
            )
        },
    },
    Family {
        name: "parameters to a power",
        size: 60,
        texts: |n| {
            let all = each(n, |number| format!("?v{number} "));
            Planning {
                predicates: format!("(wide {all})"),
                items: action("act", &all, "(and)", &format!("(wide {all})")),
                objects: "o0 o1 o2".to_owned(),
                ..Planning::default()
            }
            .texts()
        },
    },
];

/// Settings of an instance.
fn settings(settings: String) -> super::Texts {
    Process {
        settings,
        ..Process::default()
    }
    .texts()
}

/// Sizes in RDDL.
pub const RDDL_SIZES: &[Family] = &[
    Family {
        name: "a horizon of this size",
        size: 1_000_000_000,
        texts: |n| settings(format!("max-nondef-actions = 1; horizon = {n}; discount = 1.0;")),
    },
    Family {
        name: "a discount of this size",
        size: 1_000_000_000,
        texts: |n| settings(format!("max-nondef-actions = 1; horizon = 20; discount = {n};")),
    },
    Family {
        name: "a negative horizon",
        size: 1_000_000_000,
        texts: |n| {
            settings(format!(
                "max-nondef-actions = -{n}; horizon = -{n}; discount = -{n};"
            ))
        },
    },
    Family {
        name: "concurrent actions of this size",
        size: 1_000_000_000,
        texts: |n| {
            Process {
                objects: 60,
                settings: format!("max-nondef-actions = {n}; horizon = 20; discount = 1.0;"),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "int actions of this range",
        size: 1_000_000_000,
        texts: |n| {
            Process {
                pvariables: "k(t) : { action-fluent, int, default = 0 }; y : { action-fluent, real, default = 0.0 };".to_owned(),
                cpfs: "r' = r + (sum_{?u : t} [k(?u)]) + y;".to_owned(),
                sections: format!(
                    "action-preconditions {{ forall_{{?u : t}} [k(?u) >= -{n} ^ k(?u) <= {n}]; y <= {n}e299; y >= -{n}e299; }};"
                ),
                settings: "max-nondef-actions = pos-inf; horizon = 20; discount = 1.0;".to_owned(),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "defaults of this size",
        size: 1_000_000_000,
        texts: |n| {
            Process {
                pvariables: format!(
                    "k : {{ state-fluent, int, default = {n}000000000 }}; y : {{ state-fluent, real, default = {n}e299 }};"
                ),
                cpfs: "k' = k * k; y' = y * y; r' = r;".to_owned(),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "parameters of this size",
        size: 1_000_000_000,
        texts: |n| {
            let draws = [
                format!("Binomial({n}, 0.5)"),
                format!("Poisson({n})"),
                format!("Poisson(-{n})"),
                format!("Geometric(1.0 / {n})"),
                format!("NegativeBinomial({n}, 0.000001)"),
                format!("Normal(0, {n}e299)"),
                format!("Uniform(-{n}e299, {n}e299)"),
                format!("Gamma({n}, 0)"),
            ];
            expression(&format!("r + {}", draws.join(" + ")), 3)
        },
    },
    Family {
        name: "a draw from a matrix",
        size: 2_000,
        texts: |n| {
            Process {
                pvariables: "C(t, t) : { non-fluent, real, default = 1.0 };".to_owned(),
                cpfs: "r' = r;".to_owned(),
                objects: n,
                ..Process::default()
            }
            .texts_with(
                "x'(?t) = x(?t);",
                "x'(?t) = MultivariateNormal[?t](N(_), C(_, _));",
            )
        },
    },
    Family {
        name: "a million actions",
        size: 100,
        texts: |n| {
            Process {
                pvariables: "w(t, t, t) : { action-fluent, bool, default = false };\
                             v(t, t, t) : { state-fluent, bool, default = false };"
                    .to_owned(),
                cpfs: "r' = r; v'(?a, ?b, ?c) = w(?a, ?b, ?c) ^ ~v(?c, ?b, ?a);".to_owned(),
                reward: "sum_{?a : t, ?b : t, ?c : t} [v(?a, ?b, ?c)]".to_owned(),
                objects: n,
                settings: "max-nondef-actions = 3; horizon = 20; discount = 1.0;".to_owned(),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "a power of this size",
        size: 1_000_000_000,
        texts: |n| {
            draw(&format!(
                "pow[2, {n}] + pow[{n}, {n}] + exp[{n}] + ln[-{n}] + {n} // 0 + {n} % 0"
            ))
        },
    },
];
