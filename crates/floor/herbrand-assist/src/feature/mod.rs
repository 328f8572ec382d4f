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

/// The reason why a text is not edited. The functions of [`rename`] and [`formatting`] return it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EditError {
    /// There is no name at the place.
    #[error("there is no name here")]
    NoName,
    /// The name is a word of the language.
    #[error("`{0}` is a word of the language")]
    Word(String),
    /// No file declares the name.
    #[error("`{0}` is not declared, so its uses are not known")]
    Undeclared(String),
    /// The new name is not a name of the language.
    #[error("`{0}` is not a name of this language")]
    Malformed(String),
    /// The new name has a meaning already.
    #[error("`{0}` is already a name here")]
    Taken(String),
    /// The text has faults of syntax.
    #[error("the text has faults of syntax, so it is not formatted")]
    Syntax,
    /// The formatter would lose a comment.
    #[error("formatting would lose a comment, so the text is left as it is")]
    Comment,
}
