//! Shared code of the domains: random draws, graphs, grids, houses, towers of blocks, search, and the text of a problem.

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

/// Returns the names `word-1`, `word-2`, … up to `count`.
pub fn numbered(word: &str, count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("{word}-{number}")).collect()
}

/// Returns the first `count` of `words`. If there are fewer, returns numbered names with the prefix `otherwise` instead.
pub fn named(words: &[&str], otherwise: &str, count: usize) -> Vec<String> {
    if count <= words.len() {
        words[..count].iter().map(|&word| word.to_owned()).collect()
    } else {
        numbered(otherwise, count)
    }
}
