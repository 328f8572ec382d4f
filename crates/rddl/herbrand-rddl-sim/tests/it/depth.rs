//! Texts nested to any depth, on a thread with little stack: a model that steps, or a fault of the text.

use std::sync::Arc;
use std::thread;

use herbrand_core::{Choice, Random, System};
use herbrand_limits::Budget;
use herbrand_rddl::{Code, Instance, ReadOptions, Severity, Source, format, lexemes, read};
use herbrand_rddl_sim::ground::{ExactStep, StepGraph, compile, state_bounds};
use herbrand_rddl_sim::simulate::{Preconditions, RddlSimulator};

/// The stack of the thread, less than any platform gives one.
const STACK: usize = 256 << 10;

/// How a construct is nested: the text before the part inside at a level, the innermost part, and the text after it.
struct Nesting {
    before: fn(usize) -> String,
    innermost: &'static str,
    after: &'static str,
    /// Whether the expression is a bool.
    is_bool: bool,
}

const fn number(before: fn(usize) -> String, innermost: &'static str, after: &'static str) -> Nesting {
    Nesting {
        before,
        innermost,
        after,
        is_bool: false,
    }
}

const fn truth(before: fn(usize) -> String, innermost: &'static str, after: &'static str) -> Nesting {
    Nesting {
        before,
        innermost,
        after,
        is_bool: true,
    }
}

const NESTINGS: &[Nesting] = &[
    number(|_| "if (q) then 1 else ".to_owned(), "0", ""),
    number(|_| "if (q) then (".to_owned(), "0", ") else 1"),
    number(|_| "if (x < ".to_owned(), "0", ") then 1 else 2"),
    number(|_| "-".to_owned(), "x", ""),
    number(|_| "+".to_owned(), "x", ""),
    number(|_| "(".to_owned(), "x", ")"),
    number(|_| "[".to_owned(), "x", "]"),
    number(|_| "x + (".to_owned(), "x", ")"),
    number(|_| "1 + 2 * (".to_owned(), "x", ") / 3"),
    number(|_| "abs[".to_owned(), "x", "]"),
    number(|_| "max[".to_owned(), "x", ", n]"),
    number(|_| "pow[x, ".to_owned(), "1", "]"),
    number(|level| format!("sum_{{?a{level} : t}} "), "1", ""),
    number(|level| format!("prod_{{?a{level} : t}} (1 + "), "x", ")"),
    number(|level| format!("max_{{?a{level} : t}} [n + "), "p(?a0)", "]"),
    number(|_| "switch (c) { case @a : 1, default : ".to_owned(), "2", "}"),
    number(|_| "switch (c) { case @a : ".to_owned(), "2", ", case @b : x }"),
    number(|_| "Normal(".to_owned(), "x", ", 1.0)"),
    number(|_| "Uniform(".to_owned(), "0", ", pos-inf)"),
    number(|_| "KronDelta(".to_owned(), "x", ")"),
    number(|_| "if (Bernoulli(".to_owned(), "0.5", ")) then 1 else 0"),
    number(
        |_| "if (Discrete(e, @a : ".to_owned(),
        "0.5",
        ", @b : otherwise) == @a) then 1 else 0",
    ),
    truth(|_| "~".to_owned(), "q", ""),
    truth(|_| "(q ^ ".to_owned(), "q", ")"),
    truth(|_| "q | (~q ^ (".to_owned(), "q", "))"),
    truth(|_| "q => (".to_owned(), "q", ")"),
    truth(|_| "(".to_owned(), "q", ") <=> q"),
    truth(
        |_| "q <=> q => q | q ^ 0 < x + 2 * (if (".to_owned(),
        "q",
        ") then 1 else 0)",
    ),
    truth(|_| "(q == ".to_owned(), "q", ")"),
    truth(|level| format!("forall_{{?a{level} : t}} "), "q", ""),
    truth(
        |level| format!("exists_{{?a{level} : t}} [p(?a{level}) ^ "),
        "q",
        "]",
    ),
    truth(
        |level| format!("forall_{{?a{level} : t}} p(?a{level}) => exists_{{?b{level} : t}} p(?b{level}) ^ "),
        "q",
        "",
    ),
    truth(
        |level| {
            if level == 0 {
                "forall_{?a : t} p(next("
            } else {
                "next("
            }
            .to_owned()
        },
        "?a)",
        ")",
    ),
    number(
        |_| "sum_{?i : t} (MultivariateNormal[?i](m(_), s(_, ".to_owned(),
        "_",
        ")))",
    ),
];

impl Nesting {
    fn expression(&self, depth: usize) -> String {
        let before: String = (0..depth).map(self.before).collect();
        before + self.innermost + &self.after.repeat(depth)
    }

