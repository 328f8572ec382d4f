//! RDDL with many of each thing: objects, types, fluents, values, instances.

use super::{Family, Process, each, expression};

pub const FLUENTS: &[Family] = &[
    Family {
        name: "objects",
        size: 20_000,
        texts: |n| {
            Process {
                objects: n,
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "fluents of three objects",
        size: 150,
        texts: |n| {
            Process {
                pvariables: "w(t, t, t) : { state-fluent, real, default = 0.0 };".to_owned(),
                cpfs: "r' = r; w'(?a, ?b, ?c) = w(?c, ?b, ?a) + 1;".to_owned(),
                objects: n,
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "arity",
        size: 7,
        texts: |n| {
            let (types, all) = (
                vec!["t"; n].join(", "),
                (0..n)
                    .map(|number| format!("?v{number}"))
                    .collect::<Vec<_>>()
                    .join(", "),
            );
            Process {
                pvariables: format!("w({types}) : {{ state-fluent, bool, default = false }};"),
                cpfs: format!("r' = r; w'({all}) = ~w({all});"),
                objects: 8,
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "action fluents of three objects",
        size: 100,
        texts: |n| {
            Process {
                pvariables: "w(t, t, t) : { action-fluent, bool, default = false };".to_owned(),
                cpfs: "r' = r + (sum_{?a : t, ?b : t, ?c : t} [w(?a, ?b, ?c)]);".to_owned(),
                objects: n,
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "types",
        size: 3_000,
        texts: |n| {
            Process {
                types: each(n, |number| format!("t{number} : object; ")),
                more_objects: each(n, |number| format!("t{number} : {{ p{number} }}; ")),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "state fluents",
        size: 5_000,
        texts: |n| {
            Process {
                pvariables: each(n, |number| {
                    format!("w{number} : {{ state-fluent, real, default = 0.0 }};\n")
                }),
                cpfs: format!(
                    "r' = r; {}",
                    each(n, |number| format!("w{number}' = w{} + 1;\n", (number + 1) % n))
                ),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "non-fluents",
        size: 20_000,
        texts: |n| {
            Process {
                objects: n,
                non_fluents: each(n, |number| format!("N(o{number}) = {number}.5;")),
                reward: "sum_{?a : t} [N(?a)]".to_owned(),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "enumerated values",
        size: 20_000,
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
                cpfs: "r' = r; w' = w;".to_owned(),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "quantified enumerations",
        size: 300,
        texts: |n| {
            Process {
                types: format!(
                    "e : {{ {} }};",
                    (0..n)
                        .map(|number| format!("@v{number}"))
                        .collect::<Vec<_>>()
                        .join(", ")
                ),
                pvariables: "w(e, e) : { state-fluent, bool, default = false };".to_owned(),
                cpfs: "r' = sum_{?a : e, ?b : e, ?c : e} [w(?a, ?b) ^ w(?b, ?c)]; w'(?a, ?b) = w(?b, ?a);"
                    .to_owned(),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "a chain of fluents",
        size: 2_000,
        texts: |n| {
            Process {
                pvariables: each(n, |number| {
                    format!("w{number} : {{ interm-fluent, real, level = {} }};\n", number + 1)
                }),
                cpfs: format!(
                    "w0 = r; {} r' = w{};",
                    each(n - 1, |number| format!(
                        "w{} = w{number} + w{number};\n",
                        number + 1
                    )),
                    n - 1
                ),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "a chain of fluents, the last one first",
        size: 2_000,
        texts: |n| {
            Process {
                pvariables: each(n, |number| format!("w{number} : {{ interm-fluent, real }};\n")),
                cpfs: format!(
                    "{} w{} = r; r' = w0;",
                    each(n - 1, |number| format!("w{number} = w{} * 0.5;\n", number + 1)),
                    n - 1
                ),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "a circle of fluents",
        size: 2_000,
        texts: |n| {
            Process {
                pvariables: each(n, |number| format!("w{number} : {{ interm-fluent, real }};\n")),
                cpfs: format!(
                    "{} r' = w0;",
                    each(n, |number| format!("w{number} = w{} * 0.5;\n", (number + 1) % n))
                ),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "an initial state of many",
        size: 20_000,
        texts: |n| {
            Process {
                objects: n,
                init: each(n, |number| {
                    format!("q(o{number}) = true; x(o{number}) = {number};")
                }),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "many instances",
        size: 1_000,
        texts: |n| {
            let mut texts = Process::default().texts();
            texts.problem += &each(n, |number| {
                format!(
                    "instance s{number} {{ domain = d; non-fluents = n; horizon = 3; discount = 1.0; }}\n"
                )
            });
            texts
        },
    },
    Family {
        name: "many domains",
        size: 1_000,
        texts: |n| {
            let mut texts = Process::default().texts();
            texts.domain += &each(n, |number| format!("domain d{number} {{ reward = 0; }}\n"));
            texts
        },
    },
    Family {
        name: "unknown fluents",
        size: 3_000,
        texts: |n| expression(&format!("r{}", each(n, |number| format!(" + u{number}(?z)"))), 3),
    },
    Family {
        name: "a long name in RDDL",
        size: 100_000,
        texts: |n| {
            Process {
                pvariables: format!("{0} : {{ state-fluent, real, default = 0.0 }};", "w".repeat(n)),
                cpfs: format!("r' = r; {0}' = {0};", "w".repeat(n)),
                ..Process::default()
            }
            .texts()
        },
    },
    Family {
        name: "a long comment in RDDL",
        size: 10_000_000,
        texts: |n| {
            let mut texts = Process::default().texts();
            texts.domain.insert_str(0, &format!("// {}\n", "x".repeat(n)));
            texts
        },
    },
];
