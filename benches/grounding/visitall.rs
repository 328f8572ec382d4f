//! A robot visits every cell of a square grid. Files are large, and there are hardly any joins.

use herbrand::step::Random;

use crate::text::{ProblemText, below, root};
use crate::tiles::neighbours;

/// The domain.
pub const DOMAIN: &str = include_str!("visitall.pddl");

/// A grid with n cells per side has 2 n² atoms, twice as many actions, and 4 n² static atoms.
pub fn problem(size: usize, rng: &mut Random) -> String {
    let side = root(size, 6.0, 2.0, 2);
    let cells = side * side;
    let mut text = ProblemText::new("visitall");
    text.objects("cell", cells, "cell");
    for (from, to) in neighbours(side) {
        text.fact(format_args!("next cell{from} cell{to}"));
    }
    let start = below(rng, cells);
    text.fact(format_args!("at cell{start}"));
    text.fact(format_args!("visited cell{start}"));
    for cell in 0..cells {
        text.goal(format_args!("visited cell{cell}"));
    }
    text.finish()
}
