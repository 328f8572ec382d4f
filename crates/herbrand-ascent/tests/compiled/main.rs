//! Domains that are compiled when Rust compiles answer as the engine does: an oracle whose joins are those of `ascent` alone.
//!
//! `cargo test -p herbrand-ascent` compiles them; a plain `cargo test` does not.

mod agreement;
mod domains;
mod pair;
mod subject;
