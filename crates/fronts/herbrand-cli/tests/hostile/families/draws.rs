//! RDDL with extreme numbers, distributions of extreme parameters, matrices, and texts that are no RDDL.

use super::{Family, Process, Texts, draw, expression};

pub const DRAWS: &[Family] = &[
    Family {
        name: "numbers of many digits",
        size: 400,
        texts: |n| expression(&format!("r + {0}.{0}", "9".repeat(n)), 3),
    },
    Family {
        name: "whole numbers of many digits",
        size: 400,
        texts: |n| {
            Process {
                cpfs: format!("r' = r + i * {};", "9".repeat(n)),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "the largest numbers",
        size: 50,
        texts: |n| expression(&format!("r{}", " * 1e308".repeat(n)), 3),
    },
    Family {
        name: "the smallest numbers",
        size: 50,
        texts: |n| expression(&format!("r{}", " * 1e-308".repeat(n)), 3),
    },
    Family {
        name: "division by zero",
        size: 50,
        texts: |n| expression(&format!("r{}", " / (r - r)".repeat(n)), 3),
    },
    Family {
        name: "whole numbers that overflow",
        size: 50,
        texts: |n| {
            Process {
                cpfs: format!("r' = i{};", " * 9223372036854775807".repeat(n)),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "an endless horizon",
        size: 1,
        texts: |_| {
            Process {
                settings: "max-nondef-actions = 1; horizon = 2147483648; discount = 1.0;".to_owned(),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "settings of many digits",
        size: 400,
        texts: |n| {
            Process {
                settings: format!(
                    "max-nondef-actions = {0}; horizon = {0}; discount = 0.{0};",
                    "9".repeat(n)
                ),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "any number of actions",
        size: 3_000,
        texts: |n| {
            Process {
                objects: n,
                settings: "max-nondef-actions = pos-inf; horizon = 20; discount = 1.0;".to_owned(),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "huge parameters of Beta",
        size: 300,
        texts: |n| draw(&format!("Beta(1e{0}, 1e{0})", n.min(308))),
    },
    Family {
        name: "tiny parameters of Beta",
        size: 300,
        texts: |n| draw(&format!("Beta(1e-{0}, 1e-{0})", n.min(308))),
    },
    Family {
        name: "huge parameters of Gamma",
        size: 300,
        texts: |n| draw(&format!("Gamma(1e{0}, 1e{0})", n.min(308))),
    },
    Family {
        name: "tiny parameters of Gamma",
        size: 300,
        texts: |n| draw(&format!("Gamma(1e-{0}, 1e-{0})", n.min(308))),
    },
    Family {
        name: "huge parameters of Poisson",
        size: 300,
        texts: |n| draw(&format!("Poisson(1e{})", n.min(308))),
    },
    Family {
        name: "large parameters of Poisson",
        size: 15,
        texts: |n| draw(&format!("Poisson(1e{})", n.min(15))),
    },
    Family {
        name: "large parameters of Binomial",
        size: 15,
        texts: |n| draw(&format!("Binomial(1{}, 0.5)", "0".repeat(n.min(17)))),
    },
    Family {
        name: "tiny parameters of Binomial",
        size: 15,
        texts: |n| draw(&format!("Binomial(1{}, 1e-300)", "0".repeat(n.min(17)))),
    },
    Family {
        name: "tiny parameters of Geometric",
        size: 300,
        texts: |n| draw(&format!("Geometric(1e-{})", n.min(308))),
    },
    Family {
        name: "parameters of NegativeBinomial",
        size: 300,
        texts: |n| draw(&format!("NegativeBinomial(1e{0}, 1e-{0})", n.min(308))),
    },
    Family {
        name: "parameters of Weibull",
        size: 300,
        texts: |n| draw(&format!("Weibull(1e-{0}, 1e{0})", n.min(308))),
    },
    Family {
        name: "parameters of Pareto and Student",
        size: 300,
        texts: |n| draw(&format!("Pareto(1e-{0}, 1e{0}) + Student(1e-{0})", n.min(308))),
    },
    Family {
        name: "parameters of Gumbel, Laplace and Cauchy",
        size: 300,
        texts: |n| {
            draw(&format!(
                "Gumbel(1e{0}, 1e{0}) + Laplace(1e{0}, 1e-{0}) + Cauchy(0, 1e{0})",
                n.min(308)
            ))
        },
    },
    Family {
        name: "parameters of Kumaraswamy and ChiSquare",
        size: 300,
        texts: |n| {
            draw(&format!(
                "Kumaraswamy(1e-{0}, 1e{0}) + ChiSquare(1e{0})",
                n.min(308)
            ))
        },
    },
    Family {
        name: "parameters of Normal and Exponential",
        size: 300,
        texts: |n| {
            draw(&format!(
                "Normal(1e{0}, 1e{0}) + Exponential(1e{0}) + Uniform(-1e{0}, 1e{0})",
                n.min(308)
            ))
        },
    },
    Family {
        name: "a Dirichlet of many",
        size: 150,
        texts: |n| {
            Process {
                pvariables: "w(t) : { state-fluent, real, default = 0.0 };".to_owned(),
                cpfs: "r' = r; w'(?a) = Dirichlet[?a](N(_));".to_owned(),
                objects: n,
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "a Multinomial of many",
        size: 150,
        texts: |n| {
            Process {
        pvariables: format!("w(t) : {{ state-fluent, int, default = 0 }}; M(t) : {{ non-fluent, real, default = {} }};", 1.0 / n as f64),
        cpfs: "r' = r; w'(?a) = Multinomial[?a](1000000000, M(_));".to_owned(),
        objects: n,
        ..Process::default()
    }.texts()
        },
    },
    Family {
        name: "determinants",
        size: 60,
        texts: |n| {
            Process {
                pvariables: "W(t, t) : { non-fluent, real, default = 1.5 };".to_owned(),
                cpfs: "r' = r + det_{?a : t, ?b : t} [W(?a, ?b) + x(?a) * (?a == ?b)];".to_owned(),
                objects: n,
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "inverses",
        size: 40,
        texts: |n| {
            Process {
                pvariables: "w(t, t) : { state-fluent, real, default = 1.5 };".to_owned(),
                cpfs: "r' = r; w'(?a, ?b) = inverse[row = ?a, col = ?b][w(?a, ?b) + 3 * (?a == ?b)];"
                    .to_owned(),
                objects: n,
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "braces without end",
        size: 1 << 18,
        texts: |n| Texts {
            domain: format!("domain d {}", "{ ".repeat(n)),
            ..Process::default().texts()
        },
    },
    Family {
        name: "brackets without end",
        size: 1 << 18,
        texts: |n| expression(&"[(".repeat(n), 3),
    },
    Family {
        name: "NUL bytes in RDDL",
        size: 1 << 18,
        texts: |n| expression(&"\0".repeat(n), 3),
    },
    Family {
        name: "names of all scripts in RDDL",
        size: 1 << 14,
        texts: |n| expression(&"漢字🦀\u{202e} + ".repeat(n), 3),
    },
];
