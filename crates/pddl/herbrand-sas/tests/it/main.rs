//! Tests of finite-domain tasks against ground tasks, and of the file format.

mod alternating;
mod explore;
mod format;
mod invariants;
mod random;
