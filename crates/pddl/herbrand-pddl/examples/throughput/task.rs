//! A generated task with 300 objects and 72,000 facts.

use std::fmt::Write as _;

/// The number of cells of the board.
const CELLS: usize = 268;
/// The number of tokens on the board.
const TOKENS: usize = 32;
/// The number of facts in the initial state.
const FACTS: usize = 72_000;

/// The domain.
pub const DOMAIN: &str = "(define (domain board)
  (:requirements :strips :typing)
  (:types cell token)
  (:predicates
    (near ?a ?b - cell)
    (seen ?t - token ?c - cell))
  (:action move
    :parameters (?t - token ?from ?to - cell)
    :precondition (and (seen ?t ?from) (near ?from ?to))
    :effect (and (seen ?t ?to) (not (seen ?t ?from)))))
";

/// Returns the problem. All cells are near each other.
pub fn problem() -> String {
    let cell = |index: usize| format!("cell-{}-{}", index / 16, index % 16);
    let mut text = String::from("(define (problem board-268)\n  (:domain board)\n  (:objects");
    for index in 0..CELLS {
        write!(text, " {}", cell(index)).expect("strings take everything");
    }
    text.push_str(" - cell");
    for index in 0..TOKENS {
        write!(text, " token-{index}").expect("strings take everything");
    }
    text.push_str(" - token)\n  (:init\n");
    let near = (0..CELLS * CELLS).map(|i| format!("    (near {} {})\n", cell(i / CELLS), cell(i % CELLS)));
    let seen = (0..TOKENS * CELLS).map(|i| format!("    (seen token-{} {})\n", i % TOKENS, cell(i / TOKENS)));
    text.extend(near.chain(seen).take(FACTS));
    text.push_str("  )\n  (:goal (seen token-0 cell-9-9)))\n");
    text
}
