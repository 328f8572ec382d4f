//! Tests of `herbrand-edit`.

mod batches;
mod belief;
mod lines;
mod properties;
