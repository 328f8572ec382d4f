//! Parsing: [`lexer`] makes tokens, [`parser`] builds the [`ast`].

pub(crate) mod ast;
mod lexer;
mod parser;

pub(crate) use parser::parse;

/// The maximum height of an expression. Real files stay below 60. All recursion over expressions relies on this limit.
pub(crate) const DEPTH_LIMIT: u16 = 300;
