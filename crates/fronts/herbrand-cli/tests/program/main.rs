//! The built program, run as a user runs it.

#[cfg(unix)]
mod docs;
#[cfg(unix)]
mod editors;
mod explore;
mod fetch;
mod files;
mod play;
mod playthrough;
mod run;
mod serve;
mod surface;
#[cfg(unix)]
mod tables;
mod walks;
mod written;
