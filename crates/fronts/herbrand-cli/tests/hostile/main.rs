//! Hostile texts, clients and interruptions: for any input, the program ends within its limits with a message.
//!
//! The short form is part of `cargo test`; the long form, which is ignored there, takes hours.
#![cfg(target_os = "linux")]

mod commands;
mod corpus;
mod families;
mod run;
mod servers;
