//! Text to syntax: tokens with matched brackets, then a tree with places.

mod brackets;
mod lexer;
mod names;
mod parser;

pub(crate) mod ast;

pub(crate) use lexer::{Piece, PieceKind, Word, pieces};
pub(crate) use names::{Known, Names, Symbol};
pub(crate) use parser::parse;
