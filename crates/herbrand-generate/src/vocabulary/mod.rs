//! What many domains have in common: draws, graphs, grids, houses, towers of blocks, searches, and the text of a problem.

mod dice;
mod draft;
mod graph;
mod grid;
mod house;
mod search;
mod towers;
mod traveller;

pub use dice::Dice;
pub use draft::Draft;
pub use graph::Graph;
pub use grid::{Direction, Grid};
pub use house::{House, Walk};
pub use search::{explore, shortest};
pub use towers::Towers;
pub use traveller::Traveller;

/// `word-1`, `word-2`, …
pub fn numbered(word: &str, count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("{word}-{number}")).collect()
}

/// The first `count` of `words`; where they do not suffice, numbered places instead.
pub fn named(words: &[&str], otherwise: &str, count: usize) -> Vec<String> {
    if count <= words.len() {
        words[..count].iter().map(|&word| word.to_owned()).collect()
    } else {
        numbered(otherwise, count)
    }
}
