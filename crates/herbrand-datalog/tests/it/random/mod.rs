//! Random programs: what is fast agrees with what is obvious, and what is printed can be read.

mod derivations;
mod evaluation;
mod queries;
mod sketch;
mod text;
mod views;
