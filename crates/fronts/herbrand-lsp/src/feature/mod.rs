//! The requests of editors about names and texts, one file for each feature. All answer at once from the files in memory.

pub(crate) mod actions;
pub(crate) mod completion;
pub(crate) mod folding;
pub(crate) mod formatting;
pub(crate) mod hints;
pub(crate) mod hover;
pub(crate) mod navigation;
pub(crate) mod rename;
pub(crate) mod signature;
pub(crate) mod symbols;
pub(crate) mod tokens;
