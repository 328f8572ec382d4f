//! Tests that parsing stays within its budget for every text.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use herbrand_limits::{Budget, Limits};
use herbrand_pddl::{Code, Domain, Faults, Problem, Source};

/// A family of texts of any size: a domain, and a problem for it that may be empty.
type Family = (&'static str, fn(usize) -> (String, String));

fn repeated(count: usize, write: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, index| {
        text += &write(index);
        text
    })
}

/// Returns a domain with these sections and declarations that they may use.
fn domain(sections: &str) -> String {
    format!(
        "(define (domain d) (:requirements :adl :fluents :derived-predicates :probabilistic-effects)
           (:types t) (:predicates (p) (q ?x) (r ?x ?y) (s)) (:functions (f ?x) (g)) {sections})"
    )
}

fn problem(sections: &str) -> (String, String) {
    (domain(""), format!("(define (problem x) (:domain d) {sections})"))
}

fn wrapped(count: usize, open: &str, inner: &str) -> String {
    format!("{}{inner}{}", open.repeat(count), ")".repeat(count))
}

fn action(body: &str) -> (String, String) {
    (domain(&format!("(:action a {body})")), String::new())
}

const FAMILIES: &[Family] = &[
    ("facts", |n| {
        let facts = repeated(n, |index| format!("(r o{index} o{})", index / 2));
        let objects = repeated(n, |index| format!("o{index} "));
        problem(&format!("(:objects {objects}) (:init {facts})"))
    }),
    ("repeated facts", |n| {
        problem(&format!("(:objects a) (:init {})", "(r a a)".repeat(n)))
    }),
    ("values", |n| {
        let values = repeated(n, |index| format!("(= (f o{index}) {index})"));
        let objects = repeated(n, |index| format!("o{index} "));
        problem(&format!("(:objects {objects}) (:init {values})"))
    }),
    ("absent facts", |n| {
        problem(&format!("(:objects a) (:init {})", "(not (r a a))".repeat(n)))
    }),
    ("initial chances", |n| {
        let all = repeated(n, |_| "(probabilistic 0.5 (and (p) (q a)))".to_owned());
        problem(&format!("(:objects a) (:init {all})"))
    }),
    ("types", |n| {
        let types = repeated(n, |index| format!("t{} - t{index} ", index + 1));
        (format!("(define (domain d) (:types {types}))"), String::new())
    }),
    ("parents", |n| {
        let n = n / 10;
        let parents = repeated(n, |index| format!("t{index} "));
        let children = repeated(n, |index| format!("s{index} "));
        let types = format!("{parents} {children} - (either {parents})");
        (
            format!("(define (domain d) (:requirements :typing) (:types {types}))"),
            String::new(),
        )
    }),
    ("objects of unions", |n| {
        let n = n / 10;
        let types = repeated(n, |index| format!("t{index} "));
        let objects = repeated(n, |index| format!("o{index} "));
        (
            format!("(define (domain d) (:requirements :typing) (:types {types}))"),
            format!("(define (problem x) (:domain d) (:objects {objects} - (either {types})))"),
        )
    }),
    ("variables of unions", |n| {
        let n = n / 10;
        let types = repeated(n, |index| format!("t{index} "));
        let variables = repeated(n, |index| format!("?v{index} "));
        (
            format!(
                "(define (domain d) (:requirements :adl) (:types {types}) (:predicates (p))
                   (:action a :precondition (forall ({variables} - (either {types})) (p)) :effect (p)))"
            ),
            String::new(),
        )
    }),
    ("predicates", |n| {
        let all = repeated(n, |index| format!("(p{index} ?x ?y)"));
        (format!("(define (domain d) (:predicates {all}))"), String::new())
    }),
    ("conjunctions", |n| {
        action(&format!(":precondition (and {})", "(p)".repeat(n)))
    }),
    ("small conjunctions", |n| {
        action(&format!(":precondition (or {})", "(and (p))".repeat(n)))
    }),
    ("towers", |n| {
        let tower = wrapped(200, "(not ", "(p)");
        action(&format!(":precondition (and {})", tower.repeat(n / 200 + 1)))
    }),
    ("quantifiers", |n| {
        action(&format!(
            ":precondition (and {})",
            "(forall (?x ?y) (r ?x ?y))".repeat(n)
        ))
    }),
    ("comparisons", |n| {
        action(&format!(
            ":precondition (and {})",
            "(< (+ (g) 1) (* 2 (g)))".repeat(n)
        ))
    }),
    ("effects", |n| {
        action(
            &format!(":effect (and {})", "(when (p) (and (s) (not (q ?x))))".repeat(n))
                .replace(":effect", ":parameters (?x) :effect"),
        )
    }),
    ("increases", |n| {
        action(&format!(":effect (and {})", "(increase (g) (+ 1 (g)))".repeat(n)))
    }),
    ("alternatives", |n| {
        let share = 1.0 / (n as f64 + 1.0);
        action(&format!(
            ":effect (probabilistic {})",
            format!("{share:.12} (p) ").repeat(n)
        ))
    }),
    ("actions", |n| {
        let all = repeated(n, |index| {
            format!("(:action a{index} :parameters (?x) :effect (q ?x))")
        });
        (domain(&all), String::new())
    }),
    ("rules", |n| {
        let all = "(:derived (p) (exists (?x) (and (p) (q ?x))))".repeat(n);
        (domain(&all), String::new())
    }),
    ("markers", |n| {
        let names = "q r ".repeat(n);
        (
            format!("(define (domain d) (:predicates (q ?x) (r ?x ?y)) ; (:actions {names})\n)"),
            String::new(),
        )
    }),
    ("requirements", |n| {
        (
            format!("(define (domain d) (:requirements {}))", ":strips ".repeat(n)),
            String::new(),
        )
    }),
    ("faults", |n| {
        action(&format!(":precondition (and {})", "(unknown ?y)".repeat(n)))
    }),
    ("parentheses", |n| ("(".repeat(n), String::new())),
    ("closing parentheses", |n| (")".repeat(n), String::new())),
    ("words", |n| {
        (repeated(n, |index| format!("w{index} ")), String::new())
    }),
    ("strays", |n| ("é ".repeat(n), String::new())),
    ("names", |n| {
        let name = "n".repeat(n);
        action(&format!(":parameters (?{name}) :effect (q ?{name})"))
    }),
    ("goals", |n| {
        problem(&format!(
            "(:objects a) (:goal (or {}))",
            "(and (q a) (p))".repeat(n)
        ))
    }),
];

