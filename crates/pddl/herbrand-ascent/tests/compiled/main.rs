//! Compiled domains agree with the engine. They are an independent oracle, because `ascent` performs their joins.
//!
//! `cargo test -p herbrand-ascent` compiles the domains; a plain `cargo test` skips them.

mod agreement;
mod domains;
mod pair;
mod subject;
