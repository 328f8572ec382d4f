//! Sliding tiles on a square board. Every tile can reach every cell.

use herbrand::step::Random;

use crate::text::{ProblemText, root, shuffled};

/// The domain.
pub const DOMAIN: &str = include_str!("tiles.pddl");

/// A board with n cells per side has about n⁴ atoms and four times as many actions.
pub fn problem(size: usize, rng: &mut Random) -> String {
    let side = root(size, 5.0, 4.0, 2);
    let cells = side * side;
    let mut text = ProblemText::new("tiles");
    text.objects("tile", cells - 1, "tile");
    text.objects("cell", cells, "cell");
    for (from, to) in neighbours(side) {
        text.fact(format_args!("next cell{from} cell{to}"));
    }
    let places = shuffled(rng, cells);
    for (tile, cell) in places[1..].iter().enumerate() {
        text.fact(format_args!("at tile{tile} cell{cell}"));
        text.goal(format_args!("at tile{tile} cell{tile}"));
    }
    text.fact(format_args!("blank cell{}", places[0]));
    text.finish()
}

/// Iterates over the ordered pairs of adjacent cells on a square board, with cells numbered row by row.
pub fn neighbours(side: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..side * side).flat_map(move |cell| {
        let (row, column) = (cell / side, cell % side);
        let right = (column + 1 < side).then_some(cell + 1);
        let below = (row + 1 < side).then_some(cell + side);
        let both = move |other| [(cell, other), (other, cell)];
        right.into_iter().chain(below).flat_map(both)
    })
}
