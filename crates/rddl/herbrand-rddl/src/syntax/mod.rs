//! Parsing: [`lexer`] makes tokens, [`parser`] builds the [`ast`].

pub(crate) mod ast;
mod lexer;
mod parser;

pub use lexer::{lexemes, tree};
pub(crate) use parser::parse;
pub use parser::{DOMAIN_SECTIONS, INSTANCE_SECTIONS};

/// The maximum height of an expression. Real files stay below 60. All recursion over expressions relies on this limit.
pub(crate) const DEPTH_LIMIT: u16 = 300;

/// Reserved words, which cannot be names of types or pvariables.
pub(crate) const RESERVED: &[&str] = &[
    "bool",
    "int",
    "real",
    "object",
    "true",
    "false",
    "if",
    "then",
    "else",
    "switch",
    "case",
    "default",
    "otherwise",
    "forall",
    "exists",
    "argmax",
    "argmin",
    "pos-inf",
    "neg-inf",
    "Discrete",
    "UnnormDiscrete",
    "Bernoulli",
    "KronDelta",
    "DiracDelta",
];
