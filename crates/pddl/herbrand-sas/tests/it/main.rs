//! Tests of finite-domain tasks against ground tasks, and of the file format.

mod alternating;
mod explore;
mod format;
mod invariant_cases;
mod invariants;
mod random;
