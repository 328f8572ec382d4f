//! Text to a syntax tree: [`lexer`], then [`parser`], which builds the [`ast`].

pub(crate) mod ast;
mod lexer;
mod parser;

pub(crate) use parser::parse;

/// How deep a tree may be. Real files stay below 60; everything that recurses over an expression relies on it.
pub(crate) const DEPTH_LIMIT: u16 = 300;