/// Parses both texts within a budget.
fn read(domain: &Source, problem: &Source, budget: &Budget) -> Result<(), Faults> {
    let domain = Domain::parse_within(domain, budget)?;
    if !problem.text().is_empty() {
        Problem::parse_within(problem, &domain, budget)?;
    }
    Ok(())
}

fn is_limit(faults: &Faults) -> bool {
    let codes = faults.diagnostics().iter().map(|diagnostic| diagnostic.code());
    codes.filter(|code| *code == Code::LimitReached).count() == 1
}

/// The smallest budget in bytes.
const LEAST: u64 = 1 << 18;

/// For budgets from far too small to sufficient, the memory in use is at most 1.5 times the budget.
#[test]
fn no_more_is_held_than_one_and_a_half_times_the_budget() {
    let mut faults = String::new();
    for (name, family) in FAMILIES {
        for size in [300, 3000] {
            let (domain, problem) = family(size);
            let sources = [Source::new("domain", &domain), Source::new("problem", &problem)];
            let (mut refused, mut least) = (0, 0);
            for bytes in (0..18).map(|power| LEAST << power) {
                let budget = Budget::new(Limits {
                    bytes: Some(bytes),
                    time: None,
                });
                let mut result = Ok(());
                let info = allocation_counter::measure(|| {
                    result = read(&sources[0], &sources[1], &budget);
                });
                let most = bytes + bytes / 2;
                least = info.bytes_max;
                if info.bytes_max > most {
                    writeln!(faults, "{name} of {size}: {} of {bytes}", info.bytes_max).unwrap();
                }
                match &result {
                    Err(found) if is_limit(found) => refused += 1,
                    _ => break,
                }
            }
            // Some families need little memory at any size.
            if refused == 0 && least > 2 * LEAST {
                writeln!(faults, "{name} of {size}: never refused").unwrap();
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

/// A budget of ten times the memory that parsing needs is enough.
#[test]
fn what_is_small_is_read() {
    for (name, family) in FAMILIES {
        let (domain, problem) = family(2000);
        let sources = [Source::new("domain", &domain), Source::new("problem", &problem)];
        let mut result = Ok(());
        let info = allocation_counter::measure(|| {
            result = read(&sources[0], &sources[1], &Budget::unlimited());
        });
        let text = (domain.len() + problem.len()) as u64;
        let budget = Budget::new(Limits {
            bytes: Some(10 * (info.bytes_max + text) + (1 << 17)),
            time: None,
        });
        assert_eq!(
            read(&sources[0], &sources[1], &budget).err(),
            result.err(),
            "{name}"
        );
    }
}

/// If the time is up, the text is rejected, no matter what was found until then.
#[test]
fn the_time_ends_reading() {
    let over = Budget::new(Limits {
        bytes: None,
        time: Some(Duration::ZERO),
    });
    for (name, family) in FAMILIES {
        let (domain, problem) = family(20_000);
        let sources = [Source::new("domain", &domain), Source::new("problem", &problem)];
        let start = Instant::now();
        let result = read(&sources[0], &sources[1], &over);
        let faults = result.expect_err(name);
        assert!(is_limit(&faults), "{name}: {faults}");
        assert!(start.elapsed() < Duration::from_secs(60), "{name}");
        assert!(
            faults
                .to_string()
                .contains("time limit of 0 s is reached while reading domain"),
            "{faults}"
        );
    }
}

/// The denominators of the alternatives are coprime, so each addition takes longer than the one before.
#[test]
fn sums_of_probabilities_end_in_time() {
    let alternatives = repeated(60_000, |index| {
        format!("1/{} (p) ", 9_007_199_254_740_881_u64 - 2 * index as u64)
    });
    let (text, _) = action(&format!(":effect (probabilistic {alternatives})"));
    let budget = Budget::new(Limits {
        bytes: None,
        time: Some(Duration::from_millis(500)),
    });
    let faults = Domain::parse_within(&Source::new("domain", &text), &budget).expect_err("it takes long");
    assert!(is_limit(&faults), "{faults}");
}
