//! Parsing stays within its budget for all texts.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use herbrand_core::{Random, System};
use herbrand_limits::{Budget, BudgetExhausted, Limits};
use herbrand_rddl::{Code, Faults, Instance, Source};
use herbrand_rddl_sim::ground::{CompileError, ExactStep, compile, compile_within};
use herbrand_rddl_sim::simulate::{Preconditions, RddlSimulator, StepError};
use herbrand_rddl_sim::suite::{RddlError, RddlSuite};

/// A family of texts of any size.
type Family = (&'static str, fn(usize) -> String);

fn repeated(count: usize, write: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, index| {
        text += &write(index);
        text
    })
}

/// Returns a domain with these sections, and an instance with these lines.
fn texts(pvariables: &str, cpf: &str, reward: &str, conditions: &str, objects: &str, init: &str) -> String {
    format!(
        "domain d {{
            types {{ t : object; e : {{ @a, @b }}; }};
            pvariables {{
                N(t) : {{ non-fluent, real, default = 0.0 }};
                s : {{ state-fluent, bool, default = false }};
                x : {{ state-fluent, real, default = 0.0 }};
                q(t) : {{ state-fluent, bool, default = false }};
                go : {{ action-fluent, bool, default = false }};
                {pvariables}
            }};
            cpfs {{ s' = {cpf}; x' = x; q'(?t) = q(?t); }};
            reward = {reward};
            state-action-constraints {{ {conditions} }};
        }}
        non-fluents n {{ domain = d; objects {{ t : {{ o {objects} }}; }}; }}
        instance i {{
            domain = d; non-fluents = n; init-state {{ {init} }};
            max-nondef-actions = 1; horizon = 5; discount = 1.0;
        }}"
    )
}

fn reward(reward: &str) -> String {
    texts("", "s", reward, "", "", "")
}

const FAMILIES: &[Family] = &[
    ("objects", |n| {
        texts("", "s", "0", "", &repeated(n, |index| format!(", o{index}")), "")
    }),
    ("settings", |n| {
        let objects = repeated(n, |index| format!(", o{index}"));
        texts(
            "",
            "s",
            "0",
            "",
            &objects,
            &repeated(n, |index| format!("q(o{index});")),
        )
    }),
    ("pvariables", |n| {
        let all = repeated(n, |index| {
            format!("p{index}(t, t) : {{ non-fluent, int, default = 1 }};")
        });
        texts(&all, "s", "0", "", "", "")
    }),
    ("state fluents", |n| {
        let all = repeated(n, |index| {
            format!("p{index} : {{ state-fluent, int, default = 1 }};")
        });
        texts(&all, "s", "0", "", "", "")
    }),
    ("values", |n| {
        let all = repeated(n / 4, |index| format!(", @v{index}"));
        texts("", "s", "0", "", "", "").replace("@b }", &format!("@b {all} }}"))
    }),
    ("sums", |n| reward(&format!("0{}", " + x * 2".repeat(n)))),
    ("lists", |n| {
        reward(&format!(
            "[0{}]",
            repeated(n / 200, |_| format!(" + (0{})", " - x".repeat(200)))
        ))
    }),
    ("aggregations", |n| {
        let constraints = "forall_{?a : t, ?b : t} [q(?a) => q(?b)];".repeat(n);
        texts("", "s", "0", &constraints, "", "")
    }),
    ("conditionals", |n| {
        texts("", "s", "0", &"(if (s) then go else ~go);".repeat(n), "", "")
    }),
    ("switches", |n| {
        texts(
            "",
            "s",
            "0",
            &"(switch (@a) { case @a : go, default : s });".repeat(n),
            "",
            "",
        )
    }),
    ("draws", |n| {
        let draws = "^ Bernoulli(0.5)".repeat(n);
        texts("", &format!("s {draws}"), "0", "", "", "")
    }),
    ("draws in wide scopes", |n| {
        let n = n.min(2500) / 10;
        let variables = repeated(n, |index| format!(", ?v{index} : t"));
        let draws = "^ Bernoulli(0.5)".repeat(n);
        texts(
            "",
            &format!("forall_{{?a : t {variables}}} [s {draws}]"),
            "0",
            "",
            "",
            "",
        )
    }),
    ("discrete", |n| {
        let constraints = "(Discrete(e, @a : 0.5, @b : 0.5) == @a);".repeat(n);
        texts("", "s", "0", &constraints, "", "")
    }),
    ("calls", |n| {
        texts("", "s", "0", &"(max[x, 3.0] >= abs[-2]);".repeat(n), "", "")
    }),
    ("faults", |n| {
        texts("", "s", "0", &"(unknown(?y) + @z);".repeat(n), "", "")
    }),
    ("brackets", |n| "[".repeat(n)),
    ("braces", |n| "domain d { ".repeat(n)),
    ("words", |n| repeated(n, |index| format!("w{index} "))),
    ("strays", |n| "# ".repeat(n)),
];

