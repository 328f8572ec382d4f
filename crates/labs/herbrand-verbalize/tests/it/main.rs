//! Tests of sentences: read back, distinct, tolerant, and exact about faults.

mod bundled;
mod names;
mod reading;
mod replies;
mod tables;
