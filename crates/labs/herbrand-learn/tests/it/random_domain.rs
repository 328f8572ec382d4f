//! Small random deterministic domains.

use std::fmt::Write;

use herbrand_core::{Random, uniform_below};
use herbrand_env::{ActionMode, Domain, Problem, Suite};

const PREDICATES: [(&str, &[&str]); 5] = [
    ("dark", &[]),
    ("open", &["room"]),
    ("held", &["item"]),
    ("at", &["item", "room"]),
    ("door", &["room", "room"]),
];
const OBJECTS: [(&str, &str); 6] = [
    ("r1", "room"),
    ("r2", "room"),
    ("r3", "room"),
    ("i1", "item"),
    ("i2", "item"),
    ("i3", "item"),
];

/// Returns a suite with one problem: two operators with random literals, over three rooms and three items.
pub fn suite(seed: u64) -> Suite {
    let mut random = Random::new(seed);
    let mut text = String::from(
        "(define (domain d) (:requirements :typing :negative-preconditions) (:types room item) (:predicates",
    );
    for (name, types) in PREDICATES {
        write!(text, " ({name}").unwrap();
        for (place, kind) in types.iter().enumerate() {
            write!(text, " ?x{place} - {kind}").unwrap();
        }
        text.push(')');
    }
    text.push_str(")\n");
    for name in ["one", "two"] {
        operator(&mut random, name, &mut text);
    }
    text.push(')');
    let domain = Domain::from_text(&text).unwrap();
    let mut problem = String::from("(define (problem p) (:domain d) (:objects");
    for (name, kind) in OBJECTS {
        write!(problem, " {name} - {kind}").unwrap();
    }
    problem.push_str(") (:init");
    for (name, types) in PREDICATES {
        for arguments in tuples(types) {
            if uniform_below(&mut random, 2) == 0 {
                write!(problem, " ({name} {})", arguments.join(" ")).unwrap();
            }
        }
    }
    problem.push_str(") (:goal (dark)))");
    let problem = Problem::from_text(&problem, &domain).unwrap();
    Suite::from_problems(domain, [problem], ActionMode::Operators).unwrap()
}

/// Writes an operator over two rooms and an item, with up to three preconditions and one to three effects.
fn operator(random: &mut Random, name: &str, text: &mut String) {
    write!(
        text,
        "(:action {name} :parameters (?a ?b - room ?i - item) :precondition (and"
    )
    .unwrap();
    for _ in 0..uniform_below(random, 4) {
        write!(text, " {}", literal(random)).unwrap();
    }
    text.push_str(") :effect (and");
    for _ in 0..=uniform_below(random, 3) {
        write!(text, " {}", literal(random)).unwrap();
    }
    text.push_str("))\n");
}

fn literal(random: &mut Random) -> String {
    let (name, types) = PREDICATES[uniform_below(random, PREDICATES.len() as u32) as usize];
    let mut atom = format!("({name}");
    for kind in types {
        let variable = match *kind {
            "item" => "?i",
            _ => ["?a", "?b"][uniform_below(random, 2) as usize],
        };
        write!(atom, " {variable}").unwrap();
    }
    atom.push(')');
    if uniform_below(random, 2) == 0 {
        atom
    } else {
        format!("(not {atom})")
    }
}

fn tuples(types: &[&str]) -> Vec<Vec<&'static str>> {
    let mut all: Vec<Vec<&'static str>> = vec![Vec::new()];
    for kind in types {
        let fitting: Vec<_> = OBJECTS
            .iter()
            .filter(|(_, own)| own == kind)
            .map(|(name, _)| *name)
            .collect();
        all = all
            .iter()
            .flat_map(|start| {
                fitting
                    .iter()
                    .map(move |&name| [start.as_slice(), &[name]].concat())
            })
            .collect();
    }
    all
}
