//! The built program, run as a user runs it.

mod bench;
mod check;
mod edit;
mod explore;
mod generate;
mod ground;
mod learn;
#[cfg(unix)]
mod pages;
mod plan;
mod play;
mod rddl;
mod render;
mod rollout;
mod run;
mod serve;
mod study;
mod surface;
mod traces;
#[cfg(unix)]
mod tutorial;
mod validate;
