//! Names of collections, and fetches from a local server.

mod fetch;
mod names;
mod server;
