//! The server as an editor sees it: messages over a connection in memory.

mod client;
mod corpus;
mod edits;
mod engine;
mod faults;
mod names;
mod overview;
mod places;
mod reach;
mod writing;
