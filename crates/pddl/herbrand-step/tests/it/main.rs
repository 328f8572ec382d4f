//! Integration tests of the public interface, in one binary.

#![allow(clippy::unwrap_used, reason = "test code")]

mod agreement;
mod allocation;
mod depth;
mod exactness;
mod laws;
mod likelihood;
mod limits;
mod products;
mod search;
mod semantics;
mod simultaneous;
mod sliced;
mod strata;
mod symmetry;
