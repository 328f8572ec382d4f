//! Random programs: what is fast agrees with what is obvious.

mod evaluation;
mod queries;
mod sketch;
