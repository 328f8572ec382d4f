//! The requests of editors about names and texts, one file for each feature. All answer at once from the files in memory.

pub mod actions;
pub mod completion;
pub mod folding;
pub mod formatting;
pub mod hints;
pub mod hover;
pub mod navigation;
pub mod rename;
pub mod signature;
pub mod symbols;
pub mod tokens;
