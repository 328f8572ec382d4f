//! Emits programs from graphs: a tape for one evaluation per run, a program over lanes for many.
//!
//! The functions that compile are methods of the programs: [`Tape::compile`](super::Tape::compile), `Lanes::compile` and
//! [`Body::finish`](super::Body::finish).

mod lanes;
mod tape;
mod template;
