//! Hostile texts: each is refused within the memory and time limits of a request.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use herbrand_limits::Limits;
use herbrand_play::{Playground, Reply, Request, RequestLimits};

use crate::{position, texts};

const MEMORY: u64 = 32 << 20;

/// Narrow limits for fast tests, except that texts may be long.
fn narrow() -> RequestLimits {
    RequestLimits {
        limits: Limits {
            bytes: Some(MEMORY),
            time: Some(Duration::from_secs(5)),
        },
        text: 16 << 20,
        ..RequestLimits::default()
    }
}

/// Hostile texts, each with a description.
fn hostile() -> Vec<(&'static str, String, String)> {
    let problem = |objects: &str, init: &str| {
        format!("(define (problem p) (:domain d) (:objects {objects}) (:init {init}) (:goal (p o0)))")
    };
    let objects = |count: usize| {
        (0..count).fold(String::new(), |mut text, number| {
            let _ = write!(text, "o{number} ");
            text
        })
    };
    let plain = "(define (domain d) (:predicates (p ?x)) (:action a :parameters (?x) :effect (p ?x)))";
    let many = "(define (domain d) (:predicates (p ?x) (q ?a ?b ?c))
        (:action a :parameters (?a ?b ?c) :effect (q ?a ?b ?c)))";
    let mut deep =
        String::from("(define (domain d) (:predicates (p ?x)) (:action a :parameters (?x) :precondition ");
    deep += &"(not ".repeat(200_000);
    deep += "(p ?x)";
    deep += &")".repeat(200_000);
    deep += " :effect (p ?x)))";
    let exponential = "(define (domain d) (:predicates (p ?x))
        (:action a :parameters (?x) :precondition (and ";
    let or = "(or (p o0) (p ?x)) ".repeat(40);
    vec![
        ("parentheses", "(".repeat(10 << 20), "(".repeat(1 << 20)),
        ("closing parentheses", ")".repeat(10 << 20), String::new()),
        ("10^9 groundings", many.to_owned(), problem(&objects(1000), "")),
        ("deep nesting", deep, problem("o0", "")),
        ("cells far apart", plain.to_owned(), problem("r0c0 r0c1 r1c0 r1000c1000 o0", "")),
        ("many objects", plain.to_owned(), problem(&objects(60_000), "")),
        ("disjunctions", format!("{exponential}{or}) :effect (p ?x)))"), problem("o0", "")),
        ("zeros", "\0".repeat(1 << 20), "\0".to_owned()),
        ("no ASCII", "🁢".repeat(100_000), "(define (problem 🁢))".to_owned()),
        ("RDDL of braces", format!("domain d {}", "{".repeat(1 << 20)), String::new()),
        (
            "RDDL of many fluents",
            "domain d { types { t : object; }; pvariables { p(t, t, t) : { state-fluent, bool, default = false }; };
               cpfs { p'(?a, ?b, ?c) = p(?c, ?b, ?a); }; reward = sum_{?a : t, ?b : t, ?c : t} [p(?a, ?b, ?c)]; }"
                .to_owned(),
            {
                let names: Vec<_> = (0..1000).map(|number| format!("o{number}")).collect();
                format!(
                    "non-fluents n {{ domain = d; objects {{ t : {{{}}}; }}; }}
                     instance i {{ domain = d; non-fluents = n; horizon = 9; discount = 1.0; }}",
                    names.join(", ")
                )
            },
        ),
    ]
}

#[test]
fn hostile_texts_are_answered_within_bounds() {
    for (name, domain, problem) in hostile() {
        let problem = texts(&domain, &problem);
        let herbrand_play::ProblemName::Texts { texts } = &problem else {
            continue;
        };
        let check = Request::Check { texts: texts.clone() };
        let look = Request::Look(position(&problem, 0, &[]));
        let plan = Request::Plan(position(&problem, 0, &[]));
        let ground = Request::Ground {
            problem: problem.clone(),
        };
        let datalog = Request::Datalog {
            problem: problem.clone(),
        };
        let length = (texts.domain.len() + texts.problem.len()) as u64;
        for request in [check, look, plan, ground, datalog] {
            let mut playground = Playground::new(narrow());
            let begin = Instant::now();
            let mut reply = None;
            let used = allocation_counter::measure(|| reply = Some(playground.reply(&request)));
            let took = begin.elapsed();
            // The limit covers the memory that the passes account for; names, texts and replies come on top.
            let most = 3 * MEMORY + 24 * length;
            assert!(used.bytes_max < most, "{name}: {} bytes at once", used.bytes_max);
            assert!(took < Duration::from_secs(60), "{name}: {took:?}");
            let text = serde_json::to_string(&reply).expect("answers are JSON");
            assert!(text.len() < 8 << 20, "{name}: an answer of {} bytes", text.len());
        }
    }
}

#[test]
fn what_is_too_large_is_refused() {
    for (name, domain, problem) in hostile() {
        let refused = [
            "10^9 groundings",
            "parentheses",
            "deep nesting",
            "RDDL of many fluents",
        ];
        if !refused.contains(&name) {
            continue;
        }
        let reply =
            Playground::new(narrow()).reply(&Request::Look(position(&texts(&domain, &problem), 0, &[])));
        assert!(matches!(reply, Reply::Refused(_)), "{name}");
    }
}

#[test]
fn long_texts_are_not_read() {
    let text = " ".repeat(300 << 10);
    let reply =
        Playground::new(RequestLimits::default()).reply(&Request::Look(position(&texts(&text, ""), 0, &[])));
    let Reply::Refused(refusal) = reply else {
        panic!("the text is too long");
    };
    assert_eq!(refusal.message, "a text has 307200 bytes; the limit is 262144");
}