fn is_limit(faults: &Faults) -> bool {
    let codes = faults.diagnostics().iter().map(|diagnostic| diagnostic.code());
    codes.filter(|code| *code == Code::LimitReached).count() == 1
}

/// The smallest budget.
const LEAST: u64 = 1 << 18;

/// For every budget, from far too small to sufficient, at most one and a half times the budget is held.
#[test]
fn no_more_is_held_than_one_and_a_half_times_the_budget() {
    let mut faults = String::new();
    for (name, family) in FAMILIES {
        for size in [300, 3000] {
            let sources = [Source::new("texts", &family(size))];
            let (mut refused, mut least) = (0, 0);
            for bytes in (0..18).map(|power| LEAST << power) {
                let budget = Budget::new(Limits {
                    bytes: Some(bytes),
                    time: None,
                });
                let mut result = None;
                let info = allocation_counter::measure(|| {
                    result = Some(Instance::load_within(&sources, &budget).map(drop));
                });
                least = info.bytes_max;
                if info.bytes_max > bytes + bytes / 2 {
                    writeln!(faults, "{name} of {size}: {} of {bytes}", info.bytes_max).unwrap();
                }
                match &result.unwrap() {
                    Err(found) if is_limit(found) => refused += 1,
                    _ => break,
                }
            }
            // Some families need little memory at any length.
            if refused == 0 && least > 2 * LEAST {
                writeln!(faults, "{name} of {size}: never refused").unwrap();
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

/// The budget accepts texts that need a tenth of it.
#[test]
fn what_is_small_is_read() {
    for (name, family) in FAMILIES {
        let text = family(2000);
        let sources = [Source::new("texts", &text)];
        let mut result = None;
        let info = allocation_counter::measure(|| {
            result = Some(Instance::load(&sources).map(drop));
        });
        let budget = Budget::new(Limits {
            bytes: Some(10 * (info.bytes_max + text.len() as u64) + (1 << 17)),
            time: None,
        });
        let limited = Instance::load_within(&sources, &budget).map(drop);
        assert_eq!(limited.err(), result.unwrap().err(), "{name}");
    }
}

#[test]
fn the_time_ends_reading() {
    let over = Budget::new(Limits {
        bytes: None,
        time: Some(Duration::ZERO),
    });
    for (name, family) in FAMILIES {
        let sources = [Source::new("texts", &family(5000))];
        let faults = Instance::load_within(&sources, &over).map(drop).expect_err(name);
        assert!(is_limit(&faults), "{name}: {faults}");
        assert!(
            faults
                .to_string()
                .contains("time limit of 0 s is reached while reading texts"),
            "{faults}"
        );
    }
}

/// A step that would take minutes, and the status of a state that would take as long.
#[test]
fn a_step_ends_with_the_budgets_that_enclose_it() {
    let objects = repeated(12, |index| format!(", o{index}"));
    let all = (0..8)
        .map(|index| format!("?v{index} : t"))
        .collect::<Vec<_>>()
        .join(", ");
    let sum = format!("(sum_{{{all}}} [N(?v0) * x + N(?v7)])");
    for (name, sum, termination) in [
        ("a sum of 13^8 terms", format!("{sum} > 1"), String::new()),
        (
            "a termination of 13^8 terms",
            "s".to_owned(),
            format!("termination {{ {sum} < 0; }};"),
        ),
    ] {
        let text =
            texts("", &sum, "0", "", &objects, "").replace("state-action-constraints {  };", &termination);
        let instance =
            Instance::load(&[Source::new("texts", &text)]).unwrap_or_else(|faults| panic!("{faults}"));
        let budget = Budget::new(Limits {
            bytes: None,
            time: Some(Duration::from_millis(50)),
        });
        let compiled = compile(&Arc::new(instance)).unwrap();
        budget.enclose(|| {
            let mut simulator = RddlSimulator::new(Arc::new(compiled), Preconditions::Reported);
            let before = simulator.values().clone();
            let step = simulator.step(&[], &mut Random::new(0));
            assert!(
                matches!(step, Err(StepError::BudgetExhausted(_))),
                "{name}: {step:?}"
            );
            assert_eq!(simulator.values(), &before, "{name}");
        });
    }
}

#[test]
fn suites_are_read_within_limits() {
    let (_, family) = FAMILIES[0];
    let sources = [Source::new("texts", &family(3000))];
    let limits = |bytes| Limits {
        bytes: Some(bytes),
        time: None,
    };
    let error = RddlSuite::from_sources_within(&sources, limits(LEAST)).unwrap_err();
    assert!(
        matches!(&error, RddlError::Faults(faults) if is_limit(faults)),
        "{error}"
    );
    let enough = RddlSuite::from_sources_within(&sources, limits(1 << 30));
    assert!(enough.is_ok(), "{enough:?}");
}

/// Lists whose length is the number of objects to a power are refused before they are made, by each compiler.
#[test]
fn powers_of_the_number_of_objects_keep_to_the_memory_limit() {
    let model = |count: usize, function: &str| {
        let objects = repeated(count, |index| format!(", o{index}"));
        let declared =
            "C(t, t) : { non-fluent, real, default = 1.0 }; L(t, t) : { non-fluent, bool, default = true };
            y(t) : { state-fluent, real, default = 0.5 };";
        let text = texts(declared, "s", "0", "", &objects, "")
            .replace("x' = x;", &format!("x' = x; y'(?t) = {function};"));
        let sources = [Source::new("powers", text.as_str())];
        Arc::new(Instance::load(&sources).unwrap_or_else(|faults| panic!("{faults}\n{text}")))
    };
    for (count, function) in [
        (
            60,
            "sum_{?a : t, ?b : t, ?c : t, ?d : t, ?e : t, ?f : t} [y(?a) * y(?f)]",
        ),
        (
            60,
            "if (exists_{?a : t, ?b : t, ?c : t, ?d : t, ?e : t, ?f : t} [L(?a, ?b) ^ y(?f) > 1.0]) then 1.0 else 0.0",
        ),
        (2000, "MultivariateNormal[?t](N(_), C(_, _))"),
        (1500, "det_{?a : t, ?b : t} [C(?a, ?b) + y(?t)]"),
    ] {
        let instance = model(count, function);
        let budget = Budget::new(Limits {
            bytes: Some(48 << 20),
            time: None,
        });
        for error in [
            compile_within(&instance, &budget).err(),
            ExactStep::within(&instance, &budget).err(),
        ] {
            let is_memory = |error: &CompileError| {
                let limit = matches!(
                    error,
                    CompileError::BudgetExhausted(BudgetExhausted::Memory { .. })
                );
                limit || matches!(error, CompileError::Guards(_))
            };
            assert!(error.as_ref().is_some_and(is_memory), "{function}: {error:?}");
        }
    }
}
