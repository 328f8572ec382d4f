//! Syntax analysis: from text to tokens with matched brackets, and from tokens to a syntax tree with spans.

mod brackets;
mod lexer;
mod names;
mod parser;
mod unclosed;

pub(crate) mod ast;

pub(crate) use lexer::{Word, has_commas};
pub use lexer::{lexemes, tree};
pub(crate) use names::{Known, Names, Symbol};
pub(crate) use parser::parse;
pub use parser::{DOMAIN_SECTIONS, PROBLEM_SECTIONS};