    /// Returns a model that nests the construct in each kind of formula.
    fn text(&self, depth: usize) -> String {
        let nested = self.expression(depth);
        let (value, condition) = if self.is_bool {
            (format!("(if ({nested}) then 1.0 else 0.0)"), nested)
        } else {
            (format!("({nested})"), format!("0 <= ({nested})"))
        };
        let draws = ["Normal", "Uniform", "Bernoulli", "Discrete"];
        let conditions = if draws.iter().any(|draw| value.contains(draw)) {
            String::new()
        } else {
            format!(
                "termination {{ x > 1000000 ^ ({condition}); }}; \
                 action-preconditions {{ ({condition}) | go | ~go; }}; \
                 state-invariants {{ ({condition}) | x >= 0; x <= 9; }};"
            )
        };
        format!(
            "domain d {{
                types {{ t : object; e : {{ @a, @b }}; }};
                pvariables {{
                    next(t) : {{ non-fluent, t }};
                    m(t) : {{ non-fluent, real, default = 0.0 }};
                    s(t, t) : {{ non-fluent, real, default = 1.0 }};
                    n : {{ non-fluent, int, default = 1 }};
                    p(t) : {{ state-fluent, bool, default = false }};
                    q : {{ state-fluent, bool, default = false }};
                    c : {{ state-fluent, e, default = @a }};
                    x : {{ state-fluent, real, default = 0.0 }};
                    i : {{ interm-fluent, real }};
                    go : {{ action-fluent, bool, default = false }};
                }};
                cpfs {{ q' = q; p'(?t) = p(?t); c' = c; i = {value}; x' = if (i > 0) then 1.0 else 0.0; }};
                reward = {value};
                {conditions}
            }}
            instance i {{
                domain = d; objects {{ t : {{ o }}; }}; non-fluents {{ next(o) = o; }};
                max-nondef-actions = 1; horizon = 5; discount = 1.0;
            }}"
        )
    }
}

/// Does with a text what the program does. Returns the codes of its faults.
fn used(text: &str) -> Vec<Code> {
    let sources = [Source::new("nested", text)];
    let document = read(&sources, &ReadOptions::default());
    let mentions = document.mentions(0);
    assert!(mentions.len() <= lexemes(text).len());
    let faults = document.diagnostics().iter().map(ToString::to_string);
    assert!(faults.map(|fault| fault.len()).sum::<usize>() < 8 * text.len() + 100_000);
    let _ = format(&sources[0]);
    let instance = match Instance::load(&sources) {
        Ok(instance) => Arc::new(instance),
        Err(faults) => {
            assert!(!faults.to_string().is_empty());
            let errors = faults.diagnostics().iter();
            let errors = errors.filter(|one| one.severity() == Severity::Error);
            return errors.map(|one| one.code()).collect();
        }
    };
    match Instance::from_text(&instance.domain.to_rddl(), &instance.to_rddl()) {
        Ok(again) => assert_eq!(again, *instance),
        // Printing adds parentheses, which count as levels.
        Err(faults) => {
            let mut faults = faults.diagnostics().iter();
            assert!(faults.all(|one| one.code() == Code::NestedTooDeep));
        }
    }
    let compiled = Arc::new(compile(&instance).unwrap());
    state_bounds(&compiled, &Budget::unlimited()).unwrap();
    StepGraph::new(&instance, &Budget::unlimited()).unwrap();
    ExactStep::new(&instance).unwrap();
    let mut simulator = RddlSimulator::new(Arc::clone(&compiled), Preconditions::Refused);
    let mut random = Random::new(1);
    let _ = simulator.reset(&mut random);
    let mut joint: Vec<Choice> = Vec::new();
    let _ = simulator.sample(&mut random, &mut joint);
    let _ = simulator.step(&joint, &mut random);
    Vec::new()
}

fn on_a_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = thread::Builder::new().stack_size(STACK).spawn(work);
    thread.unwrap().join().unwrap()
}

/// Depths around those at which a construct of one, two, three or four levels is too deep, and far beyond.
const DEPTHS: [usize; 10] = [10, 60, 74, 99, 148, 149, 298, 302, 3_000, 100_000];

#[test]
fn each_construct_is_nested_to_any_depth() {
    for (number, nesting) in NESTINGS.iter().enumerate() {
        let found = on_a_small_stack(move || DEPTHS.map(|depth| used(&NESTINGS[number].text(depth))));
        let name = nesting.expression(1);
        assert!(found[9].contains(&Code::NestedTooDeep), "{name}: {:?}", found[9]);
        for (depth, codes) in DEPTHS.iter().zip(&found) {
            // Whatever else is wrong with it, it is no deeper than a shallow text.
            let others = codes.iter().filter(|code| **code != Code::NestedTooDeep);
            let is_too_deep = codes.contains(&Code::NestedTooDeep);
            assert!(is_too_deep || others.eq(&found[0]), "{name} {depth}: {codes:?}");
        }
    }
}
