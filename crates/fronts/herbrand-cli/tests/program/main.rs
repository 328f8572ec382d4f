//! The built program, run as a user runs it.

mod bench;
mod check;
mod collections;
#[cfg(unix)]
mod editors;
mod exam;
mod explore;
mod files;
mod generate;
mod ground;
mod learn;
#[cfg(unix)]
mod pages;
#[cfg(unix)]
mod parquet;
mod plan;
mod play;
mod rddl;
mod reference;
mod render;
mod rollout;
mod run;
mod serve;
mod space;
mod statuses;
mod surface;
mod task_files;
mod traces;
#[cfg(unix)]
mod tutorial;
mod validate;
mod words;
